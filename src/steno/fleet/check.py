"""One check: a person's command, run without a shell. At its deadline it is gone, with all it started."""

import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple
from uuid import uuid4

from steno.client import INSIDE

SECONDS: Final = 10.0
# Of what it prints, so much of the end is kept.
_KEPT: Final = 2_000
# Of an answer, so much of the beginning.
_READ: Final = 1 << 18
_BLOCK: Final = 1 << 16
_STEP_SECONDS: Final = 0.05
# Everything a check starts has this in its environment: what left its session is found by it.
_MARK: Final = "STENO_CHECK"


class Checked(NamedTuple):
    """How a check went, and the end of what it printed or what was in the way."""

    passed: bool
    said: str


class Asked(NamedTuple):
    """The beginning of what a program printed; and why that is no answer, where it is none."""

    said: str
    problem: str = ""


def run(command: str, *, folder: str | None, environment: Mapping[str, str], seconds: float = SECONDS) -> Checked:
    """Run a command line and wait so long at most. It passed if it ended with 0."""
    try:
        words = shlex.split(command)
        said, code = _ran(words, folder=folder, environment=environment, seconds=seconds, kept=slice(-_KEPT, None))
    except (OSError, ValueError, IndexError) as error:
        return Checked(False, f"cannot be run: {error}")
    if code is None:
        return Checked(False, f"was not done in {seconds:g} seconds")
    return Checked(code == 0, "" if code == 0 else f"ended with {code}: {_end_of(said)}")


def ask(command: Sequence[str], *, environment: Mapping[str, str], seconds: float = SECONDS) -> Asked:
    """Run a program of the system and read what it prints, so long and so much at most."""
    name = command[0]
    try:
        said, code = _ran(command, folder=None, environment=environment, seconds=seconds, kept=slice(_READ))
    except (OSError, ValueError) as error:
        return Asked("", f"{name} cannot be run: {error}")
    if code is None:
        return Asked(said, f"{name} was not done in {seconds:g} seconds")
    return Asked(said, "" if code == 0 else f"{name} ended with {code}: {_end_of(said)}")


def _ran(
    words: Sequence[str], *, folder: str | None, environment: Mapping[str, str], seconds: float, kept: slice
) -> tuple[str, int | None]:
    """What a program printed, as far as that is kept, and its exit status. None: it was not done in time."""
    mark = uuid4().hex
    process = subprocess.Popen(  # noqa: S603
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        cwd=folder, env={**environment, INSIDE: "1", _MARK: mark}, start_new_session=True,
    )  # fmt: skip
    with process:
        try:
            return _waited(process, time.monotonic() + seconds, kept)
        finally:
            _end(process.pid, mark)
            if process.stdout is not None:
                process.stdout.close()


def _waited(process: "subprocess.Popen[bytes]", until: float, keep: slice) -> tuple[str, int | None]:
    """Read and let go of what it prints until it ends; whom it left behind may hold its output open for ever."""
    kept, pipe = bytearray(), process.stdout
    assert pipe is not None  # noqa: S101
    code: int | None = None
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while code is None and time.monotonic() < until:
            code = process.poll()
            if not selector.get_map():
                time.sleep(_STEP_SECONDS)
            # What it printed last is no more than a pipe holds: one block.
            elif selector.select(0 if code is not None else _STEP_SECONDS):
                block = os.read(pipe.fileno(), _BLOCK)
                kept = (kept + block)[keep]
                if not block:
                    selector.unregister(pipe)
    return kept.decode("utf-8", "replace"), code


def _end_of(said: str) -> str:
    """The end of what was printed, on one line."""
    return " ".join(said.split())[-200:]


def _end(pid: int, mark: str) -> None:
    """Kill its session, and what left that, where the system tells whose environment is whose."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    sign = f"{_MARK}={mark}".encode()
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        with suppress(OSError, ValueError), open(f"/proc/{int(name)}/environ", "rb") as file:
            if sign in file.read(1 << 20):
                os.kill(int(name), signal.SIGKILL)
