"""Runs jobs in their order: one process at a time, each with a deadline, each run written down before it begins."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta, tzinfo
from typing import Final

from steno.files import locked
from steno.home import Home
from steno.upkeep.job import Job, Moment
from steno.upkeep.jobs import all_jobs
from steno.upkeep.jobs.prune import bring_back
from steno.upkeep.schedule import Due, Plan, Schedule, interval
from steno.vocabulary.errors import StenoError, UnknownRun, UpkeepBusy, WrongUse
from steno.vocabulary.upkeep import JobState, Report, Run, RunState

# Whoever holds the lock on this file of a home runs its jobs.
_LOCK: Final = "upkeep.lock"
_SHOWN: Final = 50
# How long one job may take.
_JOB_SECONDS: Final = 600.0
# What runs more often is not told run by run.
_OFTEN: Final = timedelta(hours=1)

Stop = Callable[[], bool]


def never() -> bool:
    """Nobody stops it."""
    return False


class Upkeep:
    """The jobs of one home."""

    def __init__(
        self, home: Home, *, jobs: Sequence[Job] | None = None, zone: tzinfo | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._home, self._runs, self._clock = home, home.store.runs, home.clock
        self._jobs = tuple(all_jobs() if jobs is None else jobs)
        self._plan = Plan(home.settings, zone)
        self._monotonic = monotonic

    # -- doing -------------------------------------------------------------------------------------------------------

    def look(self, stop: Stop = never, told: Callable[[Run], None] = lambda _: None) -> list[Run]:
        """Run what is due, in order; nothing where another process is at it."""
        self._runs.keep_from(self._clock())
        if self._next() is None and self._runs.is_tidy(self._clock()):
            return []
        done: list[Run] = []
        try:
            with locked(self._home.root / _LOCK, _busy):
                self._runs.tidy(self._clock())
                while not stop() and (due := self._next()):
                    done.append(self._run(due, stop))
                    told(done[-1])
        except UpkeepBusy:
            return []
        return done

    def run(self, name: str, *, dry: bool = False, stop: Stop = never) -> list[Run]:
        """Run a job now, or `all` of them in order and without pauses; `dry`: only tell what would change."""
        if not dry:
            self._home.only_people("upkeep run")
        jobs = self._jobs if name == "all" else (self.job(name),)
        now = self._clock()
        night = self._plan.night(now)
        dues = [Due(job, now, night.day) for job in jobs]
        if dry:
            return [self._tried(due, stop) for due in dues]
        with locked(self._home.root / _LOCK, _busy):
            self._runs.tidy(now)
            return [self._run(due, stop) for due in dues if not stop()]

    def undo(self, run: int) -> tuple[Run, int]:
        """Bring back what a run of prune laid aside: the run, and how many entries hold again."""
        self._home.only_people("upkeep undo")
        with locked(self._home.root / _LOCK, _busy):
            self._runs.tidy(self._clock())
            found = self._runs.one(run)
            if found.undo != "possible":
                why = "was taken back already" if found.undo == "done" else f"of {found.job} laid nothing aside"
                hint = "`steno upkeep` shows which runs of prune can be taken back"
                raise WrongUse(f"there is nothing to bring back: run {run} {why}", hint=hint)
            back = bring_back(self._home, run)
            return self._runs.undone(run), back

    # -- looking -----------------------------------------------------------------------------------------------------

    def job(self, name: str) -> Job:
        for job in self._jobs:
            if job.name == name:
                return job
        names = ", ".join(job.name for job in self._jobs)
        raise UnknownRun(f"no job is called {name!r}", hint=f"the jobs are {names}; `all` runs them in this order")

    def state(self) -> list[JobState]:
        """Every job in the order of the night: its last run, and when it is due."""
        schedule, last = self._schedule(), self._runs.last()
        return [JobState(name=job.name, last=last.get(job.name), due=schedule.when(job)) for job in self._jobs]

    def one(self, name: str) -> JobState:
        """One job as it stands."""
        self.job(name)
        return next(state for state in self.state() if state.name == name)

    def night(self, day: str | None = None) -> list[Run]:
        """What was run in the night that closed a day, in order; without one, in the last night that is known. Of what
        runs every few minutes, what did not go well, and the last."""
        if day is None:
            day = max((run.day for run in self._runs.last().values()), default="")
        runs = self._runs.of_night(day) if day else []
        often = {job.name for job in self._jobs if (every := interval(job)) and every[0] < _OFTEN}
        last = {run.job: run.id for run in runs}
        return [run for run in runs if run.job not in often or run.state != "ok" or run.id == last[run.job]]

    def runs(self, job: str | None = None, most: int = _SHOWN) -> list[Run]:
        """The last runs, the latest first."""
        return self._runs.all(job=job, most=most)

    # ----------------------------------------------------------------------------------------------------------------

    def _schedule(self) -> Schedule:
        now = self._clock()
        runs = {run.id: run for run in self._runs.last().values()}
        runs |= {run.id: run for run in self._runs.of_night(self._plan.night(now).day)}
        return Schedule(self._jobs, list(runs.values()), self._plan, now, since=self._runs.kept_since() or now)

    def _next(self) -> Due | None:
        return self._schedule().next()

    def _run(self, due: Due, stop: Stop) -> Run:
        job, runs = due.job, self._runs
        run = runs.begin(job.name, day=due.day, due=due.due, now=self._clock())
        if missing := self._missing(due):
            return runs.end(run, "skipped", Report(), now=self._clock(), error=" and ".join(missing))
        limit = _Limit(stop, self._monotonic)
        try:
            report = job.run(self._home, self._moment(due, limit, run))
        except Exception as error:  # whatever a job stumbles over, the others go on
            return runs.end(run, "failed", Report(), now=self._clock(), error=_words(error))
        state, error_ = limit.verdict()
        return runs.end(run, state, report, now=self._clock(), error=error_)

    def _tried(self, due: Due, stop: Stop) -> Run:
        """What a run would come to; nothing is written, not even that."""
        report, error = Report(), ""
        try:
            report = due.job.run(self._home, self._moment(due, stop))
        except StenoError as problem:
            error = _words(problem)
        now, state = self._clock(), "failed" if error else "ok"
        facts = {"job": due.job.name, "day": due.day, "due": due.due, "began": due.due, "ended": now}
        return Run(id=0, state=state, report=report, error=error, **facts)  # type: ignore[arg-type]

    def _missing(self, due: Due) -> list[str]:
        """What must have gone well this night, did not, and why."""
        tonight = {run.job: run for run in self._runs.of_night(due.day)}
        return [
            f"{name} did not go well" if name in tonight else f"{name} was not run this night"
            for name in due.job.after
            if name not in tonight or tonight[name].state != "ok"
        ]

    def _moment(self, due: Due, stop: Stop, run: int = 0) -> Moment:
        last = self._runs.last_good(due.job.name)
        since = last.began if last else ""
        return Moment(now=self._clock(), since=since, day=due.day, dry=not run, stop=stop, run=run)


class _Limit:
    """Asked by a job whether to stop: because it was told to, or because its time is over."""

    def __init__(self, stop: Stop, monotonic: Callable[[], float]) -> None:
        self._stop = stop
        self._monotonic = monotonic
        self._until = monotonic() + _JOB_SECONDS
        # What the job was told when it asked: nothing, `told`, or `late`.
        self._said = ""

    def __call__(self) -> bool:
        if not self._said:
            self._said = "told" if self._stop() else "late" if self._monotonic() > self._until else ""
        return bool(self._said)

    def verdict(self) -> tuple[RunState, str]:
        """How the run ended, as far as it was stopped."""
        match self._said:
            case "told":
                return "stopped", "it was told to stop"
            case "late":
                return "failed", f"it took longer than {_JOB_SECONDS:g} seconds"
            case _:
                return "ok", ""


def _words(error: Exception) -> str:
    if isinstance(error, StenoError):
        return f"{error.message} ({error.hint})" if error.hint else error.message
    return f"{type(error).__name__}: {error}"


def _busy() -> UpkeepBusy:
    hint = "`steno upkeep` shows what it does; try again when it is done"
    return UpkeepBusy("another process is at upkeep just now", hint=hint)
