"""`steno work`: pieces of work, and ending one."""

import os
from typing import TYPE_CHECKING, Final

import click

from steno.cli.checkpoint import print_checkpoint
from steno.cli.entries import flat, listing
from steno.cli.progress import learnt
from steno.cli.show import json_option, print_json, say
from steno.cli.table import Cell, Column, table
from steno.cli.words import many, when

if TYPE_CHECKING:
    from steno.vocabulary import Entry
    from steno.vocabulary.works import PieceOfWork

_ENDS: Final = {"finish": "finished", "drop": "dropped"}
_COLUMNS: Final = (
    Column("id", "id"),
    Column("status", spare=1),
    Column("phase", spare=2),
    Column("begun_at", "time", "since", spare=3),
    Column("done", "number"),
    Column("next", "number"),
    Column("sessions", "number", spare=4),
    Column("project", "path", spare=5),
    Column("goal", telling=True),
)


@click.command(short_help="List pieces of work, show one, or end it.")
@click.argument("words", metavar="[finish|drop] [ID]", nargs=-1)
@json_option
def work(words: tuple[str, ...], as_json: bool) -> None:
    """List pieces of work, those at hand first; show the one with this ID whole; or say that it is finished or dropped.

    A new goal begins one; it survives sessions. `finish` and `drop` without an ID mean the one at hand in this folder's
    project. Its open tasks end with it.
    """
    from steno.pipeline.workbook import stands

    status = _ENDS.get(words[0]) if words else None
    names = words[1:] if status else words
    if len(names) > 1:
        raise click.UsageError("give one ID, or `finish` or `drop` and an ID")
    with learnt() as memory:
        works = memory.works
        if not words:
            found = works.all()
            if as_json:
                print_json(*map(stands, found))
            else:
                _list(found)
            return
        one = works.one(names[0]) if names else works.at_hand(memory.project_of(os.getcwd()))
        one = works.end(one, status) if status else one  # type: ignore[arg-type]
        entries = works.entries(one)
    if as_json:
        print_json({**stands(one), "trail": one.checkpoint.trail, "entries": [flat(entry) for entry in entries]})
    elif status:
        say((status.capitalize(), "green"), f" {one.id}: {one.goal.splitlines()[0]}")
    else:
        _show(one, entries)


def _list(found: "list[PieceOfWork]") -> None:
    if found:
        table(_COLUMNS, [_row(one) for one in found])
    else:
        say("No pieces of work yet. `steno capture --all` reads the whole history.")


def _row(one: "PieceOfWork") -> list[Cell]:
    point, goal = one.checkpoint, one.goal.splitlines()[0]
    style = "" if one.status == "active" else "dim"
    facts = [one.id, one.status, one.phase, one.begun_at, len(point.done), len(point.next), one.sessions, one.project]
    return [*facts, (goal, style)]


def _show(one: "PieceOfWork", learnt: "list[Entry]") -> None:
    ended = f" until {when(one.ended_at)}" if one.ended_at else ""
    say((one.id, "bold"), f"  {one.status}, since {when(one.begun_at)}{ended}, {many(one.sessions, 'session')}")
    print_checkpoint(one.checkpoint)
    if learnt:
        say()
        say(("learnt in it", "bold"))
        listing(learnt)
