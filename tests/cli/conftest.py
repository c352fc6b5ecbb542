"""The command line through its real door: a home of its own, transcripts written by the test, the program run."""

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from steno.cli import program as steno_program

from ..conftest import Begin

SOURCE = Path(__file__).parents[2] / "src"
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nobody has worked yet: the folder is HOME, the store is below it."""
    for name in [name for name in os.environ if name.startswith("STENO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("STENO_HOME", str(tmp_path / "steno"))
    monkeypatch.setenv("STENO_EMBEDDING", "off")  # loading the model takes longer than most tests; see `with_meaning`
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return tmp_path


@pytest.fixture
def with_meaning(home: Path, made_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real model instead of none."""
    shutil.copytree(made_model, home / "steno" / "derived" / "models")
    monkeypatch.delenv("STENO_EMBEDDING")


@pytest.fixture
def transcript(home: Path) -> Callable[..., Path]:
    """Writes a generic transcript: a line per turn."""

    def write(*turns: dict[str, Any], name: str = "transcript.jsonl") -> Path:
        path = home / name
        path.write_text("".join(json.dumps(turn) + "\n" for turn in turns), "utf-8")
        return path

    return write


@pytest.fixture
def steno() -> Callable[..., Result]:
    """The command line, called in this process."""

    def call(*args: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(steno_program, [str(arg) for arg in args], input=stdin)

    return call


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line as a process of its own."""

    def call(*args: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "steno", *map(str, args)]
        return subprocess.run(command, capture_output=True, encoding="utf-8", env=os.environ | more)

    return call


@pytest.fixture
def terminal(begin: Begin) -> Callable[..., tuple[int, str]]:
    """The command line on a terminal, 80 columns wide unless told: its exit code and everything it drew."""

    def call(*args: str | Path, typed: str = "", columns: int = 80) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        command = [sys.executable, "-m", "steno", *map(str, args)]
        running = begin(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
        os.close(theirs)
        os.write(ours, typed.encode())
        drawn = _read_all(ours)
        return running.wait(), drawn.decode().replace("\r\n", "\n")

    return call


def _read_all(terminal: int) -> bytes:
    drawn = b""
    try:
        while piece := os.read(terminal, 65536):
            drawn += piece
    except OSError:  # the other side is closed
        pass
    os.close(terminal)
    return drawn


@pytest.fixture
def without_colours() -> Callable[[str], str]:
    """What is left of a drawing without its escape sequences."""
    return lambda drawn: SEQUENCE.sub("", drawn)


@pytest.fixture
def talk(transcript: Callable[..., Path], steno: Callable[..., Result]) -> Path:
    """A short talk, captured: the journal that most tests look at."""
    path = transcript(
        {
            "session": "talk-1",
            "role": "user",
            "text": "Why SQLite?",
            "id": "a",
            "at": "2026-03-01T10:00:00Z",
            "agent": "main",
            "project": "shop",
        },
        {
            "session": "talk-1",
            "role": "assistant",
            "text": "No service to run.",
            "id": "b",
            "at": "2026-03-01T10:00:05Z",
        },
        {
            "session": "talk-1",
            "role": "tool",
            "text": "3 passed",
            "id": "c",
            "at": "2026-03-02T08:00:00Z",
            "tool": "Bash",
        },
        name="talk.jsonl",
    )
    assert steno("capture", path, "--source", "jsonl").exit_code == 0
    return path
