"""The trail: what tools did, exactly."""

import json
from typing import Any

import pytest

from steno.language.tool_call import patched
from steno.scribe.work.shell import kind_of
from steno.scribe.work.trail import LAST_COMMANDS, OPEN_CALLS, TrailKeeper
from steno.vocabulary import JournalTurn, Trail, TrailCommand, TrailFile, TrailItem, TrailResult, TrailTest, Turn


class Script:
    """Turns numbered from 1, written as a play."""

    def __init__(self) -> None:
        self.turns: list[JournalTurn] = []

    def add(self, role: Any, kind: Any, text: str, **fields: Any) -> int:
        number = len(self.turns) + 1
        turn = Turn(role=role, kind=kind, text=text, line=fields.pop("line", number), **fields)
        self.turns.append(JournalTurn(id=number, source="claude-code", session="s", turn=turn))
        return number

    def call(self, tool: str, given: Any, call: str | None = None) -> int:
        text = given if isinstance(given, str) else json.dumps(given)
        return self.add("assistant", "call", text, tool=tool, call=call or f"c{len(self.turns) + 1}")

    def result(self, text: str = "", *, kind: str = "result", **fields: Any) -> int:
        call = fields.pop("call", self.turns[-1].turn.call)
        return self.add("tool", kind, text, call=call, **fields)

    def did(self, tool: str, given: Any, text: str = "", **fields: Any) -> int:
        number = self.call(tool, given)
        self.result(text, tool=tool, **{"failed": False, **fields})
        return number

    def trail(self) -> Trail:
        keeper = TrailKeeper()
        for turn in self.turns:
            keeper.take(turn)
        return keeper.trail()


def test_files_are_kept_with_what_was_done_to_them() -> None:
    play = Script()
    play.did("Read", {"file_path": "/p/a.py"})
    play.did(
        "Edit", {"file_path": "/p/a.py", "old_string": "x", "new_string": "y"}, "The file /p/a.py has been updated"
    )
    play.did("Write", {"file_path": "/p/b.py", "content": "z"}, "File created successfully at: /p/b.py")
    play.did("write", {"path": "/p/a.py", "content": "z"}, "Successfully wrote 1 bytes to /p/a.py")
    play.did("write", {"path": "/p/c.py", "content": "z"}, "Successfully wrote 1 bytes to /p/c.py")
    play.did("mcp__files__delete_file", {"path": "/p/c.py"})
    play.did("NotebookEdit", {"notebook_path": "/p/n.ipynb"}, "Updated cell")
    play.did("Grep", {"pattern": "x", "path": "/p/d.py"})
    assert play.trail().files == [
        TrailFile(path="/p/a.py", acts=["read", "edited"], turn=7, changed=7),
        TrailFile(path="/p/b.py", acts=["created"], turn=5, changed=5),
        TrailFile(path="/p/c.py", acts=["created", "deleted"], turn=11, changed=11),
        TrailFile(path="/p/n.ipynb", acts=["edited"], turn=13, changed=13),
    ]


@pytest.mark.parametrize("how", ["denied", "result"])
def test_a_refused_or_failed_edit_is_no_edit(how: str) -> None:
    play = Script()
    play.did("Edit", {"file_path": "/p/a.py"}, "no", kind=how, failed=True)
    assert play.trail() == Trail()


def test_an_edit_without_a_result_counts_until_the_result_says_otherwise() -> None:
    play = Script()
    play.did("Read", {"file_path": "/p/a.py"})
    play.call("Edit", {"file_path": "/p/a.py"}, "open")
    assert play.trail().files == [TrailFile(path="/p/a.py", acts=["read", "edited"], turn=3, changed=3)]
    play.result("refused", kind="denied", call="open", failed=True)
    assert play.trail().files == [TrailFile(path="/p/a.py", acts=["read"], turn=1)]


def test_a_call_in_a_message_that_was_cut_off_never_ran() -> None:
    play = Script()
    line = play.call("edit", {"path": "/p/a.py"})
    play.add("system", "interrupted", "Request was aborted.", line=line)
    assert play.trail().files == []


def test_a_patch_adds_updates_deletes_and_moves_files() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: new.py\n+x\n*** Update File: old.py\n*** Move to: moved.py\n@@\n-a\n+b\n"
        "*** Update File: same.py\n@@\n-a\n+b\n*** Delete File: gone.py\n*** End Patch\n"
    )
    acts = [
        ["created", "new.py"],
        ["deleted", "old.py"],
        ["created", "moved.py"],
        ["edited", "same.py"],
        ["deleted", "gone.py"],
    ]
    assert patched(patch) == acts
    for tool, given in [
        ("apply_patch", patch),
        ("apply_patch", {"input": patch}),
        ("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{patch}EOF"]}),
        ("exec_command", {"cmd": f"apply_patch <<'EOF'\n{patch}EOF"}),
    ]:
        play = Script()
        play.did(tool, given, "Success.")
        assert [[*file.acts, file.path] for file in play.trail().files] == acts


def test_a_patch_that_was_not_applied_changes_nothing() -> None:
    play = Script()
    patch = "*** Begin Patch\n*** Update File: a.py\n*** End Patch"
    play.did("apply_patch", patch, "apply_patch verification failed: no such line", failed=None)
    assert play.trail().files == []


def test_a_plain_look_at_a_file_through_the_shell_is_a_read_and_a_heredoc_writes() -> None:
    play = Script()
    play.did("exec_command", {"cmd": "sed -n '1,20p' src/a.py", "workdir": "/p"})
    play.did("Bash", {"command": "cd /q && cat b.py"})
    play.did("Bash", {"command": "cat > /q/c.txt <<'EOF'\nhello\nEOF"})
    play.did("Bash", {"command": "cat a b | wc"})
    assert [[*file.acts, file.path] for file in play.trail().files] == [
        ["read", "/p/src/a.py"],
        ["read", "/q/b.py"],
        ["created", "/q/c.txt"],
    ]


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("sed -i 's/sum(.*)/total(cart)/' cart.py && python3 test_cart.py", [["edited", "cart.py"]]),
        ("sed -i '' -e 's|one way|another|' a.ts b.ts", [["edited", "a.ts"], ["edited", "b.ts"]]),
        (
            "cd /p && git mv old.py new.py; rm -rf build",
            [["deleted", "/p/old.py"], ["created", "/p/new.py"], ["deleted", "/p/build"]],
        ),
        ("cat <<'EOF' > notes.md\nrm -rf /\nEOF", [["created", "notes.md"]]),
        (
            "cp .env.example .env; echo ready >> log.txt; touch a b",
            [["created", ".env"], ["created", "log.txt"], ["created", "a"], ["created", "b"]],
        ),
        ("sed 's/a/b/' in.txt > out.txt", [["created", "out.txt"]]),
        ("rm /tmp/scratch.py *.pyc; echo hi > $LOG; mkdir -p src; git add a.py; make > /dev/null 2>&1", []),
    ],
)
def test_what_the_shell_writes_moves_and_removes_is_on_the_trail(command: str, files: list[list[str]]) -> None:
    play = Script()
    play.did("Bash", {"command": command})
    assert [[*file.acts, file.path] for file in play.trail().files] == files


def test_commands_are_kept_with_how_they_went() -> None:
    play = Script()
    play.did("Bash", {"command": "make"}, "fine")
    play.did("Bash", {"command": "false"}, "Exit code 1\n", failed=True)
    play.did("exec_command", {"cmd": "rg x"}, "", failed=True, exit_status=1)
    play.did("bash", {"command": "rm -rf /"}, "no", kind="denied", failed=True)
    play.call("Bash", {"command": "sleep 9"})
    assert play.trail().commands == [
        TrailCommand(command="make", failed=False, turn=1),
        TrailCommand(command="false", failed=True, exit_status=1, turn=3),
        TrailCommand(command="rg x", failed=True, exit_status=1, turn=5),
        TrailCommand(command="rm -rf /", failed=True, refused=True, turn=7),
        TrailCommand(command="sleep 9", turn=9),
    ]


@pytest.mark.parametrize(
    ("command", "printed", "text"),
    [
        ("git commit -m 'Charge once'", "[main 1a2b3c4] Charge once\n 1 file", "1a2b3c4 Charge once"),
        ("git commit -qam 'Charge once'", "", "Charge once"),
        ('git commit -qm "$(cat <<\'EOF\'\nCharge "once"\n\ngit push later\nEOF\n)"', "", 'Charge "once"'),
        ("git commit -qm @'\nCharge once\n\ngit push later\n'@", "", "Charge once"),
        # What a look prints is no commit of the agent's.
        ("cat log.txt", "[main 1a2b3c4] Charge once a click", None),
    ],
)
def test_a_commit_is_told_by_its_subject_however_it_is_made(command: str, printed: str, text: str | None) -> None:
    play = Script()
    play.did("Bash", {"command": command}, printed)
    assert play.trail().results == ([] if text is None else [_commit(text, 1)])


@pytest.mark.parametrize(
    ("command", "printed", "text"),
    [
        ("git commit --amend --no-edit", "[main 5d6e7f8] Charge once", "5d6e7f8 Charge once"),
        ("git commit --amend -q --no-edit", "", "Charge once"),
        ("git commit --amend -m 'Charge never'", "[main 5d6e7f8] Charge never", "5d6e7f8 Charge never"),
    ],
)
def test_an_amended_commit_takes_the_place_of_the_one_before(command: str, printed: str, text: str) -> None:
    play = Script()
    play.did("Bash", {"command": "git commit -m 'Add a page'"}, "[main 0a0b0c0] Add a page")
    play.did("Bash", {"command": "git commit -m 'Charge once'"}, "[main 1a2b3c4] Charge once")
    play.did("Bash", {"command": command}, printed)
    assert play.trail().results == [_commit("0a0b0c0 Add a page", 1), _commit(text, 5)]


def _commit(text: str, turn: int) -> TrailResult:
    return TrailResult(kind="commit", text=text, failed=False, turn=turn)


def test_a_command_in_the_background_ends_when_somebody_looks() -> None:
    play = Script()
    play.did("exec_command", {"cmd": "npm test"}, "Process running with session ID 77\nOutput:\n", failed=None)
    play.did("Bash", {"command": "make serve"}, "Command running in background with ID: b1")
    assert [command.failed for command in play.trail().commands] == [None, None]
    play.did("write_stdin", {"session_id": 77, "chars": ""}, "3 failed", failed=True, exit_status=1)
    notice = "<task-notification><task-id>b1</task-id><status>completed</status>exit code 0</task-notification>"
    play.add("system", "notice", notice)
    trail = play.trail()
    assert [(command.failed, command.exit_status) for command in trail.commands] == [(True, 1), (False, 0)]
    assert trail.last_test == TrailTest(command="npm test", passed=False, result="3 failed", turn=1, ended=6)


def test_old_commands_go() -> None:
    play = Script()
    play.did("Bash", {"command": "broken"}, "Exit code 2", failed=True)
    for number in range(LAST_COMMANDS + 5):
        play.did("Bash", {"command": f"echo {number}"})
    commands = [command.command for command in play.trail().commands]
    assert commands == [f"echo {number}" for number in range(5, LAST_COMMANDS + 5)]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("pytest -q", "test"),
        ("cd /p && uv run pytest tests/a.py 2>&1 | tail -5", "test"),
        ("python3 -m pytest", "test"),
        ("go test ./...", "test"),
        ("CI=1 cargo test --all", "test"),
        ("npm test", "test"),
        ("pnpm --filter web run test:unit", "test"),
        ("npx vitest run", "test"),
        ("make test", "test"),
        ("mise run test:ci", "test"),
        ("mise run fmt && mise run lint", "check"),
        ("npx tsc --noEmit", "check"),
        ("npm run check", "check"),
        ("rg test src", "look"),
        ("git status", "look"),
        ("git commit -m 'test'", "other"),
    ],
)
def test_commands_are_told_apart(command: str, kind: str) -> None:
    assert kind_of(command) == kind


def test_a_todo_list_is_replaced_as_a_whole() -> None:
    play = Script()
    play.did("TodoWrite", {"todos": [{"content": "a", "status": "in_progress"}, {"content": "b", "status": "pending"}]})
    play.did("update_plan", {"plan": [{"step": "a", "status": "completed"}, {"step": "b", "status": "pending"}]})
    assert play.trail().todos == [
        TrailItem(text="a", state="done", turn=4),
        TrailItem(text="b", state="open", turn=2),
    ]


def test_tasks_are_followed_by_their_number() -> None:
    play = Script()
    play.did("TaskCreate", {"subject": "mend the lock"}, "Task #1 created successfully: mend the lock")
    play.did("TaskCreate", {"subject": "paint it"}, "Task #2 created successfully: paint it")
    play.did("TaskCreate", {"subject": "sell it"}, "Task #3 created successfully: sell it")
    play.did("TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1 status")
    play.did("TaskUpdate", {"taskId": "2", "status": "deleted"}, "Updated task #2 deleted")
    play.did("TaskList", {}, "#1 [completed] mend the lock\n#3 [in_progress] sell it [blocked by #1]")
    assert play.trail().todos == [
        TrailItem(text="mend the lock", state="done", turn=8),
        TrailItem(text="sell it", state="doing", turn=12),
    ]


def test_plans_are_accepted_or_rejected() -> None:
    play = Script()
    play.did("ExitPlanMode", {"plan": "one"}, "no", kind="denied", failed=True)
    play.did("ExitPlanMode", {"plan": "two"}, "User has approved your plan.")
    assert play.trail().plans == [
        TrailItem(text="one", state="rejected", turn=2),
        TrailItem(text="two", state="accepted", turn=4),
    ]


def test_questions_are_kept_with_the_answers() -> None:
    play = Script()
    asked = {"questions": [{"question": "Which port?"}, {"question": "Which host?"}]}
    play.did("AskUserQuestion", asked, 'User has answered: "Which port?"="8080", "Which host?"="local". Go on.')
    codex = {"questions": [{"id": "q", "question": "Which colour?"}]}
    play.did("request_user_input", codex, '{"answers":{"q":{"answers":["red"]}}}')
    play.did("AskUserQuestion", {"questions": [{"question": "Sure?"}]}, "no", kind="denied", failed=True)
    play.did("AskUserQuestion", {"questions": [{"question": "When?"}]}, "…")
    play.add("user", "answer", "tomorrow", tool="AskUserQuestion")
    play.call("AskUserQuestion", {"questions": [{"question": "Who?"}]})
    assert [(item.text, item.state) for item in play.trail().questions] == [
        ("Which port?", "8080"),
        ("Which host?", "local"),
        ("Which colour?", "red"),
        ("Sure?", "refused"),
        ("When?", "tomorrow"),
        ("Who?", "open"),
    ]


def test_of_a_question_the_options_and_the_one_picked_are_kept() -> None:
    play = Script()
    options = [{"label": "Small one"}, {"label": "None"}]
    asked = {"questions": [{"question": "Which cache?", "options": options}, {"question": "Why?", "options": options}]}
    play.did("AskUserQuestion", asked, 'Answered: "Which cache?"="Small one", "Why?"="because I say so". Go on.')
    play.did("TodoWrite", {"todos": [{"content": "Add it", "status": "pending"}]})
    trail = play.trail()
    assert [(item.options, item.picked, item.state) for item in trail.questions] == [
        (["Small one", "None"], ["Small one"], "Small one"),
        (["Small one", "None"], [], "because I say so"),
    ]
    assert (trail.listed, [item.turn for item in trail.todos]) == (4, [4])


def test_calls_that_never_end_are_bounded_and_their_files_stay() -> None:
    play = Script()
    for number in range(OPEN_CALLS * 3):
        play.call("Edit", {"file_path": f"/p/{number}.py"})
    keeper = TrailKeeper()
    for turn in play.turns:
        keeper.take(turn)
    assert len(keeper.state["open"]) == OPEN_CALLS
    assert len(keeper.trail().files) == OPEN_CALLS * 3


@pytest.mark.parametrize(
    "tool", ["Edit", "Bash", "apply_patch", "TodoWrite", "TaskUpdate", "AskUserQuestion", "poll", ""]
)
@pytest.mark.parametrize(
    "text",
    [
        "", "not json", "[]", "null", "{", "[" * 100_000, '{"file_path": ["a"], "command": {"x": 1}, "todos": "x"}',
        '{"file_path": 1, "command": ["a", 2], "todos": [1, {"content": []}], "questions": [[], {"question": 3}]}',
        json.dumps({"file_path": "x" * 1_000_000, "command": "y" * 1_000_000}), '{"command": "\ud800"}',
        "*** Add File: ",
    ],
)  # fmt: skip
def test_hostile_calls_never_raise(tool: str, text: str) -> None:
    play = Script()
    play.did(tool, text, text)
    play.did(tool, text, text, kind="denied")
    play.add("user", "answer", text)
    trail = play.trail()
    assert all(len(file.path) <= 4096 for file in trail.files)
    assert all(len(command.command) <= 4000 for command in trail.commands)


def test_what_a_script_of_codex_runs_and_patches_is_on_the_trail() -> None:
    play = Script()
    play.did(
        "exec", 'const r = await tools.exec_command({cmd:"git commit -m \\"fix\\"", workdir:"/p"}); text(r.output)'
    )
    play.did(
        "exec",
        'const patch = "*** Begin Patch\\n*** Update File: /p/a.rs\\n@@\\n-x\\n"; await tools.apply_patch(patch)',
    )
    play.did("exec", "const names = ALL_TOOLS.map(tools.name)")
    play.did("exec", "const r = await tools.exec_command({workdir: '/p', cmd: 'gh pr view 7'})")
    play.did("exec", "await tools.apply_patch(`*** Begin Patch\n*** Add File: /p/b.rs\n+x\n*** End Patch`)")
    trail = play.trail()
    assert [one.command for one in trail.commands if "patch" not in one.command] == [
        'git commit -m "fix"',
        "gh pr view 7",
    ]
    assert [(file.path, file.acts) for file in trail.files] == [("/p/a.rs", ["edited"]), ("/p/b.rs", ["created"])]
