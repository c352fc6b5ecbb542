"""Embedding: journal and entries → vectors. Behind everything else, the newest first; it can stop anywhere.

Where the model would take long, every turn gets a sketch first: vectors guessed from its words, which leave their place
to the model's own one by one."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate, chain
from pathlib import Path
from typing import Final, TypeVar

from steno.embedding import Model
from steno.embedding.base import Vectors
from steno.recall.pieces import pieces
from steno.store import Store

# Turns whose vectors are kept together: half a second of work that a kill may cost.
_PORTION: Final = 32
# How long vectors are made after a capture, and at once in idle time; the rest comes later.
MAKE_SECONDS: Final = 60.0
# So many turns without anything take the model a minute: they are sketched first. How, is learnt from so many that it
# reads, from all over.
MUCH: Final = 3000
_TAUGHT: Final = 400
_SKETCHED_AT_ONCE: Final = 500
# Who makes vectors for longer than this and lets nobody else do it was stopped, perhaps; twice the work does no harm.
_PATIENCE_SECONDS: Final = 300.0
_LOOK_SECONDS: Final = 0.1

Key = TypeVar("Key")
# What is to be embedded, its text, and what was said before it.
Wanted = tuple[Key, str, str]
Told = Callable[[int], None]
Stop = Callable[[], bool]


class Embed:
    """Makes vectors that are missing. `folder` is where those who do that at once find each other."""

    def __init__(self, store: Store, model: Model, folder: Path) -> None:
        self._store = store.vectors
        self._model = model
        self._folder = folder

    def run(self, told: Told = lambda _: None, stop: Stop = lambda: False) -> int:
        """All that are missing, unless told to stop; how many were made."""
        count = 0
        while not stop() and (done := self._portion(stop)):
            count += done
            told(done)
        return count

    def sketch(self, told: Told = lambda _: None, stop: Stop = lambda: False) -> int:
        """Sketches of all turns that have nothing yet, if these are many; how many got one."""
        if self._store.waiting() < MUCH:
            return 0
        count = 0
        with our_turn(self._folder, stop):
            if stop() or (bare := self._store.count_bare()) < MUCH or (model := self._taught(bare)) is None:
                return 0
            below = None
            while not stop() and (wanted := self._store.bare(below, _SKETCHED_AT_ONCE)):
                self._store.put_sketches(_vectors(model, wanted))
                below = wanted[-1][0]
                count += len(wanted)
                told(len(wanted))
        return count

    def _taught(self, bare: int) -> Model | None:
        """What guesses our model's vectors, taught by a few of so many turns. None: it cannot be guessed."""
        from steno.embedding.sketch import sketcher

        some = self._store.bare(None, _TAUGHT, one_in=max(1, bare // _TAUGHT))
        cut = _cut(some)
        flat = [*chain.from_iterable(cut)]
        vectors = self._model.embed(flat)
        self._store.put(_kept(some, cut, vectors), in_turn=False)
        return sketcher(self._model, flat, vectors)

    def _portion(self, stop: Stop) -> int:
        """The next few; how many. 0: everything has its vectors."""
        with our_turn(self._folder, stop):
            return 0 if stop() else self._entries() or self._turns()

    def _turns(self) -> int:
        wanted = self._store.wanted(_PORTION)
        if wanted:
            self._store.put(_vectors(self._model, wanted))
        else:
            self._store.finished()
        return len(wanted)

    def _entries(self) -> int:
        wanted = self._store.entries_wanted(_PORTION)
        if wanted:
            self._store.put_entries(_vectors(self._model, wanted))
        return len(wanted)


def _vectors(model: Model, wanted: Sequence[Wanted[Key]]) -> list[tuple[Key, bytes]]:
    cut = _cut(wanted)
    return _kept(wanted, cut, model.embed([*chain.from_iterable(cut)]))


def _cut(wanted: Sequence[Wanted[Key]]) -> list[list[str]]:
    return [pieces(text, before) for _, text, before in wanted]


def _kept(wanted: Sequence[Wanted[Key]], cut: Sequence[Sequence[str]], vectors: Vectors) -> list[tuple[Key, bytes]]:
    """The vectors of all pieces, as they are stored with what they are pieces of."""
    from steno.recall.vectors import compact

    ends = accumulate(map(len, cut))
    parts = ((key, vectors[end - len(some) : end]) for (key, *_), some, end in zip(wanted, cut, ends, strict=True))
    return [(key, compact(rows) if len(rows) else b"") for key, rows in parts]


@contextmanager
def our_turn(folder: Path, stop: Stop) -> Iterator[None]:
    """Wait until nobody else makes vectors here, in this process or another. Two at once would make the same.

    Who waits comes next. A disk that cannot be written is no reason to wait.
    """
    files: list[int] = []
    try:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            files += [os.open(folder / name, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600) for name in ("next", "now")]
        end = time.monotonic() + _PATIENCE_SECONDS
        for file in files:
            while not _locked(file) and not stop() and time.monotonic() < end:
                time.sleep(_LOOK_SECONDS)
        if files:
            fcntl.flock(files[0], fcntl.LOCK_UN)
        yield
    finally:
        for file in files:
            os.close(file)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True
