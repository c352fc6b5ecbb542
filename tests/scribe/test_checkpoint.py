"""The checkpoint: where the work stands, however the session was read."""

import json
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steno.scribe.work.keeper import WorkKeeper
from steno.scribe.work.message import heard
from steno.vocabulary import Checkpoint, JournalTurn, Turn


def turn(number: int, role: Any, kind: Any, text: str, **fields: Any) -> JournalTurn:
    said = Turn(role=role, kind=kind, text=text, line=number, **fields)
    return JournalTurn(id=number, source="claude-code", session="s", turn=said)


def play(*lines: tuple[Any, ...]) -> list[JournalTurn]:
    """Turns from (who, text) and (tool, input, result, failed)."""
    turns: list[JournalTurn] = []
    for line in lines:
        number = len(turns) + 1
        if line[0] == "human":
            turns.append(turn(number, "user", "said", line[1]))
        elif line[0] == "agent":
            turns.append(turn(number, "assistant", "said", line[1]))
        else:
            tool, asked, text, *failed = line
            call = f"c{number}"
            turns.append(turn(number, "assistant", "call", json.dumps(asked), tool=tool, call=call))
            bad = bool(failed and failed[0])
            turns.append(turn(number + 1, "tool", "result", text, tool=tool, call=call, failed=bad))
    return turns


def kept(turns: list[JournalTurn]) -> Checkpoint:
    keeper = WorkKeeper()
    for one in turns:
        keeper.take(one)
    return keeper.checkpoint()


SESSION = play(
    ("human", "please add a retry to the uploader in src/upload.py, see issue #41"),
    ("agent", "Let me look at the uploader first."),
    ("Read", {"file_path": "/p/src/upload.py"}, "…"),
    ("Edit", {"file_path": "/p/src/upload.py"}, "The file has been updated"),
    ("Bash", {"command": "cd /p && pytest -q"}, "Exit code 1\nFAILED tests/test_upload.py::test_retry\n1 failed", True),
    ("agent", "The test fails because the clock is real. Now let me inject a clock."),
    ("Edit", {"file_path": "/p/src/upload.py"}, "The file has been updated"),
    ("Bash", {"command": "cd /p && pytest -q"}, "12 passed in 0.2s"),
    ("Bash", {"command": "git commit -am 'Retry uploads'"}, "[retry-uploads 1a2b3c4] Retry uploads\n 1 file changed"),
    ("TodoWrite", {"todos": [{"content": "Document it", "status": "pending"}]}, "ok"),
    ("agent", "All tests pass.\n\nNext steps:\n- write the changelog\n\nShould I open a PR?"),
)


def test_a_checkpoint_says_where_the_work_stands() -> None:
    found = kept(SESSION)
    assert found.goal == "please add a retry to the uploader in src/upload.py, see issue #41"
    assert found.done == ["Committed 1a2b3c4 Retry uploads"]
    assert found.next == ["Document it"]
    assert (found.phase, found.blockers) == (None, [])
    assert found.variables == {
        "branch": ["retry-uploads"],
        "command": ["pytest -q"],
        "commit": ["1a2b3c4"],
        "issue": ["#41"],
        "path": ["src/upload.py", "/p/src/upload.py"],
    }
    assert found.turn == len(SESSION)


@pytest.mark.parametrize("cut", range(len(SESSION) + 1))
def test_a_session_cut_anywhere_gives_the_same_checkpoint(cut: int) -> None:
    wire = msgspec.json.encode(kept(SESSION[:cut]))
    keeper = WorkKeeper(msgspec.json.decode(wire, type=Checkpoint))
    for one in SESSION[cut:]:
        keeper.take(one)
    assert keeper.checkpoint() == kept(SESSION)


def test_taking_turns_changes_no_checkpoint_that_was_given_out() -> None:
    keeper, before = WorkKeeper(), list[tuple[Checkpoint, bytes]]()
    for one in SESSION:
        keeper.take(one)
        found = keeper.checkpoint()
        before.append((found, msgspec.json.encode(found)))
    assert all(msgspec.json.encode(value) == wire for value, wire in before)


_TOOLS = st.sampled_from(
    ["Edit", "Write", "Bash", "TodoWrite", "TaskCreate", "AskUserQuestion", "write_stdin", "Agent", "x"]
)
_INPUTS = st.sampled_from(
    [
        '{"file_path":"/a"}', '{"path":"b","content":""}', '{"command":"pytest"}', '{"command":"git push"}', "?",
        '{"todos":[{"content":"t","status":"completed"}]}', '{"subject":"s"}', '{"questions":[{"question":"q?"}]}',
        '{"session_id":7}', '{"command":"cd /a && git status"}', '{"command":"git switch -c b && git commit -am x"}',
        '{"command":"sleep 9","run_in_background":true}', '{"command":"gh pr create"}', '{"task_id":"b1"}',
    ]
)  # fmt: skip
_WORDS = st.sampled_from(
    [
        "yes", "now let's build the other exporter next", "Done. All tests pass.", "Let me check src/a/b.py:",
        "#12 PR 12", "Process running with session ID 7", "1 failed", "Want me to merge?", "Exit code 1",
        "- [ ] later\n- [x] before", "On branch main\nUntracked files:\n\tb\n", "[main 1a2b3c4] x", "[b 5d6e7f8] y",
        "Switched to a new branch 'b'", "   1a2b3c4..5d6e7f8  main -> main", "https://forge.example/o/r/pull/7",
        "Command running in background with ID: b1", "12 passed in 0.1s", "Agent launched.\nagentId: a1",
        "<task-notification><task-id>b1</task-id><status>failed</status></task-notification>", "never mind",
        "we're done, thanks", "let's do something else: paint it blue",
    ]
)  # fmt: skip
_KINDS = st.sampled_from(
    [
        ("user", "said"), ("assistant", "said"), ("assistant", "call"), ("tool", "result"), ("tool", "denied"),
        ("user", "answer"), ("system", "interrupted"), ("system", "notice"),
    ]
)  # fmt: skip


@settings(max_examples=150)
@given(st.data())
def test_any_session_cut_anywhere_gives_the_same_checkpoint(data: st.DataObject) -> None:
    turns = []
    for number in range(1, data.draw(st.integers(1, 30)) + 1):
        role, kind = data.draw(_KINDS)
        text = data.draw(_INPUTS if kind == "call" else _WORDS)
        fields: dict[str, Any] = {}
        if kind in ("call", "result", "denied"):
            call = data.draw(st.sampled_from(["c1", "c2", "c3", None]))
            fields = {"tool": data.draw(_TOOLS), "call": call}
        if kind == "result":
            fields["failed"] = data.draw(st.sampled_from([True, False, None]))
        turns.append(turn(number, role, kind, text, **fields))
    cut = data.draw(st.integers(0, len(turns)))
    whole, first = WorkKeeper(), WorkKeeper()
    for one in turns:
        whole.take(one)
    for one in turns[:cut]:
        first.take(one)
    keeper = WorkKeeper(msgspec.json.decode(msgspec.json.encode(first.checkpoint()), type=Checkpoint))
    for one in turns[cut:]:
        keeper.take(one)
    assert keeper.checkpoint() == whole.checkpoint()
    assert [*first.left, *keeper.left] == whole.left


IMPORTER = "rewrite the importer so that it streams"


def test_a_follow_up_says_where_the_goal_stands_and_a_nudge_changes_nothing() -> None:
    second, third = "the dates come out wrong for March, please mend that too", "commit and push"
    lines = [("human", IMPORTER), ("agent", "Working on it."), ("human", second), ("human", "yes"), ("human", "b")]
    assert kept(play(*lines)).goal == f"{IMPORTER}\nNow: {second}"
    assert kept(play(*lines, ("human", third))).goal == f"{IMPORTER}\nThen: {second}\nNow: {third}"


def test_of_many_steps_the_last_are_told() -> None:
    steps = [f"please also look at part number {number} of the importer" for number in range(6)]
    asked = [IMPORTER, *steps]
    goal = kept(play(*(("human", text) for text in asked))).goal
    assert goal == "\n".join([IMPORTER, *(f"Then: {text}" for text in steps[3:5]), f"Now: {steps[5]}"])


@pytest.mark.parametrize(
    "text",
    [
        "ok, now let's build the exporter for the reports", "new task: build the exporter for the reports",
        "great, moving on: the exporter for the reports is slow", "next up, the exporter for the reports",
        "let's switch to the exporter for the reports", "Implement the following plan:\n\n# Exporter\n\nWrite rows.",
        "thanks, now i want an exporter for the reports",
        "Our bookkeepers need to hand monthly figures to the tax office, so write a command which prints every invoice "
        "of one quarter as a table with sums below each customer, sorted by name and amount due.",
    ],
)  # fmt: skip
def test_a_new_goal_begins_a_new_piece_of_work_and_ends_none(text: str) -> None:
    keeper = WorkKeeper()
    edit = ("Edit", {"file_path": "/p/src/importer.py"}, "The file has been updated")
    commit = ("Bash", {"command": "git commit -m 'Stream it'"}, "[main 1a2b3c4] Stream it")
    turns = play(("human", IMPORTER), edit, commit, ("agent", "Finished: it streams now."), ("human", text))
    for one in turns:
        keeper.take(one)
    (left,) = keeper.left
    assert (left.begun, left.turn, left.status, left.claimed) == (1, turns[-1].id, "active", True)
    assert (left.checkpoint.goal, left.checkpoint.done) == (IMPORTER, ["Committed 1a2b3c4 Stream it"])
    now = keeper.checkpoint()
    assert (now.goal, now.done, now.trail.files, now.variables) == (
        " ".join(text.split()),
        [],
        [],
        {"branch": ["main"]},
    )


@pytest.mark.parametrize(
    "text",
    [
        "now let's see whether the dates are right", "also add a flag for it", "can you make it a little faster?",
        "/p/src/importer.py is still slow", "fix the importer's tests as well, please, and run all of them twice",
    ],
)  # fmt: skip
def test_a_step_begins_no_new_piece_of_work(text: str) -> None:
    keeper = WorkKeeper()
    for one in play(("human", IMPORTER), ("agent", "Looking at the importer."), ("human", text)):
        keeper.take(one)
    assert (keeper.left, keeper.begun) == ([], 1)


def test_a_long_answer_to_a_question_begins_no_new_piece_of_work() -> None:
    keeper = WorkKeeper()
    answer = (
        "Whatever our bookkeepers hand over monthly goes first, everybody else may wait until midnight when nobody "
    )
    answer += "works any more and all machines idle anyway, so take whichever order suits you best."
    for one in play(("human", IMPORTER), ("agent", "Done. Which one should I take first?"), ("human", answer)):
        keeper.take(one)
    assert keeper.left == []


@pytest.mark.parametrize(
    ("text", "status", "goal"),
    [
        ("drop it", "dropped", None),
        ("let's scrap this", "dropped", None),
        ("ok, abandon that for now.", "dropped", None),
        ("never mind", "dropped", None),
        ("forget about it altogether", "dropped", None),
        ("vergiss es", "dropped", None),
        ("well, let's do something else: build the exporter", "dropped", "build the exporter"),
        ("nevermind, mend the door instead", "dropped", "mend the door instead"),
        ("we're done here, thanks!", "finished", IMPORTER),
        ("great, that's it for today", "finished", IMPORTER),
        ("all done. good work", "finished", IMPORTER),
        ("that's all, thanks!", "finished", IMPORTER),
        ("I'm done with this", "finished", IMPORTER),
        ("fertig damit, danke", "finished", IMPORTER),
        ("done with the importer", "finished", IMPORTER),
        ("ok, the importer is done now", "finished", IMPORTER),
    ],
)
def test_people_end_a_piece_of_work(text: str, status: str, goal: str | None) -> None:
    keeper = WorkKeeper()
    for one in play(("human", IMPORTER), ("agent", "Looking."), ("human", text)):
        keeper.take(one)
    assert [(left.begun, left.status) for left in keeper.left] == [(1, status)]
    assert keeper.checkpoint().goal == goal
    keeper.take(turn(9, "user", "said", "write the release notes for March"))
    if goal in (None, IMPORTER):
        assert (keeper.begun, keeper.checkpoint().goal) == (9, "write the release notes for March")


@pytest.mark.parametrize(
    "text",
    [
        "done with the mailer", "the sums are done", "is the importer done?", "the importer is not done yet",
        "when the importer is done, tell me", "almost done with the importer", "great, works", "is that all?",
    ],
)  # fmt: skip
def test_nothing_else_that_people_say_ends_it(text: str) -> None:
    keeper = WorkKeeper()
    for one in play(("human", IMPORTER), ("agent", "Finished: it streams now."), ("human", text)):
        keeper.take(one)
    assert (keeper.left, keeper.begun) == ([], 1)


def test_who_ends_it_and_asks_for_more_begins_another() -> None:
    keeper = WorkKeeper()
    text = "The importer is done. Build the exporter for the reports."
    for one in play(("human", IMPORTER), ("agent", "Looking."), ("human", text)):
        keeper.take(one)
    assert [(left.begun, left.status, left.checkpoint.goal) for left in keeper.left] == [(1, "finished", IMPORTER)]
    assert (keeper.begun, keeper.checkpoint().goal) == (3, text)


def todos(*states: str) -> tuple[Any, ...]:
    items = [{"content": f"part {place}", "status": state} for place, state in enumerate(states)]
    return ("TodoWrite", {"todos": items}, "ok")


def test_a_finished_list_of_to_dos_ends_it_and_a_step_takes_it_up_again() -> None:
    keeper = WorkKeeper()
    step = "and print the sums below each customer, please"
    lines = [("human", IMPORTER), todos("completed", "in_progress"), todos("completed", "completed")]
    for one in play(*lines, ("agent", "All parts are done.")):
        keeper.take(one)
    assert [(left.begun, left.turn, left.status) for left in keeper.left] == [(1, 5, "finished")]
    assert (keeper.begun, keeper.over) == (1, True)
    keeper.take(turn(9, "user", "said", step))
    assert (keeper.begun, keeper.over, keeper.checkpoint().goal) == (1, False, f"{IMPORTER}\nNow: {step}")


@pytest.mark.parametrize("states", [("completed",), ("completed", "pending"), ("completed", "in_progress")])
def test_a_list_of_one_or_one_with_something_open_ends_nothing(states: tuple[str, ...]) -> None:
    keeper = WorkKeeper()
    for one in play(("human", IMPORTER), todos(*states), ("agent", "All done.")):
        keeper.take(one)
    assert (keeper.left, keeper.over) == ([], False)


def test_never_mind_takes_back_the_last_step_and_not_the_work() -> None:
    step = "please print the sums below each customer as well"
    found = kept(play(("human", IMPORTER), ("human", step), ("agent", "How?"), ("human", "never mind")))
    assert found.goal == IMPORTER


def test_a_prompt_that_was_taken_back_is_no_goal_and_one_sent_again_is_one() -> None:
    stop = turn(2, "system", "interrupted", "[Request interrupted by user]")
    first, again = "rewrite the exporter", "rewrite the importer"
    turns = [turn(1, "user", "said", first), stop, turn(3, "user", "said", again), turn(4, "user", "said", again)]
    assert (kept(turns[:2]).goal, kept(turns[:3]).goal, kept(turns).goal) == (first, again, again)
    twice = turn(4, "system", "interrupted", "…"), turn(5, "user", "said", "rewrite the mailer")
    keeper = WorkKeeper()
    for one in (*turns[:3], *twice):
        keeper.take(one)
    assert (keeper.begun, keeper.checkpoint().goal) == (1, "rewrite the mailer")
    step = "and the dates must be right in March, too, please"
    later = [*turns, turn(5, "assistant", "said", "Ok."), turn(6, "user", "said", step)]
    assert kept([*later, turn(7, "system", "interrupted", "…")]).goal == again
    acted = turn(7, "assistant", "said", "Mending dates.")
    assert kept([*later, acted, turn(8, "system", "interrupted", "…")]).goal == f"{again}\nNow: {step}"


def test_the_words_behind_a_command_are_the_goal_and_machine_texts_are_not() -> None:
    told = turn(1, "user", "queued", '{"task_id":"b1","description":"Push","task_type":"local_bash"}')
    hook = turn(2, "user", "said", "Operation stopped by hook: another session is active")
    command = turn(3, "user", "command", "write down how schemas change, for every kind of record")
    assert kept([told, hook]).goal is None
    assert kept([told, hook, command]).goal == "write down how schemas change, for every kind of record"


def test_words_of_another_agent_are_the_goal_until_a_person_speaks() -> None:
    task = turn(1, "user", "delegated", "find every caller of open_door")
    assert kept([task]).goal == "find every caller of open_door"
    assert kept([task, turn(2, "user", "said", "look for close_door instead")]).goal == "look for close_door instead"


def test_what_was_pasted_is_not_the_goal() -> None:
    found = kept(play(("human", "the nightly job breaks since Monday:\n```\nTraceback: boom\n```")))
    assert found.goal == "the nightly job breaks since Monday:"
    assert kept(play(("human", "say in the docs that `A_V1 = 1` brings it back"))).goal == (
        "say in the docs that `A_V1 = 1` brings it back"
    )


@pytest.mark.parametrize(
    "text",
    ["yes", "ok, go ahead!", "3", "perfect, thank you", "はい", "продолжай", "never use tabs", "No. Never use tabs."],
)
def test_assent_and_rulings_are_no_goal(text: str) -> None:
    assert kept(play(("human", text))).goal is None


@pytest.mark.parametrize(
    "text", ["continue", "let's pick up where we left off", "please go on", "mach weiter", IMPORTER]
)
def test_a_session_that_goes_on_has_the_work_of_the_one_before(text: str) -> None:
    commit = ("Bash", {"command": "git commit -m 'Stream it'"}, "[main 1a2b3c4] Stream it")
    before = kept(play(("human", IMPORTER), commit, ("agent", "Done: the reader streams now.")))
    keeper = WorkKeeper(before=before)
    keeper.take(turn(10, "user", "said", text))
    assert (keeper.begun, keeper.checkpoint().goal) == (1, IMPORTER)
    assert keeper.checkpoint().done == ["Committed 1a2b3c4 Stream it"]
    other = WorkKeeper(before=before)
    other.take(turn(10, "user", "said", "write the release notes for March"))
    assert (other.begun, other.checkpoint().done) == (10, [])


def test_a_message_says_that_something_is_finished_or_asks_back() -> None:
    text = "Done. Changes:\n- moved the lock into its own file\n\nWant me to push it?\n```\nall tests pass\n```"
    assert heard(text) == (True, True)
    assert heard("This is not fixed yet. I'll push once the tests pass. Is it done?") == (False, False)


@pytest.mark.parametrize(
    ("words", "commands"),
    [("make the importer stream", None), ("make it faster", None), ("make release", ["make release"])],
)
def test_what_a_person_wants_made_is_no_command(words: str, commands: list[str] | None) -> None:
    assert kept(play(("human", words))).variables.get("command") == commands


def test_a_to_do_taken_up_again_is_not_done() -> None:
    todo = {"content": "Mend the gate", "status": "completed"}
    turns = play(
        ("TodoWrite", {"todos": [todo]}, "ok"), ("TodoWrite", {"todos": [{**todo, "status": "in_progress"}]}, "ok")
    )
    assert kept(turns[:2]).done == ["Mend the gate"]
    assert (kept(turns).done, kept(turns).next) == ([], ["Mend the gate"])


def test_what_the_host_recorded_of_the_session_stands_first() -> None:
    keeper = WorkKeeper()
    keeper.about(branch="main", directory="/p")
    assert keeper.checkpoint().variables == {"branch": ["main"], "directory": ["/p"]}
    assert WorkKeeper(keeper.checkpoint()).checkpoint() == keeper.checkpoint()


def test_lists_stay_bounded_in_a_long_session() -> None:
    lines: list[tuple[Any, ...]] = []
    for number in range(400):
        lines.append(
            ("human", f"see https://example.org/{number} and PR {number} and KEY-{number} in src/a/{number}.py")
        )
        lines.append(("agent", f"Fixed number {number} for good.\nNext: number {number + 1} remains to be mended."))
        lines.append(("Bash", {"command": f"make target-{number}"}, "Exit code 2\nerror: no rule", True))
    found = kept(play(*lines))
    assert len(found.done) <= 16
    assert len(found.next) <= 10
    assert len(found.blockers) <= 10
    assert all(len(values) <= 16 for values in found.variables.values())
    small = {name: part for name, part in found.state.items() if name != "trail"}
    assert len(msgspec.json.encode(small)) < 60_000


def test_fifty_thousand_turns_cost_the_same_at_the_end_as_at_the_beginning() -> None:
    piece = SESSION[1:]
    keeper = WorkKeeper()

    def lines_of_code(first: int, turns: int) -> int:
        counted = 0

        def trace(frame: Any, event: str, argument: Any) -> Any:
            nonlocal counted
            counted += event == "line"
            return trace

        sys.settrace(trace)
        try:
            for number in range(first, first + turns):
                keeper.take(msgspec.structs.replace(piece[number % len(piece)], id=number))
        finally:
            sys.settrace(None)
        return counted

    early = lines_of_code(1_000, len(piece) * 10)
    for number in range(2_000, 50_000):
        keeper.take(msgspec.structs.replace(piece[number % len(piece)], id=number))
    late = lines_of_code(50_000, len(piece) * 10)
    assert late < early * 1.5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "🤖" * 50_000,
        "a" * 1_000_000,
        "- [ ] " * 20_000,
        "#1 " * 20_000,
        "`" * 9_999,
        "a-" * 9_999,
        "a/" * 9_999,
    ],
)
def test_hostile_words_never_raise(text: str) -> None:
    turns = [turn(1, "user", "said", text), turn(2, "assistant", "said", text), turn(3, "system", "notice", text)]
    assert len(msgspec.json.encode(kept(turns))) < 60_000


@pytest.mark.parametrize(
    "text", ["not json", "[]", '{"file_path": ["a"], "command": {"x": [1]}}', '{"todos": {"a": 1}}']
)
def test_hostile_calls_never_raise(text: str) -> None:
    for tool in ("Edit", "Bash", "TodoWrite", "AskUserQuestion", None):
        called = turn(1, "assistant", "call", text, tool=tool, call="c")
        kept([called, turn(2, "tool", "result", text, tool=tool, call="c", failed=False)])
