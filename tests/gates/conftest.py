"""A shop in which a person said what they do not want, and what must not be done."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, write_jsonl
from steno.vocabulary import Action

PROJECT = "/shop"
MONGO = "never use MongoDB here"
LODASH = "not pulling in lodash until we have a second use for it"
UPLOADS = "never delete anything under uploads"
DENIED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock("2026-03-01T10:00:00.000Z")


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock) -> Iterator[Memory]:
    """A memory of what a person wrote down nine days ago."""
    with house(tmp_path, clock=clock) as memory:
        memory.remember(MONGO, category="rejected", project=PROJECT)
        memory.remember(LODASH, category="rejected", project=PROJECT)
        memory.rules.add(UPLOADS, project=PROJECT)
        clock.now = "2026-03-10T12:00:00.000Z"
        yield memory


@pytest.fixture
def refuse(memory: Memory, tmp_path: Path) -> Callable[..., None]:
    """A person stops a call for good."""

    def deny(tool: str, given: dict[str, Any], words: str = "no, never do that") -> None:
        blocks: list[tuple[str, Any]] = [
            ("user", "Get the branch ready."),
            ("assistant", [{"type": "tool_use", "id": "t1", "name": tool, "input": given}]),
            ("user", [{"type": "tool_result", "tool_use_id": "t1", "content": f"{DENIED}{words}", "is_error": True}]),
        ]
        lines = [
            {"type": role, "uuid": f"u{number}", "sessionId": "e1", "cwd": PROJECT,
             "timestamp": f"2026-03-02T10:0{number}:00.000Z", "message": {"role": role, "content": content},
             **({"toolUseResult": "User rejected tool use"} if number == 2 else {})}
            for number, (role, content) in enumerate(blocks)
        ]  # fmt: skip
        memory.capture(write_jsonl(tmp_path / "e1.jsonl", *lines), source="claude-code")
        memory.scribe()
        memory.rules.settle()

    return deny


@pytest.fixture
def before(memory: Memory) -> Callable[..., tuple[str, list[str]]]:
    """What the gate says to an action in the shop: the verdict, and the words behind it."""

    def ask(text: str, **more: Any) -> tuple[str, list[str]]:
        verdict = memory.before(Action(text=text, **{"agent": "bot", "directory": PROJECT, **more}))
        return type(verdict).__name__.lower(), [reason.text for reason in getattr(verdict, "reasons", ())]

    return ask
