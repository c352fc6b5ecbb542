"""Jobs in a real house: run as upkeep runs them, at a moment of the test's choosing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import said, write_jsonl
from steno.upkeep.job import Job, Moment, Report

Hear = Callable[..., None]


def run(memory: Memory, job: Job, now: str, *, since: str = "", dry: bool = False) -> Report:
    """One run of a job."""
    return job.run(memory.home, Moment(now, since, now[:10], dry, lambda: False))


@pytest.fixture
def hear(tmp_path: Path) -> Hear:
    """A session: each text by who said it, a minute apart; what was learnt of it is there at once."""

    def heard(memory: Memory, *lines: str | tuple[str, str], at: str = "2026-02-02T10:00", session: str = "s1") -> None:
        path = tmp_path / f"{session}.jsonl"
        told = [("user", line) if isinstance(line, str) else line for line in lines]
        before = len(path.read_text().splitlines()) if path.exists() else 0
        for number, (role, text) in enumerate(told, before + 1):
            moment = f"{at[:14]}{int(at[14:16]) + number - before - 1:02}:00Z"
            line = said(text, session=session, role=role, id=f"{session}-{number}", at=moment, project="/shop")
            write_jsonl(path, line)
        memory.capture(path, source="jsonl")
        memory.scribe()

    return heard
