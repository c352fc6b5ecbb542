"""Admission: a candidate becomes an entry only if its words were really said, by somebody who may say such a thing, and
are not known already. Pure: it judges, and somebody else writes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct, structs

from steno.language.alike import BEHAVIOUR, RULINGS, nearly_same, opposed, repeats, says_no, settled
from steno.language.facts import stated
from steno.language.words import squeeze, without_own_words
from steno.scribe.hear import whose
from steno.vocabulary import HEARSAY, PEOPLE, Candidate, JournalTurn, Origin
from steno.vocabulary.details import Known
from steno.vocabulary.entries import Compared

# More of one category in one session than this is noise, whatever it is.
MOST_PER_SESSION: Final = 150
SUPERSEDES: Final = "supersedes"
OPPOSITE: Final = "they say the opposite"


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
    # Entries it contradicts, for a person to decide, and why.
    contradicts: dict[str, str]
    # The same of entries that were said later and read before.
    superseded_by: list[str] = []
    contradicted_by: dict[str, str] = {}


def judge(
    candidate: Candidate, turns: Mapping[int, JournalTurn], known: Callable[[Compared], list[Compared]], *,
    of_session: int,
) -> Admitted | Repeated | Refused:  # fmt: skip
    """What becomes of a candidate, given the turns it quotes, who finds entries it may be like, the oldest first, and
    how many of its category the session has."""
    if not candidate.evidence:
        return Refused("no evidence")
    for quote in candidate.evidence:
        turn = turns.get(quote.turn)
        if turn is None or not quote.quote or quote.quote not in turn.turn.text:
            return Refused("a quote that was not said")
        if quote.quote not in without_own_words(turn.turn.text):
            return Refused("our own words")
    category, first = candidate.category, candidate.evidence[0]
    origin = origin_of(turns[first.turn])
    if origin in ("tool", "agent", "file") or (category in BEHAVIOUR and origin != "user"):
        return Refused(f"a {category} cannot come from {origin}")
    if category in BEHAVIOUR and whose(turns[first.turn].turn.text, first.quote) != "own":
        return Refused(f"a {category} cannot come from words that were pasted or quoted")
    at = turns[first.turn].turn.at
    new = Compared("", category, candidate.status, candidate.certainty, origin, at, candidate.detail, first.quote)
    found = known(new)
    for older in found:
        if older.category == category and older.is_near and older.status in ("active", "done") and _again(new, older):
            if older.origin in PEOPLE and new.origin not in PEOPLE:
                return Refused("an agent says what a person said")
            if older.origin in PEOPLE or older.origin == new.origin:
                return Repeated(older.id)
    if of_session >= MOST_PER_SESSION:
        return Refused(f"more than {MOST_PER_SESSION} of this kind")
    return held_against(new, found)


def owned(candidate: Candidate, turns: Mapping[int, JournalTurn]) -> Candidate:
    """A decision or a fact as far as the words are the person's own: else it is only what they handed over."""
    first = next(iter(candidate.evidence), None)
    turn = turns.get(first.turn) if first else None
    if first is None or turn is None or candidate.category not in ("decision", "fact"):
        return candidate
    if origin_of(turn) != "user" or turn.turn.kind == "answer" or whose(turn.turn.text, first.quote) == "own":
        return candidate
    kept = candidate.detail
    detail = Known(exchange=kept.exchange, weight=kept.weight, about=kept.about, line=kept.line)
    return structs.replace(candidate, category="context", summary=squeeze(first.quote), detail=detail, tags=[])


def origin_of(turn: JournalTurn) -> Origin:
    """Whose words a turn holds: decided by code, from who said it, never by what is said."""
    if turn.source == HEARSAY:
        return "file"
    if turn.turn.role == "user":
        return "user" if turn.by_human else "agent"
    return "assistant" if turn.turn.role == "assistant" else "tool"


def held_against(new: Compared, known: Iterable[Compared]) -> Admitted:
    """What something new takes the place of, and what it contradicts, with the reason. Of two words the one that was
    said later is the newer, in whatever order they are read."""
    held = Admitted(new.origin, [], {}, [], {})
    for other in known:
        if other.status == "active" and other.id != new.id:
            is_later = bool(new.at and other.at and other.at > new.at) and not _confirms(new, other)
            reason = _between(other, new._replace(is_near=other.is_near)) if is_later else _between(new, other)
            if reason == SUPERSEDES:
                (held.superseded_by if is_later else held.supersedes).append(other.id)
            elif reason:
                (held.contradicted_by if is_later else held.contradicts)[other.id] = reason
    return held


def _again(new: Compared, older: Compared) -> bool:
    """Whether it was said before. Of lessons of agents it is enough that they come to the same."""
    lessons = new.category == "learning" and PEOPLE.isdisjoint({new.origin, older.origin})
    return repeats(new.said, older.said) or (lessons and nearly_same(new.words, older.words))


def _confirms(new: Compared, older: Compared) -> bool:
    """Whether a person says, or says yes to, what was not a person's word."""
    over = new.origin in PEOPLE and older.origin not in PEOPLE
    return over and new.category == older.category and older.is_near and repeats(older.words, new.said)


def _between(new: Compared, older: Compared) -> str:
    """That the newer of two takes the place, or why a person must decide; empty where they go together."""
    one_holds = new.category == older.category and not settled(new).isdisjoint(settled(older))
    apart = {new.category, older.category} <= RULINGS and opposed(_ruling(new), _ruling(older))
    undone = apart and older.category == "decision" and new.category != "rule"
    same_kind = new.origin == older.origin or (new.category == "rejected" and older.origin == "assistant")
    if _confirms(new, older) or (older.is_near and same_kind and (one_holds or undone)):
        return SUPERSEDES
    other_value = one_holds and older.is_near and stated(new.words) != stated(older.words)
    people = PEOPLE & {new.origin, older.origin}
    if not people or not (apart or other_value):
        return ""
    if older.category == "rejected" and new.category == "decision":
        return "a decision for something the human had refused"
    if not older.is_near:
        return f"{OPPOSITE}, one of them everywhere"
    if new.origin == older.origin:
        return OPPOSITE
    return f"{OPPOSITE}, and one " + ("was told, the other said" if len(people) > 1 else "is no person's word")


def _ruling(entry: Compared) -> str:
    """What an entry orders or forbids. A refusal without a no in it names what is refused."""
    return f"never {entry.words}" if entry.category == "rejected" and not says_no(entry.words) else entry.words
