"""`steno backtest`: what Steno would have learnt from old sessions."""

import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

import steno
from steno.cli import flows, rules
from steno.cli.entries import CATEGORIES, flat, listing
from steno.cli.scribe import tell
from steno.cli.show import json_option, print_json, say
from steno.cli.table import Column, table
from steno.cli.words import many

if TYPE_CHECKING:
    from steno.vocabulary import Entry
    from steno.vocabulary.backtests import Backtest

_COLUMNS: Final = (Column("category"), Column("entries", "number"), Column("unsure", "number", spare=1))


@click.command(short_help="Find out what would be learnt from old sessions.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--source", metavar="NAME", help="Whose transcripts these are, if Steno cannot tell by itself.")
@click.option("--apply", "for_real", is_flag=True, help="Then do the same to the real store.")
@json_option
def backtest(paths: tuple[str, ...], source: str | None, for_real: bool, as_json: bool) -> None:
    """Replay the transcripts at or below each PATH in a store that is thrown away, and show what would be learnt.

    Entries by category, the rules in force when the last session ended, what Steno is not sure of, flows, and lessons.
    With --json all of it, whole.
    """
    _check(paths)
    with steno.open() as memory:
        found = memory.backtest(*paths, source=source, apply=for_real)
    if as_json:
        print_json(_flat(found))
        return
    _report(found)
    tell("Learnt from" if for_real else "Tried out", found.learnt, kept=for_real)
    if not for_real:
        say(("Nothing was kept; --apply does the same to the real store.", "dim"))


def _flat(found: "Backtest") -> dict[str, Any]:
    return {
        "learnt": found.learnt,
        "entries": list(map(flat, found.entries)),
        "rules": found.rules,
        "unsure": [entry.id for entry in found.entries if not entry.is_sure],
        "waiting": [entry.id for entry in _waiting(found)],
        "flows": list(map(flows.flat, found.flows)),
        "lessons": [entry.id for entry in _lessons(found)],
    }


def _report(found: "Backtest") -> None:
    if not found.entries:
        return
    by_category = Counter(entry.category for entry in found.entries)
    unsure = Counter(entry.category for entry in found.entries if not entry.is_sure)
    rows = [[name, by_category[name], unsure[name]] for name in CATEGORIES if by_category[name]]
    table(_COLUMNS, rows)
    say()
    critical = sum(rule.status == "critical" for rule in found.rules)
    if _title(
        many(len(found.rules), "rule"), found.rules, f"{critical:,} critical, {len(found.rules) - critical:,} active"
    ):
        rules.listing(found.rules)
    waiting = _waiting(found)
    told = f"of {sum(unsure.values()):,} unsure; they would wait in `steno review`"
    if _title(f"{len(waiting):,} to review", waiting, told):
        listing(waiting)
    if _title(many(len(found.flows), "flow"), found.flows, "candidates wait for `steno flows activate`"):
        flows.listing(found.flows)
    if _title(many(len(_lessons(found)), "lesson"), _lessons(found)):
        listing(_lessons(found))
    say()


def _title(words: str, below: Sequence[object], more: str = "") -> bool:
    """A line above a list; whether there is anything to list."""
    say((words, "bold"), (f"  {more}" if more and below else "", "dim"))
    return bool(below)


def _waiting(found: "Backtest") -> "list[Entry]":
    from steno.vocabulary import Unsure

    return [review.entry for review in found.reviews if isinstance(review, Unsure)]


def _lessons(found: "Backtest") -> "list[Entry]":
    return [entry for entry in found.entries if entry.category == "learning"]


def _check(paths: tuple[str, ...]) -> None:
    from steno.vocabulary.errors import StenoError

    if not all(paths):
        raise click.UsageError("a PATH is empty")
    if missing := [path for path in paths if not os.path.exists(path)]:
        raise StenoError(
            f"{len(missing)} of {many(len(paths), 'given path')} could not be read: {', '.join(missing)}",
            hint="give the path of a transcript, or of a folder of them",
        )
