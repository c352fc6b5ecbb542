"""The capsule: who an agent is and what it must not forget, as whole pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl

NOW = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        yield memory


def page(memory: Memory, agent: str | None = None) -> list[str]:
    """The lines between our marks, without the head."""
    first, *lines, last = memory.capsule(agent).rstrip("\n").split("\n")
    assert (first, last) == ('<steno page="capsule">', "</steno>")
    assert lines[:2] == ["# Capsule", f"written at {NOW}"]
    return lines[3:]


def hear(memory: Memory, folder: Path) -> None:
    talk = [
        said("write the blog post about bread", session="a", at="2026-01-01T08:00:00Z", agent="blog-bot"),
        said("add a picture of the oven", session="a", at="2026-01-01T08:05:00Z", agent="blog-bot"),
        said("book the flights to Rome", session="b", at="2026-03-01T09:00:00Z", agent="travel-bot", project="/trips"),
        said("never fly over night", session="b", at="2026-03-01T09:05:00Z", agent="travel-bot", project="/trips"),
    ]
    memory.capture(write_jsonl(folder / "t.jsonl", *talk), source="jsonl")
    memory.scribe()


def test_who_what_matters_what_always_holds_and_the_last_sessions(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path)
    memory.remember("writes in British English", category="agent_state")
    memory.remember("the launch is on Thursday", category="context")
    memory.remember("the office is in Bern", category="fact")
    assert page(memory) == [
        "## Who",
        "- “writes in British English”, 1 March",
        "",
        "## Priorities",
        "- “the launch is on Thursday”, 1 March",
        "",
        "## Critical facts",
        "- in /trips: “never fly over night”, 1 March",
        "- “the office is in Bern”, 1 March",
        "",
        "## Last sessions",
        "- 1 March, jsonl:b in /trips: “book the flights to Rome”",
        "- 1 January, eight weeks ago, jsonl:a: “write the blog post about bread”; then: “add a picture of the oven”",
    ]


def test_an_agent_is_told_what_is_its_own_and_what_is_nobodys(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path)
    memory.remember("writes in British English", category="agent_state", agent="blog-bot")
    memory.remember("knows three airlines", category="agent_state", agent="travel-bot")
    memory.remember("the office is in Bern", category="fact")
    told = page(memory, "blog-bot")
    assert told[:7] == [
        "## Who",
        "- agent blog-bot",
        "- “writes in British English”, 1 March",
        "",
        "## Critical facts",
        "- in /trips: “never fly over night”, 1 March",
        "- “the office is in Bern”, 1 March",
    ]
    assert [line for line in told if "airlines" in line or "Rome" in line] == []


def test_without_anything_to_tell_it_is_a_cold_start(memory: Memory) -> None:
    assert memory.capsule() == memory.capsule("nobody") == "no capsule: cold start\n"
    memory.remember("the office is in Bern", category="fact")
    assert memory.capsule("nobody") == "no capsule: cold start\n"
    assert page(memory) == ["## Critical facts", "- “the office is in Bern”, 1 March"]


def test_what_was_said_twice_stands_once_and_what_only_announces_does_not(memory: Memory) -> None:
    for words, project in (("the office is in Bern", None), ("The office is in Bern", None),
                           ("the office is in Bern", "/shop"), ("this is the console:", None)):  # fmt: skip
        memory.remember(words, category="fact", project=project)
    assert sorted(page(memory)[1:]) == ["- in /shop: “the office is in Bern”, 1 March",
                                        "- “the office is in Bern”, 1 March"]  # fmt: skip


def test_a_capsule_has_at_most_a_hundred_lines_however_much_there_is(memory: Memory) -> None:
    for number in range(120):
        for category in ("agent_state", "context", "fact", "rejected"):
            memory.remember(f"{category} {number} " + f"word{number} " * 50, category=category)
    lines = memory.capsule().splitlines()
    assert 80 <= len(lines) <= 100
