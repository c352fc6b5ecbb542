"""What the door of the hooks is given: a warm memory, one answer at a time, and somebody to nudge."""

import threading
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Final

from steno.daemon.health import Health, give_back
from steno.daemon.watcher import Watcher
from steno.doors.hooks import Answer, answer
from steno.doors.hooks.desk import Said
from steno.memory import Memory
from steno.vocabulary.errors import StoreError

# No client waits longer for its turn.
_TURN_SECONDS: Final = 1.0


# How old may be what the gate knows.
_WARM_SECONDS: Final = 1.0


_UNLOGGED: Final = "StatusLine"


class NoStore(StoreError):
    """The store could not be opened yet."""

    retry = True


class FrontDesk:
    """Answers hooks. While an answer waits for the scribe, others have their turn."""

    def __init__(
        self, watcher: Watcher, health: Health, stop: threading.Event, *,
        before_compact: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self.said = Said()
        self.before_compact = before_compact
        self.later = watcher.later
        self._watcher = watcher
        self._health = health
        self._stop = stop
        self._turn = threading.Lock()
        self._memory: Memory | None = None
        self.is_open = threading.Event()

    @property
    def memory(self) -> Memory:
        """The memory that answers."""
        if self._memory is None:
            raise NoStore("the store is not open", hint="`steno status` says why")
        return self._memory

    def open(self, memory: Memory) -> None:
        """Answer with this memory, until everybody is to stop."""
        # What the first answer would have to import and compile. As of a time long past, so that it is given to nobody.
        memory.boot(project="", at="1970-01-01")
        memory.warm()
        give_back()
        self._memory = memory
        self.is_open.set()
        self._health.well("answers")
        try:
            while not self._stop.wait(_WARM_SECONDS):
                memory.warm()
        finally:
            with self._turn:
                self._memory = None

    def flush(self, path: str, session: str | None, seconds: float) -> None:
        """Capture this transcript and let the scribe read that session now; wait for it so long at most."""
        self._turn.release()
        try:
            self._watcher.flush(path, session, seconds)
        finally:
            self._turn.acquire()

    def hook(self, host: str, event: str, payload: bytes) -> tuple[bytes, Callable[[bool], None] | None]:
        """A hook's answer, and what to do when it is known whether the host has it. Without a store, or when it would
        come too late: nothing."""
        began = monotonic()

        def log(what: str) -> None:
            # The status line is asked for several times a second.
            if event != _UNLOGGED:
                self._health.note(f"hook {host[:40]} {event[:40]} {what}, {1000 * (monotonic() - began):.0f} ms")

        if self._memory is None or not self._turn.acquire(timeout=_TURN_SECONDS):
            self._health.hook("refused")
            log("not answered")
            return b"", None
        try:
            answered = answer(self, host, event, payload)
        finally:
            self._turn.release()
        self._health.hook("answered")
        if answered.handed is None:
            log(answered.what)
            return answered.text, None
        return answered.text, partial(self._used, answered, log)

    def _used(self, answered: Answer, log: Callable[[str], None], used: bool) -> None:
        """The host has the answer, or it came too late."""
        log(answered.what if used else f"{answered.what}, too late")
        with self._turn:
            if used and self._memory is not None and answered.handed is not None:
                answered.handed()
