"""`steno morning`: one page for whoever coordinates."""

import click

import steno
from steno.cli.show import json_option, print_json, say


@click.command(short_help="One page: each agent, what failed, what would help.")
@click.option("--agent", metavar="A", help="Only of this agent: nothing of any other is told.")
@json_option
def morning(agent: str | None, as_json: bool) -> None:
    """Each agent, what it did since yesterday and what failed; then what would help most.

    Every proposal has what was measured and the command that would do it. Nothing is done by itself.

    The job `morning` writes the same page as `morning.md` into the notebook at the end of every night.
    """
    from steno.fleet.morning import lines

    with steno.open() as memory:
        page = memory.fleet.morning(agent)
    if as_json:
        print_json(page)
        return
    for line in lines(page):
        say((line, "bold")) if line.startswith("#") else say(line)
