"""No door shows what belongs to another project or to another agent. A test per door; the zebra is somebody else's."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import house, said, write_jsonl
from steno.vocabulary import Action
from steno.vocabulary.errors import UnknownPage

OURS = [
    said("never deploy the shop on fridays", id="1", at="2026-03-02T09:00:00Z", project="/shop", agent="clerk"),
    said("Let's go with SQLite for the orders.", id="2", at="2026-03-02T09:01:00Z"),
    said("Fine, SQLite for the orders.", role="assistant", id="3", at="2026-03-02T09:01:05Z"),
    said("add a page for the orders", id="4", at="2026-03-02T09:02:00Z"),
]
THEIRS = [
    said("never deploy the zebra on fridays", id="1", session="z1", at="2026-03-02T09:00:00Z", project="/zoo"),
    said("Let's go with SQLite for the zebra.", id="2", session="z1", at="2026-03-02T09:01:00Z"),
    said("Shall I feed the zebra?", role="assistant", id="3", session="z1", at="2026-03-02T09:01:05Z"),
    said("no, never feed the zebra", id="4", session="z1", at="2026-03-02T09:02:00Z"),
    said("The zebra failed: the fence is open", role="assistant", id="5", session="z1", at="2026-03-02T09:03:00Z"),
]
# What each door shows to whoever works in the shop as the clerk.
DOORS: dict[str, Callable[[Memory], Any]] = {
    "recall": lambda memory: memory.recall("zebra deploy orders", k=50, project="/shop"),
    "recall of an agent": lambda memory: memory.recall("zebra deploy orders", k=50, agent="clerk"),
    "recall of a time": lambda memory: memory.recall("what happened on 2 March 2026", k=50, project="/shop"),
    "recall of sessions": lambda memory: memory.recall("zebra", k=50, within="sessions", project="/shop"),
    "believes": lambda memory: memory.believes("zebra deploy orders", k=50, project="/shop"),
    "boot": lambda memory: memory.boot(project="/shop", agent="clerk").text,
    "boot of nobody's project": lambda memory: memory.boot(agent="clerk").text,
    **{f"brief {tier}": lambda memory, tier=tier: memory.brief(tier, "s1").text for tier in range(4)},
    "state": lambda memory: memory.state_line("s1"),
    "gate": lambda memory: memory.before(action("deploy the zebra")),
    "gate of a session": lambda memory: memory.before(action("feed the zebra", session="s1")),
    "remind": lambda memory: memory.remind("shall we feed the zebra?", project="/shop", agent="clerk"),
    "rules": lambda memory: memory.rules.all(project="/shop", agent="clerk"),
    "flows": lambda memory: memory.flows.all(project="/shop"),
    "entries": lambda memory: memory.entries(project="/shop"),
    "works": lambda memory: memory.works.all(project="/shop"),
    "read": lambda memory: [memory.pages.read(page.name, "/shop") for page in memory.pages.all("/shop")],
}


def action(text: str, **more: Any) -> Action:
    return Action(agent="clerk", text=text, directory="/shop", **more)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path) as memory:
        for name, lines in {"ours": OURS, "theirs": THEIRS}.items():
            memory.capture(write_jsonl(tmp_path / f"{name}.jsonl", *lines), source="jsonl")
        memory.remember("the zebra bites", category="fact", project="/zoo")
        memory.remember("the zebra answers to the keeper", category="fact", agent="keeper")
        memory.remember("always ask the zebra first", category="rule", agent="keeper")
        memory.flows.add("feed-the-zebra", steps=["open the fence"], project="/zoo")
        for _ in range(6):
            memory.flows.outcome("feed-the-zebra", passed=False)
        memory.save()
        memory.notebook.sync()
        yield memory


@pytest.mark.parametrize("door", DOORS)
def test_nothing_of_another_project_or_agent_is_seen(memory: Memory, door: str) -> None:
    shown = repr(DOORS[door](memory)).replace("'feed the zebra'", "").replace("'deploy the zebra'", "")
    assert "zebra" not in shown


@pytest.mark.parametrize("door", ["recall", "believes", "boot", "brief 0", "rules", "entries"])
def test_what_is_theirs_is_seen(memory: Memory, door: str) -> None:
    assert "fridays" in repr(DOORS[door](memory))


@pytest.mark.parametrize(
    "door", ["recall of an agent", "boot", *(f"brief {tier}" for tier in range(4)), "gate", "remind", "rules", "state"]
)
def test_nothing_that_was_recorded_for_another_agent_of_the_project_is_seen(memory: Memory, door: str) -> None:
    memory.remember("never touch the okapi, the keeper feeds it", category="rule", project="/shop", agent="keeper")
    memory.remember("deploys of the okapi are shy", category="fact", project="/shop", agent="keeper")
    memory.flows.add("feed-the-okapi", steps=["deploy"], triggers=["deploy"], project="/shop", agent="keeper")
    assert "okapi" not in repr(DOORS[door](memory))


def test_a_project_reads_its_own_pages(memory: Memory) -> None:
    folders = {page.name.partition("/")[0] for page in memory.pages.all()}
    assert {"shop", "zoo"} <= folders
    assert {page.name.partition("/")[0] for page in memory.pages.all("/shop")} == {"shop"}
    assert "fridays" in memory.pages.read("shop/rules", "/shop").text
    with pytest.raises(UnknownPage):
        memory.pages.read("zoo/rules", "/shop")


def test_pages_kept_in_a_repository_are_read_there(memory: Memory, tmp_path: Path) -> None:
    memory.notebook.put_in("/shop", tmp_path / "repository" / "memory")
    assert (tmp_path / "repository" / "memory" / "rules.md").exists()
    assert "fridays" in memory.pages.read("shop/rules").text


def test_a_line_of_succession_ends_where_its_project_does(memory: Memory) -> None:
    ours, theirs = (
        next(entry for entry in memory.entries(project=project) if entry.category == "decision")
        for project in ("/shop", "/zoo")
    )
    with memory._store.entries.write():
        memory._store.entries._database.rows("supersede_entry", {"id": theirs.id, "by": ours.id})
    [belief] = [one for one in memory.believes("SQLite", project="/shop") if one.last.entry.id == ours.id]
    assert belief.before == []
    [whole] = [one for one in memory.believes("SQLite") if one.last.entry.id == ours.id]
    assert [held.entry.id for held in whole.before] == [theirs.id]
