"""`steno model` and `steno spend`: which model makes better notes, what it is told, and what it took."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import Piece, json_option, print_json, say, verbatim
from steno.cli.table import Cell, Column, table
from steno.cli.words import many, when

if TYPE_CHECKING:
    from steno.vocabulary.calls import Call, ModelState, Spent, Total

# More calls than a screen has lines help nobody; --json has them all.
_ROWS: Final = 15
_TOOK: Final = (
    Column("calls", "number"),
    Column("failed", "number", spare=2),
    Column("in", "number"),
    Column("out", "number"),
    Column("cached", "number", spare=1),
    # In and out; where nobody knows, what was reserved.
    Column("counted", "number"),
    Column("dollars", "right"),
)
_CALLS: Final = (
    Column("at", "time"),
    Column("for"),
    Column("model", telling=True),
    Column("state"),
    Column("in", "number"),
    Column("out", "number"),
    Column("cached", "number", spare=2),
    Column("counted", "number", spare=1),
    Column("dollars", "right"),
    Column("agent", spare=3),
    Column("session", "id", spare=4),
    Column("problem", spare=1),
)


@click.group(invoke_without_command=True, short_help="Show whether a model makes better notes, and what it is told.")
@json_option
@click.pass_context
def model(ctx: click.Context, as_json: bool) -> None:
    """Show which model is configured, whether it may be asked now, and what is left of its budget.

    None is asked unless the settings `model` and `model_tokens_a_day` or `model_money_a_day` say so.
    """
    if ctx.invoked_subcommand is not None:
        return
    with steno.open() as memory:
        found = memory.spending.state()
    if as_json:
        print_json(found)
        return
    if not found.model:
        say("No model is configured: notes are made on this machine, without one, and cost nothing.")
        say("`steno settings` lists model, model_tokens_a_day and the other settings that change that.")
        return
    say((found.model, "bold"), *([" costs no money"] if found.is_free else []))
    say(*model_line(found, named=False))
    if found.fallback:
        say(("where it fails  ", "dim"), found.fallback)
    if found.problem:
        say(("it failed last  ", "yellow"), found.problem)
    say(("`steno spend` tells what it took, `steno model show-last` what it was told.", "dim"))


@model.command("run", short_help="Let the model read now what no model has read.")
@click.argument("session", required=False)
@json_option
def run(session: str | None, as_json: bool) -> None:
    """Let the model read now what no model has read yet: of SESSION, or of the sessions of the last week.

    The daemon does so by itself, behind your back; it waits until a portion is full or a session is quiet.
    """
    with steno.open() as memory:
        done = memory.read_with_model(session, at_once=True)
    if as_json:
        print_json(done)
        return
    if done.portions:
        say(f"{many(done.portions, 'portion')} read, {many(done.entries, 'new entry')}")
    for reason, times in done.refused.items():
        say((f"{times:,} not kept: {reason}", "dim"))
    if done.reviews:
        say(f"{many(done.reviews, 'thing')} for you to decide: `steno review`")
    if done.why_not:
        say((f"no more is read: {done.why_not}", "yellow"))
    elif not done.portions:
        say("There is nothing a model has not read.")


@model.command("show-last", short_help="Show what a model was sent last, word for word.")
def show_last() -> None:
    """Show what a model was sent last, word for word."""
    with steno.open() as memory:
        sent = memory.spending.last_sent()
    if sent:
        verbatim(sent)
    else:
        say("No model was sent anything, or what it was sent has been forgotten since.")


@click.command(short_help="Show what a model took: calls, tokens, money.")
@json_option
def spend(as_json: bool) -> None:
    """Show every call of a model, totals by day, purpose and agent, what is left today, and what agents were given."""
    with steno.open() as memory:
        found = memory.spending.spent()
    if as_json:
        print_json(found)
        return
    _print_left(found.state)
    if not found.calls:
        say("No model was ever asked.")
    else:
        _print_totals(found)
        say()
        table(_CALLS, [_call(call) for call in found.calls[:_ROWS]])
        if len(found.calls) > _ROWS:
            say((f"… and {len(found.calls) - _ROWS:,} earlier calls: --json has them", "dim"))
    for given in found.given[:_ROWS]:
        say((f"{given.day}  ", "dim"), f"{many(given.briefings, 'briefing')} gave agents {given.tokens:,} tokens")


def model_line(state: "ModelState", *, named: bool = True) -> list[Piece]:
    """Whether it may be asked, on one line."""
    name = f"{state.model}: " if named else ""
    if state.why_not:
        return [name, (f"not asked now: {state.why_not}", "yellow")]
    return [f"{name}may be asked; {_left(state)}"]


def _left(state: "ModelState") -> str:
    tokens = "" if state.tokens_left is None else f"{state.tokens_left:,} tokens"
    money = "" if state.money_left is None else f"${state.money_left:.2f}"
    return f"{' and '.join(filter(None, (tokens, money)))} of 24 hours left"


def _print_left(state: "ModelState") -> None:
    if not state.model:
        say("No model is configured.")
        return
    spent = f"{state.tokens_spent:,} tokens and ${state.money_spent:.2f} in the last 24 hours"
    say((state.model, "bold"), f"  {spent}; {_left(state)}")
    if state.why_not:
        say((f"not asked now: {state.why_not}", "yellow"))
    if state.down_until:
        say(("down until ", "yellow"), when(state.down_until))


def _print_totals(found: "Spent") -> None:
    by: dict[str, Callable[[Total], str]] = {
        "day": lambda total: total.day,
        "purpose": lambda total: total.purpose,
        "agent": lambda total: total.agent or "–",
    }
    for name, of in by.items():
        say()
        names = list(dict.fromkeys(map(of, found.totals)))
        rows = [[one, *_sum(total for total in found.totals if of(total) == one)] for one in names]
        table((Column(name, telling=True), *_TOOK), rows)


def _sum(totals: "Iterable[Total]") -> list[Cell]:
    rows = [
        (one.calls, one.failed, one.tokens_in, one.tokens_out, one.tokens_cached, one.tokens, one.money)
        for one in totals
    ]
    *counts, money = (sum(column) for column in zip(*rows, strict=True))
    return [*map(int, counts), _dollars(money)]


def _call(call: "Call") -> list[Cell]:
    return [
        call.at,
        call.purpose,
        call.model,
        (call.state, {"failed": "red", "begun": "yellow"}.get(call.state, "")),
        call.tokens_in,
        call.tokens_out,
        call.tokens_cached,
        call.tokens,
        _dollars(call.money),
        call.agent,
        call.session,
        call.problem,
    ]


def _dollars(money: float) -> str:
    return f"{money:.4f}" if money else "0"
