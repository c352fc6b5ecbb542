"""What a briefing asks of the store: a session's facts, what holds for it, and what was said last."""

import json
from collections.abc import Collection

from steno.store.database import Database
from steno.store.entries import Entries
from steno.store.journal import journal_turn
from steno.vocabulary import Entry, JournalTurn, Origin, Session


class Briefed:
    """The store as a briefing sees it, now or at an earlier time."""

    def __init__(self, database: Database, entries: Entries) -> None:
        self._database = database
        self._entries = entries

    def latest(self, until: str) -> int | None:
        """The session last heard of before a time."""
        rows = self._database.rows("latest_session_then", {"until": until})
        return int(rows[0][0]) if rows else None

    def last_at(self, session_id: int) -> str | None:
        """When a session was last heard of."""
        last: str | None = self._database.rows("session_facts", {"session_id": session_id})[0][-1]
        return last

    def session(self, session_id: int) -> tuple[Session, int | None]:
        """What the host said of a session, and the tokens in its context."""
        row = self._database.rows("session_facts", {"session_id": session_id})[0]
        source, session, kind, project, agent, directory, branch, model, window, tokens, _ = row
        facts = Session(
            source=source,
            session=session,
            kind=kind,
            agent=agent,
            directory=directory,
            project=project,
            branch=branch,
            model=model,
            context_window=window,
        )
        return facts, tokens

    def live(
        self, origins: Collection[Origin], *, session_id: int | None, project: str | None, agent: str | None,
        until: str | None, most: int,
    ) -> list[Entry]:  # fmt: skip
        """What holds, of words of these origins: of each category the latest, oldest first."""
        values = {"session_id": session_id, "project": project, "agent": agent, "until": until, "most": most}
        values["origins"] = json.dumps(sorted(origins))
        return self._entries.with_evidence(self._database.rows("live_entries", values))

    def last_said(self, session_id: int, until: str | None, most: int) -> list[JournalTurn]:
        """The last things people and agents said, oldest first."""
        values = {"session_id": session_id, "until": until, "most": most}
        return [journal_turn(row) for row in self._database.rows("last_said", values)][::-1]

    def last_turn(self, session_id: int, until: str | None = None) -> int | None:
        """Number of a session's last turn."""
        found = self._database.rows("last_turn_of", {"session_id": session_id, "until": until})[0][0]
        return None if found is None else int(found)

    def latest_work(self, project: str | None, until: str | None) -> int | None:
        """The last session in which somebody worked towards a goal."""
        rows = self._database.rows("latest_work", {"project": project, "until": until})
        return int(rows[0][0]) if rows else None
