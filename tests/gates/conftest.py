"""A shop in which a few things were refused, decided and tried."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Action

PROJECT = "/shop"
TALK = (
    ("user", "Build the order service."),
    ("assistant", "I suggest MongoDB for the orders. Shall I set it up?"),
    ("user", "no, never use MongoDB here, it lost our data"),
    ("assistant", "Understood. For the search box I'll add lodash and wrap the handler in `_.debounce`."),
    ("user", "not pulling in lodash until we have a second use for it. write a small debounce yourself"),
    ("assistant", "Done. I'll delete the old uploads in /srv/uploads to free some space."),
    ("user", "no! never delete anything under uploads"),
)


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock("2026-03-10T12:00:00.000Z")


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock) -> Iterator[Memory]:
    """A memory of the talk."""
    with house(tmp_path, clock=clock) as memory:
        _listen(memory, tmp_path / "talk.jsonl", TALK, session="s1", project=PROJECT)
        yield memory


@pytest.fixture
def listen(memory: Memory, tmp_path: Path) -> Callable[..., None]:
    """The memory hears another talk."""

    def hear(*talk: tuple[str, str], session: str, project: str = PROJECT) -> None:
        _listen(memory, tmp_path / f"{session}.jsonl", talk, session=session, project=project)

    return hear


@pytest.fixture
def before(memory: Memory) -> Callable[..., tuple[str, list[str]]]:
    """What the gate says to an action in the shop: the verdict, and the quotes behind it."""

    def ask(text: str, **more: Any) -> tuple[str, list[str]]:
        verdict = memory.before(Action(text=text, **{"agent": "bot", "directory": PROJECT, **more}))
        return type(verdict).__name__.lower(), [reason.quote for reason in getattr(verdict, "reasons", ())]

    return ask


def _listen(memory: Memory, path: Path, talk: tuple[tuple[str, str], ...], **facts: str) -> None:
    lines = [
        said(text, role=role, at=f"2026-03-01T10:{place:02d}:00Z", id=str(place), **facts)
        for place, (role, text) in enumerate(talk)
    ]
    memory.capture(write_jsonl(path, *lines), source="jsonl")
    memory.scribe()
    memory.rules.settle()
