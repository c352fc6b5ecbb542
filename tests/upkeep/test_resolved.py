"""Promises and tasks can be asked for as resolved or not."""

from pathlib import Path

from steno.testing import SteppingClock, house


def test_a_promise_is_resolved_or_not_also_after_it_was_laid_aside(tmp_path: Path) -> None:
    clock = SteppingClock("2026-02-02T10:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        kept, open_, dropped = (
            memory.remember(f"I will call {who}", category="commitment").id for who in ("Ann", "Bob", "Eve")
        )
        memory.revise(kept, status="done")
        memory.archive(dropped)
        seen = [{entry.id: entry.is_resolved for entry in memory.entries()}]
        clock.now = "2026-03-02T10:00:00.000Z"
        memory.scribe()
        seen.append({entry.id: entry.is_resolved for entry in memory.entries()})
        assert seen == [{kept: True, open_: False, dropped: False}] * 2
        assert memory.entry(kept).status == "archived"
