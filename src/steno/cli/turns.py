"""`steno turns`: what was said in a session."""

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

import steno
from steno.cli.show import json_option, laid_out, paragraph, print_json, say
from steno.cli.words import when

if TYPE_CHECKING:
    from steno.vocabulary import JournalTurn

_STYLES = {"user": "bold green", "assistant": "bold cyan", "tool": "yellow", "system": "magenta"}
# Of a tool's input or output a person on a terminal wants the beginning.
_LONG = ("call", "result", "thinking")
_LINES, _CHARACTERS = 12, 1200
# So many turns before and after the one that is asked for.
_BESIDE = 3


class _Number(click.ParamType[int]):
    """The number of a turn, as it is typed or as pages print it: `12`, `#12`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Without its sign."""
        number = str(value).removeprefix("#")
        if not (number.isascii() and number.isdecimal()):
            self.fail(f"{value!r} is no number of a turn; write 12", param, ctx)
        return int(number)


@click.command(short_help="Print the turns of a session.")
@click.argument("session")
@click.option("--around", metavar="N", type=_Number(), help="Only the turn of this number, with those beside it.")
@json_option
def turns(session: str, around: int | None, as_json: bool) -> None:
    """Print the turns of SESSION: its id, the beginning of its id, or `latest`.

    Recall names the turns it finds by their numbers (`#12`); `--around 12` shows that one whole and where it stands.
    """
    with steno.open() as memory:
        found = memory.turns(session)
        for turn in found if around is None else _around(found, around):
            if as_json:
                print_json(_flat(turn))
            else:
                _print(turn)


def _around(turns: "Iterable[JournalTurn]", number: int) -> "list[JournalTurn]":
    """A turn with those just before and after it."""
    from steno.vocabulary.errors import UnknownTurn

    every = iter(turns)
    before: deque[JournalTurn] = deque(maxlen=_BESIDE)
    for turn in every:
        if turn.id == number:
            return [*before, turn, *islice(every, _BESIDE)]
        before.append(turn)
    raise UnknownTurn(f"there is no turn {number} in this session", hint="`steno turns SESSION` shows their numbers")


def _flat(turn: "JournalTurn") -> dict[str, Any]:
    from msgspec import structs

    said = structs.asdict(turn.turn)
    first = {name: said.pop(name) for name in ("role", "kind", "text")}
    return {"id": turn.id, "source": turn.source, "session": turn.session, **first, **said}


def _print(turn: "JournalTurn") -> None:
    said = turn.turn
    outcome = " failed" if said.failed else ""
    status = f" exit {said.exit_status}" if said.exit_status is not None else ""
    who = "file" if said.kind == "note" else said.role
    kind = "" if said.kind == "said" else f" {said.kind}"
    at = when(said.at) if laid_out() else said.at or ""
    tool = f" {said.tool}" if said.tool else ""
    say((who, _STYLES.get(who, "")), kind, tool, (outcome + status, "red"), (f"  #{turn.id}  {at}".rstrip(), "dim"))
    if laid_out() and said.kind in _LONG:
        _beginning(said.text)
    elif said.text:
        paragraph(said.text)
    say()


def _beginning(text: str) -> None:
    shown = "\n".join(text[:_CHARACTERS].split("\n")[:_LINES])
    if shown:
        paragraph(shown)
    if len(shown) < len(text):
        say((f"  … {len(text) - len(shown):,} more characters: in a pipe or with --json", "dim"))
