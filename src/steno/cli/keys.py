"""Keys of a terminal, one by one as they are pressed, and now and then a line."""

import os
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_ESCAPE: Final = b"\x1b"
_END: Final = b"\x04"


class Keys:
    """What is typed at standard input. Nobody has to press Enter, and Ctrl-C stays Ctrl-C."""

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()
        self._as_found = termios.tcgetattr(self._file)
        # Typed, and not asked for yet.
        self._typed = b""

    def next(self) -> str:
        """The next key; empty when there will be none, or for one that is no letter."""
        self._typed = self._typed or os.read(self._file, 1024)
        if self._typed.startswith(_ESCAPE):  # an arrow, or the like: several bytes at once
            self._typed = b""
            return "\x1b"
        key, self._typed = self._typed[:1], self._typed[1:]
        return "" if key in (b"", _END) else key.decode("ascii", "replace")

    def line(self) -> str:
        """A line, which can be seen and corrected while it is typed."""
        self.as_found()
        while b"\n" not in self._typed:
            if not (more := os.read(self._file, 4096)):
                break
            self._typed += more
        line, _, self._typed = self._typed.partition(b"\n")
        self._one_by_one()
        return line.decode("utf-8", "replace").strip()

    def as_found(self) -> None:
        """The terminal as it was before."""
        termios.tcsetattr(self._file, termios.TCSADRAIN, self._as_found)

    def _one_by_one(self) -> None:
        tty.setcbreak(self._file, termios.TCSADRAIN)


@contextmanager
def keys() -> Iterator[Keys]:
    """The keys of this terminal; whatever happens, it is as before afterwards."""
    found = Keys()
    try:
        found._one_by_one()
        yield found
    finally:
        found.as_found()
