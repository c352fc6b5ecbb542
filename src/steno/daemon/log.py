"""What the daemon did, line by line: a file in the home that never grows beyond a bound, and one older one."""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from steno.client import LOG
from steno.clock import utc_now

Say = Callable[[str], None]

# The file, and the older one beside it, hold at most so much each.
MOST_BYTES: Final = 5_000_000
_LONGEST: Final = 2_000


class Log(RotatingFileHandler):
    """Appends lines; a disk that is full is no reason to stop working."""

    def __init__(self, home: Path, *, echo: bool = False, most_bytes: int = MOST_BYTES) -> None:
        self._home, self._echo = home, echo
        super().__init__(home / LOG, maxBytes=most_bytes, backupCount=1)
        self.setLevel(logging.WARNING)

    def say(self, text: str) -> None:
        """Add a line."""
        self.handle(logging.makeLogRecord({"msg": text}))

    def format(self, record: logging.LogRecord) -> str:
        return f"{utc_now()} {' '.join(super().format(record).split())[:_LONGEST]}"

    def emit(self, record: logging.LogRecord) -> None:
        super().emit(record)
        if self._echo:
            with suppress(OSError, ValueError):
                print(self.format(record), file=sys.stderr, flush=True)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass

    def rotation_filename(self, default_name: str) -> str:
        return f"{self.baseFilename}.old"

    def _open(self) -> TextIOWrapper:
        """The file; what the process itself prints (a crash) follows into it from the older one."""
        fresh = open_log(self._home)
        for stream in (1, 2):
            with suppress(OSError):
                if os.path.samestat(os.fstat(stream), os.stat(self.rotation_filename(""))):
                    os.dup2(fresh, stream)
        return open(fresh, "a", encoding="utf-8", errors="backslashreplace")


@contextmanager
def kept_log(home: Path, *, echo: bool = False) -> Iterator[Log]:
    """The log of a home, for as long as somebody writes it: also what the doors and the libraries have to say."""
    log = Log(home, echo=echo)
    logging.getLogger().addHandler(log)
    try:
        yield log
    finally:
        logging.getLogger().removeHandler(log)
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
