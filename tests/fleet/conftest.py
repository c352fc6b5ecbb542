"""A house in which agents were heard of."""

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl

NOON = "2026-01-08T12:00:00.000Z"
Heard = Callable[..., None]


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock(NOON)


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock) -> Iterator[Memory]:
    with house(tmp_path, clock=clock) as memory:
        yield memory


@pytest.fixture
def heard(memory: Memory, tmp_path: Path) -> Heard:
    """An agent says a word at each of these times."""

    def hear(agent: str, *times: str, project: str = "/shop", text: str = "hello", role: str = "user") -> None:
        path = tmp_path / f"{agent}.jsonl"
        before = len(path.read_text().splitlines()) if path.exists() else 0
        lines = [
            said(text, id=f"{agent}-{number}", session=f"of-{agent}", agent=agent, role=role, project=project, at=at)
            for number, at in enumerate(times, before)
        ]
        memory.capture(write_jsonl(path, *lines), source="jsonl")
        memory.scribe()

    return hear


def written(path: Path, at: str, text: str = "x") -> Path:
    """A file as of a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    seconds = datetime.fromisoformat(at).timestamp()
    os.utime(path, (seconds, seconds))
    return path
