"""What an action goes against, and what else is known about its subject.

It is sure only where the refused call comes again, or everything a plain prohibition names. All else reminds, by its
share of the action's telling words.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from steno.gates.against import CHANGES, against
from steno.gates.asked import Asked
from steno.language.common import COMMON_WORDS, telling
from steno.language.same_word import words_of
from steno.vocabulary import PEOPLE, Action, Category, Entry

# An entry is worth a reminder if it holds so much of the action. Less shows more of what was refused, and reminds of
# more that is fine; see DESIGN.md.
LEAST: Final = 0.08
# In a large store not all are told.
_MOST: Final = 48
_REMIND: Final[frozenset[Category]] = frozenset({"rejected", "rule", "exclusion"})
# So many words about a subject are enough to be found again.
_OF_SUBJECT: Final = 4
# Parts of paths and commands that every project has, no languages: nobody is reminded because of these alone.
_EVERYWHERE: Final = words_of("src lib app packages md json yaml yml toml html css edit write git origin main master")
# As if there were so many more entries: in a small store rarity says little.
_PRIOR: Final = 500
# A word that stands everywhere may still be what was refused.
_LEAST_RARE: Final = 0.5
# Words of work itself say what is done with a thing, seldom which thing.
_COMMON: Final = 0.25
# A word that came in so many actions lately counts half.
_HABIT: Final = 10

Scope = Callable[[Entry], bool]


class Match(NamedTuple):
    """An entry an action touches."""

    entry: Entry
    # How much the two have in common.
    strength: float
    # The very thing that was refused for good, or plainly forbidden.
    sure: bool = False


class Index:
    """Entries laid out by their words. Built once, asked for every action."""

    def __init__(
        self, entries: Sequence[Entry], calls: Mapping[str, Mapping[str, Any]] | None = None,
        said: Sequence[Entry] = (),
    ) -> None:  # fmt: skip
        """`calls`: the inputs of refused calls, by entry; `said`: words of which nothing was noted."""
        self.entries = entries
        bags = [words_of(f"{entry.summary} {' '.join(entry.subject)}") for entry in entries]
        self._seen = Counter(word for bag in bags for word in bag)
        self._places = _by_word(bags)
        noted = [one for one in entries if one.category in _REMIND and (one.category != "rule" or one.origin in PEOPLE)]
        heard = {one.evidence[0].turn for one in noted if one.evidence and one.origin in PEOPLE}
        others = [one for one in said if one.evidence[0].turn not in heard]
        found = (against(entry, (calls or {}).get(entry.id)) for entry in (*noted, *others))
        self.compared = [one for one in found if one is not None]
        self._refusing = _by_word([one.words for one in self.compared])
        self._calls = [one for one in self.compared if one.tool and one.for_good]

    def weight(self, word: str) -> float:
        """How telling a word is, 0 to 1, by the entries it stands in."""
        rare = math.log((len(self.entries) + _PRIOR) / (self._seen[word] + 1)) / math.log(_PRIOR)
        return min(1.0, max(rare, _LEAST_RARE)) * (_COMMON if word in COMMON_WORDS else 1.0)

    def refusals(self, action: Action, words: Asked, scope: Scope, habits: Mapping[str, int]) -> list[Match]:
        """What was said and may concern an action, the surest first. What only looks or puts back goes against nothing
        but the very call that was refused for good; a command of every day is reminded of nothing."""

        def tells(word: str) -> float:
            return self.weight(word) * _HABIT / (_HABIT + habits.get(word, 0))

        found: dict[str, Match] = {}
        for one in self._calls if words.tool or not words.harmless else ():
            if one.is_same_call(words, action.input) and scope(one.entry):
                found[one.entry.id] = Match(one.entry, 1.0, sure=True)
        shared = _sums(telling(words.brings | words.undoes) - _EVERYWHERE - CHANGES, self._refusing, tells)
        whole = max(1.0, sum(map(tells, words.does | words.places | words.undoes)))
        for place in sorted(shared, key=lambda place: -shared[place]) if not words.harmless else ():
            one, strength = self.compared[place], min(1.0, shared[place] / whole)
            sure = one.forbids(words, action.text)
            reminds = strength >= LEAST and not words.every_day and not one.passes(words)
            if (sure or reminds) and len(found) < _MOST and scope(one.entry):
                found.setdefault(one.entry.id, Match(one.entry, 1.0 if sure else strength, sure))
        return sorted(found.values(), key=lambda match: (not match.sure, -match.strength, match.entry.id))

    def touching(self, action: Asked, least: float) -> list[Match]:
        """Entries about the same subject, the nearest first, from a strength on."""
        words = telling(action.does | action.undoes)
        total = sum(sorted(map(self.weight, words), reverse=True)[:_OF_SUBJECT]) or 1.0
        sums = _sums(words, self._places, self.weight)
        found = [Match(self.entries[at], min(1.0, sum_ / total)) for at, sum_ in sums.items() if sum_ >= least * total]
        return sorted(found, key=lambda match: (-match.strength, match.entry.id))


def _sums(words: Iterable[str], places: Mapping[str, list[int]], weight: Callable[[str], float]) -> dict[int, float]:
    sums: dict[int, float] = defaultdict(float)
    for word in words:
        weighs = weight(word)
        for place in places.get(word, ()):
            sums[place] += weighs
    return sums


def _by_word(bags: Sequence[frozenset[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, bag in enumerate(bags):
        for word in bag:
            places[word].append(place)
    return dict(places)
