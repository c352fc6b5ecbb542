"""Rows under a heading, for every command that lists something.

A command gives whole values. In a pipe they are printed whole, a line each. For a person they are laid out in the width
there is: ids short, times as ages, the telling columns get the room, and what there is no room for is left out.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from steno.cli.show import Piece, cut, laid_out, one_line, say, short_ids, width, wrapped
from steno.cli.words import ago

Kind = Literal["text", "id", "time", "path", "number", "right"]
Value = str | int | None
# A value, or a value with a style.
Cell = Value | tuple[Value, str]
# A cell as a person sees it, with its style.
_Shown = tuple[str, str]

# What a person is shown of a telling cell at most: so many lines. `steno entries show` and its like have the rest.
_LINES: Final = 3
# Less room than this for a telling column is none; more than that for any other is waste.
_ROOM: Final = 30
_MOST: Final = 28
_BETWEEN: Final = "  "


class Column(NamedTuple):
    """What stands in a column, and what becomes of it where a page is narrow."""

    name: str
    kind: Kind = "text"
    # What a person reads above it, if that is not the name.
    heading: str = ""
    # It gets the room that the others leave; words may take several lines.
    telling: bool = False
    # So much of it, where that is more than a few lines.
    lines: int = 0
    # What a person can do without: left out where it says the same in every row, or, the highest first, for room.
    spare: int = 0
    # What stands in it, made of a row; else the field of its name.
    of: Callable[[Any], "Cell"] | None = None

    def cell(self, row: Any) -> "Cell":
        """What stands in it."""
        found: Cell = self.of(row) if self.of else getattr(row, self.name)
        return found

    @property
    def title(self) -> str:
        """What a person reads above it."""
        return self.heading or self.name


class _Shape(NamedTuple):
    """A column as it is drawn."""

    column: Column
    cells: Sequence[_Shown]
    wide: int


def table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    """Print the rows, in the order they are given."""
    if not laid_out():
        _whole_lines(columns, rows)
        return
    drawn = [_Shape(column, _shown(column, cells), 0) for column, cells in _upright(columns, rows)]
    shapes = _fitted([shape for shape in drawn if not _is_idle(shape)] or drawn)
    say(*_line([(cut(shape.column.title, shape.wide), "bold") for shape in shapes], shapes))
    for row in zip(*[shape.cells for shape in shapes], strict=True):
        for line in _lines(row, shapes):
            say(*_line(line, shapes))


class Rows(NamedTuple):
    """How a list looks: a table, or a sentence where there is nothing; and what is said below it."""

    columns: Sequence[Column]
    none: str = ""
    below: Callable[[Any], None] | None = None

    def __call__(self, found: Sequence[Any], given: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Print it."""
        if found:
            table(self.columns, [[column.cell(row) for column in self.columns] for row in found])
        else:
            say(self.none)
        if self.below is not None and found:
            self.below(found)


def _upright(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Iterator[tuple[Column, Sequence[Cell]]]:
    for place, column in enumerate(columns):
        yield column, [row[place] for row in rows]


def _whole_lines(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    from rich.cells import cell_len

    cells = [[column.name for column in columns], *([one_line(_text(cell)) or "-" for cell in row] for row in rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        print(_BETWEEN.join(map(_padded, row, widths, columns)).rstrip())


def _text(cell: Cell) -> str:
    value, _ = _apart(cell)
    return "" if value is None else str(value)


def _apart(cell: Cell) -> tuple[Value, str]:
    return cell if isinstance(cell, tuple) else (cell, "")


def _padded(text: str, wide: int, column: Column) -> str:
    from rich.cells import cell_len

    blank = " " * (wide - cell_len(text))
    return blank + text if column.kind in ("number", "right") else text + blank


def _shown(column: Column, cells: Sequence[Cell]) -> list[_Shown]:
    short = _shortener(column, cells)

    def one(value: Value, style: str) -> _Shown:
        text = f"{value:,}" if isinstance(value, int) else one_line(short(value or ""))
        return (text, style) if text else ("-", "dim")

    return [one(*_apart(cell)) for cell in cells]


def _shortener(column: Column, cells: Sequence[Cell]) -> Callable[[str], str]:
    """What a person is shown instead of a whole value."""
    match column.kind:
        case "id":
            ids = short_ids(filter(None, map(_text, cells)))
            return lambda text: ids.get(text, "")
        case "time":
            return ago
        case "path":
            return lambda text: re.split(r"[\\/]", text.rstrip("\\/"))[-1]
        case _:
            return str


def _is_idle(shape: _Shape) -> bool:
    """Whether a column that can be spared tells nothing."""
    said = {text for text, _ in shape.cells}
    same = shape.column.kind in ("text", "path") and len(said) == 1 < len(shape.cells)
    return bool(shape.column.spare) and (said == {"-"} or same)


def _fitted(shapes: list[_Shape]) -> list[_Shape]:
    """The columns there is room for, each with its width."""
    from rich.cells import cell_len

    wanted = {shape.column: max(map(cell_len, (shape.column.title, *(c for c, _ in shape.cells)))) for shape in shapes}
    while True:
        widths = {column: min(wish, _MOST) for column, wish in wanted.items() if not column.telling}
        telling = [column for column in wanted if column.telling]
        room = width() - sum(widths.values()) - len(_BETWEEN) * (len(wanted) - 1)
        share = room // max(len(telling), 1)
        spare = max(wanted, key=lambda column: column.spare)
        if len(wanted) == 1 or not spare.spare or share >= min([_ROOM, *(wanted[column] for column in telling)]):
            break
        del wanted[spare]
    widths |= {column: max(min(share, wanted[column]), 1) for column in telling}
    while sum(widths.values()) + len(_BETWEEN) * (len(widths) - 1) > width():
        widths[max(widths, key=widths.__getitem__)] -= 1
    return [shape._replace(wide=widths[shape.column]) for shape in shapes if shape.column in widths]


def _lines(row: Sequence[_Shown], shapes: Sequence[_Shape]) -> Iterator[list[_Shown]]:
    """The lines one row takes."""
    cells = [[(line, style) for line in _cell(text, shape)] for (text, style), shape in zip(row, shapes, strict=True)]
    for number in range(max(map(len, cells))):
        yield [cell[number] if number < len(cell) else ("", "") for cell in cells]


def _cell(text: str, shape: _Shape) -> list[str]:
    """Telling words in a few lines, a name in one; what is cut off, is cut off with a sign."""
    wide, most = shape.wide, shape.column.lines or _LINES if shape.column.telling and shape.column.kind == "text" else 1
    lines = wrapped(text[: wide * (most + 1)], wide)
    return [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), wide)] if len(lines) > most else lines


def _line(cells: Sequence[_Shown], shapes: Sequence[_Shape]) -> Iterator[Piece]:
    for place, ((text, style), shape) in enumerate(zip(cells, shapes, strict=True), 1):
        padded = _padded(text, shape.wide, shape.column)
        yield (padded.rstrip() if place == len(shapes) else padded + _BETWEEN, style)
