"""What the user keeps off the record: excluded paths and projects, pauses, and (by a setting) the assistant's part."""

import os
import re
from fnmatch import fnmatchcase

from msgspec import structs

from steno.vocabulary import Batch, Read, Session, Watermark


class LeaveOut:
    """The user's say over what is captured."""

    def __init__(
        self, *, excluded: list[str], pauses: list[tuple[str, str | None]], capture_assistant: bool = True
    ) -> None:
        self._excluded = excluded
        self._pauses = pauses
        self._capture_assistant = capture_assistant

    def path(self, path: str | None) -> bool:
        """Whether a path, or a folder above it, is excluded."""
        return path is not None and any(_covers(pattern, path) for pattern in self._excluded)

    def session(self, session: Session) -> bool:
        """Whether a session belongs to an excluded project."""
        return self.path(session.project) or self.path(session.directory)

    def all_of(self, batch: Batch) -> bool:
        """Whether nothing of a transcript may be kept, so that it is not even worth a watermark."""
        return bool(self._excluded and batch.sessions) and all(map(self.session, batch.sessions))

    def trim(self, batch: Batch) -> Batch:
        """The batch without what is to be left out."""
        if not (self._excluded or self._pauses) and self._capture_assistant:
            return batch
        gone = {session.session for session in batch.sessions if self.session(session)}
        turns = [read for read in batch.turns if read.session not in gone and self._on_record(read)]
        sessions = [session for session in batch.sessions if session.session not in gone]
        return structs.replace(batch, turns=turns, sessions=sessions, watermark=self._trim_state(batch.watermark))

    def _trim_state(self, mark: Watermark) -> Watermark:
        """The parser's state without prompts that wait in a queue and were typed off the record."""
        queue = mark.state.get("queue") or {}
        waiting = [one for one in queue.get("waiting", []) if self._at_on_record(one["turn"].get("at"))]
        if len(waiting) == len(queue.get("waiting", [])):
            return mark
        return structs.replace(mark, state={**mark.state, "queue": {**queue, "waiting": waiting}})

    def _on_record(self, read: Read) -> bool:
        if not self._capture_assistant and read.turn.role in ("assistant", "tool"):
            return False
        return self._at_on_record(read.turn.at)

    def _at_on_record(self, at: str | None) -> bool:
        return at is None or not any(since <= at and (until is None or at < until) for since, until in self._pauses)


def _covers(pattern: str, path: str) -> bool:
    return any(_covers_one(pattern, one) for one in {path, os.path.realpath(path)})


def _covers_one(pattern: str, path: str) -> bool:
    return path == pattern or path.startswith(pattern.rstrip("/") + "/") or fnmatchcase(path, pattern)


def whole_path(pattern: str) -> str:
    """A path or pattern as the machine knows it: whole, with links followed as far as there is no wild card."""
    head, *rest = re.split(r"(?=[*?\[])", os.path.expanduser(pattern), maxsplit=1)
    if not head:
        return pattern
    if not rest:
        return os.path.realpath(head)
    folder, name = os.path.split(head)
    return f"{os.path.realpath(folder)}/{name}{rest[0]}"
