"""What came from what, and the flags somebody raised by hand."""

import json
from collections.abc import Collection

from steno.store.database import Tables, value_of
from steno.store.remembered import digest
from steno.vocabulary.fleet import RaisedFlag


class Causes(Tables):
    """Ids of messages, entries and raised flags, joined by cause and effect."""

    def put(self, effect: str, cause: str, now: str) -> None:
        """One thing came from another."""
        self._change("put_cause", {"effect": effect, "cause": cause, "at": now})

    def before(self, ids: Collection[str]) -> list[tuple[str, str]]:
        """What these came from, as pairs of effect and cause."""
        return [(effect, cause) for effect, cause in self._database.rows("causes_of", {"ids": json.dumps([*ids])})]

    def after(self, ids: Collection[str]) -> list[tuple[str, str]]:
        """What came from these, as pairs of effect and cause."""
        return [(effect, cause) for effect, cause in self._database.rows("effects_of", {"ids": json.dumps([*ids])})]

    def raise_flag(self, text: str, by: str, cause: str | None, now: str) -> RaisedFlag:
        """Somebody warns; the same warning again is the same flag."""
        id_ = digest("flag", by, text)
        with self._database.write():
            self._database.rows("put_flag", {"id": id_, "at": now, "raised_by": by, "text": text})
            if cause is not None:
                self._database.rows("put_cause", {"effect": id_, "cause": cause, "at": now})
        return self.flags(id_)[0]

    def flags(self, id_: str = "", *, settled: bool = False, by: str | None = None) -> list[RaisedFlag]:
        """Those that stand, the oldest first; with those that were settled; whose id begins so; an agent's own."""
        rows = self._database.rows("raised_flags", {"id": id_, "settled": settled, "by": by})
        return [value_of(RaisedFlag, row) for row in rows]

    def settle(self, id_: str, now: str) -> None:
        """A person looked at it."""
        self._change("settle_flag", {"id": id_, "at": now})
