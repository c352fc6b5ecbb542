"""`steno sessions`: which sessions there are."""

import os
from typing import TYPE_CHECKING, Any

import click

from steno.cli.show import json_option, on_terminal, print_json, say, short_ids, table
from steno.cli.words import share, when

if TYPE_CHECKING:
    from steno.vocabulary import Found


@click.command(short_help="List the sessions, the latest first.")
@json_option
def sessions(as_json: bool) -> None:
    """List the sessions, the latest first."""
    import steno

    with steno.open() as memory:
        found = memory.sessions()
    if as_json:
        print_json(*map(_flat, found))
    elif not found:
        say("No sessions yet. `steno capture --all` reads the whole history.")
    elif on_terminal():
        ids = short_ids(one.session.session for one in found)
        columns = ["last turn", "source", "session", "kind", "project", "turns>", "ctx>"]
        table(columns, [_row(one, ids[one.session.session]) for one in found])
    else:
        columns = ["last_at", "source", "session", "kind", "project", "turns>", "context>"]
        table(columns, [_long_row(one) for one in found])


def _flat(found: "Found") -> dict[str, Any]:
    session = found.session
    return {
        "session": session.session,
        "source": session.source,
        "kind": session.kind,
        "parent": session.parent,
        "agent": session.agent,
        "directory": session.directory,
        "project": session.project,
        "branch": session.branch,
        "model": session.model,
        "context_window": session.context_window,
        "context_tokens": found.context_tokens,
        "turns": found.turns,
        "started_at": found.started_at,
        "last_at": found.last_at,
    }


def _row(found: "Found", id_: str) -> list[str]:
    session = found.session
    project = os.path.basename(session.project or "")
    return [when(found.last_at), session.source, id_, session.kind, project, f"{found.turns:,}", _fill(found)]


def _long_row(found: "Found") -> list[str]:
    session = found.session
    return [
        found.last_at or "",
        session.source,
        session.session,
        session.kind,
        session.project or "",
        str(found.turns),
        _fill(found),
    ]


def _fill(found: "Found") -> str:
    window, used = found.session.context_window, found.context_tokens
    return share(used / window) if used is not None and window else ""
