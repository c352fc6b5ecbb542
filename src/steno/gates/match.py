"""Whether an action proposes again what was refused, and what else is known about its subject.

Two texts are compared by their telling words, not by all of them: a name counts more than a plain word, a plain word
more than one of work itself, and a word that stands in many entries of the store less. The direction counts, too (see
`direction.py`).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from steno.gates.asked import Asked
from steno.gates.common import COMMON_WORDS, telling
from steno.gates.families import KIND, kin
from steno.gates.refused import Refused, Side, refused, wanted_words
from steno.gates.weigh import Against, Stood, There, Way, strength
from steno.gates.words import words_of
from steno.vocabulary import Entry

# As if there were so many more entries: in a small store rarity says little.
_PRIOR: Final = 500
# A word that stands everywhere may still be what was refused.
_LEAST_RARE: Final = 0.5
# A name is worth 1. Words of work itself say what is done with a thing, seldom which thing.
_PLAIN, _COMMON = 0.75, 0.2
# A part of a longer name.
_PART: Final = 0.4
# What is written into a file, and where it is, say less than what is said about it.
_WRITTEN: Final = 0.7
# "tailwind" in "tailwindcss": a word of so many letters that another one begins with.
_BEGINS, _LETTERS = 0.8, 5
# Nearness in meaning supports words that were found. Alone it does not tell a refused idea from a fine one about the
# same subject: on the labelled cases the fine actions were the nearer ones (medians 0.42 and 0.35).
_NEAR, _FAR = 0.15, 0.3
# So many words about a subject are enough to be found again.
_OF_SUBJECT: Final = 4
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
        bags = [words_of(f"{entry.summary} {' '.join(entry.subject)}") for entry in entries]
        self._seen = Counter(word for bag in bags for word in bag)
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, bag in enumerate(bags):
            for word in bag:
                self._places[word].append(place)
        self._weights = {word: self._telling(word) for word in self._seen}
        self._refused: dict[int, _Kept] = {}
        self._against: dict[str, list[int]] = defaultdict(list)
        wanted = _wanted_by_turn(entries)
        said_no = {_turn(entry) for entry in entries if entry.category in ("rejected", "rule")}
        for place, entry in enumerate(entries):
            # A decision said in one breath with a refusal is no second one.
            if entry.category == "decision" and _turn(entry) in said_no:
                continue
            breath = wanted.get(_turn(entry), frozenset())
            if (found := refused(entry, answered.get(entry.id, ""), breath)) is not None:
                self._keep(place, found)
        self._longer = _by_beginning(self._against)
        # Entries that refuse something which could be matched.
        self.refusing = frozenset(entries[place].id for place in self._refused)

    def _keep(self, place: int, found: Refused) -> None:
        words = found.does.words() | found.undoes.words()
        firm = found.firm and not found.conditional
        self._refused[place] = _Kept(self._against_of(found), 1 + sum(map(self.weight, words)), firm)
        for word in words:
            self._against[word].append(place)

    def weight(self, word: str) -> float:
        """How telling a word is that is no name, 0 to 1."""
        known = self._weights.get(word)
        return self._telling(word) if known is None else known

    def _telling(self, word: str) -> float:
        return self._rarity(word) * (_COMMON if word in COMMON_WORDS else _PLAIN)

    def _rarity(self, word: str) -> float:
        rarity = math.log((len(self.entries) + _PRIOR) / (self._seen[word] + 1)) / math.log(_PRIOR)
        return min(1.0, max(rarity, _LEAST_RARE))

    def _against_of(self, found: Refused) -> Against:
        """The words of a refusal with their weights, so that an action has little to compute."""

        def weighed(words: Iterable[str]) -> dict[str, float]:
            return {
                word: (self._rarity(word) if word in found.names else self.weight(word))
                * (_PART if word in found.parts else 1.0)
                for word in words
            }

        def stood(side: Side) -> Stood:
            return Stood(tuple(map(weighed, side.cores)), weighed(side.thing), found.names & side.words())

        return Against(
            stood(found.does), stood(found.undoes), weighed(found.around), weighed(found.wanted),
            found.placed, found.firm,
        )  # fmt: skip

    def refusals(self, action: Asked, scope: Scope, near: Mapping[str, float]) -> list[Match]:
        """What was refused and is proposed again, the strongest first. `near`: nearness in meaning, by entry."""
        there = self._there(action)
        found = []
        for place in self._likely(there, scope):
            entry, kept = self.entries[place], self._refused[place]
            if (by_words := strength(there, kept.against)) > 0:
                by_meaning = _NEAR * max(0.0, near.get(entry.id, 0.0) - _FAR)
                found.append(Match(entry, min(1.0, by_words + by_meaning), kept.firm))
        return sorted(found, key=lambda match: (-match.strength, match.entry.id))

    def _there(self, action: Asked) -> There:
        said = dict.fromkeys(action.places, _WRITTEN) | dict.fromkeys(action.does, 1.0)
        done = dict.fromkeys(action.writes, _WRITTEN) | said
        undone = self._by_other_names(dict.fromkeys(action.undoes, 1.0))
        return There(
            Way(self._by_other_names(said), self._by_other_names(done), {word: self.weight(word) for word in said}),
            Way(undone, undone, {word: self.weight(word) for word in action.undoes}),
            action.harmless,
            action.tends,
        )

    def _by_other_names(self, words: Mapping[str, float]) -> dict[str, float]:
        """Words of an action, and refused words that they are kinds of, begin with or are the beginning of."""
        found = dict(words)
        for word, counts in words.items():
            for other, share in self._others(word):
                found[other] = max(found.get(other, 0.0), counts * share)
        return found

    def _others(self, word: str) -> Iterable[tuple[str, float]]:
        yield from ((other, KIND) for other in kin(word) if other in self._against)
        beginnings = (word[:length] for length in range(_LETTERS, len(word)))
        yield from ((other, _BEGINS) for other in beginnings if other in self._against)
        yield from ((other, _BEGINS) for other in self._longer.get(word, ()))

    def _likely(self, there: There, scope: Scope) -> list[int]:
        """Refusals in scope that share the most with an action, for what they hold: in a large store not all."""
        sums: dict[int, float] = defaultdict(float)
        for word in telling(frozenset(there.does.done) | frozenset(there.undoes.done)):
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
        total = sum(sorted(map(self.weight, words), reverse=True)[:_OF_SUBJECT]) or 1.0
        sums: dict[int, float] = defaultdict(float)
        for word in words:
            weight = self.weight(word)
            for place in self._places.get(word, ()):
                sums[place] += weight
        enough = least * total
        found = [Match(self.entries[place], min(1.0, sum_ / total)) for place, sum_ in sums.items() if sum_ >= enough]
        return sorted(found, key=lambda match: (-match.strength, match.entry.id))


class _Kept(NamedTuple):
    against: Against
    # About how much must be there again.
    size: float
    firm: bool


def _by_beginning(words: Iterable[str]) -> dict[str, list[str]]:
    """Words by each of their beginnings that is long enough."""
    longer: dict[str, list[str]] = defaultdict(list)
    for word in words:
        for length in range(_LETTERS, len(word)):
            longer[word[:length]].append(word)
    return dict(longer)


def _turn(entry: Entry) -> int:
    return entry.evidence[0].turn if entry.evidence else 0


def _wanted_by_turn(entries: Iterable[Entry]) -> dict[int, frozenset[str]]:
    """What a person asked for in each turn."""
    wanted: dict[int, frozenset[str]] = {}
    for entry in entries:
        if words := wanted_words(entry):
            wanted[_turn(entry)] = wanted.get(_turn(entry), frozenset()) | words
    return wanted
