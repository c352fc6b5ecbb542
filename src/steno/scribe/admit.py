"""Admission: a candidate becomes an entry only if its words were really said, by somebody who may say such a thing, and
are not known already. Pure: it judges, and somebody else writes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct, structs

from steno.language.claims import BEHAVIOUR, COMPARED, OPPONENTS, Relation, claims_of, relation
from steno.language.words import content_words, normal, squeeze, without_own_words
from steno.scribe.hear import own_words, whose
from steno.scribe.write import as_context, doubted
from steno.vocabulary import HEARSAY, PEOPLE, Candidate, Certainty, JournalTurn, Origin, Quote
from steno.vocabulary.details import Instructed
from steno.vocabulary.entries import Compared

# More of one category in one session than this is noise, whatever it is.
MOST_PER_SESSION: Final = 150


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
    # A person's rule or no that may stand in a text they only handed over is a hypothesis.
    certainty: Certainty = "confirmed"
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
    first = candidate.evidence[0]
    origin = origin_of(turns[first.turn])
    if origin in ("tool", "agent", "file") or (candidate.category in BEHAVIOUR and origin != "user"):
        return Refused(f"a {candidate.category} cannot come from {origin}")
    if candidate.category in BEHAVIOUR:
        match whose(turns[first.turn].turn.text, first.quote):
            case "unsure":
                candidate = structs.replace(candidate, certainty="hypothesis")
            case "other":
                return Refused(f"a {candidate.category} cannot come from words that were pasted or quoted")
    new = as_compared(candidate, origin, turns[first.turn].turn.at)
    return _compare(candidate, new, known(new), of_session >= MOST_PER_SESSION)


def owned(candidate: Candidate, turns: Mapping[int, JournalTurn]) -> Candidate:
    """A candidate as far as the words are the person's own: else it is not sure, or only what they handed over."""
    first = next(iter(candidate.evidence), None)
    turn = turns.get(first.turn) if first else None
    if first is None or turn is None or origin_of(turn) != "user" or turn.turn.kind == "answer":
        return candidate
    if candidate.category not in COMPARED:
        return candidate
    text, speaker = turn.turn.text, whose(turn.turn.text, first.quote)
    if candidate.category not in BEHAVIOUR and (speaker == "other" or (speaker == "unsure" and _reports(text, first))):
        return as_context(candidate)
    return doubted(candidate) if speaker == "unsure" and candidate.category != "fact" else candidate


def _reports(text: str, said: Quote) -> bool:
    """Whether the smaller part of a quote is the person's own: "the docs say you should use v2"."""
    start = text.find(said.quote)
    own = own_words(text, start, start + len(said.quote))
    return 2 * len(content_words(own)) < len(content_words(said.quote))


def as_compared(candidate: Candidate, origin: Origin, at: str | None) -> Compared:
    """A candidate as it is compared with entries."""
    return Compared(
        id="",
        category=candidate.category,
        status=candidate.status,
        certainty=candidate.certainty,
        origin=origin,
        at=at,
        detail=candidate.detail,
        words=candidate.evidence[0].quote,
    )


def working_rule(candidate: Candidate) -> Candidate:
    """What a person asks for again and again, as a rule they may mean. Whether they do is for them to say."""
    quote, detail = candidate.evidence[0].quote, candidate.detail
    stance = structs.replace(detail.stance, wanted=squeeze(quote), reach="standing")
    return structs.replace(
        candidate,
        category="rule",
        summary=f"The user asks again and again: “{squeeze(quote)}”",
        evidence=candidate.evidence[:1],
        detail=Instructed(stance=stance, exchange=detail.exchange, weight=detail.weight, about=detail.about),
        certainty="hypothesis",
        tags=["human", "lesson"],
        cue="asked for often",
    )


def origin_of(turn: JournalTurn) -> Origin:
    """Whose words a turn holds: decided by code, from who said it, never by what is said."""
    if turn.source == HEARSAY:
        return "file"
    if turn.turn.role == "user":
        return "user" if turn.by_human else "agent"
    return "assistant" if turn.turn.role == "assistant" else "tool"


def _compare(
    candidate: Candidate, new: Compared, known: list[Compared], is_full: bool
) -> Admitted | Repeated | Refused:
    claims = claims_of(new)
    for older in known:
        # What was only handed over does not strengthen what was said, and hearsay is not what a person says now.
        alike = older.category == new.category and older.is_near and older.status in ("active", "done")
        if alike and relation(claims[0], claims_of(older)[0]) == "same":
            if older.origin in PEOPLE and new.origin not in PEOPLE:
                return Refused("an agent says what a person said")
            if new.is_sure == older.is_sure and (older.origin in PEOPLE or older.origin == new.origin):
                return Repeated(older.id)
            if older.is_sure and not new.is_sure:
                return Refused("known, and surely")
    if is_full:
        return Refused(f"more than {MOST_PER_SESSION} of this kind")
    return held_against(new, known)


def held_against(new: Compared, known: Iterable[Compared]) -> Admitted:
    """What something new takes the place of, and what it contradicts, with the reason. Of two words the one that was
    said later is the newer, in whatever order they are read."""
    held = Admitted(new.origin, [], {}, new.certainty, [], {})
    for other in known:
        if other.status == "active" and other.id != new.id:
            is_later = bool(new.at and other.at and other.at > new.at) and not _says_it_better(new, other)
            pair = (other, new._replace(is_near=other.is_near)) if is_later else (new, other)
            match _against(*pair):
                case "supersedes":
                    (held.superseded_by if is_later else held.supersedes).append(other.id)
                case str() as reason:
                    (held.contradicted_by if is_later else held.contradicts)[other.id] = reason
    return held


def _against(new: Compared, older: Compared) -> str | None:
    """`supersedes`, the reason why a person must decide, or None: they go together."""
    pair = {new.category, older.category}
    if older.category not in OPPONENTS.get(new.category, ()):
        return None
    if _says_the_same(new, older):
        return "supersedes" if _says_it_better(new, older) and older.is_near and pair == {new.category} else None
    said, before = claims_of(new)[0], claims_of(older)[0]
    # What is said of all cases takes the place of what was said of some; the other way round it may be an exception.
    found = relation(said, before if said.limits else before._replace(limits=frozenset()))
    by_people, both_sure = new.origin in PEOPLE and older.origin in PEOPLE, new.is_sure and older.is_sure
    if pair == {"decision"} and _same_question(new, older):
        found = "opposed"
    if found == "apart" or (found == "doubtful" and not (by_people and both_sure)):
        return None
    if (new.category, older.category) == ("decision", "rejected"):
        return "a decision for something the human had refused" if older.is_sure else None
    over_an_agent = new.origin == "user" and older.origin == "assistant"
    if found == "opposed" and both_sure and older.is_near and (new.origin == older.origin or over_an_agent):
        return "supersedes"
    return _why(found, new, older) if by_people or older.origin in PEOPLE else None


def _says_the_same(new: Compared, older: Compared) -> bool:
    old = claims_of(older)[0]
    return any(relation(one, old) == "same" for one in claims_of(new))


def _says_it_better(new: Compared, older: Compared) -> bool:
    """Whether a person said what was not sure, or was only an agent's word."""
    weaker = not older.is_sure or (older.origin not in PEOPLE and new.origin in PEOPLE)
    return weaker and new.is_sure and _says_the_same(new, older)


def _why(found: Relation, new: Compared, older: Compared) -> str:
    words = "they say the opposite" if found == "opposed" else "they may not go together"
    if not older.is_near:
        return f"{words}, one of them everywhere"
    if not (new.is_sure and older.is_sure):
        return f"{words}, and one of them may not be meant so"
    return words if new.origin == older.origin else f"{words}, and one was told, the other said"


def _same_question(new: Compared, older: Compared) -> bool:
    one, other = (getattr(found.detail, "question", "") for found in (new, older))
    return bool(one) and normal(one) == normal(other) and new.origin == older.origin
