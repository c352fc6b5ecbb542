"""`steno flags`: warnings somebody raised by hand."""

from typing import Final

import click

import steno
from steno.cli.relay import because_option
from steno.cli.show import answer, json_option
from steno.cli.table import Column, listed

_COLUMNS: Final = (
    Column("id", "id"),
    Column("raised_by", heading="by"),
    Column("at", "time", "since"),
    Column("text", telling=True),
)


@click.group(short_help="Warnings raised by hand: list, raise, settle.", invoke_without_command=True)
@json_option
@click.pass_context
def flags(ctx: click.Context, as_json: bool) -> None:
    """Warnings that somebody raised by hand and nobody settled. What Steno itself found stands in `steno status`."""
    if ctx.invoked_subcommand is not None:
        return
    with steno.open() as memory:
        raised = memory.fleet.flags()
    none = "No flags were raised. `steno status` says what Steno found."
    listed(raised, _COLUMNS, lambda one: [one.id, one.raised_by, one.at, one.text], none=none, as_json=as_json)


@flags.command("raise", short_help="Warn people of something.")
@click.argument("text", nargs=-1, required=True)
@click.option("--by", metavar="AGENT", required=True, help="Who warns.")
@because_option
@json_option
def raise_(text: tuple[str, ...], by: str, because: str | None, as_json: bool) -> None:
    """Raise a flag that says TEXT: it stands until somebody settles it."""
    with steno.open() as memory:
        flag = memory.fleet.raise_flag(" ".join(text), by=by, because=because)
    answer(flag, ("Raised", "yellow"), f" {flag.id}", as_json=as_json)


@flags.command(short_help="Say that somebody has looked.")
@click.argument("id_", metavar="ID")
@json_option
def settle(id_: str, as_json: bool) -> None:
    """Settle the flag ID: it is kept, and warns nobody any more."""
    with steno.open() as memory:
        flag = memory.fleet.settle(id_)
    answer(flag, ("Settled", "green"), f" {flag.id}", as_json=as_json)
