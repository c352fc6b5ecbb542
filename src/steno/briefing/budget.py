"""The one budgeter: from lines that are worth something to the ones that fit."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from steno.tokens import count


class Line(Struct, frozen=True, kw_only=True):
    """One thing that could be told, in one or more lengths."""

    section: str
    # What it is, for the receipt: "goal", "entry:ID", "turn:N"; several where it tells several.
    items: tuple[str, ...]
    worth: float
    # The same in different lengths, the longest first. Each is safe.
    texts: tuple[str, ...]
    # The part of the budget it takes at first if it has a shorter form.
    share: float = 0.12
    # Why it is told, in a fixed phrase.
    why: str


class Told(Struct, frozen=True):
    """A line in the length that fits."""

    line: Line
    text: str


# No text has more letters for each of its tokens, by our upper bound; what has is not worth counting.
_LETTERS: Final = 8
# Of so many lines it is recorded why they are told or not.
_REASONS: Final = 200
Shape = Callable[[Sequence[str]], str]


def fit(lines: Sequence[Line], budget: int, shape: Shape) -> list[Told]:
    """The lines that are worth most within a budget, in their given order.

    The worthiest comes first, in the greatest length within its share; what does not fit is passed over. What is left
    over lengthens them, the worthiest first. `shape` makes the text of lines; it is never over the budget.
    """
    chosen: dict[int, str] = {}
    titles: set[str] = set()
    left = budget - count(shape([]))
    for place in sorted(range(len(lines)), key=lambda place: -lines[place].worth):
        line = lines[place]
        room = left - (0 if line.section in titles else count(f"{line.section}:\n"))
        text, cost = _length(line, room, budget * line.share)
        if text:
            left = room - cost
            chosen[place] = text
            titles.add(line.section)
    for place, text in chosen.items():
        room = left + count(f"- {text}\n")
        chosen[place], cost = _length(lines[place], room, budget)
        left = room - cost
    while True:
        told = [Told(lines[place], chosen[place]) for place in sorted(chosen)]
        if count(shape(shaped(told))) <= budget or not chosen:
            return told
        # Tokens do not quite add up: the last one taken goes.
        chosen.popitem()


def _length(line: Line, room: float, share: float) -> tuple[str, int]:
    """The greatest length that fits, and what it costs; none: nothing fits."""
    for text in line.texts:
        if len(text) <= room * _LETTERS:
            cost = count(f"- {text}\n")
            if cost <= room and (cost <= share or text == line.texts[-1]):
                return text, cost
    return "", 0


def shaped(told: Sequence[Told]) -> list[str]:
    """Lines under the titles of their sections."""
    return [
        text
        for title, several in groupby(told, key=lambda one: one.line.section)
        for text in (f"{title}:", *(f"- {one.text}" for one in several))
    ]


def because(lines: Sequence[Line], told: Sequence[Told]) -> dict[str, str]:
    """Why each thing is told, and of what was left out its place among all by worth."""
    ranked = sorted(lines, key=lambda line: -line.worth)[:_REASONS]
    shown = [one.line for one in told]
    places = {line: f"no room: {place} of {len(lines)}" for place, line in enumerate(ranked, start=1)}
    return {item: line.why if line in shown else places[line] for line in reversed(ranked) for item in line.items}
