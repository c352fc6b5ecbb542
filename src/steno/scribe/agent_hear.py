"""Every cue an assistant's sentence is read for, looked for in one pass."""

from bisect import bisect_left
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from steno.scribe.agent_choices import DECISION
from steno.scribe.agent_cues import HEDGES, NARRATES, NEGATED, PERSONS, Cue
from steno.scribe.agent_findings import DISCOVERY
from steno.scribe.agent_lapses import ENVIRONMENT, EXCLUSION, LEARNING, PROMISES, REFUTES
from steno.scribe.agent_match import Watch
from steno.scribe.agent_progress import ACTED, DONE, MILESTONE, OPEN, PROVEN

NONE: Mapping[str, float] = MappingProxyType({})
CUES: list[Cue] = [*DISCOVERY, *DECISION, *EXCLUSION]
_SIGNS = [
    ("hedge", HEDGES.pattern),
    ("lesson", LEARNING.pattern),
    ("promise", PROMISES.pattern),
    ("surroundings", ENVIRONMENT.pattern),
    ("refutes", REFUTES.pattern),
    ("open", OPEN),
    ("done", DONE),
    ("milestone", MILESTONE),
    ("acted", ACTED),
    ("proven", PROVEN),
    ("negated", NEGATED.pattern),
    ("persons", PERSONS.pattern),
    ("narrates", f"^{NARRATES.pattern}"),
]
_WATCH = Watch([*((cue.name, cue.pattern) for cue in CUES), *_SIGNS])


class Heard(NamedTuple):
    """What was found in a sentence: cues of each sort with their weights, none without a key cue; and signs by name."""

    found: Mapping[str, float] = NONE
    decides: Mapping[str, float] = NONE
    failed: Mapping[str, float] = NONE
    signs: frozenset[str] = frozenset()


_NOTHING = Heard()
_NAMES = [""] * len(CUES) + [name for name, _ in _SIGNS]
_TO_DECIDE, _TO_FAIL = len(DISCOVERY), len(DISCOVERY) + len(DECISION)


def hear(low: str) -> Heard:
    """All cues of a sentence in lower case."""
    numbers = _WATCH.numbers(low)
    if not numbers:
        return _NOTHING
    decides, fails = bisect_left(numbers, _TO_DECIDE), bisect_left(numbers, _TO_FAIL)
    signs = bisect_left(numbers, len(CUES), fails)
    return Heard(
        {CUES[number].name: CUES[number].weight for number in numbers[:decides]} if decides else NONE,
        _keyed(numbers[decides:fails]) if decides < fails else NONE,
        _keyed(numbers[fails:signs]) if fails < signs else NONE,
        frozenset([_NAMES[number] for number in numbers[signs:]]),
    )


def _keyed(numbers: list[int]) -> Mapping[str, float]:
    cues = [CUES[number] for number in numbers]
    return {cue.name: cue.weight for cue in cues} if any(cue.key for cue in cues) else NONE
