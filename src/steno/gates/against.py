"""What an entry stands against, by whole words: the refused call, a plain prohibition, the words themselves."""

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from steno.gates.asked import Asked, Run, asked, endings, within
from steno.language.common import telling
from steno.language.lexicon import lexicon
from steno.language.same_word import names_of, words_of
from steno.language.tool_call import as_edit
from steno.rules.stance import binds, lasts, own_words, prohibitions
from steno.vocabulary import Action, Entry

# Words that take something out, and words for any change: "don't touch the table" forbids dropping it, too.
CHANGES: Final = words_of("delete drop prune truncate touch change modify alter edit löschen entfernen ändern")
# An edit is the same where so much of what the refused one brought in comes again.
_SAME_EDIT: Final = 0.8
# What only writes about a thing changes nothing in it.
_PAGES: Final = words_of("documentation readme changelog")
_ABOUT: Final = _PAGES | words_of("note ticket todo report test plan")


class Against(NamedTuple):
    """An entry as it is laid beside an action."""

    entry: Entry
    # Stems of what was said; and of that with what it answered.
    own: frozenset[str]
    words: frozenset[str]
    # Of each plain prohibition for good, without a condition: what an action must name, all of it.
    forbidden: tuple[frozenset[str], ...]
    # A person said it for good.
    for_good: bool
    # The refused call: its tool and input, what it ran, the file it was about, what it brought in, its words in a line.
    tool: str
    given: Mapping[str, Any] | None
    runs: frozenset[Run]
    file: str
    edit: frozenset[str]
    told: frozenset[str]

    def is_same_call(self, action: Asked, given: Mapping[str, Any]) -> bool:
        """The refused call to the letter, its commands, nearly the same edit, or the call told in words."""
        if (self.given and self.tool == action.tool and self.given == given) or (
            self.runs and self.runs <= action.runs
        ):
            return True
        if self.file and self.tool == action.tool and self.file in action.files:
            again = action.does | action.writes
            return bool(self.edit) and len(self.edit & again) >= _SAME_EDIT * len(self.edit)
        words = telling(action.does)
        return not action.tool and len(words) > 1 and words <= self.told

    def passes(self, action: Asked) -> bool:
        """Whether an action takes something out, where nothing was said against that."""
        return action.removes and not self.words & CHANGES

    def forbids(self, action: Asked, text: str) -> bool:
        """Whether an action does what is plainly forbidden; not where it only looks at it, takes it out, or writes
        about it."""
        does = action.does | action.places
        if action.harmless or not any(named <= does for named in self.forbidden):
            return False
        if action.says_no and not self.own & CHANGES:
            return False
        only_writes = action.does & _ABOUT or action.places & _PAGES or lexicon("speaks_of").search(text)
        return not only_writes or bool(self.own & _ABOUT)


def against(entry: Entry, given: Mapping[str, Any] | None = None) -> Against | None:
    """What an entry is compared by; None where that is nothing, or it was done later with leave.

    `given` is the input of the refused call, where the journal has it.
    """
    exchange, text = entry.detail.exchange, own_words(entry)
    ran = exchange.afterwards == "ran later"
    if ran and entry.category != "rule":
        return None
    # A call that was stopped with words that became a rule is no less refused.
    call = exchange.call if entry.category in ("rejected", "rule") and not ran else None
    tool, line = (call.tool, call.given) if call is not None else ("", "")
    # The line is cut short where it is long; the journal has the call whole.
    given = as_edit(tool, given) if tool and given else None
    made = asked(Action(agent="", text="", tool=tool, input=given or {"command": line}, directory=entry.project))
    file = next(iter(made.files), line.partition(" ")[0]) if tool and not made.runs else ""
    # That a file is named says nothing of its kind.
    kinds = endings(f"{text} {exchange.answered} {line}")
    own = words_of(within(f"{text} {entry.detail.what if entry.category == 'exclusion' else ''}", entry.project))
    told = words_of(within(line, entry.project)) - kinds
    if file and not telling(own):
        # A bare no to an edit is about that file, not about its folder.
        told -= words_of(within(str(PurePath(file).parent), entry.project))
    # What a person wrote by hand takes the place of what was heard.
    around = words_of(within(exchange.answered, entry.project)) - kinds if entry.origin != "edit" else frozenset[str]()
    found = Against(
        entry=entry,
        own=own,
        words=own | around | told,
        forbidden=tuple(_forbidden(entry, text)),
        for_good=lasts(entry),
        tool=tool,
        given=given,
        runs=made.runs if tool else frozenset(),
        file=file,
        edit=made.does | made.writes if given and not made.runs else frozenset(),
        told=told,
    )
    return found if tool or telling(found.words) else None


def _forbidden(entry: Entry, text: str) -> Iterator[frozenset[str]]:
    for one in prohibitions(within(text, entry.project)) if binds(entry) else ():
        words = words_of(one)
        named = telling(words)
        # One plain word alone says too little: beside it the words of work itself count.
        if named:
            yield named if len(named) > 1 or named & names_of(text) else words
