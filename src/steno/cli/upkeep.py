"""`steno upkeep`: what the memory does by itself, every night and in idle time; and the same by hand."""

from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.progress import learnt
from steno.cli.show import answer, json_option, paragraph, print_json, say
from steno.cli.table import Cell, Column, listed
from steno.cli.words import many, span, when

if TYPE_CHECKING:
    from steno.vocabulary.upkeep import JobState, Run

_COLUMNS: Final = (
    Column("job"),
    Column("run", "number"),
    Column("state"),
    Column("began", "time", "last"),
    Column("took", "right", spare=2),
    Column("changed", "number"),
    Column("due", "time", "next"),
    Column("told", telling=True),
)
_STYLES: Final = {"ok": "green", "failed": "red", "skipped": "yellow", "stopped": "yellow", "running": "bold"}


@click.group(short_help="What the memory does by itself at night.", invoke_without_command=True)
@json_option
@click.pass_context
def upkeep(ctx: click.Context, as_json: bool) -> None:
    """What the memory does to take care of itself, every night and in idle time.

    Without a verb: every job in the order of the night, how it went last, and when it runs next. `steno up` does all of
    it by itself; what was missed is caught up once.
    """
    if ctx.invoked_subcommand is not None:
        return
    with steno.open() as memory:
        jobs = memory.upkeep.state()
    for job in listed(jobs, _COLUMNS, _row, none="No jobs.", as_json=as_json):
        for flag in job.last.report.flags if job.last else ():
            say(("flag     ", "yellow"), f"{job.name}: {flag}")


@upkeep.command(short_help="Run a job now, or all of them.")
@click.argument("name", metavar="NAME|all")
@click.option("--dry-run", is_flag=True, help="Only tell what would change; nothing is written.")
@json_option
def run(name: str, dry_run: bool, as_json: bool) -> None:
    """Run a job now; or `all` of them, in the order of the night and without its pauses."""
    with learnt() as memory:
        runs = memory.upkeep.run(name, dry=dry_run)
    _report(runs, as_json=as_json)
    if any(one.state == "failed" for one in runs):
        raise click.exceptions.Exit(1)


@upkeep.command(short_help="What was done in a night.")
@click.argument("day", required=False)
@json_option
def report(day: str | None, as_json: bool) -> None:
    """What every job did in the night that closed this DAY (2026-03-31), with its lines; without one, in the last."""
    with steno.open() as memory:
        runs = memory.upkeep.night(day)
    _report(runs, as_json=as_json)
    if not runs and not as_json:
        say(f"No upkeep for {day}." if day else "No upkeep yet. `steno up` does it every night.")


@upkeep.command(short_help="What a job reads and writes, and when it runs.")
@click.argument("name")
@json_option
def explain(name: str, as_json: bool) -> None:
    """What a job reads, what it writes, which settings it obeys, when it runs, and how it went last."""
    with steno.open() as memory:
        job, state = memory.upkeep.job(name), memory.upkeep.one(name)
    facts = {"name": job.name, "explain": job.explain, "every": job.every, "after": job.after, "writes": job.writes}
    if as_json:
        print_json({**facts, "due": state.due, "last": state.last})
        return
    say((job.name, "bold"), "" if job.writes else "  never writes")
    paragraph(job.explain)
    also = "" if job.every == "night" else f", and every {job.every}"
    needs = f"; only after {' and '.join(job.after)} went well" if job.after else ""
    say(("runs      ", "dim"), f"every night{also}{needs}")
    say(("next      ", "dim"), when(state.due))
    if state.last:
        _one(state.last)


@upkeep.command(short_help="Bring back what a run of prune laid aside.")
@click.argument("number", metavar="RUN", type=int)
@json_option
def undo(number: int, as_json: bool) -> None:
    """Bring back what a run of prune laid aside: it holds again, exactly as it was."""
    with steno.open() as memory:
        done, back = memory.upkeep.undo(number)
    what = (f"Run {done.id} of {done.job} is taken back", "green"), f": {many(back, 'entry')} as before"
    answer({"run": done, "back": back}, *what, as_json=as_json)


def _row(job: "JobState") -> list[Cell]:
    if (last := job.last) is None:
        return [job.name, None, "never", None, None, None, job.due, None]
    told = last.error or "; ".join(last.report.lines[:2])
    state = (last.state, _STYLES[last.state])
    return [job.name, last.id, state, last.began, _took(last), last.report.changed, job.due, told]


def _report(runs: "list[Run]", *, as_json: bool) -> None:
    if as_json:
        print_json(*runs)
        return
    for one in runs:
        _one(one)


def _one(run: "Run") -> None:
    number = f"  run {run.id}, {when(run.began)}, {_took(run)}" if run.id else "  dry run"
    told = {"possible": f"; `steno upkeep undo {run.id}` brings it back", "done": "; was brought back", "": ""}
    back = told[run.undo]
    say((run.job, "bold"), (f"  {run.state}", _STYLES[run.state]), number, f", {run.report.changed:,} changed{back}")
    for line in filter(None, (run.error, *run.report.lines)):
        say("  ", line)
    for flag in run.report.flags:
        say(("  flag  ", "yellow"), flag)


def _took(run: "Run") -> str:
    from steno.clock import seconds_between

    return span(max(0.0, seconds_between(run.began, run.ended))) if run.ended else ""
