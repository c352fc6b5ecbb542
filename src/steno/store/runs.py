"""What upkeep did: when each job ran, and what came of it."""

import json
from datetime import timedelta
from typing import Final

from steno.clock import before
from steno.store.database import Row, Tables, value_of
from steno.vocabulary.errors import UnknownRun
from steno.vocabulary.upkeep import Report, Run, RunState

# A clock that is corrected by less was not set back.
_CORRECTED: Final = timedelta(hours=1)
# Runs of one job that are kept: a week of what runs every ten minutes.
_KEPT: Final = 1_000


class Runs(Tables):
    """Every time a job was due."""

    def begin(self, job: str, *, day: str, due: str, now: str) -> int:
        """A job begins; the number of its run."""
        values = {"job": job, "day": day, "due": due, "began": now}
        return int(self._change("begin_run", values)[0][0])

    def end(self, run: int, state: RunState, report: Report, *, now: str, error: str = "") -> Run:
        """It is over; the run as it is kept."""
        values = {"id": run, "ended": now, "state": state, "changed": report.changed, "error": error}
        values |= {"lines": json.dumps(report.lines), "flags": json.dumps(report.flags)}
        with self._database.write():
            self._database.rows("end_run", values)
            self._database.rows("drop_old_runs", {"id": run, "kept": _KEPT})
        return self.one(run)

    def is_tidy(self, now: str) -> bool:
        """Whether nobody is at it, nobody was cut off, and the clock was not set back behind a run."""
        return not self._database.rows("untidy_runs", {"later": before(now, -_CORRECTED)})

    def tidy(self, now: str) -> None:
        """Before anybody begins: nobody else is at it, so what is under way was cut off; and what the clock was set
        back behind does not stand for the time it names."""
        if not self.is_tidy(now):
            with self._database.write():
                self._database.rows("cut_off_runs", {"at": now, "error": "it was cut off in the middle"})
                self._database.rows("forget_future_runs", {"later": before(now, -_CORRECTED)})

    def all(self, *, job: str | None = None, most: int = 100) -> list[Run]:
        """Runs, the latest first."""
        return list(map(_run, self._database.rows("runs", {"job": job, "most": most})))

    def of_night(self, day: str) -> list[Run]:
        """Runs of the night that closed a day, in order."""
        return list(map(_run, self._database.rows("runs_of_day", {"day": day})))

    def one(self, run: int) -> Run:
        rows = self._database.rows("run", {"id": run})
        if not rows:
            raise UnknownRun(f"no run has the number {run}", hint="`steno upkeep` lists them")
        return _run(rows[0])

    def last(self) -> dict[str, Run]:
        return {run.job: run for run in map(_run, self._database.rows("last_runs"))}

    def last_good(self, job: str) -> Run | None:
        """The last time a job went well."""
        rows = self._database.rows("last_good_run", {"job": job})
        return _run(rows[0]) if rows else None

    def keep_from(self, now: str) -> None:
        """This home is looked after from now on, if it was not before: older nights are nobody's to keep."""
        if self.kept_since() is None:
            self._change("keep_meta", {"name": "upkeep_since", "value": now})

    def kept_since(self) -> str | None:
        """Since when this home is looked after. None: it never was."""
        return self._first(str, "get_meta", {"name": "upkeep_since"})

    def last_good_at(self) -> str | None:
        """When any job went well last."""
        return self._first(str, "last_good_at")

    def undone(self, run: int) -> Run:
        """What it laid aside was brought back."""
        self._change("set_undone", {"id": run})
        return self.one(run)


def _run(row: Row) -> Run:
    *facts, changed, lines, flags, error, undo = row
    report = Report(changed=changed, lines=tuple(json.loads(lines)), flags=tuple(json.loads(flags)))
    return value_of(Run, (*facts, report, error, undo))
