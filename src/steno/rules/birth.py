"""From an entry to a rule: which entries become one, at which score, when, and until when they hold."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import structs

from steno.rules.propose import propose
from steno.rules.score import ACTIVE, BOOT, CRITICAL, STEP, midnight, next_midnight, scored
from steno.terms import content_words
from steno.vocabulary import PEOPLE, Category, Entry, Rule

# What people and outcomes told us: when, what was done, to which entry, and the words as JSON.
Record = tuple[str, str, str, str]

# Entries of these may become rules.
CATEGORIES: Final[tuple[Category, ...]] = ("rule", "rejected", "learning")
INSTRUCTION: Final = CRITICAL + STEP
# How sure the scribe is of an instruction, and of a no that was said outright. On 68 refusals of real sessions, those
# below were doubts, corrections and words after an interruption ("wow", "can you revert that?").
_SURE: Final = 0.6
_OUTRIGHT: Final = 0.8
PREFERENCE: Final = BOOT
# A no with fewer telling words ("stop", "no, not that") is about what it was said to, then and there.
_TELLING: Final = 2
_PREFERS: Final = "The user prefers"
# The scribe's sentence around nothing but the words themselves.
_ONLY_WORDS: Final = re.compile(r"The user (?:instructs|prefers)(?: \([^“”]*\))?: “(.+)”", re.DOTALL)
_REFUSING: Final = re.compile(r"^The user (?:rejects|refuses the call and says|stops the agent and says)\b:? ?")
# Words that hold for a moment or one piece of work, and words that reach beyond it.
_PASSING: Final = re.compile(
    r"\b(?:yet|right now|for now|for the moment|not now|just now|today|this time"
    r"|erst(?: mal)?|jetzt|heute|noch)\b|\?\s*$",
    re.IGNORECASE,
)
_STANDING: Final = re.compile(
    r"\b(?:don'?t|do not|only|must|no \w+|not \w+|without|before (?:you|each|every|any)|after (?:each|every|any)|each"
    r"|when(?:ever)?|prefer\w*|should|need to|keep|ask me|avoid|stick to|kein\w*|nicht|nur|muss|bitte nie)\b",
    re.IGNORECASE,
)
_LASTING: Final = re.compile(
    r"\b(?:never|always|ever again|any ?more|from now on|no longer|every time|nie(?:mals)?|immer|ab jetzt)\b",
    re.IGNORECASE,
)
# Where a refusal ends with the work it was said about. "Here" and "in this file" are places, and stay.
_ONE_PIECE: Final = re.compile(
    r"(?:this|that|the current) (?:pr|branch|commit|change|ticket|release|sprint|issue|session)\b|\bfor now\b",
    re.IGNORECASE,
)


def enters_at(entry: Entry) -> float | None:
    """The score an entry becomes a rule at. None: it does not become one."""
    by_person = entry.origin in PEOPLE
    if not entry.is_sure:
        return None
    match entry.category:
        case "rule" if by_person:
            score = PREFERENCE if _is_preference(entry) or entry.confidence < _SURE else INSTRUCTION
        case "rejected" if by_person:
            score = CRITICAL
        # A guess is no lesson yet.
        case "learning" if (by_person or entry.origin == "assistant") and entry.certainty != "hypothesis":
            score = ACTIVE
        case _:
            return None
    return None if entry.status == "forgotten" else score + STEP * entry.repeated


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
    """What a rule says: the instruction itself, or the entry's sentence where that says more."""
    if entry.category == "rejected":
        return _REFUSING.sub("refused: ", entry.summary, count=1)
    found = _ONLY_WORDS.fullmatch(entry.summary) if entry.category == "rule" else None
    return found[1] if found else entry.summary


def is_for_one_piece_of_work(entry: Entry) -> bool:
    """Whether a refusal was meant for the work at hand: it says so, stopped one act, or was a doubt more than a no."""
    if entry.category not in ("rejected", "rule") or entry.origin == "edit":
        return False
    quote = entry.evidence[0].quote if entry.evidence else entry.summary
    if _LASTING.search(quote):
        return False
    if _PASSING.search(quote) or (entry.category == "rule" and not _STANDING.search(quote)):
        return True
    if entry.category == "rule":
        return False
    says_so = _ONE_PIECE.search(str(entry.detail.get("scope", "")))
    few = len(content_words(quote)) < _TELLING
    return bool(says_so or few or entry.detail.get("stopped") or entry.confidence < _OUTRIGHT)


def holds(entry: Entry) -> bool:
    """Whether an entry still carries its rule."""
    return entry.status == "active" and entry.certainty != "refuted"


def ends_of(entries: Mapping[str, Entry], records: Iterable[Record]) -> dict[str, str]:
    """When entries that hold no more ended, as far as it is known: a person said so, or another took the place."""
    ends = {}
    for id_, entry in entries.items():
        by = entries.get(entry.superseded_by or "")
        if by is not None and by.created_at:
            ends[id_] = by.created_at
    for at, act, id_, value in records:
        match act:
            case "archive" | "revise":
                ends[id_] = at
            case "review":
                told: dict[str, Any] = msgspec.json.decode(value)
                ends[told.get("other", "") if told.get("keep") == "one" else id_] = at
    return {id_: at for id_, at in ends.items() if id_ in entries and not holds(entries[id_])}


def as_of(entries: Iterable[Entry], records: Iterable[Record], at: str) -> tuple[list[Entry], list[Record]]:
    """Entries and records as they were at a time; a corrected entry has today's words."""
    records = list(records)
    ends = ends_of({entry.id: entry for entry in entries}, records)
    known = [
        structs.replace(entry, status="active") if ends.get(entry.id, "") > at else entry
        for entry in entries
        if (entry.created_at or "") <= at
    ]
    return known, [record for record in records if record[0] <= at]


def _is_preference(entry: Entry) -> bool:
    return entry.cue == "a preference" or entry.summary.startswith(_PREFERS)
