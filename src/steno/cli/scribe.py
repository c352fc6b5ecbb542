"""`steno scribe` and `steno rebuild`: from turns to entries, what is new or all of it again."""

from typing import TYPE_CHECKING

import click

import steno
from steno.cli.progress import counter
from steno.cli.show import json_option, print_json, say
from steno.cli.words import by_kind, many

if TYPE_CHECKING:
    from steno.vocabulary import Learnt


@click.command(short_help="Write down what is worth keeping from what is new.")
@click.option("--session", metavar="S", help="Only this session: its id, the beginning of it, or `latest`.")
@json_option
def scribe(session: str | None, as_json: bool) -> None:
    """Read what is new in the journal and write down what is worth keeping, each entry with its quote.

    What was decided and why, what the human said no to, how to behave, what failed, what is to be done, what was found
    out. `steno capture` does this by itself.
    """
    with steno.open() as memory, counter("Learning", left=lambda: memory.unread(session)) as progress:
        learnt = memory.scribe(session, progress=progress)
    if as_json:
        print_json(learnt)
    elif learnt.turns:
        tell("Read", learnt)
    else:
        say("Nothing new to read.")


@click.command(short_help="Learn everything again from the journal.")
@click.option(
    "--vectors", "only_vectors", is_flag=True, help="Instead, make what recall needs anew: words and vectors."
)
@json_option
def rebuild(only_vectors: bool, as_json: bool) -> None:
    """Drop everything derived and learn it again from the journal. What people told Steno is kept.

    Ended in the middle, it goes on with the next `steno scribe`. With --vectors, entries stay as they are, and the
    index of words and the vectors are made anew with the model that is chosen now; ended in the middle, that goes on
    with the next `steno embed`.
    """
    if only_vectors:
        _rebuild_vectors(as_json=as_json)
        return
    with steno.open() as memory, counter("Learning", left=memory.unread) as progress:
        learnt = memory.rebuild(progress=progress)
    if as_json:
        print_json(learnt)
    else:
        tell("Read again", learnt)


def _rebuild_vectors(*, as_json: bool) -> None:
    from steno.cli.embed import tell as tell_vectors

    with steno.open() as memory, counter("Making vectors", left=memory.unembedded) as progress:
        made = memory.rebuild_vectors(progress)
        now = memory.recallable()
    tell_vectors(made, now, as_json=as_json)


def tell(done: str, learnt: "Learnt", *, kept: bool = True) -> None:
    """What a run of the scribe did; what was not `kept` waits nowhere."""
    read = f"{many(learnt.turns, 'turn')} in {many(learnt.sessions, 'session')}"
    say((f"{done} ", "green"), f"{read}: ", (f"{many(learnt.entries, 'new entry')}.", "bold"))
    facts = [
        ("repeated", f"{many(learnt.repeated, 'time')} something known was said again" if learnt.repeated else ""),
        ("superseded", many(learnt.superseded, "older entry") if learnt.superseded else ""),
        ("reviews", f"{learnt.reviews:,} new: `steno review` shows them" if learnt.reviews and kept else ""),
        ("refused", by_kind(learnt.refused, "candidate") if learnt.refused else ""),
    ]
    for name, value in facts:
        if value:
            say((f"  {name:<13}", "dim"), value)
