"""Without its encoder the scribe is deaf: it says so, nothing that was learnt is lost, and what it read is read again."""

import sys
from pathlib import Path

import apsw
import pytest

from steno.memory import Memory
from steno.scribe import weigh
from steno.scribe.weigh import FOLDER, Unheard
from steno.testing import house, said, write_jsonl

RULE = "From now on never push to main without asking me."
LATER = "From now on always run make lint before you commit."


def deafen(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The weights are gone."""
    monkeypatch.setattr(weigh, "FOLDER", folder / "no weights")


def hear(memory: Memory, folder: Path, text: str) -> None:
    number = len(memory.sessions()) + 1
    line = said(text, session=f"s{number}", id=f"{number}", at=f"2026-01-01T0{number}:00:00Z", project="/shop")
    memory.capture(write_jsonl(folder / f"{number}.jsonl", line), source="jsonl")


def critical(memory: Memory) -> list[str]:
    return [rule.rule for rule in memory.rules.all("critical")]


def test_a_runtime_that_does_not_load_is_told_by_status_and_boot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hearing").symlink_to(FOLDER)
    monkeypatch.setattr(weigh, "FOLDER", tmp_path / "hearing")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with house(tmp_path) as memory:
        assert memory.status().unheard.startswith("the scribe cannot weigh words: ")
        assert "the scribe cannot weigh words" in memory.boot().text
