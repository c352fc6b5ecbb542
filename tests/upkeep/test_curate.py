"""A few lasting facts of each day, told as they stand, on the topic that owns them."""

from pathlib import Path

import pytest

from steno.memory import Memory
from steno.pipeline.curating import chosen, present
from steno.testing import an_entry, house
from steno.upkeep.jobs.curate import JOB
from steno.vocabulary import Entry

from .conftest import Hear, run

NIGHT = "2026-02-02T23:30:00.000Z"
CHOICE = "Let's go with Postgres for the customer orders, because SQLite locks the whole file."
FOUND = "The export job silently drops rows whose customer id is empty because the join is an inner one."


def curated(memory: Memory) -> list[Entry]:
    return [entry for entry in memory.entries() if entry.cue.startswith("curated")]


def test_a_decision_becomes_a_fact_with_its_reason_on_the_topic_that_owns_it(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, CHOICE)
        memory.notebook.sync()
        report = run(memory, JOB, NIGHT)
        [fact] = curated(memory)
        assert (fact.category, fact.origin, fact.status) == ("fact", "user", "active")
        assert fact.summary == CHOICE
        assert report.lines == (f"2026-02-02: {fact.summary}",)
        assert fact.evidence[0].quote in CHOICE
        pages = [path for path in (tmp_path / "steno/notebook").rglob("*.md") if fact.id in path.read_text()]
        assert [path.parent.parent.name for path in pages] == ["topics"]
        [link] = [link for link in memory.accesses.links(fact.id) if link.kind == "cites"]
        assert memory.entry(link.id).category == "decision"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FOUND, FOUND),
        ("The export on my machine drops rows whose customer id is empty, as the join is an inner one.", ""),
        ("in the export every row is dropped whose customer id is empty, as the join is an inner one.", ""),
    ],
)
def test_what_an_agent_found_is_told_if_it_stands_alone(text: str, told: str) -> None:
    assert present(an_entry("discovery", text, origin="assistant")) == told


def test_of_two_that_say_most_of_the_same_the_later_one_is_kept() -> None:
    words = "The export job writes {} rows a second because the disk of the old server is slow."
    old, new = (
        an_entry("discovery", words.format(rows), origin="assistant", id=rows, created_at=f"2026-02-02T{hour}:00:00Z")
        for rows, hour in (("forty", "09"), ("sixty", "10"))
    )
    assert [choice.entry.id for choice in chosen([old, new], {}, [], 5)] == ["sixty"]


def test_a_second_run_adds_nothing(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, CHOICE)
        run(memory, JOB, NIGHT)
        before = memory.entries()
        assert (run(memory, JOB, NIGHT).changed, memory.entries()) == (0, before)


def test_what_only_would_be_added_is_not(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, CHOICE)
        assert (run(memory, JOB, NIGHT, dry=True).changed, curated(memory)) == (1, [])


def test_a_day_brings_no_more_than_it_may(tmp_path: Path, hear: Hear) -> None:
    stores = ("orders", "invoices", "letters", "stock")
    with house(tmp_path, curate_most="2") as memory:
        for number, what in enumerate(stores):
            words = f"Let's go with Postgres{number} for the {what} of shop {what}, because {what} need {what}-locks."
            hear(memory, words, session=what)
        run(memory, JOB, NIGHT)
        assert len(curated(memory)) == 2
        assert run(memory, JOB, NIGHT).changed == 0


@pytest.mark.parametrize(
    "text",
    [
        "Let's go with Postgres for the orders today, because SQLite locked the file yesterday.",
        "ok, this looks good, go on",
        "Let's fix line 42 of orders.py first because PR #7 waits for it.",
    ],
)
def test_what_tells_of_a_moment_or_of_mechanics_is_not_kept_for_good(tmp_path: Path, hear: Hear, text: str) -> None:
    with house(tmp_path) as memory:
        hear(memory, ("assistant", "Shall I go on?"), text)
        run(memory, JOB, NIGHT)
        assert curated(memory) == []


def test_what_is_known_is_not_added_again(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        memory.remember(
            "The approach: Postgres for the customer orders, because SQLite locks the whole file.", category="fact"
        )
        hear(memory, CHOICE)
        assert run(memory, JOB, NIGHT).changed == 0


def test_a_fact_ends_with_the_words_it_was_made_from(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, CHOICE)
        run(memory, JOB, NIGHT)
        hear(memory, "Let's go with DuckDB for the customer orders.", session="s2", at="2026-02-03T10:00")
        [fact] = curated(memory)
        newer = memory.entries(category="decision")[-1]
        assert (fact.status, fact.superseded_by) == ("superseded", newer.id)


def test_a_fact_is_there_again_after_a_rebuild_with_what_a_person_did_to_it(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, CHOICE)
        hear(memory, "Let's go with Redis for the shop sessions, because they may be lost without harm.", session="s2")
        run(memory, JOB, NIGHT)
        memory.archive(curated(memory)[0].id)
        before = memory.entries()
        memory.rebuild()
        assert memory.entries() == before
        assert [entry.status for entry in curated(memory)] == ["archived", "active"]


def test_a_forgotten_word_is_forgotten_in_the_fact_too(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, CHOICE)
        run(memory, JOB, NIGHT)
        memory.forget(text="Postgres")
        assert curated(memory) == []


def test_days_that_were_missed_are_caught_up_and_a_closed_day_is_not_edited(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, CHOICE, at="2026-01-30T10:00")
        hear(memory, "Let's go with Redis for the shop sessions, because they may be lost without harm.", session="s2")
        report = run(memory, JOB, NIGHT, since="2026-01-29T23:30:00.000Z")
        assert [line[:10] for line in report.lines] == ["2026-01-30", "2026-02-02"]
        page = tmp_path / "steno/notebook/days/2026-01-30.md"
        before = page.read_bytes()
        assert b"## Recap" in before
        run(memory, JOB, "2026-02-03T23:30:00.000Z", since="2026-01-29T23:30:00.000Z")
        assert page.read_bytes() == before
