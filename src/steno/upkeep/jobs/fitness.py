"""Fitness: every number that is measured of every agent, kept for its history."""

from typing import Final

from steno.fleet.fleet import Fleet
from steno.home import Home
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    fitness = Fleet(home).fitness
    measured = fitness.measure() if moment.dry else fitness.keep()
    scores = [f"{one.agent}: {'not known' if one.score is None else f'{one.score:.0f}'}" for one in measured]
    return Report(changed=len(measured), lines=tuple(scores[:20]))


JOB: Final = Job(
    name="fitness",
    explain="Measures every agent that was heard of in the last month (`steno agents fitness`, `docs/fitness.md`) and"
    " keeps the numbers: all of two days, one a day of 90. Reads the store, and writes nothing but that.",
    run=_run,
    every="30 minutes",
)
