"""`steno handoff` and `steno capsule`: what whoever goes on must know first."""

import click

import steno
from steno.cli.show import json_option, print_json, say


@click.command(short_help="Show active work, what is open, what is new.")
@json_option
def handoff(as_json: bool) -> None:
    """Show what whoever goes on must know.

    Active work of each project, open commitments and tasks, what was learnt in the last 4 hours, flags.
    """
    with steno.open() as memory:
        text = memory.handoff()
    _print(text, as_json=as_json)


@click.command(short_help="Show who an agent is and what it must not forget.")
@click.option("--agent", metavar="A", help="The agent's name; without it, what holds for all.")
@json_option
def capsule(agent: str | None, as_json: bool) -> None:
    """Show who an agent is, its priorities, critical facts and last three sessions, in at most 100 lines."""
    with steno.open() as memory:
        text = memory.capsule(agent)
    _print(text, as_json=as_json)


def _print(text: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"text": text})
        return
    for line in text.splitlines():
        say((line, "bold") if line.startswith("#") else line)
