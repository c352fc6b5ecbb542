"""Meaning: the vectors of turns and entries together with the model that made them, as a question sees them."""

from pathlib import Path

import numpy as np

from steno.embedding import MINILM, Model
from steno.recall.vectors import Alike, Floats, Near, VectorIndex
from steno.recall.where import Where
from steno.store import Store
from steno.store.recall import State


class StoredMeaning:
    """Vectors in step with the store."""

    def __init__(self, store: Store, model: Model, folder: Path) -> None:
        self._store = store
        self._model = model
        self.knows_noise = model.name == MINILM
        self._turns = VectorIndex(folder, store.vectors, model.dimensions)
        self._entries: tuple[object, list[str], Floats] | None = None
        # How far the store had got when it was looked at last.
        self._state: State | None = None
        self._asked: tuple[str, Floats] | None = None

    def follow(self, state: State) -> None:
        """Take in what the store has got since; begin again after an erasure."""
        if self._state is None or (self._state.erasures, self._state.vectors) != (state.erasures, state.vectors):
            self._turns.follow(state.erasures)
        self._state = state

    def lay_out(self) -> None:
        """Keep what is in memory small."""
        state = self._store.searched.state()
        self._turns.follow(state.erasures)
        self._turns.lay_out()
        if self._store.searched.erasures() != state.erasures:
            # What left the store meanwhile may stand in these files.
            self._turns.drop()
            self._state = None

    def vector(self, text: str) -> Floats:
        """The question as a vector; the last one is remembered."""
        if self._asked is None or self._asked[0] != text:
            self._asked = (text, self._model.embed([text])[0])
        return self._asked[1]

    def nearest(
        self, query: Floats, where: Where, most: int, *, also: tuple[Where, int] | None = None
    ) -> dict[int, float]:
        """The turns nearest to a question; also so many of a time."""
        return self._turns.nearest(query, where, most, also=also)

    def near(self, turns: list[int], query: Floats) -> dict[int, Near]:
        """How near some turns are, in every way."""
        return self._turns.near(turns, query) if turns else {}

    def alike(self, turns: list[int]) -> Alike:
        """How near each two of some turns are to each other."""
        return self._turns.alike(turns)

    def nearest_entries(self, query: Floats, most: int) -> dict[str, float]:
        """The entries nearest to a question, and how near."""
        names, units = self._entry_vectors()
        values = units @ query
        # An entry may have several pieces; more than so many of the best are not worth the order of all.
        few = min(len(values), 4 * most)
        best = np.argpartition(-values, few - 1)[:few] if few else np.arange(0)
        best = best[np.argsort(-values[best])]
        found: dict[str, float] = {}
        for place, value in zip(best.tolist(), values[best].tolist(), strict=True):
            found.setdefault(names[place], value)
            if len(found) == most:
                break
        return found

    def _entry_vectors(self) -> tuple[list[str], Floats]:
        """All of them, at unit length, kept until one comes or words are forgotten. Who went is told by the store."""
        newest = self._state and (self._state.erasures, self._state.entry_vectors)
        if self._entries is None or self._entries[0] != newest:
            size = self._model.dimensions
            # Whatever has another length is of another model and says nothing to this one.
            rows = [row for row in self._store.vectors.entries() if len(row[1]) % size == 0]
            names = [entry for entry, pieces in rows for _ in range(len(pieces) // size)]
            whole = np.frombuffer(b"".join(pieces for _, pieces in rows), np.int8).reshape(-1, size)
            units = whole.astype(np.float32)
            units /= np.maximum(np.linalg.norm(units, axis=1, keepdims=True), 1e-9)
            self._entries = (newest, names, units)
        return self._entries[1], self._entries[2]
