"""Reads OpenClaw's database: one session after the other, in order of its rows, read-only and never for long.

Guarantees: every row after the watermark is handed out once, in order; a session that was rewritten is handed out
again from its start, and keys tell what is new. The tables of credentials in the same file are never touched.
"""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice, pairwise
from typing import Any, Final
from urllib.parse import quote

import apsw
import zstandard

from steno.sources.base import LINE_LIMIT
from steno.sources.files import look
from steno.sources.jsonlines import Reading
from steno.sources.openclaw_events import OpenClawEvents
from steno.sources.openclaw_sessions import Origin, is_shared, kind_of
from steno.vocabulary import Batch, Watermark
from steno.vocabulary.errors import Busy, Unreadable

DATABASE: Final = "openclaw-agent.sqlite"
# Between a session and its generation in the name of an archive.
_ARCHIVE: Final = "@"
# A batch is one transaction of ours and one short read of theirs.
_ROWS: Final = 500
_BYTES: Final = 2 << 20
_PATIENCE_MS: Final = 2000
# Rows with their numbers, counted from 1. None: too long, or damaged beyond reading.
Rows = list[tuple[int, bytes | None]]


def list_sessions(path: str) -> list[str]:
    """The sessions of a database, oldest first, then the archives of deleted ones."""
    with _opened(path) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        found: list[str] = []
        if "transcript_events" in tables:
            # Two steps, so that only the index and one row per session are read.
            rows = database.execute(
                "WITH spans AS (SELECT session_id, min(seq) AS first FROM transcript_events GROUP BY session_id)"
                " SELECT session_id FROM spans JOIN transcript_events USING (session_id) WHERE seq = first"
                " ORDER BY created_at, session_id"
            )
            found += [session for (session,) in rows]
        if "session_transcript_archives" in tables:
            rows = database.execute(
                "SELECT session_id, generation FROM session_transcript_archives ORDER BY created_at, session_id"
            )
            found += [f"{session}{_ARCHIVE}{generation}" for session, generation in rows]
        return found


def read_session(path: str, part: str, watermark: Watermark, *, agent: str) -> Iterator[Batch]:
    """Everything of one session, or of one archive, after the watermark."""
    session, archived, generation = part.partition(_ARCHIVE)
    if archived and watermark.tail == generation and watermark.position == watermark.size > 0:
        return
    with _opened(path) as database:
        if not archived:
            generation, last = _extent(database, session)
            if (generation, last) == (watermark.tail, watermark.position):
                return
            if generation != watermark.tail or last < watermark.position:
                watermark = Watermark()
        parser = OpenClawEvents(
            session, agent, watermark.state, origin_of=lambda name: _origin(database, name), fixed=True
        )
        read = _archive if archived else _events
        yield from read(database, session, generation, Reading(parser, watermark))


def _events(database: apsw.Connection, session: str, generation: str, reading: Reading) -> Iterator[Batch]:
    """The rows of a living session. Each batch is a snapshot; a rewrite in between ends the reading."""
    while True:
        with database:
            now, last = _extent(database, session)
            rows = _rows(database, session, reading.mark.position) if now == generation else []
        if not rows:
            return
        numbers = [reading.mark.position, *(number for number, _ in rows)]
        reading.gaps += sum(after > before + 1 for before, after in pairwise(numbers))
        position = numbers[-1]
        yield reading.batch(rows, position=position, line=position, size=last, tail=generation)


def _extent(database: apsw.Connection, session: str) -> tuple[str, int]:
    """The session's rewrite generation, and the number of its last row, counted from 1."""
    last = database.execute("SELECT max(seq) FROM transcript_events WHERE session_id = ?", (session,)).get
    try:
        generation = database.execute(
            "SELECT generation FROM transcript_rewrite_watermarks WHERE session_id = ?", (session,)
        ).get
    except apsw.SQLError:
        generation = None
    return str(generation or ""), 0 if last is None else last + 1


def _rows(database: apsw.Connection, session: str, position: int) -> Rows:
    """The next rows. Read as bytes: a text with bad UTF-8 in it must not cost its neighbours."""
    names = {name for (name,) in database.execute("SELECT name FROM pragma_table_info('transcript_events')")}
    columns = "event_zstd, event_utf8_bytes" if "event_zstd" in names else "NULL, NULL"
    found = database.execute(
        "SELECT seq, CASE WHEN octet_length(event_json) <= :limit THEN CAST(event_json AS BLOB) END,"
        f" {columns} FROM transcript_events WHERE session_id = :session AND seq >= :position ORDER BY seq LIMIT :rows",
        {"limit": LINE_LIMIT, "session": session, "position": position, "rows": _ROWS},
    )
    return _some((seq + 1, _inflate(blob, size) if text is None else text) for seq, text, blob, size in found)


def _inflate(blob: bytes | None, length: int | None) -> bytes | None:
    """A packed row; never more than the host says it holds. None: damaged, too long, or not there."""
    if not blob or not length or not 0 < length <= LINE_LIMIT:
        return None
    try:
        return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(blob)).read(length)
    except zstandard.ZstdError:
        return None


def _archive(database: apsw.Connection, session: str, generation: str, reading: Reading) -> Iterator[Batch]:
    """The lines of a deleted session, which the host keeps as one packed file in a row."""
    row = database.execute(
        "SELECT rowid, encoding FROM session_transcript_archives WHERE session_id = ? AND generation = ?",
        (session, generation),
    ).fetchone()
    if row is None:
        return
    with database.blob_open("main", "session_transcript_archives", "archive_blob", row[0], False) as blob:
        stream: Any = blob
        if row[1] == "zstd":
            stream = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
        lines = islice(enumerate(_lines(stream), 1), reading.mark.position, None)
        rows = _some(lines)
        while rows:
            position, following = rows[-1][0], _some(lines)
            # The size tells the next reader whether this was all.
            size = position + bool(following)
            yield reading.batch(rows, position=position, line=position, size=size, tail=generation)
            rows = following


def _some(lines: Iterator[tuple[int, bytes | None]]) -> Rows:
    """The next lines, as many as make a batch."""
    rows: Rows = []
    size = 0
    for number, line in islice(lines, _ROWS):
        rows.append((number, line))
        size += len(line or b"")
        if size >= _BYTES:
            break
    return rows


def _lines(stream: Any) -> Iterator[bytes | None]:
    """Lines of a packed file. A line over the limit is None, and so is the rest of a damaged one."""
    rest, too_long = b"", False
    try:
        while chunk := stream.read(_BYTES):
            first, *more = (rest + chunk).split(b"\n")
            if more:
                yield None if too_long else first
                too_long = False
                *whole, first = more
                yield from whole
            too_long = too_long or len(first) > LINE_LIMIT
            rest = b"" if too_long else first
    except zstandard.ZstdError:
        too_long = True
    if rest or too_long:
        yield None if too_long else rest


def _origin(database: apsw.Connection, session: str) -> Origin | None:
    """Who started a session. None: the database does not say, or not in the way we know."""
    try:
        row = database.execute(
            "SELECT session_windows.session_key, created_via, coalesce(session_nodes.spawned_by,"
            " session_windows.spawned_by), coalesce(session_nodes.parent_session_key,"
            " session_windows.parent_session_key)"
            " FROM session_windows LEFT JOIN session_nodes USING (session_key) WHERE session_id = ?",
            (session,),
        ).fetchone()
        if row is None:
            return None
        key, created_via, spawned_by, parent_key = row
        kind = kind_of(key, created_via=created_via, spawned=spawned_by is not None)
        parent = database.execute(
            "SELECT current_session_id FROM session_nodes WHERE session_key = ?", (spawned_by or parent_key,)
        ).get
    except apsw.SQLError:
        return None
    return Origin(kind, parent if kind == "subagent" else None, is_shared(key))


@contextmanager
def _opened(path: str) -> Iterator[apsw.Connection]:
    """The database, read-only, with the host's own errors told in our words."""
    look(path)
    # In a folder that may not be written a reader cannot take part in the write-ahead log; if there is none, nobody
    # writes, and the file alone is everything.
    alone = not os.access(os.path.dirname(path) or ".", os.W_OK) and not os.path.exists(f"{path}-wal")
    address = f"file:{quote(os.path.abspath(path))}?mode=ro{'&immutable=1' if alone else ''}"
    try:
        database = apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            database.set_busy_timeout(_PATIENCE_MS)
            yield database
        finally:
            database.close()
    except (apsw.BusyError, apsw.LockedError) as error:
        raise Busy(f"{path} is locked by another process", hint="it is read later") from error
    except apsw.Error as error:
        raise Unreadable(f"cannot be read: {error}") from error
