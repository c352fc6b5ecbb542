"""Work behind the user's back: one thread that does a bit at a time and can be stopped between any two bits. It writes
down what was recalled, then makes vectors."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from steno.pipeline.derived import Derived
from steno.pipeline.uses import Uses
from steno.vocabulary.errors import StenoError

# A moment of quiet first: more may come, and who only opens, writes and closes need not wait for us.
_QUIET: Final = 0.3


class Behind:
    """Works until nothing is left; a nudge wakes it again. `close` waits for the bit at hand."""

    def __init__(self, uses: Uses, derived: Derived) -> None:
        self._uses, self._derived = uses, derived
        # Something came that has no vectors yet.
        self._unembedded = False
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def follow(self) -> None:
        """The journal has grown: index its words and make its vectors."""
        self._unembedded = True
        self.nudge()

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

    def _work(self, stop: Callable[[], bool]) -> None:
        # On an error the next nudge tries again; what is missing stands in `recallable` and in `status`.
        with suppress(StenoError):
            self._uses.write()
            if self._unembedded:
                self._unembedded = False
                self._derived.index(stop=stop)
                self._derived.embed(stop=stop)
