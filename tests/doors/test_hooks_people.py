"""Before a tool: what only people may do is asked in the host's own dialog, or waits for them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.doors.hooks import answer
from steno.language.words import is_held, without_own_words
from steno.memory import Memory
from steno.surroundings import Surroundings, bare
from steno.testing import SteppingClock, house, write_jsonl
from steno.verbs import VERBS
from steno.verbs.asking import Asker
from steno.verbs.call import call
from steno.vocabulary import Rule
from steno.vocabulary.acts import Act, Who
from steno.vocabulary.errors import WaitsForPerson

from .conftest import Desk

HOSTS = ["claude-code", "codex"]
Answer = tuple[str, list[str]]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path, clock=SteppingClock("2026-03-03T09:00:00.000Z")) as opened:
        yield opened


@pytest.fixture
def rule(memory: Memory) -> Rule:
    return memory.rules.add("never push to main", project=None)


@pytest.fixture
def tell(memory: Memory, tmp_path: Path) -> Callable[..., Answer]:
    """What a host is answered about a call: the voice, and its lines."""
    desk, project = Desk(memory), tmp_path / "shop"
    project.mkdir()

    def ask(given: str | dict[str, Any], event: str = "PreToolUse", **told: Any) -> Answer:
        fields = {"host": "claude-code", "session_id": "s1", "tool_use_id": "c1", "permission_mode": "default"} | told
        tool, values = ("Bash", {"command": given}) if isinstance(given, str) else ("Write", given)
        fields |= {"hook_event_name": event, "cwd": str(project), "tool_name": tool, "tool_input": values}
        reply = answer(desk, fields.pop("host"), event, json.dumps(fields).encode())
        if reply.handed is not None:
            reply.handed()
        inside = json.loads(reply.text)["hookSpecificOutput"] if reply.text else {}
        return inside.get("permissionDecision", "silence"), inside.get("permissionDecisionReason", "").splitlines()

    return ask


def open_acts(memory: Memory) -> list[tuple[str, str, str, int]]:
    acts = [act for act, _ in memory.home.store.acts.waiting()]
    return [(act.state, act.verb, act.words, act.times) for act in acts]


def answered(memory: Memory, reply: str) -> Act:
    """A person's key in `steno review`."""
    [act] = memory.authority.waiting()
    found = call(VERBS["review answer"], {"id": act.id, "answer": reply}, memory, Asker()).answer
    assert isinstance(found, Act)
    return found


def agent(**more: Any) -> Who:
    """Who runs `steno` in the shell of the host's agent."""
    shell = {"by": "agent", "evidence": "the environment", "door": "cli", "agent": "claude-code", "session": "s1"}
    return Who(**{**shell, "is_attended": True, **more})


# -- asked -------------------------------------------------------------------------------------------------------------


def test_an_act_is_asked_in_the_hosts_dialog_with_all_that_it_would_end(tell, memory, rule):
    assert tell(f"steno rules retire {rule.id}") == (
        "ask",
        [
            f"Steno: This waits for a person: `steno rules retire {rule.id}`",
            'Steno: It would end rule: "never push to main" (edit, 2026-03-03)',
            "Steno: Yes allows it once.",
        ],
    )
    assert open_acts(memory) == [("asked", "rules retire", f"steno rules retire {rule.id}", 1)]


@pytest.mark.parametrize("told", [{"host": "codex"}, *({"permission_mode": name} for name in
                                  ("bypassPermissions", "dontAsk", "auto", ""))])  # fmt: skip
def test_where_nobody_would_answer_it_is_not_done_and_waits(told, tell, memory, rule):
    voice, lines = tell(f"steno rules retire {rule.id[:6]}", **told)
    assert (voice, lines) == (
        "deny",
        [
            f"Steno: This waits for a person: `steno rules retire {rule.id[:6]}`",
            'Steno: It would end rule: "never push to main" (edit, 2026-03-03)',
        ],
    )
    tell(f"steno rules retire {rule.id[:6]}", **told)
    assert open_acts(memory) == [("waiting", "rules retire", f"steno rules retire {rule.id[:6]}", 2)]
    [act] = memory.authority.waiting()
    assert (act.who.agent, act.who.session, act.who.door) == (told.get("host", "claude-code"), "s1", "hook")


def test_each_thing_that_a_call_would_do_is_named(tell, memory, rule):
    home = memory.home.root
    voice, lines = tell(f"steno rules retire {rule.id} && rm -r {home}/notebook; steno pause", permission_mode="plan")
    assert voice == "ask"
    assert [line.partition("person: ")[2] for line in lines if "person: " in line] == [
        f"`steno rules retire {rule.id}`", f"`rm -r {home}/notebook`", "`steno pause`",
    ]  # fmt: skip
    assert [verb for _, verb, _, _ in open_acts(memory)] == ["rules retire", "edit", "pause"]


@pytest.mark.parametrize("mode", ["default", "auto"])
def test_each_line_is_known_as_ours_when_it_comes_back_alone(mode, tell, memory, rule):
    _, lines = tell(f"steno rules retire {rule.id}", permission_mode=mode)
    for line in lines:
        assert is_held(line)
        assert without_own_words(f"then {line}") == "then \0"


def test_an_agents_own_work_is_not_held(tell, memory, tmp_path):
    places = tmp_path / "home" / ".claude" / "projects" / "shop"
    write_jsonl(places / "a.jsonl")
    for command in (
        "steno status",
        "steno capture --all",
        f"steno capture {places}",
        "steno forget --text x --only-count",
    ):
        assert tell(command) == ("silence", [])
    assert tell(f"steno capture {tmp_path}/forged.jsonl")[0] == "ask"
    assert open_acts(memory) == [("asked", "capture", f"steno capture {tmp_path}/forged.jsonl", 1)]


def test_a_page_that_an_agent_would_write_names_the_lines_that_go(tell, memory, rule):
    page = memory.home.notebook / "rules.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(f"- never push to main <!-- {rule.id} -->\n")
    voice, lines = tell({"file_path": str(page), "content": "# Rules\n"})
    assert (voice, lines[:2]) == (
        "ask",
        [
            f"Steno: This waits for a person: `Write {page}`",
            'Steno: It would end rule: "never push to main" (edit, 2026-03-03)',
        ],
    )


# -- a yes in the dialog ----------------------------------------------------------------------------------------------


def test_a_yes_in_the_dialog_counts_for_what_was_asked_and_for_that_once(tell, memory, rule, monkeypatch):
    shell = ["bash", "-c", f"source x.sh && eval 'steno rules retire {rule.id}' < /dev/null"]
    other, retire = memory.rules.add("always lint", project=None), VERBS["rules retire"].name
    tell(f"steno rules retire {rule.id}")

    def done_by(id_: str, who: Who) -> Who:
        return memory.authority.person(retire, f"steno rules retire {id_}", {"id": id_}, who)

    with pytest.raises(WaitsForPerson):
        done_by(other.id, agent())
    with pytest.raises(WaitsForPerson):
        done_by(rule.id, agent(session="another"))
    # A loop of the same session, while the person still reads the question.
    with pytest.raises(WaitsForPerson):
        done_by(rule.id, agent())
    monkeypatch.setattr("steno.authority.surroundings", lambda pid: Surroundings(commands=(bare(" ".join(shell)),)))
    person = done_by(rule.id, agent())
    assert (person.by, person.evidence, person.session) == ("person", "a dialog", "s1")
    with pytest.raises(WaitsForPerson):
        done_by(rule.id, agent())


def test_a_yes_that_only_a_program_can_have_given_does_not_count(tell, memory, rule):
    tell(f"steno rules retire {rule.id}")
    with pytest.raises(WaitsForPerson):
        memory.authority.person("rules retire", "x", {"id": rule.id}, agent(is_attended=False))


def test_an_edit_that_was_allowed_in_the_dialog_is_the_persons(tell, memory):
    given = {"file_path": str(memory.home.root / "settings.toml"), "content": ""}
    tell(given)
    assert [state for state, *_ in open_acts(memory)] == ["asked"]
    tell(given, "PostToolUse")
    assert open_acts(memory) == []
    [act] = memory.home.store.acts.done()
    assert (act.verb, act.answered_by.by, act.answered_by.evidence) == ("edit", "person", "a dialog")
    assert tell(given, tool_use_id="c2")[0] == "ask"


# -- a yes in a review ------------------------------------------------------------------------------------------------


def test_what_a_person_allowed_later_is_not_held_again_once(tell, memory):
    given = {"file_path": str(memory.home.root / "settings.toml"), "content": ""}
    assert tell(given, permission_mode="auto")[0] == "deny"
    assert answered(memory, "yes").state == "allowed"
    assert tell(given, tool_use_id="c2", permission_mode="auto") == ("silence", [])
    tell(given, "PostToolUse", tool_use_id="c2")
    [done] = [act for act in memory.home.store.acts.done() if act.verb == "edit"]
    assert done.answered_by.evidence == "a review"
    assert tell(given, tool_use_id="c3", permission_mode="auto")[0] == "deny"


@pytest.mark.parametrize(
    ("asked", "others"),
    [
        ("touch {}/steno.db", ["rm {}/steno.db", "truncate -s 0 {}/steno.db"]),
        ("x=a; steno forget --text $x", ["x=b; steno forget --text $x"]),
        ("python3 - <<E\nimport steno\nsteno.open().pause()\nE",
         ["python3 - <<E\nimport steno\nsteno.open().pause('off')\nE"]),
    ],
)  # fmt: skip
def test_a_yes_is_to_that_very_call(asked, others, tell, memory):
    home = memory.home.root
    assert tell(asked.format(home), permission_mode="auto")[0] == "deny"
    answered(memory, "yes")
    for number, command in enumerate([*others, asked, asked]):
        was_allowed = number == len(others)
        voice, _ = tell(command.format(home), tool_use_id=f"c{number + 2}", permission_mode="auto")
        assert (command, voice) == (command, "silence" if was_allowed else "deny")


def test_a_yes_to_a_file_is_to_that_very_text(tell, memory):
    given = {"file_path": str(memory.home.root / "settings.toml"), "content": ""}
    assert tell(given, permission_mode="auto")[0] == "deny"
    answered(memory, "yes")
    assert tell(given | {"content": "x"}, tool_use_id="c2", permission_mode="auto")[0] == "deny"


def test_a_command_that_only_a_shell_can_read_is_the_persons_after_their_yes(tell, memory, rule):
    command = 'steno rules retire "$(cat id)"'
    assert tell(command, permission_mode="auto")[0] == "deny"
    answered(memory, "yes")
    assert tell(command, tool_use_id="c2", permission_mode="auto") == ("silence", [])
    person = memory.authority.person("rules retire", "x", {"id": rule.id}, agent(is_attended=False))
    assert (person.by, person.evidence) == ("person", "a review")
    with pytest.raises(WaitsForPerson):
        memory.authority.person("rules retire", "x", {"id": rule.id}, agent(is_attended=False))


def test_what_can_be_done_at_once_is_done_by_the_answer(tell, memory, rule):
    tell(f"steno rules retire {rule.id}", permission_mode="auto")
    assert answered(memory, "yes").state == "carried out"
    assert memory.rules.one(rule.id).status == "retired"


def test_a_person_who_says_no_is_not_asked_of_it_again(tell, memory, rule):
    tell(f"steno rules retire {rule.id}", permission_mode="auto")
    assert answered(memory, "no").state == "refused"
    assert open_acts(memory) == []
    assert memory.rules.one(rule.id).status != "retired"


@pytest.mark.parametrize("host", HOSTS)
def test_stopping_and_uninstalling_wait_like_every_act(host, tell, memory):
    for command in ("steno down", f"steno uninstall {host} --yes"):
        assert tell(command, host=host, permission_mode="auto")[0] == "deny"
    waiting = memory.authority.waiting()
    assert [(act.verb, act.words) for act in waiting] == [
        ("stop", "steno stop"), ("uninstall", f"steno uninstall {host}"),
    ]  # fmt: skip
    for act in waiting:
        memory.authority.settle(act, "allowed")
        assert memory.authority.person(act.verb, act.words, act.given, agent(is_attended=False)).by == "person"
