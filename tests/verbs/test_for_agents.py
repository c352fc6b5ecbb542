"""Verbs as agents ask them: within their own project, and what they are given is written down once they have it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import house, said, write_jsonl
from steno.verbs import VERBS
from steno.verbs.asking import Asker
from steno.verbs.call import Called, call
from steno.vocabulary.errors import NotTheirs, WrongUse

CLERK = Asker(project="/shop", agent="clerk", door="mcp")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    lines = [
        said("fix the checkout", id="1", session="shop-1", at="2026-03-02T09:00:00Z", project="/shop", agent="clerk"),
        said("never deploy on fridays", id="2", session="shop-1", at="2026-03-02T09:01:00Z"),
        said("write the article", id="1", session="blog-1", at="2026-03-02T10:00:00Z", project="/blog"),
    ]
    with house(tmp_path) as opened:
        opened.capture(write_jsonl(tmp_path / "talk.jsonl", *lines), source="jsonl")
        yield opened


def asked(memory: Memory, verb: str, asker: Asker = CLERK, **given: Any) -> Called:
    return call(VERBS[verb], given, memory, asker)


def test_an_agent_is_told_of_the_latest_session_of_its_project(memory: Memory) -> None:
    assert asked(memory, "brief").answer.session == "shop-1"
    assert asked(memory, "brief", Asker(door="mcp")).answer.session == "blog-1"


def test_what_waits_for_the_scribe_is_read_before_a_verb_tells_of_it(memory: Memory) -> None:
    assert memory.rules.all() == []
    told = asked(memory, "rules list", Asker()).answer.rules
    assert [rule.rule for rule in told] == ["never deploy on fridays"]


def test_an_agent_that_says_where_it_works_is_told_what_it_must_know_at_a_start(memory: Memory) -> None:
    told = asked(memory, "brief", directory="/shop").answer
    assert (told.kind, told.agent, "fridays" in told.text) == ("boot", "clerk", True)
    assert asked(memory, "brief", directory="/shop", session="shop-1").answer.kind == "brief"
    with pytest.raises(NotTheirs):
        asked(memory, "brief", directory="/blog")
    # A person on the command line always stands somewhere.
    assert asked(memory, "brief", Asker(), directory="/shop").answer.session == "shop-1"


def test_what_an_agent_is_given_is_written_down_once_it_arrived(memory: Memory) -> None:
    given = asked(memory, "brief")
    assert memory.receipts() == []
    given.has_arrived(memory)
    assert [one.session for one in memory.receipts()] == ["shop-1"]
    assert asked(memory, "brief", Asker()).arrived == []
    with pytest.raises(WrongUse, match="a briefing of an earlier time cannot be given"):
        asked(memory, "brief", Asker(), given=True, at="2026-03-02T09:00:30Z")


def test_no_session_of_another_project_makes_the_gate_or_a_briefing_tell_of_it(memory: Memory) -> None:
    def gate(**given: Any) -> str:
        return str(asked(memory, "gate before", action="deploy on fridays", **given).answer.gate.verdict)

    elsewhere = Asker(project="/blog", door="mcp")
    assert (gate(), gate(asker=elsewhere, session="shop-1")) == ("warn", "allow")
    with pytest.raises(NotTheirs):
        gate(asker=elsewhere, directory="/shop")
    with pytest.raises(NotTheirs):
        gate(agent="somebody")


def test_an_agent_may_say_how_it_went_and_may_not_rule(memory: Memory) -> None:
    graded = asked(memory, "gate after", agent="clerk", went="pass", summary="the checkout is up").answer
    assert graded.entry.summary == "the checkout is up"
    with pytest.raises(NotTheirs, match="This waits for a person"):
        asked(memory, "rules add", text="be kind")
    with pytest.raises(NotTheirs, match="This waits for a person"):
        asked(memory, "sessions work end")
