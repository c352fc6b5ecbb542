"""One daemon per home: whoever holds the lock on `daemon.lock` is it. The file says which process that is."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from steno.client import LOCK
from steno.files import locked
from steno.fleet.watchdog import told_of
from steno.vocabulary.errors import StenoError


class AlreadyRuns(StenoError):
    """A second daemon on one home."""


class Holder(NamedTuple):
    """The process that holds a lock, as it wrote itself down; `started` tells it from a later one with its number."""

    pid: int
    started: str

    def is_alive(self) -> bool:
        """Whether it is still that process, and not another one with the same number."""
        return bool(self.started) and started_at(self.pid) == self.started


@contextmanager
def held(home: Path) -> Iterator[None]:
    """Hold the lock of a home."""
    with locked(home / LOCK, lambda: _taken(home)) as file:
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()} {started_at(os.getpid())}\n".encode(), 0)
        yield
        os.ftruncate(file, 0)


def _taken(home: Path) -> AlreadyRuns:
    one = _read(home)
    who = f"process {one.pid}" if one else "another process"
    return AlreadyRuns(
        f"{who} runs as the daemon of {home} already", hint="`steno status` asks it, `steno stop` stops it"
    )


def holder(home: Path) -> Holder | None:
    """Who holds the lock of a home. None: nobody; what a killed daemon left behind does not count."""
    try:
        file = os.open(home / LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        # Between taking the lock and writing itself down it has no name yet.
        return _read(home) or Holder(0, "")
    else:
        return None
    finally:
        os.close(file)


def started_at(pid: int) -> str:
    """When a process was started, as the system tells it. Empty: there is none, or only its exit code is left."""
    started, state = told_of(pid)
    return "" if state.startswith("Z") else started


def _read(home: Path) -> Holder | None:
    try:
        pid, _, started = (home / LOCK).read_text("utf-8").strip().partition(" ")
        return Holder(int(pid), started)
    except (OSError, ValueError):
        return None
