"""What an outcome says about the rules that were shown before it, and whether it tells what is known already."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from steno.language.common import COMMON_WORDS
from steno.language.same_word import words_of
from steno.vocabulary import Entry, Outcome, Rule

# Two lessons, or two things done, are one when they share so much of their telling words.
_SAME: Final = 0.5
# A rule was in play when the outcome speaks of so many of its telling words, or of half of them.
_IN_PLAY: Final = 2


class Grade(NamedTuple):
    """Rules an outcome stands up for, and rules it broke."""

    reinforced: list[str]
    violated: list[str]


def grade(outcome: Outcome, shown: Sequence[Rule], warned: Iterable[str]) -> Grade:
    """A rule that was shown is stood up for by a success. One that warned and was not heeded is broken by a failure; a
    success after a warning says nothing, because the human may have allowed it. Of an outcome that has nothing to do
    with a rule neither follows: who asked about one thing may have done another."""
    against, told = frozenset(warned), words_of(f"{outcome.summary} {outcome.learned or ''}")
    in_play = [rule.id for rule in shown if _in_play(rule, told)]
    if not outcome.passed:
        return Grade([], [id_ for id_ in in_play if id_ in against])
    return Grade([id_ for id_ in in_play if id_ not in against], [])


def _in_play(rule: Rule, told: frozenset[str]) -> bool:
    telling = words_of(rule.rule) - COMMON_WORDS
    common = len(telling & told)
    return common >= _IN_PLAY or bool(common and common * 2 >= len(telling))


def said_before(words: str, entries: Iterable[Entry]) -> Entry | None:
    """The entry that says much the same, if there is one."""
    told = words_of(words)
    best = max(((_alike(told, words_of(entry.summary)), entry.id, entry) for entry in entries), default=None)
    return best[2] if best is not None and best[0] >= _SAME else None


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    together = one | other
    return len(one & other) / len(together) if together else 0.0
