"""`steno gate before` and `steno gate after`."""

import json
import re

import pytest

NO_MONGO = "never use MongoDB, it lost our data"
TALK = [
    {"session": "s1", "role": "user", "text": "Build the order service.", "at": "2026-03-01T10:00:00Z"},
    {"session": "s1", "role": "assistant", "text": "Shall I begin?", "at": "2026-03-01T10:00:05Z"},
]


@pytest.fixture(autouse=True)
def captured(steno, transcript, home):
    """The talk, captured and read, in the directory it was held in; and what a person wrote down there."""
    turns = [{**turn, "project": str(home)} for turn in TALK]
    assert steno("capture", transcript(*turns), "--source", "jsonl").exit_code == 0
    assert steno("entries", "learn").exit_code == 0
    told = steno("entries", "remember", NO_MONGO, "--category", "rejected", "--project", str(home))
    assert told.exit_code == 0


def only(result):
    assert (result.exit_code, result.stderr) == (0, "")
    [line] = result.stdout.splitlines()
    return json.loads(line)


def test_before_gives_the_fixed_fields(steno):
    found = only(steno("gate", "before", "bot", "set up MongoDB for the orders", "--json"))
    assert list(found) == ["verdict", "reasons", "flow", "page"]
    assert (found["verdict"], found["flow"]) == ("ask", None)
    [reason] = found["reasons"]
    assert only(steno("entries", "show", reason.pop("entry"), "--json"))["category"] == "rejected"
    at = reason.pop("at")
    assert reason == {
        "kind": "rejected", "text": NO_MONGO, "quote": "", "by": "edit", "said_to": "", "why": "", "instead": "",
        "reopen": "",
    }  # fmt: skip
    assert at
    assert found["page"].startswith("╭ BEFORE ─ agent bot ─ domain GENERAL ─")
    assert found["page"].split("\n")[-1].startswith(f"╰ verdict   ask: “{NO_MONGO}”, refused by the user on ")


def test_nothing_in_the_way(steno):
    found = only(steno("gate", "before", "bot", "fix the typo", "--json", "--exit-code"))
    assert (found["verdict"], found["reasons"], found["flow"]) == ("allow", [], None)


@pytest.mark.parametrize("act", ["pip install redis", "echo 'orders = kept_in_redis(load)' > orders.py"])
def test_a_word_of_a_no_that_was_only_heard_reminds(steno, transcript, home, act):
    offer = "Two ways out: keep the carts in Redis, or ask once with a join. Shall I add Redis?"
    no = "No, not Redis: that is one more service to run. Ask once with a join instead."
    turns = [{"session": "s2", "role": "assistant", "text": offer}, {"session": "s2", "role": "user", "text": no}]
    turns = [{**turn, "project": str(home), "at": f"2026-03-02T10:00:0{n}Z"} for n, turn in enumerate(turns)]
    assert steno("capture", transcript(*turns, name="s2"), "--source", "jsonl").exit_code == 0
    found = only(
        steno("gate", "before", "bot", act, "--tool", "Bash", "--input", json.dumps({"command": act}), "--json")
    )
    assert (found["verdict"], [reason["quote"] for reason in found["reasons"]]) == ("warn", [no])


@pytest.mark.parametrize(
    "command", ["steno pause", "python -m steno rules retire abc", "steno forget --text redis --yes"]
)
def test_what_only_people_may_waits_at_this_door_too(steno, command):
    asked = ("gate", "before", "bot", command, "--tool", "Bash", "--input", json.dumps({"command": command}), "--json")
    found = only(steno(*asked))
    assert (found["verdict"], [reason["kind"] for reason in found["reasons"]]) == ("ask", ["act"])


@pytest.mark.parametrize("command", ["echo $(git push --force)", "ls & git push --force", "cat <(git push --force)"])
def test_a_command_inside_another_one_is_done_too(steno, home, command):
    steno("rules", "add", "never git push --force", "--project", str(home))
    asked = ("gate", "before", "bot", command, "--tool", "Bash", "--input", json.dumps({"command": command}), "--json")
    assert only(steno(*asked))["verdict"] == "ask"


def test_a_warm_gate_hears_what_was_said_since(transcript, home):
    import steno as library

    act = library.Action(agent="bot", text="pip install redis", directory=str(home))
    with library.open() as memory:
        memory.gate.warm()
        assert type(memory.before(act)).__name__ == "Allow"
        turns = [{"session": "s2", "role": "user", "text": "No, not Redis: that is one more service to run."}]
        memory.capture(transcript(*({**turn, "project": str(home)} for turn in turns), name="s2"), source="jsonl")
        memory.scribe()
        memory.gate.warm()
        assert type(memory.before(act)).__name__ == "Warn"


def test_the_exit_code_says_ask_only_when_it_is_wanted(steno):
    given = ("gate", "before", "bot", "set up MongoDB for the orders")
    assert steno(*given).exit_code == 0
    assert steno(*given, "--exit-code").exit_code == 3
    assert steno(*given, "--exit-code", "--json").exit_code == 3


def test_the_exit_code_says_block(steno, home):
    import steno as library

    with library.open() as memory:
        rule = memory.rules.add("nothing is uploaded by hand")
        patterns, now = {"command": "twine upload"}, memory.home.clock()
        memory.rules.tell(rule.id, {"do": "matcher", "matcher": patterns})
        trial = {"at": now, "matcher": patterns, "fired": 0, "right": 0, "wrong": 0}
        memory.rules.tell(rule.id, {"do": "trial", "trial": trial})
        memory.rules.tell(rule.id, {"do": "mode", "mode": "block"})
    given = ("gate", "before", "bot", "publish", "--tool", "Bash", "--input", '{"command": "twine upload dist/*"}')
    result = steno(*given, "--exit-code", "--json")
    assert result.exit_code == 4
    found = json.loads(result.stdout)
    assert (found["verdict"], [reason["rule"] for reason in found["reasons"]]) == ("block", [rule.id])


def test_the_flow_is_named(steno):
    given = ("--step", "ask", "--trigger", "set up MongoDB", "--everywhere")
    assert steno("flows", "add", "set-up-mongo", *given).exit_code == 0
    assert only(steno("gate", "before", "bot", "set up MongoDB", "--json"))["flow"] == "set-up-mongo"


def test_the_session_says_which_project_it_is(steno, tmp_path):
    given = ("gate", "before", "bot", "set up MongoDB for the orders", "--directory", "/elsewhere", "--json")
    assert only(steno(*given))["verdict"] == "allow"
    assert only(steno(*given, "--session", "s1"))["verdict"] == "ask"


@pytest.mark.parametrize("given", ["{", "[1]", "3", "", '{"a":' * 50_000])
def test_an_input_that_is_no_object_is_refused_in_words(steno, given):
    result = steno("gate", "before", "bot", "deploy", "--input", given)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--input" in result.stderr
    assert len(result.stderr) < 500


def test_a_person_sees_a_framed_page_in_colour(terminal, without_colours):
    code, drawn = terminal("gate", "before", "bot", "set up MongoDB for the orders")
    lines = [line for line in without_colours(drawn).split("\n") if line]
    assert code == 0
    assert "\x1b[" in drawn
    # What does not fit on the last line goes on below it.
    assert re.fullmatch("╭│+╰ *", "".join(line[0] for line in lines))
    assert f"“{NO_MONGO}”" in " ".join(" ".join(lines).replace("│", "").split())


def test_after_gives_what_it_made_of_the_outcome(steno):
    given = ("gate", "after", "bot", "pass", "the service is up", "--json")
    found = only(steno(*given))
    state = found.pop("entry")
    assert (state["category"], state["summary"], state["detail"]) == (
        "agent_state", "the service is up", {"keeps": "doing", "passed": True},
    )  # fmt: skip
    assert found == {
        "passed": True, "flow": None, "updated": False, "lesson": None, "repeated": False, "reinforced": [],
        "violated": [], "permanent": None, "changed": [], "proposal": "",
    }  # fmt: skip
    learnt = only(steno(*given, "--learned", "the pool needs forty connections"))
    assert (learnt["lesson"]["summary"], learnt["lesson"]["origin"]) == (
        "the pool needs forty connections",
        "assistant",
    )
    assert (learnt["permanent"], learnt["updated"], learnt["repeated"]) == (False, True, False)


def test_after_tells_a_person(steno):
    assert steno("flows", "add", "deploy", "--step", "build", "--everywhere").exit_code == 0
    result = steno("gate", "after", "bot", "fail", "it broke", "--flow", "deploy", "--learned", "build twice")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:2] == ["failed", "flow       deploy: 0 of 1 went well"]
    assert lines[2].startswith("logged     it broke (")
    assert lines[3].startswith("learnt     build twice (")
    assert lines[4] == "not permanent  only words changed: put it into the flow deploy"


def test_an_unknown_flow_is_answered_with_the_choices(steno):
    assert steno("flows", "add", "deploy", "--step", "build", "--everywhere").exit_code == 0
    result = steno("gate", "after", "bot", "pass", "up", "--flow", "deplo")
    assert result.exit_code != 0
    assert "no flow is called 'deplo'" in result.stderr
    assert "deploy" in result.stderr.splitlines()[1]
