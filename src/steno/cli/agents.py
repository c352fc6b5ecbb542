"""`steno agents`: who works here, what for, and whether they may begin by themselves."""

from typing import TYPE_CHECKING, Any, Final

import click

import steno
from steno.cli.show import answer, json_option, one_line, print_json, say
from steno.cli.table import Column, listed
from steno.cli.words import ago, many

if TYPE_CHECKING:
    from steno.vocabulary.fleet import Agent, Readiness

_COLUMNS: Final = (
    Column("name"),
    Column("hosts", spare=1),
    Column("projects", telling=True),
    Column("sessions", "number", spare=2),
    Column("unread", "number", spare=3),
    Column("heard_at", "time", "heard"),
    Column("mission", telling=True),
)


@click.group(short_help="Who works here: list, show, tell, north star.", invoke_without_command=True)
@json_option
@click.pass_context
def agents(ctx: click.Context, as_json: bool) -> None:
    """Agents: those of captured sessions, and those you name. Without a verb all of them are listed."""
    if ctx.invoked_subcommand is not None:
        return
    with steno.open() as memory:
        found = memory.fleet.agents.all()
    none = "No agents yet. `steno capture --all` meets those that worked here."
    listed(found, _COLUMNS, _row, none=none, as_json=as_json)


@agents.command(short_help="Show one, and what it lacks for self-direction.")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Show the agent NAME: its place, its north star, and whether it may begin work by itself."""
    with steno.open() as memory:
        agent, ready = memory.fleet.agents.one(name), memory.fleet.agents.ready(name)
    if as_json:
        print_json({"agent": agent, "ready": ready.is_ready, "conditions": ready.conditions})
    else:
        _show(agent, ready)


@agents.command(short_help="Say something about an agent, known or new.")
@click.argument("name")
@click.option("--host", help="Its host: sessions of this host in its projects are this agent's.")
@click.option("--project", "projects", multiple=True, metavar="P", help="Where it works; once for each project.")
@click.option("--domain", "domains", multiple=True, metavar="D", help="A field whose messages it gets; once for each.")
@click.option("--resume", metavar="COMMAND", help="The command line that wakes it in its own session.")
@click.option("--webhook", metavar="URL", help="The address that wakes it.")
@json_option
def tell(
    name: str, host: str | None, projects: tuple[str, ...], domains: tuple[str, ...], resume: str | None,
    webhook: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Say where the agent NAME works and how it is woken. What is not given stays as it is."""
    from steno.cli.where import whole

    with steno.open() as memory:
        agent = memory.fleet.agents.tell(
            name, host=host, projects=tuple(map(whole, projects)) or None, domains=domains or None, resume=resume,
            webhook=webhook,
        )  # fmt: skip
    _told(agent, as_json=as_json)


@agents.command("north-star", short_help="Give an agent its permanent mission.")
@click.argument("name")
@click.argument("mission")
@click.option("--work", multiple=True, help="What it may begin by itself, again and again; once for each, in order.")
@json_option
def north_star(name: str, mission: str, work: tuple[str, ...], as_json: bool) -> None:
    """Give the agent NAME its north star: MISSION, and the work it may begin by itself. It takes the last one's place.

    It is never done and never decays, and stands in every boot of that agent.
    """
    with steno.open() as memory:
        agent = memory.fleet.agents.point(name, mission, work)
    _told(agent, as_json=as_json)


@agents.command(short_help="An agent says that it is alive.")
@click.argument("name")
@json_option
def beat(name: str, as_json: bool) -> None:
    """Note that the agent NAME was heard of now."""
    with steno.open() as memory:
        memory.fleet.agents.beat(name)
        agent = memory.fleet.agents.one(name)
    _told(agent, as_json=as_json)


def _told(agent: "Agent", *, as_json: bool) -> None:
    answer(agent, ("Noted", "green"), f" {one_line(agent.name)}", as_json=as_json)


def _row(one: "Agent") -> list[Any]:
    mission = one.facts.star.mission if one.facts.star else None
    places = ", ".join(one.projects)
    return [one.name, ", ".join(one.hosts), places, one.sessions, one.unread, one.heard_at, mission]


def _show(agent: "Agent", ready: "Readiness") -> None:
    facts = agent.facts
    heard = f"heard of {ago(agent.heard_at)}" if agent.heard_at else "never heard of"
    say((one_line(agent.name), "bold"), f"  {many(agent.sessions, 'session')}, {heard}")
    told = {
        "host": ", ".join(agent.hosts), "projects": ", ".join(agent.projects), "domains": ", ".join(facts.domains),
        "resume": facts.resume, "webhook": facts.webhook, "mission": facts.star.mission if facts.star else "",
    }  # fmt: skip
    for name, text in told.items():
        if text:
            say((f"{name:<10}", "dim"), one_line(text))
    for place, text in enumerate(facts.star.work if facts.star else (), 1):
        say((f"{f'work {place}':<10}", "dim"), one_line(text))
    words = ("ready for self-direction", "green") if ready.is_ready else ("waits for instructions", "yellow")
    say(words)
    for condition in ready.conditions:
        say(
            ("  ✓ ", "green") if condition.holds else ("  ✗ ", "red"), f"{condition.name}: {one_line(condition.detail)}"
        )
