"""`steno recall`: what fits a question."""

import sys
from typing import TYPE_CHECKING

import click

from steno.cli.show import json_option, on_terminal, paragraph, plain, print_json, say
from steno.cli.words import when

if TYPE_CHECKING:
    from steno import Hit
    from steno.memory import Within


@click.command(short_help="Find the turns that fit a question best.")
@click.argument("query", nargs=-1, required=True)
@click.option("-k", "most", type=click.IntRange(min=1), default=10, show_default=True, help="How many answers at most.")
@click.option(
    "--within",
    type=click.Choice(["entries", "turns", "sessions", "all"]),
    default="turns",
    show_default=True,
    help="What to search.",
)
@click.option("--project", metavar="P", help="Only what was said in this project.")
@click.option("--agent", metavar="A", help="Only what was said with this agent.")
@json_option
def recall(
    query: tuple[str, ...], most: int, within: "Within", project: str | None, agent: str | None, as_json: bool
) -> None:
    """Find what fits QUERY best, the best first."""
    import steno

    with steno.open() as memory:
        hits = memory.recall(" ".join(query), k=most, within=within, project=project, agent=agent)
    if as_json:
        print_json(*hits)
        return
    for hit in hits:
        _print(hit)
    if not hits:
        print(plain(f"Nothing found for {' '.join(query)!r}."), file=sys.stderr)


def _print(hit: "Hit") -> None:
    at = when(hit.at) if on_terminal() else hit.at or ""
    line = f" line {hit.line}" if hit.line is not None else ""
    say((hit.origin, "bold"), (f"  #{hit.id}  {at}".rstrip(), "dim"), f"  {hit.reason}")
    paragraph(hit.quote)
    say((f"  {hit.source} {hit.session}{line}  score {hit.score:g}", "dim"))
    say()
