"""Days: what happened, ended by a recap, and never written again once they have passed."""

from datetime import datetime, timedelta
from pathlib import Path

from steno.clock import as_text
from steno.testing import SteppingClock, house, said, write_jsonl

PROJECT = "/home/sam/shop"
FIRST = datetime.fromisoformat("2026-03-01T10:00:00+00:00")


def test_after_a_month_every_day_is_as_it_was_the_night_it_closed(tmp_path: Path) -> None:
    clock = SteppingClock()
    closed: dict[str, bytes] = {}
    with house(tmp_path, clock=clock) as memory:
        days = memory.home.notebook / "days"
        for number in range(30):
            morning = FIRST + timedelta(days=number)
            talk = [
                said(f"never serve cookie number {number} cold, from now on", at=as_text(morning)),
                said(f"write down recipe {number}", at=as_text(morning + timedelta(minutes=5))),
            ]
            lines = [{**line, "session": f"s{number // 2}", "project": PROJECT} for line in talk]
            clock.now = as_text(morning + timedelta(minutes=6))
            memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
            memory.scribe()
            clock.now = as_text(morning + timedelta(hours=8))
            memory.remember(f"the oven was at {200 + number} degrees", category="fact", project=PROJECT)
            memory.save()
            memory.notebook.sync()
            first = memory.entries(category="fact")[0]
            memory.revise(first.id, summary=f"corrected on day {number}")
            closed[clock.now[:10]] = (days / f"{clock.now[:10]}.md").read_bytes()
        memory.notebook.sync()
        assert len(closed) == 30
        assert {path.stem: path.read_bytes() for path in days.iterdir()} == closed
    last = closed["2026-03-30"].decode()
    assert last.rpartition("\n## ")[2].startswith("Recap\n\n- ")
    assert "the oven was at 229 degrees" in last


def test_what_a_person_types_into_today_stays_in_today(tmp_path: Path) -> None:
    clock = SteppingClock(as_text(FIRST))
    with house(tmp_path, clock=clock) as memory:
        memory.remember("the oven was at 200 degrees", category="fact")
        memory.save()
        page = memory.home.notebook / "days" / "2026-03-01.md"
        page.write_text(page.read_text().replace("# 2026-03-01\n", "# 2026-03-01\n\nIt rained all day.\n"))
        for words in ("Ada was ill", "Rumpelstiltskin called"):
            memory.remember(f"{words} today", category="fact")
            memory.save()
            assert page.read_text().count("It rained all day.") == 1
        memory.forget(text="Rumpelstiltskin")
        assert "## Notes\n\nIt rained all day.\n\n## Recap\n" in page.read_text()
        assert "Rumpelstiltskin" not in page.read_text()
