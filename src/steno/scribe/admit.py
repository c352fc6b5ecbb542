"""Admission: a candidate becomes an entry only if its words were really said, by somebody who may say such a thing, and
are not known already. Pure: it judges, and somebody else writes."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from msgspec import Struct

from steno.vocabulary import Candidate, JournalTurn, Origin

# What Steno itself wrote into a context stands between these, or runs to the end. Never learnt from.
_OWN_WORDS: Final = re.compile(r"<steno\b.*?(?:</steno[\w-]*>|\Z)|\[state\] task:[^\n]*", re.DOTALL | re.IGNORECASE)
# More of one category in one session than this is noise, whatever it is.
MOST_PER_SESSION: Final = 150
# Share of subject words two entries must have in common to be about the same thing.
_SAME_SUBJECT: Final = 0.6
# Fewer subject words than this say too little to supersede anything.
_TELLING: Final = 3
_FROM_PEOPLE: Final = frozenset({"rejected", "rule"})
_WORDS: Final = re.compile(r"\w+")


class KnownEntry(Protocol):
    """What an entry must tell to be compared with."""

    @property
    def id(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def origin(self) -> str: ...
    @property
    def words(self) -> str: ...
    @property
    def subject(self) -> frozenset[str]: ...


class Refused(Struct, frozen=True):
    """Not kept, and why."""

    reason: str


class Repeated(Struct, frozen=True):
    """Known already: the old entry counts once more."""

    entry: str


class Admitted(Struct, frozen=True):
    """Kept, with what follows for older entries."""

    origin: Origin
    # Entries it takes the place of.
    supersedes: list[str]
    # Entries it contradicts, for a person to decide.
    contradicts: list[str]


def judge(
    candidate: Candidate, turns: Mapping[int, JournalTurn], known: Iterable[KnownEntry]
) -> Admitted | Repeated | Refused:
    """What becomes of a candidate, given the turns it quotes and the entries of its project."""
    if not candidate.evidence:
        return Refused("no evidence")
    for quote in candidate.evidence:
        turn = turns.get(quote.turn)
        if turn is None or not quote.quote or quote.quote not in turn.turn.text:
            return Refused("a quote that was not said")
        if quote.quote not in _without_own_words(turn.turn.text):
            return Refused("our own words")
    origin = origin_of(turns[candidate.evidence[0].turn])
    if origin in ("tool", "agent", "file") or (candidate.category in _FROM_PEOPLE and origin != "user"):
        return Refused(f"a {candidate.category} cannot come from {origin}")
    return _compare(candidate, origin, known)


def origin_of(turn: JournalTurn) -> Origin:
    """Whose words a turn holds: decided by code, from who said it, never by what is said."""
    if turn.turn.role == "user":
        return "user" if turn.turn.by_human else "agent"
    return "assistant" if turn.turn.role == "assistant" else "tool"


def _compare(candidate: Candidate, origin: Origin, known: Iterable[KnownEntry]) -> Admitted | Repeated | Refused:
    text, subject = normal(candidate.summary), frozenset(candidate.subject)
    supersedes, contradicts, alike = [], [], 0
    for entry in known:
        if entry.category == candidate.category:
            alike += 1
            if entry.words == text:
                return Repeated(entry.id)
        if entry.status != "active" or not _same_subject(subject, entry.subject):
            continue
        match candidate.category, entry.category:
            case ("decision", "decision") if origin == "user" or entry.origin != "user":
                supersedes.append(entry.id)
            case ("rejected", "decision") if origin == "user":
                supersedes.append(entry.id)
            case ("decision", "rejected"):
                contradicts.append(entry.id)
    if alike >= MOST_PER_SESSION:
        return Refused(f"more than {MOST_PER_SESSION} of this kind")
    return Admitted(origin, supersedes, contradicts)


def _without_own_words(text: str) -> str:
    return _OWN_WORDS.sub("\0", text) if "steno" in text.casefold() else text


def normal(text: str) -> str:
    """A text without what does not change its meaning: case, punctuation, white space."""
    return " ".join(_WORDS.findall(text.casefold()))


def _same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    if min(len(one), len(other)) < _TELLING:
        return False
    return len(one & other) / len(one | other) >= _SAME_SUBJECT
