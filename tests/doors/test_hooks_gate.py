"""Before a tool: what a person said while they worked with an agent, and what a later session is told, asked or spared.

Everything is heard by the scribe that ships, from transcripts as Claude Code writes them.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.briefing.page import page_text
from steno.doors.hooks import answer
from steno.memory import Memory
from steno.testing import SteppingClock, house, write_jsonl
from steno.vocabulary import Action

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
    assert before(edit("settings.toml", "[app]", "[app]\nlog = 3")) == ("silence", "")


def test_words_that_only_say_for_how_long_belong_to_the_sentence_before_them(before, play, memory):
    forced(play)
    assert (before(bash("git push -f origin topic"))[0], [one.rule for one in memory.rules.all()]) == (
        "ask", ["don't force push. ever."],
    )  # fmt: skip


def test_a_call_that_was_allowed_later_is_not_asked_about_though_the_instruction_stands(before, play, memory):
    staged_first(play)
    assert before(bash("kubectl apply -f k8s/live"))[0] == "remind"
    assert "never deploy to live without a look at staging" in [one.rule for one in memory.rules.all()]


def test_a_command_that_is_forbidden_in_one_place_is_not_asked_about_in_another(before, play):
    play.denies(bash("ssh deploy@prod uptime"), "never ssh into prod")
    assert before(bash("ssh root@prod df -h"))[0] == "ask"
    assert before(bash("ssh deploy@staging uptime"))[0] == "remind"


def test_what_a_find_would_delete_is_touched(before, play):
    play.denies(bash("rm -rf data"), "never touch data/")
    assert before(bash("find data -name '*.db' -delete"))[0] == "remind"
    assert before(bash("find data -name '*.db'")) == ("silence", "")


BLACK = ["black src/", "python -m black x.py", "./venv/bin/black x.py", ".venv/bin/python -m black x.py"]


@pytest.mark.parametrize("command", BLACK)
@pytest.mark.parametrize("denied", [True, False])
def test_a_command_forbidden_in_words_is_asked_about_also_where_that_was_said_to_a_call(before, play, denied, command):
    words = "never run black, it reformats the vendored files"
    if denied:
        play.denies(bash("black ."), words)
    else:
        play.agent("I tidied up with black.")
        play.user(words)
    assert before(bash(command))[0] == "ask"
    assert before(bash("ruff format .")) == ("silence", "")


# -- what is fine ------------------------------------------------------------------------------------------------------


def npm(play: Play) -> None:
    play.user("add left-pad")
    play.agent("I will run npm install left-pad.")
    play.user("never use npm, we use pnpm")


def joined(play: Play) -> None:
    play.user("The report page is slow, make it quick.")
    play.agent("I propose to cache the rows in a global dictionary called ROW_CACHE in report.py. Shall I?")
    play.user(
        "no, never use global caches like ROW_CACHE, they leak between tenants. join the tables in the query instead"
    )


def listed_first(play: Play) -> None:
    play.user("Delete the old images.")
    play.call(bash("rm -r images/old"), denied="wait, show me the list first")
    play.call(bash("ls images/old"))
    play.agent("a.png and b.png.")
    play.user("ok go ahead and delete them")
    play.call(bash("rm -r images/old"))


def staged_first(play: Play) -> None:
    play.user("Release it.")
    play.call(bash("kubectl apply -f k8s/live"), denied="never deploy to live without a look at staging")
    play.agent("It runs on staging. Shall I go on and run kubectl apply -f k8s/live?")
    play.user("yes, go ahead")
    play.call(bash("kubectl apply -f k8s/live"))


def forced(play: Play) -> None:
    play.denies(bash(FORCED), "don't force push. ever.")


def peers(play: Play) -> None:
    play.denies(bash("npm install --legacy-peer-deps"), "no. don't ever use --legacy-peer-deps, mend the conflict")


def planned(play: Play) -> None:
    play.denies(
        plan("1. Add pydantic\n2. Replace config.py with a Settings class"),
        "no pydantic please, dataclasses are enough",
    )


def stashed(play: Play) -> None:
    play.denies(bash("git stash"), "never stash my work. I lose track of it")


def rated(play: Play) -> None:
    play.user("The checkout is limited too much.")
    play.call(
        edit("config.py", "CHECKOUT_RATE = 10", "CHECKOUT_RATE = 100"),
        denied="no, do not raise the checkout rate, 10 is what the contract with the bank says. fix the bucket instead",
    )
    play.call(edit("limit.py", "tokens = size + 1", "tokens = size"))
    play.agent("Fixed: the bucket started one token too full.")
    play.user("good. use port 8081 for the staging server")


@pytest.mark.parametrize(
    ("said", "given"),
    [
        (npm, bash("pnpm install x")),
        (npm, bash("pnpm add left-pad")),
        (joined, edit("report.py", "for row in rows: fetch(row)", "rows = db.execute(select(Order).join(Customer))")),
        (listed_first, bash("rm -r images/old")),
        (forced, bash("git push origin main")),
        (forced, bash("git push -u origin topic")),
        (peers, bash("npm install react")),
        (stashed, bash("git stash list")),
        (planned, plan("1. Write a dataclass Settings\n2. Replace config.py")),
        (rated, edit("limit.py", "class Bucket: ...", "class TokenBucket:\n    tokens = size")),
    ],
)  # fmt: skip
def test_the_chosen_option_passes_in_silence(before, play, said, given):
    said(play)
    assert before(given) == ("silence", "")


@pytest.mark.parametrize(
    ("said", "refused", "revert"),
    [
        (rated, edit("config.py", "CHECKOUT_RATE = 10", "CHECKOUT_RATE = 100"),
         edit("config.py", "CHECKOUT_RATE = 100", "CHECKOUT_RATE = 10")),
        (rated, plan("raise the checkout rate to 100"), plan("lower the checkout rate back to 10")),
        (joined, edit("report.py", "rows = []", "ROW_CACHE = {}\nrows = []"),
         edit("report.py", "ROW_CACHE = {}\nrows = []", "rows = []")),
        (joined, plan("add a global ROW_CACHE"), plan("remove the global ROW_CACHE")),
    ],
)  # fmt: skip
def test_what_takes_the_refused_thing_out_again_passes_in_silence(before, play, said, refused, revert):
    said(play)
    assert (before(refused)[0] != "silence", before(revert)) == (True, ("silence", ""))


# -- what is told ------------------------------------------------------------------------------------------------------


def test_a_question_is_told_as_what_was_said_to_an_agent_and_on_the_page(before, play, memory):
    play.denies(bash("docker logs api"), "why do you need docker for the api logs?")
    voice, text = before(bash("docker restart api"))
    assert (voice, text.split("\n")[1]) == (
        "remind", "- said, 2 March 2026: “why do you need docker for the api logs?” (to “Bash docker logs api”)",
    )  # fmt: skip
    page = page_text(memory.before(Action(agent="bot", text="docker restart api", directory=play.project)))
    assert page.split("\n")[2:] == [
        "╰ verdict   warn: “why do you need docker for the api logs?” (to “Bash docker logs api”), said by the user on"
        " 2 March 2026 ",
    ]


def test_the_option_that_was_passed_over_is_not_told_as_refused(before, play):
    put = [{"label": "SQLite (Recommended)"}, {"label": "Postgres"}]
    play.user("Where do sessions live?")
    asked = {"questions": [{"question": "Where do sessions live?", "options": put}]}
    play.call(("AskUserQuestion", asked), gives={"answers": {"Where do sessions live?": "Postgres"}})
    play.agent("Postgres it is.")
    assert before(plan("keep sessions in Postgres")) == ("silence", "")
    voice, text = before(plan("keep the sessions in SQLite"))
    assert (voice, text.split("\n")[1]) == (
        "remind", "- passed over, 2 March 2026: “SQLite (Recommended)” (by saying “Postgres”)",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("host", "voice", "last"),
    [
        ("claude-code", "ask", "Yes allows it once."),
        ("codex", "deny", "Ask the human first: a yes allows it once."),
    ],
)
def test_a_person_reads_the_words_once_without_markup_whatever_the_host(before, play, memory, host, voice, last):
    play.denies(bash("black ."), "never run black, it reformats the vendored files")
    told, text = before(bash("black src/"), host=host)
    assert (told, text.split("\n")) == (
        voice,
        [
            "Steno: instructed by the user on 2 March 2026: “never run black, it reformats the vendored files”",
            f"Steno: {last}",
        ],
    )


# -- a person's word ---------------------------------------------------------------------------------------------------


def test_what_a_person_lowered_to_warning_reminds(before, play, memory):
    npm(play)
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


@pytest.mark.parametrize(
    ("request_", "voice"),
    [
        ("please run black over the parser, just this once", "remind"),
        ("can you run black?", "remind"),
        ("lass jetzt mal black laufen", "ask"),
        ("ja, nimm black", "remind"),
        ("why did you run black?", "ask"),
        ("don't run black", "ask"),
        ("run the tests", "ask"),
    ],
)
def test_who_just_asked_for_exactly_that_is_not_asked_back(before, desk, play, request_, voice):
    play.denies(bash("black ."), "never run black, it reformats the vendored files")
    assert before(bash("black parser.py"))[0] == "ask"
    event(desk, play, "SessionStart", session_id="today", source="startup")
    event(desk, play, "UserPromptSubmit", session_id="today", prompt=request_)
    desk.said.to("today").told.clear()
    assert before(bash("black parser.py"), session="today")[0] == voice
