"""`steno forget`: erase what must not be kept."""

import sys
from typing import TYPE_CHECKING, Any

import click

import steno
from steno.cli.show import answer, json_option
from steno.cli.where import Moment
from steno.cli.words import many

if TYPE_CHECKING:
    from steno import Memory


@click.command(short_help="Erase turns, so that no byte is left and they do not come back.")
@click.option("--session", metavar="S", help="A whole session: its id, the beginning of it, or `latest`.")
@click.option("--turn", metavar="ID", type=int, help="One turn, by its number.")
@click.option("--text", metavar="T", help="Every turn that holds this text.")
@click.option("--since", metavar="TIME", type=Moment(), help="Every turn from this time on.")
@click.option("--until", metavar="TIME", type=Moment(), help="… up to, but not including, this time.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def forget(
    *, session: str | None, turn: int | None, text: str | None, since: str | None, until: str | None,
    yes: bool, as_json: bool,
) -> None:  # fmt: skip
    """Erase a session, a turn, a text or a stretch of time from the journal.

    Only tombstones are left, which hold none of the words, so that the turns do not come back when the transcript is
    read again. The transcript itself is the host's, and stays as it is.
    """
    with steno.open() as memory:
        chosen: dict[str, Any] = {"session": session, "turn": turn, "text": text, "since": since, "until": until}
        if not yes and not _agreed(memory, chosen):
            return
        forgotten = memory.forget(**chosen)
    gone = f"Forgot {many(forgotten.turns, 'turn')} and {many(forgotten.sessions, 'whole session')}."
    answer(forgotten, gone, as_json=as_json)


def _agreed(memory: "Memory", chosen: dict[str, Any]) -> bool:
    """Show what would go, and ask."""
    from steno.vocabulary.errors import WrongUse

    count = memory.forget(**chosen, only_count=True).turns
    if not count and chosen["text"] is None:
        print("There is no such turn.", file=sys.stderr)
        return False
    # No turn may hold a text that a record or a name of a session does.
    what = [many(count, "turn")] if count else []
    what += ["the text wherever else it is kept"] if chosen["text"] is not None else []
    if not sys.stdin.isatty():
        raise WrongUse(
            f"this would erase {' and '.join(what)}, and there is no terminal to ask on", hint="add --yes to erase it"
        )
    lead = "" if count else "No turn holds that. "
    agreed = click.confirm(f"{lead}Erase {', and '.join(what)}? This cannot be undone.", err=True)
    if not agreed:
        print("Nothing was erased.", file=sys.stderr)
    return agreed
