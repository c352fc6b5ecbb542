"""The ledger of a model: every call is written down before it is made, and settled afterwards."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from steno.store.database import Tables, value_of
from steno.vocabulary.calls import Call, Given, Total

# No wait grows any longer after more failures than these.
_MOST_FAILURES: Final = 20


class Sum(NamedTuple):
    """What some calls took together, with all that is reserved."""

    calls: int
    tokens: int
    money: float


class Failing(NamedTuple):
    """How often a model failed in a row, when last, and what it said."""

    times: int
    at: str
    problem: str | None


class Calls(Tables):
    """What was asked, and what it took."""

    def begin(self, check: Callable[[], None], **reserved: Any) -> int:
        """Write a call down before it is made; its number. `check` raises where it may not be: nobody else can spend
        between its look and our word."""
        with self._database.write():
            check()
            return int(self._database.rows("begin_call", reserved)[0][0])

    def settle(self, id_: int, **values: Any) -> None:
        """It is over: what it took, or why it failed."""
        nothing_known = {"tokens_in": None, "tokens_out": None, "tokens_cached": None, "money": None, "problem": None}
        self._change("settle_call", {**nothing_known, **values, "id": id_})

    def since(self, at: str) -> Sum:
        """What was spent since a time."""
        return Sum(*self._database.rows("spent", {"since": at})[0])

    def failing(self, model: str) -> Failing | None:
        """Whether a model's last calls failed."""
        rows = self._database.rows("last_calls", {"model": model, "most": _MOST_FAILURES})
        times = next((n for n, (state, *_) in enumerate(rows) if state == "done"), len(rows))
        return Failing(times, rows[0][1], rows[0][2]) if times else None

    def all(self, most: int) -> list[Call]:
        """The last calls, the latest first."""
        return [value_of(Call, row) for row in self._database.rows("calls", {"most": most})]

    def totals(self, since: str) -> list[Total]:
        """What calls took since a time, by day, purpose and agent."""
        return [Total(*row) for row in self._database.rows("call_totals", {"since": since})]

    def given(self, since: str) -> list[Given]:
        """What agents were given by briefings, by day."""
        return [Given(*row) for row in self._database.rows("given_by_day", {"since": since})]
