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
    "believes": lambda memory: memory.believes("zebra deploy shop", k=50, project="/shop"),
    "boot": lambda memory: memory.boot(project="/shop", agent="clerk").text,
    "boot of nobody's project": lambda memory: memory.boot(agent="clerk").text,
    **{f"brief {tier}": lambda memory, tier=tier: memory.brief(tier, "s1").text for tier in range(4)},
    "state": lambda memory: memory.state_line("s1").text,
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
        memory.learn()
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


def test_a_line_of_succession_ends_where_its_project_does(memory: Memory) -> None:
    ours, theirs = (
        next(entry for entry in memory.entries(project=project) if entry.category == "decision")
        for project in ("/shop", "/zoo")
    )
    with memory.home.store.entries.write():
        memory.home.store.entries._database.rows("supersede_entry", {"id": theirs.id, "by": ours.id})
    [belief] = [one for one in memory.believes("SQLite", project="/shop") if one.last.entry.id == ours.id]
    assert belief.before == []
    [whole] = [one for one in memory.believes("SQLite") if one.last.entry.id == ours.id]
    assert [held.entry.id for held in whole.before] == [theirs.id]


# -- one agent's own ------------------------------------------------------------------------------------------------


def test_the_pages_of_one_agent_hold_nothing_of_anothers(memory: Memory) -> None:
    memory.remember("the okapi is shy", category="fact", project="/shop", agent="keeper")
    memory.remember("the okapi wants oats", category="fact", project="/shop", agent="clerk")
    memory.flows.add("feed-the-okapi", steps=["oats"], project="/shop", agent="keeper")
    memory.notebook.sync()
    seen = {
        agent: {
            page.name: memory.pages.read(page.name, "/shop", agent).text
            for page in memory.pages.all("/shop", agent)
            if "okapi" in memory.pages.read(page.name, "/shop", agent).text
        }
        for agent in ("keeper", "clerk", None)
    }
    assert {agent: [*pages] for agent, pages in seen.items()} == {
        "keeper": [
            "shop/agents/keeper/MEMORY.md",
            "shop/agents/keeper/flows/feed-the-okapi.md",
            "shop/agents/keeper/topics/projects/shop.md",
        ],
        "clerk": ["shop/agents/clerk/topics/projects/shop.md"],
        None: [],
    }
    assert "shy" not in seen["clerk"]["shop/agents/clerk/topics/projects/shop.md"]


def test_a_line_typed_on_an_agents_page_is_that_agents(memory: Memory) -> None:
    page = memory.home.notebook / "agents" / "keeper" / "rules.md"
    assert "always ask the zebra first" in page.read_text()
    page.write_text(page.read_text() + "- never ride the zebra\n")
    memory.notebook.sync()
    [rule] = [rule for rule in memory.rules.all() if rule.rule == "never ride the zebra"]
    assert (rule.agent, rule.project) == ("keeper", None)


def test_the_same_words_for_two_agents_are_two_entries(memory: Memory) -> None:
    ours, theirs = (memory.remember("call me Sam", category="fact", agent=agent) for agent in ("clerk", "keeper"))
    assert (ours.id != theirs.id, ours.agent, theirs.agent) == (True, "clerk", "keeper")


# -- sharing --------------------------------------------------------------------------------------------------------

SHARED_DOORS = ["recall", "recall of an agent", "believes", "boot", "boot of nobody's project", "gate", "rules"]


def shown(memory: Memory, door: str) -> bool:
    return "never " in repr(DOORS[door](memory)).replace("never deploy the shop", "")


def share(memory: Memory, **whom: str) -> None:
    """What people of the zoo said no to."""
    for entry in memory.entries(project="/zoo"):
        if entry.category in ("rule", "rejected"):
            memory.sharing.share(entry.id, **whom)


@pytest.mark.parametrize("door", [*SHARED_DOORS, *(f"brief {tier}" for tier in range(4))])
def test_what_is_shared_with_everybody_is_seen_until_it_is_taken_back(memory: Memory, door: str) -> None:
    assert not shown(memory, door)
    share(memory)
    assert shown(memory, door)
    memory.rebuild()
    assert shown(memory, door)
    for one in memory.sharing.all():
        memory.sharing.take_back(one.what)
    assert not shown(memory, door)


@pytest.mark.parametrize(
    ("whom", "seen"),
    [
        ({"project": "/shop"}, {"recall", "believes", "boot", "rules", "gate"}),
        ({"agent": "clerk"}, {"recall of an agent", "boot", "boot of nobody's project", "rules", "gate"}),
        ({"project": "/shop", "agent": "clerk"}, {"boot", "rules", "gate"}),
        ({"project": "/farm"}, set()),
        ({"agent": "farmer"}, set()),
    ],
)
def test_what_is_shared_is_seen_by_whom_it_is_shared_with(memory: Memory, whom: dict[str, str], seen: set[str]) -> None:
    share(memory, **whom)
    assert {door for door in SHARED_DOORS if shown(memory, door)} == seen


def test_sharing_an_entry_shares_its_words_and_not_the_session(memory: Memory) -> None:
    [rule] = [rule for rule in memory.rules.all() if "zebra on fridays" in rule.rule]
    memory.sharing.share(rule.id, project="/shop")
    hits = [hit for hit in memory.recall("zebra", k=50, project="/shop") if "zebra" in hit.text]
    assert [(hit.kind, hit.id) for hit in hits] == [("entry", rule.id)]
    assert memory.recall("zebra", k=50, within="turns", project="/shop") == []


def test_a_flow_is_shared_by_its_name(memory: Memory) -> None:
    memory.sharing.share("feed-the-zebra", agent="clerk")
    assert "feed-the-zebra" in [flow.name for flow in memory.flows.all(project="/shop", agent="clerk")]
    assert "feed-the-zebra" in memory.boot(project="/shop", agent="clerk").text
    assert "feed-the-zebra" not in memory.boot(project="/shop", agent="farmer").text


def test_a_shared_page_is_what_stands_on_it_now(memory: Memory) -> None:
    shared = {one.text for one in memory.sharing.share("zoo/topics/projects/zoo.md", project="/shop")}
    assert "the zebra bites" in shared
    memory.remember("the zebra kicks", category="fact", project="/zoo")
    seen = {hit.text for hit in memory.recall("zebra", project="/shop") if "zebra" in hit.text}
    assert seen == shared


def test_what_is_shared_is_listed_and_goes_with_its_entry(memory: Memory) -> None:
    [fact] = [entry for entry in memory.entries(category="fact") if entry.summary == "the zebra bites"]
    memory.sharing.share(fact.id, project="/shop")
    memory.sharing.share(fact.id, agent="clerk")
    assert [(one.what, one.text, one.project, one.agent) for one in memory.sharing.all()] == [
        (fact.id, "the zebra bites", None, "clerk"),
        (fact.id, "the zebra bites", "/shop", None),
    ]
    memory.sharing.take_back(fact.id, agent="clerk")
    assert [one.project for one in memory.sharing.all()] == ["/shop"]
    memory.forget(text="zebra bites")
    assert memory.sharing.all() == []


def test_an_export_brings_what_is_shared_along(memory: Memory, tmp_path: Path) -> None:
    [fact] = [entry for entry in memory.entries(category="fact") if entry.summary == "the zebra bites"]
    memory.sharing.share(fact.id, project="/shop")
    with house(tmp_path / "other") as other:
        other.import_(memory.export(), trust=True)
        assert other.sharing.all() == memory.sharing.all()
    with house(tmp_path / "stranger") as stranger:
        held = stranger.import_(memory.export()).held
        assert "share" in held
        assert stranger.sharing.all() == []
