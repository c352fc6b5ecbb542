"""Where to look, in whole numbers, for filters that must be quick."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple


class Where(NamedTuple):
    """Which sessions, and from which minute up to which. None: all of them."""

    sessions: list[int] | None = None
    since: int | None = None
    until: int | None = None

    def holds(self, at: int) -> bool:
        """Whether a minute lies in its time."""
        return (self.since or 1) <= at and (self.until is None or at < self.until)


@lru_cache(4096)
def minutes(at: str | None) -> int:
    """A time as minutes since 1970; 0: not known, or no time at all."""
    if not at:
        return 0
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return 0
    return max(0, int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() // 60))
