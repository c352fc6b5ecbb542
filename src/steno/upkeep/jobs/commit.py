"""Keeps the night's notebook in its git history, where the user wants one."""

from typing import Final

from steno.home import Home
from steno.pipeline.history import History
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    history = History(home)
    if not history.is_on():
        return Report(lines=("the notebook has no history (`steno notebook git on` begins one)",))
    if moment.dry:
        return Report(lines=("the notebook as it is then",))
    if (kept := history.commit()) is None:
        return Report(lines=("nothing changed since the last night",))
    left_out = (f"left out for a secret in them: {', '.join(kept.left_out)}",) if kept.left_out else ()
    return Report(changed=kept.pages, lines=(f"{kept.pages:,} pages", *left_out), flags=left_out)


JOB: Final = Job(
    name="commit",
    explain="Reads the pages of the notebook and commits what changed to its own git history, where `steno notebook git"
    " on` began one: no settings, no transcripts, nothing hidden, no page in which a secret stands. Nothing is"
    " pushed.",
    run=_run,
)
