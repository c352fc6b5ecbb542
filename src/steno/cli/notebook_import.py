"""`steno notebook import`: memory files that exist already, shown first, then taken in."""

import sys
from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import answer, json_option, print_json, say
from steno.cli.table import Column, table
from steno.cli.words import in_words, many, size

if TYPE_CHECKING:
    from steno.vocabulary.notebooks import Offer

_COLUMNS: Final = (
    Column("file", "path", telling=True),
    Column("pieces", "number"),
    Column("new", "number"),
    Column("gone", "number", spare=3),
    Column("size", "right", spare=2),
    Column("begins", spare=1),
)


@click.command("import", short_help="Take in memory files that exist already.")
@click.argument("path")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def import_(path: str, yes: bool, as_json: bool) -> None:
    """Show what others wrote down to remember by at or below PATH, and take it in.

    MEMORY.md, CLAUDE.md, AGENTS.md, USER.md and their like, memory folders with their days, the memory Claude Code
    keeps by itself, Cursor's rules, notes of basic-memory, an export of claude-mem; and of a repository its commits.
    What stands there can be recalled, labelled `file`. It is never a rule, and no agent is told of it unasked. Taken in
    again, what is new is added, and what stands there no more is recalled no more.
    """
    with steno.open() as memory:
        offer = memory.notes.offered(path)
        if not as_json and (offer.files or len(offer.problems) > 1):
            _show(offer)
        _must_hold_something(offer, path)
        if not (offer.new or offer.gone) or not (yes or _agreed(offer, as_json=as_json)):
            if as_json:
                print_json({"taken": 0, **_flat(offer)})
            return
        taken = memory.notes.take(path)
    pieces = ("Took in ", "green"), (many(taken.turns, "piece"), "bold"), ". `steno recall` finds them."
    answer({"taken": taken.turns, **_flat(offer)}, *pieces, as_json=as_json)


def _flat(offer: "Offer") -> dict[str, object]:
    from msgspec import structs

    return structs.asdict(offer)


def _show(offer: "Offer") -> None:
    if offer.files:
        rows = [
            (one.path, one.pieces, one.new, one.gone, size(one.bytes) if one.bytes else "commits", one.begins)
            for one in offer.files
        ]
        table(_COLUMNS, rows)
    for problem in offer.problems:
        say(("not taken ", "yellow"), in_words(problem))
    if offer.left_out:
        say(("left out  ", "dim"), many(offer.left_out, "file"))
    if offer.files and not (offer.new or offer.gone):
        say("All of it was taken in before.")


def _must_hold_something(offer: "Offer", path: str) -> None:
    from steno.vocabulary.errors import StenoError

    if not offer.files:
        reason = f": {offer.problems[0].reason}" if offer.problems else ""
        raise StenoError(f"no memory file at or below {path}{reason}", hint="name a file to have it read as a note")


def _agreed(offer: "Offer", *, as_json: bool) -> bool:
    """Ask on a terminal; elsewhere what was shown is all."""
    what = f"{many(offer.new, 'piece')}{f', and lets go of {offer.gone:,}' if offer.gone else ''}"
    if as_json or not sys.stdin.isatty():
        if not as_json:
            say(f"Nothing was taken in; --yes takes {what}.")
        return False
    agreed = click.confirm("Take it in?", err=True)
    if not agreed:
        print("Nothing was taken in.", file=sys.stderr)
    return agreed
