"""What a person said, laid out to be compared with actions: its words, what it plainly forbids, the call it refused."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from steno.gates.asked import Asked, asked, within
from steno.language.common import telling
from steno.language.lexicon import lexicon
from steno.language.same_word import names_of, words_of
from steno.language.tool_call import as_edit
from steno.rules.families import meant
from steno.rules.propose import paths_in, propose
from steno.rules.stance import binds, lasts, own_words, prohibitions
from steno.store.gates import Uttered
from steno.vocabulary import PEOPLE, Action, Entry, Evidence
from steno.vocabulary.details import Exchange, Known

# Words that take something out, and words for any change: "don't touch the table" forbids dropping it, too.
CHANGES: Final = words_of("delete drop prune truncate touch change modify alter edit löschen entfernen ändern")
# An edit is the same where so much of what the refused one brought in comes again.
_SAME_EDIT: Final = 0.8
# What only writes about a thing changes nothing in it.
_PAGES: Final = words_of("documentation readme changelog")
_ABOUT: Final = _PAGES | words_of("note ticket todo report test plan")
RUNNING: Final = words_of("run execute invoke")
# A sentence of which nothing was noted is compared if it is so likely to refuse, instruct or settle.
_WEIGHTY: Final = 0.1


class Said(NamedTuple):
    """An entry as it is laid beside an action."""

    entry: Entry
    # Stems of what was said; and of that with what it answered.
    own: frozenset[str]
    words: frozenset[str]
    # Command families it speaks of.
    families: frozenset[str]
    # It names a command or a path: another command is another matter. Patterns for the paths.
    names: bool
    paths: tuple[str, ...]
    # Of each plain prohibition for good, without a condition: what an action must name, all of it.
    forbidden: tuple[frozenset[str], ...]
    # The call that was refused for good, and what it was given.
    refused: Asked | None
    given: Mapping[str, Any]

    def is_same_call(self, action: Asked, given: Mapping[str, Any]) -> bool:
        """The refused call to the letter, its commands, nearly the same edit, or the call told in words."""
        refused = self.refused
        if refused is None:
            return False
        if not action.tool:
            words = telling(action.does)
            return len(words) > 1 and words <= refused.brings
        if (self.given == given and refused.tool == action.tool) or (refused.runs and refused.runs <= action.runs):
            return True
        edit, again = refused.does | refused.writes, action.does | action.writes
        same_file = not refused.runs and refused.files[:1] == action.files[:1] != ()
        return same_file and bool(edit) and len(edit & again) >= _SAME_EDIT * len(edit)

    def passes(self, action: Asked) -> bool:
        """Whether an action takes something out, where nothing was said against that."""
        return action.removes and not self.words & CHANGES and "deleting" not in self.families

    def forbids(self, action: Asked, text: str) -> bool:
        """Whether an action does what is plainly forbidden; not where it takes it out or only writes about it."""
        does = action.does | action.places
        named = any(words <= does or _runs(words - RUNNING, action) for words in self.forbidden)
        if not named or (action.says_no and not self.own & CHANGES):
            return False
        only_writes = action.does & _ABOUT or action.places & _PAGES or lexicon("speaks_of").search(text)
        return not only_writes or bool(self.own & _ABOUT)


def _runs(words: frozenset[str], action: Asked) -> bool:
    """Whether words that are not to be run are: a program by its name, or all of them in a command."""
    return bool(words) and (words <= action.programs or (len(words) > 1 and bool(action.tool) and words <= action.does))


def laid_out(entry: Entry, given: Mapping[str, Any] | None = None) -> Said | None:
    """An entry to be compared; None where it has nothing to compare, or was done later with leave.

    `given` is the input of the refused call, where the journal has it whole.
    """
    exchange, text = entry.detail.exchange, own_words(entry)
    ran, by_person = exchange.afterwards == "ran later", entry.category in ("rejected", "rule")
    if ran and entry.category != "rule":
        return None
    # A call that was stopped with words that became a rule is no less refused.
    call = exchange.call if by_person and not ran else None
    made = None
    if call is not None:
        given = as_edit(call.tool, given) if given else {"command": call.given}
        made = asked(Action(agent="", text="", tool=call.tool, input=given, directory=entry.project))
        if not made.runs and not made.files:
            made = made._replace(files=(call.given.partition(" ")[0],))
    about = f"{text} {entry.detail.what if entry.category == 'exclusion' else ''}"
    own = words_of(within(about, entry.project))
    # What a person wrote by hand takes the place of what was heard.
    around = words_of(within(exchange.answered, entry.project)) if entry.origin != "edit" else frozenset[str]()
    offered = propose(entry)
    # Who names a command or a path does not mean all that is like it.
    speaks = by_person and entry.origin in PEOPLE and (offered is None or offered.family)
    found = Said(
        entry=entry,
        own=own,
        words=own | around | (made.brings if made is not None else frozenset()),
        families=meant(text) if speaks else frozenset(),
        names=offered is not None,
        paths=paths_in(text) if speaks else (),
        forbidden=_forbidden(entry, text),
        refused=made if lasts(entry) else None,
        given=given or {},
    )
    return found if made is not None or found.families or telling(found.words) else None


def _forbidden(entry: Entry, text: str) -> tuple[frozenset[str], ...]:
    found = []
    for words in map(words_of, prohibitions(within(text, entry.project)) if binds(entry) else ()):
        named = telling(words)
        # One plain word alone says too little: beside it the words of work itself count.
        if named:
            found.append(named if len(named) > 1 or named & names_of(text) else words)
    return tuple(found)


def as_entry(heard: Uttered) -> Entry | None:
    """The weighty sentences of what was said and nothing was noted of, as an entry nobody keeps: it can remind, as
    words that were said, and nothing more. None where there is none."""
    one = heard.utterance
    kept = [
        said.text
        for said in one.sentences
        if max(said.acts.get("reject", 0.0), said.acts.get("instruct", 0.0), said.acts.get("choose", 0.0)) >= _WEIGHTY
    ]
    if not kept:
        return None
    said = (" " if len(kept) == len(one.sentences) else " … ").join(kept)
    # How likely it is that they say no.
    refuses = max(sentence.acts.get("reject", 0.0) for sentence in one.sentences)
    exchange = Exchange(said=said, kind=one.answers, answered=one.answered, call=one.call, afterwards=one.afterwards)
    return Entry(
        id=f"turn:{one.turn}", category="context", status="active", certainty="confirmed", confidence=refuses,
        summary=said,
        detail=Known(exchange=exchange), origin="user", tags=[], domain="GENERAL", subject=[], session=heard.session,
        project=heard.project, agent=heard.agent, created_at=one.at, superseded_by=None, repeated=0, cue="uttered",
        evidence=[Evidence(session=heard.session, turn=one.turn, line=None, role="user", quote=said)],
    )  # fmt: skip
