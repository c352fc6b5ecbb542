"""Work behind the user's back: one thread that does a bit at a time and can be stopped between any two bits."""

import threading
from collections.abc import Callable
from typing import Final

# A moment of quiet first: more may come, and who only opens, writes and closes need not wait for us.
_QUIET: Final = 0.3


class Behind:
    """Runs `work` until it says that nothing is left; a nudge wakes it again. `close` waits for the bit at hand."""

    def __init__(self, work: Callable[[Callable[[], bool]], None]) -> None:
        self._work = work
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def nudge(self) -> None:
        """There is something to do."""
        self._wake.set()
        with self._starting:
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._run, name="steno-behind", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop, after the bit at hand."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        # Asked anew each time: who closes us between the moment of quiet and `clear` sets a wake that is cleared there.
        while not self._stop.is_set():
            self._wake.wait()
            if self._stop.wait(_QUIET):
                return
            self._wake.clear()
            self._work(self._stop.is_set)
