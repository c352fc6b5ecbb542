"""A terminal of its own for a program: a screen that can be read, and keys that can be pressed."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

_ROWS, _COLUMNS = 60, 160
_SECONDS = 60
# What a program sends: a control sequence with its numbers and its letter, a title or another setting, one character.
_SENT = re.compile(r"\x1b\[([0-9;?>=<]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|(.)", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:[ -/]*|\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?)$")


class Terminal:
    """What the program shows, as far as words need it: no colours, no scrolling regions."""

    def __init__(self, end: int) -> None:
        self._end = end
        self._cells = [[" "] * _COLUMNS for _ in range(_ROWS)]
        self._row = self._column = 0
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._begun = ""

    @property
    def screen(self) -> str:
        """The lines that hold something."""
        return "\n".join(line for row in self._cells if (line := "".join(row).rstrip()))

    def shows(self, words: str) -> bool:
        """Whether these words stand there, however they are wrapped and framed."""
        return _squeezed(words) in _squeezed(self.screen)

    def until(self, words: str) -> str:
        """The screen as soon as these words stand on it."""
        deadline = monotonic() + _SECONDS
        while not self.shows(words):
            assert monotonic() < deadline, f"“{words}” never came:\n{self.screen}"
            self._read(0.1)
        return self.screen

    def type(self, words: str) -> None:
        """Types words, and waits until they stand there."""
        os.write(self._end, words.encode())
        self.until(words)

    def press(self, key: str) -> None:
        """Presses one key."""
        os.write(self._end, b"\r" if key == "enter" else key.encode())

    def answer(self, key: str, until: str) -> str:
        """Answers a dialog, again if it did not listen: one that has just come takes no key. The screen afterwards."""
        deadline = monotonic() + _SECONDS
        while not self.shows(until):
            assert monotonic() < deadline, f"“{until}” never came:\n{self.screen}"
            self.press(key)
            again = monotonic() + 1
            while not self.shows(until) and monotonic() < again:
                self._read(0.1)
        return self.screen

    def _read(self, seconds: float) -> None:
        ready, _, _ = select.select([self._end], [], [], seconds)
        if ready:
            self._draw(os.read(self._end, 65536))

    def _draw(self, sent: bytes) -> None:
        text = self._begun + self._decode(sent)
        begun = _BEGUN.search(text)
        self._begun = begun[0] if begun else ""
        for found in _SENT.finditer(text.removesuffix(self._begun)):
            numbers, letter, character = found.groups()
            if letter:
                self._obey([int(one) if one.isdigit() else 0 for one in numbers.split(";")], letter)
            elif character:
                self._put(character)

    def _put(self, character: str) -> None:
        if character == "\n":
            self._down()
        elif character == "\r":
            self._column = 0
        elif character == "\b":
            self._column = max(self._column - 1, 0)
        elif character >= " ":
            if self._column == _COLUMNS:
                self._column = 0
                self._down()
            self._cells[self._row][self._column] = character
            self._column += 1

    def _down(self) -> None:
        if self._row == _ROWS - 1:
            self._cells = [*self._cells[1:], [" "] * _COLUMNS]
        else:
            self._row += 1

    def _obey(self, numbers: list[int], letter: str) -> None:
        n = max(numbers[0], 1)
        match letter:
            case "A":
                self._row -= n
            case "B":
                self._row += n
            case "C":
                self._column += n
            case "D":
                self._column -= n
            case "G":
                self._column = n - 1
            case "H":
                self._row, self._column = n - 1, max(numbers[-1], 1) - 1 if len(numbers) > 1 else 0
            case "K" if not numbers[0]:
                self._cells[self._row][self._column :] = [" "] * (_COLUMNS - self._column)
            case "J":
                self._clear(0 if numbers[0] else self._row)
            case "n" if numbers[0] == 6:
                os.write(self._end, f"\x1b[{self._row + 1};{self._column + 1}R".encode())
        self._row = min(max(self._row, 0), _ROWS - 1)
        self._column = min(max(self._column, 0), _COLUMNS)

    def _clear(self, first: int) -> None:
        for row in range(first, _ROWS):
            self._cells[row] = [" "] * _COLUMNS


@contextmanager
def in_front_of(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> Iterator[Terminal]:
    """A program with a person in front of it, ended with the block."""
    end, its = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    process = subprocess.Popen(
        at_a_terminal(command), cwd=folder, env={**environment, "TERM": "xterm-256color"}, stdin=its, stdout=its,
        stderr=its, start_new_session=True,
    )  # fmt: skip
    os.close(its)
    try:
        yield Terminal(end)
    finally:
        process.kill()
        process.wait()
        os.close(end)


def at_a_terminal(command: Sequence[str | Path]) -> list[str]:
    """The same command for a new session of processes: the terminal it reads from is the one it belongs to."""
    take = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
    return [sys.executable, "-I", "-S", "-c", take, *(str(part) for part in command)]


def _squeezed(words: str) -> str:
    return re.sub(r"[\s│]+", "", words)
