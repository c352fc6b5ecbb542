"""Memory files that exist already, and histories of repositories: shown first, then taken in."""

import os
from collections.abc import Callable
from typing import Final

from steno.pipeline.capture import Capture
from steno.pipeline.leave_out import LeaveOut
from steno.pipeline.scrub import Scrubber
from steno.sources import source_named
from steno.sources.base import Source
from steno.sources.discover import find
from steno.store import Store, key_of
from steno.vocabulary import Captured, Problem, Read, Transcript, Watermark
from steno.vocabulary.errors import Unreadable
from steno.vocabulary.notebooks import Offer, Offered

_SOURCES: Final = ("notes", "git")


class Notes:
    """What others wrote down to remember by."""

    def __init__(
        self, store: Store, scrubber: Scrubber, leave_out: Callable[[], LeaveOut], *,
        capture: Callable[[], Capture], took: Callable[[Captured], None],
    ) -> None:  # fmt: skip
        self._store = store
        self._scrubber = scrubber
        self._leave_out = leave_out
        self._capture = capture
        self._took = took

    def offered(self, path: str | os.PathLike[str]) -> Offer:
        """What a file or folder holds of it, and `take` would take in."""
        sources, leave_out = {name: source_named(name) for name in _SOURCES}, self._leave_out()
        files: list[Offered] = []
        problems: list[Problem] = []
        left_out = 0
        for found in find([os.path.abspath(path)], list(sources.values()), forced=True):
            if isinstance(found, Problem):
                problems.append(found)
            elif leave_out.file(found):
                left_out += 1
            else:
                try:
                    files.append(_offered(sources[found.source], found, self._store, self._scrubber))
                except Unreadable as error:
                    problems.append(Problem(found.path, error.message))
        return Offer(files=files, problems=problems, left_out=left_out)

    def take(self, path: str | os.PathLike[str]) -> Captured:
        """Take it in: recall finds it as a file's words, and it is never a rule."""
        whole = os.path.abspath(path)
        captured = self._read([whole], named=True)
        if captured.transcripts and self._scrubber.text(whole) == whole:
            self._store.control.follow(whole)
        return captured

    def follow(self) -> Captured:
        """Read again what was taken in before and changed since, and what is new in those folders."""
        there = [path for path in self._store.control.followed() if os.path.exists(path)]
        is_quiet = not there or self._store.control.paused() is not None
        return Captured() if is_quiet else self._read(there, named=False)

    def _read(self, paths: list[str], *, named: bool) -> Captured:
        sources = [source_named(name) for name in _SOURCES]
        captured = self._capture().run(paths, sources, forced=True, named=named)
        if captured.turns:
            self._took(captured)
        return captured


def _offered(source: Source, transcript: Transcript, store: Store, scrubber: Scrubber) -> Offered:
    batches = list(source.read(transcript, Watermark()))
    turns = [read for batch in batches for read in batch.turns]
    keys = {key_of(source.name, read, store.secret) for read in turns}
    return Offered(
        path=transcript.path,
        source=source.name,
        project=next((session.project for batch in batches for session in batch.sessions), None),
        pieces=len(turns),
        new=sum(not store.journal.has(key) for key in keys),
        gone=len(_standing(transcript, store, scrubber) - {key.hex() for key in keys}),
        bytes=transcript.size,
        begins=scrubber.text(_begins(turns)),
    )


def _standing(transcript: Transcript, store: Store, scrubber: Scrubber) -> set[str]:
    """What stood in a file when it was taken in last."""
    known = store.journal.find_transcript(transcript.source, scrubber.text(transcript.name))
    return set(known.watermark.state.get("stands", [])) if known else set()


def _begins(turns: list[Read]) -> str:
    """The first words; of a history those of its newest commit, which comes last."""
    if not turns:
        return ""
    turn = turns[-1 if turns[-1].unique else 0].turn
    return next((line.strip("#-* \t") for line in turn.text.split("\n") if line.strip("#-* \t")), "")[:200]
