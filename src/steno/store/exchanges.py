"""What people said and what it answered, one utterance a row."""

import json
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from steno.language.words import key, normal
from steno.store.database import Tables
from steno.vocabulary.details import Afterwards, Call
from steno.vocabulary.entries import Category, Certainty, EntryStatus, is_sure
from steno.vocabulary.utterances import Utterance

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Utterance).decode


class Standing(NamedTuple):
    """An entry that rests on an utterance, as it stands."""

    turn: int
    id: str
    category: Category
    status: EntryStatus
    certainty: Certainty
    quote: str

    @property
    def is_sure(self) -> bool:
        return is_sure(self.category, self.certainty)


class Exchanges(Tables):
    """The utterances of sessions. Derived: they go with a session's checkpoint."""

    def put(self, session_id: int, found: Iterable[Utterance]) -> None:
        """Keep what was said, inside the transaction that moves the scribe's watermark."""
        rows = [
            (
                one.turn, one.place, session_id, key("utterance", normal(one.said)), one.worth,
                _encode(one.call).decode() if one.call else None, _encode(one).decode(),
            )
            for one in found
        ]  # fmt: skip
        self._database.many("put_exchange", rows)

    def stopped(self, session_id: int) -> list[tuple[int, int, Call]]:
        """Calls that were stopped and of which nothing came yet, by turn and place."""
        rows = self._database.rows("stopped_calls", {"session_id": session_id})
        return [(turn, place, msgspec.json.decode(call, type=Call)) for turn, place, call in rows]

    def came_of(self, turn: int, place: int, afterwards: Afterwards) -> None:
        """What came of a call that was stopped."""
        self._database.rows("came_of_exchange", {"turn": turn, "place": place, "afterwards": afterwards})

    def told(self, session_id: int, until: str | None, *, most: int, last: int) -> list[tuple[Utterance, int]]:
        """What would be missed most, and what was said last, oldest first; each with how often the same was said."""
        values = {"session_id": session_id, "until": until, "most": most, "last": last}
        return [(_decode(value), times) for value, times in self._database.rows("exchanges", values)]

    def entries_at(self, turns: Iterable[int], until: str | None) -> list[Standing]:
        """Entries that rest on some turns."""
        values = {"turns": json.dumps(list(turns)), "until": until}
        return [Standing(*row) for row in self._database.rows("entries_at", values)]
