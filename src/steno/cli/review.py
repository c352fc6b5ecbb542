"""`steno review`: contradictions that wait for a person's word."""

from typing import TYPE_CHECKING

import click

from steno.cli.entries import flat
from steno.cli.show import json_option, laid_out, print_json, say
from steno.cli.table import Column, table
from steno.cli.words import when

if TYPE_CHECKING:
    from steno.memory import Keep
    from steno.vocabulary import Entry, Review

_COLUMNS = (Column(""), Column("one", telling=True), Column("other", telling=True))


@click.command(short_help="List contradictions, or settle one.")
@click.argument("number", metavar="[ID]", type=int, required=False)
@click.option("--keep", type=click.Choice(["one", "other", "both"]), help="Settle it: which of the two holds.")
@json_option
def review(number: int | None, keep: "Keep | None", as_json: bool) -> None:
    """List entries that contradict each other, both side by side; or settle the review ID with --keep.

    The one that is not kept counts as superseded by the other. It stays in the history.
    """
    if (number is None) != (keep is None):
        raise click.UsageError("say which to keep: --keep one, other or both" if keep is None else "say which review")
    import steno

    with steno.open() as memory:
        if number is not None and keep is not None:
            memory.resolve(number, keep)
            _settled(number, keep, as_json=as_json)
            return
        found = memory.reviews()
    if as_json:
        print_json(*({"id": r.id, "reason": r.reason, "one": flat(r.one), "other": flat(r.other)} for r in found))
    elif not found:
        say("Nothing to review.")
    else:
        for one in found:
            _print(one)


def _settled(number: int, keep: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"id": number, "keep": keep})
    else:
        say(("Settled", "green"), f" review {number}: {'both hold' if keep == 'both' else f'kept `{keep}`'}.")


def _print(found: "Review") -> None:
    say((f"review {found.id}", "bold"), f"  {found.reason}")
    one, other = _column(found.one), _column(found.other)
    table(_COLUMNS, [[name, one[name], other[name]] for name in one])
    say((f"`steno review {found.id} --keep one`, `other` or `both` settles it", "dim"))
    say()


def _column(entry: "Entry") -> dict[str, str]:
    first = entry.evidence[0].quote if entry.evidence else ""
    return {
        "entry": entry.id,
        "category": entry.category,
        "summary": entry.summary,
        "quote": first,
        "origin": entry.origin,
        "said": when(entry.created_at) if laid_out() else entry.created_at or "",
    }
