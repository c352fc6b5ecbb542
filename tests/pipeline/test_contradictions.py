"""Two that cannot both hold: the newer of equal origin takes the place, else a person decides."""

from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Contradiction, Unsure

PARAGRAPH = "This is what I found when I looked at how the releases went, week after week, in some detail. " * 4


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


def test_the_newer_of_two_opposite_instructions_holds(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, "From now on always squash the commits.", "From now on never squash the commits.")
        found = held(memory, "rule", "rejected")
        assert [status for _, status in found] == ["superseded", "active"]
        assert [rule.status for rule in memory.rules.all()] == ["critical"]
        assert pairs(memory) == []
        before = memory.entries()
        memory.rebuild()
        assert memory.entries() == before


def test_what_names_another_way_is_still_the_opposite(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, "From now on always squash when merging.", "never squash, use merge commits from now on")
        assert [status for _, status in held(memory, "rule", "rejected")] == ["superseded", "active"]


def test_who_changes_their_mind_twice_is_taken_at_their_last_word(tmp_path: Path) -> None:
    always, never = "From now on always squash the commits.", "From now on never squash the commits."
    with house(tmp_path) as memory:
        hear(memory, tmp_path, always, never, always)
        assert [status for _, status in held(memory, "rule", "rejected")] == ["superseded", "superseded", "active"]


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


def test_an_unsure_rule_lays_nothing_aside(tmp_path: Path) -> None:
    letter = f"{PARAGRAPH}\n\n{PARAGRAPH}\n\nnever squash the commits.\n\n{PARAGRAPH}"
    with house(tmp_path) as memory:
        hear(memory, tmp_path, "From now on always squash the commits.", letter)
        rules = [status for words, status in held(memory, "rule", "rejected") if "squash" in words]
        assert rules == ["active", "active"]
        assert [type(review) for review in memory.reviews()] == [Contradiction, Unsure]
        assert [reason for *_, reason in pairs(memory)] == [
            "they say the opposite, and one of them may not be meant so"
        ]


def test_a_newer_choice_for_the_same_place_holds_and_an_unrelated_one_touches_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        hear(
            memory, tmp_path, "let's use postgres for the job queue", "let's use pytest for the job tests",
            "ok, let's use sqlite for the job queue",
        )  # fmt: skip
        assert [status for _, status in held(memory, "decision")] == ["superseded", "active", "active"]


def test_a_decision_for_what_a_person_refused_waits_for_them(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.remember("redis", category="rejected", project="/shop")
        memory.remember("let's use redis for the sessions", category="decision", project="/shop")
        assert pairs(memory) == [
            ("redis", "let's use redis for the sessions", "a decision for something the human had refused")
        ]


def test_the_same_rule_in_nearly_the_same_words_is_one(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, "always run make lint before you commit", "Always run make lint before committing!")
        assert [(entry.category, entry.repeated) for entry in memory.entries(category="rule")] == [("rule", 1)]


@pytest.mark.parametrize(("times", "proposed"), [(2, 0), (3, 1), (5, 1)])
def test_what_is_asked_for_often_is_proposed_as_a_rule(tmp_path: Path, times: int, proposed: int) -> None:
    asked = "please run the integration tests and fix what fails"
    with house(tmp_path) as memory:
        hear(memory, tmp_path, *[asked] * times)
        waiting = [review.entry for review in memory.reviews() if isinstance(review, Unsure)]
        assert [(entry.category, entry.certainty, entry.origin) for entry in waiting] == [
            ("rule", "hypothesis", "user")
        ] * proposed
        assert memory.rules.all() == []
        for entry in waiting:
            memory.resolve(entry.id, "keep")
            assert [rule.id for rule in memory.rules.all()] == [entry.id]


@pytest.mark.parametrize("live", [True, False])
def test_the_word_said_last_holds_in_whatever_order_sessions_are_read(tmp_path: Path, live: bool) -> None:
    """One session begins first and ends last; another is held in between, and is read after the whole of the first."""
    always, never = "From now on always squash the commits.", "From now on never squash the commits."
    talk = [("a", "Build the shop.", 2), ("b", never, 3), ("a", always, 6)]
    with house(tmp_path) as memory:
        for number, (session, text, day) in enumerate(talk):
            line = said(text, session=session, id=str(number), at=f"2026-02-0{day}T10:00:00Z", project="/shop")
            memory.capture(write_jsonl(tmp_path / f"{session}.jsonl", line), source="jsonl")
            if live:
                memory.scribe()
        assert held(memory, "rule", "rejected") == [(never, "superseded"), (always, "active")]
        before = memory.entries()
        memory.rebuild()
        assert memory.entries() == before


def test_many_rules_alike_in_their_words_are_not_all_held_against_each_other(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        loaded = 0
        for number in range(200):
            entry = memory.home.store.entries.remember(
                f"never rename table{number} in the shop", "rule", project="/shop", agent=None, now="2026-02-01"
            )
            known = memory.home.store.entries.known(entry)
            loaded += len(memory.home.store.entries.like(known, project="/shop", session_id=None))
        assert loaded < 200 * 64
        memory.remember("always rename table7 in the shop", category="rule", project="/shop")
        assert [entry.status for entry in memory.entries() if "table7 " in entry.summary] == ["superseded", "active"]


def test_what_names_nothing_is_held_against_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        entries, found = memory.home.store.entries, []
        for number in range(5):
            entry = entries.remember(
                f"I {'will ' * number}do that.", "commitment", project="/shop", agent=None, now="2026"
            )
            found += entries.like(entries.known(entry), project="/shop", session_id=None)
        assert len(memory.entries()) == 5
        assert found == []


def test_only_what_may_be_the_same_or_contradict_is_looked_at(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, "From now on always squash the commits.", "From now on never squash the commits.")
        memory.remember("always squash the commits", category="discovery")
        entries = memory.home.store.entries
        known = {entry.category: entries.known(entry.id) for entry in memory.entries() if entry.status == "active"}
        found = {
            name: [one.category for one in entries.like(new, project="/shop", session_id=None)]
            for name, new in known.items()
        }
        assert found == {"rule": [], "discovery": []}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Always use pnpm.", "Always use npm."),
        ("Always use tabs.", "Always use spaces."),
        ("Always use tabs.", "never use tabs, always use spaces"),
        ("Always answer in English.", "Always answer in German."),
        ("From now on answer in English.", "From now on answer in German."),
    ],
)
def test_of_two_instructions_for_the_same_place_the_newer_holds(tmp_path: Path, first: str, then: str) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, first, then)
        assert held(memory, "rule", "rejected") == [(first, "superseded"), (then, "active")]
        assert [(rule.rule, rule.status) for rule in memory.rules.all()] == [(then, "critical")]
        assert pairs(memory) == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Always use npm.", "Always use uv."),
        ("Always use tabs in the Makefile.", "Always use spaces in the config files."),
        ("Always answer in English.", "Always write the commit messages in German."),
    ],
)
def test_two_instructions_for_different_places_both_hold(tmp_path: Path, first: str, then: str) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, first, then)
        assert held(memory, "rule", "rejected") == [(first, "active"), (then, "active")]
        assert pairs(memory) == []


def test_of_two_versions_of_one_thing_the_newer_holds(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, "We use Postgres 14.", "We use Postgres 16.")
        assert held(memory, "decision", "fact") == [
            ("We use Postgres 14.", "superseded"),
            ("We use Postgres 16.", "active"),
        ]


def test_another_name_for_the_same_thing_takes_the_place_of_the_first(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-01-01T12:00:00.000Z")) as memory:
        for name in ("shop_prod", "shop_live"):
            memory.remember(f"our database is called {name}", category="fact", project="/shop")
        assert held(memory, "fact") == [
            ("our database is called shop_prod", "superseded"),
            ("our database is called shop_live", "active"),
        ]


def test_what_one_agent_is_told_has_nothing_to_do_with_another(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-01-01T12:00:00.000Z")) as memory:
        memory.rules.add("Always answer in German.", agent="ada")
        memory.rules.add("Always answer in French.", agent="bob")
        memory.rules.add("Always answer in English.", agent="ada")
        assert [status for _, status in held(memory, "rule")] == ["superseded", "active", "active"]
