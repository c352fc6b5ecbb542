"""The capsule: who an agent is and what it must not forget."""

from pathlib import Path

from steno.briefing.capsule import Self, capsule
from steno.briefing.handoff import InWork
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Checkpoint, Entry, Rule, RuleStatus

NOW = "2026-03-01T12:00:00.000Z"


def rule(text: str, status: RuleStatus = "critical", merged_into: str | None = None) -> Rule:
    return Rule(
        id=text, rule=text, domain="GENERAL", agent=None, project=None, source="rule", origin="user", score=9.0,
        status=status, violations=0, reinforcements=0, born_at=NOW, reinforced_at=NOW, checked_at=NOW,
        merged_into=merged_into,
    )  # fmt: skip


def fact(summary: str) -> Entry:
    return Entry(
        id="e1", category="fact", status="active", certainty="confirmed", confidence=1.0, summary=summary, detail={},
        origin="user", tags=[], domain="GENERAL", subject=[], session="s1", project=None, agent=None, created_at=NOW,
        superseded_by=None, repeated=0, cue="", evidence=[],
    )  # fmt: skip


def worked(goal: str) -> InWork:
    return InWork(session="jsonl:s1", project="/shop", agent=None, at=NOW, checkpoint=Checkpoint(goal=goal))


def test_a_capsule_tells_who_what_matters_and_the_last_sessions() -> None:
    about = Self(
        written_at=NOW,
        agent="blog-bot",
        traits=[fact("can deploy the blog")],
        priorities=[fact("the launch is on Thursday")],
        rules=[rule("never skip staging"), rule("prefer tabs", "active"), rule("the same again", merged_into="x")],
        facts=[fact("the port is 8080")],
        sessions=[worked("write the post"), worked("fix the feed")],
    )
    assert (
        capsule(about)
        == """\
<steno page="capsule">
# Capsule
written at 2026-03-01T12:00:00.000Z

## Who
- agent blog-bot
- can deploy the blog

## Priorities
- write the post
- the launch is on Thursday

## Critical facts
- never skip staging
- the port is 8080

## Last sessions
- 2026-03-01T12:00 jsonl:s1 in /shop: write the post
- 2026-03-01T12:00 jsonl:s1 in /shop: fix the feed
</steno>
"""
    )


def test_without_anything_to_tell_it_is_a_cold_start(tmp_path: Path) -> None:
    assert capsule(Self(written_at=NOW, rules=[rule("prefer tabs", "active")])) == "no capsule: cold start\n"
    with house(tmp_path) as memory:
        assert memory.capsule() == "no capsule: cold start\n"
        assert memory.capsule("nobody") == "no capsule: cold start\n"


def test_a_capsule_has_at_most_a_hundred_lines_however_much_there_is() -> None:
    many = [fact("word " * 500 + "\n" * 50)] * 500
    about = Self(
        written_at=NOW, traits=many, priorities=many, rules=[rule("a\nb")] * 500, facts=many,
        sessions=[worked("x\ny" * 900)] * 9,
    )  # fmt: skip
    lines = capsule(about).splitlines()
    assert 80 <= len(lines) <= 100
    assert max(map(len, lines)) < 250


def test_an_agent_is_told_what_is_its_own_and_what_is_nobodys(tmp_path: Path) -> None:
    talk = [
        said("write the blog post about bread", session="a", at="2026-03-01T08:00:00Z", agent="blog-bot"),
        said("book the flights to Rome", session="b", at="2026-03-01T09:00:00Z", agent="travel-bot"),
    ]
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *talk), source="jsonl")
        memory.scribe()
        memory.remember("writes in British English", category="agent_state", agent="blog-bot")
        memory.remember("knows three airlines", category="agent_state", agent="travel-bot")
        memory.remember("the office is in Bern", category="fact")
        own, all_ = memory.capsule(agent="blog-bot"), memory.capsule()
    assert own.splitlines()[4:-1] == [
        "## Who",
        "- agent blog-bot",
        "- writes in British English",
        "",
        "## Priorities",
        "- write the blog post about bread",
        "",
        "## Critical facts",
        "- the office is in Bern",
        "",
        "## Last sessions",
        "- 2026-03-01T08:00 jsonl:a: write the blog post about bread",
    ]
    assert "knows three airlines" in all_
    assert "- 2026-03-01T09:00 jsonl:b: book the flights to Rome" in all_


def test_a_standing_instruction_of_the_human_is_in_the_capsule(tmp_path: Path) -> None:
    words = "always run make lint before you commit"
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said(words, at="2026-03-01T08:00:00Z")), source="jsonl")
        memory.scribe()
        assert words in memory.capsule()
