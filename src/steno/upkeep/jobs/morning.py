"""The morning audit, written down where whoever coordinates finds it."""

from typing import Final

from steno.fleet.fleet import Fleet
from steno.fleet.morning import lines
from steno.home import Home
from steno.pipeline.notebook import MORNING, Notebook
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    page = Fleet(home).morning()
    if not moment.dry:
        Notebook(home.notebook).put(MORNING, "\n".join(lines(page)) + "\n")
    told = f"{len(page.agents)} agents, {len(page.proposals)} proposals (`steno agents morning`)"
    return Report(changed=1, lines=(told,))


JOB: Final = Job(
    name="morning",
    explain="Writes `morning.md` at the end of the night: each agent, what it did since the day before, what"
    " failed, and what would help most, each with what was measured and the command that would do it."
    " Reads the store; does nothing of what it proposes.",
    run=_run,
)
