"""What a gate reads besides entries: agents, sessions, what was told last, and whether anything changed."""

import json
from typing import Any, NamedTuple

import msgspec

from steno.store.database import Database, Row, Tables
from steno.store.journal import called
from steno.vocabulary.rules import Lesson
from steno.vocabulary.utterances import Utterance

_decode = msgspec.json.Decoder(Utterance).decode


class SessionFacts(NamedTuple):
    """Where a session runs."""

    project: str | None
    started_at: str | None
    # Number of its last turn.
    turn: int | None
    # The host's id of it.
    name: str


class Uttered(NamedTuple):
    """What a person said, and where."""

    utterance: Utterance
    session: str
    project: str | None
    agent: str | None


class LastGate(NamedTuple):
    """The last answer of a gate to an agent."""

    at: str
    items: list[str]
    verdict: str


class Gates(Tables):
    """For a gate: few and quick questions."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._met: set[str] = set()

    def meet(self, agent: str, now: str) -> None:
        """Register an agent at its first use."""
        if agent in self._met:
            return
        if not self._database.rows("has_agent", {"name": agent}):
            self._change("put_agent", {"name": agent, "since": now})
        self._met.add(agent)

    def stamp(self) -> Row:
        """Changes with every write."""
        return self._database.rows("store_stamp")[0]

    def state(self) -> Row:
        """Changes whenever an entry, a rule or a flow may have."""
        return self._database.rows("gate_state")[0]

    def session(self, name: str) -> SessionFacts | None:
        """The facts of a session, if it is in the journal."""
        rows = self._database.rows("gate_session", called(name))
        return SessionFacts(*rows[0]) if rows else None

    def last(self, agent: str, session: str | None) -> LastGate | None:
        """What an agent was told last before an action."""
        rows = self._database.rows("last_gate", {"agent": agent, "session": session})
        return LastGate(rows[0][0], json.loads(rows[0][1]), rows[0][2]) if rows else None

    def lessons_in_words(self) -> list[Lesson]:
        """Lessons that were not turned into a script, a flow, a matcher or a schema, the oldest first."""
        return [Lesson(*row) for row in self._database.rows("lessons_in_words")]

    def ungraded(self, since: str, until: str) -> int:
        """Actions of which nobody said how they went."""
        return int(self._database.rows("ungraded", {"since": since, "until": until})[0][0])

    def refused_calls(self) -> dict[str, dict[str, Any]]:
        """What the calls were given that people refused, by the entry of the refusal."""
        found = ((entry, _object(text)) for entry, text in self._database.rows("gate_refused_calls") if text)
        return {entry: given for entry, given in found if given}

    def uttered(self, sessions: int) -> list[Uttered]:
        """What people said in so many of the latest sessions of each project, and is not over."""
        return [
            Uttered(_decode(value), *where)
            for value, *where in self._database.rows("gate_exchanges", {"sessions": sessions})
        ]


def _object(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        # Some tools take a plain text, as a patch is; what begins like an object was cut short.
        given = None if text.startswith("{") else {"input": text}
    return given if isinstance(given, dict) else {}
