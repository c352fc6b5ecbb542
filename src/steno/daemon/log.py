"""What the daemon did, line by line: a file in the home that never grows beyond a bound, and one older one."""

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from steno.client import LOG
from steno.clock import utc_now

Say = Callable[[str], None]

# The file, and the older one beside it, hold at most so much each.
MOST_BYTES: Final = 5_000_000
_LONGEST: Final = 2_000


class Log:
    """Appends lines; a disk that is full is no reason to stop working."""

    def __init__(self, home: Path, *, echo: bool = False, most_bytes: int = MOST_BYTES) -> None:
        self._path = home / LOG
        self._echo = echo
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._file = open_log(home)

    def say(self, text: str) -> None:
        """Add a line."""
        line = f"{utc_now()} {' '.join(text.split())[:_LONGEST]}\n".encode("utf-8", "backslashreplace")
        with self._lock, suppress(OSError):
            os.write(self._file, line)
            if os.fstat(self._file).st_size > self._most_bytes:
                self._turn_over()
        if self._echo:
            with suppress(OSError, ValueError):
                sys.stderr.write(line.decode())
                sys.stderr.flush()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            os.close(self._file)

    def _turn_over(self) -> None:
        """The file becomes the older one; what the process itself prints (a crash) follows into the new one."""
        before = os.fstat(self._file)
        os.replace(self._path, f"{self._path}.old")
        fresh = open_log(self._path.parent)
        for stream in (1, 2):
            with suppress(OSError):
                if os.path.samestat(os.fstat(stream), before):
                    os.dup2(fresh, stream)
        os.dup2(fresh, self._file, inheritable=False)
        os.close(fresh)


class _Others(logging.Handler):
    """What the doors and the libraries have to say."""

    def __init__(self, say: Say) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say(self.format(record))


@contextmanager
def kept_log(home: Path, *, echo: bool = False) -> Iterator[Log]:
    """The log of a home, for as long as somebody writes it."""
    log = Log(home, echo=echo)
    others = _Others(log.say)
    logging.getLogger().addHandler(others)
    try:
        yield log
    finally:
        logging.getLogger().removeHandler(others)
        log.close()


def open_log(home: Path) -> int:
    """The file, to be appended to; for its owner only."""
    return os.open(home / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def last_lines(home: Path, most: int) -> list[str]:
    """The end of the log, the oldest line first."""
    found: list[str] = []
    for name in (LOG, f"{LOG}.old"):
        with suppress(OSError):
            lines = (home / name).read_text("utf-8", "replace").splitlines()
            found = lines[max(0, len(lines) - most + len(found)) :] + found if len(found) < most else found
    return found
