"""The user's model reads along, in a thread and with a memory of its own: nobody ever waits for it."""

import threading
import time
from typing import Final

from steno.daemon.health import Health
from steno.memory import Memory

# How often somebody looks whether a portion is due, and how long nobody does after one came to nothing.
_ROUND_SECONDS: Final = 30.0
_REST_SECONDS: Final = 600.0
_IDLE_SECONDS: Final = 0.5


class ReadingAlong:
    """Behind the scribe. A session whose context is about to be compacted comes first."""

    def __init__(self, health: Health, stop: threading.Event) -> None:
        self._health = health
        self._stop = stop
        self._lock = threading.Lock()
        # Sessions that are about to lose their context.
        self._urgent: list[str] = []
        self._due = time.monotonic() + _ROUND_SECONDS

    def before_compact(self, session: str) -> None:
        """Read this session now, if a model may. Does not wait."""
        with self._lock:
            if session not in self._urgent:
                self._urgent.append(session)

    def read(self, memory: Memory) -> None:
        """Read what is due, until everybody is to stop."""
        while not self._stop.wait(_IDLE_SECONDS):
            session = self._next()
            if session is not None:
                self._once(memory, session)
            elif time.monotonic() >= self._due:
                self._once(memory, None)

    def _next(self) -> str | None:
        with self._lock:
            return self._urgent.pop(0) if self._urgent else None

    def _once(self, memory: Memory, session: str | None) -> None:
        done = memory.read_with_model(session, at_once=session is not None, stop=self._stop.is_set)
        self._health.well("model")
        if done.portions:
            self._health.note(f"a model read {done.portions} portions: {done.entries} new entries")
        self._due = time.monotonic() + (_REST_SECONDS if done.why_not else _ROUND_SECONDS)
