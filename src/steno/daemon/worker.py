"""A thread with a memory of its own that works until it is told to stop, and starts over when something goes wrong."""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from steno.daemon.health import Health
from steno.memory import Memory
from steno.vocabulary.errors import StenoError

# After a failure: soon where the error says that it may pass, else when a person may have mended it.
_SOON_SECONDS: Final = 2.0
_LATER_SECONDS: Final = 30.0


OneMemory = TypeVar("OneMemory", bound=Memory)


class Worker:
    """Opens a memory, works with it, closes it. Its troubles are told under its name."""

    def __init__(
        self, name: str, open_memory: Callable[[], OneMemory], work: Callable[[OneMemory], None], *,
        health: Health, stop: threading.Event,
    ) -> None:  # fmt: skip
        self.name = name
        self._once = partial(_once, open_memory, work)
        self._health = health
        self._stop = stop
        self._thread = threading.Thread(target=self._run, name=f"steno-{name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def has_ended(self, until: float) -> bool:
        """Whether it is done, for which we wait until then (on the monotonic clock)."""
        self._thread.join(max(0.0, until - time.monotonic()))
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._once()
            except Exception as error:
                self._health.trouble(self.name, error)
                passing = isinstance(error, StenoError) and error.retry
                self._stop.wait(_SOON_SECONDS if passing else _LATER_SECONDS)


def _once(open_memory: Callable[[], OneMemory], work: Callable[[OneMemory], None]) -> None:
    memory = open_memory()
    with memory:
        work(memory)
