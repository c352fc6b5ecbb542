"""What a capture would bring, without writing anything."""

from collections.abc import Mapping

from steno.store import Journal, Known
from steno.vocabulary import Batch, Watermark


class DryJournal(Journal):
    """The journal as a capture sees it that only counts: everything is read from it, nothing is written."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal._database, journal.secret)
        self._counted: set[bytes] = set()

    def transcript(self, source: str, name: str, now: str) -> Known:
        """A fresh watermark."""
        return Known(0, 0, Watermark(), None)

    def same_file(self, source: str, device: int, inode: int) -> list[tuple[int, str]]:
        """None: a file that was renamed is read from its beginning, and its turns are known by their keys."""
        return []

    def append(
        self, known: Known, batch: Batch, keys: list[bytes], *, redacted: Mapping[str, int], now: str
    ) -> tuple[Known, dict[str, int]]:
        """Count the turns that are new."""
        new = dict.fromkeys((session.session for session in batch.sessions), 0)
        for key, read in zip(keys, batch.turns, strict=True):
            if key not in self._counted and not self.has(key):
                self._counted.add(key)
                new[read.session] += 1
        return Known(known.id, known.version + 1, batch.watermark, None), new

    def note_problem(self, source: str | None, name: str, problem: str | None, *, now: str, gaps: int = 0) -> None:
        """Nothing."""

    def begun(self) -> list[tuple[str, str]]:
        """None: no gap would be written down."""
        return []
