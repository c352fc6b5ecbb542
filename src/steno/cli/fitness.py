"""`steno fitness`: how fit each agent is, in every dimension that is measured, and how it was before."""

from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import json_option, print_json, say
from steno.cli.table import Cell, Column, table

if TYPE_CHECKING:
    from steno.vocabulary.fitness import Fitness

_AGENTS: Final = (Column("agent", telling=True), Column("score", "right"), Column("known", "right"), Column("history"))
_DIMENSIONS: Final = (
    Column("dimension"),
    Column("value", "right"),
    Column("worth", "right"),
    Column("history"),
    Column("about", telling=True, spare=1),
)


@click.command(short_help="Show how fit agents are, and what was measured.")
@click.argument("agent", required=False)
@json_option
def fitness(agent: str | None, as_json: bool) -> None:
    """How fit agents are now, from 0 to 100; of one AGENT, every dimension with what it is worth and its history.

    Each dimension that is known and has a better and a worse side counts the same; docs/fitness.md has them all. A job
    measures every 30 minutes. Nothing is kept by looking.
    """
    with steno.open() as memory:
        names = None if agent is None else [memory.fleet.agents.one(agent).name]
        now, history = memory.fleet.fitness.measure(names), memory.fleet.fitness.history(agent)
    if as_json:
        print_json(*now)
    elif not now:
        say("No agent was heard of in the last month. `steno agents` lists those there are.")
    elif agent is None:
        table(_AGENTS, [_agent(one, history) for one in now])
    else:
        score = now[0].score
        say((now[0].agent, "bold"), "  not known" if score is None else f"  {score:.0f} of 100")
        table(_DIMENSIONS, list(_dimensions(now[0], history)))


def _agent(one: "Fitness", history: "list[Fitness]") -> list[Cell]:
    from steno.fleet.fitness import DIMENSIONS, sparkline

    scores = [*(was.score for was in history if was.agent == one.agent), one.score]
    score = "not known" if one.score is None else f"{one.score:.0f}"
    return [one.agent, score, f"{len(one.values)} of {len(DIMENSIONS)}", sparkline(scores)]


def _dimensions(one: "Fitness", history: "list[Fitness]") -> "list[list[Cell]]":
    from steno.fleet.fitness import DIMENSIONS, sparkline
    from steno.fleet.morning import shown

    rows: list[list[Cell]] = []
    for name, dimension in DIMENSIONS.items():
        value = one.values.get(name)
        worth = dimension.worth(value)
        style = "" if worth is None else "red" if worth < 0.5 else "green"
        line = sparkline([*(was.values.get(name) for was in history), value])
        told = (f"{worth:.0%}", style) if worth is not None else None
        rows.append([name, shown(dimension, value), told, line, dimension.about])
    return rows
