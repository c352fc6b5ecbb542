"""What is forgotten leaves no byte in any file under the home, and does not come back."""

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest
from msgspec import structs

from steno.testing import all_turns, house, said, texts, write_jsonl
from steno.vocabulary import Captured
from steno.vocabulary.acts import Who
from steno.vocabulary.errors import StoreBusy


def unsound(folder: Path) -> list[str]:
    """What doctor finds wrong."""
    with house(folder) as memory:
        return [f"{check.name}: {check.detail}" for check in memory.doctor() if not check.ok]


def every_byte(folder: Path) -> bytes:
    """All files of a closed store."""
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def fill(folder: Path, *canaries: dict[str, Any]) -> Path:
    """A store's worth of ordinary turns, some of them a person's, with the canaries among them."""
    ordinary = [
        said(f"ordinary words number {number}", id=f"o{number}", role="user" if number % 20 == 0 else "tool")
        for number in range(400)
    ]
    step = len(ordinary) // (len(canaries) + 1)
    lines = []
    for number, line in enumerate(ordinary):
        lines.append(line)
        if number % step == step - 1 and number // step < len(canaries):
            lines.append(canaries[number // step])
    return write_jsonl(folder / "t.jsonl", *lines)


CANARY = "Xanaryqv7Zeta"
PLACES = {
    "text": said(f"the word is {CANARY}, keep it", id="c"),
    "text alone": said(CANARY, id="c"),
    "text without id": said(f"the word is {CANARY}, keep it"),
    "long text": said(f"{'long ' * 5000} {CANARY} {'long ' * 5000}", id="c"),
    "tool": said("ran it", id="c", role="tool", tool=f"mcp__{CANARY}"),
    "native id": said("some words", id=f"id-{CANARY}"),
    "session": said("some words", id="c", session=f"session-{CANARY}"),
    "agent": said("some words", id="c", session="other", agent=CANARY),
    "project": said("some words", id="c", session="other", project=CANARY),
    "directory": said("some words", id="c", session="other", project=f"/home/{CANARY}/x"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_forgotten_text_leaves_no_byte_wherever_it_stood(tmp_path: Path, place: str) -> None:
    path = fill(tmp_path, PLACES[place])
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
    assert CANARY.encode() in every_byte(tmp_path / "steno")
    with house(tmp_path) as memory:
        memory.forget(text=CANARY)
        assert memory.recall(CANARY) == []
        assert len([text for text in texts(memory) if text.startswith("ordinary")]) == 400
    left = every_byte(tmp_path / "steno").lower()
    assert CANARY.lower().encode() not in left
    # The index keeps stems: of a word that is gone not even its stem may be left.
    assert CANARY.lower().encode()[:-1] not in left
    assert unsound(tmp_path) == []


@pytest.mark.parametrize("place", PLACES)
def test_a_forgotten_text_does_not_come_back_from_the_same_file_or_a_copy_of_it(tmp_path: Path, place: str) -> None:
    path = fill(tmp_path, PLACES[place])
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        memory.forget(text=CANARY)
        assert memory.capture(path, source="jsonl").turns == 0
        os.utime(path, ns=(1, 1))
        assert memory.capture(path, source="jsonl").turns == 0
        rewritten = tmp_path / "copy.jsonl"
        shutil.copy(path, rewritten)
        write_jsonl(rewritten, said("one more", id="one more"))
        assert memory.capture(rewritten, source="jsonl").turns == 1
        rewritten.replace(path)
        assert memory.capture(path, source="jsonl").turns == 0
        assert memory.recall(CANARY) == []
    assert CANARY.encode() not in every_byte(tmp_path / "steno")
    assert unsound(tmp_path) == []


@pytest.mark.parametrize(
    "canary",
    ['quoted "canary" qx', "line\nbroken canary qx", "back\\slash canary qx", "tab\tcanary qx", "Ümläut-canary-qx"],
)
def test_a_forgotten_text_leaves_no_byte_of_its_json_form(tmp_path: Path, canary: str) -> None:
    call = {
        "type": "assistant", "uuid": "a1", "sessionId": "c1", "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": canary}}]},
    }  # fmt: skip
    path = write_jsonl(tmp_path / "c.jsonl", call, {**call, "uuid": "a2", "message": {"content": "other words"}})
    with house(tmp_path) as memory:
        memory.capture(path, source="claude-code")
        assert memory.forget(text=canary, only_count=True).turns == 1
        assert memory.forget(text=canary).turns == 1
        assert texts(memory) == ["other words"]
    left = every_byte(tmp_path / "steno")
    for form in (canary, json.dumps(canary, ensure_ascii=False)[1:-1], json.dumps(canary)[1:-1], "canary"):
        assert form.encode() not in left


@pytest.mark.parametrize("way", ["session", "turn", "time"])
def test_what_is_forgotten_by_session_turn_or_time_leaves_no_byte_either(tmp_path: Path, way: str) -> None:
    name = "session-Qxanary" if way == "session" else "plain"
    line = said("Qxanary words", id="c", session=name, agent="agent-Qxanary", at="2026-03-01T00:00:00Z")
    path = fill(tmp_path, line)
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        if way == "session":
            who = Who(by="agent", evidence="an open call", door="hook", seen="steno pause # Qxanary", session=name)
            memory.authority.ask("pause", "steno pause # Qxanary", None, who, call="call-Qxanary")
            memory.authority.did("pause", "steno pause # Qxanary", "", structs.replace(who, by="person"))
        number = next(item.id for item in all_turns(memory) if item.session == name)
        ways: dict[str, dict[str, Any]] = {
            "session": {"session": name}, "turn": {"turn": number},
            "time": {"since": "2026-02-01T00:00:00.000Z", "until": "2026-04-01T00:00:00.000Z"},
        }  # fmt: skip
        assert memory.forget(**ways[way]).turns == 1
    assert b"xanary" not in every_byte(tmp_path / "steno")
    assert unsound(tmp_path) == []


QUEUED = {
    "type": "queue-operation", "operation": "enqueue", "sessionId": "c1", "timestamp": "2026-01-01T00:00:01.000Z",
    "content": "remember Qxanary now",
}  # fmt: skip


@pytest.mark.parametrize("fate", ["waits", "was told"])
@pytest.mark.parametrize("way", [{"text": "Qxanary"}, {"session": "c1"}])
def test_a_prompt_that_a_parser_still_remembers_is_forgotten_too(
    tmp_path: Path, fate: str, way: dict[str, str]
) -> None:
    first = {"type": "user", "uuid": "u1", "sessionId": "c1", "message": {"content": "hello"}}
    removed = {**QUEUED, "operation": "remove"}
    path = write_jsonl(tmp_path / "c.jsonl", first, QUEUED, *([removed] if fate == "was told" else []))
    with house(tmp_path) as memory:
        memory.capture(path, source="claude-code")
    assert b"Qxanary" in every_byte(tmp_path / "steno")
    with house(tmp_path) as memory:
        memory.forget(**way)
    assert b"Qxanary" not in every_byte(tmp_path / "steno")


@pytest.mark.parametrize("seed", range(3))
def test_of_many_forgotten_texts_in_a_large_store_none_leaves_a_byte(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    letters = "bcdfghjklmnpqrtvwxz"
    canaries = ["".join(dice.choices(letters, k=14)) for _ in range(1500)]
    # A few by a person: each time something is forgotten, the scribe reads again what stood beside it.
    lines = [
        said(f"{'pad ' * dice.randrange(200)} {word}", id=f"i{n}", session=f"s{n % 40}", tool=f"tool {word}",
             role="user" if n % 30 == 0 else "tool")
        for n, word in enumerate(canaries)
    ]  # fmt: skip
    path = write_jsonl(tmp_path / "t.jsonl", *lines)
    gone = dice.sample(canaries, 40)
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        for word in gone:
            assert memory.forget(text=word).turns == 1
    left = every_byte(tmp_path / "steno")
    assert [word for word in gone if word.encode() in left] == []
    with house(tmp_path) as memory:
        assert memory.status().turns == 1460
        assert memory.capture(path, source="jsonl") == Captured(transcripts=1, unchanged=1)
    assert unsound(tmp_path) == []


def test_forgetting_while_somebody_reads_says_that_bytes_are_left_and_can_be_repeated(tmp_path: Path) -> None:
    with house(tmp_path, busy_seconds="0.1") as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("word6"), said("word7")), source="jsonl")
        reader = apsw.Connection(str(tmp_path / "steno" / "steno.db"))
        reader.execute("BEGIN")
        list(reader.execute("SELECT count(*) FROM turns"))
        with pytest.raises(StoreBusy, match="another process is reading"):
            memory.forget(text="word7")
        reader.close()
        assert memory.forget(text="word7").turns == 0
    assert b"word7" not in every_byte(tmp_path / "steno")
