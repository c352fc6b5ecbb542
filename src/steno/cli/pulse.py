"""`steno pulse`: agents whose open work stands still are woken in their own session."""

import time
from typing import TYPE_CHECKING, Any, Final

import click

import steno
from steno.cli.show import answer, json_option, one_line, print_json, say
from steno.cli.table import Column, listed
from steno.cli.words import many

if TYPE_CHECKING:
    from steno.vocabulary.pulse import Look

_COLUMNS: Final = (
    Column("agent"),
    Column("most", "number", "a day"),
    Column("wakes"),
    Column("why", telling=True),
    Column("quiet_since", "time", "quiet"),
    Column("woken", "time", "woken last"),
    Column("goal", telling=True),
)
_LOOK_SECONDS: Final = 0.2


@click.group(short_help="Wake agents whose work stands still.", invoke_without_command=True)
@json_option
@click.pass_context
def pulse(ctx: click.Context, as_json: bool) -> None:
    """Wake agents whose open work stands still, in their own session; off for every agent until you switch it on.

    Without a verb: what would be done about each agent now, and why. `steno up` looks by itself, without a model.
    """
    if ctx.invoked_subcommand is None:
        _show(as_json=as_json)


@pulse.command(short_help="Let an agent be woken.")
@click.argument("name")
@click.option("--most", metavar="N", type=int, help="How often in 24 hours, at most; 8 if you do not say.")
@json_option
def on(name: str, most: int | None, as_json: bool) -> None:
    """Let the agent NAME be woken when its open work stands still and nobody is there."""
    from steno.fleet.pulse import USUAL_MOST

    wanted = USUAL_MOST if most is None else most
    with steno.open() as memory:
        agent = memory.fleet.pulse.allow(name, wanted)
    whom = f" for {one_line(name)}, at most {many(wanted, 'time')} a day."
    answer(agent, ("Pulse is on", "green"), whom, as_json=as_json)


@pulse.command(short_help="Let an agent sleep.")
@click.argument("name")
@json_option
def off(name: str, as_json: bool) -> None:
    """Wake the agent NAME no more. One that was woken and is at work works on."""
    with steno.open() as memory:
        agent = memory.fleet.pulse.allow(name, 0)
    answer(agent, ("Pulse is off", "yellow"), f" for {one_line(name)}.", as_json=as_json)


@pulse.command(short_help="Look now, and wake whoever is to be woken.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be done, and why.")
@json_option
def run(dry_run: bool, as_json: bool) -> None:
    """Look once, now: wake whose work stands still, and wait until they are done."""
    if dry_run:
        _show(as_json=as_json)
        return
    with steno.open() as memory:
        pulse = memory.fleet.pulse
        looks = pulse.beat()
        ended = {look.last.id: look.last for look in looks if look.last is not None}
        if not as_json:
            _told(looks)
        while pulse.is_at_work:
            ended.update({wake.id: wake for wake in pulse.settle()})
            time.sleep(_LOOK_SECONDS)
    if as_json:
        print_json(*ended.values())
    failed = [wake for wake in ended.values() if wake.passed is False]
    for wake in failed:
        say(("could not wake ", "red"), f"{one_line(wake.agent)}: {one_line(wake.said)}")
    if failed:
        raise click.exceptions.Exit(1)


def _show(*, as_json: bool) -> None:
    with steno.open() as memory:
        looks = memory.fleet.pulse.looks()
    none = "No agents yet. `steno capture --all` meets those that worked here."
    for look in listed(looks, _COLUMNS, _row, none=none, as_json=as_json):
        if look.command:
            import shlex

            say((f"would wake {one_line(look.agent)} by ", "dim"), one_line(shlex.join(look.command)))


def _told(looks: "list[Look]") -> None:
    for look in looks:
        say(("woke ", "green"), f"{one_line(look.agent)} in {look.session}: {look.why}")
    if not looks:
        say("Nobody is to be woken. `steno pulse` says why.")


def _row(look: "Look") -> list[Any]:
    woken = look.last.at if look.last else None
    return [look.agent, look.most, "yes" if look.wakes else "no", look.why, look.quiet_since, woken, look.goal]
