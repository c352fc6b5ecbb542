"""Erasing turns so that no byte of them is left, and rewriting them when new patterns find a secret."""

import json
from collections.abc import Iterable
from typing import Any

from steno.store.database import Database
from steno.vocabulary import Forgotten, JournalTurn, Session, Turn

_TEXT_FACTS = ("parent", "agent", "directory", "project", "branch", "model")


class Eraser:
    """The only part that removes or changes content of a turn."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_session(self, session_id: int) -> list[int]:
        """Turns of a session."""
        return self._pick("pick_session", session_id=session_id)

    def of_turn(self, turn: int) -> list[int]:
        """One turn, if it is there."""
        return self._pick("pick_turn", id=turn)

    def of_time(self, since: str, until: str) -> list[int]:
        """Turns of a stretch of time."""
        return self._pick("pick_time", since=since, until=until)

    def of_text(self, text: str) -> list[int]:
        """Turns that hold a text anywhere, also as it stands inside JSON."""
        return self._pick("pick_text", text=text, escaped=_escaped(text))

    def forget(self, turns: list[int], *, now: str, text: str | None = None) -> Forgotten:
        """Erase turns, leaving tombstones; with a text, erase it from everything else that is kept, too."""
        database = self._database
        with database.write():
            sessions = [row[0] for row in database.rows("sessions_of_turns", {"ids": json.dumps(turns)})]
            for turn in turns:
                database.rows("scrub_prompt", {"id": turn})
                database.rows("bury", {"id": turn, "now": now})
                database.rows("erase", {"id": turn})
            if text:
                sessions += [row[0] for row in database.rows("sessions_called", {"text": text})]
            gone = database.rows("erase_empty_sessions", {"ids": json.dumps(sessions)})
            for source, session in gone:
                database.rows("scrub_session_name", {"source": source, "session": session})
            if text:
                values = {"text": text, "escaped": _escaped(text)}
                database.rows("scrub_sessions", {"text": text})
                database.rows("scrub_transcripts", values)
        database.erase_traces()
        return Forgotten(turns=len(turns), sessions=len(gone))

    def rewrite(self, changed: Iterable[tuple[JournalTurn, Turn]], redacted: dict[str, int]) -> None:
        """Replace the text of turns in which something was redacted just now."""
        database = self._database
        with database.write():
            for old, new in changed:
                values = {"text": new.text, "tool": new.tool, "call": new.call, "native_id": new.native_id}
                database.rows("rewrite_turn", {"id": old.id, **values})
            for kind, pieces in redacted.items():
                database.rows("add_redaction", {"kind": kind, "pieces": pieces})
        database.erase_traces()

    def rewrite_sessions(self, changed: list[tuple[Session, Session]]) -> None:
        """The same for facts of sessions."""
        if not changed:
            return
        with self._database.write():
            for old, new in changed:
                facts = {name: getattr(new, name) for name in _TEXT_FACTS}
                values = {"source": old.source, "old": old.session, "new": new.session}
                self._database.rows("rewrite_session", values | facts)
        self._database.erase_traces()

    def tombstones(self) -> list[tuple[bytes, str]]:
        """Keys of what was forgotten, with the time."""
        return [(row[0], row[1]) for row in self._database.rows("tombstones")]

    def put_tombstones(self, tombstones: Iterable[tuple[bytes, str]]) -> None:
        """Tombstones of another store."""
        with self._database.write():
            for key, forgotten_at in tombstones:
                self._database.rows("put_tombstone", {"key": key, "forgotten_at": forgotten_at})

    def _pick(self, query: str, **values: Any) -> list[int]:
        return [row[0] for row in self._database.rows(query, values)]


def _escaped(text: str) -> str:
    """The text as it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
