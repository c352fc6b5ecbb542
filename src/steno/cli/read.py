"""`steno read`: a page of the notebook by its name."""

from typing import Final

import click

import steno
from steno.cli.show import json_option, laid_out, plain, print_json, say
from steno.cli.table import Column, listed
from steno.cli.where import project_option

_COLUMNS: Final = (Column("name", telling=True), Column("bytes", "number"), Column("changed", "time"))


@click.command(short_help="Read a page of the notebook by its name or topic.")
@click.argument("name", nargs=-1)
@project_option("Only pages of this project.")
@click.option("--agent", metavar="A", help="Only what this agent may read.")
@json_option
def read(name: tuple[str, ...], project: str | None, agent: str | None, as_json: bool) -> None:
    """Read the page NAME of the notebook: its path, the end or the beginning of that, or words it is about.

    Without a name, what there is.
    """
    with steno.open() as memory:
        if not name:
            none = "There are no pages yet. They are written while sessions go on."
            found = memory.pages.all(project, agent)
            listed(found, _COLUMNS, lambda page: [page.name, page.bytes, page.changed_at], none=none, as_json=as_json)
            return
        page = memory.pages.read(" ".join(name), project, agent)
    if as_json:
        print_json(page)
        return
    if laid_out():
        say((page.name, "dim"))
    for line in plain(page.text).rstrip("\n").split("\n"):
        say((line, "bold") if line.startswith("#") else line)
