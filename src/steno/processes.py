"""Programs that are run and waited for: bounded in time and in output, and gone with all they started."""

import atexit
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

from steno.client import INSIDE

_BLOCK: Final = 1 << 16
_STEP_SECONDS: Final = 0.01
# Of what a program that failed printed last, so much is told.
_SHOWN: Final = 200
# Everything a program starts has this in its environment: what left its session is found by it.
_MARK: Final = "STENO_CHECK"
# The sessions of the programs that run now, with their marks.
_running: dict[int, str] = {}


class Ran(NamedTuple):
    """How a program went: the beginning of its output, and what went wrong; nothing: it ended with 0."""

    out: str
    problem: str
    # None: it was not even begun.
    code: int | None


def run(
    words: str | Sequence[str], seconds: float, most_bytes: int, *, environment: Mapping[str, str] = os.environ,
    folder: str | Path | None = None, given: IO[bytes] | int = subprocess.DEVNULL, stop: Callable[[], bool] = bool,
) -> Ran:  # fmt: skip
    """Run a program, or a command line that no shell reads, and wait until it ends, its time is over, or `stop`.

    What it prints is read to its end and kept up to a number of bytes; 0: nobody wants its output.
    """
    mark = os.urandom(16).hex()
    try:
        process = subprocess.Popen(  # noqa: S603
            shlex.split(words) if isinstance(words, str) else words,
            stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
            env={**environment, INSIDE: "1", _MARK: mark}, start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as error:
        return Ran("", f"cannot be run: {error}", None)
    _running[process.pid] = mark
    with process:
        try:
            return _heard(process, seconds, most_bytes, stop)
        finally:
            _end(process.pid)


def _heard(process: "subprocess.Popen[bytes]", seconds: float, most_bytes: int, stop: Callable[[], bool]) -> Ran:
    """Read what it prints until it ends: whom it left behind may hold its output open for ever."""
    until, code, out, last, size = time.monotonic() + seconds, None, bytearray(), b"", 0
    with selectors.DefaultSelector() as selector:
        for pipe in (process.stdout, process.stderr):
            selector.register(pipe, selectors.EVENT_READ)  # type: ignore[arg-type]
        while code is None and time.monotonic() < until and not stop():
            code = process.poll()
            # What it printed last is no more than a pipe holds: one block.
            for key, _ in selector.select(0 if code is not None else _STEP_SECONDS):
                block = os.read(key.fd, _BLOCK)
                last = (last + block)[-_BLOCK:]
                if key.fileobj is process.stdout:
                    out += block[: most_bytes - len(out)]
                    size += len(block)
                if not block:
                    selector.unregister(key.fileobj)
    problem = ""
    if code is None:
        problem = f"was not done in {seconds:g} seconds"
    elif code:
        problem = f"ended with {code}: {end_of(last.decode('utf-8', 'replace'))}".rstrip(": ")
    elif 0 < most_bytes < size:
        problem = f"printed more than {most_bytes:,} bytes"
    return Ran(out.decode("utf-8", "replace"), problem, -signal.SIGKILL if code is None else code)


def end_of(printed: str) -> str:
    """The end of what a program printed, on one line."""
    words = " ".join(printed.split())
    return words if len(words) <= _SHOWN else f"…{words[-_SHOWN:]}"


def _end(pid: int) -> None:
    """Kill its session, and what left that, where the system tells whose environment is whose."""
    if (mark := _running.pop(pid, None)) is None:
        return
    sign = f"{_MARK}={mark}".encode()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        with suppress(OSError, ValueError), open(f"/proc/{int(name)}/environ", "rb") as file:
            if sign in file.read(1 << 20):
                os.kill(int(name), signal.SIGKILL)


def end_all() -> None:
    """Nothing that runs outlives us, also where a thread is still waiting for it."""
    for pid in [*_running]:
        _end(pid)


atexit.register(end_all)
