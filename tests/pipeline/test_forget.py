"""Forget: no byte is left, and it does not come back."""

from pathlib import Path

import pytest

from steno.testing import house, said, texts, write_jsonl
from steno.vocabulary import Forgotten
from steno.vocabulary.errors import UnknownTurn, WrongUse

CANARY = "canary-8f3a"


def files_with(home: Path, text: str) -> list[str]:
    """Names of files that hold the text. Read only after the store is closed: reading an open one drops its locks."""
    return [str(file) for file in home.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def test_a_forgotten_text_is_in_no_file_and_does_not_come_back(tmp_path: Path) -> None:
    path = write_jsonl(
        tmp_path / "t.jsonl",
        said(f"the {CANARY} sings", id="1"),
        said("nothing here", id="2"),
        said("in a name", id="3", tool=CANARY),
    )
    with house(tmp_path) as memory:
        memory.capture(path)
        assert memory.forget(text=CANARY, only_count=True) == Forgotten(turns=2, sessions=0)
        assert memory.forget(text=CANARY) == Forgotten(turns=2, sessions=0)
        assert texts(memory) == ["nothing here"]
        assert memory.recall(CANARY) == []
    assert files_with(tmp_path / "steno", CANARY) == []
    with house(tmp_path) as memory:
        path.touch()
        memory.capture(path)
        memory.capture(write_jsonl(tmp_path / "copy.jsonl", said(f"the {CANARY} sings", id="1")))
        assert texts(memory) == ["nothing here"]
        assert all(check.ok for check in memory.doctor())


def test_briefings_that_an_earlier_version_kept_go_too(tmp_path: Path) -> None:
    kept = tmp_path / "steno" / "ready" / "late"
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said(f"the {CANARY} sings")))
        kept.parent.mkdir()
        kept.write_text(f"You were told of the {CANARY}.", "utf-8")
        memory.forget(text=CANARY)
    assert not kept.parent.exists()


def test_a_text_is_found_inside_json_too(tmp_path: Path) -> None:
    text = 'say "canary"\nloudly'
    call = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": f"echo {text}"}}
    line = {
        "type": "assistant",
        "uuid": "u",
        "sessionId": "s",
        "message": {"role": "assistant", "content": [call]},
    }
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line), source="claude-code")
        assert memory.forget(text=text).turns == 1


def test_a_prompt_that_still_waits_in_a_queue_is_forgotten_too(tmp_path: Path) -> None:
    queued = {"type": "queue-operation", "operation": "enqueue", "sessionId": "s", "content": f"the {CANARY}"}
    line = {"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": "hello"}}
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line, queued), source="claude-code")
        memory.forget(text=CANARY)
    assert files_with(tmp_path / "steno", CANARY) == []


def test_facts_of_a_session_are_forgotten_too(tmp_path: Path) -> None:
    line = said("hello", project=f"/work/{CANARY}", agent=CANARY)
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line))
        memory.forget(text=CANARY)
        [found] = memory.sessions()
        assert (found.session.project, found.session.directory, found.session.agent) == (None, None, None)
    assert files_with(tmp_path / "steno", CANARY) == []


def test_a_session_can_be_forgotten(tmp_path: Path) -> None:
    lines = [said("one", session="a"), said("two", session="b"), said("three", session="a")]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        assert memory.forget(session="a") == Forgotten(turns=2, sessions=1)
        assert texts(memory) == ["two"]
        assert [found.session.session for found in memory.sessions()] == ["b"]


def test_a_turn_can_be_forgotten(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("one"), said("two")))
        assert memory.forget(turn=1).turns == 1
        with pytest.raises(UnknownTurn, match="there is no turn 1"):
            memory.forget(turn=1)
        assert texts(memory) == ["two"]


def test_a_stretch_of_time_can_be_forgotten(tmp_path: Path) -> None:
    lines = [said(f"{hour} o'clock", at=f"2026-02-01T{hour:02}:00:00Z") for hour in (9, 10, 11, 12)]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines, said("no time")))
        memory.forget(since="2026-02-01T10:00:00.000Z", until="2026-02-01T12:00:00.000Z")
        assert texts(memory) == ["9 o'clock", "12 o'clock", "no time"]


def test_what_to_forget_must_be_said_exactly(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        for wrong in ({}, {"session": "a", "text": "b"}, {"text": "  "}):
            with pytest.raises(WrongUse):
                memory.forget(**wrong)  # type: ignore[arg-type]
