"""`steno backtest`: what Steno would have learnt from old sessions."""

import os

import click

from steno.cli.entries import flat, listing
from steno.cli.scribe import tell
from steno.cli.show import json_option, print_json, say
from steno.cli.words import many


@click.command(short_help="Find out what would be learnt from old sessions.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--source", metavar="NAME", help="Whose transcripts these are, if Steno cannot tell by itself.")
@click.option("--apply", "for_real", is_flag=True, help="Then do the same to the real store.")
@json_option
def backtest(paths: tuple[str, ...], source: str | None, for_real: bool, as_json: bool) -> None:
    """Replay the transcripts at or below each PATH in a store that is thrown away, and show what would be learnt."""
    _check(paths)
    import steno

    with steno.open() as memory:
        learnt, found = memory.backtest(*paths, source=source, apply=for_real)
    if as_json:
        print_json(*map(flat, found))
        return
    if found:
        listing(found)
        say()
    tell("Learnt from" if for_real else "Tried out", learnt)
    if not for_real:
        say(("Nothing was kept; --apply does the same to the real store.", "dim"))


def _check(paths: tuple[str, ...]) -> None:
    from steno.vocabulary.errors import StenoError

    if not all(paths):
        raise click.UsageError("a PATH is empty")
    if missing := [path for path in paths if not os.path.exists(path)]:
        raise StenoError(
            f"{len(missing)} of {many(len(paths), 'given path')} could not be read: {', '.join(missing)}",
            hint="give the path of a transcript, or of a folder of them",
        )
