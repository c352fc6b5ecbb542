"""What happened is told from what was said then; what is, from what holds now."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.recall.question import ask
from steno.testing import SteppingClock, house, said, write_jsonl

# A Thursday.
NOW = "2026-03-05T12:00:00Z"
FIRST, THEN = (f"Let's go with {what} for the customer orders and invoices." for what in ("Postgres", "SQLite"))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    lines = [
        said(FIRST, id="1", at="2026-03-02T09:00:00Z", project="/shop"),
        said("Postgres is set up.", role="assistant", id="2", at="2026-03-02T09:05:00Z"),
        said("hello there", id="3", session="s2", at="2026-03-03T08:00:00Z", project="/blog"),
        said("Hello.", role="assistant", id="4", session="s2", at="2026-03-03T08:00:05Z"),
        said(THEN, id="5", at="2026-03-03T09:00:00Z"),
        said("SQLite is set up.", role="assistant", id="6", at="2026-03-03T09:05:00Z"),
        said("it happened again, the invoices of Tuesday are wrong", id="7", at="2026-03-04T09:00:00Z"),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.scribe()
        yield memory


@pytest.mark.parametrize(
    "question",
    [
        "what happened on Tuesday",
        "What did we do on Tuesday?",
        "what did I work on on 3 March 2026",
        "was ist am Dienstag passiert?",
        "was haben wir am 3. März gemacht",
        "tell me everything that was discussed on Tuesday",
    ],
)
def test_what_happened_is_told_from_that_time_alone_in_its_order(memory: Memory, question: str) -> None:
    hits = memory.recall(question, now=NOW)
    assert [(hit.kind, hit.text) for hit in hits] == [
        ("turn", "hello there"),
        ("turn", "Hello."),
        ("turn", THEN),
        ("turn", "SQLite is set up."),
    ]


def test_of_a_long_day_what_people_said_comes_before_what_agents_did(memory: Memory) -> None:
    assert {hit.text for hit in memory.recall("what happened on Tuesday", now=NOW, k=2)} == {"hello there", THEN}


def test_sessions_and_entries_of_a_time_are_told_in_its_order(memory: Memory) -> None:
    sessions = memory.recall("what happened on Tuesday", now=NOW, within="sessions")
    assert [hit.id for hit in sessions] == ["s2", "s1"]
    entries = memory.recall("what happened on Monday", now=NOW, within="entries")
    assert [(hit.quote, hit.status) for hit in entries if hit.category == "decision"] == [(FIRST, "superseded")]


def test_what_happened_stays_within_its_scope(memory: Memory) -> None:
    assert [hit.session for hit in memory.recall("what happened on Tuesday", now=NOW, project="/blog")] == ["s2", "s2"]
    assert memory.recall("what happened on Tuesday", now=NOW, agent="nobody") == []
    assert memory.recall("what happened on Tuesday", now=NOW, at="2026-03-03T08:30:00Z", k=9)[-1].text == "Hello."


def test_of_a_time_in_which_nothing_was_said_nothing_is_told(memory: Memory) -> None:
    assert memory.recall("what happened on 1 March 2026", now=NOW) == []
    assert memory.recall("what happened on 1 March 2026", now=NOW, how="nearest") != []


def test_a_question_about_something_is_not_one_about_a_time(memory: Memory) -> None:
    best, *_ = memory.recall("what did we decide about invoices on Monday", now=NOW, within="turns")
    assert best.text == FIRST


def test_a_turn_whose_word_was_overtaken_says_so(memory: Memory) -> None:
    hits = memory.recall("which database for customer orders", now=NOW, within="turns")
    assert {hit.text: hit.status for hit in hits if hit.text in (FIRST, THEN)} == {FIRST: "superseded", THEN: None}


def test_how_things_are_is_told_from_what_holds(memory: Memory) -> None:
    best, *others = memory.recall("what do we use for customer orders and invoices", now=NOW)
    assert (best.kind, best.category, best.status, best.quote) == ("entry", "decision", "active", THEN)
    assert all(hit.status == "superseded" for hit in others if hit.text == FIRST)


@pytest.mark.parametrize(
    ("question", "of_now"),
    [
        ("how do we deploy", True),
        ("What is the staging host?", True),
        ("which database do we use", True),
        ("where are the backups", True),
        ("wie deployen wir", True),
        ("how did we deploy", False),
        ("which database did we use", False),
        ("why is it slow", False),
        ("what did we decide", False),
        ("how do we deploy since March", False),
    ],
)
def test_a_question_how_things_are_is_told_from_one_how_they_were(question: str, of_now: bool) -> None:
    assert ask(question, NOW).of_now is of_now


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("what happened on 3 March 2026", ["days/2026-03-03.md"]),
        ("what happened in March 2026", ["days/2026-03-02.md", "days/2026-03-03.md"]),
        ("what happened on 9 March 2026", []),
        ("what did we decide about invoices on 3 March 2026", []),
        ("how do we deploy", []),
    ],
)
def test_who_asks_what_happened_is_pointed_at_the_pages_of_those_days(
    tmp_path: Path, question: str, days: list[str]
) -> None:
    with house(tmp_path, clock=SteppingClock("2026-04-05T12:00:00.000Z")) as memory:
        folder = memory.home.notebook / "days"
        folder.mkdir(parents=True, exist_ok=True)
        for day in ("2026-03-02", "2026-03-03", "2026-04-03"):
            (folder / f"{day}.md").write_text("# A day\n")
        assert memory.pages.days_of(question) == days
