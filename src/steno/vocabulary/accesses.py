"""How much an entry is used, and what it has to do with others."""

import math
from typing import Final, Literal

from msgspec import Struct

# How an entry stands to another.
LinkKind = Literal[
    "recalled together",  # both were found for one question
    "same subject",  # they are about the same
    "contradicts",  # they cannot both hold
    "supersedes",  # it took the place of the other
    "superseded by",
    "cites",  # it tells what the other says
    "cited by",
]


class Access(Struct, frozen=True, kw_only=True):
    """How often an entry was looked at, and what came of it."""

    # Found for a question; told unasked; turned up in what an agent did after it was told.
    recalled: int = 0
    given: int = 0
    used: int = 0
    # Of the times it was used, how often that failed or a person set it right.
    badly: int = 0
    # What telling it cost.
    tokens: int = 0
    # When it was recalled or given last; when it was recalled or used last.
    last_at: str | None = None
    used_at: str | None = None

    @property
    def count(self) -> int:
        """How often somebody had it before them."""
        return self.recalled + self.given


NEVER: Final = Access()


class Link(Struct, frozen=True, kw_only=True):
    """A relation of an entry to another."""

    kind: LinkKind
    # The other one's id, what it is and what it says. Of an integration note: its id, and nothing else.
    id: str
    category: str | None
    summary: str | None
    weight: float


class Fading(Struct, frozen=True):
    """How what a session taught loses weight while nobody uses it: hardly at first, then quickly, then hardly."""

    # Half of it is gone after so many days; the larger the slope, the slower the fall. No days: it does not fade.
    half_days: float = 0.0
    slope_days: float = 1.0

    def weight(self, days: float) -> float:
        """What is left, from 1 to 0, after so many days without use."""
        if not self.half_days:
            return 1.0
        # Beyond this the number has no more places, one way or the other.
        past = max(-60.0, min(60.0, (days - self.half_days) / max(self.slope_days, 1e-6)))
        return 1 / (1 + math.exp(past))
