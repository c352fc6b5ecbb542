"""How things look: JSON for programs, plain lines in a pipe, lines that fit and colours on a terminal.

What a transcript holds may be hostile. Everything shown to a person goes through `plain`, and reaches rich as text,
never as markup.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import click

from steno.hidden import encoded, shown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

# A piece of a line: text, or text with a style.
Piece = str | tuple[str, str]

# Below this nothing can be laid out; beyond that nobody follows a paragraph from line to line.
_NARROWEST: Final = 40
_READABLE: Final = 100
_INDENT: Final = re.compile(r" *(?:- )?")


def plain(text: str) -> str:
    """Text that cannot drive a terminal or hide anything: what is not seen becomes an escape that is."""
    return shown(text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(plain(text).split())


def on_terminal() -> bool:
    return sys.stdout.isatty()


def laid_out() -> bool:
    """Whether what is printed is laid out for a person: on a terminal, or in a pipe as wide as COLUMNS says."""
    return on_terminal() or _columns() > 0


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    return int(given) if given.isascii() and given.isdigit() else 0


def width() -> int:
    """How many columns a line may take."""
    return max(_columns() or console().width, _NARROWEST)


def say(*pieces: Piece) -> None:
    """One line; for a person in colour, and broken where the page ends, under where its last part began."""
    pieces = tuple(map(_plain, pieces))
    if not laid_out():
        print("".join(piece if isinstance(piece, str) else piece[0] for piece in pieces))
        return
    from rich.text import Text

    whole = Text.assemble(*pieces)
    for line in [whole] if whole.cell_len <= width() else _broken(pieces):
        console().print(line, soft_wrap=True)


def facts(known: Mapping[str, str | None], wide: int) -> None:
    """What is known of something, a line each: a name in so many columns, and the words, where there are any."""
    for name, words in known.items():
        if words:
            say((f"{name:<{wide}}", "dim"), one_line(words))


def verbatim(text: str, style: str = "") -> None:
    """Something to be copied: its lines are never broken."""
    if not laid_out():
        print(plain(text))
        return
    from rich.text import Text

    console().print(Text(plain(text), style=style), soft_wrap=True)


def _plain(piece: Piece) -> Piece:
    return plain(piece) if isinstance(piece, str) else (plain(piece[0]), piece[1])


def _broken(pieces: Sequence[Piece]) -> "Iterator[Text]":
    """The lines of a line that is too long. Pieces that end in a blank are labels: what follows stays beside them."""
    from rich.text import Text

    first = next((n for n, piece in enumerate(pieces) if not _words(piece).endswith(" ")), len(pieces) - 1)
    label, rest = Text.assemble(*pieces[:first]), Text.assemble(*pieces[first:])
    indent = len(_INDENT.match(rest.plain)[0])  # type: ignore[index]  # it matches also nothing
    label, rest = label + rest[:indent], rest[indent:]
    if label.cell_len > width() // 2:
        label, rest = Text(), label + rest
    for number, line in enumerate(rest.wrap(console(), width() - label.cell_len, tab_size=4)):
        line.rstrip()
        yield Text.assemble(" " * label.cell_len if number else label, line)


def wrapped(text: str, most: int) -> list[str]:
    """Text in lines of at most so many columns, broken between words where that is possible."""
    from rich.text import Text

    return [line.plain.rstrip() for line in Text(plain(text)).wrap(console(), most, tab_size=4)]


def cut(text: str, most: int) -> str:
    """A line of at most so many columns; where something is missing, it says so."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= most else set_cell_size(text, most - 1).rstrip() + "…"


def _words(piece: Piece) -> str:
    return piece if isinstance(piece, str) else piece[0]


def paragraph(text: str) -> None:
    """A longer text, indented, so that it cannot pose as anything but a text."""
    if not laid_out():
        print("\n".join(f"  {line}".rstrip() for line in plain(text).split("\n")))
        return
    for line in wrapped(text, min(width(), _READABLE) - 2):
        console().print(f"  {line}".rstrip(), soft_wrap=True)


@cache
def console() -> "Console":
    """Standard output as rich knows it."""
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            raise  # nobody reads on: that is no failure, and `trouble` says so

    return Quiet(markup=False, highlight=False, emoji=False)


def print_json(*values: Any) -> None:
    """One object per line, in UTF-8 whatever the locale says."""
    for value in values:
        write(encoded(value) + b"\n")


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
