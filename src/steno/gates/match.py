"""What an action goes against, and what else is known about its subject.

It is sure only where the same thing comes again: the refused call or edit, or everything the refusal says. All else is
as likely as `pair.py` has learnt it to be, and can only remind.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from steno.gates.against import is_same_call, says_the_same
from steno.gates.asked import Asked
from steno.gates.pair import Tells, likeness, rarity, weighed
from steno.gates.uttered import Candidate, candidates
from steno.language.common import telling
from steno.language.same_word import words_of
from steno.vocabulary import Action, Entry

# So many words about a subject are enough to be found again.
_OF_SUBJECT: Final = 4
# Parts of paths and commands that every project has, no languages: nobody is reminded because of these alone.
_EVERYWHERE: Final = words_of("src lib app packages md json yaml yml toml html css edit write git origin main master")
# So many refusals are weighed for one action.
_MOST_LIKELY: Final = 48

Scope = Callable[[Entry], bool]


class Match(NamedTuple):
    """An entry an action touches."""

    entry: Entry
    # How likely it is the same, 0 to 1; of what is only about the same subject, how much of it.
    strength: float
    # It is the same, and was refused for good.
    sure: bool = False
    # What the entry says no to.
    says: str = ""


class Index:
    """Entries laid out by their words. Built once, asked for every action."""

    def __init__(
        self, entries: Sequence[Entry], calls: Mapping[str, Mapping[str, Any]] | None = None,
        said: Sequence[Entry] = (), before: "Index | None" = None,
    ) -> None:  # fmt: skip
        """`calls`: the inputs of refused calls, by entry; `said`: words of which nothing was noted; `before`: the index
        of what was known until now."""
        self.entries = entries
        bags = [words_of(f"{entry.summary} {' '.join(entry.subject)}") for entry in entries]
        self._rarity = rarity(Counter(word for bag in bags for word in bag), len(entries))
        self._places = _by_word(dict(enumerate(bags)))
        self._against: list[Candidate] = list(
            candidates(entries, calls or {}, said, before._against if before is not None else ())
        )
        self._refusing = _by_word({place: one.words for place, (_, one) in enumerate(self._against)})
        self._sizes = [1 + len(one.no) for _, one in self._against]
        self._calls = [place for place, (_, one) in enumerate(self._against) if one.binds and one.tool]

    def weight(self, word: str) -> float:
        """How telling a word is, 0 to 1."""
        return self._rarity.of(word)

    def refusals(self, action: Action, words: Asked, scope: Scope, habits: Mapping[str, int]) -> list[Match]:
        """What was refused and may come again, the likeliest first. Looking at it and putting it back is neither, but
        for the very call that was refused for good."""
        tells = Tells(self._rarity, habits)
        again = self._again(action, words, scope)
        found, with_ = [], weighed(words, tells)
        for place in {*again, *(self._likely(words, scope, tells) if not words.harmless else ())}:
            entry, one = self._against[place]
            if place not in again and one.lets_pass(words):
                continue
            sure = place in again or (one.binds and says_the_same(one, words, action.text))
            found.append(Match(entry, 1.0 if sure else likeness(entry, one, with_), sure, one.says))
        return sorted(found, key=lambda match: (not match.sure, -match.strength, match.entry.id))

    def _again(self, action: Action, words: Asked, scope: Scope) -> set[int]:
        """Calls that were refused for good, and are made again; however little their words tell."""
        if words.harmless and not words.tool:
            return set()
        return {
            place
            for place in self._calls
            if is_same_call(self._against[place][1], words, action.input) and scope(self._against[place][0])
        }

    def _likely(self, words: Asked, scope: Scope, tells: Tells) -> list[int]:
        """Refusals in scope that share the most with an action, for what they hold: in a large store not all."""
        sums = _sums(found_by(words), self._refusing, tells.__getitem__)
        shares = {place: sum_ / self._sizes[place] for place, sum_ in sums.items()}
        ordered = sorted(shares, key=shares.__getitem__, reverse=True)
        return list(islice((place for place in ordered if scope(self._against[place][0])), _MOST_LIKELY))

    def touching(self, action: Asked, least: float) -> list[Match]:
        """Entries about the same subject, the nearest first, from a strength on."""
        words = telling(action.does | action.undoes)
        total = sum(sorted(map(self.weight, words), reverse=True)[:_OF_SUBJECT]) or 1.0
        sums = _sums(words, self._places, self.weight)
        found = [Match(self.entries[at], min(1.0, sum_ / total)) for at, sum_ in sums.items() if sum_ >= least * total]
        return sorted(found, key=lambda match: (-match.strength, match.entry.id))


def found_by(words: Asked) -> frozenset[str]:
    """Words of an action by which a refusal is found at all."""
    return telling(words.brings | words.undoes) - _EVERYWHERE


def _sums(words: Iterable[str], places: Mapping[str, list[int]], weight: Callable[[str], float]) -> dict[int, float]:
    sums: dict[int, float] = defaultdict(float)
    for word in words:
        weighs = weight(word)
        for place in places.get(word, ()):
            sums[place] += weighs
    return sums


def _by_word(bags: Mapping[int, frozenset[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, bag in bags.items():
        for word in bag:
            places[word].append(place)
    return dict(places)
