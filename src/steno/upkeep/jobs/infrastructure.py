"""The machine agents work on: disks, services, jobs."""

from typing import Final

from steno.fleet.fleet import Fleet
from steno.fleet.looking import keep, told
from steno.home import Home
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    fleet = Fleet(home)
    found = fleet.infrastructure.look()
    changed = keep(fleet, "infrastructure", found, moment.run) if moment.run else 0
    return Report(changed=changed, lines=told(found))


JOB: Final = Job(
    name="infrastructure",
    explain="Asks df, systemctl --user or launchctl, each with a deadline and without a shell: is there room on"
    " the disks, did a service or a job fail. Raises a flag for what went wrong, and settles it when it is well"
    " again. Changes nothing else; what cannot be asked here is told as not known.",
    run=_run,
    every="10 minutes",
)
