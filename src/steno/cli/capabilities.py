"""`steno capabilities`, `dispatch`: what can be done here, whether it works, and who does it."""

from typing import TYPE_CHECKING, Any, Final

import click

import steno
from steno.cli.show import answer, json_option, one_line, print_json, say
from steno.cli.table import Cell, Column, listed
from steno.cli.where import project_option

if TYPE_CHECKING:
    from steno.vocabulary.fleet import Capability

_COLUMNS: Final = (
    Column("how"),
    Column("name", telling=True),
    Column("command", spare=1),
    Column("kind", spare=3),
    Column("owner", spare=2),
    Column("checked_at", "time", "checked", spare=4),
    Column("about", telling=True),
)
agent_option = click.option("--agent", metavar="A", help="With --project: also what is this agent's own.")
_NONE: Final = "Nothing is known yet. `steno capabilities scan` looks for what there is."
_STYLES: Final = {True: "green", False: "red", None: "dim"}


@click.group(short_help="What can be done here: list, scan, check, tell.", invoke_without_command=True)
@project_option("Only what is seen from this project.")
@agent_option
@json_option
@click.pass_context
def capabilities(ctx: click.Context, project: str | None, agent: str | None, as_json: bool) -> None:
    """What can be done here, and how the last check went: ✓ works, ⚠ failed, – never checked."""
    if ctx.invoked_subcommand is None:
        with steno.open() as memory:
            found = memory.fleet.capabilities.all(project, agent)
        listed(found, _COLUMNS, _row, none=_NONE, as_json=as_json)


@capabilities.command(short_help="Look for scripts, targets, MCP servers, skills.")
@json_option
def scan(as_json: bool) -> None:
    """Look through the folders agents work in and what hosts are told of. Files are read, nothing is run."""
    with steno.open() as memory:
        found = memory.fleet.capabilities.scan()
    none = "Nothing was found. `steno agents tell NAME --project P` names a folder to look in."
    listed(found, _COLUMNS, _row, none=none, as_json=as_json)


@capabilities.command(short_help="Check one, or all.")
@click.argument("name", required=False)
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), default=10.0, show_default=True, help="How long it may take."
)
@json_option
def check(name: str | None, seconds: float, as_json: bool) -> None:
    """Check NAME, or all: your own command is run, without a shell; the rest is looked at whether it is still there."""
    with steno.open() as memory:
        found = memory.fleet.capabilities.check(name, seconds=seconds)
    listed(found, _COLUMNS, _row, none=_NONE, as_json=as_json)


@capabilities.command(short_help="Say what can be done, and how to check it.")
@click.argument("name")
@click.argument("command")
@click.option("--about", default="", help="What it does.")
@click.option("--owner", metavar="AGENT", help="The agent whose it is.")
@click.option("--check", "health", metavar="COMMAND", help="Ends with 0 where it works.")
@project_option("Where it is run.")
@json_option
def tell(
    name: str, command: str, about: str, owner: str | None, health: str | None, project: str | None, as_json: bool
) -> None:
    """Say that NAME can be done with COMMAND."""
    with steno.open() as memory:
        one = memory.fleet.capabilities.tell(name, command, about=about, owner=owner, health=health, project=project)
    answer(one, ("Noted", "green"), f" {one_line(one.name)}", as_json=as_json)


@capabilities.command(short_help="Strike one out.")
@click.argument("name")
@json_option
def drop(name: str, as_json: bool) -> None:
    """Strike NAME out. What lies in a folder is found again by the next scan."""
    with steno.open() as memory:
        one = memory.fleet.capabilities.drop(name)
    answer(one, f"Struck out {one_line(one.name)}", as_json=as_json)


@click.command(short_help="Who can do this?")
@click.argument("request", nargs=-1, required=True)
@project_option("Only what is seen from this project.")
@agent_option
@json_option
def dispatch(request: tuple[str, ...], project: str | None, agent: str | None, as_json: bool) -> None:
    """Say which capability, agent and flow there are for REQUEST, why, and what stands in the way."""
    from steno.vocabulary import Scope

    with steno.open() as memory:
        found = memory.fleet.dispatch(" ".join(request), Scope(project=project, agent=agent))
    if as_json:
        print_json(found)
        return
    able = found.capability
    told: dict[str, Any] = {
        "capability": f"{able.sign} {able.command}" if able else None, "agent": found.agent, "flow": found.flow,
    }  # fmt: skip
    for name, text in told.items():
        say((f"{name:<11} ", "dim"), one_line(text) if text else ("none", "yellow"))
    for reason in found.reasons:
        say(("because     ", "dim"), one_line(reason))
    for one in found.missing:
        say(("missing     ", "yellow"), one_line(one))


def _row(one: "Capability") -> list[Cell]:
    about = one.said if one.passed is False else one.about
    return [(one.sign, _STYLES[one.passed]), one.name, one.command, one.kind, one.owner, one.checked_at, about]
