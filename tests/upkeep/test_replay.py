"""Where nobody is at work, the day is gone over again; nothing is deleted."""

from pathlib import Path

from steno.testing import SteppingClock, house
from steno.upkeep.jobs.replay import JOB

from .conftest import Hear, run

CHOICE = "Let's go with Postgres for the customer orders, because SQLite locks the whole file."


def test_nothing_is_gone_over_while_somebody_is_at_work(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path, clock=SteppingClock("2026-02-02T10:10:00.000Z")) as memory:
        hear(memory, CHOICE)
        report = run(memory, JOB, "2026-02-02T10:10:00.000Z")
        assert (report.changed, report.lines) == (0, ("somebody is at work",))


def test_in_quiet_time_the_day_is_gone_over_in_its_order(tmp_path: Path, hear: Hear) -> None:
    buffer = tmp_path / "steno/notebook/working-buffer.md"
    with house(tmp_path, clock=SteppingClock("2026-02-02T15:00:00.000Z")) as memory:
        hear(memory, CHOICE)
        memory.save()
        buffer.write_text("what stood in a context\n")
        report = run(memory, JOB, "2026-02-02T15:00:00.000Z")
        assert (report.changed, [line.split(":")[0] for line in report.lines]) == (
            1,
            ["observations", "2026-02-02", "the working buffer was gone over; the night empties it"],
        )
        assert buffer.read_text() == "what stood in a context\n"
        assert (tmp_path / "steno/notebook/days/2026-02-02.md").exists()
        assert run(memory, JOB, "2026-02-02T16:00:00.000Z").changed == 0
