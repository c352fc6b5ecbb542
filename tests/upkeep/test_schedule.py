"""When a job is due: a table of nights, clocks and pauses."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from steno.settings import SETTINGS
from steno.upkeep.job import Job, Report
from steno.upkeep.schedule import Plan, Schedule
from steno.vocabulary.errors import BadSetting
from steno.vocabulary.upkeep import Run, RunState

BERLIN = ZoneInfo("Europe/Berlin")


def a_job(name: str, **fields: Any) -> Job:
    return Job(name=name, explain="", run=lambda *_: Report(), **fields)


AUDIT, CURATE = a_job("audit"), a_job("curate", pause_minutes="curate_pause_minutes")
PRUNE = a_job("prune", pause_minutes="prune_pause_minutes")
LINKS = a_job("links", every="hour")
REFLECT = a_job("reflect", every="2 hours off-peak")
NIGHT = (AUDIT, CURATE, PRUNE)


def chosen(**settings: Any) -> dict[str, Any]:
    return {setting.name: setting.default for setting in SETTINGS} | settings


def ran(job: str, at: str, state: RunState = "ok", *, day: str = "2026-03-09", ended: str | None = None) -> Run:
    number = int("".join(filter(str.isdigit, at)))
    ended = None if state == "running" else ended or at
    return Run(id=number, job=job, day=day, due=at, began=at, ended=ended, state=state, report=Report())


def due(
    now: str, *runs: Run, jobs: tuple[Job, ...] = NIGHT, zone: str = "UTC", since: str = "", **settings: Any
) -> tuple[str, str] | None:
    """The name of the job that is due, and the day it closes."""
    found = Schedule(jobs, runs, Plan(chosen(**settings), ZoneInfo(zone)), now, since).next()
    return found and (found.job.name, found.day)


@pytest.mark.parametrize(
    ("now", "zone", "night_at", "began", "day"),
    [
        ("2026-03-10T02:59:59.999Z", "UTC", "03:00", "2026-03-09T03:00:00.000Z", "2026-03-08"),
        ("2026-03-10T03:00:00.000Z", "UTC", "03:00", "2026-03-10T03:00:00.000Z", "2026-03-09"),
        # A night that begins before midnight closes the day it begins in.
        ("2026-03-10T23:45:00.000Z", "UTC", "23:30", "2026-03-10T23:30:00.000Z", "2026-03-10"),
        ("2026-03-11T00:10:00.000Z", "UTC", "23:30", "2026-03-10T23:30:00.000Z", "2026-03-10"),
        # Local time, east and west of Greenwich.
        ("2026-03-10T18:30:00.000Z", "Asia/Tokyo", "03:00", "2026-03-10T18:00:00.000Z", "2026-03-10"),
        ("2026-03-10T09:00:00.000Z", "America/Los_Angeles", "03:00", "2026-03-09T10:00:00.000Z", "2026-03-08"),
        # The clocks go forward: 02:30 does not exist, and the night begins once, an hour later.
        ("2026-03-29T01:29:00.000Z", "Europe/Berlin", "02:30", "2026-03-28T01:30:00.000Z", "2026-03-27"),
        ("2026-03-29T01:30:00.000Z", "Europe/Berlin", "02:30", "2026-03-29T01:30:00.000Z", "2026-03-28"),
        # They go back: 02:30 comes twice, and the night begins at the first of them.
        ("2026-10-25T00:30:00.000Z", "Europe/Berlin", "02:30", "2026-10-25T00:30:00.000Z", "2026-10-24"),
        ("2026-10-25T01:30:00.000Z", "Europe/Berlin", "02:30", "2026-10-25T00:30:00.000Z", "2026-10-24"),
    ],
)
def test_a_night_begins_once_by_local_time(now: str, zone: str, night_at: str, began: str, day: str) -> None:
    assert Plan(chosen(night_at=night_at), ZoneInfo(zone)).night(now) == (began, day)


@pytest.mark.parametrize(
    ("now", "runs", "expected"),
    [
        # The first of the night, the pause behind it, then the next one.
        ("2026-03-10T03:00:00.000Z", [], "audit"),
        ("2026-03-10T03:29:59.000Z", [ran("audit", "2026-03-10T03:00:00.000Z")], None),
        ("2026-03-10T03:30:00.000Z", [ran("audit", "2026-03-10T03:00:00.000Z")], "curate"),
        # A pause begins when the job before is over, not when it was due.
        (
            "2026-03-10T03:35:00.000Z",
            [ran("audit", "2026-03-10T03:00:00.000Z", ended="2026-03-10T03:10:00.000Z")],
            None,
        ),
        (
            "2026-03-10T04:14:00.000Z",
            [ran("audit", "2026-03-10T03:00:00.000Z"), ran("curate", "2026-03-10T03:30:00.000Z")],
            None,
        ),
        (
            "2026-03-10T04:15:00.000Z",
            [ran("audit", "2026-03-10T03:00:00.000Z"), ran("curate", "2026-03-10T03:30:00.000Z")],
            "prune",
        ),
        # The rest of the day nothing is due.
        (
            "2026-03-10T22:00:00.000Z",
            [ran(job.name, f"2026-03-10T0{hour}:00:00.000Z") for hour, job in enumerate(NIGHT, 3)],
            None,
        ),
        # Whatever runs again by hand in the afternoon does not begin the night anew.
        (
            "2026-03-10T22:00:00.000Z",
            [
                *(ran(job.name, f"2026-03-10T0{hour}:00:00.000Z") for hour, job in enumerate(NIGHT, 3)),
                ran("audit", "2026-03-10T15:00:00.000Z"),
            ],
            None,
        ),
        # A job that failed is tried again later, and the others wait; after the third time they do not.
        ("2026-03-10T03:14:00.000Z", [ran("audit", "2026-03-10T03:00:00.000Z", "failed")], None),
        ("2026-03-10T03:15:00.000Z", [ran("audit", "2026-03-10T03:00:00.000Z", "failed")], "audit"),
        (
            "2026-03-10T04:00:00.000Z",
            [ran("audit", f"2026-03-10T03:{minute}:00.000Z", "failed") for minute in (10, 20, 30)],
            "curate",
        ),
        # One that was stopped goes on as soon as somebody looks.
        ("2026-03-10T03:01:00.000Z", [ran("audit", "2026-03-10T03:00:00.000Z", "stopped")], "audit"),
        # One that was left out is over.
        (
            "2026-03-10T04:00:00.000Z",
            [ran("audit", "2026-03-10T03:00:00.000Z"), ran("curate", "2026-03-10T03:30:00.000Z", "skipped")],
            None,
        ),
        (
            "2026-03-10T04:15:00.000Z",
            [ran("audit", "2026-03-10T03:00:00.000Z"), ran("curate", "2026-03-10T03:30:00.000Z", "skipped")],
            "prune",
        ),
        # Asleep for a week: the last night alone is caught up, from its beginning.
        ("2026-03-17T09:00:00.000Z", [ran("prune", "2026-03-10T04:15:00.000Z")], "audit"),
        ("2026-03-17T09:05:00.000Z", [ran("audit", "2026-03-17T09:00:00.000Z", day="2026-03-16")], None),
        ("2026-03-17T09:30:00.000Z", [ran("audit", "2026-03-17T09:00:00.000Z", day="2026-03-16")], "curate"),
    ],
)
def test_the_night_goes_in_order_with_its_pauses(now: str, runs: list[Run], expected: str | None) -> None:
    found = due(now, *runs)
    assert (found and found[0]) == expected


def test_the_pauses_are_the_users() -> None:
    audit = ran("audit", "2026-03-10T03:00:00.000Z")
    assert due("2026-03-10T03:05:00.000Z", audit, curate_pause_minutes=5) == ("curate", "2026-03-09")
    assert due("2026-03-10T03:30:00.000Z", audit, curate_pause_minutes=60) is None


def test_nights_from_before_anybody_looked_after_a_home_are_not_caught_up() -> None:
    assert due("2026-03-10T14:05:00.000Z", since="2026-03-10T14:00:00.000Z") is None
    assert due("2026-03-11T03:00:00.000Z", since="2026-03-10T14:00:00.000Z") == ("audit", "2026-03-10")


def test_a_job_with_an_interval_runs_between_nights_and_in_its_place_in_the_night() -> None:
    jobs = (AUDIT, LINKS, PRUNE)
    at_two = ran("links", "2026-03-10T02:00:00.000Z", day="2026-03-08")
    night = ran("audit", "2026-03-10T03:00:00.000Z")
    assert due("2026-03-10T02:59:00.000Z", at_two, jobs=jobs, since="2026-03-10") is None
    assert due("2026-03-10T03:00:00.000Z", at_two, jobs=jobs) == ("audit", "2026-03-09")
    # In the night it runs behind the audit, also where its hour is not over.
    assert due("2026-03-10T03:00:30.000Z", at_two, night, jobs=jobs) == ("links", "2026-03-09")
    again = ran("links", "2026-03-10T03:00:30.000Z")
    assert due("2026-03-10T03:45:30.000Z", at_two, night, again, jobs=jobs) == ("prune", "2026-03-09")
    pruned = ran("prune", "2026-03-10T03:45:30.000Z")
    assert due("2026-03-10T04:00:29.000Z", at_two, night, again, pruned, jobs=jobs) is None
    assert due("2026-03-10T04:00:30.000Z", at_two, night, again, pruned, jobs=jobs) == ("links", "2026-03-09")


def test_an_interval_may_be_minutes() -> None:
    often = Job(name="watch", explain="", run=LINKS.run, every="15 minutes")
    last = ran("watch", "2026-03-10T12:00:00.000Z")
    assert due("2026-03-10T12:14:59.000Z", last, jobs=(often,)) is None
    assert due("2026-03-10T12:15:00.000Z", last, jobs=(often,)) == ("watch", "2026-03-09")


def test_after_a_week_asleep_what_has_an_interval_runs_once() -> None:
    runs = [ran("links", "2026-03-10T02:00:00.000Z"), ran("links", "2026-03-17T09:00:00.000Z", day="2026-03-16")]
    assert due("2026-03-17T09:00:00.000Z", runs[0], jobs=(LINKS,)) == ("links", "2026-03-16")
    assert due("2026-03-17T09:00:01.000Z", *runs, jobs=(LINKS,)) is None


def test_what_takes_longer_waits_for_off_peak_hours() -> None:
    last = ran("reflect", "2026-03-10T06:00:00.000Z")
    settled = {"jobs": (REFLECT,), "off_peak_hours": "22-8"}
    assert due("2026-03-10T12:00:00.000Z", last, **settled) is None
    assert due("2026-03-10T22:00:00.000Z", last, **settled) == ("reflect", "2026-03-09")


def test_times_that_are_none_are_named() -> None:
    with pytest.raises(BadSetting, match="night_at is 'three', which is no time of day"):
        due("2026-03-10T03:00:00.000Z", night_at="three")
    with pytest.raises(BadSetting, match="off_peak_hours is 'noon', which is no stretch of hours"):
        due("2026-03-10T12:00:00.000Z", jobs=(REFLECT,), off_peak_hours="noon")


def test_every_job_says_when_it_is_due_next() -> None:
    runs = [ran("audit", "2026-03-10T03:00:00.000Z")]
    jobs = (*NIGHT, LINKS)
    schedule = Schedule(jobs, runs, Plan(chosen(), BERLIN), "2026-03-10T03:10:00.000Z", "2026-03-10T00:00:00.000Z")
    assert {job.name: schedule.when(job) for job in jobs} == {
        "audit": "2026-03-11T02:00:00.000Z",
        "curate": "2026-03-10T03:30:00.000Z",
        "prune": "2026-03-11T02:00:00.000Z",
        "links": "2026-03-10T01:00:00.000Z",
    }
