"""What only people may do, tried through the real clients: an agent's command becomes a request, a person's is done."""

import json
import re
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from .machine import ClaudeCode, Client, Machine
from .model import Model, Run, Say

RULE = "no new dependencies, ever: not one, not for an afternoon, not even to try it out"
LEFT_PAD = "please take no left-pad for the carts"
WAITS = "This waits for a person"


class Said(NamedTuple):
    """What a person said before: a rule and a fact, by their ids."""

    rule: str
    fact: str


@pytest.fixture
def said(machine: Machine) -> Said:
    """A rule, a fact, and a folder that is left out of capture."""
    machine.steno("capture", "exclude", "~/Code/letters")
    [rule] = machine.rows("rules", "add", RULE)
    [fact] = machine.rows("entries", "remember", "prices are in cents", "--category", "fact")
    return Said(rule["id"], fact["id"])


@pytest.fixture
def claude_at_work(claude_code: ClaudeCode, machine: Machine) -> Iterator[ClaudeCode]:
    """Claude Code with our hooks, and the daemon that answers them."""
    machine.steno("install", "claude-code", "--yes")
    with machine.daemon():
        yield claude_code


def commands(said: Said, host: str) -> dict[str, str]:
    """What an agent that wants a free hand would run, by what it asks for."""
    return {
        f"steno rules retire {said.rule}": "rules retire",
        f"steno entries revise {said.rule} --status archived": "entries revise",
        f"steno entries archive {said.fact}": "entries archive",
        "steno pause": "pause",
        "steno pause off": "pause",
        "steno capture exclude ~/Code/shop": "capture exclude",
        "steno capture include ~/Code/letters": "capture include",
        "steno forget --text left-pad --yes": "forget",
        f"steno uninstall {host} --yes": "uninstall",
    }


def standing(machine: Machine, said: Said) -> dict[str, Any]:
    """All that those commands would change."""
    [status] = machine.rows("status")
    entries = {entry["id"]: entry["status"] for entry in machine.rows("entries", "--everywhere")}
    return {
        "rules": [rule["id"] for rule in machine.rows("rules") if rule["id"] == said.rule],
        "entries": [entries[said.rule], entries[said.fact]],
        "paused": status["paused"],
        "excluded": status["excluded"],
        "hooks": [row["hooks"] for row in machine.rows("install")],
        "words": [
            words
            for session in machine.rows("sessions", "--everywhere")
            for role, _, words in machine.turns(session["session"])
            if (role, words) == ("user", LEFT_PAD)
        ],
    }


def requests(machine: Machine) -> list[dict[str, Any]]:
    """What agents asked for and waits for a person."""
    return [row for row in machine.rows("review", "list", "--everywhere") if row["kind"] == "request"]


def who_ended(machine: Machine, entry: str) -> dict[str, Any]:
    """Who the store says changed an entry last."""
    with sqlite3.connect(f"file:{machine.home}/.steno/steno.db?mode=ro", uri=True) as store:
        [who] = store.execute("SELECT who FROM records WHERE entry = ? ORDER BY id DESC LIMIT 1", [entry]).fetchone()
    found: dict[str, Any] = json.loads(who)
    return found


def try_all(client: Client, machine: Machine, model: Model, said: Said, *, hooked: bool) -> None:
    """An agent tries every command: nothing changes, each becomes a request, and no answer names a way round."""
    tried = commands(said, client.name)
    if not hooked:  # there is nothing of ours to take out
        tried = {command: verb for command, verb in tried.items() if verb != "uninstall"}
    client.start(LEFT_PAD)
    machine.steno("capture", "--all")
    before = standing(machine, said)
    assert before["words"] == [LEFT_PAD]
    model.when("tidy up", *(Run(command) for command in tried), Say("It is tidied up."))
    session = client.start("tidy up")
    answers = model.work[-1].results
    assert [WAITS in answer for answer in answers] == [True] * len(tried)
    # No answer names a command but the agent's own, which the host repeats, and we, with its paths as they are meant.
    own = re.compile(rf"{WAITS}: `[^`]*`")
    named = [own.sub("", answer.replace(command, "")) for command, answer in zip(tried, answers, strict=True)]
    assert [answer for answer in named if "steno " in answer] == []
    assert standing(machine, said) == before
    waiting = requests(machine)
    assert sorted(request["verb"] for request in waiting) == sorted(tried.values())
    assert {request["who"]["session"] for request in waiting} == {session}


# -- without a screen --------------------------------------------------------------------------------------------------


def test_no_command_of_an_agent_ends_what_a_person_said(
    at_work: Client, machine: Machine, model: Model, said: Said
) -> None:
    try_all(at_work, machine, model, said, hooked=True)


def test_no_command_of_an_agent_ends_what_a_person_said_where_no_hook_of_ours_sees_it(
    client: Client, machine: Machine, model: Model, said: Said
) -> None:
    try_all(client, machine, model, said, hooked=False)


def test_a_rule_an_agent_tried_to_end_is_told_to_the_next_session(
    at_work: Client, machine: Machine, model: Model, said: Said
) -> None:
    model.when("tidy up", Run(f"steno rules retire {said.rule}"), Say("It is tidied up."))
    at_work.start("tidy up")
    at_work.start("hello there")
    assert f"- “{RULE}”" in model.work[-1].text


# -- in front of a person ----------------------------------------------------------------------------------------------


def drop_the_rule(model: Model, said: Said) -> None:
    """The agent tries to end the rule when it is asked to clean up."""
    model.when("clean up", Run(f"steno rules retire {said.rule}"), Say("The rule is gone."))


def test_the_dialog_quotes_what_would_end_and_a_no_keeps_it(
    claude_at_work: ClaudeCode, machine: Machine, model: Model, said: Said
) -> None:
    drop_the_rule(model, said)
    before = standing(machine, said)
    with claude_at_work.in_front() as screen:
        screen.type("clean up")
        screen.press("enter")
        screen.until("Do you want to proceed?")
        assert screen.shows(RULE)
        screen.answer("2", until="What should Claude do instead?")
    assert standing(machine, said) == before


def test_a_yes_in_the_dialog_is_the_persons_act(
    claude_at_work: ClaudeCode, machine: Machine, model: Model, said: Said
) -> None:
    drop_the_rule(model, said)
    with claude_at_work.in_front() as screen:
        screen.type("clean up")
        screen.press("enter")
        screen.until("Do you want to proceed?")
        screen.answer("1", until="The rule is gone.")
    assert standing(machine, said)["rules"] == []
    who = who_ended(machine, said.rule)
    assert (who["by"], who["door"]) == ("person", "dialog")
    assert requests(machine) == []


def test_what_a_person_types_inside_claude_code_is_done(
    claude_at_work: ClaudeCode, machine: Machine, said: Said
) -> None:
    with claude_at_work.in_front() as screen:
        screen.type("!")
        screen.type(f"steno rules retire {said.rule}")
        screen.press("enter")
        machine.until(lambda: standing(machine, said)["rules"], [])
    who = who_ended(machine, said.rule)
    assert (who["by"], who["evidence"]) == ("person", "typed into the host")
    assert requests(machine) == []
