"""Bridges: whether what one agent writes reaches the one that reads it."""

from typing import Final

from steno.fleet.fleet import Fleet
from steno.fleet.looking import keep, told
from steno.home import Home
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    fleet = Fleet(home)
    found = fleet.bridges.check()
    changed = keep(fleet, "bridges", found, moment.run) if moment.run else 0
    return Report(changed=changed, lines=told(found))


JOB: Final = Job(
    name="bridges",
    explain="Looks at every bridge (`steno bridges`): is the link there, is what the producer wrote fresh, did it"
    " run before the consumer did. Raises a flag for what is not in order, caused by the bridge before it"
    " where that one is broken, and settles it when it is. Reads names and times of files; changes none.",
    run=_run,
    every="15 minutes",
)
