"""What an action goes against, and what else is known about its subject.

It is sure only where the same thing comes again: the refused call, everything the refusal says, or a name the person
wrote. Words in common alone are a reason to remind, never to ask: on labelled cases they did not tell a refused idea
from a fine one about the same subject.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from steno.gates.against import Against, against
from steno.gates.asked import Asked
from steno.language.common import COMMON_WORDS, telling
from steno.language.kinds import KIND, kin
from steno.language.same_word import words_of
from steno.vocabulary import Entry

# As if there were so many more entries: in a small store rarity says little.
_PRIOR: Final = 500
# A word that stands everywhere may still be what was refused.
_LEAST_RARE: Final = 0.5
# Words of work itself say what is done with a thing, seldom which thing.
_COMMON: Final = 0.25
# "tailwind" in "tailwindcss": a word of so many letters that another one begins with.
_BEGINS, _LETTERS = 0.8, 5
# What is written into a file says less than what is said about it.
_WRITTEN: Final = 0.7
# A name counts as much as so many plain words.
_NAME: Final = 2.0
# So much of a long refusal is enough, and this much of it must be there at all.
_ENOUGH, _CHANCE = 4.0, 0.5
# So many words tell of a call; so many about a subject are enough to be found again.
_OF_CALL, _OF_SUBJECT = 2, 4
# So many refusals are weighed for one action.
_MOST_LIKELY: Final = 64

Scope = Callable[[Entry], bool]
Weights = Mapping[str, float]


class Match(NamedTuple):
    """An entry an action touches."""

    entry: Entry
    # How much of it is there again, 0 to 1.
    strength: float
    # It is the same, and was refused for good.
    sure: bool = False


class Index:
    """Entries laid out by their words. Built once, asked for every action."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        bags = [words_of(f"{entry.summary} {' '.join(entry.subject)}") for entry in entries]
        self._seen = Counter(word for bag in bags for word in bag)
        self._places = _by_word(bags)
        self._weights = {word: self._telling(word) for word in self._seen}
        found = ((place, against(entry)) for place, entry in enumerate(entries))
        self._against = {place: one for place, one in found if one is not None}
        self._refusing = _by_word({place: one.words() for place, one in self._against.items()})
        self._longer = _by_beginning(self._refusing)

    def weight(self, word: str) -> float:
        """How telling a word is, 0 to 1."""
        known = self._weights.get(word)
        return self._telling(word) if known is None else known

    def _telling(self, word: str) -> float:
        rarity = math.log((len(self.entries) + _PRIOR) / (self._seen[word] + 1)) / math.log(_PRIOR)
        return min(1.0, max(rarity, _LEAST_RARE)) * (_COMMON if word in COMMON_WORDS else 1.0)

    def refusals(self, action: Asked, scope: Scope) -> list[Match]:
        """What was refused and comes again, the strongest first. Looking at it and putting it back is neither."""
        if action.harmless:
            return []
        done = dict.fromkeys(action.writes, _WRITTEN) | dict.fromkeys(action.places | action.does, 1.0)
        does, undoes = self._by_other_names(done), self._by_other_names(dict.fromkeys(action.undoes, 1.0))
        found = []
        for place in self._likely(does.keys() | undoes.keys(), scope):
            one = self._against[place]
            strength = max(
                (share for way in one.ways
                 for share in (self._share(one, way.does, does), self._share(one, way.undoes, undoes))), default=0.0,
            )  # fmt: skip
            sure = one.binds and (_is_same_call(one, action) or _says_the_same(one, action))
            if strength or sure:
                found.append(Match(self.entries[place], 1.0 if sure else strength, sure))
        return sorted(found, key=lambda match: (not match.sure, -match.strength, match.entry.id))

    def _share(self, one: Against, refused: frozenset[str], there: Weights) -> float:
        """How much of what was refused an action holds."""
        weights = {word: self.weight(word) * (_NAME if word in one.names else 1.0) for word in refused}
        hit = sum(weight * there[word] for word, weight in weights.items() if word in there)
        whole = sum(weights.values())
        return min(1.0, hit / min(whole, _ENOUGH)) if hit >= _CHANCE else 0.0

    def _by_other_names(self, words: Weights) -> dict[str, float]:
        """Words of an action, and refused words that they are kinds of, begin with or are the beginning of."""
        found = dict(words)
        for word, counts in words.items():
            for other, share in self._others(word):
                found[other] = max(found.get(other, 0.0), counts * share)
        return found

    def _others(self, word: str) -> Iterable[tuple[str, float]]:
        yield from ((other, KIND) for other in kin(word) if other in self._refusing)
        beginnings = (word[:length] for length in range(_LETTERS, len(word)))
        yield from ((other, _BEGINS) for other in beginnings if other in self._refusing)
        yield from ((other, _BEGINS) for other in self._longer.get(word, ()))

    def _likely(self, words: Iterable[str], scope: Scope) -> list[int]:
        """Refusals in scope that share the most with an action, for what they hold: in a large store not all."""
        sums = self._sums(telling(frozenset(words)), self._refusing)
        held = [place for place in sums if scope(self.entries[place])]
        if len(held) <= _MOST_LIKELY:
            return held
        return nlargest(_MOST_LIKELY, held, key=lambda place: sums[place] / (1 + len(self._against[place].words())))

    def touching(self, action: Asked, least: float) -> list[Match]:
        """Entries about the same subject, the nearest first, from a strength on."""
        words = telling(action.does | action.undoes)
        total = sum(sorted(map(self.weight, words), reverse=True)[:_OF_SUBJECT]) or 1.0
        sums = self._sums(words, self._places)
        found = [Match(self.entries[at], min(1.0, sum_ / total)) for at, sum_ in sums.items() if sum_ >= least * total]
        return sorted(found, key=lambda match: (-match.strength, match.entry.id))

    def _sums(self, words: Iterable[str], places: Mapping[str, list[int]]) -> dict[int, float]:
        sums: dict[int, float] = defaultdict(float)
        for word in words:
            weight = self.weight(word)
            for place in places.get(word, ()):
                sums[place] += weight
        return sums


def _is_same_call(one: Against, action: Asked) -> bool:
    """The refused commands, the refused file by the same tool, or the refused call told in words."""
    if one.runs and one.runs <= action.runs:
        return True
    if one.file and one.tool == action.tool and not one.ways:
        return one.file in action.files
    words = telling(action.does | action.undoes)
    return not action.tool and len(words) >= _OF_CALL and words <= one.told


def _says_the_same(one: Against, action: Asked) -> bool:
    """Everything a no says, in the same direction."""
    does, undoes = action.does | action.places, action.undoes
    return any(_is_whole(way.does, does, one) or _is_whole(way.undoes, undoes, one) for way in one.ways)


def _is_whole(refused: frozenset[str], words: frozenset[str], one: Against) -> bool:
    """Whether words hold all of a refusal; one plain word alone is not enough of it."""
    tells = telling(refused)
    if not tells or not tells <= words:
        return False
    return len(tells) > 1 or bool(tells & one.names) or refused <= words


def _by_word(bags: Sequence[frozenset[str]] | Mapping[int, frozenset[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, bag in bags.items() if isinstance(bags, Mapping) else enumerate(bags):
        for word in bag:
            places[word].append(place)
    return dict(places)


def _by_beginning(words: Iterable[str]) -> dict[str, list[str]]:
    """Words by each of their beginnings that is long enough."""
    longer: dict[str, list[str]] = defaultdict(list)
    for word in words:
        for length in range(_LETTERS, len(word)):
            longer[word[:length]].append(word)
    return dict(longer)
