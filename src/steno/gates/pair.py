"""How likely an action is what somebody refused: what the two have in common, weighed as it was learnt.

The weights are a file made by `make train-gate` from re-proposals and near misses; the figures stand in it. The agent
judges: what comes out here ranks, and decides whether a reminder is worth its tokens.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from steno.gates.against import Against
from steno.gates.asked import Asked, program_of
from steno.language.common import COMMON_WORDS, telling
from steno.vocabulary import Entry

WEIGHTS: Final = Path(__file__).parent / "pair.toml"
# As if there were so many more entries: in a small store rarity says little.
_PRIOR: Final = 500
# A word that stands everywhere may still be what was refused.
_LEAST_RARE: Final = 0.5
# Words of work itself say what is done with a thing, seldom which thing.
_COMMON: Final = 0.25
# A word that came in so many actions lately counts half.
_HABIT: Final = 10
# So much in common is enough.
_MUCH: Final = 4.0

# What is looked at in a pair, in the order of `features`.
FEATURES: Final = (
    "bias",
    "no_held",  # share of the no that the action holds
    "of_action",  # share of the action that the no makes up
    "both",  # the product of the two
    "rarest",  # the most telling word of the no that the action says or runs
    "said",  # how much of the no the action says or runs, not only touches or writes
    "own_held",  # how much of the rest of what was said
    "own_of_action",
    "around_held",  # how much of what was answered
    "around_of_action",
    "program",  # it runs the same program as the refused call
    "file",  # it is about the same file
    "lasting",
    "importance",
    "sure",
    "rejected",
    "rule",
    "decision",
    "length",
    "every_day",
)


class Tells(NamedTuple):
    """How telling words are, in a store and beside what is done there every day."""

    # In how many entries a word stands, and of how many.
    seen: Mapping[str, int]
    entries: int
    habits: Mapping[str, int] = Counter()

    def of(self, word: str) -> float:
        """From 0 to 1."""
        rarity = math.log((self.entries + _PRIOR) / (self.seen.get(word, 0) + 1)) / math.log(_PRIOR)
        known = min(1.0, max(rarity, _LEAST_RARE)) * (_COMMON if word in COMMON_WORDS else 1.0)
        return known * _HABIT / (_HABIT + self.habits.get(word, 0))

    def sum(self, words: Iterable[str]) -> float:
        """Of all words together."""
        return sum(map(self.of, words))


def likeness(entry: Entry, one: Against, action: Asked, tells: Tells) -> float:
    """How likely it is that an action is what an entry refuses, 0 to 1, as far as it can be told."""
    strength = sum(map(float.__mul__, _weights(), features(entry, one, action, tells)))
    return 1 / (1 + math.exp(-strength))


def features(entry: Entry, one: Against, action: Asked, tells: Tells) -> list[float]:
    """What an action and a refusal have in common, and what kind of a refusal it is."""
    brings, head, hit, add = action.brings, action.does | action.places | action.undoes, one.hit(action), tells.sum
    whole, of_action = add(one.no | one.kept), max(1.0, add(head))
    held = min(1.0, add(hit) / min(whole, _MUCH)) if whole >= _LEAST_RARE else 0.0
    no_of_action = add(head & hit) / of_action
    said = hit & (action.does | action.undoes)
    weight = entry.detail.weight
    return [
        1.0,
        held,
        no_of_action,
        held * no_of_action,
        max(map(tells.of, telling(said)), default=0.0),
        _share(add(said)),
        _share(add(brings & one.own)),
        add(head & one.own) / of_action,
        _share(add(brings & one.around)),
        add(head & one.around) / of_action,
        float(not {program_of(run) for run in one.runs}.isdisjoint(map(program_of, action.runs))),
        float(bool(one.file) and _name(one.file) in map(_name, action.files)),
        weight.lasting,
        weight.importance,
        float(entry.is_sure),
        float(entry.category == "rejected"),
        float(entry.category == "rule"),
        float(entry.category == "decision"),
        math.log1p(len(one.words())) / 5,
        float(action.every_day),
    ]


def _share(weight: float) -> float:
    return min(weight, _MUCH) / _MUCH


def _name(path: str) -> str:
    return path.rpartition("/")[2]


@cache
def least() -> float:
    """The likelihood from which an agent is reminded."""
    return _learnt()["levels"]["remind"]


@cache
def _weights() -> list[float]:
    return [_learnt()["weights"][name] for name in FEATURES]


@cache
def _learnt() -> dict[str, dict[str, float]]:
    return tomllib.loads(WEIGHTS.read_text("utf-8"))
