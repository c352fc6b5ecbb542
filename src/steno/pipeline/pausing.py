"""Pause and resume by what stands in the transcripts, not by the clock alone.

A turn said off the record bears the time of a clock that may be set back meanwhile; then it looks like one said before.
So a pause notes where every transcript ends, and whatever was written behind that until `resume` is passed over. Times
decide only where an end was never noted: a transcript outside the hosts' places that was not captured before, a packed
one, a database.
"""

import os
from collections.abc import Iterator

from steno.clock import Clock
from steno.pipeline.capture import Capture
from steno.pipeline.leave_out import LeaveOut
from steno.sources import source_named
from steno.sources.base import Source
from steno.sources.discover import find
from steno.store import UNKNOWN, Store
from steno.vocabulary import FROM_FILES, Transcript


class Pausing:
    """Going off the record and on again."""

    def __init__(self, store: Store, capture: Capture, leave_out: LeaveOut, *, clock: Clock) -> None:
        self._store = store
        self._capture = capture
        self._leave_out = leave_out
        self._clock = clock

    def unread(self) -> list[str]:
        """Known transcripts that hold more than was read; nothing, if we are off the record."""
        if self._store.control.paused():
            return []
        return [one.name for one, position in self._known() if _size(one) > position]

    def pause(self, places: list[str], sources: list[Source]) -> None:
        """Note where every transcript ends, and when it was."""
        ends = {self._capture.kept_name(one): _size(one) for one in self._here(places, sources)}
        self._store.control.pause(self._clock(), ends)

    def resume(self, places: list[str], sources: list[Source]) -> None:
        """Pass over what was written meanwhile."""
        if (ends := self._store.control.ends()) is not None:
            for one in self._here(places, sources):
                if _size(one) > (end := ends.get(self._capture.kept_name(one), 0)):
                    self._capture.pass_over(source_named(one.source), one, end)
        self._store.control.resume(self._clock())

    def _here(self, places: list[str], sources: list[Source]) -> Iterator[Transcript]:
        """The plain files we know, and those in the hosts' places."""
        hosts = [source for source in sources if source.name not in FROM_FILES]
        there = find((place for place in places if os.path.exists(place)), hosts, named=False)
        found = [one for one, _ in self._known()] + [one for one in there if isinstance(one, Transcript)]
        for one in {one.name: one for one in found}.values():
            if one.part is None and not one.path.endswith(".zst") and not self._leave_out.path(one.path):
                yield one

    def _known(self) -> Iterator[tuple[Transcript, int]]:
        """Known transcripts that are files, and how far they were read. Memory files are read when a person asks."""
        for row in self._store.journal.transcripts():
            if row.source not in (UNKNOWN, *FROM_FILES) and "#" not in row.name:
                yield Transcript(row.source, row.name), row.position


def _size(transcript: Transcript) -> int:
    """Bytes of a file; 0: it is gone."""
    try:
        return os.stat(transcript.path).st_size
    except OSError:
        return 0
