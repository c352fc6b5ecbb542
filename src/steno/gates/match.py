"""Whether an action proposes again what was refused, and what else is known about its subject.

Two texts are compared by their telling words, not by all of them: a name counts more than a verb everybody uses, and a
word that stands in many entries of the store counts less. The direction counts, too (see `words.py`).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from steno.gates.asked import Asked
from steno.gates.common import COMMON_WORDS, telling
from steno.gates.refused import Refused, Side, refused, wanted_words
from steno.gates.words import words_of
from steno.vocabulary import Entry

# As if there were so many more entries: in a small store rarity says little.
_PRIOR: Final = 500
# A word that stands everywhere may still be what was refused.
_LEAST_RARE: Final = 0.5
# Words of work itself say what is done with a thing, seldom which thing.
_COMMON: Final = 0.3
# So many words of a refusal are enough to be found again.
_OF_CORE, _OF_THING = 3, 4
# Of a long one, this share: in a long text some words are always there.
_OF_MANY: Final = 0.6
# What is written into a file says less than what is said about it.
_WRITTEN: Final = 0.7
# An action that only looks, or puts things back.
_HARMLESS: Final = 0.25
# Doing what was wanted instead speaks against, leaving it out speaks for it.
_MEANT, _LEFT = 1.5, 0.5
# A no that was asked or only meant.
_SOFT: Final = 0.5
# Nearness in meaning supports words that were found. Alone it does not tell a refused idea from a fine one about the
# same subject: on the labelled cases the fine actions were the nearer ones (medians 0.42 and 0.35).
_NEAR, _FAR = 0.3, 0.3
# A part of a longer name.
_PART: Final = 0.4
# A word of the no that the proposal did not hold: "not pulling in lodash" is about lodash.
_ASIDE: Final = 0.3
# The words of a no weigh so much at least, or they tell nothing; and so much must be there again to be sure.
_LEAST_MASS, _ENOUGH = 0.45, 0.8
_THING_ALONE, _WHOLE = 0.85, 2.0

# So many refusals are weighed for one action; each takes 15 µs.
_MOST_LIKELY: Final = 64

Scope = Callable[[Entry], bool]


class Match(NamedTuple):
    """An entry an action touches."""

    entry: Entry
    # 0 to 1.
    strength: float
    # Said plainly, and under no condition.
    firm: bool = True


class Index:
    """Entries laid out by their words. Built once, asked for every action."""

    def __init__(self, entries: Sequence[Entry], answered: Mapping[str, str]) -> None:
        self.entries = entries
        self._bags = [words_of(f"{entry.summary} {' '.join(entry.subject)}") for entry in entries]
        self._seen = Counter(word for bag in self._bags for word in bag)
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, bag in enumerate(self._bags):
            for word in bag:
                self._places[word].append(place)
        self._refused: dict[int, _Weighed] = {}
        self._against: dict[str, list[int]] = defaultdict(list)
        self._weights = {word: self._telling(word) for word in self._seen}
        wanted = _wanted_by_turn(entries)
        for place, entry in enumerate(entries):
            breath = wanted.get(_turn(entry), frozenset())
            if (found := refused(entry, answered.get(entry.id, ""), breath)) is not None:
                self._refused[place] = self._weighed(found)
                for word in found.does.words() | found.undoes.words():
                    self._against[word].append(place)

        # Entries that refuse something which could be matched.
        self.refusing = frozenset(entries[place].id for place in self._refused)

    def weight(self, word: str) -> float:
        """How telling a word is, 0 to 1."""
        known = self._weights.get(word)
        return self._telling(word) if known is None else known

    def _telling(self, word: str) -> float:
        rarity = math.log((len(self.entries) + _PRIOR) / (self._seen[word] + 1)) / math.log(_PRIOR)
        return min(1.0, max(rarity, _LEAST_RARE)) * (_COMMON if word in COMMON_WORDS else 1.0)

    def refusals(self, action: Asked, scope: Scope, near: Mapping[str, float]) -> list[Match]:
        """What was refused and is proposed again, the strongest first. `near`: nearness in meaning, by entry."""
        said = dict.fromkeys(action.places, _WRITTEN) | dict.fromkeys(action.does, 1.0)
        there = _There(
            said,
            dict.fromkeys(action.writes, _WRITTEN) | said,
            dict.fromkeys(action.undoes, 1.0),
            _HARMLESS if action.harmless else 1.0,
        )
        found = []
        for place in self._likely(there, scope):
            entry, against = self.entries[place], self._refused[place]
            if (strength := self._strength(there, against, near.get(entry.id, 0.0))) > 0:
                firm = against.refused.firm and not against.refused.conditional
                found.append(Match(entry, strength, firm))
        return sorted(found, key=lambda match: (-match.strength, match.entry.id))

    def _likely(self, there: "_There", scope: Scope) -> list[int]:
        """Refusals in scope that share the most with an action, for what they hold: in a large store not all."""
        sums: dict[int, float] = defaultdict(float)
        for word in telling(frozenset(there.done) | frozenset(there.undone)):
            weight = self.weight(word)
            for place in self._against.get(word, ()):
                sums[place] += weight
        held = [place for place in sums if scope(self.entries[place])]
        if len(held) <= _MOST_LIKELY:
            return held
        return nlargest(_MOST_LIKELY, held, key=lambda place: sums[place] / self._refused[place].size)

    def touching(self, action: Asked, least: float) -> list[Match]:
        """Entries about the same subject, the nearest first, from a strength on."""
        words = telling(action.does | action.undoes)
        total = sum(sorted(map(self.weight, words), reverse=True)[:_OF_THING]) or 1.0
        sums: dict[int, float] = defaultdict(float)
        for word in words:
            weight = self.weight(word)
            for place in self._places.get(word, ()):
                sums[place] += weight
        enough = least * total
        found = [Match(self.entries[place], min(1.0, sum_ / total)) for place, sum_ in sums.items() if sum_ >= enough]
        return sorted(found, key=lambda match: (-match.strength, match.entry.id))

    def _strength(self, there: "_There", against: "_Weighed", near: float) -> float:
        placed, wanted = against.refused.placed, against.refused.wanted
        strength = max(
            _found(against.does, there.said, there.done, placed=placed),
            _found(against.undoes, there.undone, there.undone, placed=placed),
        )
        if not strength:
            return 0.0
        meant = sum(self.weight(word) for word in wanted if word in there.done)
        left = sum(self.weight(word) for word in wanted if word in there.undone)
        strength *= (1 + _LEFT * min(1.0, left)) / (1 + _MEANT * meant)
        share = there.share * (1.0 if against.refused.firm else _SOFT)
        return min(1.0, strength + _NEAR * max(0.0, near - _FAR)) * share

    def _weighed(self, found: Refused) -> "_Weighed":
        """The words of a refusal with their weights, so that an action has little to compute."""

        def words(chosen: frozenset[str], most: int) -> _Words:
            weights = {
                word: self.weight(word) * (_PART if word in found.parts else _ASIDE if word in found.aside else 1.0)
                for word in chosen
            }
            mass = sum(sorted(weights.values(), reverse=True)[: max(most, math.ceil(len(weights) * _OF_MANY))])
            return _Words(weights, mass if mass >= _LEAST_MASS else 0.0)

        def side(chosen: Side) -> _Sided:
            thing = chosen.thing.difference(*chosen.cores)
            return _Sided([words(core, _OF_CORE) for core in chosen.cores], words(thing, _OF_THING))

        does, undoes = side(found.does), side(found.undoes)
        masses = [words.mass for one in (does, undoes) for words in (*one.cores, one.thing) if words.mass]
        return _Weighed(found, does, undoes, 1 + min(masses, default=1.0))


class _There(NamedTuple):
    """What an action holds, each word with how much it counts, and how much the whole does."""

    # Without and with what is written into a file: that is looked through for what a no names, not for its subject.
    said: dict[str, float]
    done: dict[str, float]
    undone: dict[str, float]
    share: float


class _Words(NamedTuple):
    weights: dict[str, float]
    # Of the most telling ones. 0: there is nothing telling to be found.
    mass: float


class _Sided(NamedTuple):
    cores: list[_Words]
    thing: _Words


class _Weighed(NamedTuple):
    refused: Refused
    does: _Sided
    undoes: _Sided
    # About how much must be there again.
    size: float


def _found(side: _Sided, said: Mapping[str, float], there: Mapping[str, float], *, placed: bool) -> float:
    """How much of what was refused is there again, 0 to 1."""
    if not there or not (side.cores or side.thing.weights):
        return 0.0
    thing_hit = _hit(side.thing, said)
    in_thing = min(1.0, thing_hit / side.thing.mass) if side.thing.mass else 0.0
    cores = [core for core in side.cores if core.mass]
    if not cores:
        return in_thing * _THING_ALONE * min(1.0, thing_hit / _ENOUGH)
    # The whole proposal once more, without the words of the no.
    again = in_thing * (_THING_ALONE if thing_hit >= _WHOLE and not placed else 0.0)
    return max(again, *(_found_core(core, side.thing, in_thing, there, placed=placed) for core in cores))


def _found_core(core: _Words, thing: _Words, in_thing: float, there: Mapping[str, float], *, placed: bool) -> float:
    hit = _hit(core, there)
    in_core = min(1.0, hit / core.mass)
    enough = min(1.0, (hit + in_thing * thing.mass) / _ENOUGH)
    if placed and thing.mass:
        return math.sqrt(in_core * in_thing) * enough
    return in_core * (0.75 + 0.25 * (in_thing if thing.mass else 1.0)) * enough


def _hit(words: _Words, there: Mapping[str, float]) -> float:
    return sum(weight * there[word] for word, weight in words.weights.items() if word in there)


def _turn(entry: Entry) -> int:
    return entry.evidence[0].turn if entry.evidence else 0


def _wanted_by_turn(entries: Iterable[Entry]) -> dict[int, frozenset[str]]:
    """What a person asked for in each turn."""
    wanted: dict[int, frozenset[str]] = {}
    for entry in entries:
        if words := wanted_words(entry):
            wanted[_turn(entry)] = wanted.get(_turn(entry), frozenset()) | words
    return wanted
