"""What speaks for a turn or an entry, and how much.

The weights of turns are a file made by `make train-recall` from questions of which the answer is known; the figures
stand in it. A turn is weighed by what it is, by what its signals tell together where turns are many, and, if it is
among the best, by what stands beside it."""

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from steno.recall.cues import names_time, settles
from steno.recall.question import Question
from steno.recall.time import When, nearness
from steno.recall.where import minutes
from steno.store.recall import Resting, TurnTraits
from steno.vocabulary import HUMAN_KINDS
from steno.vocabulary.accesses import Fading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

WEIGHTS: Final = Path(__file__).with_name("weigh.toml")

# How near a turn counts as that has no vectors: about what two unrelated ones have.
UNKNOWN_NEARNESS: Final = 0.1
# Two turns nearer to each other than this may speak of the same thing.
SAME_THING: Final = 0.3
# Turns of a session count together: the best most, and others the more, the less they lie behind it.
POOLED: Final = 0.1
# Where an entry stands that quotes none of the turns found: about where a turn with its words and meaning would.
_ENTRY, _ENTRY_WORDS, _ENTRY_NEAR = 0.45, 0.15, 1.4
# What that is worth beside the turn it quotes.
ENTRY_ALONE: Final = 0.02
# A question asks how things are: an entry, which holds, stands so much above a turn, which was said once.
NOW: Final = 0.05
# The question speaks of a time; it names it, or hints at it.
TIME_NAMED: Final = 0.6
TIME_HINTED: Final = 0.1
_RECENT: Final = 0.05
_RECENT_MINUTES: Final = 60.0 * 1440
_FADES: Final = 0.05
_USE: Final = 0.006
_MOST_USE: Final = 0.02
_LINK: Final = 0.004
_MOST_LINK: Final = 0.02
SETTLED: Final = frozenset({"decision", "rejected", "rule", "exclusion", "commitment"})
# A turn of a few words says little; one of so many characters enough; and of one that is so many times longer the words
# and pieces that fit by chance are many.
_ENOUGH_CHARACTERS: Final = 300
_ENOUGH: Final = math.log1p(_ENOUGH_CHARACTERS / 20)
_LONG: Final = math.log(20)


# How a turn was found: the first seven signals.
HowFound = tuple[float, float, float, float, float, float, float]
_NOTHING_RESTS: Final = (0.0, 0.0, 0.0)


class Signals(NamedTuple):
    """What a turn is to a question: shares between 0 and 1."""

    # How much of the question its words explain, and those of its stretch.
    words: float
    stretch: float
    # How near to its meaning the turn's nearest piece is, all of it, what was said before and after it, its stretch.
    piece: float = UNKNOWN_NEARNESS
    whole: float = UNKNOWN_NEARNESS
    before: float = UNKNOWN_NEARNESS
    after: float = UNKNOWN_NEARNESS
    around: float = UNKNOWN_NEARNESS
    # Whose words they are.
    human: float = 0.0
    tool: float = 0.0
    # Whether something rests on it that was settled and holds, holds for all work, or was settled otherwise since.
    settled: float = 0.0
    rules: float = 0.0
    # The same, if the question is work to do.
    governs: float = 0.0
    overtaken: float = 0.0
    # The time the question speaks of; else a little for what is recent.
    time: float = 0.0
    # Whether it is long enough to say something; and how much longer than that it is, where people talk. Where somebody
    # works in a folder, what is long reports what was done.
    length: float = 0.0
    long: float = 0.0
    report: float = 0.0
    # Whether it sounds like the end of a discussion.
    ends: float = 0.0
    # How many of the question's words stand in it beside each other as they do there.
    phrases: float = 0.0
    # Whether it ends with a question of its own; whether it says when, if that is asked.
    asks: float = 0.0
    dated: float = 0.0


# The signals by which turns are found; and so many rivals a turn may have that stand as high.
_FOUND: Final = [
    Signals._fields.index(field)
    for field in ("words", "stretch", "piece", "whole", "before", "after", "around", "phrases")
]
_RIVALS: Final = 5
# To stand out takes a field: what was learnt of standing out was learnt among seventy turns and more.
FIELD: Final = 40
_FIFTH: Final = 4
# Nothing is surer than this, or less sure.
_LEAST_SURE: Final = 0.001


class Over(NamedTuple):
    """What tells of each two turns whether the newer, of another exchange, says otherwise what the older said."""

    always: "Array"
    # How alike they are, and how much of their rarer words they share; how alike the older is to what stands beside the
    # newer.
    alike: "Array"
    shared: "Array"
    beside: "Array"
    # How far each lies behind the best: the newer, and the older.
    newer: "Array"
    older: "Array"
    # Whether the question asks how things are.
    now: "Array"
    # Of the newer: how much it speaks of a change; whether it asks, and names somebody the older does not where it is
    # asked who; whether it is long enough to say something, and how much longer than that it is.
    changes: "Array"
    asks: "Array"
    named: "Array"
    length: "Array"
    long: "Array"
    # How near to the question the newer is, and what was said before, after and around it; how many are nearer, and how
    # many that are as near came later still.
    piece: "Array"
    before: "Array"
    after: "Array"
    around: "Array"
    nearer: "Array"
    last: "Array"
    # How much of the question the newer's words explain, and whether it holds as many of them as the older; of the
    # older the same, how near it is, and whether something rests on it.
    words: "Array"
    same: "Array"
    words_older: "Array"
    piece_older: "Array"
    settled_older: "Array"
    # Where turns are few, some of this tells something else.
    few: "Array"
    few_newer: "Array"
    few_length: "Array"
    few_piece: "Array"


class Beside(NamedTuple):
    """What stands beside a turn among the best."""

    # How much better the turn is that opened the discussion it ends.
    opened: float = 0.0
    # How alike a newer turn is that holds as many of the question's words; and, where it is asked how things are, an
    # older one of another exchange that holds no more of them.
    older: float = 0.0
    newer: float = 0.0
    # How likely it is that it says anew what an older one said; and that a newer one says anew what it said.
    takes: float = 0.0
    leaves: float = 0.0
    # Where turns are few and it is asked how things are, by how much it stands below an older one that it likely says
    # anew.
    place: float = 0.0


def scores(signals: Iterable[Signals], *, has_meaning: bool) -> list[float]:
    """What speaks for each of some turns by itself."""
    table = weights("turns" if has_meaning else "turns_by_words")
    return [float(sum(map(mul, table, one))) for one in signals]


def beside(found: Beside) -> float:
    """What is added for those it stands among."""
    return float(sum(map(mul, weights("beside"), found)))


def leads(scores: Sequence[float]) -> tuple[float, float, float]:
    """How far the best of some scores, which come the highest first, stands above the fifth and the last of a field;
    and whether they are too few to be one."""
    if len(scores) < FIELD:
        return 0.0, 0.0, 1.0
    return scores[0] - scores[_FIFTH], scores[0] - scores[FIELD - 1], 0.0


def chance(found: Iterable[float], table: str) -> float:
    """How likely something is, by the weights of a table."""
    return 1 / (1 + math.exp(-sum(map(mul, weights(table), found))))


def told(likely: float) -> float:
    """How likely it is that the answer is there, by how often it was: also where a question was only near to what was
    said, or the answer was not found. What tells an answer from noise is surer of itself than that."""
    return chance(odds(likely), "told")


def odds(likely: float) -> tuple[float, float]:
    """What a likelihood is told by."""
    sure = min(max(likely, _LEAST_SURE), 1 - _LEAST_SURE)
    return 1.0, math.log(sure / (1 - sure))


class Network(NamedTuple):
    """What signals tell together, which no sum of them does: a line, and an outer sum of inner ones bent by tanh."""

    line: "Array"
    inner: "Array"
    bias: "Array"
    outer: "Array"

    def __call__(self, signals: "Array") -> "Array":
        """What is added for each of a question's turns; nothing where they are few."""
        import numpy as np

        if len(signals) < FIELD:
            return np.zeros(len(signals))
        rows = together(signals)
        told: Array = rows @ self.line + np.tanh(rows @ self.inner + self.bias) @ self.outer
        return told


def together(signals: "Array") -> "Array":
    """The rows a network reads, one for each of a question's turns: its signals, and how far those by which turns are
    found stand above the sixth best."""
    import numpy as np

    found = signals[:, _FOUND]
    sixth = -np.sort(-found, axis=0)[min(_RIVALS, len(found) - 1)]
    return np.concatenate((signals, np.maximum(0.0, found - sixth)), axis=1)


@cache
def network() -> Network:
    """The network of turns that have a meaning."""
    import numpy as np

    held = _learnt()["network"]
    return Network(*(np.array(held[field], np.float64) for field in Network._fields))


@cache
def least() -> float:
    """Less likely than this, nothing fits."""
    return float(_learnt()["levels"]["fits"])


@cache
def weights(table: str) -> list[float]:
    """The weights of a table, in the order of its fields."""
    return list(_learnt()[table].values())


@cache
def _learnt() -> dict[str, dict[str, Any]]:
    return tomllib.loads(WEIGHTS.read_text("utf-8"))


def signals_of(
    found: Sequence[HowFound],
    traits: Sequence[TurnTraits],
    resting: Sequence[Sequence[Resting]],
    question: Question,
    now: str,
) -> list[Signals]:
    """What some turns are to a question: how each was found, and all that is known of it. A signal of all at a time:
    two hundred turns one by one take twice as long."""
    said = [one.beginning.casefold().rstrip() for one in traits]
    tools = [one.role in ("tool", "system") for one in traits]
    long = [0.0 if tool else _longer(one.length) for tool, one in zip(tools, traits, strict=True)]
    rests = [
        _settled(some, one.role, one.at, question) if some else _NOTHING_RESTS
        for some, one in zip(resting, traits, strict=True)
    ]
    phrases, share = question.phrases, 1 / max(1, len(question.phrases))
    columns: list[Iterable[float]] = [
        *zip(*found, strict=True),
        [1.0 if one.role == "user" and one.kind in HUMAN_KINDS else 0.0 for one in traits],
        map(float, tools),
        [holds for holds, _, _ in rests],
        [rules for _, rules, _ in rests],
        [rules * question.of_work for _, rules, _ in rests],
        [overtaken for _, _, overtaken in rests],
        times_of((one.at for one in traits), question.when, now),
        # What a tool printed tells nothing by its length.
        [
            0.0 if tool else min(1.0, math.log1p(one.length / 20) / _ENOUGH)
            for tool, one in zip(tools, traits, strict=True)
        ],
        [0.0 if one.works else longer for longer, one in zip(long, traits, strict=True)],
        [longer if one.works else 0.0 for longer, one in zip(long, traits, strict=True)],
        [1.0 if settles(one.role, one.beginning) else 0.0 for one in traits],
        [sum(map(text.__contains__, phrases)) * share for text in said],
        [1.0 if text.endswith("?") else 0.0 for text in said],
        [1.0 if question.of_when and names_time(text) else 0.0 for text in said],
    ]
    return [Signals._make(row) for row in zip(*columns, strict=True)]


def _longer(length: int) -> float:
    """How much longer than enough a turn is."""
    return 0.0 if length <= _ENOUGH_CHARACTERS else min(1.0, math.log(length / _ENOUGH_CHARACTERS) / _LONG)


def _settled(resting: Iterable[Resting], role: str, at: str | None, question: Question) -> tuple[float, float, float]:
    """Whether something rests on a turn that holds, that rules the work, or that was settled otherwise since."""
    when = question.when
    settled = [one for one in resting if one.place == 0 and one.category in SETTLED]
    states = {one.status for one in settled}
    rule = any(one.category in ("rule", "rejected") and one.status == "active" for one in settled)
    changed = "superseded" in states
    held_then = changed and when is not None and when.sure and nearness(at, when) == 1.0
    holds = held_then or bool(states & {"active", "done"})
    return float(holds), float(rule and role == "user"), float(changed and not holds)


def pooled(scores: Iterable[float]) -> float:
    """What several turns of a session come to."""
    every = list(scores)
    best = max(every)
    return best + POOLED * math.log(sum(math.exp((one - best) / POOLED) for one in every))


def entry(words: float, near: float) -> float:
    """What speaks for an entry by its own words and meaning."""
    return _ENTRY + _ENTRY_WORDS * words + _ENTRY_NEAR * near


def faded(fades_from: str | None, now: str, fading: Fading) -> float:
    """What is taken from an entry's score: what a session taught and nobody used for long loses a little."""
    days = max(0.0, (minutes(now) - minutes(fades_from)) / 1440) if fades_from else None
    return 0.0 if days is None else _FADES * (1 - fading.weight(days))


def times_of(moments: Iterable[str | None], when: When | None, now: str) -> list[float]:
    """How much the time of each of some turns or entries counts: that a question speaks of; else a little for what is
    recent."""
    if when is not None:
        most = TIME_NAMED if when.sure else TIME_HINTED
        return [most * nearness(at, when) for at in moments]
    today = minutes(now)
    return [_RECENT * 2 ** (min(0, minutes(at) - today) / _RECENT_MINUTES) if at else 0.0 for at in moments]


def use_weight(uses: int) -> float:
    """What was asked for or said again is asked for again, a little more often."""
    return min(_MOST_USE, _USE * math.log1p(uses))


def link_weights(scores: Mapping[str, float], links: Iterable[tuple[str, str, float]]) -> dict[str, float]:
    """What entries gain from links to entries that stand above them."""
    gains: dict[str, float] = {}
    for one, other, weight in links:
        if one in scores and other in scores:
            lower = one if scores[one] < scores[other] else other
            gains[lower] = min(_MOST_LINK, gains.get(lower, 0.0) + _LINK * math.log1p(weight))
    return gains
