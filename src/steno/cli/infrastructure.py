"""`steno infrastructure`: the machine agents work on, as it is now."""

from typing import Final

import click

import steno
from steno.cli.show import json_option, print_json, say
from steno.cli.table import Column, table

_COLUMNS: Final = (Column("state"), Column("what", telling=True), Column("told", telling=True))
_STATES: Final = {True: ("ok", "green"), False: ("not well", "red"), None: ("not known", "yellow")}


@click.command(short_help="Look at disks, services, jobs.")
@json_option
def infrastructure(as_json: bool) -> None:
    """Look at the machine now: disks, this user's services, jobs.

    Nothing is changed or kept. A job looks every 10 minutes, and raises a flag for what went wrong.
    """
    with steno.open() as memory:
        found = memory.fleet.infrastructure.look()
    if as_json:
        print_json(*found)
        return
    table(_COLUMNS, [[_STATES[one.ok], one.what, one.detail] for one in found])
    for one in found:
        if one.mend:
            say(("mend  ", "dim"), one.mend)
