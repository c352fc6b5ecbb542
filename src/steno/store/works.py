"""Pieces of work: derived from the journal, ended by what people say there or tell us."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Final, NamedTuple

import msgspec

from steno.clock import before
from steno.store.database import Database, Row, Tables, value_of
from steno.store.entries import Entries, Unread
from steno.store.remembered import digest
from steno.vocabulary import Checkpoint, Entry
from steno.vocabulary.errors import Overtaken, UnknownWork
from steno.vocabulary.works import CLOSED, Left, PieceOfWork, WorkStatus

# In a session of so many turns, in which people spoke so often, a quarter of that is heard as theirs.
_TURNS, _SPOKEN = 40, 8
# Who comes back to a project after so long takes up something else.
QUIET: Final = timedelta(days=3)
_decode: Final = msgspec.json.Decoder(Checkpoint).decode


class Silent(NamedTuple):
    """A long session in which hardly a word of people was heard as theirs."""

    source: str
    session: str
    turns: int
    heard: int


class Works(Tables):
    """What people set agents to do, one piece after another."""

    def __init__(self, database: Database, entries: Entries) -> None:
        super().__init__(database)
        self._entries = entries
        self._ids: dict[int, str] = {}

    # -- for the scribe ----------------------------------------------------------------------------------------------

    def id_of(self, begun: int) -> str:
        """An id made from the turn that began a piece of work: the same after a rebuild, and in another store."""
        if begun not in self._ids:
            rows = self._database.rows("key_of_turn", {"id": begun})
            if not rows:
                raise Overtaken("a turn was forgotten while it was read")
            self._ids = {begun: digest("work", rows[0][0].hex())}
        return self._ids[begun]

    def open(self, session: Unread, at: str | None) -> Checkpoint | None:
        """Where the work stands that was at hand in a session's project, with its agent, when the session began."""
        values = {"project": session.project, "agent": session.agent, "session_id": session.id, "at": at}
        rows = self._database.rows("open_work", values)
        return _decode(rows[0][0]) if rows and rows[0][0] else None

    def told(self) -> Callable[[int], tuple[str, WorkStatus] | None]:
        """What people told us so far: when and how they ended the piece of work that began with a turn."""
        ended = {id_: (at, json.loads(value)["status"]) for at, id_, value in self._database.rows("ended_by_people")}
        return lambda begun: ended.get(self.id_of(begun)) if ended else None

    def put(self, session: Unread, begun: int, checkpoint: Checkpoint, *, claimed: bool, over: bool = False) -> str:
        """The piece of work a session is at, inside the transaction that moves the scribe's watermark. Its id. `over`:
        its to-dos are done, and nobody went on with it."""
        id_ = self.id_of(begun)
        values = {"id": id_, "begun": begun, "turn": checkpoint.turn, "goal": checkpoint.goal}
        self._database.rows("put_work", {**values, "claimed": claimed, "over": over})
        self._database.rows("put_work_session", {"id": id_, "session_id": session.id})
        return id_

    def leave(self, session: Unread, left: Left, at: str | None) -> None:
        """A session turned away from a piece of work."""
        id_ = self.put(session, left.begun, left.checkpoint, claimed=left.claimed)
        values = {"id": id_, "status": left.status, "ended_at": at}
        self._database.rows("leave_work", {**values, "value": msgspec.json.encode(left.checkpoint).decode()})
        self._close_tasks(id_, left.status)

    def quiet_before(self, project: str | None, at: str) -> str | None:
        """When somebody spoke last in a project, if it had been quiet for days when somebody spoke again."""
        last = self._first(str, "turn_before", {"project": project, "at": at})
        return last if last and last <= before(at, QUIET) else None

    def quiet(self, now: str) -> list[str | None]:
        """Projects nobody spoke in for days, in which something is still said to hold for a piece of work."""
        return [row[0] for row in self._database.rows("quiet_projects", {"since": before(now, QUIET)})]

    def end_quiet(self, project: str | None, last: str) -> None:
        """Noes and instructions for pieces of work end where nobody was in the project for days after a time. The work
        itself stands where it stood: who comes back may go on with it."""
        self._database.rows("close_quiet", {"project": project, "last": last})

    def _close_tasks(self, id_: str, status: WorkStatus) -> None:
        if status in CLOSED:
            self._database.rows("close_tasks", {"work": id_, "status": CLOSED[status]})
            self._database.rows("close_noes", {"work": id_})

    # -- for the front desk ------------------------------------------------------------------------------------------

    def all(self, *, project: str | None = None) -> list[PieceOfWork]:
        """Pieces of work: those at hand first, then the latest first."""
        return [_piece(row) for row in self._database.rows("works", {"project": project, "id": None, "since": None})]

    def since(self, at: str) -> list[PieceOfWork]:
        """Those somebody was at since a time, in the same order."""
        return [_piece(row) for row in self._database.rows("works", {"project": None, "id": None, "since": at})]

    def one(self, id_: str) -> PieceOfWork:
        """The piece of work with this id, or the only one whose id begins so."""
        found = self._database.rows("works", {"project": None, "id": id_, "since": None}) if id_ else []
        if len(found) != 1:
            problem = f"several pieces of work begin with {id_!r}" if found else f"no piece of work {id_!r}"
            raise UnknownWork(problem, hint="`steno sessions work` lists them")
        return _piece(found[0])

    def end(self, id_: str, status: WorkStatus, now: str) -> None:
        """A person says that a piece of work is over."""
        self._entries.tell("work", id_, {"status": status}, now)

    def entries_of_work(self, id_: str) -> list[Entry]:
        """Everything learnt in a piece of work, the oldest first."""
        return self._entries.some(row[0] for row in self._database.rows("entries_of_work", {"work": id_}))

    def earlier_session(self, session_id: int) -> int | None:
        """The session that was at a piece of work before this one went on with it."""
        return self._first(int, "earlier_session", {"session_id": session_id})

    def silent(self, since: str | None = None) -> list[Silent]:
        """Long sessions in which hardly a word of people was heard as theirs, the latest first."""
        values = {"turns": _TURNS, "spoken": _SPOKEN, "since": since}
        return [Silent(*row) for row in self._database.rows("silent_sessions", values)]


def _piece(row: Row) -> PieceOfWork:
    return value_of(PieceOfWork, row, checkpoint=_decode)
