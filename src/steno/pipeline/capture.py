"""Capture: sources → redact → journal. No meaning is added here; what is read is copied, once.

Each batch is one transaction: its turns, its sessions' facts and the watermark that vouches for them. Killed at any
line, nothing is half there; run again, it goes on after the last watermark; run twice at once, the second reader
notices (Overtaken) and goes on from where the first one is.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator

from msgspec import structs

from steno.home import Home
from steno.pipeline.leave_out import leave_out
from steno.pipeline.preview import DryJournal
from steno.pipeline.scrub import Scrubber
from steno.redact import MARK
from steno.sources import TRANSCRIPTS, source_named
from steno.sources.base import Source
from steno.sources.discover import find, is_recognised
from steno.sources.files import identity, modified_ns
from steno.sources.jsonlines import nothing_read
from steno.store import UNKNOWN, Known, key_of
from steno.vocabulary import FROM_FILES, Batch, Captured, Problem, SessionCaptured, Transcript, Watermark
from steno.vocabulary.errors import Busy, Overtaken, StoreError, Unreadable

# Told after each batch: bytes done since the last call, and bytes to do in all.
Progress = Callable[[int, int], None]
_COUNTS = ("lines_read", "lines_skipped", "lines_bad", "lines_mended", "gaps")
_NOTHING_READ = "nothing in it could be read: not one turn in all its lines"
# How long to leave a locked database alone before trying again.
_PATIENCE_SECONDS = 0.5


def meant(home: Home, paths: Iterable[str | os.PathLike[str]], source: str | None) -> tuple[list[str], list[Source]]:
    """Where to look: at what a person named, or the hosts' own places. And what reads it: the source they named; else
    all we know for a path, or the configured ones for the hosts' places."""
    named = [os.path.abspath(path) for path in paths]
    names = [source] if source is not None else TRANSCRIPTS if named else home.settings["sources"]
    sources = [source_named(name) for name in names]
    return named or [str(place) for one in sources for place in one.places(home.environment)], sources


def elsewhere(home: Home, paths: Iterable[str | os.PathLike[str]]) -> bool:
    """Whether one of them lies outside the hosts' own places: whoever names it says what was said. Without paths,
    whether the environment names other places than before."""
    own = [os.path.realpath(place) for place in meant(home, (), None)[0]]
    known = home.store.control.places() or own
    # No file has a NUL in its name.
    named = [os.path.realpath(path) for path in paths if "\0" not in os.fsdecode(path)] or own
    return not all(any(path == place or path.startswith(place + os.sep) for place in known) for path in named)


class Capture:
    """One run over some transcripts."""

    def __init__(self, home: Home, *, dry: bool = False) -> None:
        self._home, self._clock = home, home.clock
        self._journal = DryJournal(home.store.journal) if dry else home.store.journal
        self._dry = dry
        self._secret = home.store.secret
        self._scrubber = Scrubber(home.redactor)
        self._new: dict[tuple[str, str], int] = {}
        self.done = Captured()
        # When the transcript that was written last was written.
        self.newest_ns = 0

    def run(
        self, paths: list[str], sources: list[Source], *,
        forced: bool = False, named: bool = True, busy_seconds: float = 0, progress: Progress | None = None,
        since_ns: int = 0,
    ) -> Captured:  # fmt: skip
        """Read everything new at or below the paths, in files that were written since a time. `named`: a person named
        them; a stranger's file is a problem."""
        by_name = {source.name: source for source in sources}
        # The oldest first, so that what stands last in the journal is what was said last.
        found = sorted(self._find(paths, sources, forced=forced, named=named), key=_written)
        found = [transcript for transcript in found if _written(transcript) >= since_ns]
        self.newest_ns = _written(found[-1]) if found else 0
        total = sum(transcript.size for transcript in found)
        tell = (lambda size: progress(size, total)) if progress else (lambda size: None)
        busy = [transcript for transcript in found if not self._try(by_name[transcript.source], transcript, tell)]
        deadline = time.monotonic() + busy_seconds
        while busy and time.monotonic() < deadline:
            time.sleep(_PATIENCE_SECONDS)
            busy = [transcript for transcript in busy if not self._try(by_name[transcript.source], transcript, tell)]
        for transcript in busy:
            self._problem(transcript, "locked by another process")
        self._notice_losses()
        if forced and named and self.done.transcripts and not self._dry:
            self._follow(paths, sources)
        self.done.sessions = [SessionCaptured(session, source, new) for (source, session), new in self._new.items()]
        return self.done

    def read_on(self, *, busy_seconds: float, below: Iterable[str] = ("/",)) -> Captured:
        """Read what is new in transcripts that were read before, and lie below some places."""
        places = tuple(below)
        new: dict[str, list[str]] = {}
        for row in self._journal.transcripts():
            # One of a database is called by its file and its session.
            path = row.name if os.path.exists(row.name) else row.name.rpartition("#")[0]
            is_read = row.source not in (UNKNOWN, *FROM_FILES) and path.startswith(places)
            if is_read and _size(path) not in (0, row.position):
                new.setdefault(row.source, []).append(path)
        for name, paths in new.items():
            self.run(list(dict.fromkeys(paths)), [source_named(name)], forced=True, busy_seconds=busy_seconds)
        return self.done

    def _follow(self, paths: list[str], sources: list[Source]) -> None:
        """Memory files and repositories a person named are read again when they change."""
        for source in sources:
            for path in paths if source.name in FROM_FILES else ():
                if self._scrubber.text(path) == path:
                    self._home.store.control.follow(source.name, path)

    def _find(self, paths: Iterable[str], sources: list[Source], *, forced: bool, named: bool) -> Iterator[Transcript]:
        left_out = leave_out(self._home)
        for finding in find(paths, sources, forced=forced, named=named):
            if isinstance(finding, Problem):
                self.done.problems.append(finding)
                if os.path.lexists(finding.path):
                    path, reason = self._scrubber.text(finding.path), self._scrubber.text(finding.reason)
                    self._journal.note_problem(None, path, reason, now=self._clock())
            elif left_out.file(finding):
                self.done.excluded += 1
            else:
                yield finding

    def _try(self, source: Source, transcript: Transcript, tell: Callable[[int], None]) -> bool:
        """Read one transcript. False: its database is locked, come back later."""
        before = self.done.turns
        try:
            self._read(source, transcript, tell)
        except Busy:
            return False
        except Unreadable as error:
            self._problem(transcript, error.message)
        except StoreError:
            raise
        except Exception as error:
            # A parser that meets what nobody thought of must not take the other transcripts along.
            self._problem(transcript, f"cannot be understood: {type(error).__name__}: {error}")
        self.done.transcripts += 1
        if new := self.done.turns - before:
            self.done.files[self.kept_name(transcript)] = new
        return True

    def _read(self, source: Source, transcript: Transcript, tell: Callable[[int], None]) -> None:
        known = self._known(transcript)
        if known.problem is None and _is_unchanged(transcript, known.watermark):
            self.done.unchanged += 1
            tell(transcript.size)
            return
        paused = leave_out(self._home).paused
        if paused and (not known.watermark.line or source.name in FROM_FILES):
            # When we are on record again, times tell what was said before; memory files are read as they are then.
            return
        position, before = 0, known.problem
        while True:
            try:
                for batch in source.read(transcript, known.watermark):
                    left_out = leave_out(self._home)
                    if not known.watermark.line and left_out.all_of(batch):
                        self.done.excluded += 1
                        return
                    # Off the record we read on and drop it, so that it is not captured later either.
                    off = paused and left_out.paused
                    kept = left_out.nothing(batch, known.watermark) if off else left_out.trim(batch)
                    known = self._append(source.name, known, kept)
                    tell(max(0, min(known.watermark.position, transcript.size) - position))
                    position = known.watermark.position
            except Overtaken:
                known = self._journal.transcript(transcript.source, self.kept_name(transcript), self._clock())
                continue
            blank = nothing_read(known.watermark) and is_recognised(transcript, source)
            self._settle(transcript, before, _NOTHING_READ if blank else None)
            return

    def _append(self, source: str, known: Known, batch: Batch) -> Known:
        """Keys before redaction, redaction before writing, everything in one transaction."""
        keys = [key_of(source, read, self._secret) for read in batch.turns]
        batch, redacted = self._scrubber.batch(batch)
        if any(read.moves for read in batch.turns):
            batch = _standing(batch, keys)
        moved, new = self._journal.append(known, batch, keys, redacted=redacted, now=self._clock())
        self._count(known.watermark, moved.watermark)
        self.done.turns += sum(new.values())
        for session, number in new.items():
            self._new[source, session] = self._new.get((source, session), 0) + number
        for kind, pieces in redacted.items():
            self.done.redacted[kind] = self.done.redacted.get(kind, 0) + pieces
        return moved

    def _known(self, transcript: Transcript) -> Known:
        """The transcript's watermark, also if the file was called otherwise when it was last read."""
        own_name = self.kept_name(transcript)
        known = self._journal.find_transcript(transcript.source, own_name)
        if known is None and transcript.part is None:
            try:
                device, inode = identity(os.stat(transcript.path))
            except OSError:
                device = inode = -1
            for id_, name in self._journal.same_file(transcript.source, device, inode):
                if not os.path.exists(name) or self._scrubber.text(name) == own_name:
                    self._journal.rename(id_, own_name)
                    break
        return known or self._journal.transcript(transcript.source, own_name, self._clock())

    def kept_name(self, transcript: Transcript) -> str:
        """Its name as it is kept: a path may hold a secret, too."""
        return self._scrubber.text(transcript.name)

    def _count(self, before: Watermark, after: Watermark) -> None:
        # Begun again: another file, or one of which less is known now than before.
        started_over = (after.device, after.inode) != (before.device, before.inode) or any(
            getattr(after, name) < getattr(before, name) for name in ("line", *_COUNTS)
        )
        for name in _COUNTS:
            number = getattr(after, name) - (0 if started_over else getattr(before, name))
            setattr(self.done, name, getattr(self.done, name) + number)
        self.done.lines_seen = self.done.lines_read + self.done.lines_skipped + self.done.lines_bad

    def _problem(self, transcript: Transcript, reason: str) -> None:
        name, reason = self.kept_name(transcript), self._scrubber.text(reason)
        self.done.problems.append(Problem(name, reason))
        self._journal.note_problem(transcript.source, name, reason, now=self._clock())

    def _settle(self, transcript: Transcript, before: str | None, now: str | None) -> None:
        """What is wrong with a transcript after it was read. One that was recognised and gave nothing is a gap, until
        something of it can be read."""
        gaps = (now == _NOTHING_READ) - (before == _NOTHING_READ)
        self.done.gaps += max(0, gaps)
        if now is not None:
            self.done.problems.append(Problem(self.kept_name(transcript), now))
        if (before, now) != (None, None):
            self._journal.note_problem(transcript.source, self.kept_name(transcript), now, gaps=gaps, now=self._clock())

    def _notice_losses(self) -> None:
        """A transcript that was deleted before its end was read leaves a gap, and the gap is shown."""
        for source, name in self._journal.begun():
            # A name with a secret in it is not kept as a path.
            if "#" not in name and MARK not in name and not os.path.exists(name):
                lost = "deleted before it was read to the end"
                self._journal.note_problem(source, name, lost, gaps=1, now=self._clock())
                self.done.gaps += 1


def _standing(batch: Batch, keys: list[bytes]) -> Batch:
    """The batch of a file that is rewritten in place, with word of what stands in it now."""
    mark = batch.watermark
    stands = [key.hex() for key in keys]
    return structs.replace(batch, watermark=structs.replace(mark, state={**mark.state, "stands": stands}))


def _written(transcript: Transcript) -> int:
    """When it was written last; of what is gone nobody knows."""
    try:
        return os.stat(transcript.path).st_mtime_ns
    except OSError:
        return 0


def _size(path: str) -> int:
    """Bytes of a file; 0 if it is gone."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _is_unchanged(transcript: Transcript, mark: Watermark) -> bool:
    """Whether a file is byte for byte what it was, as far as its size, time and inode tell."""
    if transcript.part is not None:
        return False
    try:
        facts = os.stat(transcript.path)
    except OSError:
        return False
    return (*identity(facts), facts.st_size, modified_ns(facts)) == (
        mark.device, mark.inode, mark.size, mark.modified_ns,
    )  # fmt: skip
