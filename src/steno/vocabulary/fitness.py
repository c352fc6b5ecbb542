"""How fit agents are: what is measured, what it came to, and what a coordinator makes of it in the morning."""

from typing import Literal

from msgspec import Struct

# Which way is better. Empty: neither; it is shown and is no part of the score.
Better = Literal["more", "less", ""]


class Dimension(Struct, frozen=True, kw_only=True):
    """One number that is measured of every agent."""

    name: str
    # What it is, in words; and the named query or the part of the program it comes from.
    about: str
    source: str
    better: Better = ""
    # The value that is worth half; None: it is a share, worth what it is.
    half: float | None = None
    # The command to look at, or mend, what it stands for.
    mend: str = ""
    # It is the same for every agent: of the home or the machine.
    shared: bool = False

    def worth(self, value: float | None) -> float | None:
        """What a value is worth, from 0 to 1. None: it is not known, or no part of the score."""
        if value is None or not self.better:
            return None
        value = max(value, 0.0)
        up = min(value, 1.0) if self.half is None else value / (value + self.half)
        return up if self.better == "more" else 1.0 - up


class Fitness(Struct, frozen=True, kw_only=True):
    """What was measured of an agent at one time."""

    agent: str
    at: str
    # From 0 to 100; None: nothing was known that counts.
    score: float | None
    # By the name of the dimension; what was not known is not there.
    values: dict[str, float]


class AgentDay(Struct, frozen=True, kw_only=True):
    """One agent on the morning page."""

    name: str
    score: float | None
    # What it was the day before; None: not known.
    score_before: float | None
    did: tuple[str, ...]
    failed: tuple[str, ...]


class Proposal(Struct, frozen=True, kw_only=True):
    """Something that would make things better."""

    # How much is lost as it is, from 0 to 1: what stands first is worst.
    weight: float
    # The agent it concerns; None: all of them.
    agent: str | None
    what: str
    # What was measured or seen.
    evidence: str
    command: str


class Morning(Struct, frozen=True, kw_only=True):
    """One page for whoever coordinates."""

    day: str
    since: str
    agents: tuple[AgentDay, ...]
    proposals: tuple[Proposal, ...]
