"""What a briefing asks of the store: a session's facts, what holds for it, and what was said last."""

import json
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from steno.store.database import Database, Tables
from steno.store.entries import Entries
from steno.store.journal import journal_turn
from steno.vocabulary import CATEGORIES, Category, Entry, JournalTurn, Origin, Session

# Greater than any turn's number.
_END: Final = 1 << 62
# Words that may name a cause or take one back, for the index of words; the latest that hold one, among so many turns.
_CAUSES: Final = (
    '"root cause" OR "turns out" OR "turned out" OR "caused by" OR "real issue" OR "real problem" OR "real cause" OR '
    '"actual issue" OR "actual problem" OR "actual cause" OR culprit OR "the issue was" OR "the problem was" OR '
    '"the bug was" OR "the failure was" OR "the error was" OR "i was wrong" OR "red herring" OR "was mistaken" OR '
    '"not the cause" OR "my diagnosis" OR "my hypothesis" OR "my theory"'
)
_NAMED: Final = 30
_WITHIN: Final = 6_000
_FACTS: Final = ("source", "session", "kind", "project", "agent", "directory", "branch", "model", "context_window")


class HowMuch(NamedTuple):
    """How much was said in a session, how much of it by a person, and from when to when."""

    turns: int
    spoken: int
    since: str | None
    until: str | None


class Briefed(Tables):
    """The store as a briefing sees it, now or at an earlier time."""

    def __init__(self, database: Database, entries: Entries) -> None:
        super().__init__(database)
        self._entries = entries

    def latest(self, until: str, project: str | None = None) -> int | None:
        """The session last heard of before a time, of one project (empty: of none) or of all."""
        return self._first(int, "latest_session_then", {"until": until, "project": project})

    def last_at(self, session_id: int) -> str | None:
        """When a session was last heard of."""
        rows = self._database.rows("session_facts", {"session_id": session_id})
        last: str | None = rows[0][-1] if rows else None
        return last

    def session(self, session_id: int) -> tuple[Session, int | None]:
        """What the host said of a session, and the tokens in its context."""
        *facts, tokens, _ = self._database.rows("session_facts", {"session_id": session_id})[0]
        return Session(**dict(zip(_FACTS, facts, strict=True))), tokens

    def live(
        self, origins: Collection[Origin], *, session_id: int | None, project: str | None, agent: str | None,
        until: str | None, most: int, categories: Collection[Category] = CATEGORIES,
    ) -> list[Entry]:  # fmt: skip
        """What holds, of words of these origins: of each category the latest, oldest first."""
        values: dict[str, object] = {"session_id": session_id, "project": project, "agent": agent}
        values |= {"until": until, "most": most}
        values |= {"origins": json.dumps(sorted(origins)), "categories": json.dumps(list(categories))}
        return self._entries.with_evidence(self._database.rows("live_entries", values))

    def last_said(self, session_id: int, until: str | None, most: int, *, calls: bool = False) -> list[JournalTurn]:
        """The last things people and agents said, oldest first; with the tools they called, if that is asked for."""
        values = {"session_id": session_id, "until": until, "most": most, "calls": calls}
        return [journal_turn(row) for row in self._database.rows("last_said", values)][::-1]

    def spoken(
        self, session_id: int, role: str, until: str | None, *, after: int = 0, before: int | None = None, most: int = 1
    ) -> list[JournalTurn]:
        """The last turns in which a person (`user`) or an agent said something, the latest first."""
        values = {"session_id": session_id, "role": role, "until": until, "most": most}
        values |= {"after": after, "before": before or _END}
        return [journal_turn(row) for row in self._database.rows("last_spoken", values)]

    def printed(self, turn: int, most: int) -> str:
        """The last letters of what a call gave back."""
        return self._first(str, "printed", {"turn": turn, "most": most}) or ""

    def closings(self, session_id: int, turns: Iterable[int], until: str | None) -> dict[int, tuple[int, str]]:
        """After each of a person's turns: the turn in which they spoke next, and the agent's last words before that,
        unless it went on to a call."""
        values = {"session_id": session_id, "turns": json.dumps(list(turns)), "until": until, "end": _END}
        rows = self._database.rows("closings", values)
        return {turn: (next_turn, words or "") for turn, next_turn, words in rows}

    def calls_since(
        self, session_id: int, turn: int, until: str | None, *, most: int
    ) -> tuple[int, list[tuple[JournalTurn, bool | None]]]:
        """How many tools an agent called after a turn, and the last calls, the latest first, each with whether it
        failed; None: no result was seen."""
        values = {"session_id": session_id, "turn": turn, "until": until, "most": most}
        many = self._first(int, "count_calls_since", values) or 0
        rows = self._database.rows("calls_since_turn", values)
        return many, [(journal_turn(row[:-1]), None if row[-1] is None else bool(row[-1])) for row in rows]

    def causes(self, session_id: int, until: str | None) -> list[JournalTurn]:
        """What the agent said that may name a cause or take one back, oldest first."""
        values = {"session_id": session_id, "until": until, "cues": _CAUSES, "most": _NAMED, "within": _WITHIN}
        return [journal_turn(row) for row in self._database.rows("named_causes", values)][::-1]

    def at(self, turn: int) -> str | None:
        """When a turn was."""
        return self._first(str, "time_of", {"turn": turn})

    def edited_beside(self, session_id: int, project: str | None, since: str, *, most: int) -> list[str]:
        """Files that other sessions of a project changed since a time, the latest first."""
        values = {"session_id": session_id, "project": project, "since": since, "most": most}
        return [path for (path,) in self._database.rows("edited_beside", values)]

    def how_much(self, session_id: int) -> HowMuch | None:
        """How much was read of a session; None: nothing."""
        rows = self._database.rows("how_much", {"session_id": session_id})
        return HowMuch(*rows[0]) if rows else None

    def last_turn(self, session_id: int, until: str | None = None) -> int | None:
        """Number of a session's last turn."""
        found = self._database.rows("last_turn_of", {"session_id": session_id, "until": until})[0][0]
        return None if found is None else int(found)

    def latest_work(self, project: str | None, until: str | None) -> int | None:
        """The last session in which somebody worked towards a goal."""
        return self._first(int, "latest_work", {"project": project, "until": until})
