"""The daemon as a process of its own, spoken to over its real socket."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from steno.cli.tree import program
from steno.client import SOCKET
from steno.testing import write_jsonl

from ..conftest import PATIENCE, wait_until

SOURCE = Path(__file__).parents[2] / "src"
_numbers = count(1)
# The daemon, with its clock in a file.
_BY_A_CLOCK = """
import os, pathlib, runpy
import steno.clock

class Set(steno.clock.datetime):
    @classmethod
    def now(cls, zone=None):
        return cls.fromisoformat(pathlib.Path(os.environ["CLOCK"]).read_text())

steno.clock.datetime = Set
runpy.run_module("steno.daemon", run_name="__main__")
"""


def request(path: Path | str, raw: bytes, *, used: bool = False) -> bytes:
    """Send bytes as they are; everything that comes back. `used`: the daemon is told that the answer was."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        with suppress(BrokenPipeError):  # refused before it was heard
            connection.sendall(raw)
        received = b""
        try:
            while piece := connection.recv(1 << 16):
                received += piece
                head, _, body = received.partition(b"\n")
                if used and head == b"ok %d" % len(body):
                    with suppress(BrokenPipeError):  # there was nothing to be told
                        connection.sendall(b"+")
        except ConnectionResetError:
            pass
        return received


def words(verb: str, payload: bytes = b"", host: str = "claude-code", event: str = "-") -> bytes:
    """A request of the wire."""
    return f"steno 1 {verb} {host} {event} {len(payload)}\n".encode() + payload


class Daemon:
    """A daemon on a home of its own, on a machine where nobody has worked yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "steno"
        self.environment = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(SOURCE),
            "STENO_HOME": str(self.home),
            "STENO_EMBEDDING": "off",
            "TMPDIR": str(folder),
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **settings: str) -> "Daemon":
        """Start it and wait until it answers."""
        environment = self.environment | {f"STENO_{name.upper()}": text for name, text in settings.items()}
        command = [sys.executable, "-P", *(("-c", _BY_A_CLOCK) if "CLOCK" in environment else ("-m", "steno.daemon"))]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_until(lambda: self.process.poll() is not None or self.ping() is not None)
        return self

    def set_clock(self, now: str) -> None:
        """From now on it is another time for the daemon, which must not run yet when this is done first."""
        clock = self.folder / "clock"
        self.environment["CLOCK"] = str(clock)
        clock.with_suffix(".new").write_text(now)
        clock.with_suffix(".new").replace(clock)

    def ping(self) -> dict[str, Any] | None:
        """How it is; None: nobody answers."""
        try:
            answer = request(self.home / SOCKET, words("ping"))
        except OSError:
            return None
        head, _, body = answer.partition(b"\n")
        return json.loads(body) if head.startswith(b"ok ") else None

    def hook(self, event: str, **given: Any) -> bytes:
        """What a hook of Claude Code is answered."""
        payload = json.dumps({"session_id": "s", "cwd": "/shop", "hook_event_name": event, **given}).encode()
        raw = words("hook", payload, event=event)
        head, _, body = request(self.home / SOCKET, raw, used=True).partition(b"\n")
        assert head == b"ok %d" % len(body)
        return body

    def answer(self) -> None:
        """Wait until hooks are answered: that it can be asked is no sign of it."""
        wait_until(lambda: self.hook("StatusLine"))

    def says(self, *problems: str) -> bool:
        """Whether its problems are these, by their beginnings."""
        found = (self.ping() or {"problems": ["does not answer"]})["problems"]
        return len(found) == len(problems) and all(map(str.startswith, found, problems))

    def end(self, how: int = signal.SIGTERM) -> int:
        """End it; its exit code."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def write(self, text: str, *, session: str = "talk", project: str = "/shop") -> Path:
        """A person says something to Claude Code."""
        number = next(_numbers)
        return write_jsonl(
            self.folder / ".claude" / "projects" / "p" / f"{session}.jsonl",
            {
                "type": "user",
                "uuid": f"u{number}",
                "parentUuid": None,
                "isSidechain": False,
                "sessionId": session,
                "cwd": project,
                "version": "2.1.325",
                "timestamp": f"2026-03-02T09:00:{number % 60:02d}.000Z",
                "message": {"role": "user", "content": text},
            },
        )

    def steno(self, *args: str, code: int = 0) -> str:
        """What the command line says about the same home, in a folder that belongs to no project."""
        with chdir(self.folder):
            done = CliRunner().invoke(program, args, env=self.environment)
        assert done.exit_code == code, done.stderr
        return done.stdout


@pytest.fixture
def daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daemon]:
    """A daemon, not started yet; whatever happens, it does not outlive the test. Whoever asks stands in no project."""
    monkeypatch.chdir(tmp_path)
    one = Daemon(tmp_path)
    yield one
    if one.process is not None:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate(timeout=PATIENCE)
