"""Empties the working buffer, last of all, and only where what stood in it was curated."""

from typing import Final

from steno.home import Home
from steno.pipeline.backups import Backups
from steno.pipeline.notebook import BUFFER, Notebook
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    notebook = Notebook(home.notebook)
    text = notebook.text(BUFFER)
    if not text:
        return Report(lines=("it is empty",))
    if not moment.dry:
        Backups(home).put_buffer(moment.day, text)
        # What was added since waits for the next night.
        if notebook.text(BUFFER) == text:
            notebook.put(BUFFER, "")
    return Report(changed=1, lines=(f"{len(text):,} characters",))


JOB: Final = Job(
    name="buffer",
    explain="Empties `working-buffer.md`, every night, last of all, and only where curate went well this night. What"
    " stood there is kept in `backups/` for 30 nights.",
    run=_run,
    after=("curate",),
)
