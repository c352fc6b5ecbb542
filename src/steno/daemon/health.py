"""How the daemon is: what it answers when pinged. Touches no store, so that it answers when the store does not."""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from steno import __version__
from steno.clock import Clock, utc_now
from steno.daemon.log import Say
from steno.vocabulary import Captured, Status, Vitals
from steno.vocabulary.errors import StenoError

# Capture looks at everything every `rescan_seconds`; so much later something is in its way.
_LATE_SECONDS: Final = 120.0


class Health:
    """Everybody in the daemon tells it how they fare; it can be asked from any thread."""

    def __init__(self, say: Say, *, clock: Clock = utc_now) -> None:
        self._say = say
        self._clock = clock
        self._lock = threading.Lock()
        self._began, self._began_at = time.monotonic(), clock()
        self._looked: float | None = None
        self._last_look: str | None = None
        self._last_capture: str | None = None
        self._sessions, self._lag = 0, 0.0
        self._troubles: dict[str, str] = {}
        self._hooks = {"answered": 0, "refused": 0, "spooled": 0, "elsewhere": 0}
        # Queues, by name: how much waits in each.
        self.queues: dict[str, Callable[[], int]] = {}

    def note(self, text: str) -> None:
        """A line for the log."""
        self._say(text)

    def trouble(self, who: str, error: BaseException) -> None:
        """Something does not work. Told once, until it changes or is over."""
        words = f"{who}: {error}" if isinstance(error, StenoError) else f"{who}: {type(error).__name__}: {error}"
        if isinstance(error, StenoError) and error.hint:
            words = f"{words} ({error.hint})"
        with self._lock:
            known = self._troubles.get(who) == words
            self._troubles[who] = words
        if not known:
            self._say(words)

    def well(self, who: str) -> None:
        """It works again."""
        with self._lock:
            over = self._troubles.pop(who, None)
        if over is not None:
            self._say(f"{who}: works again")

    def looked(self, captured: Captured) -> None:
        """Transcripts were looked at."""
        with self._lock:
            self._looked, self._last_look = time.monotonic(), self._clock()
            if captured.turns:
                self._last_capture = self._last_look

    def counted(self, status: Status) -> None:
        """The journal was counted."""
        lag = max((session.lag_s for session in status.sessions), default=0.0)
        with self._lock:
            self._sessions, self._lag = len(status.sessions), lag

    def hook(self, how: str, number: int = 1) -> None:
        """Hooks were `answered`, `refused`, found `spooled`, or named a transcript that lies `elsewhere`."""
        with self._lock:
            self._hooks[how] += number

    def is_capturing(self) -> bool:
        """Whether capture comes round as it should."""
        with self._lock:
            return "capture" not in self._troubles and self._late() <= _LATE_SECONDS

    def _late(self) -> float:
        return time.monotonic() - (self._looked or self._began)

    def vitals(self) -> Vitals:
        """Everything at once."""
        with self._lock:
            problems = list(self._troubles.values())
            late = self._late()
            if late > _LATE_SECONDS and "capture" not in self._troubles:
                problems.append(f"capture: has not come round for {late:.0f} seconds")
            return Vitals(
                pid=os.getpid(),
                version=__version__,
                started_at=self._began_at,
                uptime_s=round(time.monotonic() - self._began, 3),
                sessions=self._sessions,
                last_look_at=self._last_look,
                last_capture_at=self._last_capture,
                lag_s=self._lag,
                waiting={name: size() for name, size in self.queues.items()},
                hooks=dict(self._hooks),
                problems=problems,
                **_process(),
            )


def give_back() -> None:
    """Hand memory that was freed back to the system; by itself the C library keeps what a long history once needed.
    What is left is here to stay: to look through all of it for what nobody holds would take one answer in a hundred
    tens of milliseconds."""
    import ctypes
    import gc

    gc.unfreeze()
    gc.collect()
    gc.freeze()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _process() -> dict[str, Any]:
    """What the process itself costs, as far as the system tells."""
    anonymous = files = 0
    with suppress(OSError, ValueError), open("/proc/self/smaps_rollup", encoding="ascii") as rollup:
        anonymous = next((int(line.split()[1]) for line in rollup if line.startswith("Anonymous:")), 0)
    with suppress(OSError):
        files = len(os.listdir("/dev/fd")) - 1
    return {"anonymous_mb": round(anonymous / 1024, 1), "threads": threading.active_count(), "files": files}
