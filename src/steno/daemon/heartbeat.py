"""The daemon's heartbeat: a line in the home; and what the watchdog has to say."""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from steno.clock import utc_now
from steno.daemon.health import Health
from steno.daemon.lock import started_at
from steno.files import write_whole
from steno.fleet.watchdog import FLAG, HEARTBEAT, OWN_BEAT

BEAT_SECONDS: Final = 30.0
# The watchdog looks every two minutes; so much later it does not look any more.
_LATE_SECONDS: Final = 300.0


def keep_beating(
    home: Path, stop: threading.Event, health: Health, seconds: float | None = None, rest: Callable[[], object] = int
) -> None:
    """Beat until told to stop, and `rest` at each beat; who stops takes the heartbeat along, who dies leaves it."""
    try:
        while True:
            try:
                _beat(home)
                health.well("heartbeat")
            except OSError as error:
                health.trouble("heartbeat", error)
            rest()
            if stop.wait(seconds or BEAT_SECONDS):
                return
    finally:
        with suppress(OSError):
            os.remove(home / HEARTBEAT)


def _beat(home: Path) -> None:
    """The time, the same on the clock all processes share, and which process this is; whole or not at all."""
    pid = os.getpid()
    with write_whole(home / HEARTBEAT) as file:
        file.write(f"{utc_now()} {time.monotonic():.3f} {pid} {started_at(pid)}\n".encode())


def alarms(home: Path) -> list[str]:
    """What the watchdog warns of; and if it was there and looks no more, that."""
    found = []
    with suppress(OSError):
        found.append(f"watchdog: {(home / FLAG).read_text('utf-8', 'replace').strip()}")
    with suppress(OSError, ValueError, IndexError):
        at, looked, *_ = (home / OWN_BEAT).read_text("utf-8", "replace").split()
        if not 0 <= time.monotonic() - float(looked) <= _LATE_SECONDS:
            found.append(f"watchdog: has not looked since {at}")
    return found
