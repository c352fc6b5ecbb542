"""One check: a person's command, run without a shell. At its deadline it is gone, with all it started."""

import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from uuid import uuid4

from steno.client import INSIDE

SECONDS: Final = 10.0
# Of what it prints, so much of the end is kept.
_KEPT: Final = 2_000
_BLOCK: Final = 1 << 16
_STEP_SECONDS: Final = 0.05
# Everything a check starts has this in its environment: what left its session is found by it.
_MARK: Final = "STENO_CHECK"


class Checked(NamedTuple):
    """How a check went, and the end of what it printed or what was in the way."""

    passed: bool
    said: str


def run(command: str, *, folder: str | None, environment: Mapping[str, str], seconds: float = SECONDS) -> Checked:
    """Run a command line and wait so long at most. It passed if it ended with 0."""
    mark = uuid4().hex
    try:
        process = subprocess.Popen(  # noqa: S603
            shlex.split(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=folder, env={**environment, INSIDE: "1", _MARK: mark}, start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as error:
        return Checked(False, f"cannot be run: {error}")
    with process:
        try:
            said, code = _waited(process, time.monotonic() + seconds)
        finally:
            _end(process.pid, mark)
            if process.stdout is not None:
                process.stdout.close()
    if code is None:
        return Checked(False, f"was not done in {seconds:g} seconds")
    return Checked(code == 0, "" if code == 0 else f"ended with {code}: {said}")


def _waited(process: "subprocess.Popen[bytes]", until: float) -> tuple[str, int | None]:
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
                kept = (kept + block)[-_KEPT:]
                if not block:
                    selector.unregister(pipe)
    return " ".join(kept.decode("utf-8", "replace").split())[-200:], code


def _end(pid: int, mark: str) -> None:
    """Kill its session, and what left that, where the system tells whose environment is whose."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    sign = f"{_MARK}={mark}".encode()
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        with suppress(OSError, ValueError), open(f"/proc/{int(name)}/environ", "rb") as file:
            if sign in file.read(1 << 20):
                os.kill(int(name), signal.SIGKILL)
