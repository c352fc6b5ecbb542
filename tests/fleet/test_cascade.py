"""How one thing led to another: a message became a task became a flag, followed from any of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steno.fleet.cascade import follow
from steno.memory import Memory
from steno.testing import house
from steno.vocabulary.errors import UnknownEntry, WrongUse

NOON = "2026-01-01T12:00:00.000Z"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path) as memory:
        yield memory


def test_a_mail_that_became_a_task_and_a_flag_is_followed_both_ways(memory: Memory) -> None:
    fleet = memory.fleet
    mail = fleet.relay.send("the certificate of the shop ends on Friday", sender="mail", to="core")
    answer = fleet.relay.send("I see to it", sender="core", reply=mail.id)
    task = memory.remember("renew the shop's certificate", category="task", agent="core", by_agent=True)
    fleet.because(task.id, mail.id)
    flag = fleet.raise_flag("the certificate cannot be renewed without a person", by="core", because=task.id[:8])
    fleet.relay.send("unrelated", sender="mail", to="core")
    traces = [fleet.cascade(one.id) for one in (mail, answer, task, flag)]
    assert all(trace == traces[0] for trace in traces)
    shown = [(hop.depth, hop.kind, hop.sender, hop.to, hop.at, hop.causes) for hop in traces[0]]
    assert sorted(shown) == sorted(
        [
            (0, "message", "mail", "core", NOON, ()),
            (1, "message", "core", "mail", NOON, (mail.id,)),
            (1, "task", "agent", "core", NOON, (mail.id,)),
            (2, "flag", "core", "people", NOON, (task.id,)),
        ]
    )
    assert traces[0][0].what == "the certificate of the shop ends on Friday"


def test_a_flag_stands_for_people_until_it_is_settled_and_is_no_agents_to_read(memory: Memory) -> None:
    flag = memory.fleet.raise_flag("look at the zebra", by="core")
    assert memory.fleet.raise_flag("look at the zebra", by="core") == flag
    assert "flags somebody raised (`steno flags`): 1" in memory.status().flags
    assert "zebra" not in memory.boot(agent="planner").text + memory.handoff()
    assert memory.fleet.settle(flag.id[:4]).settled_at == NOON
    assert (memory.fleet.flags(), memory.status().flags) == ([], [])
    assert [hop.kind for hop in memory.fleet.cascade(flag.id)] == ["flag"]


def test_nothing_comes_from_itself_or_from_nothing(memory: Memory) -> None:
    flag = memory.fleet.raise_flag("look", by="core")
    with pytest.raises(WrongUse, match="itself"):
        memory.fleet.because(flag.id, flag.id)
    with pytest.raises(UnknownEntry):
        memory.fleet.because(flag.id, "nobody")
    with pytest.raises(UnknownEntry):
        memory.fleet.cascade("nobody")
    with pytest.raises(UnknownEntry):
        memory.fleet.settle("nobody")


def test_a_hop_that_was_forgotten_is_left_out_and_the_way_goes_on(memory: Memory) -> None:
    mail = memory.fleet.relay.send("the word is Xanaryqv7Zeta", sender="mail", to="core")
    first = memory.fleet.raise_flag("one", by="core", because=mail.id)
    memory.fleet.raise_flag("two", by="core", because=first.id)
    memory.forget(text="Xanaryqv7Zeta")
    assert [hop.what for hop in memory.fleet.cascade(first.id)] == ["one", "two"]


def test_a_circle_and_a_river_end() -> None:
    circle = [("b", "a"), ("c", "b"), ("a", "c")]
    assert sorted(follow("b", lambda _: circle, lambda _: [])) == [
        ("a", ("c",), 2),
        ("b", ("a",), 0),
        ("c", ("b",), 1),
    ]
    river = [(f"n{number + 1}", f"n{number}") for number in range(3_000)]
    found = follow("n0", lambda _: [], lambda ids: [pair for pair in river if pair[1] in ids])
    assert 1_000 <= len(found) <= 1_001
