"""What people answered about, set aside while everything is learnt anew: a newer scribe may not make it again.

Whatever drops entries keeps those first, in the same transaction. What the scribe makes again leaves. At the end the
rest is put back with its id and evidence, as it was after the last answer, and nothing is set aside any more. Kill -9
at any moment loses none. What was set aside in the middle of a rebuild had no record applied yet: it gets them all.
"""

import json
from collections.abc import Callable, Iterable

from steno.store.database import Row, Tables, Values

# What lists the words of entries that are set aside, what replaces them, and their columns.
_WORDS = (
    ("answered_words", "rewrite_answered", ("summary", "detail", "tags", "domain", "subject", "cue")),
    ("answered_quotes", "rewrite_answered_quote", ("quote",)),
)


class Answered(Tables):
    """Entries people kept, dropped, reworded, ticked, shared or ruled on. All but `take` are part of a transaction."""

    def keep(self, ids: Iterable[str] | None = None, *, clean: Callable[[str], str] | None = None) -> None:
        """Set aside all of them, or those of some entries; without secrets where `clean` takes them out."""
        among = {"ids": None if ids is None else json.dumps(list(ids))}
        for query in ("keep_answered", "keep_answered_evidence"):
            self._database.rows(query, among)
        if clean is not None:
            self._rewrite(_WORDS, clean)

    def drop(self, ids: Iterable[str]) -> None:
        """The scribe made them again, or they are forgotten."""
        self._database.rows("drop_answered", {"ids": json.dumps(list(ids))})

    def put(self, told: Callable[[str], None]) -> None:
        """Put back what is not there, and make what is there as it was; whoever keeps keys is told of each."""
        put = self._database.rows("put_answered")
        self._database.rows("put_answered_evidence")
        for (id_,) in put:
            told(id_)

    def clear(self) -> None:
        """All of it is back."""
        self._database.rows("clear_answered")

    def all(self) -> list[Row]:
        """For an export: of each its session, its columns and its quotes with the keys of their turns."""
        return self._database.rows("answered")

    def take(self, values: Values, quotes: Iterable[tuple[bytes, str]]) -> bool:
        """One from an export of this home, unless it is there: whoever learns next puts it back."""
        with self._database.write():
            if found := self._database.rows("take_answered", values):
                rows = [(values["id"], place, key, quote) for place, (key, quote) in enumerate(quotes)]
                self._database.many("take_answered_evidence", rows)
                self._database.rows("set_meta", {"name": "rebuilding", "value": 1})
        return bool(found)
