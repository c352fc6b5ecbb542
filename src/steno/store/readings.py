"""What a model made of sessions: each answer as it was given, and the rolling note after it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from steno.store.database import Row, Tables, value_of
from steno.store.journal import journal_turn
from steno.vocabulary import JournalTurn
from steno.vocabulary.errors import Overtaken
from steno.vocabulary.readings import NoteLine, Reading

_MOST = 200
_PORTION = 500
_notes = msgspec.json.Decoder(tuple[NoteLine, ...])


class ToRead(NamedTuple):
    """A session with turns no model has read."""

    id: int
    project: str | None
    agent: str | None
    # How far a model has read it, and the scribe.
    done: int
    mark: int
    last_at: str | None


class Readings(Tables):
    """Readings, and what the next one needs. Canonical; they go with the turns they tell of."""

    def put(self, reading: Reading) -> None:
        """Keep a reading, inside the transaction that applies it. Overtaken: these turns were read meanwhile."""
        values = msgspec.structs.asdict(reading)
        values |= {name: msgspec.json.encode(values[name]).decode() for name in ("answer", "note")}
        if not self._database.rows("put_reading", values):
            raise Overtaken("these turns were read by a model meanwhile")

    def since(self, session_id: int, mark: int) -> list[Reading]:
        """Readings that were applied after the scribe stood at a turn, in order."""
        return list(map(_reading, self._database.rows("readings_since", {"session_id": session_id, "mark": mark})))

    def last(self, session_id: int, until: str | None = None) -> Reading | None:
        """The latest one of a session."""
        rows = self._database.rows("last_reading", {"session_id": session_id, "until": until})
        return _reading(rows[0]) if rows else None

    def to_read(self, session_id: int | None = None, since: str | None = None) -> list[ToRead]:
        """Sessions with turns no model has read, the latest first."""
        values = {"session_id": session_id, "since": since, "most": _MOST}
        return [ToRead(*row) for row in self._database.rows("sessions_to_read", values)]

    def stands(self, session_id: int) -> tuple[int, str | None]:
        """How far the scribe has read a session, and the piece of work at hand there."""
        rows = self._database.rows("scribe_stands", {"session_id": session_id})
        return (int(rows[0][0]), rows[0][1]) if rows else (0, None)

    def turns(self, session_id: int, first: int, last: int) -> Iterator[JournalTurn]:
        """Turns of a session from one to another, a few hundred at a time."""
        for rows in self._portions("turns_of_session", _PORTION, after=first - 1, session_id=session_id):
            for row in rows:
                if row[0] > last:
                    return
                yield journal_turn(row)

    def cited(self, session_id: int, turns: Iterable[int]) -> dict[int, JournalTurn]:
        """Some turns of a session, by their numbers."""
        # Numbers beyond what a store can hold are nobody's turns.
        ids = json.dumps([turn for turn in turns if 0 < turn < 1 << 62])
        found = map(journal_turn, self._database.rows("turns_cited", {"session_id": session_id, "ids": ids}))
        return {turn.id: turn for turn in found}


def _reading(row: Row) -> Reading:
    return value_of(Reading, row, answer=_decoded, note=lambda note: _decoded(note, _notes) or ())


def _decoded(text: str, decoder: "msgspec.json.Decoder[Any] | None" = None) -> Any:
    """JSON, or None: a later version may have kept it in another form."""
    try:
        return decoder.decode(text) if decoder else msgspec.json.decode(text)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None
