"""Two that cannot both hold: the newer of equal origin takes the place, else a person decides."""

from pathlib import Path

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Contradiction

from ..older import before_notes_were_quotes


def hear(memory: Memory, folder: Path, *texts: str, project: str | None = "/shop", role: str = "user") -> None:
    """Sessions in which one thing is said, a day apart."""
    for text in texts:
        number = len(memory.sessions()) + 1
        at = f"2026-02-{number:02}T10:00:00Z"
        where = {"project": project} if project else {}
        line = said(text, session=f"s{number}", role=role, id=f"{number}", at=at, **where)
        memory.capture(write_jsonl(folder / f"{number}.jsonl", line), source="jsonl")
        memory.scribe()


def held(memory: Memory, *categories: str) -> list[tuple[str, str]]:
    """What was said, and whether it holds."""
    return [
        (entry.evidence[0].quote if entry.evidence else entry.summary, entry.status)
        for entry in memory.entries()
        if entry.category in categories
    ]


def pairs(memory: Memory) -> list[tuple[str, str, str]]:
    found = [review for review in memory.reviews() if isinstance(review, Contradiction)]
    return [(review.one.summary, review.other.summary, review.reason) for review in found]


def test_two_opposite_instructions_of_a_person_wait_for_them_in_whatever_order_they_are_read(tmp_path: Path) -> None:
    """One session begins first and ends last; another is held in between, and is read after the whole of the first."""
    always, never = "From now on always squash the commits.", "From now on never squash the commits."
    with house(tmp_path) as memory:
        for session, text, day in (("a", "Build the shop.", 2), ("a", always, 6), ("b", never, 3)):
            line = said(text, session=session, id=str(day), at=f"2026-02-0{day}T10:00:00Z", project="/shop")
            memory.capture(write_jsonl(tmp_path / f"{session}.jsonl", line), source="jsonl")
        memory.scribe()
        assert sorted(held(memory, "rule", "rejected")) == [(always, "active"), (never, "active")]
        before = memory.reviews()
        [(_, _, reason)] = pairs(memory)
        assert reason == "they say the opposite"
        memory.rebuild()
        assert memory.reviews() == before
        [asked] = before
        memory.resolve(asked.id, "one")
        memory.rebuild()
        assert sorted(status for _, status in held(memory, "rule", "rejected")) == ["active", "superseded"]


def test_a_rule_of_another_project_is_not_touched(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, "From now on always squash the commits.")
        hear(memory, tmp_path, "From now on never squash the commits.", project="/blog")
        rules = [status for words, status in held(memory, "rule", "rejected") if "squash" in words]
        assert rules == ["active", "active"]
        assert pairs(memory) == []


def test_a_rule_for_everywhere_and_its_opposite_in_a_project_wait_for_a_person(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-01-01T12:00:00.000Z")) as memory:
        memory.rules.add("always squash the commits")
        hear(memory, tmp_path, "From now on never squash the commits.")
        rules = [status for words, status in held(memory, "rule", "rejected") if "squash" in words]
        assert rules == ["active", "active"]
        [(one, other, reason)] = pairs(memory)
        assert (one, reason) == ("always squash the commits", "they say the opposite, one of them everywhere")
        assert "never squash" in other
        before = memory.reviews()
        memory.rebuild()
        assert memory.reviews() == before


def test_what_was_told_and_what_was_said_wait_for_a_person(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-03-01T12:00:00.000Z")) as memory:
        hear(memory, tmp_path, "From now on always squash the commits.")
        memory.rules.add("never squash the commits", project="/shop")
        [(_, other, reason)] = pairs(memory)
        assert (other, reason) == (
            "never squash the commits",
            "they say the opposite, and one was told, the other said",
        )


def test_of_two_things_a_person_told_us_the_newer_holds(tmp_path: Path) -> None:
    clock = SteppingClock()
    with house(tmp_path, clock=clock) as memory:
        memory.remember("releases go out on Thursdays", category="fact")
        clock.now = "2026-01-02T12:00:00.000Z"
        memory.remember("releases go out on Fridays", category="fact")
        memory.remember("the office is in Graz", category="fact")
        told = [
            ("releases go out on Thursdays", "superseded"),
            ("releases go out on Fridays", "active"),
            ("the office is in Graz", "active"),
        ]
        assert held(memory, "fact") == told
        memory.rebuild()
        assert held(memory, "fact") == told


def test_a_decision_for_what_a_person_refused_waits_for_them(tmp_path: Path) -> None:
    refused, decided = "redis for the sessions", "let's use redis for the sessions"
    with house(tmp_path) as memory:
        memory.remember(refused, category="rejected", project="/shop")
        memory.remember(decided, category="decision", project="/shop")
        assert pairs(memory) == [(refused, decided, "a decision for something the human had refused")]


def test_finding_what_is_alike_does_not_grow_with_what_is_known(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        entries = memory.home.store.entries
        for number in range(200):
            entry = entries.remember(
                f"never rename table{number} in the shop", "rule", project="/shop", agent=None, now="2026-02-01"
            )
            assert entries.like(entries.known(entry), project="/shop", session_id=None) == []
        memory.remember("always rename table7 in the shop", category="rule", project="/shop")
        [(one, other, _)] = pairs(memory)
        assert {one, other} == {"never rename table7 in the shop", "always rename table7 in the shop"}


def test_what_names_nothing_is_held_against_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        entries, found = memory.home.store.entries, []
        for number in range(5):
            entry = entries.remember(
                f"I will do that{'!' * number}", "commitment", project="/shop", agent=None, now="2026"
            )
            found += entries.like(entries.known(entry), project="/shop", session_id=None)
        assert len(memory.entries()) == 5
        assert found == []


def test_a_newer_fact_on_the_same_thing_takes_the_place(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-01-01T12:00:00.000Z")) as memory:
        for words in ("Our docs live in Confluence.", "We moved the docs to Notion.", "our docs live in GitHub"):
            memory.remember(words, category="fact", project="/shop")
        assert held(memory, "fact") == [
            ("Our docs live in Confluence.", "superseded"),
            ("We moved the docs to Notion.", "superseded"),
            ("our docs live in GitHub", "active"),
        ]
        assert pairs(memory) == []


def test_what_one_agent_is_told_has_nothing_to_do_with_another(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-01-01T12:00:00.000Z")) as memory:
        memory.rules.add("Always squash the commits.", agent="ada")
        memory.rules.add("Never squash the commits.", agent="bob")
        assert pairs(memory) == []
        memory.rules.add("Never squash the commits.", agent="ada")
        assert [review[:2] for review in pairs(memory)] == [("Always squash the commits.", "Never squash the commits.")]


def test_an_older_home_finds_what_it_knows_by_its_words(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        first = memory.rules.add("always squash the commits")
    before_notes_were_quotes(tmp_path / "steno", keys=False)
    with house(tmp_path) as memory:
        second = memory.rules.add("never squash the commits")
        [asked] = memory.reviews()
        assert isinstance(asked, Contradiction)
        assert {asked.one.id, asked.other.id} == {first.id, second.id}


def test_lessons_of_agents_that_nearly_say_the_same_find_each_other(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        entries = memory.home.store.entries
        first, second, _ = (
            entries.remember(words, "learning", project="/shop", agent=None, now="2026", origin="assistant")
            for words in (
                "the broker drops every call that lacks the vhost header",
                "careful: the broker drops every call that lacks the vhost header",
                "the broker drops orders",
            )
        )
        found = entries.like(entries.known(second), project="/shop", session_id=None)
        assert [one.id for one in found] == [first]
