"""Changes in the text of a JSON document that leave every other byte as it is.

A path is a way from the root: names of members and numbers of items. The document must have been parsed before; these
functions rely on it being sound.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

Path = Sequence[str | int]

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


class Piece(NamedTuple):
    """A member of an object, or an item of a list: its name, where it and its value begin, where it ends."""

    name: str | int
    start: int
    at: int
    end: int


def added(text: str, path: Path, made: str, *, name: str = "") -> str:
    """With one more piece at the end of the object or list at this path, laid out like its neighbours."""
    start = _place(text, path)
    there = _pieces(text, start)
    piece = f"{json.dumps(name, ensure_ascii=False)}: {made}" if name else made
    if there:
        gap = text[start + 1 : there[0].start]
        end = there[-1].end
        return text[:end] + "," + (_last_line(gap) if "\n" in gap else " ") + piece + text[end:]
    close = _after_blanks(text, start + 1)
    if is_one_line(text):
        return text[: start + 1] + piece + text[close:]
    line = "\r\n" if "\r\n" in text else "\n"
    margin = _margin(text, start)
    return text[: start + 1] + line + margin + _unit(text) + piece + line + margin + text[close:]


def replaced(text: str, path: Path, made: str) -> str:
    """With another value at this path."""
    *above, last = path
    piece = _piece(text, above, last)
    return text[: piece.at] + made + text[piece.end :]


def without(text: str, path: Path) -> str:
    """Without the piece at this path, and without an object or list that held nothing else."""
    *above, last = path
    start = _place(text, above)
    there = _pieces(text, start)
    if len(there) == 1:
        return without(text, above) if above else text[: start + 1] + text[_after_blanks(text, there[0].end) :]
    gone = _piece(text, above, last)
    number = there.index(gone)
    if number == 0:
        return text[: gone.start] + text[there[1].start :]
    return text[: there[number - 1].end] + text[gone.end :]


def is_one_line(text: str) -> bool:
    """Whether somebody wrote it on one line; what is empty was laid out by nobody."""
    return "\n" not in text.strip() and text.strip() not in ("", "{}")


def laid_out(text: str) -> str:
    """The same document on many lines, for people: a line for each group of hooks."""
    return _laid_out(json.loads(text), "\n", 3)


def _laid_out(value: Any, line: str, levels: int) -> str:
    if not (levels and value and isinstance(value, dict | list)):
        return json.dumps(value, ensure_ascii=False)
    names = (
        [f"{json.dumps(name, ensure_ascii=False)}: " for name in value]
        if isinstance(value, dict)
        else [""] * len(value)
    )
    values = value.values() if isinstance(value, dict) else value
    inner = line + "  "
    pieces = [inner + name + _laid_out(one, inner, levels - 1) for name, one in zip(names, values, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + ",".join(pieces) + line + closing


def _place(text: str, path: Path) -> int:
    """Where the value at a path begins."""
    if not path:
        return _after_blanks(text, 0)
    *above, last = path
    return _piece(text, above, last).at


def _piece(text: str, above: Path, last: str | int) -> Piece:
    return next(piece for piece in _pieces(text, _place(text, above)) if piece.name == last)


def _pieces(text: str, start: int) -> list[Piece]:
    """What the object or list that begins here is made of."""
    found: list[Piece] = []
    here = _after_blanks(text, start + 1)
    while text[here] not in "}]":
        begin = here
        name: str | int = len(found)
        if text[start] == "{":
            name, here = _decode(text, here)
            here = _after_blanks(text, _after_blanks(text, here) + 1)
        _, end = _decode(text, here)
        found.append(Piece(name, begin, here, end))
        here = _after_blanks(text, end)
        if text[here] == ",":
            here = _after_blanks(text, here + 1)
    return found


def _decode(text: str, here: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, here)


def _after_blanks(text: str, here: int) -> int:
    found = _BLANK.match(text, here)
    return found.end() if found else here


def _last_line(gap: str) -> str:
    """A line's end and the blanks at the beginning of the next, without empty lines between."""
    return ("\r\n" if "\r\n" in gap else "\n") + gap.rpartition("\n")[2]


def _margin(text: str, start: int) -> str:
    """The blanks at the beginning of the line on which something stands."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation, as the document has it."""
    root = _after_blanks(text, 0)
    there = _pieces(text, root)
    gap = text[root + 1 : there[0].start] if there else ""
    return gap.rpartition("\n")[2] if "\n" in gap and gap.rpartition("\n")[2] else "  "
