"""Who works here: what captured sessions tell, what people say, the north star, and what self-direction needs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary.errors import UnknownAgent, WrongUse
from steno.vocabulary.fleet import Agent, AgentFacts, Capability, NorthStar

NOON, NEXT_YEAR = "2026-01-01T12:00:00.000Z", "2027-01-01T12:00:00.000Z"
NAME = "clerk; $(rm -rf ~) `x`"


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock(NOON)


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock) -> Iterator[Memory]:
    with house(tmp_path, clock=clock) as memory:
        lines = [
            said("hello", id="1", session="a", agent="coder", project="/shop", at="2026-01-01T09:00:00.000Z"),
            said("hello", id="2", session="b", agent="coder", project="/zoo", at="2026-01-01T10:00:00.000Z"),
        ]
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        yield memory


def test_agents_of_captured_sessions_are_registered(memory: Memory) -> None:
    assert memory.fleet.agents.all() == [
        Agent(
            name="coder", since="2026-01-01T09:00:00.000Z", facts=AgentFacts(), hosts=("jsonl",),
            projects=("/shop", "/zoo"), sessions=2, heard_at="2026-01-01T10:00:00.000Z",
        )
    ]  # fmt: skip


def test_a_person_names_an_agent_by_its_host_and_projects_and_its_sessions_are_its_own(memory: Memory) -> None:
    memory.fleet.agents.tell(NAME, host="jsonl", projects=["/shop"], domains=["web"], resume="claude --resume x")
    memory.fleet.relay.send("hm", sender="coder", to=NAME)
    clerk, coder = memory.fleet.agents.all()
    assert (clerk.name, clerk.sessions, clerk.projects, clerk.unread) == (NAME, 1, ("/shop",), 1)
    assert clerk.facts == AgentFacts(host="jsonl", projects=("/shop",), domains=("WEB",), resume="claude --resume x")
    assert (coder.name, coder.sessions, coder.projects, coder.unread) == ("coder", 1, ("/zoo",), 0)
    # What is not given stays.
    assert memory.fleet.agents.tell(NAME, webhook="http://127.0.0.1:1/").facts.resume == "claude --resume x"


def test_a_beat_is_heard(memory: Memory) -> None:
    memory.fleet.agents.beat("coder")
    memory.fleet.agents.beat("nightly")
    assert [(one.name, one.heard_at) for one in memory.fleet.agents.all()] == [("coder", NOON), ("nightly", NOON)]


def test_nobody_is_shown_who_is_not_there(memory: Memory) -> None:
    with pytest.raises(UnknownAgent, match="no agent is called 'nobody'"):
        memory.fleet.agents.ready("nobody")


MISSION, WORK = "Keep the shop's figures true.", ("look for new data", "find gaps")


def star_in(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[lines.index("north star:") + 1 :][:3] if "north star:" in lines else []


def test_a_north_star_stands_in_every_boot_of_its_agent_and_never_decays(memory: Memory, clock: SteppingClock) -> None:
    memory.fleet.agents.point("clerk", MISSION, WORK)
    memory.fleet.agents.tell("clerk", host="coder", projects=["/shop"])
    shown = [
        f"- {MISSION}",
        "- 1. by yourself, again and again: look for new data",
        "- 2. by yourself, again and again: find gaps",
    ]
    clock.now = NEXT_YEAR
    memory.rebuild()
    assert star_in(memory.boot(project="/shop", agent="clerk").text) == shown
    # By its place: the host calls it by another name.
    assert star_in(memory.boot(project="/shop", agent="coder").text) == shown
    assert star_in(memory.boot(project="/zoo", agent="coder").text) == []
    assert memory.boot(project="/shop", agent="clerk").items[-3:] == ["north star", "star:1", "star:2"]


def test_a_north_star_that_says_nothing_or_too_much_is_refused(memory: Memory) -> None:
    for mission, work in ((" ", ()), ("x" * 1_001, ()), ("x", ("",)), ("x", ("y" * 301,)), ("x", ("y",) * 21)):
        with pytest.raises(WrongUse):
            memory.fleet.agents.point("clerk", mission, work)
    assert [one.name for one in memory.fleet.agents.all()] == ["coder"]


def test_self_direction_needs_three_things_and_each_is_shown(memory: Memory, clock: SteppingClock) -> None:
    def missing(name: str) -> list[str]:
        ready = memory.fleet.agents.ready(name)
        assert ready.is_ready == all(one.holds for one in ready.conditions)
        return [one.name for one in ready.conditions if not one.holds]

    assert missing("coder") == ["north star", "capabilities at boot"]
    memory.fleet.agents.point("coder", MISSION)
    assert missing("coder") == ["north star", "capabilities at boot"]
    memory.fleet.agents.point("coder", MISSION, WORK)
    memory.home.store.capabilities.put([Capability(name="ship", command="make ship", kind="make", project="/shop")])
    assert (missing("coder"), memory.fleet.agents.one("coder").facts.star) == (
        [],
        NorthStar(mission=MISSION, work=WORK),
    )
    memory.home.store.capabilities.checked([("ship", False, "no")], NOON)
    clock.now = NEXT_YEAR
    assert missing("coder") == ["capabilities at boot", "current data"]
