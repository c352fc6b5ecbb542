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
    # As the user wrote it.
    model: str
    # `begun` and never ended: whoever asked is gone.
    state: CallState
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    # What counts against the day: tokens in and out, or all that was reserved where nobody knows.
    tokens: int
    # In dollars. 0: local, or paid for otherwise.
    money: float
    # The session it was about, and whose that is.
    session: str | None
    project: str | None
    agent: str | None
    # Why it failed, in words.
    problem: str | None


class Total(Struct, frozen=True):
    """What the calls of one day, purpose and agent took."""

    day: str
    purpose: str
    agent: str | None
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    # What counted against the budget.
    tokens: int
    money: float


class Given(Struct, frozen=True):
    """What agents were given by briefings on one day."""

    day: str
    briefings: int
    tokens: int


class ModelState(Struct, frozen=True, kw_only=True):
    """Whether a model may be asked now, and what is left of the day's budget."""

    # As the user wrote it. Empty: none.
    model: str
    fallback: str
    # Its tokens cost no money.
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


class Spent(Struct, frozen=True, kw_only=True):
    """What a model took: `steno model spend`."""

    state: ModelState
    # The latest first; days of the last month.
    calls: list[Call]
    totals: list[Total]
    # Beside it: what agents were given.
    given: list[Given]
