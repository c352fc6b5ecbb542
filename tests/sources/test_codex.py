"""Codex: legacy and paginated rollouts, plain and packed."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from steno.sources.codex import Codex
from steno.vocabulary import Read, Session, Turn, Watermark
from steno.vocabulary.errors import Unreadable

THREAD = "019f0000-aaaa-7000-8000-000000000001"
PARENT = "019f0000-aaaa-7000-8000-000000000009"
NAME = f"rollout-2026-11-15T18-58-09-{THREAD}.jsonl"
Lines = list[dict[str, Any]]


def at(second: int) -> str:
    return f"2026-11-15T18:{58 + second // 60:02}:{second % 60:02}.000Z"


def stamped(lines: Lines, *, ordinals: bool = False) -> Lines:
    """Lines with their time, one second apart, and with their numbers where the form has them."""
    for number, line in enumerate(lines):
        line.setdefault("timestamp", at(number))
        if ordinals:
            line.setdefault("ordinal", number)
    return lines


def meta(**payload: Any) -> dict[str, Any]:
    return {
        "type": "session_meta",
        "payload": {"id": THREAD, "timestamp": at(0), "cwd": "/home/ada/shop", "base_instructions": {"text": "x"}}
        | payload,
    }


def item(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": "response_item", "payload": {"type": type_, **payload}}


def event(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": type_, **payload}}


def user_item(*texts: str, id: str | None = None, kinds: list[str] | None = None) -> dict[str, Any]:
    found = item("message", role="user", content=[{"type": "input_text", "text": text} for text in texts])
    if id:
        found["payload"]["id"] = id
    if kinds:
        found["payload"]["internal_chat_message_metadata_passthrough"] = {"content_item_kinds": kinds}
    return found


def assistant(text: str, **payload: Any) -> dict[str, Any]:
    return item("message", role="assistant", content=[{"type": "output_text", "text": text}], **payload)


def user_event(text: str) -> dict[str, Any]:
    return event("user_message", message=text, images=[])


def user_completed(text: str, id: str = "u-1") -> dict[str, Any]:
    said = {"type": "UserMessage", "id": id, "content": [{"type": "text", "text": text, "text_elements": []}]}
    return event("item_completed", thread_id=THREAD, item=said)


def call(name: str, arguments: str, call_id: str, **payload: Any) -> dict[str, Any]:
    return item("function_call", name=name, arguments=arguments, call_id=call_id, **payload)


def output(call_id: str, text: Any) -> dict[str, Any]:
    return item("function_call_output", call_id=call_id, output=text)


def tokens(number: int) -> dict[str, Any]:
    return event("token_count", info={"last_token_usage": {"total_tokens": number}, "model_context_window": 258400})


def text_of_file(lines: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def write(folder: Path, lines: Lines, name: str = NAME) -> Path:
    path = folder / name
    path.write_bytes(text_of_file(lines))
    return path


def read(path: Path, mark: Watermark | None = None) -> tuple[list[Read], Watermark, list[Session]]:
    """Everything after a watermark. The watermark passes through JSON, as it does in the store."""
    source = Codex()
    (transcript,) = source.transcripts(str(path))
    reads: list[Read] = []
    sessions: list[Session] = []
    mark = mark or Watermark()
    for batch in source.read(transcript, mark):
        reads += batch.turns
        sessions, mark = batch.sessions, batch.watermark
    return reads, msgspec.json.decode(msgspec.json.encode(mark), type=Watermark), sessions


def said(folder: Path, lines: Lines, name: str = NAME) -> list[tuple[str, str, str]]:
    return [(r.turn.role, r.turn.kind, r.turn.text) for r in read(write(folder, lines, name))[0]]


def assert_cuts_do_not_matter(folder: Path, lines: Lines) -> None:
    """Read in two readings, cut after every line, a file gives the same turns and counts as read at once."""
    whole, mark, sessions = read(write(folder, lines))
    for cut in range(len(lines) + 1):
        path = write(folder, lines[:cut])
        first, between, _ = read(path)
        with path.open("ab") as file:
            file.write(text_of_file(lines[cut:]))
        second, after, known = read(path, between)
        assert first + second == whole, f"cut after line {cut}"
        assert (after.gaps, after.lines_read, after.lines_skipped, after.state) == (
            mark.gaps, mark.lines_read, mark.lines_skipped, mark.state,
        )  # fmt: skip
        assert known in (sessions, [])


def legacy() -> Lines:
    """A session of an older version, with everything twice."""
    return stamped([
        meta(git={"branch": "main"}, originator="codex-tui", source="cli"),
        event("task_started", turn_id="t1", model_context_window=258400),
        item("message", role="developer", content=[{"type": "input_text", "text": "<permissions instructions>…"}]),
        user_item("# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>…", "<environment_context>…"),
        {"type": "turn_context", "payload": {"cwd": "/home/ada/shop", "model": "gpt-5.4"}},
        user_item("use Postgres, not SQLite\n"),
        user_event("use Postgres, not SQLite\n"),
        item("reasoning", summary=[{"type": "summary_text", "text": "Weighing it"}], encrypted_content="gAAA"),
        item("reasoning", summary=[], content=None, encrypted_content="gAAA"),
        event("agent_message", message="Looking."),
        assistant("Looking."),
        call("exec_command", '{"cmd":"ls"}', "call_1"),
        tokens(15925),
        event("exec_command_end", call_id="call_1", exit_code=2, aggregated_output="x" * 100),
        output("call_1", "Chunk ID: b8\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nls: no"),
        event("turn_aborted", turn_id="t1", reason="interrupted"),
        user_item("<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>"),
    ])  # fmt: skip


def paginated() -> Lines:
    """A session of a newer version: numbered lines, items with ids, hook context, a compaction."""
    hook = {
        "content_item_kinds": ["hooks.additional_context"],
        "content_item_metadata": [{"provenance": {"hook": True}}],
    }
    ran = {"type": "CommandExecution", "id": "call_9", "status": "completed", "exit_code": 0, "aggregated_output": "ok"}
    summary = assistant("<summary>we chose Postgres</summary>", id="msg_s")
    summary["metadata"] = {"compaction_output": True}
    return stamped([
        meta(session_id=THREAD, history_mode="paginated", source="exec", thread_source="user", git={}),
        event("task_started", model_context_window=258400),
        user_item("<environment_context>…", id="msg_e", kinds=["environments.environment_context"]),
        {"type": "world_state", "payload": {"state": {"big": "x" * 1000}}},
        {"type": "turn_context", "payload": {"cwd": "/home/ada/shop", "model": "gpt-5.4"}},
        item("message", id="msg_h", role="developer", internal_chat_message_metadata_passthrough=hook,
             content=[{"type": "input_text", "text": "HOOK: remembered fact"}]),
        user_item("please run the tool", id="msg_u", kinds=["user.text"]),
        user_completed("please run the tool"),
        call("exec_command", '{"cmd":"true"}', "call_9", id="fc_9"),
        {"type": "token_usage_record", "payload": {"usage": {"total_tokens": 7}}},
        event("item_completed", item=ran),
        output("call_9", "Chunk ID: 9\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\nok"),
        tokens(1242),
        event("item_completed", item={"type": "AgentMessage", "id": "msg_a", "content": [{"text": "Done."}]}),
        assistant("Done.", id="msg_a"),
        tokens(240000),
        summary,
        {"type": "compacted", "payload": {"message": "We chose Postgres.", "replacement_history": [{"y": "y"}]}},
        tokens(6050),
        event("item_completed", item={"type": "ContextCompaction", "id": "cc"}),
        assistant("Going on.", id="msg_b"),
    ], ordinals=True)  # fmt: skip


def test_a_legacy_file_gives_each_thing_said_or_done_once(tmp_path: Path) -> None:
    reads, mark, sessions = read(write(tmp_path, legacy()))
    result = "Chunk ID: b8\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nls: no"
    assert [r.turn for r in reads] == [
        Turn(role="user", kind="said", text="use Postgres, not SQLite\n", at=at(5), line=6),
        Turn(role="assistant", kind="thinking", text="Weighing it", at=at(7), line=8),
        Turn(role="assistant", kind="said", text="Looking.", at=at(10), line=11),
        Turn(role="assistant", kind="call", text='{"cmd":"ls"}', at=at(11), line=12, native_id="call_1",
             tool="exec_command", call="call_1"),
        Turn(role="tool", kind="result", text=result, at=at(14), line=15, native_id="call_1", tool="exec_command",
             call="call_1", failed=True, exit_status=2, context_tokens=15925),
        Turn(role="system", kind="interrupted", text="interrupted", at=at(15), line=16),
    ]  # fmt: skip
    assert sessions == [
        Session(source="codex", session=THREAD, agent="codex", directory="/home/ada/shop", project="/home/ada/shop",
                branch="main", model="gpt-5.4", context_window=258400)
    ]  # fmt: skip
    assert (mark.lines_bad, mark.gaps, mark.lines_of) == (0, 0, {THREAD: 6})
    assert [r.unique for r in reads[:3]] == [None, None, None]


def test_a_paginated_file_gives_each_thing_said_or_done_once(tmp_path: Path) -> None:
    reads, mark, sessions = read(write(tmp_path, paginated()))
    result = "Chunk ID: 9\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\nok"
    assert [r.turn for r in reads] == [
        Turn(role="user", kind="said", text="please run the tool", at=at(6), line=7, native_id="msg_u"),
        Turn(role="assistant", kind="call", text='{"cmd":"true"}', at=at(8), line=9, native_id="fc_9",
             tool="exec_command", call="call_9"),
        Turn(role="tool", kind="result", text=result, at=at(11), line=12, native_id="call_9", tool="exec_command",
             call="call_9", failed=False, exit_status=0),
        Turn(role="assistant", kind="said", text="Done.", at=at(14), line=15, native_id="msg_a", context_tokens=1242),
        Turn(role="system", kind="boundary", text="", at=at(17), line=18, native_id=f"{THREAD}:17"),
        Turn(role="system", kind="summary", text="We chose Postgres.", at=at(17), line=18, native_id=f"{THREAD}:17"),
        Turn(role="assistant", kind="said", text="Going on.", at=at(20), line=21, native_id="msg_b",
             context_tokens=6050),
    ]  # fmt: skip
    assert [(r.session, r.block) for r in reads] == [(THREAD, block) for block in (0, 0, 1, 0, 0, 1, 0)]
    assert len({(r.unique, r.block) for r in reads}) == len(reads)
    assert all(r.unique and r.unique.startswith(f"{THREAD}\0") for r in reads)
    assert (mark.lines_bad, mark.gaps) == (0, 0)
    assert sessions[0].kind == "main"


@pytest.mark.parametrize("lines", [legacy(), paginated()], ids=["legacy", "paginated"])
def test_reading_in_two_parts_gives_the_same_as_reading_at_once(tmp_path: Path, lines: Lines) -> None:
    assert_cuts_do_not_matter(tmp_path, lines)


def test_between_readings_nothing_said_is_kept_in_the_state(tmp_path: Path) -> None:
    _, mark, _ = read(write(tmp_path, stamped([meta(), user_item("my secret is hunter2")])))
    assert "hunter2" not in json.dumps(mark.state)


def test_a_file_that_only_has_items_keeps_the_humans_words(tmp_path: Path) -> None:
    lines = stamped([meta(), user_item("hello"), assistant("hi"), user_item("again"), user_item("and again")])
    assert said(tmp_path, lines) == [
        ("user", "said", "hello"),
        ("assistant", "said", "hi"),
        ("user", "said", "again"),
        ("user", "said", "and again"),
    ]
    assert_cuts_do_not_matter(tmp_path, lines)


def test_a_file_that_only_has_events_keeps_the_humans_words(tmp_path: Path) -> None:
    lines = stamped([meta(), user_event("yes"), assistant("ok"), user_event("yes"), user_event("yes")])
    assert [text for role, _, text in said(tmp_path, lines) if role == "user"] == ["yes", "yes", "yes"]


def test_the_event_may_come_before_the_item_and_words_may_repeat(tmp_path: Path) -> None:
    developer = item("message", role="developer", content=[{"type": "input_text", "text": "x"}])
    pair = [user_event("go on"), developer, user_item("go on")]
    lines = stamped([meta(), *pair, assistant("ok"), *json.loads(json.dumps(pair)), assistant("ok"), *pair[::-1]])
    assert [text for role, _, text in said(tmp_path, lines) if role == "user"] == ["go on"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>",
        "<ENVIRONMENT_CONTEXT>x</ENVIRONMENT_CONTEXT>",
        "<user_instructions>\nbe nice\n</user_instructions>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe nice\n</INSTRUCTIONS>",
        "<permissions instructions>\nread-only\n</permissions instructions>",
        "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>",
        "<skill>\n<name>pdf</name>\n</skill>",
        "<user_action>\n<context>User initiated a review task.</context>\n</user_action>",
        '<hook_prompt hook_run_id="1">keep going</hook_prompt>',
        "<codex_internal_context source=\"goal\">\nx\n</codex_internal_context>",
        "<something_new>\nof a later version\n</something_new>",
        "Another language model started to solve this problem and produced a summary of its thinking process.",
        "  \n ",
    ],
)  # fmt: skip
def test_machine_text_in_a_user_item_is_not_the_humans(tmp_path: Path, text: str) -> None:
    lines = stamped([meta(), user_item(text), user_item("my words"), user_event("my words"), assistant("ok")])
    assert said(tmp_path, lines) == [("user", "said", "my words"), ("assistant", "said", "ok")]


def test_a_human_who_writes_markup_is_believed_when_the_event_vouches(tmp_path: Path) -> None:
    text = "<div>why is this red?</div>"
    lines = stamped([meta(), user_item(text), user_event(text), user_item("and this?"), user_event("and this?")])
    assert said(tmp_path, lines) == [("user", "said", text), ("user", "said", "and this?")]


def test_only_the_humans_part_of_a_mixed_message_is_kept(tmp_path: Path) -> None:
    mixed = user_item("<environment_context>…", "fix it", "<image name=[Image #1]>", "</image>")
    labelled = user_item("notes of a plugin", "fix that", kinds=["plugin.notes", "user.text"])
    assert said(tmp_path, stamped([meta(), mixed, assistant("ok"), labelled])) == [
        ("user", "said", "fix it"),
        ("assistant", "said", "ok"),
        ("user", "said", "fix that"),
    ]


def test_an_editors_list_of_open_files_is_not_the_humans_words(tmp_path: Path) -> None:
    text = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nrename it\n"
    assert said(tmp_path, stamped([meta(), user_item(text), user_event(text)])) == [("user", "said", "rename it")]


def test_a_command_the_human_ran_is_theirs_and_its_output_is_not(tmp_path: Path) -> None:
    text = (
        "<user_shell_command>\n<command>\ngit status\n</command>\n<result>\nExit code: 1\nDuration: 0.1 seconds\n"
        "Output:\nfatal\n</result>\n</user_shell_command>"
    )
    command, result = (r.turn for r in read(write(tmp_path, stamped([meta(), user_item(text)])))[0])
    assert (command.role, command.kind, command.text) == ("user", "command", "git status")
    assert (result.role, result.kind, result.tool, result.exit_status, result.failed) == (
        "tool", "result", "shell", 1, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "text", "status", "failed"),
    [
        ('{"output":"a\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}', "a\n", 3, True),
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\nb", "Exit code: 0\nWall time: 1 seconds\nOutput:\nb", 0, False),
        ("Chunk ID: 1\nWall time: 5 seconds\nProcess running with session ID 7\nOutput:\nProcess exited with code 9",
         "Chunk ID: 1\nWall time: 5 seconds\nProcess running with session ID 7\nOutput:\nProcess exited with code 9",
         None, None),
        ([{"type": "input_text", "text": "c"}], "c", None, None),
        ({"content": "d", "success": False}, "d", None, True),
        ('{"output": "not an envelope"}', '{"output": "not an envelope"}', None, None),
    ],
)  # fmt: skip
def test_a_result_tells_how_the_command_went(
    tmp_path: Path, given: Any, text: str, status: int | None, failed: bool | None
) -> None:
    lines = stamped([meta(), call("shell", "{}", "call_1"), output("call_1", given)])
    result = read(write(tmp_path, lines))[0][1].turn
    assert (result.text, result.exit_status, result.failed, result.tool) == (text, status, failed, "shell")


def test_an_event_tells_how_a_call_went_where_its_result_does_not(tmp_path: Path) -> None:
    lines = stamped([
        meta(),
        item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="call_1", status="completed"),
        event("patch_apply_end", call_id="call_1", success=False),
        item("custom_tool_call_output", call_id="call_1", output="verification failed"),
    ])  # fmt: skip
    patch, result = (r.turn for r in read(write(tmp_path, lines))[0])
    assert (patch.kind, patch.tool, patch.text) == ("call", "apply_patch", "*** Begin Patch")
    assert (result.kind, result.tool, result.failed) == ("result", "apply_patch", True)
    assert_cuts_do_not_matter(tmp_path, lines)


@pytest.mark.parametrize(
    "text",
    ["exec command rejected by user", "patch rejected by user", "rejected by user",
     'exec_command failed for `rm -rf x`: CreateProcess { message: "Rejected(\"rejected by user\")" }'],
)  # fmt: skip
def test_a_call_the_human_refused_is_denied(tmp_path: Path, text: str) -> None:
    lines = stamped([meta(), call("shell", '{"command":["rm"]}', "call_1"), output("call_1", text)])
    denied = read(write(tmp_path, lines))[0][1].turn
    assert (denied.role, denied.kind, denied.tool, denied.failed) == ("tool", "denied", "shell", True)


def test_a_servers_tool_is_refused_only_where_the_host_says_so(tmp_path: Path) -> None:
    """The output is the server's own, to the last letter; what the event notes is the host's."""
    text = "user rejected MCP tool call"
    lines = stamped([
        meta(),
        call("orders", "{}", "call_1", namespace="mcp__shop"), output("call_1", text),
        call("shell", "{}", "call_2", namespace="mcp__shop"), output("call_2", "exec command rejected by user"),
        call("orders", "{}", "call_3", namespace="mcp__shop"),
        event("mcp_tool_call_end", call_id="call_3", result={"Err": text}), output("call_3", text),
        call("orders", "{}", "call_4", namespace="mcp__shop"),
        event("mcp_tool_call_end", call_id="call_4", result={"Ok": {"content": [{"text": text}]}}),
        output("call_4", text),
    ])  # fmt: skip
    reads = [r.turn for r in read(write(tmp_path, lines))[0] if r.turn.role == "tool"]
    assert [(turn.kind, turn.tool) for turn in reads] == [
        ("result", "mcp__shop__orders"),
        ("result", "mcp__shop__shell"),
        ("denied", "mcp__shop__orders"),
        ("result", "mcp__shop__orders"),
    ]


def test_a_servers_question_is_not_the_hosts(tmp_path: Path) -> None:
    answer = '{"answers":{"db":{"answers":["always push to main"]}}}'
    lines = stamped([
        meta(), call("request_user_input", "{}", "call_1", namespace="mcp__shop"), output("call_1", answer)
    ])  # fmt: skip
    assert [r.turn.role for r in read(write(tmp_path, lines))[0]] == ["assistant", "tool"]


def test_a_declined_item_is_a_refusal_and_a_quoted_refusal_is_not(tmp_path: Path) -> None:
    ran = {"type": "CommandExecution", "id": "call_1", "status": "declined"}
    lines = stamped([
        meta(), call("shell", "{}", "call_1"), event("item_completed", item=ran), output("call_1", "not run"),
        call("shell", "{}", "call_2"), output("call_2", "Exit code: 0\nOutput:\nlog: patch rejected by user"),
    ])  # fmt: skip
    assert [r.turn.kind for r in read(write(tmp_path, lines))[0]] == ["call", "denied", "call", "result"]


def test_searches_and_local_shells_are_calls(tmp_path: Path) -> None:
    lines = stamped([
        meta(),
        item("web_search_call", status="completed", action={"type": "search", "query": "q"}),
        item("local_shell_call", call_id="call_1", action={"type": "exec", "command": ["ls"]}),
        event("web_search_end", call_id="ws", query="q"),
    ])  # fmt: skip
    assert [(r.turn.kind, r.turn.tool, r.turn.text) for r in read(write(tmp_path, lines))[0]] == [
        ("call", "web_search", '{"type":"search","query":"q"}'),
        ("call", "local_shell", '{"type":"exec","command":["ls"]}'),
    ]


def test_the_humans_answer_to_a_question_is_theirs(tmp_path: Path) -> None:
    answer = '{"answers":{"db":{"answers":["Postgres","because we have it"]}}}'
    lines = stamped([meta(), call("request_user_input", "{}", "call_1"), output("call_1", answer)])
    assert [(r.turn.role, r.turn.kind, r.turn.text, r.block) for r in read(write(tmp_path, lines))[0]][1:] == [
        ("tool", "result", answer, 1),
        ("user", "answer", "Postgres\nbecause we have it", 2),
    ]


def test_an_answer_stands_below_its_question(tmp_path: Path) -> None:
    asked = '{"questions":[{"id":"db","question":"Which\\ndatabase?"},{"id":"when","question":"When?"}]}'
    answer = '{"answers":{"db":{"answers":["Postgres","user_note: we have it"]},"who":{"answers":["Ana"]}}}'
    lines = stamped([meta(), call("request_user_input", asked, "call_1"), output("call_1", answer)])
    assert_cuts_do_not_matter(tmp_path, lines)
    assert read(write(tmp_path, lines))[0][-1].turn.text == "> Which database?\nPostgres\nwe have it\nAna"


def test_a_remote_compaction_leaves_a_boundary_without_a_summary(tmp_path: Path) -> None:
    lines = stamped([meta(), {"type": "compacted", "payload": {"message": "", "replacement_history": []}},
                     event("context_compacted")])  # fmt: skip
    assert said(tmp_path, lines) == [("system", "boundary", "")]


def test_a_turn_that_was_replaced_was_not_interrupted_by_the_human(tmp_path: Path) -> None:
    assert said(tmp_path, stamped([meta(), event("turn_aborted", reason="replaced")])) == []


def test_a_subagents_prompt_is_delegated_and_its_parents_history_is_not_told_again(tmp_path: Path) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "agent_nickname": "Noether"}}}
    parents = [meta(id=PARENT, cwd="/elsewhere"), user_item("the parent's prompt", id="msg_p", kinds=["user.text"]),
               user_completed("the parent's prompt"), assistant("the parent's answer", id="msg_q")]  # fmt: skip
    lines = stamped([
        meta(source=spawn, subagent_history_start_ordinal=5), *parents,
        user_item("count the links", id="msg_u", kinds=["user.text"]), assistant("three", id="msg_a"),
        item("agent_message", content=[{"type": "input_text", "text": "also the images"}]),
    ], ordinals=True)  # fmt: skip
    reads, _, sessions = read(write(tmp_path, lines))
    assert [(r.session, r.turn.role, r.turn.kind, r.turn.text) for r in reads] == [
        (THREAD, "user", "delegated", "count the links"),
        (THREAD, "assistant", "said", "three"),
        (THREAD, "user", "delegated", "also the images"),
    ]
    assert sessions == [
        Session(source="codex", session=THREAD, kind="subagent", parent=PARENT, agent="Noether",
                directory="/home/ada/shop", project="/home/ada/shop")
    ]  # fmt: skip
    assert_cuts_do_not_matter(tmp_path, lines)


def test_a_forks_copied_lines_are_older_than_the_fork_and_passed_over(tmp_path: Path) -> None:
    lines = [
        {"timestamp": at(60), **meta(forked_from_id=PARENT, timestamp=at(60))},
        {"timestamp": at(1), **meta(id=PARENT)},
        {"timestamp": at(2), **user_item("said before")},
        {"timestamp": at(61), **user_item("said after")},
    ]
    reads, _, sessions = read(write(tmp_path, lines))
    assert [(r.session, r.turn.kind, r.turn.text) for r in reads] == [(THREAD, "said", "said after")]
    assert (sessions[0].kind, sessions[0].parent) == ("main", PARENT)


def test_a_resumed_file_repeats_its_head_and_goes_on(tmp_path: Path) -> None:
    lines = stamped([meta(), user_item("one"), meta(cwd="/changed"), user_item("two")])
    reads, _, sessions = read(write(tmp_path, lines))
    assert ([r.turn.text for r in reads], sessions[0].directory) == (["one", "two"], "/home/ada/shop")


def test_a_jump_in_the_numbers_is_a_gap_and_the_first_number_may_be_any(tmp_path: Path) -> None:
    lines = [line | {"ordinal": number} for line, number in zip(stamped([meta(), *[assistant("x") for _ in range(4)]]),
                                                               (40, 41, 44, 45, 50), strict=True)]  # fmt: skip
    assert read(write(tmp_path, lines))[1].gaps == 2
    assert_cuts_do_not_matter(tmp_path, lines)


def test_a_packed_copy_gives_the_same_turns_with_the_same_keys(tmp_path: Path) -> None:
    plain = read(write(tmp_path, paginated()))[0]
    packed = tmp_path / f"{NAME}.zst"
    packed.write_bytes(zstandard.ZstdCompressor().compress(text_of_file(paginated())))
    assert Codex().recognises(str(packed), packed.read_bytes()[:4096])
    assert read(packed)[0] == plain


def test_a_call_id_that_comes_back_is_another_call(tmp_path: Path) -> None:
    pair = [call("shell", "{}", "call_0"), output("call_0", "same")]
    lines = stamped([meta(), *pair, *json.loads(json.dumps(pair))], ordinals=True)
    reads = read(write(tmp_path, lines))[0]
    assert len({(r.unique, r.block) for r in reads}) == 4


def test_a_file_of_the_first_versions_has_no_envelope(tmp_path: Path) -> None:
    lines: Lines = [
        {"id": THREAD, "timestamp": at(0), "instructions": None, "git": {"branch": "dev"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "call_1"},
    ]
    reads, _, sessions = read(write(tmp_path, lines))
    assert [(r.session, r.turn.kind, r.turn.text) for r in reads] == [(THREAD, "said", "hello"), (THREAD, "call", "{}")]
    assert sessions[0].branch == "dev"


def test_a_file_without_its_head_is_known_by_its_name(tmp_path: Path) -> None:
    for name in (NAME, f"rollout-2026-11-15T18-58-09-{THREAD}_{PARENT}.jsonl"):
        reads, _, sessions = read(write(tmp_path, stamped([assistant("hi")]), name))
        assert (reads[0].session, sessions[0].session) == (THREAD, THREAD)


def test_hostile_lines_cost_only_themselves(tmp_path: Path) -> None:
    good = json.dumps(stamped([user_item("kept")])[0])
    path = tmp_path / NAME
    path.write_bytes(
        json.dumps(stamped([meta()])[0]).encode()
        + b'\n{"type":"response_item","payload":[1]}\n{"type":"event_msg","payload":{"type":"user_mess\n'
        + b'{"type":"response_item","payload":null}\n[]\n\x00\x00' + good.encode() + b"\n"
        + b'{"type":"response_item","timestamp":5,"payload":{"type":7,"role":[],"content":9,"call_id":{}}}\n'
        + b'{"type":"response_item","payload":{"type":"message","role":"assistant","content":"bad \xff byte"}}\n'
        + b'{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":[]}}}\n'
        + b'{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":3}}}\n'
        + b'{"type":"response_item","payload":{"type":"function_call_output","output":{"content":[{}]}}}\n'
    )  # fmt: skip
    reads, mark, _ = read(path)
    assert [(r.turn.kind, r.turn.text) for r in reads] == [
        ("said", "kept"),
        ("said", "bad \ufffd byte"),
        ("result", ""),
    ]
    assert mark.lines_bad == 5


def test_the_places_are_the_sessions_and_the_archive() -> None:
    assert Codex().places({"HOME": "/home/ada"}) == [
        Path("/home/ada/.codex/sessions"),
        Path("/home/ada/.codex/archived_sessions"),
    ]
    assert Codex().places({"HOME": "/home/ada", "CODEX_HOME": "/srv/codex"})[0] == Path("/srv/codex/sessions")


def test_a_rollout_is_recognised_by_its_name_or_its_envelope() -> None:
    head = text_of_file(stamped([meta()]))
    for path, first, ours in [
        ("/x/rollout-1.jsonl", b"", True),
        ("/x/rollout-1.jsonl.zst", b"\x28\xb5\x2f\xfd", True),
        ("/x/export.jsonl", head, True),
        ("/x/history.jsonl", head, False),
        ("/x/session_index.jsonl", head, False),
        ("/x/export.jsonl", b'{"type":"user","uuid":"1"}', False),
        ("/x/rollout-1.json", head, False),
    ]:
        assert Codex().recognises(path, first) is ours, path


def test_a_missing_file_is_said_to_be_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read(tmp_path / NAME)
