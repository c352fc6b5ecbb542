"""How likely an action is what somebody refused: what the two have in common, weighed as it was learnt.

The weights are a file made by `make train-gate` from re-proposals and near misses; the figures stand in it. The agent
judges: what comes out here ranks, and decides whether a reminder is worth its tokens.
"""

import math
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from operator import mul
from pathlib import Path
from typing import Final, NamedTuple

from steno.gates.against import Against
from steno.gates.asked import Asked
from steno.language.common import COMMON_WORDS
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
    "of_action",  # share of the action that the words make up, with what they answered
    "no_held",  # share of the no that the action holds
    "importance",
    "every_day",
)


class Rarity(NamedTuple):
    """How telling words are by the entries they stand in, 0 to 1. Made once for a store."""

    by_word: Mapping[str, float]
    unseen: float

    def of(self, word: str) -> float:
        """One word's."""
        return self.by_word.get(word, self.unseen if word not in COMMON_WORDS else self.unseen * _COMMON)


def rarity(seen: Mapping[str, int], entries: int) -> Rarity:
    """From in how many of so many entries each word stands."""

    def rare(times: int) -> float:
        return min(1.0, max(math.log((entries + _PRIOR) / (times + 1)) / math.log(_PRIOR), _LEAST_RARE))

    weighed = {word: rare(times) * (_COMMON if word in COMMON_WORDS else 1.0) for word, times in seen.items()}
    return Rarity(weighed, rare(0))


class Tells(dict[str, float]):
    """How telling words are, 0 to 1, beside what is done here every day. Each is weighed once for an action."""

    def __init__(self, rarity: Rarity, habits: Mapping[str, int]) -> None:
        super().__init__()
        self._rarity, self._habits = rarity, habits

    def __missing__(self, word: str) -> float:
        self[word] = weight = self._rarity.of(word) * _HABIT / (_HABIT + self._habits.get(word, 0))
        return weight

    def sum(self, words: Iterable[str]) -> float:
        """Of all words together."""
        return sum(map(self.__getitem__, words))


class Weighed(NamedTuple):
    """An action, and what every pair with it needs of it."""

    action: Asked
    tells: Tells
    # What it says, runs and touches, not what it writes; and how much that is.
    head: frozenset[str]
    much: float


def weighed(action: Asked, tells: Tells) -> Weighed:
    """An action ready to be compared."""
    head = action.does | action.places | action.undoes
    return Weighed(action, tells, head, max(1.0, tells.sum(head)))


def likeness(entry: Entry, one: Against, with_: Weighed) -> float:
    """How likely it is that an action is what an entry refuses, 0 to 1, as far as it can be told."""
    strength = sum(map(mul, _weights(), features(entry, one, with_)))
    return 1 / (1 + math.exp(-strength))


def features(entry: Entry, one: Against, with_: Weighed) -> list[float]:
    """What an action and a refusal have in common, and how much the refusal matters."""
    action, tells, head, much = with_
    whole = tells.sum(one.no | one.kept)
    held = min(1.0, tells.sum(one.hit(action)) / min(whole, _MUCH)) if whole >= _LEAST_RARE else 0.0
    of_action = tells.sum(head & one.words) / much
    return [1.0, of_action, held, entry.detail.weight.importance, float(action.every_day)]


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
