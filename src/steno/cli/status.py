"""`steno status`: how much is in the journal, and how much of each session."""

import os
from typing import TYPE_CHECKING

import click

from steno.cli.daemon import daemon_line
from steno.cli.show import Piece, json_option, on_terminal, print_json, say, short_ids, table
from steno.cli.words import by_kind, in_words, many, share, short, size, span, when

if TYPE_CHECKING:
    from steno.vocabulary import Coverage, Recallable, Status

# More rows than a screen has lines help nobody.
_ROWS = 20


@click.command(short_help="Show how much of each session is in the journal.")
@json_option
def status(as_json: bool) -> None:
    """Show totals, and for each session: lines seen, read, skipped and bad, turns, gaps, lag, context fill."""
    from msgspec import structs

    import steno
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
    for problem in found.problems:
        say(("problem  ", "red"), in_words(problem))


def _totals(found: "Status") -> None:
    say((many(found.turns, "turn"), "bold"), f" in {many(len(found.sessions), 'session')}, {size(found.disk_bytes)}")
    if not found.turns:
        say("Nothing is captured yet. `steno capture --all` reads the whole history.")
    if found.paused:
        say((f"paused    since {when(found.paused)}: nothing is captured; `steno resume` goes on", "yellow"))
    if found.entries:
        say(("entries   ", "dim"), f"{found.entries:,}")
    if found.turns:
        say(("recall    ", "dim"), *_recall(found.recall))
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
    if not on_terminal():
        columns = "source session project turns> seen> read> skipped> bad> gaps> lag> context> problem".split()
        table(columns, [_row(session) for session in sessions])
        return
    ids = short_ids(session.session for session in sessions)
    columns = "source session project turns> seen> read> skip> bad> gaps> lag> ctx>".split()
    table(columns, [_short_row(session, ids[session.session]) for session in sessions[:_ROWS]])
    if len(sessions) > _ROWS:
        say((f"… and {len(sessions) - _ROWS:,} older sessions: `steno status | less` shows all", "dim"))


def _row(session: "Coverage") -> list[str]:
    numbers = (session.turns, session.lines_seen, session.lines_read, session.lines_skipped, session.lines_bad)
    counts = [str(number) for number in (*numbers, session.gaps)]
    return [
        session.source,
        session.session,
        session.project or "",
        *counts,
        span(session.lag_s),
        share(session.context_fill),
        session.problem or "",
    ]


def _short_row(session: "Coverage", id_: str) -> list[str]:
    """The row in 80 columns; problems are listed below the table."""
    numbers = (session.turns, session.lines_seen, session.lines_read, session.lines_skipped, session.lines_bad)
    project = os.path.basename(session.project or "")
    return [
        session.source,
        id_,
        project,
        *[short(number) for number in (*numbers, session.gaps)],
        span(session.lag_s),
        share(session.context_fill),
    ]
