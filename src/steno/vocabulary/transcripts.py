"""How a transcript is read: where it is, how far the reader has got, what it brought back."""

from typing import Any

from msgspec import Struct, field

from steno.vocabulary.sessions import Session
from steno.vocabulary.turns import Turn


class Transcript(Struct, frozen=True):
    """One place of a host that holds turns: a file, or one session inside a database."""

    source: str
    path: str
    # The session, where one database holds many.
    part: str | None = None
    # Bytes to read at most, for a progress bar. 0: not known.
    size: int = 0

    @property
    def name(self) -> str:
        """What the watermark is kept under."""
        return self.path if self.part is None else f"{self.path}#{self.part}"


class Watermark(Struct, frozen=True, kw_only=True):
    """How far a reader has got in one transcript, and what it met on the way. All counts are totals since the start."""

    # Bytes consumed of a file; the next row number of a database.
    position: int = 0
    # Lines begun so far. A line whose end has not been seen yet is begun.
    line: int = 0
    # The last line had no newline yet when it was consumed.
    unended: bool = False
    # What the file was, to notice that it is another one now.
    device: int = 0
    inode: int = 0
    size: int = 0
    modified_ns: int = 0
    # Fingerprint of the bytes before `position`; for a database, its rewrite generation.
    tail: str = ""
    lines_read: int = 0
    lines_skipped: int = 0
    # Damaged lines, and how many of them could still be read.
    lines_bad: int = 0
    lines_mended: int = 0
    # Stretches the host itself shows to be missing.
    gaps: int = 0
    # Lines read, by session; the first one met also answers for the lines that belong to none.
    lines_of: dict[str, int] = field(default_factory=dict)
    # What the parser must know to go on from here (queued prompts, the session's facts).
    state: dict[str, Any] = field(default_factory=dict)


class Read(Struct, frozen=True):
    """A turn as a source hands it over, with what makes it the same turn when it is read again."""

    session: str
    turn: Turn
    # The host's id, unique within the source. None: position and content stand in for it.
    unique: str | None = None
    # Number of the content block inside what `unique` names.
    block: int = 0
    # Where the session stood when this was said, if the host tells: it may move.
    directory: str | None = None
    # It stands in a file that is rewritten in place: its line is no part of what it is, and what stands there no more
    # is recalled no more.
    moves: bool = False


class Batch(Struct, frozen=True, kw_only=True):
    """Turns and the watermark that vouches for them: stored together or not at all."""

    turns: list[Read]
    # Facts of the sessions as far as known after this batch.
    sessions: list[Session]
    watermark: Watermark
