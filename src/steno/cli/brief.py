"""`steno brief`, `steno boot`, `steno receipts`: what an agent is told, and the proof that it was."""

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

import steno
from steno.cli.progress import learnt
from steno.cli.show import answer, json_option, laid_out, print_json, say
from steno.cli.table import Cell, Column, listed
from steno.cli.where import Moment, project_option
from steno.cli.words import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steno.memory import Memory
    from steno.vocabulary import Briefing, Receipt

_COLUMNS = (
    Column("when", "time"),
    Column("what"),
    Column("why", spare=3),
    Column("session", "id", spare=2),
    Column("agent", spare=1),
    Column("tokens", "number"),
    Column("holds", telling=True),
)

_at = click.option("--at", metavar="TIME", type=Moment(), help="As of this time.")
_given = click.option("--given", is_flag=True, help="An agent is handed it: keep the receipt.")


@click.command(short_help="Say what an agent must know after its context was lost.")
@click.option("--tier", type=int, default=0, show_default=True, help="How much: 0 to 3.")
@click.option("--session", metavar="S", default="latest", show_default=True, help="Its id, or the beginning of it.")
@_at
@_given
@click.option("--inline", is_flag=True, help="One line, for agents without files.")
@json_option
def brief(*, tier: int, session: str, at: str | None, given: bool, inline: bool, as_json: bool) -> None:
    """Say what an agent must know to go on after its context was lost.

    Tier 0 holds the state of the work within 1,000 tokens; tier 1 adds the last 30 messages (10,000), tier 2 the day
    (15,000), tier 3 as much of the session as fits (70,000). Printing it hands it to nobody, unless --given says so.
    """
    _check(at, given=given)
    with learnt() as memory:
        if inline:
            line = memory.state_line(session, at=at, given=given)
            answer({"text": line}, line, as_json=as_json)
            return
        _give(memory, memory.brief(tier, session, at=at, given=False), as_json, given=given)


@click.command(short_help="Say what an agent must know when it starts.")
@click.option("--agent", metavar="A", help="Who starts.")
@project_option("Where; else the repository around the current directory.")
@click.option("--session", metavar="S", help="The session that starts, for the receipt.")
@_at
@_given
@json_option
def boot(
    *, agent: str | None, project: str | None, session: str | None, at: str | None, given: bool, as_json: bool
) -> None:
    """Say what an agent must know when it starts: rules, refusals, where the work stands, flows, lessons, flags.

    Printing it hands it to nobody, unless --given says so.
    """
    _check(at, given=given)
    with learnt() as memory:
        where = memory.project_of(project or os.getcwd())
        told = memory.boot(project=where, agent=agent, session=session, at=at, given=False)
        _give(memory, told, as_json, given=given)


@click.command(short_help="List what was given to whom.")
@click.option("--session", metavar="S", help="Only what this session was given.")
@json_option
def receipts(session: str | None, as_json: bool) -> None:
    """List every briefing and every answer of the gate: when, to whom, how much, and what was in it."""
    with steno.open() as memory:
        found = memory.receipts(session)
    nobody = "Nothing was given to anybody yet. `steno install` lets agents be briefed by themselves."
    none = f"Nothing was given to session {session!r}." if session else nobody
    listed(found, _COLUMNS, _row, none=none, as_json=as_json)


def _check(at: str | None, *, given: bool) -> None:
    if at is not None and given:
        raise click.UsageError("--at looks back: nobody is given that; leave out --given")


def _give(memory: "Memory", told: "Briefing", as_json: bool, *, given: bool) -> None:
    """Print it; where an agent is handed it, keep the receipt of what was printed."""
    _print(told, as_json)
    sys.stdout.flush()
    if given:
        memory.given(told)


def _row(one: "Receipt") -> list[Cell]:
    more = one.verdict or ("" if one.tier is None else str(one.tier))
    return [one.at, f"{one.kind} {more}".rstrip(), one.why, one.session, one.agent, one.tokens, _holds(one.items)]


def _holds(items: "Sequence[str]") -> str:
    """`3 rules, 2 entries, goal, next`: what has an id is counted, --json has each."""
    counts = Counter(item.partition(":")[0] for item in items if ":" in item)
    named = dict.fromkeys(item for item in items if ":" not in item)
    return ", ".join([*(many(number, kind) for kind, number in counts.items()), *named])


def _print(briefing: "Briefing", as_json: bool) -> None:
    if as_json:
        fields = ("text", "tokens", "tier", "entries", "items", "session", "at")
        print_json({name: getattr(briefing, name) for name in fields})
        return
    for line in briefing.text.split("\n"):
        title = laid_out() and not line.startswith(("- ", "<"))
        say((line, "bold") if title else line)
    if laid_out():
        say((f"{briefing.tokens:,} tokens", "dim"))
