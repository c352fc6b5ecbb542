"""Agents whose work stands still, and how they were woken."""

import json
import os
from collections.abc import Collection
from contextlib import suppress
from typing import NamedTuple

from steno.store.database import Row, Tables, value_of
from steno.vocabulary.pulse import Stand, Wake


class MainSession(NamedTuple):
    """A session of an agent, as it is known here."""

    number: int
    source: str
    session: str
    agent: str | None
    project: str | None
    directory: str | None
    last_at: str


class Wakes(Tables):
    """Where sessions stand, and whom somebody woke in them."""

    def sessions(self, since: str) -> list[MainSession]:
        """Main sessions of which something was heard since a time, the latest first."""
        return [MainSession(*row) for row in self._database.rows("main_sessions_since", {"since": since})]

    def stand(self, session: MainSession, theirs: Collection[int], since: str) -> Stand | None:
        """How a session stands; `theirs` are all of its agent's. None: nothing ever happened in it."""
        here = {"session_id": session.number}
        deeds = self._database.rows("last_deed", here)
        if not deeds:
            return None
        everywhere = {"since": since, "sessions": json.dumps([*theirs]), "project": session.project}
        read_at, behind = self._read(here)
        return Stand(
            number=session.number, source=session.source, session=session.session, called=session.agent,
            project=session.project, directory=session.directory, turn=deeds[0][0], kind=deeds[0][1],
            said=deeds[0][2], heard_at=max(session.last_at, read_at),
            human_at=self._database.rows("last_human_at", everywhere)[0][0],
            goal=self._database.rows("open_goal", here)[0][0], behind=behind,
        )  # fmt: skip

    def _read(self, here: dict[str, int]) -> tuple[str, bool]:
        """When a session's transcript was read last, and whether it has changed since."""
        for name, size, modified_ns, read_at in self._database.rows("last_read", here):
            # A database, and a name that was not kept as it is, tell nothing.
            with suppress(OSError, ValueError):
                facts = os.stat(name)
                return read_at, (facts.st_size, facts.st_mtime_ns) != (size, modified_ns)
            return read_at, False
        return "", False

    def of(self, agent: str) -> list[Wake]:
        """Wake-ups of an agent, the latest first."""
        return [_wake(row) for row in self._database.rows("wakes", {"agent": agent, "id": None})]

    def one(self, id_: int) -> Wake:
        return _wake(self._database.rows("wakes", {"agent": None, "id": id_})[0])

    def put(self, agent: str, stand: Stand, last: int, now: str) -> int | None:
        """Write down that an agent is woken now. None: since wake-up `last` of it somebody else did."""
        values = {"agent": agent, "session_id": stand.number, "turn": stand.turn, "at": now, "last": last}
        rows = self._change("put_wake", values)
        return int(rows[0][0]) if rows else None

    def end(self, wake: int, passed: bool, said: str, now: str) -> None:
        """How a wake-up went."""
        self._change("end_wake", {"id": wake, "at": now, "passed": passed, "said": said})

    def failed(self, since: str) -> list[tuple[str, str, str]]:
        """Agents whose last wake-up failed: name, when, what it said."""
        return [(agent, at, said) for agent, at, said in self._database.rows("failed_wakes", {"since": since})]


def _wake(row: Row) -> Wake:
    return value_of(Wake, row, passed=lambda passed: None if passed is None else bool(passed))
