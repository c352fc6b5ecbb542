"""`steno embed`: what recall by meaning needs."""

from typing import TYPE_CHECKING, Any

import click

import steno
from steno.cli.progress import counter
from steno.cli.show import json_option, print_json, say
from steno.cli.words import many

if TYPE_CHECKING:
    from steno.vocabulary import Recallable


@click.command(short_help="Make the vectors that recall by meaning needs.")
@json_option
def embed(as_json: bool) -> None:
    """Make what recall by meaning needs: vectors of everything said, the newest first.

    `steno capture` does this by itself, for a minute; this goes on until nothing is missing. Where thousands of turns
    wait, each gets a sketch first, guessed from its words, so that it is found by meaning within a minute. It may be
    stopped whenever you like: what was made stays.
    """
    with steno.open() as memory:
        with counter("Sketching", left=memory.unembedded) as progress:
            memory.sketch(progress)
        with counter("Making vectors", left=memory.unembedded) as progress:
            made = memory.embed(progress)
        now = memory.recallable()
    tell(made, now, as_json=as_json)


def tell(made: int, now: "Recallable", *, as_json: bool) -> None:
    """How many turns and entries got vectors, and what is still missing."""
    if as_json:
        print_json({"made": made, **_flat(now)})
        return
    if made:
        say(("Made vectors ", "green"), "of one turn or entry." if made == 1 else f"of {made:,} turns and entries.")
    else:
        say("No vectors were made." if now.note else "Nothing to do." if now.vectors else "There is nothing to embed.")
    if now.vectors:
        say(("  vectors      ", "dim"), vectors(now), (f"  {now.model}", "dim"))
    if now.note:
        say(("  missing      ", "dim"), (now.note, "yellow"))


def vectors(now: "Recallable") -> str:
    """How many turns have vectors, and about how many wait for theirs."""
    wait = f", about {now.waiting:,} wait" if now.waiting else ""
    return many(now.vectors, "turn") + wait + (f", {now.sketched:,} are sketched" if now.sketched else "")


def _flat(now: "Recallable") -> dict[str, Any]:
    from msgspec import structs

    return structs.asdict(now)
