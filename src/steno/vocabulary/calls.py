"""The ledger of a model: what was asked when, and what it took."""

from typing import Literal

from msgspec import Struct

CallState = Literal["begun", "done", "failed"]


class Call(Struct, frozen=True, kw_only=True):
    """One call of a model."""

    id: int
    at: str
    # Why it was asked: `read`, …
    purpose: str
    model: str
    # `begun` and never ended: whoever asked is gone; it counts with all that was reserved for it.
    state: CallState
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    # In dollars. 0: local, or paid for otherwise.
    money: float
    # The host's id of the session it was about.
    session: str | None
    project: str | None
    agent: str | None
    # Why it failed, in words.
    problem: str | None


class ModelState(Struct, frozen=True, kw_only=True):
    """Whether a model may be asked now, and what is left of the day's budget."""

    # As the user wrote it. Empty: none.
    model: str
    fallback: str
    is_free: bool
    # Why none is asked now, in words for a person; empty: it may be.
    why_not: str
    # Of the last 24 hours, with all that is reserved.
    tokens_spent: int
    money_spent: float
    # None: no limit of this sort.
    tokens_left: int | None
    money_left: float | None
    # Until when nobody asks, because it failed again and again; and what it said last.
    down_until: str | None
    problem: str | None
