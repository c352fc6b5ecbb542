"""Sessions, transcripts with their watermarks, and turns: appended together, read in every way the front desk needs."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from steno.store.database import Database, Row, Tables, Values
from steno.vocabulary import FROM_FILES, HEARSAY, Batch, Found, JournalTurn, Read, Session, Turn, Watermark
from steno.vocabulary.errors import Overtaken, UnknownSession, WrongUse

_FACTS = ("kind", "parent", "agent", "directory", "project", "branch", "model", "context_window")
_COUNTS = ("lines_read", "lines_skipped", "lines_bad", "lines_mended", "gaps")
_PLACE = ("position", "line", "unended", "device", "inode", "size", "modified_ns", "tail")
# The source of a file that could never be read.
UNKNOWN = "unknown"
# How many turns a reader fetches at a time.
_PORTION = 1000


class Known(NamedTuple):
    """A transcript as the journal knows it."""

    id: int
    version: int
    watermark: Watermark
    problem: str | None


class CallRow(NamedTuple):
    """A tool that was called, and the beginning of what came of it."""

    session_id: int
    source: str
    session: str
    agent: str | None
    # Where the session runs.
    directory: str | None
    turn: int
    # The host's id of the call.
    call: str | None
    tool: str | None
    # The input as JSON, or as it is.
    text: str
    began: str
    # None: it goes on, as far as the journal knows.
    ended: str | None
    # Whether a person refused it: it never ran.
    is_denied: bool
    result: str


class TranscriptRow(NamedTuple):
    """What is known of a transcript besides its watermark."""

    id: int
    source: str
    name: str
    position: int
    size: int
    lines_read: int
    lines_skipped: int
    lines_bad: int
    lines_mended: int
    gaps: int
    lines_of: dict[str, int]
    turns_stored: int
    problem: str | None
    read_at: str


class Journal(Tables):
    """The append-only copy of what was said."""

    def __init__(self, database: Database, secret: bytes) -> None:
        super().__init__(database)
        self.secret = secret

    def transcript(self, source: str, name: str, now: str) -> Known:
        """The watermark of a transcript; a fresh one if it is new."""
        values = {"source": source, "name": name}
        rows = self._database.rows("find_transcript", values)
        if not rows:
            with self._database.write():
                self._database.rows("drop_unknown", {"source": UNKNOWN, "name": name})
                self._database.rows("new_transcript", {**values, "now": now})
            rows = self._database.rows("find_transcript", values)
        return _known(rows[0])

    def find_transcript(self, source: str, name: str) -> Known | None:
        """The same, without making one."""
        rows = self._database.rows("find_transcript", {"source": source, "name": name})
        return _known(rows[0]) if rows else None

    def same_file(self, source: str, device: int, inode: int) -> list[tuple[int, str]]:
        """Transcripts that were this file, by id and name."""
        values = {"source": source, "device": device, "inode": inode}
        return [(row[0], row[1]) for row in self._database.rows("transcripts_by_inode", values)]

    def rename(self, transcript_id: int, name: str) -> None:
        """The file has another name now."""
        self._change("rename_transcript", {"id": transcript_id, "name": name})

    def append(
        self, known: Known, batch: Batch, keys: list[bytes], *, redacted: Mapping[str, int], now: str
    ) -> tuple[Known, dict[str, int]]:
        """Store turns, facts and watermark in one transaction. Gives the new watermark and the new turns by session."""
        database, turns = self._database, batch.turns
        with database.write():
            self._drop_hearsay(keys)
            ids = {session.session: self._put_session(session) for session in batch.sessions}
            rows = (_turn_row(key, ids, known.id, read) for key, read in zip(keys, turns, strict=True))
            new = Counter(row[0] for row in database.many("put_turn", rows))
            self._touch(ids, turns)
            for session_id in ids.values():
                if not new[session_id]:
                    database.rows("drop_silent_session", {"id": session_id})
            mark = self._without_forgotten_names(batch)
            if not database.rows("move_watermark", _mark_values(known, mark, now)):
                raise Overtaken("another capture has read this transcript further")
            if new:
                database.rows("add_stored", {"id": known.id, "turns": new.total()})
            for kind, pieces in redacted.items():
                database.rows("add_redaction", {"kind": kind, "pieces": pieces})
        return Known(known.id, known.version + 1, batch.watermark, None), {name: new[id_] for name, id_ in ids.items()}

    def note_problem(self, source: str | None, name: str, problem: str | None, *, now: str, gaps: int = 0) -> None:
        """Remember why a transcript cannot be read; None: it can. Without a source, whosever the file is."""
        values = {"source": source, "name": name, "problem": problem, "gaps": gaps}
        with self._database.write():
            if not self._database.rows("note_problem", values) and source is None:
                self._database.rows("new_transcript", {"source": UNKNOWN, "name": name, "now": now})
                self._database.rows("note_problem", values)

    def begun(self) -> list[tuple[str, str]]:
        """Source and name of transcripts that were not read to their end, for no reason we know of."""
        return [(row[0], row[1]) for row in self._database.rows("begun_transcripts")]

    def transcripts(self) -> list[TranscriptRow]:
        rows = self._database.rows("all_transcripts")
        return [TranscriptRow._make((*row[:10], json.loads(row[10]), *row[11:])) for row in rows]

    def unread(self, session_id: int | None = None) -> int:
        """How many turns the scribe has not read, of all sessions or of one."""
        return int(self._database.rows("count_unread", {"session_id": session_id})[0][0])

    def count(self) -> int:
        """How many turns there are."""
        return int(self._database.rows("count_turns")[0][0])

    def has(self, key: bytes) -> bool:
        """Whether a turn is there, or was forgotten."""
        return bool(self._database.rows("has_turn", {"key": key}))

    def calls(self, since: str, until: str) -> list[CallRow]:
        """What tools were called with in a stretch of time, and when each call ended, if it did."""
        ends = {(row[0], row[1]): row[2:] for row in self._database.rows("results_since", {"since": since})}
        rows = self._database.rows("calls_between", {"since": since, "until": until})
        return [CallRow(*row, *ends.get((row[0], row[6]), (None, False, ""))) for row in rows]

    def call_text(self, session: str | None, call: str) -> str:
        """What a tool was called with, by the host's id of the call; empty where the journal does not have it."""
        return self._first(str, "call_text", {"session": session, "call": call}) or ""

    def next_word(self, session_id: int, turn: int) -> str | None:
        """When a person was heard next in a session."""
        return self._first(str, "next_word", {"session_id": session_id, "turn": turn})

    def ends(self, session_id: int, turn: int) -> list[tuple[str, int | None, str, str]]:
        """What may say that a command in the background ended: when, its exit status, the text, what was asked."""
        rows = self._database.rows("ends_since", {"session_id": session_id, "turn": turn})
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def redactions(self) -> dict[str, int]:
        """Pieces taken out before writing, by kind."""
        return dict(self._database.rows("redactions"))

    def sessions(self) -> list[Found]:
        """All sessions, the latest first."""
        turns: dict[int, int] = dict(self._database.rows("turns_by_session"))
        return [_found(row, turns.get(row[0], 0)) for row in self._database.rows("sessions")]

    def session_id(self, name: str) -> int:
        """The session called so (`id`, `source:id`, `latest`), or the only one whose id begins so."""
        if not name:
            raise WrongUse("the session's id is empty", hint="`steno sessions` lists them")
        rows = self._database.rows("find_session", called(name))
        if not rows and name == "latest":
            rows = self._database.rows("latest_session")
        if not rows and name == "latest":
            raise UnknownSession(
                "this is a cold start: nothing was captured yet",
                hint="`steno capture --all` reads what your agents left",
            )
        if not rows:
            raise UnknownSession(f"no session {name!r} in the journal", hint="`steno sessions` lists them")
        # What an import calls its sessions must not stand in the way of ours; `import:ID` names them.
        rows = [row for row in rows if row[1] not in FROM_FILES] or rows
        exact = [row for row in rows if name in (row[2], f"{row[1]}:{row[2]}")]
        if len(exact) > 1:
            hosts = " and ".join(f"{row[1]}:{row[2]}" for row in exact)
            raise UnknownSession(f"two hosts have a session {name!r}: {hosts}", hint="name the source, too")
        if not exact and len(rows) > 1:
            several = ", ".join(row[2] for row in rows)
            raise UnknownSession(f"several sessions begin with {name!r}: {several}, …", hint="give more of the id")
        return int((exact or rows)[0][0])

    def projects(self) -> list[str]:
        """Projects of all sessions, the one last heard of first."""
        return [project for (project,) in self._database.rows("projects")]

    def latest_in(self, project: str | None) -> int | None:
        """The session of a project last heard of."""
        return self._first(int, "latest_session_in", {"project": project})

    def turns(self, session: str) -> Iterator[JournalTurn]:
        """Turns of a session in the order they were read."""
        for rows in self._portions("turns_of_session", _PORTION, session_id=self.session_id(session)):
            yield from map(journal_turn, rows)

    def all_turns(self) -> Iterator[tuple[bytes, JournalTurn]]:
        """The whole journal with its keys."""
        for rows in self._portions("all_turns", _PORTION):
            for row in rows:
                yield row[1], journal_turn((row[0], *row[2:]))

    def acts(self, project: str | None = None) -> Iterator[list[JournalTurn]]:
        """What agents did, in a project or anywhere, and what people said or did about it, in portions; results come
        without their text."""
        for rows in self._portions("acts", _PORTION, project=project):
            yield list(map(journal_turn, rows))

    def put(self, sessions: list[Session], turns: list[Read], keys: list[bytes]) -> int:
        """Turns from an export of this home: without transcript or watermark. How many were new."""
        with self._database.write():
            self._drop_hearsay(keys)
            return self._put(sessions, turns, keys)

    def hear(self, sessions: list[Session], turns: list[Read], keys: list[bytes]) -> int:
        """Turns from a stranger's export, unless they were captured here: kept apart, under keys of their own, so that
        they can neither change a session of ours nor stand in the way of what is captured later."""
        source_of = {session.session: session.source for session in sessions}
        with self._database.write():
            heard = [
                (_heard_key(key), read)
                for key, read in zip(keys, turns, strict=True)
                if not self.has(key) and not self._is_known(source_of[read.session], read)
            ]
            apart = [structs.replace(session, source=HEARSAY) for session in sessions]
            return self._put(apart, [read for _, read in heard], [key for key, _ in heard])

    def _put(self, sessions: list[Session], turns: list[Read], keys: list[bytes]) -> int:
        database = self._database
        ids = {session.session: self._put_session(session) for session in sessions}
        source_of = {session.session: session.source for session in sessions}
        pairs = zip(keys, turns, strict=True)
        fresh = [(key, read) for key, read in pairs if not self._is_known(source_of[read.session], read)]
        new = database.many("put_turn", (_turn_row(key, ids, None, read) for key, read in fresh))
        for session_id in ids.values():
            database.rows("drop_silent_session", {"id": session_id})
        self._touch(ids, turns)
        return len(new)

    def _is_known(self, source: str, read: Read) -> bool:
        """Whether a turn without host id is there already, under the key of another store."""
        if read.turn.native_id is not None:
            return False
        turn = read.turn
        values = {"source": source, "session": read.session, "line": turn.line, "role": turn.role, "kind": turn.kind}
        return bool(self._database.rows("same_turn", {**values, "text": turn.text}))

    def _drop_hearsay(self, keys: list[bytes]) -> None:
        """What was only hearsay is here now: it is not kept twice."""
        if self._database.rows("any_hearsay"):
            for (session_id,) in set(self._database.many("drop_hearsay", [(_heard_key(key),) for key in keys])):
                self._database.rows("drop_silent_session", {"id": session_id})

    def _put_session(self, session: Session) -> int:
        values = {name: self._unless_forgotten(getattr(session, name)) for name in _FACTS}
        values |= {"source": session.source, "session": session.session}
        return int(self._database.rows("put_session", values)[0][0])

    def _without_forgotten_names(self, batch: Batch) -> Watermark:
        """The watermark, without names of sessions of which nothing is left because it was forgotten, and without
        forgotten facts the parser remembers, such as where a session stands."""
        mark = batch.watermark
        if not (mark.lines_of or mark.state) or not self._database.rows("any_forgotten"):
            return mark
        mark = structs.replace(mark, state=self._without_forgotten_facts(mark.state))
        kept = {row[0] for row in self._database.rows("known_sessions", {"names": json.dumps(list(mark.lines_of))})}
        return structs.replace(mark, lines_of={name: n for name, n in mark.lines_of.items() if name in kept})

    def _without_forgotten_facts(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._without_forgotten_facts(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._without_forgotten_facts(inner) for inner in value]
        return "" if isinstance(value, str) and self._unless_forgotten(value) is None else value

    def _unless_forgotten(self, fact: Any) -> Any:
        """A fact of a session, or None if the user had it forgotten."""
        if not isinstance(fact, str) or not self._database.rows("is_forgotten", {"key": fact_key(fact, self.secret)}):
            return fact
        return None

    def _touch(self, ids: Mapping[str, int], turns: list[Read]) -> None:
        """Bring each session's times and fill up to date."""
        spans: dict[str, tuple[str | None, str | None, int | None]] = {}
        for read in turns:
            first, last, used = spans.get(read.session, (None, None, None))
            at, tokens = read.turn.at, read.turn.context_tokens
            if at is not None:
                first = at if first is None or at < first else first
                last = at if last is None or at > last else last
            spans[read.session] = (first, last, used if tokens is None else tokens)
        for name, (first, last, used) in spans.items():
            values = {"id": ids[name], "first": first, "last": last, "context_tokens": used}
            self._database.rows("touch_session", values)


def key_of(source: str, read: Read, secret: bytes) -> bytes:
    """What makes a turn the same turn when it is read again: the host's id, else session, position and content.

    The content's hash is keyed, so that nobody can find out a removed secret by trying.
    """
    if read.unique is not None:
        basis = f"{source}\0{read.unique}\0{read.block}"
    else:
        content = hashlib.blake2b(read.turn.text.encode(), key=secret, digest_size=16).hexdigest()
        place = "" if read.moves else read.turn.line
        basis = f"{source}\0{read.session}\0{place}\0{read.block}\0{content}"
    return hashlib.blake2b(basis.encode(), digest_size=16).digest()


def _heard_key(key: bytes) -> bytes:
    """The key of a turn that is only hearsay."""
    return hashlib.blake2b(b"hearsay\0" + key, digest_size=16).digest()


def fact_key(fact: str, secret: bytes) -> bytes:
    """What is left of a forgotten fact of a session."""
    return hashlib.blake2b(f"fact\0{fact}".encode(), key=secret, digest_size=16).digest()


def record_key(act: str, entry: str, value: str) -> bytes:
    """What is left of a forgotten record."""
    return hashlib.blake2b("\0".join(("record", act, entry, value)).encode(), digest_size=16).digest()


def journal_turn(row: Row) -> JournalTurn:
    """A row of the journal as a value."""
    id_, source, session, role, kind, text, at, line, native_id, tool, call, failed, exit_status, tokens = row
    turn = Turn(
        role=role,
        kind=kind,
        text=text,
        at=at,
        line=line,
        native_id=native_id,
        tool=tool,
        call=call,
        failed=None if failed is None else bool(failed),
        exit_status=exit_status,
        context_tokens=tokens,
    )
    return JournalTurn(id=id_, source=source, session=session, turn=turn)


def _turn_row(key: bytes, ids: Mapping[str, int], transcript_id: int | None, read: Read) -> Row:
    turn = read.turn
    return (
        key, ids[read.session], transcript_id, turn.role, turn.kind, turn.text, turn.at, turn.line, turn.native_id,
        turn.tool, turn.call, turn.failed, turn.exit_status, turn.context_tokens,
    )  # fmt: skip


def called(session: str) -> Values:
    """What a session is looked for by: its id or the beginning of it, with or without its source before it."""
    source, _, of_source = session.partition(":")
    return {
        "session": session,
        "until": f"{session}\U0010ffff",
        "source": source,
        "of_source": of_source,
        # Without an id behind it, a source names none.
        "of_source_until": f"{of_source}\U0010ffff" if of_source else "",
    }


def _mark_values(known: Known, watermark: Watermark, now: str) -> dict[str, Any]:
    values = {name: getattr(watermark, name) for name in (*_PLACE, *_COUNTS)}
    values |= {"id": known.id, "version": known.version, "now": now}
    for name in ("lines_of", "state"):
        values[name] = msgspec.json.encode(getattr(watermark, name)).decode()
    return values


def _known(row: Row) -> Known:
    id_, version, *place = row[:10]
    counts, (state, lines_of, problem) = row[10:15], row[15:18]
    watermark = Watermark(
        **dict(zip(_PLACE, place, strict=True)), **dict(zip(_COUNTS, counts, strict=True)),
        lines_of=json.loads(lines_of), state=json.loads(state),
    )  # fmt: skip
    return Known(id_, version, structs.replace(watermark, unended=bool(watermark.unended)), problem)


def _found(row: Row, turns: int) -> Found:
    _, source, session, *facts = row
    values = dict(zip(_FACTS, facts, strict=False))
    context_tokens, started_at, last_at = facts[len(_FACTS) :]
    return Found(
        session=Session(source=source, session=session, **values),
        turns=turns,
        started_at=started_at,
        last_at=last_at,
        context_tokens=context_tokens,
    )
