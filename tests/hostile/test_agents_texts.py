"""No text for an agent names a command that lifts what a person said; and what we said is known when it comes back."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.briefing.page import asks, page_text
from steno.doors.hooks import answer
from steno.language.words import is_held, without_own_words
from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.verbs import VERBS
from steno.verbs.asking import Asker
from steno.verbs.call import call, public
from steno.verbs.words import for_agents
from steno.vocabulary import Action, Outcome
from steno.vocabulary.errors import StenoError

from ..doors.test_hooks import StandInDesk

NOW = "2026-03-03T09:00:00.000Z"
ACTS = [*(name for name, verb in VERBS.items() if verb.authority), "stop", "install", "uninstall", "review"]
NAMED = re.compile(rf"\bsteno (?:{'|'.join(sorted(ACTS, key=len, reverse=True))})\b")
COMMAND = 'sqlite3 shop.db "ALTER TABLE payments ADD COLUMN note"'


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory that has something to say at every turn: a rule, a refusal, a flow that needs a yes, much work."""
    with house(tmp_path, clock=SteppingClock(NOW), embedding="off") as memory:
        project = str(tmp_path)
        talk = [
            said("add a note to each payment", id="0", at="2026-03-02T09:00:00Z", project=project),
            said(
                "Shall I alter the payments table?",
                role="assistant",
                id="1",
                at="2026-03-02T09:01:00Z",
                project=project,
            ),
            said("no, never touch the payments table", id="2", at="2026-03-02T09:02:00Z", project=project),
        ]
        memory.capture(write_jsonl(tmp_path / "talk.jsonl", *talk), source="jsonl")
        memory.rules.add("never push on a Friday")
        memory.flows.add("release", ["make release"], ["release the shop"], needs_approval=True)
        memory.rules.settle()
        yield memory


def rendered(memory: Memory, project: str) -> Iterator[tuple[str, str]]:
    """Every text an agent can get, with where it stands."""
    for host in ("claude-code", "codex"):
        desk = StandInDesk(memory)

        def told(event: str, host: str = host, desk: StandInDesk = desk, **more: Any) -> str:
            given = {"session_id": "new", "cwd": project, **more}
            return answer(desk, host, event, json.dumps(given).encode()).text.decode()

        for event in ("SessionStart", "SubagentStart", "PreCompact", "PostCompact", "Stop", "SessionEnd"):
            yield f"{host} {event}", told(event, source="startup")
        yield f"{host} compact", told("SessionStart", source="compact")
        yield f"{host} prompt", told("UserPromptSubmit", prompt="change the payments table")
        for number, command in enumerate((COMMAND, "git push origin main", "make release")):
            call_ = {"tool_name": "Bash", "tool_use_id": f"c{number}", "tool_input": {"command": command}}
            yield f"{host} {command}", told("PreToolUse", **call_)
    for text in ("alter the payments table", "release the shop", "push to main", "fix a typo"):
        verdict = memory.before(Action(agent="bot", text=text, directory=project))
        yield f"card {text}", page_text(verdict)
        for can_ask in (True, False) if hasattr(verdict, "reasons") else ():
            yield f"asks {text}", asks(verdict, can_ask=can_ask)  # type: ignore[arg-type]
    for tier in (0, 1, 2, 3):
        yield f"brief {tier}", memory.brief(tier, "latest").text
    yield "boot", memory.boot(project=project).text
    graded = memory.after(Outcome(agent="bot", passed=True, summary="made it", learned="be careful", directory=project))
    yield "after", str(graded)
    for name, verb in VERBS.items():
        for asker in (Asker(project=project, door="mcp"), Asker(agent="bot"), Asker(project="/nowhere")):
            for given in (
                {},
                {"project": "/elsewhere"},
                {"everywhere": True},
                {"agent": "other"},
                {"id": "no"},
                {"query": "payments"},
                {"topic": "payments"},
                {"nonsense": 1},
                {"text": "x", "category": "rule"},
            ):
                try:
                    if not verb.slow and (verb.does == "reads" or not (asker.sees_all or verb.held or verb.tool)):
                        yield f"{name} {given}", str(public(call(verb, given, memory, asker).answer))
                except StenoError as error:
                    yield f"{name} {given} refused", f"{error.message}. {for_agents(error.hint)}"


def test_no_text_for_an_agent_names_an_act_of_authority(memory: Memory, tmp_path: Path) -> None:
    found = list(rendered(memory, str(tmp_path)))
    # What waits names what the agent itself had asked for.
    others = [(where, text) for where, text in found if not text.startswith("This waits for a person: `steno ")]
    assert [(where, text) for where, text in others if NAMED.search(text)] == []
    spoke = {where for where, text in found if "Steno: " in text}
    assert {"claude-code make release", "codex make release", "asks alter the payments table"} <= spoke


def test_a_hint_for_an_agent_keeps_what_it_may_do_itself() -> None:
    assert for_agents("`steno entries share` lets others see what belongs to a project or an agent") == ""
    assert for_agents("no vectors yet; `steno store embed` makes them") == "no vectors yet"
    assert for_agents("`steno up` starts it; `steno pause off` goes on") == "`steno up` starts it"
    assert for_agents("`steno review` lists them") == ""


@pytest.fixture
def told(memory: Memory, tmp_path: Path) -> str:
    verdict = memory.before(Action(agent="bot", text="alter the payments table", directory=str(tmp_path)))
    return asks(verdict, can_ask=False)  # type: ignore[arg-type]


OLDER = (
    "Steno: refused by the user on 2 March 2026: “never touch the payments table”\nWhy: it is another team's\n"
    "Yes allows it once. `steno archive 9e619ac4b6e2` allows it for good."
)
PREFIXES = ("", "Error: ", "Command blocked by PreToolUse hook: ", "PreToolUse:Bash hook error: [python run.py]: ")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_each_line_of_ours_is_known_alone_and_behind_a_hosts_words(told: str, prefix: str) -> None:
    texts = [
        *told.split("\n"),
        told,
        OLDER,
        OLDER.split("\n")[-1],
        OLDER.replace("`steno archive", "steno entries archive"),
    ]
    for text in [*texts, *(f"{text}. Command: {COMMAND}" for text in texts)]:
        assert is_held(prefix + text)
        assert without_own_words(prefix + text).rstrip("\0") == prefix or text.startswith(OLDER[:30])
        assert "payments table" not in without_own_words(prefix + text).partition(". Command")[0]
        assert NAMED.search(without_own_words(prefix + text)) is None


def test_a_person_who_types_our_name_keeps_their_words() -> None:
    for text in ("steno: is it up?", "Steno: never use tabs.", "look at steno: why does it ask?", "Steno: yes, do it"):
        assert without_own_words(text) == text
        assert not is_held(text)


def hold(memory: Memory, tmp_path: Path, result: str) -> Memory:
    """A session of Claude Code in which a call was held."""
    common = {"sessionId": "held", "cwd": str(tmp_path), "version": "2.1.0"}

    def line(kind: str, number: int, content: Any, **more: Any) -> dict[str, Any]:
        message = {"role": kind, "content": content}
        at = f"2026-03-02T10:0{number}:00.000Z"
        return {"type": kind, "uuid": f"u{number}", "timestamp": at, "message": message, **common, **more}

    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": COMMAND}}
    came = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": result}
    memory.capture(
        write_jsonl(
            tmp_path / "held.jsonl",
            line("user", 0, "add a note to every payment"),
            line("assistant", 1, [use]),
            line("user", 2, [came]),
        ),
        source="claude-code",
    )
    return memory


@pytest.mark.parametrize(
    "shown", [lambda told: told, lambda told: told.split("\n")[-1], lambda told: OLDER.split("\n")[-1]]
)
@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_call_that_was_held_did_not_fail(
    memory: Memory, tmp_path: Path, told: str, shown: Callable[[str], str], prefix: str
) -> None:
    hold(memory, tmp_path, prefix + shown(told))
    point = memory.checkpoint("held")
    assert point is not None
    assert [(one.command, one.failed, one.held) for one in point.trail.commands] == [(COMMAND, None, True)]
    assert (point.failure, point.blockers) == (None, [])
    texts = [memory.brief(tier, "held").text for tier in (0, 1, 2)]
    texts += [memory.boot(project=str(tmp_path)).text, memory.handoff(), memory.capsule("held")]
    for text in texts:
        assert "failed" not in text
        assert "the tool printed" not in text
        assert "allows it" not in text
    assert "was held by a rule; nobody has allowed it yet" in texts[0]
