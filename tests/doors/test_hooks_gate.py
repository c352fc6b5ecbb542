"""Before a tool: what a person said while they worked with an agent, and what a later session is told, asked or spared.

Everything is heard by the scribe that ships, from transcripts as Claude Code writes them.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.doors.hooks import answer
from steno.memory import Memory
from steno.testing import SteppingClock, house, write_jsonl

from .conftest import Desk

DENIED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
Given = tuple[str, dict[str, Any]]
FORCED = "git push --force origin main"


class Play:
    """A session of yesterday, line by line."""

    def __init__(self, project: Path) -> None:
        self.project, self.lines = str(project), list[dict[str, Any]]()

    def _line(self, role: str, content: Any, **more: Any) -> None:
        number = len(self.lines)
        self.lines.append(
            {"type": role, "uuid": f"u{number}", "sessionId": "yesterday", "cwd": self.project,
             "timestamp": f"2026-03-02T09:{number:02d}:00.000Z", "message": {"role": role, "content": content}, **more}
        )  # fmt: skip

    def user(self, words: str) -> None:
        self._line("user", words)

    def agent(self, words: str) -> None:
        self._line("assistant", [{"type": "text", "text": words}])

    def call(self, given: Given, *, denied: str = "", gives: Any = "ok") -> None:
        tool, values = given
        name = f"t{len(self.lines)}"
        self._line("assistant", [{"type": "tool_use", "id": name, "name": tool, "input": values}])
        text = f"{DENIED}{denied}" if denied else "ok"
        block = {"type": "tool_result", "tool_use_id": name, "content": text, "is_error": bool(denied)}
        self._line("user", [block], toolUseResult="User rejected tool use" if denied else gives)

    def denies(self, given: Given, words: str) -> None:
        """A call is denied, and the work goes on."""
        self.user("The deploy is broken, mend it.")
        self.call(given, denied=words)
        self.agent("Understood.")


def bash(command: str) -> Given:
    return "Bash", {"command": command}


def edit(path: str, old: str, new: str) -> Given:
    return "Edit", {"file_path": path, "old_string": old, "new_string": new}


def plan(text: str) -> Given:
    return "ExitPlanMode", {"plan": text}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def play(project: Path) -> Play:
    return Play(project)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path, clock=SteppingClock("2026-03-03T09:00:00.000Z")) as opened:
        yield opened


@pytest.fixture
def desk(memory: Memory) -> Desk:
    return Desk(memory)


@pytest.fixture
def before(desk: Desk, play: Play, tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """What a host answers before a call of a new session: the voice, and the text."""
    numbers = iter(range(1000))

    def tell(given: Given, *, host: str = "claude-code", session: str = "") -> tuple[str, str]:
        if not desk.memory.sessions():
            path = write_jsonl(tmp_path / "yesterday.jsonl", *play.lines)
            desk.memory.capture(path, source="claude-code")
            desk.memory.scribe()
            desk.memory.rules.settle()
        told = event(desk, play, "PreToolUse", host=host, session_id=session or f"new-{next(numbers)}",
                     tool_name=given[0], tool_input=given[1], tool_use_id="c")  # fmt: skip
        if "additionalContext" in told:
            return "remind", told["additionalContext"]
        return told.get("permissionDecision", "silence"), told.get("permissionDecisionReason", "")

    return tell


def event(desk: Desk, play: Play, name: str, *, host: str = "claude-code", **fields: Any) -> dict[str, Any]:
    base = {"transcript_path": "/t/today.jsonl", "cwd": play.project, "hook_event_name": name}
    told = answer(desk, host, name, json.dumps(base | fields).encode())
    if told.handed is not None:
        told.handed()
    inside: dict[str, Any] = json.loads(told.text)["hookSpecificOutput"] if told.text else {}
    return inside


# -- the very call -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (FORCED, "no! never force push to main"),
        (FORCED, "never force push to main"),
        ("dropdb shop", "no, don't do that. I never want you to delete the database"),
        ("ssh prod systemctl restart shop", "stop. we never touch prod from here"),
        ("sudo npm install -g eslint", "no, I told you not to install packages globally"),
        ("ssh deploy@prod df -h", "never ssh into prod"),
    ],
)
def test_the_very_call_that_was_refused_for_good_is_asked_about(before, play, command, words):
    play.denies(bash(command), words)
    assert before(bash(command))[0] == "ask"


def test_the_very_edit_that_was_refused_for_good_is_asked_about(before, play):
    second = "Write", {"file_path": "config/features.yaml", "content": "dark_mode: true\nbeta: false\n"}
    play.denies(second, "no second config file, ever. everything lives in settings.toml")
    assert before(second)[0] == "ask"
    assert before(edit("settings.toml", "[app]", "[app]\nlog = 3"))[0] == "remind"


def test_a_call_that_was_allowed_later_is_not_asked_about_though_the_instruction_stands(before, play, memory):
    staged_first(play)
    assert before(bash("kubectl apply -f k8s/live"))[0] == "remind"
    assert "never deploy to live without a look at staging" in [one.rule for one in memory.rules.all()]


def test_what_a_find_would_delete_is_touched(before, play):
    play.denies(bash("rm -rf data"), "never touch data/")
    assert before(bash("find data -name '*.db' -delete"))[0] == "remind"
    assert before(bash("find data -name '*.db'")) == ("silence", "")


BLACK = ["black src/", "python -m black x.py", "./venv/bin/black x.py", ".venv/bin/python -m black x.py"]


@pytest.mark.parametrize("command", BLACK)
def test_a_command_forbidden_in_words_is_asked_about_however_it_is_started(before, play, memory, command):
    memory.rules.add("never run black, it reformats the vendored files", project=play.project)
    assert before(bash(command))[0] == "ask"
    assert before(bash("ruff format .")) == ("silence", "")


# -- what is fine ------------------------------------------------------------------------------------------------------


def staged_first(play: Play) -> None:
    play.user("Release it.")
    play.call(bash("kubectl apply -f k8s/live"), denied="never deploy to live without a look at staging")
    play.agent("It runs on staging. Shall I go on and run kubectl apply -f k8s/live?")
    play.user("yes, go ahead")
    play.call(bash("kubectl apply -f k8s/live"))


def planned(play: Play) -> None:
    play.denies(
        plan("1. Add pydantic\n2. Replace config.py with a Settings class"),
        "no pydantic please, dataclasses are enough",
    )


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("never use npm, we use pnpm", bash("pnpm install x")),
        ("never use npm, we use pnpm", bash("pnpm add left-pad")),
        ("don't force push. ever.", bash("git push origin main")),
        ("don't force push. ever.", bash("git push -u origin topic")),
        ("no. don't ever use --legacy-peer-deps, mend the conflict", bash("npm install react")),
        ("never stash my work. I lose track of it", bash("git stash list")),
    ],
)  # fmt: skip
def test_another_command_than_the_forbidden_one_passes_in_silence(before, play, memory, words, given):
    memory.rules.add(words, project=play.project)
    assert before(given) == ("silence", "")


def test_what_takes_the_refused_thing_out_again_passes_in_silence(before, play):
    planned(play)
    assert before(plan("add pydantic for the settings"))[0] == "remind"
    assert before(plan("remove pydantic from the settings")) == ("silence", "")


# -- what is told ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "voice", "last"),
    [
        ("claude-code", "ask", "Yes allows it once."),
        ("codex", "deny", "It is held: nobody has allowed it yet.\nSteno: Ask the human first: a yes allows it once."),
    ],
)
def test_a_person_reads_the_words_once_without_markup_whatever_the_host(before, play, memory, host, voice, last):
    memory.rules.add("never run black, it reformats the vendored files", project=play.project)
    told, text = before(bash("black src/"), host=host)
    assert (told, text.split("\n")) == (
        voice,
        [
            "Steno: instructed by the user on 3 March 2026: “never run black, it reformats the vendored files”",
            *f"Steno: {last}".split("\n"),
        ],
    )


# -- a person's word ---------------------------------------------------------------------------------------------------


def test_what_a_person_lowered_to_warning_reminds(before, play, memory):
    memory.rules.add("never use npm, we use pnpm", project=play.project)
    assert before(bash("npm install x"))[0] == "ask"
    [rule] = memory.rules.all()
    memory.rules.lower(rule.id, "warn")
    assert before(bash("npm install x"))[0] == "remind"


def test_what_asks_by_its_words_alone_can_be_lowered_and_raised_again(before, play, memory):
    play.denies(bash("dropdb shop"), "I never want you to delete the database")
    assert before(bash("dropdb shop"))[0] == "ask"
    [rule] = memory.rules.all()
    memory.rules.lower(rule.id, "warn")
    assert before(bash("dropdb shop"))[0] == "remind"
    memory.rules.raise_(rule.id)
    assert before(bash("dropdb shop"))[0] == "ask"


def test_who_just_asked_for_exactly_that_is_not_asked_back(before, desk, play, memory):
    memory.rules.add("never run black, it reformats the vendored files", project=play.project)
    event(desk, play, "SessionStart", session_id="today", source="startup")
    event(desk, play, "UserPromptSubmit", session_id="today", prompt="run the tests")
    assert before(bash("black parser.py"), session="today")[0] == "ask"
    event(desk, play, "UserPromptSubmit", session_id="today", prompt="please run black over the parser, just this once")
    desk.said.to("today").told.clear()
    assert before(bash("black parser.py"), session="today")[0] == "remind"


def test_the_same_reminder_comes_at_most_once_in_twenty_turns_and_its_receipt_says_why(before, play, memory):
    rule = memory.rules.add("no new dependencies without asking me", project=play.project)
    told = [before(bash(f"pip install pot{number}"), session="today")[0] for number in range(12)]
    assert told == ["remind", *["silence"] * 10, "remind"]
    why = [(one.verdict, one.because) for one in memory.receipts() if one.kind == "gate"]
    assert why[:2] == [
        ("warn", {f"rule:{rule.id}": "what it does: adding-a-dependency"}),
        ("allow", {f"rule:{rule.id}": "a reminder was given 2 turns ago"}),
    ]
