"""A flow's record: how it did, and what that says about it."""

from typing import Final

from steno.clock import seconds_between
from steno.vocabulary import Flow, Health

PROVEN: Final = 0.95
BROKEN: Final = 0.40
# Fewer runs say nothing: with four, one slip makes the difference between proven and not.
ENOUGH_RUNS: Final = 5
UNUSED_DAYS: Final = 30


def health(flow: Flow, now: str) -> Health:
    """What the record of the version in force says. Unused: nobody followed it in the month after it was made."""
    if flow.used_at is None and not flow.used:
        return "unused" if seconds_between(flow.created_at, now) >= UNUSED_DAYS * 86_400 else "working"
    if is_broken(flow):
        return "broken"
    enough = flow.used >= ENOUGH_RUNS and flow.effectiveness is not None
    return "proven" if enough and (flow.effectiveness or 0) >= PROVEN else "working"


def is_broken(flow: Flow) -> bool:
    """Whether it fails more often than it should be followed."""
    return flow.used >= ENOUGH_RUNS and flow.effectiveness is not None and flow.effectiveness <= BROKEN


def shown(flow: Flow) -> str:
    """The record for whoever is offered the flow: "94 % (32 of 34)"."""
    if flow.effectiveness is None:
        return "never used"
    # Rounded down: "100 %" is said of nothing that ever failed.
    record = f"{int(100 * flow.succeeded / flow.used)} % ({flow.succeeded} of {flow.used})"
    return f"{record}, broken" if is_broken(flow) else record
