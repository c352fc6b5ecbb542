"""What was said and concerns an action: sure where the refused call comes again or a plain prohibition names it, else a
reminder for the agent to judge."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from steno.gates.asked import Asked
from steno.gates.said import CHANGES, RUNNING, Said, laid_out
from steno.language.common import COMMON_WORDS, telling
from steno.language.same_word import words_of
from steno.rules.families import families
from steno.rules.seen import any_of
from steno.vocabulary import PEOPLE, Action, Entry

# Words remind where they are so much of a sentence that was said, or of an action. See DESIGN.md.
_OF_SAID: Final = 0.3
_OF_ACTION: Final = 0.08
_HALF: Final = 0.5
_SEVERAL: Final = 2
# From here on words that were only heard are a no.
_REFUSES: Final = 0.4
# What a command family has in common with a call, whatever words they share.
_BY_FAMILY: Final = 0.5
# Words alone are a guess, however many.
_BY_WORDS: Final = 0.8
# What else is known about a subject shares so much of the action's telling words; so many are its subject.
_TOUCHES: Final = 0.34
_OF_SUBJECT: Final = 4
# In a large store not all are told.
_MOST: Final = 48
# Parts of paths and commands that every project has: nobody is reminded because of these alone.
# Nor because both deploy, publish, ship or release something, which is one word here: families tell these apart.
_EVERYWHERE: Final = words_of(
    "src lib app packages md json yaml yml toml html css edit write git origin main master deploy"
)
_COMMON: Final = 0.25

Scope = Callable[[Entry], bool]


class Match(NamedTuple):
    """An entry an action touches, and why, in our own words."""

    entry: Entry
    # How much the two have in common, 0 to 1.
    strength: float
    # The very thing that was refused for good, or plainly forbidden.
    sure: bool = False
    because: str = "words in common"


class Index:
    """Entries laid out by their words. Built once, asked for every action."""

    def __init__(
        self, entries: Sequence[Entry], calls: Mapping[str, Mapping[str, Any]] | None = None,
        heard: Sequence[Entry] = (),
    ) -> None:  # fmt: skip
        """`calls`: the inputs of refused calls, by entry; `heard`: words of which nothing was noted."""
        self.entries = entries
        bags = [words_of(f"{entry.summary} {' '.join(entry.subject)}") for entry in entries]
        self._places = _by_word(bags)
        noted = [one for one in entries if one.category in ("rejected", "exclusion")
                 or (one.category == "rule" and one.origin in PEOPLE)]  # fmt: skip
        turns = {one.evidence[0].turn for one in noted if one.evidence and one.origin in PEOPLE}
        others = [one for one in heard if one.evidence[0].turn not in turns]
        found = (laid_out(entry, (calls or {}).get(entry.id)) for entry in (*noted, *others))
        self.said = [one for one in found if one is not None]
        self._by_word = _by_word([one.words | one.families for one in self.said])
        self._by_forbidden = _by_word([_telltale(one) for one in self.said])
        self._with_paths = [at for at, one in enumerate(self.said) if one.paths]
        self._refused = [one for one in self.said if one.refused is not None]

    def concerning(self, action: Action, words: Asked, scope: Scope) -> list[Match]:
        """What was said and concerns an action, the surest first. What only looks or puts back concerns nothing but the
        very call that was refused for good."""
        found = {match.entry.id: match for match in self.forbidding(action, words, scope)}
        if not words.harmless:
            acts = words.does | words.places | words.undoes
            # Words of work itself say what is done with a thing, seldom which thing.
            whole = max(1.0, len(telling(acts)) + _COMMON * len(acts & COMMON_WORDS))
            shared = _held(telling(words.brings | words.undoes) - _EVERYWHERE - CHANGES, self._by_word)
            for place in {*shared, *_held(words.families, self._by_word), *(self._with_paths if words.files else ())}:
                one = self.said[place]
                if one.entry.id not in found and not one.passes(words) and scope(one.entry):
                    match = self._reminder(one, words, shared[place] / whole)
                    found |= {one.entry.id: match} if match is not None else {}
        return sorted(found.values(), key=lambda one: (not one.sure, -one.strength, one.entry.id))[:_MOST]

    def forbidding(self, action: Action, words: Asked, scope: Scope) -> Iterator[Match]:
        """The very call that was refused for good, and what is plainly forbidden."""
        for one in self._refused if words.tool or not words.harmless else ():
            if scope(one.entry) and one.is_same_call(words, action.input):
                yield Match(one.entry, 1.0, True, "the same call was refused")
        named = words.does | words.places | words.programs | words.families if not words.harmless else ()
        for place in _held(named, self._by_forbidden):
            one = self.said[place]
            if one.forbids(words, action.text) and scope(one.entry):
                yield Match(one.entry, 1.0, True, "a plain prohibition names it")

    def _reminder(self, one: Said, words: Asked, share: float) -> Match | None:
        """How what was said concerns an action that does something; `share`: how much of the action it holds."""
        named = telling(one.own)
        shared = named & ((words.does | words.places | words.undoes) - CHANGES)
        if does := one.families & words.families:
            loose = all(families()[name].loose for name in does)
            if not loose or not named - CHANGES or one.own & (words.does | words.places) - CHANGES:
                strength = min(_BY_WORDS, max(_BY_FAMILY, share))
                return Match(one.entry, strength, False, f"what it does: {', '.join(sorted(does))}")
        if one.paths and any(map(any_of(one.paths).search, map(str.encode, words.files))):
            return Match(one.entry, _BY_WORDS, False, "a path it names")
        shared -= _EVERYWHERE
        if words.every_day or (one.names and words.tool and words.runs and len(shared) < _SEVERAL):
            return None
        # A program that is run, a place that is touched, or a word nobody used of anything else tells by itself.
        tells = shared & (words.programs | words.places) or any(len(self._by_word[word]) == 1 for word in shared)
        common = len(shared) / len(named) if named and one.entry.category != "context" else 0.0
        # Who says no names what they do not want, and that may not come in by what is written either.
        brought = named & (words.brings | words.undoes) - CHANGES - _EVERYWHERE
        says_no = one.entry.category == "context" and one.entry.confidence >= _REFUSES
        if says_no and any(len(self._by_word[word]) == 1 for word in brought):
            return Match(one.entry, min(max(_HALF, share), _BY_WORDS), False, "a word of a no")
        several = len(one.words & telling(words.brings | words.undoes) - _EVERYWHERE - CHANGES) >= _SEVERAL
        # A single word reminds where it is half of what was said, or of what is told.
        half = common >= _HALF or (share >= _HALF and not words.tool)
        if half or (common >= _OF_SAID and (several or tells)) or (several and share >= _OF_ACTION):
            return Match(one.entry, min(max(common, share), _BY_WORDS))
        return None

    def touching(self, words: frozenset[str]) -> list[Entry]:
        """Entries that hold such a share of some words, those with the most first."""
        held = _held(telling(words), self._places)
        near = [at for at in held if held[at] >= _TOUCHES * min(_OF_SUBJECT, len(telling(words)))]
        return [self.entries[at] for at in sorted(near, key=lambda at: (-held[at], self.entries[at].id))]


def _telltale(one: Said) -> frozenset[str]:
    """One word of each thing it forbids, or what it speaks of: an action without any of these does nothing of it."""
    kept = [words - RUNNING - CHANGES - _EVERYWHERE for words in one.forbidden]
    return frozenset(min(words) for words in kept if words) | (frozenset() if all(kept) else one.families)


def _held(words: Iterable[str], places: Mapping[str, list[int]]) -> Counter[int]:
    """How many of some words stand where."""
    return Counter(at for word in words for at in places.get(word, ()))


def _by_word(bags: Sequence[frozenset[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, bag in enumerate(bags):
        for word in bag:
            places[word].append(place)
    return dict(places)
