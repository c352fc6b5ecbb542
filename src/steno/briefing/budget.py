"""The one budgeter: from lines that are worth something to the ones that fit."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
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
    # Told only with room that nothing else needs.
    spare: bool = False
    # Told in the greatest length that fits, however dear that is.
    whole: bool = False


class Told(Struct, frozen=True):
    """A line in the length that fits."""

    line: Line
    text: str


# A line first takes no more of the budget if it has a shorter form.
_DEAR: Final = 0.06
# No text has more letters for each of its tokens, by our upper bound; what has is not worth counting.
_LETTERS: Final = 8
NO_SHARES: Final[Mapping[str, float]] = MappingProxyType({})
Shape = Callable[[Sequence[Told]], str]


def fit(
    lines: Sequence[Line], budget: int, shape: Shape, *, shares: Mapping[str, float] = NO_SHARES
) -> tuple[list[Told], str]:
    """The lines that are worth most within a budget, in their given order, and the text they make.

    The worthiest comes first, in the greatest length that is not dear; what does not fit is passed over. What is left
    over lengthens them, the worthiest first; then come those that are told only with room to spare. A section may be
    held to a share of the budget. `shape` makes the text; it is never over the budget.
    """
    left = budget - count(shape([]))
    rooms = {section: share * budget for section, share in shares.items()}
    chosen: dict[int, str] = {}
    titles: set[str] = set()
    for spare in (False, True):
        places = [place for place, line in enumerate(lines) if line.spare is spare]
        for place in sorted(places, key=lambda place: -lines[place].worth):
            line = lines[place]
            title = 0 if line.section in titles else count(f"{line.section}:\n")
            room = min(left, rooms.get(line.section, left)) - title
            text, cost = _length(line, room, budget if line.whole else budget * _DEAR)
            if text:
                left -= title + cost
                rooms[line.section] = rooms.get(line.section, budget) - title - cost
                chosen[place] = text
                titles.add(line.section)
        for place, text in chosen.items():
            if text != lines[place].texts[0]:
                longer, cost = _length(lines[place], left + (short := count(f"- {text}\n")), budget)
                chosen[place], left = longer, left + short - cost
    while True:
        told = [Told(lines[place], chosen[place]) for place in sorted(chosen)]
        text = shape(told)
        if count(text) <= budget or not chosen:
            return told, text
        # Tokens do not quite add up: the last one taken goes.
        chosen.popitem()


def _length(line: Line, room: float, dear: float) -> tuple[str, int]:
    """The greatest length that fits, and what it costs; none: nothing fits."""
    for text in line.texts:
        if len(text) > room * _LETTERS:
            continue
        cost = count(f"- {text}\n")
        if cost <= room and (cost <= dear or text == line.texts[-1]):
            return text, cost
    return "", 0


def shaped(told: Sequence[Told]) -> list[str]:
    """Lines under the titles of their sections."""
    out: list[str] = []
    title = ""
    for one in told:
        if one.line.section != title:
            title = one.line.section
            out.append(f"{title}:")
        out.append(f"- {one.text}")
    return out


def items(told: Sequence[Told]) -> list[str]:
    """What was told, by name, each once."""
    return list(dict.fromkeys(item for one in told for item in one.line.items))
