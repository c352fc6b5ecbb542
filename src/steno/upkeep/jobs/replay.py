"""Quiet-time replay: where nobody is at work, the day is gone over again before the night does it."""

from datetime import timedelta

from msgspec import structs

from steno.clock import before
from steno.home import Home
from steno.pipeline.identity import Identity
from steno.pipeline.notebook import BUFFER, Notebook
from steno.pipeline.rulebook import Rulebook
from steno.upkeep.job import Job, Moment, Report
from steno.upkeep.jobs.curate import JOB as CURATE


def _run(home: Home, moment: Moment) -> Report:
    """Today's log, observations, what is worth keeping, the working buffer: in this order."""
    quiet = timedelta(minutes=home.settings["quiet_minutes"])
    if home.store.lately.heard(before(moment.now, quiet), moment.now, most=1):
        return Report(lines=("somebody is at work",))
    today = structs.replace(moment, day=moment.now[:10], since="")
    if not moment.dry:
        Identity(home, Rulebook(home)).close_day(today.day)
    curated = CURATE.run(home, today)
    buffer = Notebook(home.notebook).look(BUFFER)
    lines = [f"observations: {home.store.accesses.observations():,} lines; what is too much goes in the night"]
    lines += curated.lines
    lines += ["the working buffer was gone over; the night empties it"] if buffer and buffer.text.strip() else []
    return Report(changed=curated.changed, lines=tuple(lines))


JOB = Job(
    name="replay",
    explain=(
        "In quiet time, when nobody was heard for `quiet_minutes`: writes today's page,"
        " counts the observations, keeps what is worth knowing for good as curate does, and goes over the working"
        " buffer. It deletes and trims nothing: that is for the night, after a backup."
    ),
    run=_run,
    every="hour",
)
