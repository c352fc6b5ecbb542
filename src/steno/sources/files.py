"""Reads a growing file by whole lines, in bounded memory, and notices when it is another file now.

Guarantees: every complete line after the watermark is handed out once, in order, whole or as TOO_LONG; the position
returned with a block is the end of its last line. Does not guarantee that lines are JSON, or that a line
handed out twice (after the file was rewritten) is new: keys decide that.
"""

import hashlib
import io
import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from steno.vocabulary import Watermark
from steno.vocabulary.errors import Unreadable

# Read size. Also the size of a transaction: large enough that a commit's fsync does not dominate, small enough that
# decoded lines of one block stay in tens of megabytes.
BLOCK: Final = 2 << 20
# Bytes before the position that must not have changed. 64 hold a host's id or a time stamp.
TAIL: Final = 64


class Block(NamedTuple):
    """Some whole lines. A line longer than the limit is None: it was passed over, not kept."""

    lines: list[bytes | None]
    # Position in the file after the last of them.
    position: int
    # Fingerprint of the bytes before that position.
    tail: str
    # The last line has no newline yet.
    unended: bool


class TranscriptFile(AbstractContextManager["TranscriptFile"]):
    """One opened transcript. `start` is where reading begins: the old watermark, or a fresh one if the file changed."""

    def __init__(self, path: str, watermark: Watermark, *, limit: int) -> None:
        self._file = open_quietly(path)
        self._limit = limit
        self.facts = os.fstat(self._file.fileno())
        self._stream: io.RawIOBase = _Inflated(self._file) if path.endswith(".zst") else self._file
        self.start, self._recent = self._resume(watermark)

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _resume(self, old: Watermark) -> tuple[Watermark, bytes]:
        """Go on after the watermark if the bytes before it are still the same ones, else begin again."""
        same = identity(self.facts) == (old.device, old.inode)
        if same and old.position and (self._stream is not self._file or self.facts.st_size >= old.position):
            recent = self._skip_to(old.position)
            if fingerprint(recent) == old.tail:
                return old, recent
            self._rewind()
        return Watermark(), b""

    def _skip_to(self, position: int) -> bytes:
        """Move to `position`; the bytes just before it."""
        if self._stream is self._file:
            start = max(0, position - TAIL)
            self._file.seek(start)
            return self._file.read(position - start) or b""
        recent, left = b"", position
        while left and (piece := self._stream.read(min(left, BLOCK)) or b""):
            recent, left = (recent + piece)[-TAIL:], left - len(piece)
        return recent

    def _rewind(self) -> None:
        self._file.seek(0)
        if self._stream is not self._file:
            self._stream = _Inflated(self._file)

    def blocks(self) -> Iterator[Block]:
        """Blocks of lines up to the end of the file; what follows the last newline comes last, for the caller to judge.

        Memory: one read and one unfinished line at a time, neither larger than its limit.
        """
        position, rest, dropped = self.start.position, [b""], 0
        while chunk := self._read():
            head, newline, tail = chunk.rpartition(b"\n")
            if not newline:
                rest, dropped = self._hold([*rest, chunk], dropped)
                continue
            rest.append(head)
            lines = self._split(rest, dropped)
            position += dropped + sum(map(len, rest)) + 1
            yield self._block(lines, position, rest, b"\n")
            rest, dropped = self._hold([tail], 0)
        if not dropped and (last := b"".join(rest)):
            yield self._block([last], position + len(last), rest, b"")

    def ends_at(self, position: int) -> bool:
        """Whether the file, as it was when it was opened, ends here. Of a packed one only the reading itself tells."""
        return self._stream is self._file and position >= self.facts.st_size

    def _read(self) -> bytes:
        try:
            return self._stream.read(BLOCK) or b""
        except OSError as error:
            raise Unreadable(f"cannot read on: {reason(error)}") from error

    def _split(self, pieces: list[bytes], dropped: int) -> list[bytes | None]:
        """Lines of the joined pieces; the first is too long if some of it was dropped already."""
        lines: list[bytes | None] = list((pieces[-1] if dropped else b"".join(pieces)).split(b"\n"))
        if dropped:
            lines[0] = None
        if sum(map(len, pieces)) > self._limit:
            lines = [line if line is not None and len(line) <= self._limit else None for line in lines]
        return lines

    def _hold(self, pieces: list[bytes], dropped: int) -> tuple[list[bytes], int]:
        """Keep an unfinished line while it is short enough; past the limit only count its bytes."""
        held = sum(map(len, pieces))
        if dropped or held > self._limit:
            recent = b"".join(piece[-TAIL:] for piece in pieces)[-TAIL:]
            return [recent], dropped + held - len(recent)
        return pieces, 0

    def _block(self, lines: list[bytes | None], position: int, pieces: list[bytes], end: bytes) -> Block:
        self._recent = b"".join((self._recent, *(piece[-TAIL:] for piece in pieces), end))[-TAIL:]
        return Block(lines, position, fingerprint(self._recent), unended=not end)


def fingerprint(tail: bytes) -> str:
    """What is kept of the bytes before the position: enough to compare, nothing to read."""
    return hashlib.blake2b(tail, digest_size=8).hexdigest()


def identity(facts: os.stat_result) -> tuple[int, int]:
    """Device and inode, as numbers a database can hold (some file systems use all 64 bits)."""
    return facts.st_dev & 0x7FFF_FFFF_FFFF_FFFF, facts.st_ino & 0x7FFF_FFFF_FFFF_FFFF


def modified_ns(facts: os.stat_result) -> int:
    """Time of the last change, as a number a database can hold (2262 is as far as 63 bits go)."""
    return facts.st_mtime_ns & 0x7FFF_FFFF_FFFF_FFFF


def look(path: str) -> os.stat_result:
    """Facts of a regular file, or Unreadable. Never opens a FIFO, which would wait for a writer for ever."""
    try:
        facts = os.stat(path)
    except (OSError, ValueError) as error:
        raise Unreadable(reason(error)) from error
    if not stat.S_ISREG(facts.st_mode):
        raise Unreadable("not a regular file")
    return facts


def reason(error: Exception) -> str:
    """The operating system's words for what went wrong."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def open_quietly(path: str) -> io.FileIO:
    """Open without waiting: a file may have become a FIFO since it was looked at."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise Unreadable(f"cannot be opened: {reason(error)}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unreadable("not a regular file")
    return io.FileIO(descriptor)


class _Inflated(io.RawIOBase):
    """A zstd file as it was before packing. Positions count inflated bytes, so both forms share a watermark."""

    def __init__(self, file: io.FileIO) -> None:
        import zstandard

        self._broken = zstandard.ZstdError
        self._stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=False)

    def read(self, size: int = -1) -> bytes:
        try:
            return self._stream.read(size)
        except self._broken as error:
            raise OSError(str(error)) from error
