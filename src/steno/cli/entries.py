"""`steno entries`: what is remembered."""

from typing import TYPE_CHECKING, Any, Final

import click

from steno.cli.progress import learnt
from steno.cli.show import json_option, laid_out, print_json, say
from steno.cli.table import Cell, Column, table
from steno.cli.where import project_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steno.vocabulary import Category, Entry, EntryStatus
    from steno.vocabulary.accesses import Access

# Written out, because a help page must not wait for the vocabulary to be imported; a test says they agree.
CATEGORIES: "Final[Sequence[Category]]" = (
    "decision", "rejected", "rule", "exclusion", "task", "commitment", "discovery", "learning", "fact", "context",
    "agent_state",
)  # fmt: skip
STATUSES: "Final[Sequence[EntryStatus]]" = ("active", "done", "superseded", "archived", "forgotten")
_PRINTED: Final = (
    *("id", "category", "status", "certainty", "summary", "detail", "origin", "tags", "domain", "session"),
    *("project", "repeated", "created_at", "superseded_by", "evidence"),
)
# An active entry needs no mark.
_MARKS: Final = {"done": "✓ ", "superseded": "↷ ", "archived": "▫ ", "forgotten": "✗ "}
_COLUMNS: Final = (
    Column("id", "id"),
    Column("category", spare=1),
    Column("status", spare=5),
    Column("origin", spare=3),
    Column("created_at", "time", "said", spare=2),
    Column("project", "path", spare=4),
    Column("summary", telling=True),
)


@click.command(short_help="List what is remembered, the oldest first.")
@click.option("--category", type=click.Choice(CATEGORIES), help="Only entries of this category.")
@click.option("--status", type=click.Choice(STATUSES), help="Only entries of this status.")
@click.option("--session", metavar="S", help="Only of this session: its id, the beginning of it, or `latest`.")
@project_option("Only of this project.")
@click.option("--domain", metavar="D", help="Only of this field of work, such as `WEB`.")
@click.option("--unused", is_flag=True, help="Only what nobody recalled or used for `unused_days`.")
@click.option("--resolved/--unresolved", default=None, help="Only tasks and promises that were seen to, or were not.")
@json_option
def entries(
    category: str | None, status: str | None, session: str | None, project: str | None,
    domain: str | None, unused: bool, resolved: bool | None, as_json: bool,
) -> None:  # fmt: skip
    """List what is remembered, the oldest first. `steno show ID` shows one with the words it rests on.

    On a terminal, ✓ marks what is done, ↷ what a newer entry took the place of, ▫ what was laid aside.
    """
    with learnt() as memory:
        found = memory.entries(category=category, status=status, session=session, project=project, domain=domain)
        if unused:
            named = set(memory.unused())
            found = [entry for entry in found if entry.id in named]
        if resolved is not None:
            found = [entry for entry in found if entry.is_resolved is resolved]
        accesses = memory.accesses.of(entry.id for entry in found) if as_json else {}
    if as_json:
        print_json(*(flat(entry) | accessed(accesses.get(entry.id)) for entry in found))
    elif found:
        listing(found)
    else:
        chosen = category or status or session or project or domain or unused or resolved is not None
        say("No entry fits." if chosen else "No entries yet. `steno capture --all` reads the whole history.")


def flat(entry: "Entry") -> dict[str, Any]:
    """An entry with its evidence, as programs read it."""
    from steno.vocabulary.details import as_stored

    return {name: getattr(entry, name) for name in _PRINTED} | {"detail": as_stored(entry.detail)}


def accessed(access: "Access | None") -> dict[str, Any]:
    """How much an entry is used, as programs read it."""
    return {
        "access_count": access.count if access else 0,
        "last_accessed": access.last_at if access else None,
        "used": access.used if access else 0,
    }


def listing(found: "list[Entry]") -> None:
    """A line for each entry."""
    table(_COLUMNS, [_row(entry) for entry in found])


def _row(entry: "Entry") -> list[Cell]:
    summary = (_MARKS.get(entry.status, "") if laid_out() else "") + entry.summary
    style = "dim" if entry.status in ("superseded", "archived", "forgotten") else ""
    facts = [entry.id, entry.category, entry.status, entry.origin, entry.created_at, entry.project]
    return [*facts, (summary, style)]
