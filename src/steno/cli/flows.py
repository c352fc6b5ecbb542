"""`steno flows`: named procedures, their record, and what people do with them."""

from typing import TYPE_CHECKING, Any

import click

from steno.cli.progress import learnt
from steno.cli.show import answer, json_option, one_line, print_json, say
from steno.cli.table import Cell, Column, listed, table
from steno.cli.where import project_option

if TYPE_CHECKING:
    from steno.vocabulary import Flow

_COLUMNS = (
    Column("name", telling=True),
    Column("record"),
    Column("health", spare=1),
    Column("status"),
    Column("domain", spare=2),
    Column("triggers", telling=True),
)
_STATUSES = click.Choice(["active", "candidate", "retired"])
_project = project_option("Only what holds in this project.")
_steps = click.option("--step", "steps", multiple=True, help="What is to be done; once for each step, in order.")
_triggers = click.option("--trigger", "triggers", multiple=True, help="A phrase that calls for it; once for each.")


@click.group(short_help="Procedures: list, find, make, change, grade.", invoke_without_command=True)
@json_option
@click.pass_context
def flows(ctx: click.Context, as_json: bool) -> None:
    """Named procedures with their steps, what calls for them, and how often they went well.

    Without a verb all of them are listed. Candidates were learnt from transcripts and wait for `activate`.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_, as_json=as_json)


@flows.command("list", short_help="List flows with their record.")
@click.option("--status", type=_STATUSES, help="Only these.")
@_project
@json_option
def list_(status: str | None = None, project: str | None = None, as_json: bool = False) -> None:
    """List flows: those in force, then candidates, then retired ones."""
    with learnt() as memory:
        found = memory.flows.all(status, project)
    listed(found, _COLUMNS, _row, none="No flows.", as_json=as_json, flat=flat)


@flows.command(short_help="Find the flow for something.")
@click.argument("text", nargs=-1, required=True)
@_project
@json_option
def find(text: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Find the flow that TEXT calls for, by the words of its triggers, name and steps."""
    with learnt() as memory:
        found = memory.flows.find(" ".join(text), project)
    if as_json:
        print_json(*({**flat(flow), "score": round(score, 3)} for flow, score in found))
    elif not found:
        say("No flow fits.")
    else:
        _print(found[0][0])
        if others := [flow.name for flow, _ in found[1:]]:
            say((f"also: {', '.join(others)}", "dim"))


@flows.command(short_help="Show a flow whole.")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Show the flow NAME with its steps, its record and that of its earlier versions."""
    with learnt() as memory:
        flow = memory.flows.one(name)
    if as_json:
        print_json(flat(flow))
        return
    _print(flow)
    for before in flow.history:
        say((f"version {before.version}: {before.succeeded} of {before.succeeded + before.failed} went well", "dim"))


@flows.command(short_help="Make a flow.")
@click.argument("name")
@_steps
@_triggers
@click.option("--domain", default="GENERAL", show_default=True, help="The field of work it belongs to.")
@click.option("--agent", help="The agent it is for; else all.")
@project_option("The project it holds in; else everywhere.")
@click.option("--needs-approval", is_flag=True, help="A person must agree before it is begun.")
@json_option
def add(name: str, as_json: bool, **fields: Any) -> None:
    """Make the flow NAME, in force at once. NAME is lower case with hyphens: deploy-to-production."""
    with learnt() as memory:
        _tell("Made", memory.flows.add(name, **fields), as_json=as_json)


@flows.command(short_help="Change a flow.")
@click.argument("name")
@_steps
@_triggers
@click.option("--domain", help="The field of work it belongs to.")
@click.option("--agent", help="The agent it is for.")
@project_option("The project it holds in.")
@click.option("--needs-approval/--no-approval", default=None, help="Whether a person must agree before it is begun.")
@json_option
def edit(name: str, as_json: bool, **fields: Any) -> None:
    """Change what is given. Other steps make a new version, with its own record; the old one is kept."""
    given = {field: value for field, value in fields.items() if value not in (None, ())}
    with learnt() as memory:
        _tell("Changed", memory.flows.edit(name, **given), as_json=as_json)


@flows.command(short_help="Say how a flow went.")
@click.argument("name")
@click.argument("went", type=click.Choice(["pass", "fail"]))
@click.argument("summary", required=False, default="")
@json_option
def outcome(name: str, went: str, summary: str, as_json: bool) -> None:
    """The flow NAME was followed to its end, and went well (pass) or not (fail)."""
    with learnt() as memory:
        _tell("Noted", memory.flows.outcome(name, went == "pass", summary), as_json=as_json)


@flows.command(short_help="Put a candidate in force.")
@click.argument("name")
@json_option
def activate(name: str, as_json: bool) -> None:
    """Put the candidate, or the retired flow, NAME in force."""
    with learnt() as memory:
        _tell("In force:", memory.flows.activate(name), as_json=as_json)


@flows.command(short_help="Take a flow out of force.")
@click.argument("name")
@json_option
def retire(name: str, as_json: bool) -> None:
    """Take the flow NAME out of force. Its record stays; a candidate does not come up again."""
    with learnt() as memory:
        _tell("Retired", memory.flows.retire(name), as_json=as_json)


def _tell(what: str, flow: "Flow", *, as_json: bool) -> None:
    from steno.flows.record import shown

    answer(flat(flow), (what, "green"), f" {flow.name}, version {flow.version}, {shown(flow)}.", as_json=as_json)


def flat(flow: "Flow") -> dict[str, Any]:
    """A flow as programs read it."""
    import msgspec

    return {
        **msgspec.to_builtins(flow),
        "used": flow.used,
        "effectiveness": flow.effectiveness,
        "health": _health(flow),
    }


def listing(found: "list[Flow]") -> None:
    """A line for each flow."""
    table(_COLUMNS, [_row(flow) for flow in found])


def _row(flow: "Flow") -> list[Cell]:
    from steno.flows.record import shown

    return [flow.name, shown(flow), _health(flow), flow.status, flow.domain, "; ".join(flow.triggers)]


def _print(flow: "Flow") -> None:
    from steno.flows.record import shown

    approval = "needs approval" if flow.needs_approval else "no approval needed"
    say((flow.name, "bold"), f"   {shown(flow)}   {_health(flow)}   {flow.status}   {approval}")
    for number, step in enumerate(flow.steps, 1):
        say(f"  {number}  {one_line(step)}")
    for label, value in (("called by", "; ".join(flow.triggers)), ("project", flow.project), ("agent", flow.agent)):
        if value:
            say((f"{label}: {one_line(value)}", "dim"))


def _health(flow: "Flow") -> str:
    from steno.clock import utc_now
    from steno.flows.record import health

    return health(flow, utc_now())
