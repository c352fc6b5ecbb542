"""The daemon from outside: start it, ask it, stop it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from steno.client import INSIDE, LOCK, call
from steno.daemon.lock import AlreadyRuns, Holder, holder
from steno.daemon.log import last_lines, open_log
from steno.files import made
from steno.vocabulary import Vitals
from steno.vocabulary.errors import StenoError, StoreError, StoreLost

_START_SECONDS: Final = 20.0
# The daemon gives its threads eight.
_STOP_SECONDS: Final = 12.0
_PING_SECONDS: Final = 2.0
_STEP_SECONDS: Final = 0.02


class NotStarted(StenoError):
    """A daemon that ended right away, or does not answer."""


class NotStopped(StenoError):
    """A daemon that does not end."""


def ask(home: Path, seconds: float = _PING_SECONDS) -> Vitals | None:
    """How the daemon is. None: nobody answers."""
    try:
        return msgspec.json.decode(call(str(home), "ping", "cli", "ping", b"", seconds), type=Vitals)
    except (OSError, ValueError):
        return None


def start(home: Path) -> Vitals:
    """Start it in the background and wait until it answers."""
    if one := holder(home):
        raise AlreadyRuns(f"the daemon runs already, as process {one.pid}", hint="`steno status` asks it")
    check_store(home)
    child = _spawned(home)
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        vitals = ask(home, seconds=0.5)
        if vitals is not None:
            return vitals
        # If another one was quicker, it will answer in a moment.
        if child.poll() is not None and holder(home) is None:
            said = [line for line in last_lines(home, 2) if line.startswith(("steno: ", "  → "))]
            why = said[0].removeprefix("steno: ") if said else f"it left with code {child.returncode}"
            hint = said[1].removeprefix("  → ") if len(said) > 1 else "`steno daemon logs` says more"
            raise NotStarted(f"the daemon did not start: {why}", hint=hint)
        time.sleep(_STEP_SECONDS)
    raise NotStarted(f"process {child.pid} was started and does not answer yet", hint="`steno daemon logs` says more")


def check_store(home: Path) -> None:
    """StoreLost: only a person can bring the store back, so a daemon would wait in vain. Other troubles may pass."""
    from steno.store import open_store

    try:
        open_store(home, busy_seconds=0).close()
    except StoreLost:
        raise
    except StoreError:
        return


def stop(home: Path) -> int | None:
    """Stop it: by asking, else by a signal. The process that ended; None: there was none."""
    asked = holder(home)
    if asked is None:
        return None
    with suppress(OSError, ValueError):
        call(str(home), "stop", "cli", "stop", b"", _PING_SECONDS)
        if _wait(lambda: _is_gone(home, asked), _STOP_SECONDS):
            return asked.pid
    # The process that is named now, and only if it is the one that wrote its name there.
    one = holder(home)
    if one is None:
        return asked.pid
    if not one.is_alive():
        raise NotStopped(
            f"process {one.pid}, as {home / LOCK} has it, is not the daemon", hint="`lsof` says who holds that file"
        )
    with suppress(ProcessLookupError):
        os.kill(one.pid, signal.SIGTERM)
    if not _wait(lambda: _is_gone(home, one), _STOP_SECONDS):
        raise NotStopped(f"process {one.pid} does not end", hint=f"`kill -9 {one.pid}` is safe: nothing stored is lost")
    return one.pid


def _is_gone(home: Path, one: Holder) -> bool:
    """Whether a daemon has let go of its home and ended: what it writes last, it has written."""
    return holder(home) is None and not one.is_alive()


def command() -> list[str]:
    """The daemon's command line: no shell, and nothing from the directory it happens to be started in."""
    return [sys.executable, "-P", "-m", "steno.daemon"]


def environment(home: Path) -> Mapping[str, str]:
    """What the daemon's environment must say. Two arenas: each thread's own would keep what it once needed."""
    return {"STENO_HOME": os.path.abspath(home), INSIDE: "1", "MALLOC_ARENA_MAX": "2"}


def _spawned(home: Path) -> "subprocess.Popen[bytes]":
    with made(home):
        log = open_log(home)
    try:
        return subprocess.Popen(  # noqa: S603
            command(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={**os.environ, **environment(home)},
            start_new_session=True,
        )
    finally:
        os.close(log)


def _wait(is_so: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(_STEP_SECONDS)
    return True
