"""What somebody wants to be looked at: at once, with somebody waiting, or soon. Bounded; what does not fit is dropped,
because the file events and the rescan find it anyway."""

import threading
from collections import deque
from typing import Final

MOST: Final = 256


class Nudge:
    """A transcript (None: all of them) to look at, and the session the scribe is to read on in."""

    def __init__(self, path: str | None, session: str | None = None, *, urgent: bool = False) -> None:
        self.path = path
        self.session = session
        self.urgent = urgent
        self.done = threading.Event()


class Nudges:
    """Waiting nudges, the urgent ones first; the same transcript waits only once."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._urgent: deque[Nudge] = deque()
        self._soon: dict[str | None, Nudge] = {}
        self._closed = False

    def put(self, nudge: Nudge) -> bool:
        """Add one. False: it was dropped, there are too many."""
        with self._changed:
            if self._closed or len(self) >= MOST:
                return False
            if nudge.urgent:
                self._urgent.append(nudge)
            elif nudge.session is not None or nudge.path not in self._soon:
                self._soon[nudge.path] = nudge
            self._changed.notify()
            return True

    def take(self, seconds: float) -> Nudge | None:
        """The next one, for which we wait so long at most."""
        with self._changed:
            if not len(self) and not self._closed:
                self._changed.wait(seconds)
            if self._urgent:
                return self._urgent.popleft()
            return self._soon.pop(next(iter(self._soon))) if self._soon else None

    def pressing(self) -> bool:
        """Whether somebody waits for an urgent one, or everybody is to stop."""
        return bool(self._urgent) or self._closed

    def close(self) -> None:
        """Nobody waits any longer."""
        with self._changed:
            self._closed = True
            for nudge in (*self._urgent, *self._soon.values()):
                nudge.done.set()
            self._urgent.clear()
            self._soon.clear()
            self._changed.notify_all()

    def __len__(self) -> int:
        return len(self._urgent) + len(self._soon)
