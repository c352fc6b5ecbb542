"""What people said and what it answered, one utterance a row."""

import json
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from steno.language.words import key, normal
from steno.store.database import Tables
from steno.vocabulary.details import Afterwards, Call
from steno.vocabulary.entries import Category, EntryStatus
from steno.vocabulary.utterances import Utterance

# The worth of what nobody weighed yet.
_UNWEIGHED = -1.0
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Utterance).decode


class Standing(NamedTuple):
    """An entry that rests on an utterance, as it stands."""

    turn: int
    id: str
    category: Category
    status: EntryStatus
    quote: str


class Exchanges(Tables):
    """The utterances of sessions. Derived: they go with a session's checkpoint."""

    def put(self, session_id: int, found: Iterable[Utterance]) -> None:
        """Keep what was said, inside the transaction that moves the scribe's watermark."""
        rows = [
            (
                one.turn, one.place, session_id, key("utterance", normal(one.said)),
                max(0.0, one.worth) if one.is_weighed else _UNWEIGHED,
                _encode(one.call).decode() if one.call else None, _encode(one).decode(),
            )
            for one in found
        ]  # fmt: skip
        self._database.many("put_exchange", rows)

    def unweighed(self, session_id: int, *, most: int) -> list[tuple[Utterance, str]]:
        """What has no weights yet, the latest first, with the text of its turn."""
        rows = self._database.rows("unweighed_exchanges", {"session_id": session_id, "most": most})
        return [(_decode(value), text) for value, text in rows]

    def put_weights(self, found: Iterable[Utterance]) -> None:
        """Keep the weights of what was said."""
        with self._database.write():
            for one in found:
                values = {
                    "turn": one.turn,
                    "place": one.place,
                    "worth": max(0.0, one.worth),
                    "value": _encode(one).decode(),
                }
                self._database.rows("put_weights", values)
            self._database.rows("weights_changed")

    def stopped(self, session_id: int) -> list[tuple[int, int, Call]]:
        """Calls that were stopped and of which nothing came yet, by turn and place."""
        rows = self._database.rows("stopped_calls", {"session_id": session_id})
        return [(turn, place, msgspec.json.decode(call, type=Call)) for turn, place, call in rows]

    def came_of(self, turn: int, place: int, afterwards: Afterwards) -> None:
        """What came of a call that was stopped."""
        self._database.rows("came_of_exchange", {"turn": turn, "place": place, "afterwards": afterwards})

    def told(self, session_id: int, until: str | None, *, first: int, last: int) -> list[tuple[Utterance, int]]:
        """What was said first and last in a session, oldest first; each with how often the same was said."""
        values = {"session_id": session_id, "until": until, "first": first, "last": last}
        return [(_decode(value), times) for value, times in self._database.rows("exchanges", values)]

    def said_last(self, most: int) -> list[str]:
        """People's own words, whatever the session, the last ones first."""
        return [_decode(value).said for (value,) in self._database.rows("last_exchanges", {"most": most})]

    def entries_at(self, turns: Iterable[int], until: str | None) -> list[Standing]:
        """Entries that rest on some turns."""
        values = {"turns": json.dumps(list(turns)), "until": until}
        return [Standing(*row) for row in self._database.rows("entries_at", values)]
