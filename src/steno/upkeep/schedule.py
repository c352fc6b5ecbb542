"""When a job is due. Pure: from jobs, their runs, the time and what the user chose.

A night begins at `night_at`, by local time, and closes the day before it (or, from noon on, that day). Every job is
part of the night, in order; each waits for the one before it, and for its pause. What was missed is caught up once: of
nights only the last one counts. Jobs with an interval run between nights, too.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Final, NamedTuple

from steno.clock import as_text, before, is_within
from steno.settings import Settings
from steno.upkeep.job import Job
from steno.vocabulary.errors import BadSetting
from steno.vocabulary.upkeep import Run

# What failed or was cut off is tried so often in a night, and so much later.
_TRIES: Final = 3
_AGAIN: Final = timedelta(minutes=15)
_NOON: Final = time(12)
_EVERY: Final = re.compile(r"(?:(\d+) )?(minute|hour)s?( off-peak)?")


class Night(NamedTuple):
    """When it began, and which local day it closes."""

    at: str
    day: str


class Due(NamedTuple):
    """A job that is due, since when, in which night."""

    job: Job
    due: str
    day: str


class Plan:
    """The user's times."""

    def __init__(self, settings: Settings | Mapping[str, Any], zone: tzinfo | None = None) -> None:
        self._settings = settings
        self._zone = zone

    def night(self, now: str) -> Night:
        """The last night that has begun."""
        today = datetime.fromisoformat(now).astimezone(self._zone).date()
        begins = self._night_at()
        at, day = max((at, day) for day in (today, today - timedelta(days=1)) if (at := self._utc(day, begins)) <= now)
        return Night(at, str(day - timedelta(days=begins < _NOON)))

    def is_off_peak(self, now: str) -> bool:
        """Whether there is time for what takes longer."""
        hours = self._settings["off_peak_hours"]
        try:
            return bool(hours.strip()) and is_within(hours, now, self._zone)
        except ValueError as error:
            raise BadSetting(f"off_peak_hours is {error}", hint="write 22-6, or nothing") from error

    def pause(self, job: Job) -> timedelta:
        """How long it waits after the job before it."""
        wanted = job.pause_minutes
        return timedelta(minutes=self._settings[wanted] if isinstance(wanted, str) else wanted)

    def _night_at(self) -> time:
        text = self._settings["night_at"]
        try:
            return time.fromisoformat(text).replace(tzinfo=None)
        except ValueError as error:
            raise BadSetting(f"night_at is {text!r}, which is no time of day", hint="write 03:00") from error

    def _utc(self, day: date, begins: time) -> str:
        """A local time of a day. One that is left out that day is an hour later, of one that comes twice the first."""
        return as_text(datetime.combine(day, begins, tzinfo=self._zone).astimezone(UTC))


class Schedule:
    """What is due, of some jobs with their runs: those of this night, and the last of each job before it."""

    def __init__(self, jobs: Sequence[Job], runs: Sequence[Run], plan: Plan, now: str, since: str = "") -> None:
        self._jobs = jobs
        self._plan = plan
        self._now = now
        # Since when anybody looks after this home: older nights were nobody's.
        self._since = since
        # The oldest first.
        self._runs: dict[str, list[Run]] = {}
        for run in sorted(runs, key=lambda run: run.id):
            self._runs.setdefault(run.job, []).append(run)
        self.night = plan.night(now)

    def next(self) -> Due | None:
        """What is to be run now: the night in its order, then what has an interval."""
        waiting = self._of_night()
        due = [*([waiting] if waiting else []), *filter(None, map(self._between, self._jobs))]
        return next((one for one in due if one.due <= self._now), None)

    def when(self, job: Job) -> str:
        """When a job is due next, as far as can be told now: in this night, at its interval, or in the next night."""
        waiting, between = self._of_night(), self._between(job)
        if waiting and waiting.job is job:
            return waiting.due
        tomorrow = self._plan.night(before(self.night.at, timedelta(hours=-36))).at
        return min(tomorrow, between.due) if between else tomorrow

    def _of_night(self) -> Due | None:
        """The first job of the night that is not settled, and when it may run."""
        at = self.night.at
        if at < self._since:
            return None
        for job in self._jobs:
            tonight = (run for run in self._runs.get(job.name, ()) if run.day == self.night.day)
            tries = [run for run in tonight if not interval(job) or run.began >= at]
            if (over := _settled(tries)) is None:
                # What was only stopped goes on at once.
                failed = bool(tries) and tries[-1].state == "failed"
                again = before(tries[-1].ended or tries[-1].began, -_AGAIN) if failed else ""
                return Due(job, max(before(at, -self._plan.pause(job)), again), self.night.day)
            at = max(at, over)
        return None

    def _between(self, job: Job) -> Due | None:
        """When a job with an interval is due, off-peak if it is one for that."""
        if not (every := interval(job)):
            return None
        wait, off_peak = every
        if off_peak and not self._plan.is_off_peak(self._now):
            return None
        last = self._runs.get(job.name, [])[-1:]
        wait = _AGAIN if last and last[0].state == "stopped" else wait
        return Due(job, before(last[0].began if last else self._since or self._now, -wait), self.night.day)


def interval(job: Job) -> tuple[timedelta, bool] | None:
    """How often it runs between nights, and whether off-peak only. None: it does not."""
    if job.every == "night":
        return None
    found = _EVERY.fullmatch(job.every)
    if found is None:
        raise ValueError(f"{job.name} is to run every {job.every!r}: night, hour, or a number of minutes or hours")
    return timedelta(**{f"{found[2]}s": int(found[1] or 1)}), bool(found[3])


def _settled(tries: Sequence[Run]) -> str | None:
    """When a job was over for this night: it went well, was left out, or was tried often enough. None: it was not."""
    for run in tries:
        if run.state in ("ok", "skipped"):
            return run.ended or run.began
    return (tries[-1].ended or tries[-1].began) if len(tries) >= _TRIES else None
