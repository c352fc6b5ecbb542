"""`steno brief`, `boot` and `brief receipts` through their real door."""

import json

import pytest

from steno.testing import said

TALK = [
    said("fix the double charge in the checkout", id="1", at="2026-03-02T09:00:00Z", project="/shop"),
    said("Shall I add a column to the payments table?", role="assistant", id="2", at="2026-03-02T09:01:00Z"),
    said("no, never change the payments table by hand", id="3", at="2026-03-02T09:02:00Z"),
]


@pytest.fixture(autouse=True)
def heard(transcript, steno):
    assert steno("capture", transcript(*TALK), "--source", "jsonl").exit_code == 0


def test_a_briefing_is_printed_as_the_agent_gets_it(steno):
    lines = steno("brief").stdout.splitlines()
    assert (lines[0], lines[-1]) == ('<steno tier="0">', "</steno>")
    asked = "(to: Shall I add a column to the payments table?)"
    assert f"- 09:02 the human's last words: {asked} “no, never change the payments table by hand”" in lines


def test_a_briefing_as_json_has_its_text_tokens_tier_and_entries(steno):
    told = json.loads(steno("brief", "--tier", "1", "--session", "s1", "--json").stdout)
    entries = [json.loads(line) for line in steno("entries", "--json").stdout.splitlines()]
    assert (told["tier"], told["session"]) == (1, "s1")
    assert told["tokens"] <= 10_000
    assert "said last:" in told["text"]
    assert {*told["entries"]} <= {entry["id"] for entry in entries}
    [rule] = [entry for entry in entries if entry["category"] == "rule"]
    assert rule["id"] in told["entries"]


def test_a_briefing_of_an_earlier_time(steno):
    assert "payments" not in steno("brief", "--at", "2026-03-02T09:00:30Z").stdout


def test_the_state_on_one_line(steno):
    told = "[STATE] Task: fix the double charge in the checkout | Next: none | Last decision: none\n"
    assert steno("brief", "--inline").stdout == told


def test_an_unknown_tier_gets_the_choices(steno):
    answer = steno("brief", "--tier", "7")
    assert answer.exit_code == 2
    assert "7 is not in the range 0<=x<=3" in answer.stderr


def test_an_unknown_session_is_named(steno):
    answer = steno("brief", "--session", "nobody")
    assert answer.exit_code == 1
    assert "no session 'nobody'" in answer.stderr


def test_boot_tells_what_holds_in_a_project(steno):
    assert "payments table by hand" in steno("boot", "--project", "/shop").stdout
    assert json.loads(steno("boot", "--project", "/shop", "--json").stdout)["tokens"] <= 2_000


def test_looking_at_a_briefing_hands_it_to_nobody(steno, process, terminal):
    for door in (steno, process, terminal):
        for look in (["brief"], ["brief", "--json"], ["brief", "--inline"], ["boot"], ["brief", "--at", "2026-03-02"]):
            door(*look)
    told = steno("brief", "receipts").stdout
    assert told == "Nothing was given to anybody yet. `steno install` lets agents be briefed by themselves.\n"
    both = steno("brief", "--at", "2026-03-02", "--given")
    assert (both.exit_code, both.stdout) == (2, "")


def test_what_an_agent_is_given_leaves_a_receipt(steno):
    steno("brief", "--given")
    steno("boot", "--agent", "blog-bot", "--session", "s9", "--given")
    found = [json.loads(line) for line in steno("brief", "receipts", "--json").stdout.splitlines()]
    assert [(one["kind"], one["session"], one["agent"], one["tier"]) for one in found] == [
        ("brief", "s1", None, 0),
        ("boot", "s9", "blog-bot", None),
    ]
    assert steno("brief", "receipts", "--session", "s2").stdout == "Nothing was given to session 's2'.\n"
    head, first = steno("brief", "receipts", "--session", "s1").stdout.splitlines()
    assert head.split() == ["id", "when", "what", "why", "session", "agent", "tokens", "holds"]
    assert "brief 0" in first


def test_on_a_terminal_titles_stand_out_and_the_cost_is_told(terminal, without_colours):
    code, drawn = terminal("brief")
    assert code == 0
    assert "\x1b[1mhow it began:" in drawn
    assert without_colours(drawn).splitlines()[-1].endswith(" tokens")
