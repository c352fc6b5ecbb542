"""How full contexts are, where they were compacted, and on which level of fill we have acted."""

from collections.abc import Iterator
from typing import NamedTuple

from steno.store.database import Tables
from steno.store.journal import journal_turn
from steno.tokens import count
from steno.vocabulary import JournalTurn

_PORTION = 200


class Alive(NamedTuple):
    """A session that was heard of lately."""

    id: int
    source: str
    session: str
    # Size of its model's context, in tokens.
    window: int

    @property
    def name(self) -> str:
        """As every command takes it."""
        return f"{self.source}:{self.session}"


class Boundary(NamedTuple):
    """A turn at which a context was compacted."""

    turn: int
    at: str | None


class Fills(Tables):
    """The contexts of sessions."""

    def alive(self, since: str) -> list[Alive]:
        """Sessions heard of since a time whose context has a known size."""
        return [Alive(*row) for row in self._database.rows("alive_sessions", {"since": since})]

    def boundaries(self, session_id: int) -> list[Boundary]:
        """Where a session's context was compacted, the first one first."""
        return [Boundary(*row) for row in self._database.rows("boundaries", {"session_id": session_id})]

    def last_boundary(self, session_id: int) -> int:
        """The turn at which it was compacted last; never: 0."""
        return max((boundary.turn for boundary in self.boundaries(session_id)), default=0)

    def tokens(self, session_id: int) -> int | None:
        """Tokens in a session's context, at most its size: what the host told last, and what came after it.

        None: nobody knows how large the context is.
        """
        windows = self._database.rows("window_of_session", {"session_id": session_id})
        if not windows:
            return None
        window, boundary = windows[0][0], self.last_boundary(session_id)
        told = self._database.rows("last_told_fill", {"session_id": session_id, "boundary": boundary})
        turn, tokens = told[0] if told else (boundary, 0)
        for later in self.turns_after(session_id, turn):
            if tokens >= window:
                break
            # A text that fills the context by itself is not read to its end: eight characters a token are plenty.
            tokens += count(later.turn.text[: 8 * (window - tokens)])
        return int(min(tokens, window))

    def turns_after(self, session_id: int, turn: int) -> Iterator[JournalTurn]:
        """What came after a turn, in order."""
        for rows in self._portions("turns_of_session", _PORTION, after=turn, session_id=session_id):
            yield from map(journal_turn, rows)

    def level(self, session_id: int) -> tuple[int, int]:
        """The level last acted on, and the turn it was reached at; nothing yet: 0, 0."""
        rows = self._database.rows("get_fill", {"session_id": session_id})
        return (rows[0][0], rows[0][1]) if rows else (0, 0)

    def reached(self, session_id: int, level: int, turn: int) -> None:
        """A level was acted on."""
        self._change("put_fill", {"session_id": session_id, "level": level, "turn_id": turn})

    def loss_due(self, session_id: int, since: str) -> tuple[int, int] | None:
        """The boundary after which a loss is to be counted, and how many briefings there were; None: it is counted."""
        rows = self._database.rows("loss_due", {"session_id": session_id, "since": since})
        return (rows[0][0], rows[0][1]) if rows else None

    def put_loss(self, session_id: int, due: tuple[int, int], *, critical: int, missing: int) -> None:
        """What the last compaction of a session took."""
        values = {"session_id": session_id, "turn_id": due[0], "receipts": due[1]}
        self._change("put_loss", {**values, "critical": critical, "missing": missing})
