"""From an entry to a rule: which entries become one, at which score, when, and until when they hold."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import structs

from steno.language.common import telling
from steno.language.same_word import words_of as stems_of
from steno.language.sentence import unlisted
from steno.language.words import squeeze
from steno.rules.propose import propose
from steno.rules.score import ACTIVE, BOOT, CRITICAL, STEP, midnight, next_midnight, scored
from steno.rules.stance import lasts, own_words
from steno.vocabulary import AT_WORK, PEOPLE, Category, Entry, Rule
from steno.vocabulary.details import Instructed

# What people and outcomes told us: when, what was done, to which entry, and the words as JSON.
Record = tuple[str, str, str, str]

# Entries of these may become rules.
CATEGORIES: Final[tuple[Category, ...]] = ("rule", "rejected", "learning")
INSTRUCTION: Final = CRITICAL + STEP
PREFERENCE: Final = BOOT
# What was said for one piece of work is found while that goes on, and fades within days of nobody speaking of it.
FOR_NOW: Final = ACTIVE


def enters_at(entry: Entry) -> float | None:
    """The score an entry becomes a rule at. None: it does not become one."""
    if entry.status == "forgotten":
        return None
    match entry.category:
        case "rule" | "rejected" if entry.origin in PEOPLE:
            score = _of_a_person(entry)
        # A guess is no lesson yet.
        case "learning" if entry.origin in AT_WORK and entry.certainty != "hypothesis":
            score = ACTIVE
        case _:
            return None
    return score + STEP * entry.repeated


def _of_a_person(entry: Entry) -> float:
    """What a person refused is critical while it is in force; of what they instruct, what is meant to last."""
    if entry.category == "rejected":
        return CRITICAL
    if isinstance(entry.detail, Instructed) and entry.detail.preference:
        return PREFERENCE
    return INSTRUCTION if lasts(entry) else FOR_NOW


def born(entry: Entry, now: str) -> Rule | None:
    """The rule an entry becomes, as it is on its first day. A lesson is promoted the night after it was learnt."""
    score = enters_at(entry)
    if score is None:
        return None
    # Entries without a time do not age: nobody knows since when. Those from the future are known now.
    at = min(entry.created_at or midnight(now), now)
    at = next_midnight(at) if entry.category == "learning" and entry.created_at else at
    matcher = propose(entry) if entry.origin in PEOPLE else None
    rule = Rule(
        id=entry.id,
        rule=words_of(entry),
        domain=entry.domain,
        agent=_agent_of(entry),
        project=entry.project,
        source=entry.category,
        origin=entry.origin,
        score=score,
        status="active",
        violations=0,
        reinforcements=entry.repeated,
        born_at=at,
        reinforced_at=at,
        checked_at=at,
        matcher=matcher,
        mode="warn" if matcher else None,
    )
    return scored(rule, score)


def _agent_of(entry: Entry) -> str | None:
    """Whose rule it is: what was said in a project holds for whoever works there, whichever agent heard it."""
    return None if entry.project and entry.evidence else entry.agent


def words_of(entry: Entry) -> str:
    """What a rule says: the person's words, whole. Of a refusal that names nothing itself, also what it answered."""
    if entry.category == "learning" or entry.origin == "edit":
        said = entry.summary
    else:
        said = squeeze(unlisted(own_words(entry)))
    if entry.category != "rejected":
        return said
    exchange = entry.detail.exchange
    answered = f"{exchange.call.tool} {exchange.call.given}" if exchange.call is not None else exchange.answered
    points = entry.origin != "edit" and answered and not telling(stems_of(said))
    return f"refused: {said} (to: {squeeze(answered)})" if points else f"refused: {said}"


def holds(entry: Entry) -> bool:
    """Whether an entry still carries its rule."""
    return entry.status == "active" and entry.certainty != "refuted"


def ends_of(entries: Mapping[str, Entry], records: Iterable[Record]) -> dict[str, str]:
    """When entries that hold no more ended, as far as a person ended them: by an act, or by saying something else."""
    ends = {}
    for id_, entry in entries.items():
        by = entries.get(entry.superseded_by or "")
        if by is not None and by.origin in PEOPLE and by.created_at:
            ends[id_] = by.created_at
    for at, act, id_, value in records:
        match act:
            case "archive" | "revise":
                ends[id_] = at
            case "review":
                told: dict[str, Any] = msgspec.json.decode(value)
                over = told.get("other", "") if told.get("keep") == "one" else id_
                ends |= dict.fromkeys([over, *told.get("also", ())], at)
    return {id_: at for id_, at in ends.items() if id_ in entries and not holds(entries[id_])}


def as_of(entries: Iterable[Entry], records: Iterable[Record], at: str) -> tuple[list[Entry], list[Record]]:
    """Entries and records as they were at a time; a corrected entry has today's words."""
    records = list(records)
    ends = ends_of({entry.id: entry for entry in entries}, records)
    known = [
        structs.replace(
            entry,
            status="active" if ends.get(entry.id, "") > at else entry.status,
            repeated_at=entry.repeated_at if (entry.repeated_at or "") <= at else None,
        )
        for entry in entries
        if (entry.created_at or "") <= at
    ]
    return known, [record for record in records if record[0] <= at]
