"""The command line through its real door: a home of its own, transcripts written by the test, the program run."""

import fcntl
import json
import os
import pty
import re
import shutil
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import pytest
from click.testing import CliRunner, Result

from steno.cli.tree import program as steno_program

from ..conftest import PATIENCE

SOURCE = Path(__file__).parents[2] / "src"
FORKS = Path(__file__).with_name("forks.py")
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nobody has worked yet: the folder is HOME, the store is below it; we stand in no project."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("STENO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("STENO_HOME", str(tmp_path / "steno"))
    monkeypatch.setenv("STENO_EMBEDDING", "off")  # loading the model takes longer than most tests; see `with_meaning`
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)  # it belongs to no project, so that all are looked at
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
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


class Forks:
    """A process that forks for each command line; see `forks.py`."""

    def __init__(self) -> None:
        self._ours, its = socket.socketpair()
        environment = os.environ | {"PYTHONPATH": str(SOURCE)}
        self._process = subprocess.Popen([sys.executable, FORKS], stdin=its.fileno(), env=environment)
        its.close()

    def begin(self, args: Sequence[str], streams: Sequence[int], cwd: Path, **more: str) -> Callable[[], int]:
        """Run `steno` on these streams; what waits for its exit code."""
        code, its = os.pipe()
        folder = os.open(cwd, os.O_RDONLY)
        asked = json.dumps({"arguments": list(args), "environment": {**os.environ, **more}}).encode()
        socket.send_fds(self._ours, [b"%16d" % len(asked)], [*streams, folder, its])
        self._ours.sendall(asked)
        for file in (folder, its):
            os.close(file)

        def wait() -> int:
            with os.fdopen(code, "rb") as told:
                return int(told.read())

        return wait

    def end(self) -> None:
        self._ours.close()
        self._process.wait(PATIENCE)


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """One for all tests; nothing of a test is left in it."""
    one = Forks()
    yield one
    one.end()


@pytest.fixture
def process(forks: Forks) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line in a process of its own, its output in a file."""

    def call(*args: str | Path, cwd: Path = Path(), **more: str) -> subprocess.CompletedProcess[str]:
        words = [str(arg) for arg in args]
        with TemporaryFile() as output, TemporaryFile() as errors, open(os.devnull, "rb") as nothing:
            code = forks.begin(words, (nothing.fileno(), output.fileno(), errors.fileno()), cwd, **more)()
            told = [_all_of(output), _all_of(errors)]
        return subprocess.CompletedProcess(words, code, *told)

    return call


@pytest.fixture
def new_process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """The program in an interpreter of its own, for what is about starting one, or about who answers."""

    def call(*args: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "steno", *map(str, args)]
        return subprocess.run(command, capture_output=True, encoding="utf-8", env=os.environ | more)

    return call


@pytest.fixture
def terminal(forks: Forks) -> Callable[..., tuple[int, str]]:
    """The command line on a terminal, 80 columns wide unless told: its exit code and everything it drew."""

    def call(*args: str | Path, typed: str = "", columns: int = 80) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        # Before it begins, so that the terminal's echo of it always stands before what is drawn.
        os.write(ours, typed.encode())
        wait = forks.begin([str(arg) for arg in args], (theirs, theirs, theirs), Path())
        os.close(theirs)
        drawn = _read_all(ours)
        return wait(), drawn.decode().replace("\r\n", "\n")

    return call


def _all_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


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
