"""Three agents with the real clients: mail, task, flag; a killed daemon; agents woken in their own sessions."""

from collections.abc import Iterator

import pytest

from .fleet import CHECK, FIRST, FLAG, MADE, MAIL, NOTHING, TASK, Scenario
from .machine import ClaudeCode, Codex, Machine, program


@pytest.fixture
def scenario(machine: Machine) -> Iterator[Scenario]:
    for host in (ClaudeCode, Codex):
        if program(host.pattern) is None:
            pytest.skip(f"{host.name} is not installed: `make setup-clients` installs it")
    found = Scenario(machine)
    for name in ("claude-code", "codex"):
        machine.steno("install", name, "--yes")
    with machine.daemon():
        found.register()
        yield found


def test_three_agents_from_a_mail_to_waking(scenario: Scenario, machine: Machine) -> None:
    # A mail becomes a task becomes a flag, and can be followed from its end.
    coder, tester, _ = scenario.work()
    [flag] = machine.rows("flags")
    hops = machine.rows("relay", "trace", flag["id"])
    assert [(hop["kind"], hop["what"]) for hop in hops] == [
        ("message", MAIL), ("task", TASK), ("message", "I look at cart.py."), ("flag", FLAG),
    ]  # fmt: skip
    assert machine.rows("relay", "read", "coder") == []
    scenario.learnt(FIRST, CHECK)

    # The daemon is killed; the watchdog starts another one, which goes on.
    before, after, log = scenario.kill_the_daemon()
    assert before != after
    assert f"(process {before}" in log
    assert "restarts it, try 1" in log

    # Compacted in the middle of its work, the coder is woken in the session it had, and goes on there.
    path = scenario.transcript(coder)
    was, told = path.read_bytes(), len(machine.model.work)
    scenario.wake("coder", lambda: scenario.woken("coder") == [True])
    now = path.read_bytes()
    assert now.startswith(was)
    assert MADE.encode() in now[len(was) :]
    assert scenario.transcript(coder) == path
    assert "price_of_all" in (machine.project / "cart.py").read_text("utf-8")
    assert '<steno tier="0">' in machine.model.work[told].text
    assert [one["session"] for one in machine.rows("sessions") if one["source"] == "claude-code"] == [coder]
    machine.until(lambda: machine.turns(coder)[-1:], [("assistant", "said", MADE)])

    # The tester, which merely went quiet, is woken by its host's own command; what it answers is nothing.
    was = scenario.transcript(tester).read_bytes()
    scenario.wake("tester", lambda: scenario.woken("tester") == [True])
    now = scenario.transcript(tester).read_bytes()
    assert now.startswith(was)
    assert NOTHING.encode() in now[len(was) :]
    machine.steno("scribe")
    assert [words for _, _, words in machine.turns(tester) if NOTHING in words or "Nobody typed" in words] == []
    [look] = [one for one in machine.rows("agents", "pulse") if one["agent"] == "tester"]
    assert look["why"] == "it was woken in this silence already"
