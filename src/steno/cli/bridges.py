"""`steno bridges`: whose output is whose input, and whether it arrives."""

from typing import Final

import click

import steno
from steno.cli.show import answer, json_option, print_json, say
from steno.cli.table import Column, table

_COLUMNS: Final = (
    Column("state"),
    Column("producer"),
    Column("output", "path", spare=1),
    Column("consumer"),
    Column("input", "path"),
    Column("told", telling=True),
)
_STATES: Final = {True: ("ok", "green"), False: ("broken", "red"), None: ("not known", "yellow")}


@click.group(short_help="Whose output is whose input, and does it arrive.", invoke_without_command=True)
@json_option
@click.pass_context
def bridges(ctx: click.Context, as_json: bool) -> None:
    """One agent's output folder is another one's input. Without a verb: every bridge, and how it is now.

    A bridge is in order when the link is there, the newest file is fresh, and the producer ran before the consumer did.
    A job looks every 15 minutes and raises a flag for what is not.
    """
    if ctx.invoked_subcommand is not None:
        return
    with steno.open() as memory:
        declared, found = memory.fleet.bridges.all(), memory.fleet.bridges.check()
    pairs = list(zip(declared, found, strict=True))
    if as_json:
        print_json(*({"bridge": one, "ok": how.ok, "detail": how.detail, "mend": how.mend} for one, how in pairs))
        return
    if not pairs:
        say("No bridges. `steno bridges add PRODUCER OUTPUT CONSUMER INPUT` declares one.")
        return
    table(
        _COLUMNS,
        [[_STATES[how.ok], one.producer, one.output, one.consumer, one.input, how.detail] for one, how in pairs],
    )
    for _, how in pairs:
        if how.mend:
            say(("mend  ", "dim"), how.mend)


@bridges.command(short_help="Declare a bridge.")
@click.argument("producer")
@click.argument("output", type=click.Path())
@click.argument("consumer")
@click.argument("input_", metavar="INPUT", type=click.Path())
@click.option("--hours", type=float, default=24.0, show_default=True, help="How old its newest file may be.")
@click.option("--written", metavar="HH:MM", help="When the producer is to run, by this machine's time.")
@click.option("--read", metavar="HH:MM", help="When the consumer is to run.")
@json_option
def add(
    producer: str, output: str, consumer: str, input_: str, hours: float, written: str | None, read: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """What PRODUCER writes into the folder OUTPUT is what CONSUMER reads at INPUT, its own name for that folder.

    Nothing is made: the link is yours. `steno bridges` says how to make it.
    """
    with steno.open() as memory:
        bridge = memory.fleet.bridges.add(
            producer, output, consumer, input_, hours=hours, produced_at=written, consumed_at=read
        )
    answer(bridge, ("Declared", "green"), f" {bridge.name}", as_json=as_json)


@bridges.command(short_help="Take a bridge back.")
@click.argument("input_", metavar="INPUT", type=click.Path())
@json_option
def remove(input_: str, as_json: bool) -> None:
    """The bridge to INPUT is one no more. No file is touched."""
    with steno.open() as memory:
        bridge = memory.fleet.bridges.remove(input_)
    answer(bridge, ("Removed", "green"), f" {bridge.name}", as_json=as_json)
