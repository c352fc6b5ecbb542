"""Vectors of turns and entries. Derived: dropped and made again without loss."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from steno.store.database import Database, Tables


class VectorRow(NamedTuple):
    """The vectors of one turn."""

    id: int
    turn: int
    session_id: int
    at: str | None
    pieces: bytes


class Vectors(Tables):
    """All by one model. Turns between two marks have theirs; new turns go above, older ones below."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        # What `wanted` saw: erasures, marks, and the lowest and the highest turn there was.
        self._seen: tuple[int, int, int] = (-1, 0, 0)
        self._there: tuple[int, int] = (0, 0)

    def model(self) -> str | None:
        """The model they were made by."""
        return self._first(str, "get_meta", {"name": "vectors_model"})

    def begin(self, model: str, *, anew: bool = True) -> None:
        """Drop everything; from now on this model makes them. Not `anew`: only if nobody has begun."""
        with self._database.write():
            if not anew and self.model() not in (None, "off"):
                return
            _, high = self._database.rows("turn_range")[0]
            if self.model() is not None:
                self._database.rows("clear_vectors")
                self._database.rows("clear_entry_vectors")
                self._database.rows("count_erasure")
            self._set("vectors_model", model)
            self._mark(high + 1, high)

    def look_again(self) -> None:
        """Some turns lost their vectors because their words changed: pass over all of them once more."""
        with self._database.write():
            _, high = self._database.rows("turn_range")[0]
            self._mark(high + 1, high)

    def wanted(self, most: int) -> list[tuple[int, str, str]]:
        """Turns whose vectors are to be made next: what is new, then what is old, the latest first.

        Number, text, and the beginning of what was said before it.
        """
        self._seen, self._there = self._state(), self._range()
        _, low, high = self._seen
        rows = self._database.rows("turns_to_embed_up", {"mark": high, "most": most})
        if not rows:
            rows = self._database.rows("turns_to_embed_down", {"mark": low, "most": most})
        return [(row[0], row[1], row[2] or "") for row in rows]

    def put(self, vectors: list[tuple[int, bytes]], *, in_turn: bool = True) -> None:
        """Keep vectors of the turns that were wanted; the marks move with them, unless another process moved them.

        If words left the journal since, some of these turns may have other ones now: they will be wanted again. Those
        that were not wanted in their turn leave the marks where they are, and are passed over later.
        """
        numbers = [turn for turn, _ in vectors]
        with self._database.write():
            erasures, low, high = self._state()
            if erasures != self._seen[0]:
                return
            self._database.many("drop_sketches", ((turn,) for turn in numbers))
            self._database.many("put_vectors", vectors)
            if in_turn and (erasures, low, high) == self._seen:
                self._mark(min(low, *numbers), max(high, *numbers))

    def bare(self, below: int | None, most: int, *, one_in: int = 1) -> list[tuple[int, str, str]]:
        """Turns below a number that have neither vectors nor a sketch, as `wanted` gives them; one in so many."""
        self._seen = self._state()
        mark = self._range()[1] + 1 if below is None else below
        rows = self._database.rows("turns_to_sketch", {"mark": mark, "most": most, "one_in": one_in})
        return [(row[0], row[1], row[2] or "") for row in rows]

    def put_sketches(self, vectors: list[tuple[int, bytes]]) -> None:
        """Keep what stands in for the vectors of bare turns, unless words left the journal since."""
        with self._database.write():
            if self._state()[0] == self._seen[0]:
                self._database.many("put_sketches", vectors)

    def finished(self) -> None:
        """Nothing was wanted: everything there was lies between the marks."""
        if self._seen[1:] != self._there:
            with self._database.write():
                if self._state() == self._seen:
                    self._mark(*self._there)

    def waiting(self) -> int:
        """About how many turns lie outside the marks."""
        low, high = self._marks()
        return int(self._database.rows("count_between", {"low": low, "high": high})[0][0])

    def missing(self) -> int:
        """How many turns and entries have no vectors."""
        return int(self._database.rows("count_to_embed")[0][0])

    def count(self) -> int:
        """How many turns have vectors."""
        return int(self._database.rows("count_vectors")[0][0])

    def sketched(self) -> int:
        """How many turns have a sketch in place of vectors."""
        return int(self._database.rows("count_sketched")[0][0])

    def count_bare(self) -> int:
        """How many turns have neither."""
        return int(self._database.rows("count_to_sketch")[0][0])

    def after(self, id_: int, most: int) -> list[VectorRow]:
        """Vectors in the order they were made."""
        return [VectorRow._make(row) for row in self._database.rows("vectors_after", {"after": id_, "most": most})]

    def entries_wanted(self, most: int) -> list[tuple[str, str, str]]:
        """Entries whose vectors are to be made: id, summary, and nothing before it."""
        return [(row[0], row[1], "") for row in self._database.rows("entries_to_embed", {"most": most})]

    def put_entries(self, vectors: list[tuple[str, bytes]]) -> None:
        with self._database.write():
            self._database.many("put_entry_vectors", vectors)

    def entries(self) -> list[tuple[str, bytes]]:
        return [(row[0], row[1]) for row in self._database.rows("entry_vectors")]

    def of_entries(self, ids: Sequence[str]) -> dict[str, bytes]:
        return dict(self._database.rows("entry_vectors_of", {"ids": json.dumps(ids)}))

    def _state(self) -> tuple[int, int, int]:
        return (int(self._database.rows("erasures")[0][0]), *self._marks())

    def _range(self) -> tuple[int, int]:
        low, high = self._database.rows("turn_range")[0]
        return int(low), int(high)

    def _marks(self) -> tuple[int, int]:
        facts = [self._database.rows("get_meta", {"name": name}) for name in ("vectors_low", "vectors_high")]
        low, high = (int(rows[0][0]) if rows else 0 for rows in facts)
        return low, high

    def _mark(self, low: int, high: int) -> None:
        self._set("vectors_low", low)
        self._set("vectors_high", high)

    def _set(self, name: str, value: object) -> None:
        self._database.rows("set_meta", {"name": name, "value": value})
