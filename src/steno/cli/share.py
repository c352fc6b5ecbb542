"""`steno share`: let another project or agent see something, list what is shared, take it back."""

import os
from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import json_option, one_line, print_json, say
from steno.cli.table import Cell, Column, listed

if TYPE_CHECKING:
    from steno.vocabulary.shares import Shared

_ALL: Final = "all"
_COLUMNS: Final = (Column("what"), Column("with", telling=True), Column("since", "time"), Column("says", telling=True))


@click.command(short_help="Let another project or agent see something.")
@click.argument("what", required=False)
@click.option("--with", "whom", metavar="WHOM", help="A project's folder, an agent's name, or all.")
@click.option("--take-back", is_flag=True, help="Share it no more; without --with, with nobody.")
@json_option
def share(what: str | None, whom: str | None, take_back: bool, as_json: bool) -> None:
    """Let WHOM see WHAT: an entry by its id (a rule has its entry's), a flow by its name, or what stands on a page of
    the notebook now (shop/topics/infrastructure/operations.md).

    What is said in a project is seen there, what was recorded for one agent by that agent, and nothing anywhere else
    unless it is shared. Without WHAT, what is shared.
    """
    if what is None and (whom or take_back):
        raise click.UsageError("say what to share: an entry's id, a flow's name or a page")
    if what is not None and not (whom or take_back):
        raise click.UsageError("say with whom: --with all, an agent's name, or a project's folder")
    with steno.open() as memory:
        if what is None:
            none = "Nothing is shared: what belongs to a project or an agent is seen there only."
            listed(memory.sharing.all(), _COLUMNS, _row, none=none, as_json=as_json)
            return
        project, agent = _named(whom)
        if take_back:
            done = memory.sharing.take_back(what, project=project or None, agent=agent or None)
        else:
            done = memory.sharing.share(what, project=project, agent=agent)
    if as_json:
        print_json(*done)
    elif not done:
        say("It was not shared with them. `steno share` lists what is.")
    for one in () if as_json else done:
        did = ("No longer shared with ", "yellow") if take_back else ("Shared with ", "green")
        say(did, f"{_with(one)}: ", (one.what, "bold"), f"  {one_line(one.text)}".rstrip())


def _named(whom: str | None) -> tuple[str, str]:
    """Project and agent that are meant: a path is a project."""
    if whom is None or whom == _ALL:
        return "", ""
    folder = os.path.expanduser(whom)
    is_project = os.sep in whom or folder in (".", "..", "~")
    return (os.path.abspath(folder), "") if is_project else ("", whom)


def _with(one: "Shared") -> str:
    return " in ".join(name for name in (one.agent, one.project) if name) or "everybody"


def _row(one: "Shared") -> list[Cell]:
    return [one.what, _with(one), one.since, one.text]
