"""Whether an agent may begin work by itself: three things, each shown, and what is missing. Pure."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from steno.clock import before
from steno.vocabulary.fleet import AgentFacts, Capability, Condition, Readiness

# What was captured longer ago than this is not current.
CURRENT: Final = timedelta(days=1)


def readiness(
    name: str, facts: AgentFacts, able: Sequence[Capability], *, captured_at: str | None, now: str
) -> Readiness:
    """The three things self-direction needs: a mission with work, capabilities that boot tells, and current data."""
    works = [one for one in able if one.passed is not False]
    return Readiness(agent=name, conditions=(_star(facts), _able(able, works), _current(captured_at, now)))


def _star(facts: AgentFacts) -> Condition:
    work = facts.star.work if facts.star else ()
    detail = (
        f"a mission, and what to begin by itself: {len(work)}" if work
        else "its north star names no work of its own (`--work`)" if facts.star
        else "it has no north star (`steno agents north-star`)"
    )  # fmt: skip
    return Condition(name="north star", holds=bool(work), detail=detail)


def _able(able: Sequence[Capability], works: Sequence[Capability]) -> Condition:
    detail = f"{len(works)} of {len(able)} work" if able else "boot knows nothing it can do (`steno capabilities scan`)"
    return Condition(name="capabilities at boot", holds=bool(works), detail=detail)


def _current(captured_at: str | None, now: str) -> Condition:
    holds = captured_at is not None and captured_at >= before(now, CURRENT)
    detail = (
        "nothing was captured where it works (`steno capture`)"
        if captured_at is None
        else f"last captured {captured_at}"
    )
    return Condition(name="current data", holds=holds, detail=detail)
