"""Flows as they were folded last. Derived: the records and the journal give the same again."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from steno.store.database import Database, Tables
from steno.store.journal import journal_turn
from steno.vocabulary import Flow, JournalTurn

_PORTION = 500


class Extent(NamedTuple):
    """How much of a journal there is: its last turn, how often words left it, how often it was learnt anew."""

    turn: int
    erasures: int
    rebuilds: int


class DoneIn(NamedTuple):
    """A session in which an agent did something."""

    id: int
    name: str
    project: str | None


class Flows(Tables):
    """The table of flows, and what they are learnt from."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        # Decoding takes longer than a gate may: values are kept as long as the table has the same version.
        self._decoded: tuple[int, list[Flow]] | None = None

    def all(self) -> list[Flow]:
        """Every flow, by name."""
        version = self._version()
        if self._decoded is None or self._decoded[0] != version:
            found = [msgspec.json.decode(row[0], type=Flow) for row in self._database.rows("flows")]
            self._decoded = (version, found)
        return list(self._decoded[1])

    def put(self, flows: Iterable[Flow]) -> None:
        """Replace all of them, inside a transaction."""
        wanted = sorted(flows, key=lambda flow: flow.name)
        if wanted == self.all():
            return
        self._database.rows("clear_flows")
        self._database.many("put_flow", [(flow.name, msgspec.json.encode(flow).decode()) for flow in wanted])
        self._database.rows("set_meta", {"name": "flows_version", "value": self._version() + 1})

    def records(self) -> list[tuple[str, str, str, str]]:
        """What we were told about flows: when, the act, the flow's name, the words as JSON."""
        return [(row[0], row[1], row[2], row[3]) for row in self._database.rows("flow_records")]

    # -- learning ----------------------------------------------------------------------------------------------------

    def extent(self) -> Extent:
        return Extent(*self._database.rows("learnt_up_to")[0])

    def learnt_from(self) -> Extent | None:
        """The journal as it was when flows were learnt last. None: never."""
        rows = self._database.rows("get_meta", {"name": "flows_learnt"})
        return msgspec.json.decode(rows[0][0], type=Extent) if rows else None

    def note_learnt(self, extent: Extent) -> None:
        """Flows were learnt from this much, inside a transaction."""
        self._database.rows("set_meta", {"name": "flows_learnt", "value": msgspec.json.encode(extent).decode()})

    def sessions(self) -> list[DoneIn]:
        """Sessions in which an agent did something, project by project."""
        return [DoneIn(*row) for row in self._database.rows("sessions_done")]

    def turns(self, session_id: int) -> Iterator[JournalTurn]:
        """What was asked and done in a session."""
        for rows in self._portions("turns_done", _PORTION, session_id=session_id):
            yield from map(journal_turn, rows)

    def _version(self) -> int:
        return self._first(int, "get_meta", {"name": "flows_version"}) or 0
