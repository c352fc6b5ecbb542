"""A session whose id held a secret is found by the id its host knows it by."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.pipeline.loss import NoCompaction
from steno.testing import house, said, write_jsonl

NAME = "run-BLUEBIRD-7"


def no_loss(memory: Memory) -> str:
    with pytest.raises(NoCompaction) as found:
        memory.loss(NAME)
    return str(found.value)


ASKED: dict[str, Callable[[Memory], Any]] = {
    "turns": lambda memory: [turn.turn.text for turn in memory.turns(NAME)],
    "entries": lambda memory: [entry.category for entry in memory.entries(session=NAME)],
    "checkpoint": lambda memory: memory.checkpoint(NAME).goal,
    "brief": lambda memory: memory.brief(0, NAME).tokens,
    "state line": lambda memory: memory.state_line(NAME).text,
    "loss": no_loss,
    "unread": lambda memory: memory.unread(NAME),
    "receipts": lambda memory: [given.kind for given in memory.receipts(NAME)],
    "forget": lambda memory: memory.forget(session=NAME, only_count=True).turns,
}


@pytest.mark.parametrize("verb", ASKED)
def test_a_session_is_found_by_the_id_before_redaction(tmp_path: Path, verb: str) -> None:
    lines = [
        said("build the price list importer", session=NAME, id="1"),
        said("never use mocks in this project, they lied to us", session=NAME, id="2"),
    ]
    with house(tmp_path, redact_patterns="BLUEBIRD") as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        kept = memory.sessions()[0].session.session
        assert "BLUEBIRD" not in kept
        memory.brief(0, kept)
        assert ASKED[verb](memory) == ASKED[verb](Under(memory, kept))


class Under:
    """A memory that is asked for the session by the name it is kept under."""

    def __init__(self, memory: Memory, name: str) -> None:
        self._memory, self._name = memory, name

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            args = tuple(self._name if arg == NAME else arg for arg in args)
            named = {key: self._name if arg == NAME else arg for key, arg in named.items()}
            return getattr(self._memory, verb)(*args, **named)

        return call


def test_what_was_said_in_the_session_that_asks_is_not_told_to_it(tmp_path: Path) -> None:
    lines = [said("never touch billing/rates.py by hand", session=NAME, id="1")]
    with house(tmp_path, redact_patterns="BLUEBIRD") as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        prompt = "please change billing/rates.py"
        assert memory.remind(prompt, session="another")
        assert memory.remind(prompt, session=NAME) == []
