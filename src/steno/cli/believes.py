"""`steno believes`: what holds on a topic, and what was believed before."""

from typing import TYPE_CHECKING

import click

from steno.cli.show import json_option, laid_out, one_line, paragraph, print_json, say
from steno.cli.where import project_option
from steno.cli.words import when

if TYPE_CHECKING:
    from steno.vocabulary.beliefs import Belief, Held

_ACTS = {"revise": "corrected by a person", "archive": "laid aside by a person", "review": "settled by a person"}


@click.command(short_help="Say what holds on a topic, what it replaced, and whose words it rests on.")
@click.argument("topic", nargs=-1, required=True)
@click.option("-k", "most", type=click.IntRange(min=1), default=10, show_default=True, help="How many entries to find.")
@project_option("Only what was said in this project.")
@click.option("--agent", metavar="A", help="Only what was said with this agent.")
@json_option
def believes(topic: tuple[str, ...], most: int, project: str | None, agent: str | None, as_json: bool) -> None:
    """Say what is believed about TOPIC: what holds since when, what it took the place of, and the exact words.

    What holds comes first, then guesses with how sure they are, then what was laid aside.
    """
    import steno

    with steno.open() as memory:
        found = memory.believes(" ".join(topic), k=most, project=project, agent=agent)
    if as_json:
        print_json(*found)
        return
    for belief in found:
        _print(belief)
    if not found:
        say("Nothing is known about this.")


def _print(belief: "Belief") -> None:
    entry = belief.last.entry
    stands = (belief.in_words, "green" if belief.holds else "yellow")
    say(stands, "  ", (entry.category, "bold"), (f"  {entry.id}  {_times(belief.last)}", "dim"))
    paragraph(entry.summary)
    _words(belief.last)
    for held in belief.before:
        say("  ", ("before  ", "yellow"), (f"{held.entry.id}  {_times(held)}", "dim"))
        say(f"    {one_line(held.entry.summary)}")
        _words(held)
    say()


def _words(held: "Held") -> None:
    """Whose words it rests on, and what people did with it."""
    from steno.vocabulary import TELLERS

    entry = held.entry
    for said in entry.evidence:
        line = f" line {said.line}" if said.line is not None else ""
        say((f"    {said.role}: ", "dim"), f"“{one_line(said.quote)}”")
        say((f"    {one_line(said.session)}{line}  #{said.turn}", "dim"))
    if not entry.evidence:
        say((f"    told by {TELLERS[entry.origin]}", "dim"))
    for change in held.changes:
        words = f": {one_line(change.summary)}" if change.summary else ""
        say((f"    {_ACTS[change.act]} {_time(change.at)}{words}", "dim"))


def _times(held: "Held") -> str:
    until = f" until {_time(held.until)}" if held.until else ""
    return f"since {_time(held.since)}{until}"


def _time(at: str | None) -> str:
    return "some day" if at is None else when(at) if laid_out() else at
