"""What an outcome says about the rules that were shown before it, and whether it tells what is known already."""

from collections.abc import Iterable
from typing import Final

from steno.language.common import telling
from steno.language.same_word import words_of
from steno.vocabulary import Entry, Outcome, Rule

# Two lessons, or two things done, are one when they share so much of their telling words; and an outcome speaks of a
# rule when it holds so much of its.
_SAME: Final = 0.5
# So many telling words of a lesson in a file make it likely that the file holds it.
_HELD: Final = 2


def speaks_of(outcome: Outcome, rules: Iterable[Rule]) -> list[Rule]:
    """The rules an outcome speaks of."""
    told = words_of(f"{outcome.summary} {outcome.learned or ''}")
    found = ((rule, telling(words_of(rule.rule))) for rule in rules)
    return [rule for rule, words in found if words and len(words & told) >= _SAME * len(words)]


def said_before(words: str, entries: Iterable[Entry]) -> Entry | None:
    """The entry that says much the same, if there is one."""
    told = words_of(words)
    found = ((len(told & said) / (len(told | said) or 1), one.id, one)
             for one in entries if (said := words_of(one.summary)))  # fmt: skip
    alike, _, best = max(found, default=(0.0, "", None))
    return best if alike >= _SAME else None


def holds_lesson(learned: str, name: str, text: str = "") -> bool:
    """Whether something that changed has to do with a lesson: by what it is called, or by what it says."""
    lesson = telling(words_of(learned))
    return bool(lesson & words_of(name)) or len(lesson & words_of(text)) >= _HELD
