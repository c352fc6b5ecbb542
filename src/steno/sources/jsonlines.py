"""Reads a JSON-lines transcript: blocks of lines → decoded lines → turns → batches with their watermark."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import structs

from steno.sources.base import LINE_LIMIT, BadLine, Parser
from steno.sources.common import is_silent
from steno.sources.files import Block, TranscriptFile, identity, modified_ns
from steno.sources.lines import LineDecoder
from steno.vocabulary import Batch, Read, Session, Watermark

# In the watermark's state, beside the parser's own.
_STRANGE = "strange"
_BROKEN = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, BadLine)


def read_lines(
    path: str, watermark: Watermark, parser_of: Callable[[dict[str, Any]], Parser], *, limit: int = LINE_LIMIT
) -> Iterator[Batch]:
    """Batches of everything after the watermark. The last one may be empty: it only says what the file looked like."""
    with TranscriptFile(path, watermark, limit=limit) as file:
        reading = Reading(parser_of(file.start.state), file.start)
        for block in file.blocks():
            if block.unended and not reading.is_whole(block.lines[0]):
                break
            yield _batch(reading, block, file.facts, at_end=file.ends_at(block.position))
        mark = reading.mark
        if (mark.size, mark.modified_ns) != (file.facts.st_size, modified_ns(file.facts)):
            yield _batch(reading, Block([], mark.position, mark.tail, mark.unended), file.facts, at_end=True)


class Reading:
    """One pass over a transcript, a file's or a database's: what the parser made of the lines, and the watermark."""

    def __init__(self, parser: Parser, start: Watermark) -> None:
        self._parser = parser
        self._decoder = LineDecoder(parser.shape)
        # Gaps before this pass, and those the caller saw in it; the parser counts its own.
        self.gaps = start.gaps
        self.mark = start
        # Lines of a kind the parser does not know.
        self._strange: int = start.state.get(_STRANGE, 0)
        # Facts as the last batch told them.
        self._facts: dict[str, Session] = {}

    def is_whole(self, line: bytes | None) -> bool:
        """Whether a last line without newline is complete all the same: an object cut short is never valid JSON."""
        if line is None or not line.rstrip().endswith(b"}"):
            return False
        try:
            self._decoder.decode(line)
        except _BROKEN:
            return False
        return True

    def batch(self, lines: Iterable[tuple[int, bytes | None]], **place: Any) -> Batch:
        """Turns of some numbered lines, with the watermark after them; `place` says where that is."""
        mark = self.mark
        read = skipped = bad = mended = 0
        turns: list[Read] = []
        spoke: dict[str, Session] = {}
        lines_of = dict(mark.lines_of)
        decode, take = self._decoder.decode, self._parser.turns
        for number, line in lines:
            try:
                told: Any = decode(line)  # type: ignore[arg-type]
                found = take(told, number)
            except (*_BROKEN, TypeError):
                if line is not None and not line.strip():
                    skipped += 1
                    continue
                bad += 1
                kept = self._mend(line, number)
                mended += bool(kept)
                turns += kept
                spoke |= self._known() if kept else {}
                continue
            if found is None:
                skipped += 1
                self._strange += not isinstance(told.type, str) or told.type not in self._parser.bookkeeping
            else:
                read += 1
                if kept := [one for one in found if not is_silent(one.turn)]:
                    turns += kept
                    session = kept[-1].session
                    lines_of[session] = lines_of.get(session, 0) + 1
                    if session not in spoke:
                        # A file may go on as another session: what the parser knew of this one is soon gone.
                        spoke |= self._known()
        self.mark = structs.replace(
            mark,
            lines_read=mark.lines_read + read,
            lines_skipped=mark.lines_skipped + skipped,
            lines_bad=mark.lines_bad + bad,
            lines_mended=mark.lines_mended + mended,
            gaps=self.gaps + self._parser.gaps,
            lines_of=lines_of,
            state=self._parser.state | ({_STRANGE: self._strange} if self._strange else {}),
            **place,
        )
        return Batch(turns=turns, sessions=self._told(spoke, turns), watermark=self.mark)

    def _known(self) -> dict[str, Session]:
        return {one.session: one for one in self._parser.sessions}

    def _told(self, spoke: dict[str, Session], turns: list[Read]) -> list[Session]:
        """Facts of the sessions that spoke, or of which something is new."""
        known, heard = spoke | self._known(), {read.session for read in turns}
        told = [one for name, one in known.items() if name in heard or self._facts.get(name) != one]
        self._facts.update({session.session: session for session in told})
        return told

    def _mend(self, line: bytes | None, number: int) -> list[Read]:
        """What can be kept of a damaged line."""
        kept: list[Read] = []
        for found in self._decoder.mend(line) if line else []:
            try:
                kept += self._parser.turns(found, number) or []
            except (*_BROKEN, TypeError):
                continue
        return kept


def nothing_read(mark: Watermark) -> bool:
    """Whether there are lines that should have told something, and none gave a turn. Bookkeeping alone is no loss."""
    return not mark.lines_of and (_STRANGE in mark.state or mark.lines_bad > mark.lines_mended)


def _batch(reading: Reading, block: Block, facts: os.stat_result, *, at_end: bool) -> Batch:
    """Turns of a block of a file, with the watermark after it. Before the end it bears no time of change: a capture
    that is killed there must not take the rest of the file for known when it is run again."""
    mark, lines, number = reading.mark, block.lines, reading.mark.line
    if mark.unended and lines:
        # This line was consumed before its newline came; what is left of it is mostly nothing.
        lines = lines[1:] if lines[0] is not None and not lines[0].strip() else lines
        number -= len(block.lines) - len(lines) == 0
    device, inode = identity(facts)
    return reading.batch(
        enumerate(lines, number + 1),
        position=block.position,
        line=number + len(lines),
        unended=block.unended,
        device=device,
        inode=inode,
        size=facts.st_size,
        modified_ns=modified_ns(facts) if at_end else -1,
        tail=block.tail,
    )
