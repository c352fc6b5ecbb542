"""The thread in which a model reads along: what is urgent first, and it leaves when it is told to."""

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from steno.daemon.health import Health
from steno.daemon.model import ReadingAlong
from steno.testing import house, said, write_jsonl
from steno.vocabulary.readings import ReadByModel

from ..conftest import wait_until
from .conftest import Daemon


def test_a_session_about_to_be_compacted_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    asked: list[tuple[str | None, bool]] = []

    def read(session: str | None, *, at_once: bool, **_: Any) -> ReadByModel:
        asked.append((session, at_once))
        stop.set()
        return ReadByModel()

    along = ReadingAlong(Health(lambda _: None), stop)
    for _ in range(2):
        along.before_compact("s1")
    with house(tmp_path) as memory:
        monkeypatch.setattr(memory, "read_with_model", read)
        along.read(memory)
    assert asked == [("s1", True)]


def test_before_a_compaction_a_program_is_asked_and_its_note_is_what_the_agent_gets(daemon: Daemon) -> None:
    note = {"section": "rules", "text": "Tabs: “always use tabs here”.", "turns": [1]}
    program = daemon.folder / "model.py"
    program.write_text(
        f"import sys; sys.stdin.read(); print({json.dumps({'entries': [], 'note': [note]})!r})\n", "utf-8"
    )
    daemon.start(model=f"command:{sys.executable} {program}", model_tokens_a_day="100000").answer()
    path = write_jsonl(daemon.folder / "elsewhere.jsonl", said("always use tabs here", session="s"))
    daemon.steno("capture", str(path), "--source", "jsonl")
    daemon.hook("PreCompact", transcript_path=str(path), trigger="auto")
    wait_until(lambda: "Noted by" in daemon.steno("brief", "--session", "s"))
    assert '- Tabs: "always use tabs here".' in daemon.steno("brief", "--session", "s")
