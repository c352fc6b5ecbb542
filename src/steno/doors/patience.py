"""A connection that asks for nothing is let go: so that nobody who dribbles, or only knocks, can keep the owner out.

The web server limits how many connections there are, and counts those that never send a whole request. The token is
checked when the head of a request is there; until then everybody is a stranger, and strangers may wait only so long and
only so many at a time. When one too many comes, the one who has waited longest leaves.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

# A head on the same machine comes at once. So long a connection may lie still between two requests, too.
HEAD_SECONDS: Final = 2.0
# Half of the connections that are served at once: the other half is for who has the token.
MOST_WAITING: Final = 32


class Impatient(H11Protocol):
    """The web server's own protocol, with an end to waiting."""

    _until: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes in."""
        super().connection_made(transport)
        self._wait()
        waiting = [one for one in self.connections if isinstance(one, Impatient) and one._until is not None]
        if len(waiting) > MOST_WAITING:
            min(waiting, key=lambda one: one._until.when() if one._until else 0.0)._leave()

    def data_received(self, data: bytes) -> None:
        """Drops do not make the wait longer; only a whole head ends it."""
        super().data_received(data)
        if self._is_answering():
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """The next request has its own time. What is left of the last one's body does not count as one."""
        super().on_response_complete()
        if not self._is_answering():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._wait_no_more()
        self._until = self.loop.call_later(HEAD_SECONDS, self._leave)

    def _wait_no_more(self) -> None:
        if self._until is not None:
            self._until.cancel()
            self._until = None

    def _leave(self) -> None:
        self._wait_no_more()
        self.transport.abort()
