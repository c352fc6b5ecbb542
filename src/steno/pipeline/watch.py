"""Follows transcripts as they grow: file events wake us, a rescan every half minute catches what events miss."""

import os
import time
from collections.abc import Callable, Iterator
from typing import Final

# Gather events for this long, so that a burst of writes is one capture; the user must not wait for it.
_GATHER_MS: Final = 40
_STEP_MS: Final = 10
# How often `stop` is asked when nothing happens.
_IDLE_MS: Final = 500
# A database's changes show in the files beside it.
_BESIDE: Final = ("-wal", "-shm", "-journal")


def watch(
    places: list[str], capture: Callable[[list[str]], None], *, rescan_seconds: float, stop: Callable[[], bool]
) -> None:
    """Capture everything, then whatever changes, until `stop` says so; everything again every `rescan_seconds`.

    A place that does not exist yet is looked for at each rescan: watching the folder above it could mean a whole home.
    """
    capture(places)
    while not stop():
        there = [place for place in places if os.path.exists(place)]
        due = 0.0
        for changed in _changes(there):
            if stop() or [place for place in places if os.path.exists(place)] != there:
                break
            if time.monotonic() >= due:
                # Also right after the watch began: what was written between the capture before and now had no event.
                capture(places)
                due = time.monotonic() + rescan_seconds
            elif changed:
                capture(changed)


def _changes(places: list[str]) -> Iterator[list[str]]:
    """Transcripts and folders that changed, gathered for a moment; an empty list when nothing did for a while."""
    from watchfiles import watch as events

    if not places:
        while True:
            time.sleep(_IDLE_MS / 1000)
            yield []
    found = events(
        *places,
        debounce=_GATHER_MS,
        step=_STEP_MS,
        rust_timeout=_IDLE_MS,
        yield_on_timeout=True,
        raise_interrupt=True,
        ignore_permission_denied=True,
        watch_filter=None,
    )
    for batch in found:
        # A folder counts too: files made in it before anybody watched it have no event of their own.
        yield [path for path in sorted({_transcript_of(path) for _, path in batch}) if os.path.exists(path)]


def _transcript_of(path: str) -> str:
    for ending in _BESIDE:
        path = path.removesuffix(ending)
    return path
