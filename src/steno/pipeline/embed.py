"""Embedding: journal and entries → vectors. Behind everything else, the newest first; it can stop anywhere."""

import threading
from collections.abc import Callable
from typing import Final, TypeVar

from steno.embedding import Model
from steno.recall.pieces import pieces
from steno.store import Store

# Turns whose vectors are kept together: half a second of work that a kill may cost.
_PORTION: Final = 32

Key = TypeVar("Key")


class Embed:
    """Makes vectors that are missing."""

    def __init__(self, store: Store, model: Model, turn_by_turn: threading.Lock) -> None:
        self._store = store.vectors
        self._model = model
        # Two at once would do the same; so each waits for the other's portion and takes the next.
        self._lock = turn_by_turn

    def portion(self) -> int:
        """The next few; how many. 0: everything has its vectors."""
        with self._lock:
            return self._turns() or self._entries()

    def run(self, told: Callable[[int], None] = lambda _: None, stop: Callable[[], bool] = lambda: False) -> int:
        """All that are missing, unless told to stop; how many were made."""
        count = 0
        while not stop() and (done := self.portion()):
            count += done
            told(done)
        return count

    def _turns(self) -> int:
        wanted = self._store.wanted(_PORTION)
        if wanted:
            self._store.put(self._vectors(wanted))
        else:
            self._store.finished()
        return len(wanted)

    def _entries(self) -> int:
        wanted = self._store.entries_wanted(_PORTION)
        if wanted:
            self._store.put_entries(self._vectors(wanted))
        return len(wanted)

    def _vectors(self, wanted: list[tuple[Key, str, str]]) -> list[tuple[Key, bytes]]:
        from steno.recall.vectors import compact

        cut = [pieces(text, before) for _, text, before in wanted]
        flat = [piece for some in cut for piece in some]
        numbers = compact(self._model.embed(flat)) if flat else b""
        size, place, found = self._model.dimensions, 0, []
        for (key, *_), some in zip(wanted, cut, strict=True):
            end = place + len(some) * size
            found.append((key, numbers[place:end]))
            place = end
        return found
