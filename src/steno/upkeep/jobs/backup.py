"""A verified copy: of what tonight may lay aside every night, of the whole store now and then."""

from typing import Final

from steno.home import Home
from steno.pipeline.backups import Backups
from steno.upkeep.job import Job, Moment, Report
from steno.upkeep.picking import pick

# How old the last whole copy may be, and how many of them are kept.
_DAYS: Final = 7
_KEPT: Final = 2


def _run(home: Home, moment: Moment) -> Report:
    backups = Backups(home)
    picked = [id_ for id_, _ in pick(home, moment).found]
    whole = backups.is_due(moment.day, _DAYS)
    lines = [f"{len(picked):,} entries that prune may lay aside"]
    if not moment.dry:
        backups.put_before(moment.day, home.store.entries.some(picked))
    if whole:
        lines.append("the whole store")
        if not moment.dry and not moment.stop():
            path = backups.copy_whole(moment.day, _KEPT)
            lines[-1] = f"the whole store: {path} ({path.stat().st_size:,} bytes)"
    return Report(changed=1 + whole, lines=tuple(lines))


JOB: Final = Job(
    name="backup",
    explain="Reads what prune would lay aside tonight and writes every such entry whole into `backups/` of the home,"
    " reads it again and compares. Where the last copy of the whole store is older than seven days, copies"
    " that as well, through SQLite, proves the copy, and keeps the last two. To go back, stop the"
    " daemon and put a copy in the place of `steno.db`. When something is forgotten or redacted, all copies go:"
    " they may hold it.",
    run=_run,
)
