"""`steno sessions`: which sessions there are."""

from typing import TYPE_CHECKING, Any

import click

import steno
from steno.cli.show import json_option
from steno.cli.table import Cell, Column, listed
from steno.cli.words import share

if TYPE_CHECKING:
    from steno.vocabulary import Found

_FACTS = "session source kind parent agent directory project branch model context_window".split()
_COLUMNS = (
    Column("last_at", "time", "last turn"),
    Column("source", spare=2),
    Column("session", "id"),
    Column("kind", spare=1),
    Column("project", "path", telling=True),
    Column("turns", "number"),
    Column("context", "right"),
)


@click.command(short_help="List the sessions, the latest first.")
@json_option
def sessions(as_json: bool) -> None:
    """List the sessions, the latest first."""
    with steno.open() as memory:
        found = memory.sessions()
    none = "No sessions yet. `steno capture --all` reads the whole history."
    listed(found, _COLUMNS, _row, none=none, as_json=as_json, flat=_flat)


def _flat(found: "Found") -> dict[str, Any]:
    facts = {name: getattr(found.session, name) for name in _FACTS}
    return facts | {name: getattr(found, name) for name in ("context_tokens", "turns", "started_at", "last_at")}


def _row(found: "Found") -> list[Cell]:
    session = found.session
    facts = [session.source, session.session, session.kind, session.project]
    return [found.last_at, *facts, found.turns, _fill(found)]


def _fill(found: "Found") -> str:
    window, used = found.session.context_window, found.context_tokens
    # More than fits shows that the window is not the one we think of.
    return share(used / window) if used is not None and window and used <= window else ""
