"""Admission: a candidate becomes an entry only if its words were really said, by somebody who may say such a thing, and
are not known already. Pure: it judges, and somebody else writes."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from steno.scribe.hear import whose
from steno.terms import SAME_SUBJECT, TELLING_SUBJECT, normal, without_own_words
from steno.vocabulary import HEARSAY, PEOPLE, Candidate, Certainty, JournalTurn, Origin
from steno.vocabulary.entries import is_sure

# More of one category in one session than this is noise, whatever it is.
MOST_PER_SESSION: Final = 150
_FROM_PEOPLE: Final = frozenset({"rejected", "rule"})


class Known(NamedTuple):
    """What a candidate is compared with: an entry of the same project or session that may be like it."""

    id: str
    category: str
    status: str
    origin: str
    summary: str
    subject: frozenset[str]
    certainty: str = "confirmed"

    @property
    def is_sure(self) -> bool:
        return is_sure(self.category, self.certainty)


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
    # A person's rule or no that may stand in a text they only handed over is a hypothesis.
    certainty: Certainty = "confirmed"


def judge(
    candidate: Candidate, turns: Mapping[int, JournalTurn], known: Iterable[Known], *, of_session: int
) -> Admitted | Repeated | Refused:
    """What becomes of a candidate, given the turns it quotes, the entries it may be like, the oldest first, and how
    many of its category the session has."""
    if not candidate.evidence:
        return Refused("no evidence")
    for quote in candidate.evidence:
        turn = turns.get(quote.turn)
        if turn is None or not quote.quote or quote.quote not in turn.turn.text:
            return Refused("a quote that was not said")
        if quote.quote not in without_own_words(turn.turn.text):
            return Refused("our own words")
    origin = origin_of(turns[candidate.evidence[0].turn])
    if origin in ("tool", "agent", "file") or (candidate.category in _FROM_PEOPLE and origin != "user"):
        return Refused(f"a {candidate.category} cannot come from {origin}")
    may_be_like = (list(known), of_session >= MOST_PER_SESSION)
    if candidate.category not in _FROM_PEOPLE:
        return _compare(candidate, origin, candidate.certainty, *may_be_like)
    first = candidate.evidence[0]
    match whose(turns[first.turn].turn.text, first.quote):
        case "own":
            return _compare(candidate, origin, candidate.certainty, *may_be_like)
        case "unsure":
            return _compare(candidate, origin, "hypothesis", *may_be_like)
        case "other":
            return Refused(f"a {candidate.category} cannot come from words that were pasted or quoted")


def origin_of(turn: JournalTurn) -> Origin:
    """Whose words a turn holds: decided by code, from who said it, never by what is said."""
    if turn.source == HEARSAY:
        return "file"
    if turn.turn.role == "user":
        return "user" if turn.by_human else "agent"
    return "assistant" if turn.turn.role == "assistant" else "tool"


def _compare(
    candidate: Candidate, origin: Origin, certainty: Certainty, known: list[Known], is_full: bool
) -> Admitted | Repeated | Refused:
    words, subject, sure = (
        normal(candidate.summary),
        frozenset(candidate.subject),
        is_sure(candidate.category, certainty),
    )
    for older in known:
        # What was only handed over does not strengthen what was said, and hearsay is not what a person says now.
        alike = older.category == candidate.category and older.is_sure == sure and normal(older.summary) == words
        if alike and (older.origin in PEOPLE or older.origin == origin):
            return Repeated(older.id)
    if is_full:
        return Refused(f"more than {MOST_PER_SESSION} of this kind")
    supersedes, contradicts = [], []
    for older in known:
        if older.status != "active" or not _same_subject(subject, older.subject):
            continue
        match candidate.category, older.category:
            case ("decision", "decision") if origin == "user" or older.origin not in PEOPLE:
                supersedes.append(older.id)
            case ("rejected", "decision") if origin == "user" and sure:
                supersedes.append(older.id)
            case ("decision", "rejected") if older.is_sure:
                contradicts.append(older.id)
    return Admitted(origin, supersedes, contradicts, certainty)


def _same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    telling = min(len(one), len(other)) >= TELLING_SUBJECT
    return telling and len(one & other) / len(one | other) >= SAME_SUBJECT
