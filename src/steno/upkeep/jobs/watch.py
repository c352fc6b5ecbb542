"""Watch: whether files somebody wants to know of changed."""

from typing import Final

from steno.fleet.fleet import Fleet
from steno.home import Home
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    watches = Fleet(home).watches
    changes = watches.look(moment.run)
    return Report(changed=len(changes), lines=(*changes,) or (f"{len(watches.all())} watched, nothing changed",))


JOB: Final = Job(
    name="watch",
    explain="Looks at every file and folder that is watched (`steno watch`) and compares what stands there with"
    " the time before. A change raises a flag that stands until a person settles it. Reads files, and"
    " changes none; keeps no word of them, only a mark by which it knows them again.",
    run=_run,
    every="15 minutes",
)
