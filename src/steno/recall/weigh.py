"""What speaks for a turn or an entry, and how much. All weights stand here; they were found on the tuned halves of the
data sets in docs/numbers.md, which also says where the other halves were seen before the last of them was chosen.

A turn's words and nearness are shares between 0 and 1 of what the question asks for. All else moves it a little."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from steno.language.words import STOPWORDS, stems
from steno.recall.time import When, nearness
from steno.recall.where import minutes
from steno.store.recall import EntryTraits, Resting, TurnTraits
from steno.vocabulary import HUMAN_KINDS
from steno.vocabulary.accesses import Fading

# The stretch a turn stands in, how near the turn and its stretch are to the meaning of the question.
STRETCH: Final = 0.55
NEAR: Final = 1.1
NEAR_STRETCH: Final = 0.4
# If even the best turn explains little of the question, its words are other words: then they count less.
_ENOUGH_WORDS: Final = 0.15
_LEAST_TRUST: Final = 0.3
# The nearest turn by meaning stands at least here, whatever its words.
NEAREST_PLACE: Final = 5
# How near a turn counts as that has no vectors: about what two unrelated ones have.
UNKNOWN_NEARNESS: Final = 0.1
# Whether anything fits at all: the nearest turn, and half of the share of the question that the words of the best one
# explain, come to so much; where there are no vectors, the words alone explain so much. See DESIGN.md, "The floor".
_FLOOR: Final = 0.355
_WORDS_AS_NEARNESS: Final = 0.5
_FLOOR_OF_WORDS: Final = 0.075
# What holds so many of a question's words fits, however little they tell.
_HALF_OF_THE_WORDS: Final = 0.5
_FILLER: Final = 0.5
_MOST_STEMS: Final = 2000
# An entry: its own words and meaning, and the turn it rests on.
ENTRY_WORDS: Final = 0.8
ENTRY_NEAR: Final = 1.1
ENTRY_TURN: Final = 0.6
# Two turns so near to each other speak of the same thing.
SAME_THING: Final = 0.5
# The question speaks of a time; it names it, or hints at it.
TIME_NAMED: Final = 0.6
TIME_HINTED: Final = 0.1
# Whose words they are.
_ORIGIN: Final = {"user": 0.15, "assistant": 0.0, "tool": -0.15, "system": -0.15}
_RECENT: Final = 0.05
_RECENT_DAYS: Final = 60.0
_FADES: Final = 0.2
_USE: Final = 0.03
_MOST_USE: Final = 0.1
_LINK: Final = 0.02
_MOST_LINK: Final = 0.1
# A turn on which something rests that was settled; or was settled otherwise since.
_SETTLING: Final = 0.05
_STALE: Final = -0.3
SETTLED: Final = frozenset({"decision", "rejected", "rule", "exclusion", "commitment"})
# What a settling turn gets of the turn that opened the discussion, and what each turn between them takes away.
_INHERITED: Final = 0.95
_PER_TURN: Final = 0.02
_CATEGORY: Final = {"rejected": 0.1, "rule": 0.1, "decision": 0.1, "exclusion": 0.05, "commitment": 0.05}


# A question asks how things are: an entry, which holds, stands so much above a turn, which was said once.
NOW: Final = 0.15


def inherited(distance: int) -> float:
    """What a settling turn gets of the score of the turn that opened the discussion."""
    return _INHERITED - _PER_TURN * distance


def trust_in_words(best: float) -> float:
    """How much words tell, given the share of the question that the best turn explains by them."""
    return min(1.0, max(_LEAST_TRUST, best / _ENOUGH_WORDS))


def fits(words: float, near: float | None) -> bool:
    """Whether the best that was found answers a question, or is only the nearest noise."""
    return words >= _FLOOR_OF_WORDS if near is None else near + _WORDS_AS_NEARNESS * words >= _FLOOR


def holds_its_words(text: str, words: Mapping[str, float]) -> bool:
    """Whether a text holds half of the words of a question, counted by how much they tell; filler tells half."""
    said = stems(text, _MOST_STEMS)
    tells = {word: weight * (_FILLER if word in STOPWORDS else 1.0) for word, weight in words.items()}
    held = sum(weight for word, weight in tells.items() if word in said or stems(word) & said)
    return held >= _HALF_OF_THE_WORDS * sum(tells.values())


def turn_weight(traits: TurnTraits, resting: Iterable[Resting], when: When | None) -> float:
    """Whose words a turn holds, and what was settled in it; at the time asked for it may have held."""
    machine = traits.role == "user" and traits.kind not in HUMAN_KINDS
    weight = 0.0 if machine else _ORIGIN.get(traits.role, 0.0)
    settled = [one for one in resting if one.category in SETTLED]
    if any(one.status in ("active", "done") for one in settled):
        weight += _SETTLING
    elif any(one.status == "superseded" for one in settled):
        held_then = when is not None and when.sure and nearness(traits.at, when) == 1.0
        weight += _SETTLING if held_then else _STALE
    return weight


def entry_weight(traits: EntryTraits) -> float:
    """What kind of entry it is, whose, and how often it was said."""
    own = _ORIGIN.get("user" if traits.origin in ("user", "edit") else traits.origin, 0.0)
    said_again = min(_MOST_USE, _USE * math.log1p(traits.repeated))
    return own + _CATEGORY.get(traits.category, 0.0) + said_again


def faded(fades_from: str | None, now: str, fading: Fading) -> float:
    """What an entry keeps of its score: what a session taught and nobody used for long loses a little."""
    days = max(0.0, (minutes(now) - minutes(fades_from)) / 1440) if fades_from else None
    return 1.0 if days is None else 1 - _FADES * (1 - fading.weight(days))


def time_weight(at: str | None, when: When | None, now: str) -> float:
    """The time a question speaks of; else a little for what is recent."""
    if when is not None:
        return (TIME_NAMED if when.sure else TIME_HINTED) * nearness(at, when)
    if at is None:
        return 0.0
    days = max(0.0, (minutes(now) - minutes(at)) / 1440)
    return _RECENT * 2 ** (-days / _RECENT_DAYS)


def use_weight(uses: int) -> float:
    """What was asked for before is asked for again, a little more often."""
    return min(_MOST_USE, _USE * math.log1p(uses))


def link_weights(scores: Mapping[str, float], links: Iterable[tuple[str, str, float]]) -> dict[str, float]:
    """What entries gain from links to entries that stand above them."""
    gains: dict[str, float] = {}
    for one, other, weight in links:
        if one in scores and other in scores:
            lower = one if scores[one] < scores[other] else other
            gains[lower] = min(_MOST_LINK, gains.get(lower, 0.0) + _LINK * math.log1p(weight))
    return gains
