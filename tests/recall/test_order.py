"""The whole order of the answers of one small store: what moves a turn or a session shows here. Nothing was learnt of
it, so that it depends on nobody who learns."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import said, write_jsonl

House = Callable[..., AbstractContextManager[Memory]]
NOW = "2026-06-01T00:00:00Z"
# Session, day, who, what. A value that was changed twice, a discussion that was settled late, a rule, a tool's output,
# and talk that shares words with all of them.
TALK = """
a 02-03 user      How long does the ferry wait at the island pier?
a 02-03 assistant Six minutes, if nobody boards with a bicycle.
a 02-03 user      Make the ferry wait eight minutes at the island pier.
b 02-20 user      The tickets print twice when two people press the button together.
b 02-20 assistant We could lock the printer, or count the presses, or ask the kiosk again.
b 02-20 user      Never lock the printer, the kiosk freezes then.
b 02-20 assistant Then count the presses: one ticket for each press of the button.
b 02-20 user      yes, count them
c 03-15 user      Ferry again: the wait at the island pier is now twelve minutes.
c 03-15 assistant Done: the ferry waits twelve minutes at the island pier.
c 03-15 tool      pier.toml: wait = 12, boards = true, printer = "kiosk"
d 04-10 user      The doctor wants a car on the morning ferry.
d 04-10 assistant There is room for one automobile on the morning ferry.
e 05-02 user      The island pier gets a new bench; the printer stays in the kiosk.
e 05-02 assistant Noted: a bench for the pier.
""".strip().splitlines()


@pytest.fixture
def memory(quick_house: House, tmp_path: Path) -> Iterator[Memory]:
    lines = []
    for number, line in enumerate(TALK):
        session, day, role, text = line.split(maxsplit=3)
        at = f"2026-{day}T10:{number:02}:00Z"
        tool = {"tool": "Bash"} if role == "tool" else {}
        lines.append(said(text, role=role, id=f"{session}{number}", session=session, at=at, **tool))
    with quick_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        yield memory


@pytest.mark.parametrize(
    ("question", "turns", "sessions"),
    [
        (
            "how long does the ferry wait at the island pier?",
            "e13 c9 c8 d11 a0 a2 a1 e14 b5 b4 d12 b3 b6 c10 b7",
            "c e d a b",
        ),
        ("how long did the ferry wait at first?", "a0 a2 c9 c8 a1 d12 d11 b5 b4 e13 b6 b3 e14 b7 c10", "a c d b e"),
        ("two tickets come out of the printer", "b5 b6 b3 b7 e13 b4 e14 c9 c8 d11 a2 d12 a0 a1 c10", "b e c d a"),
        ("add a second printer to the kiosk", "b5 e13 e14 b4 a2 c9 b6 c8 d11 b7 a1 b3 a0 d12 c10", "b e c a d"),
        ("is there a vehicle for the physician?", "d12 d11 b5 b6 e13 b4 e14 c8 c9 b3 b7 a2 a1 a0", "d b e c a"),
    ],
)
def test_every_turn_and_every_session_stands_in_its_place(
    memory: Memory, question: str, turns: str, sessions: str
) -> None:
    found = memory.recall(question, within="turns", now=NOW, k=20)
    assert [hit.native_id for hit in found] == turns.split()
    assert [hit.id for hit in memory.recall(question, within="sessions", now=NOW)] == sessions.split()
