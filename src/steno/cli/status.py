"""`steno status`: how much is in the journal, and how much of each session."""

import os
from typing import TYPE_CHECKING

import click

import steno
from steno.cli.daemon import daemon_line
from steno.cli.model import model_line
from steno.cli.show import Piece, json_option, laid_out, print_json, say
from steno.cli.table import Cell, Column, table
from steno.cli.words import by_kind, in_words, many, share, size, span, when

if TYPE_CHECKING:
    from steno.vocabulary import Coverage, Recallable, Status

# More rows than a screen has lines help nobody.
_ROWS = 20
_COLUMNS = (
    Column("source", spare=1),
    Column("session", "id"),
    Column("project", "path", telling=True),
    Column("turns", "number"),
    Column("seen", "number", "lines", spare=2),
    Column("read", "number", spare=3),
    Column("skipped", "number", spare=3),
    Column("bad", "number"),
    Column("gaps", "number"),
    Column("lag", "right", spare=1),
    Column("context", "right"),
    # What is wrong with a transcript stands below the table.
    Column("problem", spare=4),
)


@click.command(short_help="Show how much of each session is in the journal.")
@json_option
def status(as_json: bool) -> None:
    """Show totals, and for each session: lines seen, read, skipped and bad, turns, gaps, lag, context fill."""
    from msgspec import structs

    from steno.daemon.control import ask
    from steno.settings import home_of
    from steno.vocabulary.errors import StenoError

    home = home_of(os.environ)
    vitals = ask(home)
    try:
        with steno.open() as memory:
            found = memory.status()
    except StenoError:
        # The store cannot be asked; the daemon may say since when.
        if not as_json:
            daemon_line(home, vitals)
        raise
    if as_json:
        print_json({**structs.asdict(found), "daemon": vitals})
        return
    _totals(found)
    daemon_line(home, vitals)
    if found.sessions:
        say()
        _sessions(found.sessions)
    if found.unheard:
        say(("unheard  ", "red"), found.unheard)
    for flag in found.flags:
        say(("flag     ", "yellow"), flag)
    for silent in found.silent:
        say(("silent   ", "yellow"), silent)
    for problem in found.problems:
        say(("problem  ", "red"), in_words(problem))
    if found.problems:
        say(("         what need not be read: `steno exclude PATH`", "dim"))


def _totals(found: "Status") -> None:
    say((many(found.turns, "turn"), "bold"), f" in {many(len(found.sessions), 'session')}, {size(found.disk_bytes)}")
    if not found.turns:
        say("Nothing is captured yet. `steno capture --all` reads the whole history.")
        say("Then `steno recall` finds it again; `steno install` lets it happen by itself.")
    if found.paused:
        say((f"paused    since {when(found.paused)}: nothing is captured; `steno resume` goes on", "yellow"))
    if found.entries:
        say(("entries   ", "dim"), f"{found.entries:,}")
    if found.turns:
        say(("recall    ", "dim"), *_recall(found.recall))
    if found.model.model:
        say(("model     ", "dim"), *model_line(found.model))
    if found.lines_seen:
        lines = f"{found.lines_seen:,} seen, {found.lines_bad:,} bad, {found.lines_mended:,} mended"
        say(("lines     ", "dim"), (lines, "yellow" if found.lines_bad else ""))
        say(("gaps      ", "dim"), (f"{found.gaps:,}", "yellow" if found.gaps else ""))
    if found.redacted:
        say(("redacted  ", "dim"), by_kind(found.redacted))
    for pattern in found.excluded:
        say(("excluded  ", "dim"), pattern)


def _recall(now: "Recallable") -> list[Piece]:
    if now.note:
        return [f"{many(now.vectors, 'turn')} with vectors; ", (now.note, "yellow")]
    if not now.vectors:
        return ["by words only; vectors are switched off"]
    return [f"{many(now.vectors, 'turn')} with vectors", (f"  {now.model}", "dim")]


def _sessions(sessions: "list[Coverage]") -> None:
    shown = sessions[:_ROWS] if laid_out() else sessions
    table(_COLUMNS, [_row(session) for session in shown])
    if len(shown) < len(sessions):
        say((f"… and {len(sessions) - _ROWS:,} older sessions: `steno status | less` shows all", "dim"))


def _row(session: "Coverage") -> list[Cell]:
    return [
        session.source,
        session.session,
        session.project,
        session.turns,
        session.lines_seen,
        session.lines_read,
        session.lines_skipped,
        *[(number, "yellow") if number else number for number in (session.lines_bad, session.gaps)],
        span(session.lag_s),
        share(session.context_fill),
        session.problem,
    ]
