"""How things look: JSON for programs, plain lines in a pipe, tables and colours on a terminal.

What a transcript holds may be hostile. Everything shown to a person goes through `plain`, and reaches rich as text,
never as markup.
"""

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from steno.cli.hidden import escaped, shown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

# A piece of a line: text, or text with a style.
Piece = str | tuple[str, str]


def plain(text: str) -> str:
    """Text that cannot drive a terminal or hide anything: what is not seen becomes an escape that is."""
    return shown(text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(plain(text).split())


def on_terminal() -> bool:
    """Whether a person is looking."""
    return sys.stdout.isatty()


def say(*pieces: Piece) -> None:
    """One line, in colour on a terminal."""
    if not on_terminal():
        print("".join(piece if isinstance(piece, str) else piece[0] for piece in map(_plain, pieces)))
        return
    from rich.text import Text

    console().print(Text.assemble(*map(_plain, pieces)), soft_wrap=True)


def _plain(piece: Piece) -> Piece:
    return plain(piece) if isinstance(piece, str) else (plain(piece[0]), piece[1])


def paragraph(text: str) -> None:
    """A longer text, indented, so that it cannot pose as anything but a text."""
    if not on_terminal():
        print("\n".join(f"  {line}".rstrip() for line in plain(text).split("\n")))
        return
    from rich.text import Text

    for line in Text(plain(text)).wrap(console(), console().width - 2, tab_size=4):
        line.rstrip()
        console().print(Text.assemble("  ", line), soft_wrap=True)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows under a heading. A column whose name ends in `>` is set to the right."""
    names, right = [column.rstrip(">") for column in columns], [column.endswith(">") for column in columns]
    cells = [[one_line(cell) or "-" for cell in row] for row in rows]
    if on_terminal():
        console().print(_table(names, right, cells))
        return
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    for row in [names, *cells]:
        padded = [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)]
        print("  ".join(padded).rstrip())


def _table(names: Sequence[str], right: Sequence[bool], cells: list[list[str]]) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold", show_edge=False)
    for name, to_the_right in zip(names, right, strict=True):
        made.add_column(name, justify="right" if to_the_right else "left", no_wrap=to_the_right, overflow="fold")
    for row in cells:
        made.add_row(*[Text(cell, style="dim" if cell == "-" else "") for cell in row])
    return made


@cache
def console() -> "Console":
    """Standard output as rich knows it."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


def print_json(*values: Any) -> None:
    """One object per line, in UTF-8 whatever the locale says."""
    for value in values:
        write(as_json_line(value) + b"\n")


def as_json_line(value: Any) -> bytes:
    """A value as JSON without anything that could drive a terminal or hide."""
    import msgspec

    try:
        encoded = msgspec.json.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8
        encoded = msgspec.json.encode(_mended(msgspec.to_builtins(value)))
    return escaped(encoded)


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return valid(value)
    if isinstance(value, dict):
        return {_mended(key): _mended(inner) for key, inner in value.items()}
    return [_mended(inner) for inner in value] if isinstance(value, list) else value


def valid(text: str) -> str:
    """The same text, or with the bytes of a file name that are not UTF-8 written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def write(data: bytes) -> None:
    """Bytes to standard output."""
    sys.stdout.buffer.write(data)


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """For each id its beginning, long enough to tell it from the others."""
    ordered, short = sorted(set(ids)), {}
    for before, id_, after in zip(["", *ordered], ordered, [*ordered[1:], ""], strict=False):
        short[id_] = id_[: max(8, _in_common(id_, before) + 1, _in_common(id_, after) + 1)]
    return short


def _in_common(one: str, other: str) -> int:
    """How many characters two ids begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
