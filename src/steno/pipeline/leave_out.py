"""What the user keeps off the record: excluded paths and projects, pauses, and (by a setting) the assistant's part."""

import os
import re
from fnmatch import fnmatchcase

import msgspec
from msgspec import structs

from steno.home import Home
from steno.sources.common import project_of
from steno.vocabulary import FROM_FILES, Batch, Read, Session, Transcript, Watermark

# The folder of a home in which a program that is our model is run.
MODEL_FOLDER = "model"


def leave_out(home: Home) -> "LeaveOut":
    """The user's say as it is now: they may pause while a long capture runs."""
    control = home.store.control
    return LeaveOut(
        # What a program that is our model says there is not heard.
        excluded=[*(pattern for pattern, _ in control.excluded()), str(home.root / MODEL_FOLDER)],
        pauses=control.pauses(),
        capture_assistant=home.settings["capture_assistant"],
        own=[str(home.root)],
    )


class LeaveOut:
    """The user's say over what is captured."""

    def __init__(
        self, *, excluded: list[str], pauses: list[tuple[str, str | None]], capture_assistant: bool = True,
        own: list[str] | None = None,
    ) -> None:  # fmt: skip
        self._excluded = excluded
        # Where our own files lie: what we wrote is no news.
        self._own = [os.path.realpath(folder) for folder in own or []]
        self._pauses = pauses
        self._capture_assistant = capture_assistant
        # Directories met so far, and whether they are excluded.
        self._inside: dict[str, bool] = {}

    @property
    def paused(self) -> bool:
        """Whether we are off the record now."""
        return any(until is None for _, until in self._pauses)

    def path(self, path: str | None) -> bool:
        """Whether a path, or a folder above it, is excluded."""
        if path is None:
            return False
        return any(_covers_one(pattern, one) for pattern in self._excluded for one in {path, os.path.realpath(path)})

    def file(self, transcript: Transcript) -> bool:
        """Whether a transcript is excluded, or is one of our own pages."""
        path = os.path.realpath(transcript.path)
        is_own = transcript.source in FROM_FILES and any(f"{path}/".startswith(f"{own}/") for own in self._own)
        return is_own or self.path(transcript.path)

    def session(self, session: Session) -> bool:
        """Whether a session belongs to an excluded project."""
        return self.path(session.project) or self.path(session.directory)

    def all_of(self, batch: Batch) -> bool:
        """Whether nothing of a transcript may be kept, so that it is not even worth a watermark."""
        if not self._excluded or not batch.sessions:
            return False
        gone = self._gone(batch)
        return len(gone) == len(batch.sessions) and all(self._is_inside(read, gone) for read in batch.turns)

    def trim(self, batch: Batch) -> Batch:
        """The batch without what is to be left out."""
        if not (self._excluded or self._pauses) and self._capture_assistant:
            return batch
        gone = self._gone(batch)
        turns = [read for read in batch.turns if self._on_record(read, gone)]
        spoke = {read.session for read in turns}
        sessions = [session for session in batch.sessions if session.session not in gone]
        # One that began inside and came out: what was said outside counts, where it began does not.
        sessions += [_nowhere(session) for session in batch.sessions if session.session in gone & spoke]
        left_out = {read.turn.text for read in batch.turns} - {read.turn.text for read in turns}
        mark = self._trim_state(batch.watermark, left_out)
        return structs.replace(batch, turns=turns, sessions=sessions, watermark=mark)

    def nothing(self, batch: Batch, before: Watermark) -> Batch:
        """The batch without any of its turns, and without what its parser took down on the way."""
        mark, old = batch.watermark, before.state.get("queue") or {}
        if queue := mark.state.get("queue"):
            kept = {name: [one for one in queue[name] if one in old.get(name, [])] for name in ("waiting", "told")}
            mark = structs.replace(mark, state={**mark.state, "queue": kept})
        return structs.replace(batch, turns=[], sessions=[], watermark=mark)

    def _trim_state(self, mark: Watermark, left_out: set[str]) -> Watermark:
        """The parser's state without prompts that wait in a queue, or came out of it, and are off the record."""
        if not (queue := mark.state.get("queue")):
            return mark
        prompts = msgspec.convert(queue["waiting"], list[Read])
        kept = {
            "waiting": [
                raw for raw, read in zip(queue["waiting"], prompts, strict=True) if self._on_record(read, set())
            ],
            "told": [text for text in queue["told"] if text not in left_out],
        }
        return structs.replace(mark, state={**mark.state, "queue": kept})

    def _gone(self, batch: Batch) -> set[str]:
        """Sessions that belong to something excluded."""
        return {session.session for session in batch.sessions if self.session(session)}

    def _on_record(self, read: Read, gone: set[str]) -> bool:
        if not self._capture_assistant and read.turn.role in ("assistant", "tool") and read.turn.kind != "note":
            return False
        return self._at_on_record(read.turn.at) and not self._is_inside(read, gone)

    def _is_inside(self, read: Read, gone: set[str]) -> bool:
        """Whether something was said inside what is excluded. A session may move in and out again; where the host does
        not tell, it stays where it belongs."""
        directory = read.directory
        if directory is None or not self._excluded:
            return read.session in gone
        if directory not in self._inside:
            self._inside[directory] = self.path(directory) or self.path(project_of(directory))
        return self._inside[directory]

    def _at_on_record(self, at: str | None) -> bool:
        return at is None or not any(since <= at and (until is None or at < until) for since, until in self._pauses)


def _nowhere(session: Session) -> Session:
    return structs.replace(session, directory=None, project=None, branch=None)


def _covers_one(pattern: str, path: str) -> bool:
    below = pattern.rstrip("/") + "/"
    return path == pattern or path.startswith(below) or fnmatchcase(path, pattern) or fnmatchcase(path, f"{below}*")


def whole_path(pattern: str) -> str:
    """A path or pattern as the machine knows it: whole, with links followed as far as there is no wild card."""
    head, *rest = re.split(r"(?=[*?\[])", os.path.expanduser(pattern), maxsplit=1)
    if not head:
        return pattern
    if not rest:
        return os.path.realpath(head)
    folder, name = os.path.split(head)
    return f"{os.path.realpath(folder)}/{name}{rest[0]}"
