"""Finds transcripts: walks what the user named or where hosts keep theirs, and tells whose each file is."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Final

from steno.sources.base import FolderSource, Source
from steno.sources.files import look, open_quietly, reason
from steno.vocabulary import Problem, Transcript
from steno.vocabulary.errors import Unreadable

_ENDINGS: Final = (".jsonl", ".jsonl.zst", ".sqlite", ".json")
# First bytes that tell whose a file is. Claude Code's first line may be long; its marks stand early in every line.
_HEAD: Final = 64 << 10
# Hosts whose transcripts we can tell but not read yet.
_NOT_YET: Final = {"gemini": re.compile(rb'^\s*{\s*"sessionId"\s*:\s*"[^"]*"\s*,\s*"projectHash"\s*:')}
_LEDGERS: Final = ("history.jsonl", "session_index.jsonl", "sessions.json")

Finding = Transcript | Problem


def find(paths: Iterable[str], sources: list[Source], *, forced: bool = False, named: bool = True) -> Iterator[Finding]:
    """Transcripts at or below the paths, and what is in the way. `forced`: the user said which source it is. `named`:
    the user named these very files; else they were met on the way, and only what looks like a transcript counts."""
    for path in paths:
        if not is_text(path):
            yield unnameable(path)
        elif os.path.isdir(path):
            for source in sources:
                if isinstance(source, FolderSource):
                    yield from source.within(path)
            if others := [source for source in sources if not isinstance(source, FolderSource)]:
                yield from _walk(path, others, forced=forced)
        else:
            yield from _examine(path, sources, forced=forced, named=named)


def _walk(top: str, sources: list[Source], *, forced: bool) -> Iterator[Finding]:
    """Every file below a folder, each folder once: a link that leads back up is followed no second time."""
    seen: set[tuple[int, int]] = set()
    folders = [top]
    while folders:
        folder = folders.pop()
        try:
            facts = os.stat(folder)
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Problem(folder, reason(error))
            continue
        if (facts.st_dev, facts.st_ino) in seen:
            continue
        seen.add((facts.st_dev, facts.st_ino))
        yield from (unnameable(entry.path) for entry in entries if not is_text(entry.path))
        entries = [entry for entry in entries if is_text(entry.path)]
        folders += reversed([entry.path for entry in entries if _is_folder(entry)])
        for entry in entries:
            if entry.name.endswith(_ENDINGS) and not _is_folder(entry):
                yield from _examine(entry.path, sources, forced=forced, named=False)


def is_text(path: str) -> bool:
    """Whether a path can be written down: one with bytes that are no UTF-8 fits no database and no JSON."""
    return path.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in path)


def unnameable(path: str) -> Problem:
    """What is said of a path that is none."""
    shown = path.encode("utf-8", "backslashreplace").decode()
    return Problem(shown, "its name is not valid UTF-8; rename it to have it read")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _examine(path: str, sources: list[Source], *, forced: bool, named: bool) -> Iterator[Finding]:
    """The transcripts in one file. A file of nobody's is a problem only if the user named it."""
    if not named and not _may_be_one(path, sources):
        return
    try:
        facts = look(path)
        source = sources[0] if forced else _whose(path, sources)
        if source is not None:
            for transcript in source.transcripts(path):
                yield Transcript(transcript.source, transcript.path, transcript.part, transcript.size or facts.st_size)
        elif named and facts.st_size:
            yield Problem(path, "cannot tell which host wrote it; name the source with --source")
    except Unreadable as error:
        yield Problem(path, error.message)


def _may_be_one(path: str, sources: list[Source]) -> bool:
    """Whether a file that was met on the way is worth a look."""
    if path.endswith(_ENDINGS):
        return os.path.basename(path) not in _LEDGERS
    return any(isinstance(source, FolderSource) and source.recognises(path, b"") for source in sources)


def _whose(path: str, sources: list[Source]) -> Source | None:
    """The first source that recognises the file; an error names a host we cannot read yet."""
    head = _head(path)
    for source in sources:
        if source.recognises(path, head):
            return source
    for host, marks in _NOT_YET.items():
        if marks.search(head):
            raise Unreadable(f"a transcript of {host}, which is not readable yet")
    return None


def is_recognised(transcript: Transcript, source: Source) -> bool:
    """Whether a file looks like its source's, and was not only said to be."""
    return source.recognises(transcript.path, _head(transcript.path))


def _head(path: str) -> bytes:
    with open_quietly(path) as file:
        return file.read(_HEAD) or b""
