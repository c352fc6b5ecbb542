"""Admission: a candidate becomes an entry only if its words were really said, by somebody who may say such a thing, and
are not known already. Pure: it judges, and somebody else writes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from steno.scribe.hear import whose
from steno.terms import without_own_words
from steno.vocabulary import HEARSAY, Candidate, Certainty, JournalTurn, Origin

# More of one category in one session than this is noise, whatever it is.
MOST_PER_SESSION: Final = 150
# Share of subject words two entries must have in common to be about the same thing.
_SAME_SUBJECT: Final = 0.6
# Fewer subject words than this say too little to supersede anything.
_TELLING: Final = 3
_FROM_PEOPLE: Final = frozenset({"rejected", "rule"})
_WORDS: Final = re.compile(r"\w+")


class Known(NamedTuple):
    """What a candidate is compared with: an entry of the same project or session."""

    id: str
    session_id: int | None
    category: str
    status: str
    origin: str
    # The summary without case and punctuation.
    words: str
    subject: frozenset[str]
    certainty: str = "confirmed"


class KnownEntries:
    """Entries by what they say and what they are about, so that comparing does not grow with their number."""

    def __init__(self, entries: Iterable[Known], session_id: int) -> None:
        self._session_id = session_id
        self._said: dict[tuple[str, str, bool], str] = {}
        self._settled: list[Known] = []
        self._of_session: Counter[str] = Counter()
        for entry in entries:
            self.add(entry)

    def add(self, entry: Known) -> None:
        """One more is known."""
        sure = entry.certainty != "hypothesis"
        self._said.setdefault((entry.category, entry.words, sure), entry.id)
        self._of_session[entry.category] += entry.session_id == self._session_id
        settles = entry.category == "decision" or (entry.category == "rejected" and sure)
        if settles and entry.status == "active" and len(entry.subject) >= _TELLING:
            self._settled.append(entry)

    def same(self, category: str, words: str, *, sure: bool) -> str | None:
        """The entry that says just this. What was only handed over does not strengthen what was said."""
        return self._said.get((category, words, sure))

    def is_full(self, category: str) -> bool:
        """Whether the session has as many of a category as it may."""
        return self._of_session[category] >= MOST_PER_SESSION

    def about(self, subject: frozenset[str]) -> Iterator[Known]:
        """Active decisions and rejections on the same subject."""
        if len(subject) >= _TELLING:
            yield from (entry for entry in self._settled if _same_subject(subject, entry.subject))


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


def judge(candidate: Candidate, turns: Mapping[int, JournalTurn], known: KnownEntries) -> Admitted | Repeated | Refused:
    """What becomes of a candidate, given the turns it quotes and the entries of its project."""
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
    if candidate.category not in _FROM_PEOPLE:
        return _compare(candidate, origin, candidate.certainty, known)
    first = candidate.evidence[0]
    match whose(turns[first.turn].turn.text, first.quote):
        case "own":
            return _compare(candidate, origin, candidate.certainty, known)
        case "unsure":
            return _compare(candidate, origin, "hypothesis", known)
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
    candidate: Candidate, origin: Origin, certainty: Certainty, known: KnownEntries
) -> Admitted | Repeated | Refused:
    sure = certainty != "hypothesis"
    if entry := known.same(candidate.category, normal(candidate.summary), sure=sure):
        return Repeated(entry)
    if known.is_full(candidate.category):
        return Refused(f"more than {MOST_PER_SESSION} of this kind")
    supersedes, contradicts = [], []
    if candidate.category in ("decision", "rejected"):
        for older in known.about(frozenset(candidate.subject)):
            match candidate.category, older.category:
                case ("decision", "decision") if origin == "user" or older.origin != "user":
                    supersedes.append(older.id)
                case ("rejected", "decision") if origin == "user" and sure:
                    supersedes.append(older.id)
                case ("decision", "rejected"):
                    contradicts.append(older.id)
    return Admitted(origin, supersedes, contradicts, certainty)


def normal(text: str) -> str:
    """A text without what does not change its meaning: case, punctuation, white space."""
    return " ".join(_WORDS.findall(text.casefold()))


def _same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    small, large = sorted((len(one), len(other)))
    return small >= _SAME_SUBJECT * large and len(one & other) / len(one | other) >= _SAME_SUBJECT
