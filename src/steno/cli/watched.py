"""`steno watch`: files and folders somebody wants to know of when they change."""

from typing import Final

import click

import steno
from steno.cli.show import answer, json_option, print_json, say
from steno.cli.table import Column, table

_COLUMNS: Final = (
    Column("path", telling=True),
    Column("files", "number"),
    Column("since", "time", spare=1),
    Column("looked_at", "time", "looked"),
    Column("changed_at", "time", "changed"),
)


@click.group(short_help="Tell when files change: list, add, remove.", invoke_without_command=True)
@json_option
@click.pass_context
def watch(ctx: click.Context, as_json: bool) -> None:
    """Files and folders that are watched. A job looks every 15 minutes.

    A change is a flag (`steno flags`) until somebody settles it.
    """
    if ctx.invoked_subcommand is not None:
        return
    with steno.open() as memory:
        found = memory.fleet.watches.all()
    rows = [[one.path, len(one.files or ()), one.since, one.looked_at, one.changed_at] for one in found]
    if as_json:
        print_json(*(dict(zip([column.name for column in _COLUMNS], row, strict=True)) for row in rows))
    elif rows:
        table(_COLUMNS, rows)
    else:
        say("Nothing is watched. `steno watch add PATH` begins.")


@watch.command(short_help="Watch a file or a folder.")
@click.argument("path", type=click.Path())
@json_option
def add(path: str, as_json: bool) -> None:
    """Tell when the file or folder PATH is not as it is now. Its words are not kept, only a mark of each file."""
    with steno.open() as memory:
        one = memory.fleet.watches.add(path)
    facts = {"path": one.path, "files": len(one.files or ()), "since": one.since}
    answer(facts, ("Watched", "green"), f" {one.path}", as_json=as_json)


@watch.command(short_help="Watch it no more.")
@click.argument("path", type=click.Path())
@json_option
def remove(path: str, as_json: bool) -> None:
    """PATH may change as it likes."""
    with steno.open() as memory:
        one = memory.fleet.watches.remove(path)
    answer({"path": one.path}, ("Not watched any more", "green"), f": {one.path}", as_json=as_json)
