"""A job: something small that is done by itself, with what it knows of its time and its limits."""

from collections.abc import Callable

from msgspec import Struct

from steno.home import Home
from steno.vocabulary.upkeep import Report

__all__ = ["Job", "Moment", "Report"]


class Moment(Struct, frozen=True):
    """What a job knows of its time and its limits."""

    # ISO, UTC, from the one clock.
    now: str
    # When this job's last good run began, empty the first time: a job reads what changed since.
    since: str
    # The local day the night closes (YYYY-MM-DD).
    day: str
    # Tell what would change; write nothing.
    dry: bool
    # Asked often; a job that is stopped leaves whole things.
    stop: Callable[[], bool]
    # The number of this run; 0 where none is written down.
    run: int = 0


class Job(Struct, frozen=True):
    """One file in `upkeep/jobs/`."""

    name: str
    # One paragraph: what it reads, what it writes, which settings it obeys.
    explain: str
    run: Callable[[Home, Moment], Report]
    # Jobs that must have gone well this night.
    after: tuple[str, ...] = ()
    # "night"; or also between nights: "10 minutes", "hour", "2 hours", "2 hours off-peak".
    every: str = "night"
    # After the job before it: so many, or as many as the setting of this name says.
    pause_minutes: int | str = 0
    # Audit: False.
    writes: bool = True
