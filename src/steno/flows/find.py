"""Finding the flow for what is to be done, by its triggers' words and, where a model is at hand, by meaning.

A wrong flow on a gate's page is noise, so what is not clearly meant is not found: either nearly all words of a trigger
(or of the name) are there, or nearly all that is asked for is spoken of in the flow.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from steno.language.words import stems
from steno.vocabulary import Flow

# How near a text is to each of some others, 0 to 1.
Near = Callable[[str, Sequence[str]], Sequence[float]]

# Below this nothing is found.
ENOUGH: Final = 0.6
# With the model that comes along, the nearest of 25 requests that call for none of eight flows came to 0.61.
NEAR_ENOUGH: Final = 0.62
# What a word of the question is worth when it stands in a trigger or the name, and when it stands in a step only.
_IN_TRIGGER: Final = 1.0
_IN_STEPS: Final = 0.7
# A text of so many words is a name, not a sentence.
_ALONE: Final = 2
# Words of every second request: they support a finding and never make one.
_WEAK: Final = 0.25
_WEAK_WORDS: Final = stems(
    """add app automatic branch bug build change check code command commit current create day error everything fail file
    find fix folder function issue line list main message move name new old open output page part problem project
    question read release remove repo repository result run script server set setup show site start state step stop
    system task team test text time tool update user version wait work write""",
    100,
)


def find(flows: Iterable[Flow], text: str, near: Near | None = None) -> list[tuple[Flow, float]]:
    """The flows a text calls for, the best first, with how well each fits."""
    candidates = list(flows)
    scores = [_score(flow, text) for flow in candidates]
    if near is not None and text.strip():
        scores = [max(pair) for pair in zip(scores, _nearness(candidates, text, near), strict=True)]
    found = [(flow, score) for flow, score in zip(candidates, scores, strict=True) if score >= ENOUGH]
    return sorted(found, key=lambda pair: (-pair[1], pair[0].name))


def phrases(flow: Flow) -> list[str]:
    """What calls for a flow: its triggers, and its name in words."""
    return [*flow.triggers, flow.name.replace("-", " ")]


def _score(flow: Flow, text: str) -> float:
    asked, called = stems(text), [words for phrase in phrases(flow) if (words := stems(phrase))]
    known = frozenset[str]().union(*called)
    common = asked & (known | _words_of(tuple(flow.steps)))
    covered = sum(_weight(w) * (_IN_TRIGGER if w in known else _IN_STEPS) for w in common) / (_sum(asked) or 1)
    whole = max((_sum(words & asked) / _sum(words) for words in called), default=0.0)
    # One telling word among others ("which database do we use?") is chance; alone ("deploy") it is a question.
    telling, alone = _telling(common), len(text.split(maxsplit=_ALONE)) <= _ALONE
    meant = telling >= 2 or (alone and telling == 1)
    # A person chose the triggers, whatever their words are; a name like "test" was made of what the steps are called.
    is_called = whole == 1 and (telling or alone or any(stems(phrase) <= asked for phrase in flow.triggers))
    return max(whole * (0.8 + 0.2 * covered) if is_called or meant else 0.0, covered * 0.9 if meant else 0.0)


def _telling(words: Iterable[str]) -> int:
    return sum(_weight(word) == 1 for word in words)


def _sum(words: Iterable[str]) -> float:
    return sum(map(_weight, words))


def _weight(word: str) -> float:
    return _WEAK if word in _WEAK_WORDS else 1.0


@lru_cache(maxsize=1024)
def _words_of(steps: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*map(stems, steps))


def _nearness(flows: list[Flow], text: str, near: Near) -> list[float]:
    """How near the nearest phrase of each flow is, where it is near enough."""
    told = [(number, phrase) for number, flow in enumerate(flows) for phrase in phrases(flow)]
    best = [0.0] * len(flows)
    for (number, _), value in zip(told, near(text, [phrase for _, phrase in told]), strict=True):
        best[number] = max(best[number], value)
    return [value if value >= NEAR_ENOUGH else 0.0 for value in best]
