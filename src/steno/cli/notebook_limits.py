"""`steno notebook limits`: how full the files are that hosts load at the start, and what they would cut."""

from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import json_option, one_line, say
from steno.cli.table import Cell, Column, listed
from steno.cli.words import share

if TYPE_CHECKING:
    from steno.vocabulary.notebooks import Limit

_COLUMNS: Final = (
    Column("host", spare=1),
    Column("file", "path", telling=True),
    Column("used", "number"),
    Column("most", "number"),
    Column("unit"),
    Column("share", "right"),
)


@click.command(short_help="Show what hosts would cut from files they load.")
@json_option
def limits(as_json: bool) -> None:
    """Show how full the files are that hosts load when a session starts, and what they would leave out in silence.

    OpenClaw reads 20,000 characters of a file and 60,000 of a workspace, unless its configuration says otherwise, and
    drops what is in the middle. Claude Code reads 200 lines of the memory it keeps, Hermes 2,200 and 1,375 characters.
    What is over 90 % of that stands in `steno status` and in the handoff, too.
    """
    with steno.open() as memory:
        found = memory.limits()
    for one in listed(found, _COLUMNS, _row, none="No host on this machine has such a file.", as_json=as_json):
        if one.cut:
            lines = f"{one.path} lines {one.cut.first:,}-{one.cut.last:,}, {one.cut.characters:,} characters: "
            ends = f" … {one_line(one.cut.ends)}" if one.cut.ends else ""
            say(("cut  ", "red"), f"{lines}“{one_line(one.cut.begins)}{ends}”")


def _row(one: "Limit") -> list[Cell]:
    style = "red" if one.used > one.most else "yellow" if one.is_near else ""
    return [one.host, one.path, one.used, one.most, one.unit, (share(one.used / one.most), style)]
