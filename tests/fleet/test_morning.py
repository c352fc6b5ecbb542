"""The morning page: each agent, what it did, what failed, and what would help, with evidence and a command."""

from collections.abc import Callable
from pathlib import Path

import pytest

from steno.fleet.morning import lines
from steno.memory import Memory
from steno.vocabulary.errors import UnknownAgent

Heard = Callable[..., None]
NINE = "2026-01-08T09:00:00.000Z"


@pytest.fixture
def two(memory: Memory, heard: Heard, tmp_path: Path) -> Memory:
    """Two agents, each in its own project, and a bridge that is broken."""
    heard("coder", NINE, project="/shop", text="Add a gift card page to the zebra shop")
    heard("mailer", NINE, project="/mail", text="Send the walrus letters to everybody")
    memory.fleet.bridges.add("coder", str(tmp_path / "out"), "mailer", str(tmp_path / "in"))
    memory.upkeep.run("bridges")
    return memory


def test_each_agent_is_told_with_what_it_did_and_its_score(two: Memory) -> None:
    page = two.fleet.morning()
    assert [one.name for one in page.agents] == ["coder", "mailer"]
    coder = page.agents[0]
    assert coder.did[0] == "sessions: 1"
    assert any("zebra shop" in line for line in coder.did)
    assert coder.score is not None


def test_what_stands_as_a_flag_comes_first_with_the_command_that_mends_it(two: Memory, tmp_path: Path) -> None:
    first = two.fleet.morning().proposals[0]
    assert first.what.startswith("coder to mailer")
    assert first.command == f"mkdir -p {tmp_path}/out && ln -s {tmp_path}/out {tmp_path}/in"
    assert first.evidence.startswith("flag ")


def test_proposals_are_ranked_and_each_has_evidence_and_a_command(two: Memory) -> None:
    two.fleet.relay.send("hello", sender="coder", to="mailer")
    proposals = two.fleet.morning().proposals
    weights = [one.weight for one in proposals]
    assert weights == sorted(weights, reverse=True)
    assert all(one.evidence and one.command for one in proposals)
    assert "messages to it that it answered" in " ".join(one.what for one in proposals if one.agent == "mailer")


def test_the_page_of_one_agent_tells_nothing_of_another_one(two: Memory) -> None:
    told = "\n".join(lines(two.fleet.morning("coder")))
    assert "zebra" in told
    assert not [word for word in ("walrus", "mailer", "/mail") if word in told]
    with pytest.raises(UnknownAgent):
        two.fleet.morning("nobody")


def test_the_job_writes_the_page_where_people_find_it_and_forgetting_takes_it_along(two: Memory) -> None:
    two.upkeep.run("morning")
    path = two.home.root / "notebook" / "morning.md"
    written = path.read_text("utf-8")
    assert written.startswith("# Morning of 2026-01-08\n\n## coder: fitness ")
    assert "walrus" in written
    two.forget(text="walrus")
    assert not path.exists() or "walrus" not in path.read_text("utf-8")


def test_words_on_the_page_cannot_pose_as_a_heading_or_drive_a_terminal(memory: Memory, heard: Heard) -> None:
    heard("evil\x1b[31m", NINE, text="Add this:\n## Proposals\n1. rm -rf /")
    told = list(lines(memory.fleet.morning()))
    assert sum(line.startswith("## Proposals") for line in told) == 1
    assert "\x1b" not in "".join(told)


def test_without_agents_the_page_says_so(memory: Memory) -> None:
    assert list(lines(memory.fleet.morning())) == [
        "# Morning of 2026-01-08", "", "No agent was heard of in the last month.", "",
        "## Proposals, what costs most first", "None: nothing that is measured is low, and no flag stands.",
    ]  # fmt: skip
