"""Looks at files of people and agents: names, times, and a mark of what stands in them. Follows no link below where it
was sent, opens nothing but plain files, and stops at a number of files, bytes and seconds."""

import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final, NamedTuple

from steno.clock import as_text

MOST_FILES: Final = 2_000
_SECONDS: Final = 5.0
# What is longer is told by its size and its time; of all together not more than this is read in one look.
_LONGEST: Final = 1 << 20
_READ: Final = 64 << 20
# What tools keep for themselves changes all the time.
_SKIPPED: Final = frozenset({".git", "__pycache__", "node_modules", ".venv"})


class TooMuch(Exception):
    """More files than anybody looks at, or they took too long."""


class Newest(NamedTuple):
    """When the files of a folder were written, the oldest first; or why that is not known."""

    times: list[str]
    problem: str = ""


def newest(folder: str) -> Newest:
    """When the files below a folder were written."""
    try:
        return Newest(sorted(_time(seen) for _, _, seen in _walk(folder) if stat.S_ISREG(seen.st_mode)))
    except (OSError, TooMuch) as error:
        return Newest([], why_not(folder, error))


def marks(path: str, before: Mapping[str, str] | None = None) -> dict[str, str] | None:
    """A mark for each file at or below a path, by its name below it; the same mark where nothing changed. None: nothing
    is there. What was marked `before` and looks untouched is not read again."""
    if not os.path.lexists(path):
        return None
    left, found = _READ, {}
    for name, place, seen in _walk(path):
        looks = f"{seen.st_size}:{seen.st_mtime_ns}"
        was = (before or {}).get(name, "")
        if was.startswith(f"{looks} "):
            found[name] = was
        elif not stat.S_ISREG(seen.st_mode):
            target = os.readlink(place) if stat.S_ISLNK(seen.st_mode) else str(seen.st_mode)
            found[name] = f"{looks} {_mark(os.fsencode(target))}"
        elif seen.st_size > min(_LONGEST, left):
            found[name] = f"{looks} {looks}"
        else:
            left -= seen.st_size
            found[name] = f"{looks} {_digest(place)}"
    return found


def differ(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[list[str], list[str], list[str]]:
    """Names of what came, what went, and what is something else."""
    other = [name for name in now.keys() & before.keys() if _content(now[name]) != _content(before[name])]
    return sorted(now.keys() - before.keys()), sorted(before.keys() - now.keys()), sorted(other)


def _content(mark: str) -> str:
    return mark.partition(" ")[2]


def _walk(path: str) -> Iterator[tuple[str, str, os.stat_result]]:
    """Every file at or below a path: its name below it, where it is, and what the system knows of it."""
    until, number = time.monotonic() + _SECONDS, 0
    top = os.stat(path)
    if not stat.S_ISDIR(top.st_mode):
        yield "", path, top
        return
    waiting = [path]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                number += 1
                if number > MOST_FILES or time.monotonic() > until:
                    raise TooMuch
                if entry.is_dir(follow_symlinks=False):
                    waiting += [entry.path] if entry.name not in _SKIPPED else []
                    continue
                with suppress(FileNotFoundError):
                    yield os.path.relpath(entry.path, path), entry.path, entry.stat(follow_symlinks=False)


def _digest(path: str) -> str:
    """A mark of what stands in a plain file; of one that cannot be read, that it cannot."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return f"unread {error.errno}"
    with open(file, "rb") as opened:
        return _mark(opened.read(_LONGEST))


def _mark(content: bytes) -> str:
    return blake2b(content, digest_size=12).hexdigest()


def _time(seen: os.stat_result) -> str:
    try:
        return as_text(datetime.fromtimestamp(seen.st_mtime, UTC))
    except (OverflowError, ValueError, OSError):
        return ""


def why_not(path: str, error: Exception) -> str:
    """Why a look at a path came to nothing, in words."""
    if isinstance(error, TooMuch):
        return f"{path} holds more than {MOST_FILES:,} files, or is too slow to look through"
    return f"{path} cannot be looked at: {getattr(error, 'strerror', None) or error}"
