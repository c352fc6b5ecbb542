"""Capture: exactly once, whatever happens to the file, and only what the user wants kept."""

import os
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from steno.testing import SteppingClock, all_turns, house, made_up, said, texts, turns_of, write_jsonl
from steno.vocabulary import Action, Briefing, Problem, SessionCaptured, Turn
from steno.vocabulary.errors import StenoError, UnknownSession, UnknownSource

AT = "2026-02-01T10:00:00.000Z"


def test_a_line_becomes_a_turn(tmp_path: Path) -> None:
    line = said("we keep SQLite", id="7", at="2026-02-01T12:00:00+02:00", agent="ada", project="shop", tool="cli")
    with house(tmp_path) as memory:
        result = memory.capture(write_jsonl(tmp_path / "t.jsonl", line))
        assert result.sessions == [SessionCaptured("s1", "jsonl", 1)]
        assert turns_of(memory, "s1") == [
            Turn(role="user", kind="said", text="we keep SQLite", at=AT, line=1, native_id="7", tool="cli")
        ]
        [found] = memory.sessions()
        assert (found.session.agent, found.session.project, found.started_at, found.last_at) == ("ada", "shop", AT, AT)


def test_capturing_twice_brings_nothing_new(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one"), said("two"))
    with house(tmp_path) as memory:
        assert (memory.capture(path).turns, memory.capture(path).turns) == (2, 0)
        assert texts(memory) == ["one", "two"]


def test_only_what_was_added_is_read(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one"))
    with house(tmp_path) as memory:
        memory.capture(path)
        result = memory.capture(write_jsonl(path, said("two")))
        assert (result.turns, result.lines_seen) == (1, 1)


def test_a_dry_run_tells_what_a_capture_brings_and_writes_nothing(tmp_path: Path) -> None:
    samples = Path(__file__).parents[2] / "samples" / "transcripts"
    path = write_jsonl(tmp_path / "t.jsonl", said("one"), said("two"), {"role": "user"})
    with house(tmp_path) as memory:
        memory.capture(path)
        write_jsonl(path, said("three"))
        before = list(memory.export()), structs.asdict(memory.status())
        told = memory.capture(samples, path, tmp_path / "nowhere", dry_run=True)
        assert (told.files[str(path)], told.problems) == (
            1,
            [Problem(f"{tmp_path}/nowhere", "No such file or directory")],
        )
        assert (list(memory.export()), structs.asdict(memory.status())) == before
        assert memory.capture(samples, path, tmp_path / "nowhere") == told


def test_transcripts_are_read_the_oldest_first_whatever_their_names(tmp_path: Path) -> None:
    for age, name in ((1, "b"), (3, "c"), (2, "a")):
        path = write_jsonl(tmp_path / "talks" / f"{name}.jsonl", said(name, session=name))
        os.utime(path, (10**9 - age, 10**9 - age))
    with house(tmp_path) as memory:
        memory.capture(tmp_path / "talks", source="jsonl")
        assert texts(memory) == ["c", "a", "b"]


def test_the_same_words_said_twice_are_two_turns(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("yes"), said("yes"))
    with house(tmp_path) as memory:
        memory.capture(path)
        assert texts(memory) == ["yes", "yes"]


def test_the_same_id_is_one_turn_wherever_it_stands(tmp_path: Path) -> None:
    one = write_jsonl(tmp_path / "a.jsonl", said("one", id="x"))
    two = write_jsonl(tmp_path / "b.jsonl", said("noise", id="n"), said("one", id="x"))
    with house(tmp_path) as memory:
        memory.capture(one, two)
        assert texts(memory) == ["one", "noise"]


def test_a_copied_file_without_ids_brings_nothing_new(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one"), said("two"))
    with house(tmp_path) as memory:
        memory.capture(path)
        assert memory.capture(shutil.copy(path, tmp_path / "copy.jsonl")).turns == 0


def test_a_renamed_file_keeps_its_watermark(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one"))
    with house(tmp_path) as memory:
        memory.capture(path)
        moved = path.rename(tmp_path / "moved.jsonl")
        result = memory.capture(write_jsonl(moved, said("two")))
        assert (result.turns, result.lines_seen) == (1, 1)
        [coverage] = memory.status().sessions
        assert (coverage.lines_seen, coverage.gaps) == (2, 0)


def test_a_transcript_of_which_nothing_can_be_read_is_a_gap_until_something_can(tmp_path: Path) -> None:
    """A host that changes its format must not look like a host that said nothing."""
    strange = {"type": "assistant", "sessionId": "s1", "uuid": "u1", "message": {"parts": ["it moved elsewhere"]}}
    path = write_jsonl(tmp_path / "t.jsonl", strange, strange | {"uuid": "u2"})
    reason = "nothing in it could be read: not one turn in all its lines"
    with house(tmp_path) as memory:
        first, again = memory.capture(path), memory.capture(path)
        assert (first.gaps, first.lines_skipped, first.problems) == (1, 2, [Problem(str(path), reason)])
        assert (again.gaps, again.problems) == (0, [Problem(str(path), reason)])
        status = memory.status()
        assert (status.gaps, status.problems) == (1, [Problem(str(path), reason)])
        assert "gaps in what was captured (`steno status`): 1" in memory.boot().text
        said_at_last = {"type": "user", "sessionId": "s1", "uuid": "u3", "message": {"content": "hello"}}
        grown = memory.capture(write_jsonl(path, said_at_last))
        assert (grown.turns, grown.problems, memory.status().gaps, memory.status().problems) == (1, [], 0, [])


def test_bookkeeping_alone_is_no_gap(tmp_path: Path) -> None:
    """A session that was opened and left again, and a file that is no transcript at all, in a folder of them."""
    write_jsonl(tmp_path / "t.jsonl", {"type": "file-history-snapshot", "sessionId": "s1"})
    write_jsonl(tmp_path / "other.json", {"type": "package", "name": "shop"})
    with house(tmp_path) as memory:
        done = memory.capture(tmp_path, source="claude-code")
        assert (done.transcripts, done.turns, done.gaps, done.problems) == (2, 0, 0, [])


def test_a_rewritten_file_is_read_again_and_nothing_is_doubled(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one", id="1"), said("two", id="2"))
    with house(tmp_path) as memory:
        memory.capture(path)
        path.unlink()
        memory.capture(write_jsonl(path, said("zero", id="0"), said("one", id="1"), said("two", id="2")))
        assert texts(memory) == ["one", "two", "zero"]
        [coverage] = memory.status().sessions
        assert (coverage.turns, coverage.lines_seen, coverage.lines_read) == (3, 3, 3)


def test_a_truncated_file_loses_nothing(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one", id="1"), said("two", id="2"))
    with house(tmp_path) as memory:
        memory.capture(path)
        os.truncate(path, 5)
        memory.capture(path)
        assert texts(memory) == ["one", "two"]


def test_a_file_deleted_before_its_end_was_read_leaves_a_gap(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one"))
    with path.open("ab") as file:
        file.write(b'{"session": "s1", "role": "user", "te')
    with house(tmp_path) as memory:
        memory.capture(path)
        path.unlink()
        assert memory.capture(tmp_path).gaps == 1
        assert memory.capture(tmp_path).gaps == 0
        [coverage] = memory.status().sessions
        assert (coverage.gaps, coverage.problem) == (1, "deleted before it was read to the end")


def test_lag_says_how_long_a_torn_line_has_been_waiting(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one"))
    with path.open("ab") as file:
        file.write(b'{"session')
    clock = SteppingClock("2026-01-01T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        memory.capture(path)
        clock.now = "2026-01-01T12:00:30.500Z"
        [coverage] = memory.status().sessions
        assert coverage.lag_s == 30.5


def test_each_session_of_a_file_knows_its_lines(tmp_path: Path) -> None:
    lines = [said("a", session="x"), said("b", session="y"), "not json", "", said("c", session="y")]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        found = {
            item.session: (item.turns, item.lines_seen, item.lines_read, item.lines_skipped, item.lines_bad)
            for item in memory.status().sessions
        }
    assert found == {"x": (1, 3, 1, 1, 1), "y": (2, 2, 2, 0, 0)}


def test_secrets_are_gone_before_anything_is_written(tmp_path: Path) -> None:
    secret = "sw0rd" + "f1sh-42x"
    line = said(f"use postgres://app:{secret}@db/shop", tool=f"https://me:{secret}@host/x", agent=f"password={secret}")
    with house(tmp_path) as memory:
        result = memory.capture(write_jsonl(tmp_path / "t.jsonl", line))
        assert result.redacted
        assert memory.status().redacted == result.redacted
        [text] = texts(memory)
        assert (text.startswith("use postgres://app:[redacted:"), text.endswith("@db/shop")) == (True, True)
    assert [
        file.name for file in (tmp_path / "steno").rglob("*") if file.is_file() and secret.encode() in file.read_bytes()
    ] == []


@pytest.mark.parametrize("cut", [4, 12, 30])
def test_a_secret_in_two_turns_of_one_speaker_is_kept_in_neither(tmp_path: Path, cut: int) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6" * 3
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said(f"use {token[:cut]}"), said(f"{token[cut:]} for it")))
        first, second = texts(memory)
    marker = first.removeprefix("use ")
    assert marker.startswith("[redacted:github-token:")
    assert (first, second) == (f"use {marker}", f"{marker} for it")


def test_a_path_with_a_secret_in_it_cannot_be_excluded(tmp_path: Path) -> None:
    with house(tmp_path) as memory, pytest.raises(StenoError, match="looks like a secret"):
        memory.exclude("/work/gh" + "p_" + "a1B2c3D4e5F6" * 3)


def test_a_secret_is_no_way_to_tell_two_turns_apart_later(tmp_path: Path) -> None:
    """Identity is made of the words before redaction, so redacting more or less doubles nothing."""
    path = write_jsonl(tmp_path / "t.jsonl", said("the code word is swordfish"))
    with house(tmp_path) as memory:
        memory.capture(path)
    shutil.copy(path, tmp_path / "copy.jsonl")
    with house(tmp_path, redact_patterns="swordfish") as memory:
        assert memory.capture(tmp_path / "copy.jsonl").turns == 0


def claude_line(number: int, text: str, cwd: str | None) -> dict[str, Any]:
    message = {"role": "user", "content": text}
    line = {"type": "user", "uuid": str(number), "sessionId": "s", "isSidechain": False, "message": message}
    return line | ({"cwd": cwd} if cwd else {})


def codex_lines(number: int, text: str, cwd: str | None) -> list[dict[str, Any]]:
    content = [{"type": "input_text", "text": text}]
    said = {"type": "message", "id": f"m{number}", "role": "user", "content": content}
    context = [{"type": "turn_context", "payload": {"cwd": cwd}}] if cwd else []
    return [*context, {"type": "response_item", "payload": said}]


@pytest.mark.parametrize("source", ["claude-code", "codex", "jsonl"])
def test_a_session_that_moves_into_an_excluded_folder_is_off_the_record_there(tmp_path: Path, source: str) -> None:
    moves = [
        ("before", "/shop"),
        ("inside", "/shop/vault"),
        ("deeper", "/shop/vault/x"),
        ("still", None),
        ("after", "/"),
    ]
    lines: list[Any] = []
    for number, (text, cwd) in enumerate(moves):
        match source:
            case "claude-code":
                lines.append(claude_line(number, text, cwd))
            case "codex":
                head = {"type": "session_meta", "payload": {"id": "s", "cwd": "/shop"}}
                lines += [*([] if lines else [head]), *codex_lines(number, text, cwd)]
            case _ if cwd:
                lines.append(said(text, project=cwd))
    with house(tmp_path) as memory:
        memory.exclude("/shop/vault")
        path = tmp_path / "t.jsonl"
        for line in lines:  # read line by line: what is known of the place must outlive a reading
            memory.capture(write_jsonl(path, line), source=source)
        assert texts(memory) == ["before", "after"]
        memory.include("/shop/vault")
        memory.capture(path, source=source)
        assert texts(memory) == ["before", "after"], "what was off the record does not come later"


def test_a_prompt_queued_in_an_excluded_folder_is_in_no_file_of_the_store(tmp_path: Path) -> None:
    def queue(operation: str, text: str) -> dict[str, Any]:
        return {"type": "queue-operation", "operation": operation, "sessionId": "s", "content": text}

    path = write_jsonl(
        tmp_path / "t.jsonl",
        claude_line(1, "before", "/shop"),
        claude_line(2, "inside", "/vault"),
        queue("enqueue", "zebra crossing"),
        queue("remove", "zebra crossing"),
        queue("enqueue", "zebra again"),
    )
    with house(tmp_path) as memory:
        memory.exclude("/vault")
        memory.capture(path, source="claude-code")
        assert texts(memory) == ["before"]
        memory.capture(write_jsonl(path, claude_line(3, "after", "/shop")), source="claude-code")
        assert texts(memory) == ["before", "after"]
    assert b"zebra" not in b"".join(file.read_bytes() for file in (tmp_path / "steno").rglob("*") if file.is_file())


def test_private_blocks_are_not_kept(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("ask <private>Dr. Jones</private> tomorrow")))
        assert texts(memory) == ["ask [private] tomorrow"]


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        (["a <private>b", "c", "d</private> e"], ["a [private]", "[private]", "[private] e"]),
        (["a", "b < PRIVATE\n> c", "d"], ["a", "b [private]", "[private]"]),
        (["a</private>", "b"], ["a</private>", "b"]),
        (["<private>a</private>", "b"], ["[private]", "b"]),
    ],
)
def test_a_private_block_reaches_over_the_parts_of_a_message_and_no_further(
    tmp_path: Path, parts: list[str], kept: list[str]
) -> None:
    def line(uuid: str, *content: dict[str, Any]) -> dict[str, Any]:
        message = {"role": "user", "content": list(content)}
        return {"type": "user", "uuid": uuid, "sessionId": "s", "isSidechain": False, "message": message}

    result = {"type": "tool_result", "tool_use_id": "t", "content": "<private> a tool may say that"}
    path = write_jsonl(
        tmp_path / "t.jsonl",
        line("1", *({"type": "text", "text": part} for part in parts)),
        line("2", {"type": "text", "text": "next"}),
        line("3", result),
        line("4", {"type": "text", "text": "a person's words behind it"}),
    )
    with house(tmp_path) as memory:
        captured = memory.capture(path, source="claude-code")
        assert texts(memory) == [*kept, "next", "[private]", "a person's words behind it"]
        assert captured.redacted["private"] == 1 + ("[private]" in "".join(kept))


@pytest.mark.parametrize("cuts", [(6,), (20,), (6, 20), (3, 30), (2, 6, 10, 14, 38)])
def test_a_token_in_parts_of_a_message_is_not_kept(tmp_path: Path, cuts: tuple[int, ...]) -> None:
    token = made_up("ghp_{base62:36}")[0]
    parts = [token[start:end] for start, end in pairwise((0, *cuts, len(token)))]
    content = [f"it is {parts[0]}", *parts[1:-1], f"{parts[-1]} as you know"]
    path = write_jsonl(tmp_path / "t.jsonl", *(said(text, id=str(n)) for n, text in enumerate(content)))
    with house(tmp_path) as memory:
        captured = memory.capture(path)
        marker = texts(memory)[0].removeprefix("it is ")
        assert marker.startswith("[redacted:github-token:")
        assert texts(memory) == [f"it is {marker}", *[marker] * (len(cuts) - 1), f"{marker} as you know"]
        assert captured.redacted == {"github-token": 1}


def test_turns_of_one_word_are_kept_apart(tmp_path: Path) -> None:
    words = ["yes", "no", "maybe", "so", "ghp_", "short"]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *(said(word, id=word) for word in words)))
        assert texts(memory) == words


def test_redact_applies_new_patterns_to_what_is_stored(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("the code word is swordfish", id="1"), said("hello", id="2"))
    with house(tmp_path) as memory:
        memory.capture(path)
    with house(tmp_path, redact_patterns="swordfish") as memory:
        assert sum(memory.redact().values()) == 1
        assert memory.redact() == {}
        assert "swordfish" not in " ".join(texts(memory))
        assert memory.recall("swordfish") == []
        assert memory.recall("hello")[0].text == "hello"
        assert all(check.ok for check in memory.doctor())
    files = [file for file in (tmp_path / "steno").rglob("*") if file.is_file()]
    assert [file.name for file in files if b"swordfish" in file.read_bytes()] == []


def test_redact_goes_over_paths_receipts_uses_agents_and_exclusions(tmp_path: Path) -> None:
    folder, settings = tmp_path / "swordfish", {"redact_patterns": "swordfish"}
    path = write_jsonl(folder / "t.jsonl", said("we keep the ledger in SQLite", session="swordfish-1"))
    left_out = write_jsonl(folder / "vault" / "deep" / "t.jsonl", said("the plan", session="2"))
    with house(tmp_path) as memory:
        memory.exclude(str(folder / "vault"))
        memory.capture(path, left_out)
        memory.brief(0, "swordfish-1")
        memory.before(Action(agent="swordfish-bot", text="look around", session="swordfish-1"))
        memory.recall("ledger", session="swordfish-1")
        memory.pause()
    with house(tmp_path, **settings) as memory:
        given = len(memory.receipts())
        assert memory.redact() == {"elsewhere": 8}
        assert memory.redact() == {}
        memory.resume()
        assert len(memory.receipts()) == given
        assert [receipt.kind for receipt in memory.receipts("swordfish-1")] == ["brief", "gate"]
        assert memory.excluded() == [f"{tmp_path}/*/vault"]
        again = memory.capture(path, left_out)
        assert (again.turns, again.excluded) == (0, 1)
        assert all(check.ok for check in memory.doctor())
    files = [file for file in (tmp_path / "steno").rglob("*") if file.is_file()]
    assert [file.name for file in files if b"swordfish" in file.read_bytes()] == []


def test_an_excluded_project_is_not_captured_until_it_is_included_again(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("secret plan", project="/work/private/app"))
    with house(tmp_path) as memory:
        memory.exclude("/work/private")
        result = memory.capture(path)
        assert (result.turns, result.excluded, memory.excluded()) == (0, 1, ["/work/private"])
        memory.include("/work/private")
        assert memory.capture(path).turns == 1


def test_an_excluded_path_is_not_captured(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "in" / "a.jsonl", said("yes", session="a"))
    write_jsonl(tmp_path / "out" / "b.jsonl", said("no", session="b"))
    with house(tmp_path) as memory:
        memory.exclude(str(tmp_path / "out"))
        memory.capture(tmp_path)
        assert texts(memory) == ["yes"]


def test_one_excluded_session_does_not_take_its_neighbours_along(tmp_path: Path) -> None:
    lines = [said("no", session="a", project="/private"), said("yes", session="b", project="/shop")]
    with house(tmp_path) as memory:
        memory.exclude("/private")
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        assert texts(memory) == ["yes"]


def test_what_is_said_during_a_pause_stays_off_the_record(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("before", at="2026-01-01T11:59:59Z"))
    clock = SteppingClock("2026-01-01T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        memory.pause()
        with pytest.raises(StenoError, match="paused since 2026-01-01T12:00"):
            memory.capture(path)
        write_jsonl(path, said("during", at="2026-01-01T12:30:00Z"), said("after", at="2026-01-01T13:00:00Z"))
        clock.now = "2026-01-01T13:00:00.000Z"
        assert memory.status().paused == "2026-01-01T12:00:00.000Z"
        memory.resume()
        memory.capture(path)
        assert texts(memory) == ["before", "after"]


@pytest.mark.parametrize("resumed", ["2026-01-01T10:30:00.000Z", "2026-01-01T12:40:00.000Z"])
def test_what_a_known_transcript_says_during_a_pause_is_dropped_whatever_its_time(tmp_path: Path, resumed: str) -> None:
    """The clock may be set back and left so, or put right before the pause ended."""
    place = tmp_path / "home" / ".claude" / "projects" / "p"

    def spoke(name: str, text: str, at: str) -> None:
        line = claude_line(0, text, "/shop") | {"uuid": text, "sessionId": name, "timestamp": at}
        write_jsonl(place / f"{name}.jsonl", line)

    clock = SteppingClock("2026-01-01T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        spoke("old", "one", "2026-01-01T09:00:00Z")
        memory.capture()
        spoke("old", "two", "2026-01-01T11:59:00Z")
        spoke("unread", "three", "2026-01-01T11:59:00Z")
        memory.pause()
        spoke("old", "zebra", "2026-01-01T12:10:00Z")
        spoke("old", "zebra, an hour back", "2026-01-01T10:05:00Z")
        queued = {"type": "queue-operation", "operation": "enqueue", "sessionId": "old", "content": "zebra, queued"}
        write_jsonl(place / "old.jsonl", queued | {"timestamp": "2026-01-01T10:06:00Z"})
        clock.now = resumed
        memory.pause()  # they asked twice
        memory.resume()
        for name in ("old", "unread"):
            spoke(name, f"after in {name}", resumed)
        memory.capture()
        assert sorted(texts(memory)) == ["after in old", "after in unread", "one", "three", "two"]
        assert memory.status().paused is None
    assert b"zebra" not in b"".join(file.read_bytes() for file in (tmp_path / "steno").rglob("*") if file.is_file())


def test_a_pause_in_the_middle_of_a_first_reading_loses_nothing_that_was_said_before(tmp_path: Path) -> None:
    for age, name in enumerate(("b", "a")):
        path = write_jsonl(tmp_path / "t" / f"{name}.jsonl", said(name, session=name, at="2026-03-01T09:00:00Z"))
        os.utime(path, (10**9 - age, 10**9 - age))
    with house(tmp_path, clock=SteppingClock("2026-03-01T12:00:00.000Z")) as memory:
        memory.capture(tmp_path / "t", progress=lambda done, total: memory.pause())
        assert texts(memory) == ["a"]
        memory.resume()
        memory.capture(tmp_path / "t")
        assert texts(memory) == ["a", "b"]


def test_the_assistants_part_can_be_left_out(tmp_path: Path) -> None:
    lines = [said("do it"), said("done", role="assistant"), said("ok", role="tool"), said("note", role="system")]
    with house(tmp_path, capture_assistant="off") as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        assert texts(memory) == ["do it", "note"]


def test_an_unknown_source_names_the_known_ones(tmp_path: Path) -> None:
    with house(tmp_path) as memory, pytest.raises(UnknownSource) as raised:
        memory.capture(tmp_path, source="chatgpt")
    assert (str(raised.value), raised.value.hint, raised.value.exit_code) == (
        "no source is called 'chatgpt'",
        "the known ones are claude-code, codex, openclaw, pi, jsonl, notes, git",
        2,
    )


def test_a_transcript_of_a_host_we_cannot_read_yet_is_named(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text('{\n  "sessionId": "x",\n  "projectHash": "y",\n  "messages": []\n}')
    with house(tmp_path) as memory:
        [problem] = memory.capture(tmp_path).problems
    assert (problem.path, problem.reason) == (str(path), "a transcript of gemini, which is not readable yet")


def test_files_of_nobody_are_passed_over_unless_they_were_named(tmp_path: Path) -> None:
    stranger = write_jsonl(tmp_path / "in" / "shopping.jsonl", {"milk": 2})
    with house(tmp_path) as memory:
        assert memory.capture(tmp_path / "in").problems == []
        [problem] = memory.capture(stranger).problems
        assert problem.reason == "cannot tell which host wrote it; name the source with --source"


def test_the_hosts_own_places_are_found(tmp_path: Path) -> None:
    line = {
        "type": "user",
        "uuid": "u",
        "sessionId": "s",
        "timestamp": AT,
        "message": {"role": "user", "content": "hi"},
    }
    write_jsonl(tmp_path / "home" / ".claude" / "projects" / "-work-shop" / "s.jsonl", line)
    with house(tmp_path) as memory:
        memory.capture()
        assert texts(memory) == ["hi"]


def test_a_session_can_be_named_by_its_beginning_if_it_is_the_only_one(tmp_path: Path) -> None:
    lines = [said("one", session="abc-1"), said("two", session="abd-2")]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        assert [found.turn.text for found in memory.turns("abc")] == ["one"]
        with pytest.raises(UnknownSession, match="several sessions begin with 'ab'"):
            list(memory.turns("ab"))
        with pytest.raises(UnknownSession, match="no session 'zzz'"):
            list(memory.turns("zzz"))


def test_turns_come_in_the_order_they_were_said(tmp_path: Path) -> None:
    words = [f"turn {number}" for number in range(2500)]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *map(said, words)))
        assert [found.turn.text for found in memory.turns("s1")] == words
        assert len(all_turns(memory)) == 2500


def test_two_hosts_with_the_same_session_id_are_told_apart(tmp_path: Path) -> None:
    line = {"type": "user", "uuid": "u", "sessionId": "s1", "message": {"role": "user", "content": "from claude"}}
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "a.jsonl", said("from elsewhere")), source="jsonl")
        memory.capture(write_jsonl(tmp_path / "b.jsonl", line), source="claude-code")
        with pytest.raises(UnknownSession, match="two hosts have a session 's1'"):
            list(memory.turns("s1"))
        assert [found.turn.text for found in memory.turns("claude-code:s1")] == ["from claude"]


def test_the_latest_session_can_be_named_so(tmp_path: Path) -> None:
    lines = [said("new", session="b", at="2026-02-02T10:00:00Z"), said("old", session="a", at="2026-02-01T10:00:00Z")]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        assert [found.turn.text for found in memory.turns("latest")] == ["new"]


def test_a_file_that_could_never_be_read_is_in_the_status_until_it_can(tmp_path: Path) -> None:
    path = tmp_path / "in" / "t.jsonl"
    path.parent.mkdir()
    os.mkfifo(path)
    with house(tmp_path) as memory:
        memory.capture(tmp_path / "in")
        assert [(problem.path, problem.reason) for problem in memory.status().problems] == [
            (str(path), "not a regular file")
        ]
        path.unlink()
        assert memory.status().problems == []
        memory.capture(write_jsonl(path, said("now it works")))
        assert (memory.status().problems, texts(memory)) == ([], ["now it works"])


def test_a_pattern_to_exclude_is_taken_as_the_user_means_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "clients" / "acme").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "clients")
    path = write_jsonl(tmp_path / "t.jsonl", said("secret plan", project=str(tmp_path / "clients" / "acme")))
    for pattern in ("~/clients/*", str(tmp_path / "link")):
        with house(tmp_path) as memory:
            memory.exclude(pattern)
            assert (memory.capture(path).turns, memory.excluded()[0].startswith(str(tmp_path / "clients"))) == (0, True)
            memory.include(pattern)


def test_one_transcript_nobody_can_understand_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_jsonl(tmp_path / "in" / "a.jsonl", said("one", session="a"))
    write_jsonl(tmp_path / "in" / "b.jsonl", said("two", session="b"))
    from steno.sources.jsonl import JsonlLines

    turns = JsonlLines.turns

    def broken(self: JsonlLines, line: object, number: int) -> object:
        if getattr(line, "session", None) == "a":
            raise KeyError("nobody thought of this")
        return turns(self, line, number)  # type: ignore[arg-type]

    monkeypatch.setattr(JsonlLines, "turns", broken)
    with house(tmp_path) as memory:
        [problem] = memory.capture(tmp_path / "in").problems
        assert problem.reason == "cannot be understood: KeyError: 'nobody thought of this'"
        assert texts(memory) == ["two"]


@pytest.mark.parametrize("at", ["2026-19-39T29:00:00.000Z", "2026-02-31T10:00:00.000Z"])
def test_an_impossible_time_is_no_time(tmp_path: Path, at: str) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("hi", at=at)))
        assert [turn.at for turn in turns_of(memory, "s1")] == [None]


def test_a_secret_in_a_path_or_in_the_id_a_hook_tells_is_in_no_file(tmp_path: Path) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6" * 3
    path = write_jsonl(tmp_path / token / "t.jsonl", said("one"))
    bad = tmp_path / token / "bad.jsonl"
    bad.write_text("neither a transcript nor JSON\n")
    with house(tmp_path) as memory:
        assert memory.capture(path, bad, source="jsonl").turns == 1
        assert memory.capture(path, source="jsonl").unchanged == 1
        memory.boot(session=token)
        memory.given(Briefing(text="words", tokens=1, tier=None, session=token, at="", agent="ada"), "prompt")
        memory.recall("one", session=token)
        assert {receipt.session for receipt in memory.receipts(token)} == {memory.receipts()[0].session}
    kept = [file for file in (tmp_path / "steno").rglob("*") if file.is_file()]
    assert [file.name for file in kept if token.encode() in file.read_bytes()] == []
    with house(tmp_path) as memory:
        write_jsonl(path, said("two"))
        assert memory.capture(path, source="jsonl").turns == 1


def test_what_is_written_behind_half_a_line_during_a_pause_is_passed_over(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("one", at="2026-03-02T09:00:00Z"))
    with house(tmp_path) as memory:
        memory.capture(path)
        whole = path.read_bytes()
        path.write_bytes(whole + b'{"session": "s", "role": "us')
        memory.pause()
        path.write_bytes(whole)
        # The clock was set back meanwhile.
        write_jsonl(path, said("off the record", at="2026-01-01T09:00:00Z"))
        memory.resume()
        write_jsonl(path, said("two", at="2026-03-02T09:00:00Z"))
        memory.capture(path)
        assert texts(memory) == ["one", "two"]


def test_a_table_of_numbers_called_tokens_is_kept(tmp_path: Path) -> None:
    words = "".join(f"token: {number}\n" for number in range(150)) + "please always run the tests"
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said(words)))
        assert texts(memory) == [words]
