"""The capsule: who an agent is and what it must not forget."""

from pathlib import Path

from steno.briefing.capsule import Self, capsule
from steno.briefing.handoff import InWork, Page, handoff, inline
from steno.briefing.saved import Session, Wake, session_state, wake_state
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Checkpoint, Entry, Rule, RuleStatus

NOW = "2026-03-01T12:00:00.000Z"


def rule(
    text: str, status: RuleStatus = "critical", merged_into: str | None = None, project: str | None = None
) -> Rule:
    return Rule(
        id=text, rule=text, domain="GENERAL", agent=None, project=project, source="rule", origin="user", score=9.0,
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


def test_what_belongs_to_a_project_is_told_with_its_name_and_each_thing_once() -> None:
    words = ["never skip the staging server", "always write the tests first"]
    rules = [rule(text, project="/shop") for text in (words[0], f"{words[0]}, please", words[1])]
    facts = capsule(Self(written_at=NOW, rules=[*rules, rule(words[0], project="/blog"), rule("be brief")]))
    assert [line for line in facts.splitlines() if line.startswith("- ")] == [
        f"- in /shop: {words[0]}",
        f"- in /shop: {words[1]}",
        f"- in /blog: {words[0]}",
        "- be brief",
    ]


def test_a_goal_that_grew_is_not_cut_before_what_is_asked_for_now() -> None:
    long, now = "write the post about the harbour " * 20, "put the picture of the crane at the end"
    grown = Checkpoint(goal=f"{long}\n{now}", steps=[now])
    work = InWork(session="jsonl:s1", project="/shop", agent=None, at=NOW, checkpoint=grown)
    texts = {
        "capsule": capsule(Self(written_at=NOW, sessions=[work])),
        "handoff": handoff(Page(written_at=NOW, work=[work])),
        "session state": session_state([Session(work=work)], NOW),
        "wake state": wake_state(Wake(written_at=NOW, work=[work], known={}, sessions=[work])),
        "state": inline(grown, None),
    }
    assert [name for name, text in texts.items() if now not in text] == []


def test_without_anything_to_tell_it_is_a_cold_start(tmp_path: Path) -> None:
    assert capsule(Self(written_at=NOW, rules=[rule("prefer tabs", "active")])) == "no capsule: cold start\n"
    with house(tmp_path) as memory:
        assert memory.capsule() == "no capsule: cold start\n"
        assert memory.capsule("nobody") == "no capsule: cold start\n"


def test_a_capsule_has_at_most_a_hundred_lines_however_much_there_is() -> None:
    many = [fact(f"{number} word " * 500 + "\n" * 50) for number in range(500)]
    rules = [rule(f"open door {number}\nb") for number in range(500)]
    about = Self(
        written_at=NOW, traits=many, priorities=many, rules=rules, facts=many,
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
