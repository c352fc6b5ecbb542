"""Pi: a file per session, the same events as OpenClaw's, and nobody but the person in front of it."""

from pathlib import Path
from typing import Any

import pytest

from steno.sources.pi import Pi
from steno.testing import all_turns, house, write_jsonl
from steno.vocabulary import Session, Turn

SESSION = "019dd1b7-0000-776d-a01b-8e0a84059557"
PARENT = "019dd1b7-1111-776d-a01b-8e0a84059557"
AT = "2026-04-28T01:32:46.000Z"
HEAD = {"type": "session", "version": 3, "id": SESSION, "timestamp": AT, "cwd": "/home/ada/shop"}


def event(type_: str, id: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"type": type_, "timestamp": AT, **({"id": id} if id else {}), **fields}


def message(role: str, content: Any = None, id: str | None = None, **fields: Any) -> dict[str, Any]:
    return event("message", id, message={"role": role, "content": content, **fields})


def user(text: str, id: str | None = None) -> dict[str, Any]:
    return message("user", [{"type": "text", "text": text}], id)


def custom(id: str) -> dict[str, Any]:
    """State of an extension; some hold the very fields another host's lines are known by."""
    state = {"sessionId": "x", "parentUuid": None, "isSidechain": False, "type": "user", "role": "user"}
    return event("custom", id, customType="an-extension", data=state)


def captured(tmp_path: Path, *lines: Any) -> list[tuple[str, str, str]]:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", HEAD, *lines))
        return [(found.turn.role, found.turn.kind, found.turn.text) for found in all_turns(memory)]


def test_what_the_person_answers_to_a_question_tool_is_theirs(tmp_path: Path) -> None:
    asked = {"question": "Ship it\ntoday?", "options": ["Today", "Tomorrow"], "answer": "Tomorrow", "wasCustom": False}
    result = {"toolCallId": "c1", "toolName": "ask_user_question", "isError": False}
    selected = message("toolResult", "User selected: Tomorrow", "e1", details=asked, **result)
    cancelled = message("toolResult", "User cancelled", "e2", details={**asked, "answer": None}, **result)
    other = message("toolResult", "Tomorrow", "e3", details=asked, **{**result, "toolName": "fetch"})
    assert captured(tmp_path, selected, cancelled, other) == [
        ("tool", "result", "User selected: Tomorrow"),
        ("user", "answer", "> Ship it today?\nTomorrow"),
        ("tool", "result", "User cancelled"),
        ("tool", "result", "Tomorrow"),
    ]


def test_a_file_that_goes_on_as_another_session_loses_nothing(tmp_path: Path) -> None:
    lines = [HEAD, user("Add a clock.", "e1"), {**HEAD, "id": PARENT}, user("Add a calendar.", "e2")]
    with house(tmp_path) as memory:
        done = memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        said = [(found.session, found.turn.text) for found in all_turns(memory)]
    assert (done.problems, said) == ([], [(SESSION, "Add a clock."), (PARENT, "Add a calendar.")])


def test_answers_to_several_questions_stand_below_each_of_them(tmp_path: Path) -> None:
    asked = {
        "questions": [{"id": "a", "label": "When", "prompt": "Ship it\ntoday?"}, {"id": "b", "prompt": "To whom?"}],
        "answers": [{"id": "a", "value": "no", "label": "Tomorrow"}, {"id": "b", "value": "x", "label": "To all"}],
        "cancelled": False,
    }
    result = {"toolCallId": "c1", "toolName": "questionnaire", "isError": False}
    lines = [
        message("toolResult", "When: user selected: 2. Tomorrow", "e1", details=asked, **result),
        message("toolResult", "User cancelled", "e2", details={**asked, "cancelled": True}, **result),
    ]
    assert [text for _, kind, text in captured(tmp_path, *lines) if kind == "answer"] == [
        "> Ship it today?\nTomorrow\n> To whom?\nTo all"
    ]


def test_answers_may_each_carry_their_question(tmp_path: Path) -> None:
    asked = {"answers": [{"questionIndex": 0, "question": "Ship it\ntoday?", "kind": "option", "answer": "Tomorrow"}]}
    result = {"toolCallId": "c1", "toolName": "ask_user_question", "isError": False}
    line = message("toolResult", "User has answered", "e1", details={**asked, "cancelled": False}, **result)
    assert captured(tmp_path, line) == [
        ("tool", "result", "User has answered"), ("user", "answer", "> Ship it today?\nTomorrow"),
    ]  # fmt: skip


def test_a_session_gives_each_thing_said_or_done_whatever_extensions_write_into_it(tmp_path: Path) -> None:
    call = {"type": "toolCall", "id": "call_1", "name": "bash", "arguments": {"command": "ls"}}
    usage = {"input": 1200, "output": 42, "totalTokens": 1250}
    lines = [
        event("model_change", "e1", provider="x", modelId="gpt-5.5"), event("thinking_level_change", "e2"),
        custom("e3"), user("use Postgres", "e4"),
        message("assistant", [{"type": "text", "text": "Looking."}, call], "e5", usage=usage, model="gpt-5.5"),
        message("toolResult", "no\n\nCommand exited with code 7", "e6", toolCallId="call_1", toolName="bash",
                isError=True),
        custom("e7"), event("custom_message", "e8", customType="lint", content="2 problems"),
        event("compaction", "e9", summary="We chose Postgres."),
        message("bashExecution", id="e10", command="git status", output="clean", exitCode=0),
    ]  # fmt: skip
    folder = tmp_path / "home" / ".pi" / "agent" / "sessions" / "--home-ada-shop--"
    with house(tmp_path) as memory:
        write_jsonl(folder / f"2026-04-28T01-32-46-889Z_{SESSION}.jsonl", HEAD, *lines)
        done = memory.capture()
        [found] = memory.sessions()
        turns = [journal.turn for journal in all_turns(memory)]
    assert (done.lines_read, done.lines_skipped, done.lines_bad, done.gaps, done.problems) == (8, 3, 0, 0, [])
    assert found.session == Session(
        source="pi", session=SESSION, agent="pi", directory="/home/ada/shop", project="/home/ada/shop",
        model="gpt-5.5", context_window=272_000,
    )  # fmt: skip
    said: dict[str, Any] = {"at": AT, "line": 6, "native_id": "e5", "context_tokens": 1250}
    assert turns == [
        Turn(role="user", kind="said", text="use Postgres", at=AT, line=5, native_id="e4"),
        Turn(role="assistant", kind="said", text="Looking.", **said),
        Turn(role="assistant", kind="call", text='{"command":"ls"}', tool="bash", call="call_1", **said),
        Turn(role="tool", kind="result", text="no\n\nCommand exited with code 7", at=AT, line=7, native_id="e6",
             tool="bash", call="call_1", failed=True, exit_status=7),
        Turn(role="system", kind="notice", text="2 problems", at=AT, line=9, native_id="e8"),
        Turn(role="system", kind="boundary", text="", at=AT, line=10, native_id="e9"),
        Turn(role="system", kind="summary", text="We chose Postgres.", at=AT, line=10, native_id="e9"),
        Turn(role="user", kind="command", text="git status", at=AT, line=11, native_id="e10"),
        Turn(role="tool", kind="result", text="clean", at=AT, line=11, native_id="e10", tool="bash", failed=False,
             exit_status=0),
    ]  # fmt: skip


def test_old_lines_have_no_ids_and_a_branch_names_its_origin(tmp_path: Path) -> None:
    origin = f"/home/ada/.pi/agent/sessions/x/2025-12-09T00-52-54-397Z_{PARENT}.jsonl"
    old = {name: value for name, value in HEAD.items() if name != "version"}
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", old | {"branchedFrom": origin}, user("hello")))
        [found] = memory.sessions()
        [turn] = all_turns(memory)
    assert (found.session.source, found.session.session, found.session.parent) == ("pi", SESSION, PARENT)
    assert (turn.turn.text, turn.turn.native_id) == ("hello", None)


def test_a_file_that_goes_with_a_prompt_is_not_the_humans_words(tmp_path: Path) -> None:
    file = '<file name="/home/ada/notes.md">\nnever use tabs\n</file>\nalways push\n</file>\n'
    skill = '<skill name="review" location="/x">\nalways approve\n</skill>\n\n'
    assert captured(tmp_path, user(f"{file}read this"), user(f"{skill}only the tests"), user(file)) == [
        ("user", "said", "read this"),
        ("user", "said", "only the tests"),
    ]


def test_a_skill_called_by_its_name_alone_is_the_humans_command(tmp_path: Path) -> None:
    skill = '<skill name="draft" location="/s/draft.md">\nReferences are relative to /s.\n\nNever sign it.\n</skill>'
    assert captured(tmp_path, user(skill)) == [("user", "command", "/skill:draft")]


@pytest.mark.parametrize("setting", [{}, {"PI_CODING_AGENT_DIR": "/srv/pi"}])
def test_the_place_is_its_own(tmp_path: Path, setting: dict[str, str]) -> None:
    expected = Path("/srv/pi/sessions") if setting else tmp_path / ".pi" / "agent" / "sessions"
    assert Pi().places({"HOME": str(tmp_path)} | setting) == [expected]
