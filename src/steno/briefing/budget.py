"""The one budgeter: from lines that are worth something to the ones that fit."""

import re
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import Final

from msgspec import Struct

from steno.language.words import content_words
from steno.tokens import count

# How much a line's cost counts against its worth: 0 takes the worthiest whatever they cost, 1 the cheapest.
_THRIFT: Final = 0.75
# What is left of a line's worth when all its words were told already.
_STALE: Final = 0.4
# Names (of files, functions, branches) tell more than words.
_NAME: Final = re.compile(r"[\d_./#:@-]|[a-z][A-Z]")


class Line(Struct, frozen=True, kw_only=True):
    """One thing that could be told, in one or more lengths."""

    section: str
    # What it is, for the receipt: "goal", "entry:ID", "turn:N".
    item: str
    worth: float
    # The same in different lengths, the longest first. Each is safe.
    texts: tuple[str, ...]


class Told(Struct, frozen=True):
    """A line in the length that fits."""

    line: Line
    text: str


Shape = Callable[[Sequence[Told]], str]


def fit(lines: Sequence[Line], budget: int, shape: Shape) -> tuple[list[Told], str]:
    """The lines that are worth most within a budget, in their given order, and the text they make.

    Every line is first taken in its shortest length: next comes always the one that is worth most for its cost, and
    less so the more of its words were told already. What is left over lengthens them, the worthiest first. `shape`
    makes the text; it is never over the budget.
    """
    chosen, order, left = _chosen(lines, budget - count(shape([])))
    _lengthen(lines, chosen, left)
    while True:
        told = [Told(lines[place], lines[place].texts[chosen[place]]) for place in sorted(chosen)]
        text = shape(told)
        if count(text) <= budget or not order:
            return told, text
        # Tokens do not quite add up.
        del chosen[order.pop()]


def _chosen(lines: Sequence[Line], left: int) -> tuple[dict[int, int], list[int], int]:
    """Which lines are taken, in the order they were, and what is left of the budget."""
    costs = [_cost(line.texts[-1]) for line in lines]
    names = [_telling(line.texts[-1]) for line in lines]
    chosen: dict[int, int] = {}
    order: list[int] = []
    told: set[str] = set()
    titles: set[str] = set()
    worth = [line.worth / cost**_THRIFT for line, cost in zip(lines, costs, strict=True)]
    # What a line brings only falls as more is told: the first of the heap is the best if it has not fallen since.
    waiting = [(-worth[place], place) for place in range(len(lines))]
    heapify(waiting)
    while waiting:
        _, place = heappop(waiting)
        gain = _gain(worth[place], names[place], told)
        if waiting and -gain > waiting[0][0]:
            heappush(waiting, (-gain, place))
            continue
        section = lines[place].section
        cost = costs[place] + (0 if section in titles else _cost(section))
        if cost <= left:
            left -= cost
            chosen[place] = len(lines[place].texts) - 1
            order.append(place)
            told |= names[place].keys()
            titles.add(section)
    return chosen, order, left


def _lengthen(lines: Sequence[Line], chosen: dict[int, int], left: int) -> None:
    for place in sorted(chosen, key=lambda place: -lines[place].worth):
        texts = lines[place].texts
        short = _cost(texts[-1])
        for length, text in enumerate(texts[:-1]):
            more = _cost(text) - short
            if more <= left:
                chosen[place], left = length, left - more
                break


def _cost(text: str) -> int:
    return count(f"- {text}\n")


def _telling(text: str) -> dict[str, float]:
    """The words of a text with how much each tells."""
    return {word.lower(): 2.0 if _NAME.search(word) else 1.0 for word in content_words(text, 80)}


def _gain(worth: float, words: dict[str, float], told: set[str]) -> float:
    whole = sum(words.values())
    new = sum(weight for word, weight in words.items() if word not in told)
    return worth * (_STALE + (1 - _STALE) * (new / whole if whole else 1))
