"""Jobs are run in their order, once, by one process at a time, and what came of each is written down."""

import fcntl
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from steno.home import Home
from steno.memory import Memory
from steno.testing import SteppingClock, house
from steno.upkeep.job import Job, Moment, Report
from steno.upkeep.run import Upkeep
from steno.vocabulary.errors import StenoError, UnknownRun, UpkeepBusy, WrongUse
from steno.vocabulary.upkeep import Run


class Worked:
    """Jobs that write down that they were run."""

    def __init__(self) -> None:
        self.moments: list[tuple[str, Moment]] = []
        self.fails: dict[str, Exception] = {}

    def job(self, name: str, **fields: Any) -> Job:
        def run(home: Home, moment: Moment) -> Report:
            self.moments.append((name, moment))
            if name in self.fails:
                raise self.fails[name]
            return Report(changed=1, lines=(f"{name} did it",), flags=("look here",))

        return Job(name=name, explain=f"What {name} does.", run=run, **fields)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.moments]


def night(worked: Worked) -> list[Job]:
    return [worked.job("audit"), worked.job("curate"), worked.job("prune", after=("curate",)), worked.job("commit")]


def looked_after(memory: Memory, jobs: list[Job], **how: Any) -> Upkeep:
    """Upkeep of a home that somebody has looked after since yesterday noon."""
    memory.home.store.runs.keep_from("2026-03-09T12:00:00.000Z")
    return Upkeep(memory.home, jobs=jobs, zone=UTC, **how)


def told(runs: list[Run]) -> list[tuple[str, str, str]]:
    return [(run.job, run.state, run.error) for run in runs]


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock("2026-03-10T03:00:00.000Z")


def test_a_night_is_run_once_and_written_down(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, night(worked))
        runs = upkeep.look()
        assert told(runs) == [(name, "ok", "") for name in ("audit", "curate", "prune", "commit")]
        assert runs[0] == Run(
            id=1, job="audit", day="2026-03-09", due="2026-03-10T03:00:00.000Z", began="2026-03-10T03:00:00.000Z",
            ended="2026-03-10T03:00:00.000Z", state="ok",
            report=Report(changed=1, lines=("audit did it",), flags=("look here",)),
        )  # fmt: skip
        clock.now = "2026-03-10T23:00:00.000Z"
        assert upkeep.look() == []
        assert upkeep.runs() == runs[::-1]


def test_a_job_is_told_since_when_it_has_to_read(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, [worked.job("audit")])
        upkeep.look()
        clock.now = "2026-03-18T10:00:00.000Z"
        upkeep.look()
    first, second = (moment for _, moment in worked.moments)
    assert (first.since, first.day, first.dry) == ("", "2026-03-09", False)
    assert (second.since, second.day) == ("2026-03-10T03:00:00.000Z", "2026-03-17")


def test_a_new_home_keeps_its_first_night_when_that_comes(tmp_path: Path) -> None:
    clock, worked = SteppingClock("2026-03-10T14:00:00.000Z"), Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = Upkeep(memory.home, jobs=night(worked), zone=UTC)
        assert upkeep.look() == []
        clock.now = "2026-03-11T03:00:00.000Z"
        assert [run.day for run in upkeep.look()] == ["2026-03-10"] * 4


def test_a_job_that_fails_stops_those_that_need_it_and_no_others(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    worked.fails["curate"] = StenoError("the page is torn", hint="mend it")
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, night(worked))
        runs = upkeep.look()
        for minute in (15, 30):
            clock.now = f"2026-03-10T03:{minute}:00.000Z"
            runs += upkeep.look()
    assert told(runs) == [
        ("audit", "ok", ""),
        *[("curate", "failed", "the page is torn (mend it)")] * 3,
        ("prune", "skipped", "curate did not go well"),
        ("commit", "ok", ""),
    ]
    assert worked.names == ["audit", "curate", "curate", "curate", "commit"]


def test_by_hand_what_needs_a_job_that_was_not_run_says_so(tmp_path: Path, clock: SteppingClock) -> None:
    with house(tmp_path, clock=clock) as memory:
        runs = looked_after(memory, night(Worked())).run("prune")
    assert told(runs) == [("prune", "skipped", "curate was not run this night")]


def test_what_failed_once_and_then_went_well_lets_the_others_run(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    worked.fails["curate"] = ValueError("half a page")
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, night(worked))
        assert told(upkeep.look()) == [("audit", "ok", ""), ("curate", "failed", "ValueError: half a page")]
        worked.fails.clear()
        clock.now = "2026-03-10T03:15:00.000Z"
        assert told(upkeep.look()) == [(name, "ok", "") for name in ("curate", "prune", "commit")]


def test_what_it_needs_is_what_happened_last_this_night(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, night(worked))
        upkeep.look()
        worked.fails["curate"] = ValueError("half a page")
        assert told(upkeep.run("all"))[1:3] == [
            ("curate", "failed", "ValueError: half a page"),
            ("prune", "skipped", "curate did not go well"),
        ]


def test_a_job_past_its_deadline_is_stopped_and_has_failed(tmp_path: Path, clock: SteppingClock) -> None:
    seconds = iter(range(0, 10_000, 100))

    def slow(home: Home, moment: Moment) -> Report:
        rounds = 0
        while not moment.stop():
            rounds += 1
        return Report(changed=rounds)

    with house(tmp_path, clock=clock) as memory:
        jobs = [Job(name="slow", explain="", run=slow)]
        upkeep = looked_after(memory, jobs, monotonic=lambda: float(next(seconds)))
        (run,) = upkeep.run("slow")
    assert (run.state, run.error, run.report.changed) == ("failed", "it took longer than 600 seconds", 6)


def test_a_job_that_is_told_to_stop_goes_on_the_next_time(tmp_path: Path, clock: SteppingClock) -> None:
    worked, stopping = Worked(), [False, False, True]

    def asks(home: Home, moment: Moment) -> Report:
        while not moment.stop():
            pass
        return Report()

    with house(tmp_path, clock=clock) as memory:
        jobs = [Job(name="asks", explain="", run=asks), worked.job("commit")]
        upkeep = looked_after(memory, jobs)
        stop: Callable[[], bool] = lambda: stopping.pop(0) if stopping else True  # noqa: E731
        assert told(upkeep.look(stop)) == [("asks", "stopped", "it was told to stop")]
        jobs[0] = worked.job("asks")
        assert told(looked_after(memory, jobs).look()) == [("asks", "ok", ""), ("commit", "ok", "")]


def test_a_dry_run_writes_nothing_not_even_that_it_was_made(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, night(worked))
        assert told(upkeep.run("all", dry=True)) == [(job.name, "ok", "") for job in night(worked)]
        assert all(moment.dry for _, moment in worked.moments)
        assert upkeep.runs() == []


def test_a_run_that_was_cut_off_is_named_so_and_made_again(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, [worked.job("audit")])
        memory.home.store.runs.begin("audit", day="2026-03-09", due=clock(), now=clock())
        assert told(upkeep.look()) == [("audit", "ok", "")]
        assert told(upkeep.runs()[1:]) == [("audit", "stopped", "it was cut off in the middle")]


def test_only_one_process_runs_jobs_at_a_time(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, night(worked))
        with (memory.home.root / "upkeep.lock").open("w") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            assert upkeep.look() == []
            with pytest.raises(UpkeepBusy, match="another process is at upkeep just now"):
                upkeep.run("audit")
        assert len(upkeep.look()) == 4


def test_the_clock_set_back_over_midnight_costs_no_night(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, [worked.job("audit")])
        assert [run.day for run in upkeep.look()] == ["2026-03-09"]
        # A day too far, then back again.
        clock.now = "2026-03-11T04:00:00.000Z"
        assert [run.day for run in upkeep.look()] == ["2026-03-10"]
        clock.now = "2026-03-10T05:00:00.000Z"
        assert upkeep.look() == []
        # The real night is kept, though a run that bears its date was made before; and it reads from the real last one.
        clock.now = "2026-03-11T05:00:00.000Z"
        assert [run.day for run in upkeep.look()] == ["2026-03-10"]
        assert worked.moments[-1][1].since == "2026-03-10T03:00:00.000Z"


def test_a_clock_that_is_only_corrected_does_not_repeat_a_night(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, [worked.job("audit")])
        upkeep.look()
        for now in ("2026-03-10T02:59:58.000Z", "2026-03-10T03:00:01.000Z"):
            clock.now = now
            assert upkeep.look() == []


def test_what_nobody_knows_is_named(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, night(worked))
        with pytest.raises(UnknownRun, match="no job is called 'tidy'"):
            upkeep.run("tidy")
        with pytest.raises(UnknownRun, match="no run has the number 7"):
            upkeep.undo(7)
        (run,) = upkeep.run("audit")
        with pytest.raises(WrongUse, match=f"there is nothing to bring back: run {run.id} of audit laid nothing aside"):
            upkeep.undo(run.id)


def test_words_that_are_forgotten_leave_the_reports(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, [worked.job("audit")])
        (run,) = upkeep.run("audit")
        memory.remember("the pump is green", category="fact")
        memory.forget(text="the pump is green")
        assert memory.upkeep.runs()[0].report == Report(changed=1)
        assert run.report.lines == ("audit did it",)


def test_of_a_job_that_runs_often_only_the_last_runs_are_kept(
    tmp_path: Path, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steno.store.runs._KEPT", 3)
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, [worked.job("watch"), worked.job("audit")])
        upkeep.run("audit")
        for _ in range(5):
            upkeep.run("watch")
        assert [(run.job, run.id) for run in upkeep.runs()] == [("watch", 6), ("watch", 5), ("watch", 4), ("audit", 1)]


def test_a_night_tells_the_last_run_of_what_runs_every_few_minutes(tmp_path: Path, clock: SteppingClock) -> None:
    worked = Worked()
    with house(tmp_path, clock=clock) as memory:
        upkeep = looked_after(memory, [worked.job("watch", every="15 minutes"), worked.job("links", every="hour")])
        for _ in range(3):
            upkeep.run("watch")
            upkeep.run("links")
        worked.fails["watch"] = StenoError("no")
        upkeep.run("watch")
        del worked.fails["watch"]
        upkeep.run("watch")
        assert [(run.job, run.id) for run in upkeep.night()] == [
            ("links", 2), ("links", 4), ("links", 6), ("watch", 7), ("watch", 8)
        ]  # fmt: skip
