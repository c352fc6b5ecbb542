"""`steno sessions loss`, `brief handoff` and `brief capsule` through their real door."""

import json
from pathlib import Path

import pytest

from steno.testing import write_jsonl

SESSION = "11111111-2222-4333-8444-555555555555"
REFUSAL = "no, never change the payments table by hand, it cost us a weekend"
SUMMARY = "The user asked to fix the checkout, which charges people twice. Currently fixing it on branch fix/twice."


def line(number, type_, **fields):
    at = f"2026-02-01T10:{number:02}:00.000Z"
    facts = {
        "uuid": f"u{number}",
        "timestamp": at,
        "sessionId": SESSION,
        "cwd": "/nowhere/shop",
        "gitBranch": "fix/twice",
    }
    return {"type": type_, "parentUuid": None, "isSidechain": False, **facts, **fields}


def user(number, text, **fields):
    return line(number, "user", message={"role": "user", "content": text}, **fields)


def agent(number, text):
    content = [{"type": "text", "text": text}]
    return line(number, "assistant", message={"id": f"m{number}", "role": "assistant", "content": content})


TALK = [
    user(1, "the checkout charges people twice, find out why and fix it"),
    agent(2, "I'll change the payments table."),
    user(3, REFUSAL),
    agent(4, "Understood. I added an idempotency key on branch `fix/twice`."),
    line(5, "system", subtype="compact_boundary", content="Conversation compacted"),
    user(6, SUMMARY, isCompactSummary=True),
]


@pytest.fixture
def compacted(steno, tmp_path: Path) -> None:
    """A session that was compacted, captured and read."""
    assert steno("capture", write_jsonl(tmp_path / "t.jsonl", *TALK), "--source", "claude-code").exit_code == 0


@pytest.mark.usefixtures("compacted")
def test_loss_counts_by_kind_and_names_what_is_missing(steno):
    assert steno("brief", "--given").exit_code == 0
    [found] = map(json.loads, steno("sessions", "loss", "--json").stdout.splitlines())
    assert list(found) == [
        "session", "turn", "at", "items", "summary_characters", "given", "kept", "kept_critical", "flag",
    ]  # fmt: skip
    assert (found["kept"], found["kept_critical"], found["flag"]) == ({"goal": 1, "rule": 1, "variable": 1}, 1, False)
    assert steno("sessions", "loss", "--session", SESSION[:8]).stdout.splitlines() == [
        f"Session {SESSION} was compacted at 2026-02-01T10:05:00.000Z. Its host left a summary of 104 characters.",
        "A briefing was given since.",
        "",
        "          live  present  restored  missing  kept",
        "goal         1        1         -        -  100%",
        "rule         1        -         1        -  100%",
        "variable     1        1         -        -  100%",
        "",
        "100% of what work depends on (goal, rule) is still there.",
    ]


@pytest.mark.usefixtures("compacted")
def test_where_nothing_was_given_nothing_is_restored_and_it_is_a_flag(steno):
    assert steno("sessions", "loss").stdout.splitlines()[1:] == [
        "No briefing was given since: nothing is restored.",
        "",
        "          live  present  restored  missing  kept",
        "goal         1        1         -        -  100%",
        "rule         1        -         -        1    0%",
        "variable     1        1         -        -  100%",
        "",
        "missing",
        f"  rule      “{REFUSAL}”",
        "",
        "Flag: only 50% of what work depends on (goal, rule) is still there.",
        f"`steno brief --session {SESSION} --given` prints what to hand to the agent",
    ]
    assert json.loads(steno("sessions", "loss", "--json").stdout)["flag"] is True


@pytest.mark.usefixtures("compacted")
def test_a_report_on_a_terminal_is_coloured(terminal, without_colours):
    # On a terminal a person looks: no agent was given this.
    terminal("brief")
    code, drawn = terminal("sessions", "loss")
    assert code == 0
    assert "No briefing was given since" in without_colours(drawn)
    assert "\x1b[31m" in drawn
    assert "was compacted at 2026-02-01 10:05." in without_colours(drawn)


def test_loss_without_a_compaction_says_so(steno, talk):
    told = steno("sessions", "loss")
    assert told.exit_code == 1
    assert "the context of session talk-1 was never compacted: nothing was lost" in told.stderr
    assert "steno sessions checkpoint" in told.stderr


def test_loss_of_an_unknown_session_says_so(steno):
    told = steno("sessions", "loss", "--session", "nobody")
    assert (told.exit_code, "no session 'nobody'" in told.stderr) == (1, True)


@pytest.mark.usefixtures("compacted")
def test_handoff_and_capsule_print_a_page_or_an_object(steno):
    page = steno("brief", "handoff").stdout
    assert page.startswith('<steno page="handoff">\n# Handoff\nwritten at ')
    assert "\n## Active work\n- none lately" in page
    assert list(json.loads(steno("brief", "handoff", "--json").stdout)) == ["text"]
    assert "\n## Who\n- agent claude-code\n" in steno("brief", "capsule", "--agent", "claude-code").stdout
    assert steno("brief", "capsule", "--agent", "nobody").stdout == "no capsule: cold start\n"
    assert f"claude-code:{SESSION} in /nowhere/shop: “the checkout charges" in steno("brief", "capsule").stdout
    assert list(json.loads(steno("brief", "capsule", "--json").stdout)) == ["text"]


def test_a_new_home_is_a_cold_start(steno):
    assert steno("brief", "capsule").stdout == "no capsule: cold start\n"
