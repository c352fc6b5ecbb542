"""Recall: what a hit tells, which things are found, what is folded, and what fits a budget."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.memory import Memory
from steno.recall.fit import cost, fit, fold, passage
from steno.recall.question import ask
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.tokens import count
from steno.vocabulary import Entry, Hit, Neighbour, Scope
from steno.vocabulary.errors import StoreBusy, WrongUse

House = Callable[..., AbstractContextManager[Memory]]

QUESTION = "why are customers charged twice?"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    lines = [
        said("good morning", role="assistant", id="0", at="2026-02-01T09:59:00Z", project="shop"),
        said("customers are charged twice when they press back", id="1", at="2026-02-01T10:00:00Z"),
        said("I'll add an idempotency key to the checkout", role="assistant", id="2", at="2026-02-01T10:01:00Z"),
        said("log: batteries charged", role="tool", id="3", session="s2", tool="Bash"),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        yield memory


def test_a_hit_says_who_said_it_where_when_why_and_what_stood_around(memory: Memory) -> None:
    [best, *_] = memory.recall(QUESTION, within="turns")
    assert best == Hit(
        id=2,
        kind="turn",
        score=best.score,
        reason="words: customers, charged, twice",
        session="s1",
        source="jsonl",
        turn=2,
        line=2,
        native_id="1",
        text="customers are charged twice when they press back",
        quote="customers are charged twice when they press back",
        at="2026-02-01T10:00:00.000Z",
        origin="user",
        context=(
            Neighbour(1, "assistant", "good morning"),
            Neighbour(3, "assistant", "I'll add an idempotency key to the checkout"),
        ),
        likely=best.likely,
    )
    assert best.score > 0
    assert 0.5 < (best.likely or 0) < 1


def test_where_nothing_fits_nothing_is_recalled(memory: Memory) -> None:
    unheard = "which opera did the emperor's gardener hum while pruning the roses of Versailles back in spring?"
    assert memory.recall(unheard) == []
    assert memory.recall("what did they press?")[0].turn == 2


def test_by_meaning_too_nothing_is_recalled_where_nothing_fits(real_house: House, tmp_path: Path) -> None:
    lines = [said(text, id=text, at="2026-02-10T10:00:00Z") for text in ("customers pay twice", "lint first")]
    talk = write_jsonl(tmp_path / "t.jsonl", *lines)
    with real_house() as memory:
        memory.capture(talk, source="jsonl")
        memory.embed()
        assert memory.recall("what is the boiling point of tungsten hexafluoride?") == []
        assert memory.recall("people are charged two times")[0].quote == "customers pay twice"
        # A time that is named finds by itself what has to do with the question, and nothing else.
        now = "2026-03-01T00:00:00Z"
        assert memory.recall("the boiling point of tungsten in February 2026?", now=now) == []
        assert memory.recall("which customers were there in February 2026?", now=now)[0].quote == "customers pay twice"


def test_a_name_that_nobody_ever_said_is_a_reason_to_be_silent(real_house: House, tmp_path: Path) -> None:
    lines = [
        said("What did we decide about the migration?", id="1"),
        said("The Postgres migration runs on Friday, with the reader switched off.", role="assistant", id="2"),
        said("ok, and the rabbits get their own queue", id="3"),
    ]
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        assert memory.recall("when does the Postgres migration run?", within="turns")[0].native_id == "2"
        assert memory.recall("which broker comes after the Kafka upgrade?") == []
        assert memory.unsaid("which broker comes after the Kafka upgrade of Postgres?") == ["Kafka"]
        assert memory.recall("which broker comes after the Kafka upgrade?", how="nearest") != []
        # What was said since the index was made was said.
        memory.capture(write_jsonl(tmp_path / "u.jsonl", said("Kafka it is", id="4")), source="jsonl")
        assert memory.unsaid("which broker comes after the Kafka upgrade?") == []


def test_names_said_in_another_project_are_unsaid_in_this_one(real_house: House, tmp_path: Path) -> None:
    lines = [
        said("We take Kafka for the events.", id="1", session="a", project="/work/broker"),
        said("The Postgres migration runs on Friday.", id="2", session="b", project="/work/bank"),
    ]
    question = "what did we decide about Kafka and Postgres?"
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        assert memory.unsaid(question) == []
        assert memory.unsaid(question, Scope(project="/work/bank")) == ["Kafka"]
        assert memory.unsaid(question, Scope(project="/work/broker")) == ["Postgres"]
        assert memory.unsaid(question, Scope(agent="somebody else")) == ["Kafka", "Postgres"]
        # The same where the index of words has not got them yet.
        newer = said("Kafka or Redis, we have to choose.", id="3", session="a", project="/work/broker")
        memory.capture(write_jsonl(tmp_path / "u.jsonl", newer), source="jsonl")
        assert memory.unsaid("is it Redis?", Scope(project="/work/bank")) == ["Redis"]
        assert memory.unsaid("is it Redis?", Scope(project="/work/broker")) == []


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did we decide about the Kafka migration?", ("Kafka",)),
        ("Kafka: is it still used?", ()),
        (
            "how does orders_v2 read config.yaml, libgit2 or getUser?",
            ("orders_v2", "config.yaml", "libgit2", "getUser"),
        ),
        ("was it at 3pm on Sundays in March, e.g. over TLS?", ()),
        ("an welchem Tag geht die Liste an den Steuerberater?", ()),
        ("IS IT ALL IN CAPITALS?", ()),
        ("add a reader for Kafka", ()),
        ("the roster lost its Kafka reader", ("Kafka",)),
        ("shipping to Switzerland", ("Switzerland",)),
        ("the reader stops each night since we moved the roster from Redis to Kafka, see the log", ()),
        ("was war letzte Woche", ()),
    ],
)
def test_a_question_knows_what_it_calls_by_its_name(question: str, names: tuple[str, ...]) -> None:
    assert ask(question, "2026-06-01T00:00:00Z").names == names


def test_a_common_word_in_what_a_tool_printed_lets_nothing_through(real_house: House, tmp_path: Path) -> None:
    lines = [said(f"the invoices of week {week} are wrong", id=f"s{week}") for week in range(20)]
    lines += [said("usage: use --force", role="tool", id="t", tool="Bash")]
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        assert memory.recall("why did we not use redis") == []
        assert memory.recall("use --force")[0].native_id == "t"


def test_another_model_has_another_measure_no_floor_and_no_likelihood(quick_house: House, tmp_path: Path) -> None:
    talk = write_jsonl(tmp_path / "t.jsonl", said("customers pay twice"))
    with quick_house() as memory:
        memory.capture(talk, source="jsonl")
        memory.embed()
        [hit] = memory.recall("zebra")
        # Nobody knows how near noise is to that model, so nobody can tell how likely it is.
        assert hit.likely is None


def test_what_a_person_told_us_fits_where_it_holds_half_of_the_words(memory: Memory) -> None:
    told = memory.remember("The staging server is called heron.", category="fact")
    assert [hit.id for hit in memory.recall("what is the staging server called?", within="entries")] == [told.id]


def test_whose_words_a_hit_holds_is_told(memory: Memory) -> None:
    hits = memory.recall("charged batteries checkout key customers", within="turns")
    assert {hit.native_id: hit.origin for hit in hits} == {"0": "assistant", "1": "user", "2": "assistant", "3": "tool"}


def test_the_quote_of_a_long_text_is_the_passage_that_fits(tmp_path: Path) -> None:
    filler = "This sentence is about something else entirely and goes on for a while. " * 40
    text = f"{filler}The invoices go to the harbour office. {filler}"
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said(text)), source="jsonl")
        [hit] = memory.recall("invoices harbour", within="turns")
        assert hit.text == text
        # Whole sentences, about as long as a person reads at a glance.
        assert hit.quote == f"The invoices go to the harbour office. {filler[:215]}"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        # Where a sentence has no end, a quote ends with a word.
        (f"{'word ' * 60}invoices {'word ' * 99}", f"{'word ' * 8}invoices {'word ' * 37}word"),
        # What is little longer than a quote is shown whole.
        (f"{'A few words. ' * 20}The invoices are late.", f"{'A few words. ' * 20}The invoices are late."),
        (f"{'A few words. ' * 40}The invoices are late.", f"{'A few words. ' * 5}The invoices are late."),
        # Nothing but space is no quote.
        (f"{' ' * 900}Something else.{' word' * 99}", f"Something else.{' word' * 36}"),
    ],
)
def test_a_quote_begins_and_ends_with_a_sentence_where_it_can(text: str, quote: str) -> None:
    assert passage(text, ["invoices"]) == quote


def test_sessions_are_found_once_each_with_their_best_turn(memory: Memory) -> None:
    hits = memory.recall("charged", within="sessions")
    assert {(hit.kind, hit.id, hit.session, hit.native_id) for hit in hits} >= {("session", "s2", "s2", "3")}
    assert sorted(str(hit.id) for hit in hits) == ["s1", "s2"]


def test_no_more_than_k_are_given(memory: Memory) -> None:
    whole = memory.recall("charged customers key", within="turns")
    assert len(whole) > 2
    for k in (0, 1, 2, 1000):
        assert memory.recall("charged customers key", within="turns", k=k) == whole[:k]


def test_recall_looks_only_through_what_there_is(memory: Memory) -> None:
    with pytest.raises(WrongUse, match="cannot look through"):
        memory.recall("charged", within="everything")  # type: ignore[arg-type]


# -- entries ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def decided(tmp_path: Path) -> Iterator[Memory]:
    lines = [
        said("let's go with PostgreSQL for the orders database", id="old", session="a", project="p"),
        said("no, let's go with SQLite for the orders database", id="new", session="a", project="p"),
        said("the weather is fine", role="assistant", id="weather", session="a"),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.scribe()
        memory.embed()
        yield memory


def remembered(memory: Memory, question: str, **options: Any) -> list[tuple[str, str | None]]:
    return [(hit.text, hit.status) for hit in memory.recall(question, within="entries", **options)]


def decisions(memory: Memory) -> dict[str, Entry]:
    return {entry.status: entry for entry in memory.entries(category="decision")}


def test_an_entry_comes_with_its_quote_and_the_turn_it_stands_in(decided: Memory) -> None:
    entry = decisions(decided)["active"]
    hits = decided.recall("which orders database do we use", within="entries")
    [hit] = [hit for hit in hits if hit.id == entry.id]
    assert (hit.kind, hit.category, hit.status) == ("entry", "decision", "active")
    assert (hit.text, hit.quote) == (entry.summary, entry.evidence[0].quote)
    assert (hit.session, hit.source, hit.turn, hit.line, hit.native_id) == ("a", "jsonl", 2, 2, "new")
    assert (hit.at, hit.origin, hit.reason.split(";")[0]) == (entry.created_at, "user", "decision")


def test_what_was_superseded_leaves_its_place_to_its_successor(decided: Memory) -> None:
    old = decisions(decided)["superseded"]
    new = decided.entry(old.superseded_by or "")
    found = {hit.id for hit in decided.recall("PostgreSQL orders", within="entries")}
    assert (old.id in found, new.id in found) == (False, True)
    past = {(hit.id, hit.status) for hit in decided.recall("PostgreSQL orders", within="entries", past=True)}
    assert past >= {(old.id, "superseded"), (new.id, "active")}


def test_what_was_archived_is_not_found_unless_the_past_is_asked_for(decided: Memory) -> None:
    entry = decisions(decided)["active"]
    assert (entry.summary, "active") in remembered(decided, "orders database")
    decided.archive(entry.id)
    assert entry.summary not in [text for text, _ in remembered(decided, "orders database")]
    assert (entry.summary, "archived") in remembered(decided, "orders database", past=True)


def test_what_a_person_told_us_is_found_without_a_turn(memory: Memory) -> None:
    entry = memory.remember("the safe opens with two keys", category="fact", project="vault")
    [hit] = memory.recall("who opens the safe", within="entries")
    assert (hit.id, hit.turn, hit.quote, hit.native_id) == (entry.id, None, "the safe opens with two keys", None)
    assert remembered(memory, "who opens the safe", project="vault") == [("the safe opens with two keys", "active")]
    assert remembered(memory, "who opens the safe", project="elsewhere") == []


def test_entries_and_turns_come_together_and_nothing_is_told_twice(decided: Memory) -> None:
    hits = decided.recall("orders database weather")
    assert {hit.kind for hit in hits} == {"entry", "turn"}
    told = [hit.turn for hit in hits if hit.turn is not None]
    assert sorted(told) == sorted(set(told))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_an_entry_leaves_its_place_to_a_turn_that_says_more_to_the_question(tmp_path: Path) -> None:
    lines = [
        said("Nobody reads text messages at night. From now on the alarm rings a phone, no text message.", id="1"),
        said("Switched: the alarm is a phone call now.", role="assistant", id="2"),
        said("Never restart the controller while a kiln is hot.", id="3"),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        assert {entry.evidence[0].turn for entry in memory.entries()} == {1, 3}
        found = [
            [(hit.kind, hit.turn) for hit in memory.recall("text messages at night", within=within)]
            for within in ("all", "entries")
        ]
        assert found == [[("turn", 1), ("entry", 3), ("turn", 2)], [("entry", 1), ("entry", 3)]]


def test_what_an_agent_found_out_stands_in_its_own_words(tmp_path: Path) -> None:
    found = "The root cause is a stale lock file: npm keeps the old version. The nightly export is not touched by it."
    lines = [said("why does the build fail?", id="1"), said(found, role="assistant", id="2")]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        assert {entry.origin for entry in memory.entries()} == {"assistant"}
        first = memory.recall("is it a stale lock file?")[0]
        assert (first.kind, first.turn, first.quote) == ("turn", 2, found)


def test_an_entry_that_is_seen_farther_than_its_session_does_not_show_it(tmp_path: Path) -> None:
    text = "Nobody reads text messages at night. From now on the alarm rings a phone, no text message."
    of = {"session": "a", "project": "/work/alpha", "agent": "anna"}
    lines = [said(text, id="1", **of), said("Switched: the alarm is a call.", role="assistant", id="2", **of)]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        [entry] = memory.entries()
        asked = {"project": "/work/alpha", "agent": "bob"}
        assert memory.recall("text messages at night", within="turns", **asked) == []
        [hit] = memory.recall("text messages at night", **asked)
        rule = "From now on the alarm rings a phone, no text message."
        assert (hit.id, hit.text, hit.quote, hit.context) == (entry.id, rule, rule, ())
        assert memory.recall("text messages at night", project="/work/alpha", agent="anna")[0].kind == "turn"


def test_of_an_entry_from_a_long_turn_the_words_are_shown_that_it_quotes(tmp_path: Path) -> None:
    filler = "This sentence is about something else and goes on for a while. " * 30
    rule = "From now on the alarm rings a phone, no text message at night."
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said(f"{filler}{rule} {filler}", id="1")), source="jsonl")
        [hit] = memory.recall("text message at night")
        assert (hit.kind, hit.text, hit.quote) == ("entry", rule, rule)


def test_whether_somebody_works_in_a_folder_is_known_of_a_turn(tmp_path: Path) -> None:
    lines = [said("a", id="1", session="work", project="/work/alpha"), said("b", id="2", session="talk")]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        traits = memory.home.store.searched.traits([1, 2], Scope())
        assert {id_: bool(of.works) for id_, of in traits.items()} == {1: True, 2: False}


@pytest.mark.parametrize("at", ["2026-03-01", "2026-03-01T00:00:00"])
def test_a_time_may_be_written_in_any_usual_way(tmp_path: Path, at: str) -> None:
    lines = [said(f"apple {day}", id=day, at=f"{day}T23:30:00Z") for day in ("2026-02-27", "2026-02-28", "2026-03-01")]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        assert {hit.native_id for hit in memory.recall("apple", at=at, now=at)} == {"2026-02-27", "2026-02-28"}


def test_what_was_said_seconds_before_a_time_was_said_before_it(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        line = said("apple", id="1", at="2026-03-01T10:00:05Z")
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line), source="jsonl")
        memory.embed()
        assert [hit.native_id for hit in memory.recall("apple", at="2026-03-01T10:00:40.000Z")] == ["1"]


def test_as_of_a_time_a_decision_stands_that_was_superseded_later(tmp_path: Path) -> None:
    lines = [
        said("let's go with PostgreSQL for the orders database", project="p", at="2026-01-01T10:00:00Z"),
        said(
            "no, let's go with SQLite for the orders database instead of PostgreSQL",
            project="p",
            at="2026-03-01T10:00:00Z",
        ),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.scribe()
        hits = memory.recall("orders database", within="entries", at="2026-02-01T00:00:00.000Z")
        assert "decision" in {hit.category for hit in hits}


# -- folding and budgets ---------------------------------------------------------------------------------------------


def test_what_says_nearly_the_same_is_folded_and_counted(tmp_path: Path) -> None:
    text = "please restart the payment worker before you deploy the new release to production tonight"
    lines = [said(text, session="abb"[number % 3], id=str(number)) for number in range(6)]
    with house(tmp_path) as memory:
        other = said("the payment worker is written in Go", session="x", id="other")
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines, other), source="jsonl")
        hits = memory.recall("restart the payment worker", within="turns")
        assert [hit.native_id for hit in hits if not hit.text.startswith("please")] == ["other"]
        assert sorted(hit.session for hit in hits) == ["a", "b", "x"]
        assert sum(hit.folded for hit in hits) == 4
        assert len(memory.recall("restart the payment worker", within="sessions")) == 3


def hit_of(number: int, text: str, quote: str, reason: str, around: list[str], ages: list[str]) -> Hit:
    context = tuple(Neighbour(place, "user", words) for place, words in enumerate(around))
    earlier, later = (Neighbour(99, "user", words) if words else None for words in ages)
    return Hit(
        id=number, kind="turn", score=1.0 / (number + 1), reason=reason, session="s", source="jsonl", turn=number,
        line=1, native_id=None, text=text, quote=quote, at=None, origin="user", context=context,
        earlier=earlier, later=later,
    )  # fmt: skip


HITS = st.lists(
    st.builds(
        hit_of,
        st.integers(0, 99),
        st.text(max_size=400),
        st.text(max_size=120),
        st.text(max_size=40),
        st.lists(st.text(max_size=60), max_size=2),
        st.lists(st.text(max_size=60), min_size=2, max_size=2),
    ),
    max_size=6,
)


def pieces_of(hit: Hit) -> int:
    beside = [one.text for one in (*hit.context, hit.earlier, hit.later) if one]
    return sum(map(count, (hit.text, hit.quote, hit.reason, *beside)))


@given(HITS, st.integers(-5, 600))
def test_a_budget_is_never_exceeded(hits: list[Hit], budget: int) -> None:
    kept = fit(hits, budget)
    assert sum(map(cost, kept)) <= max(0, budget)
    assert sum(map(pieces_of, kept)) <= max(0, budget)
    assert [hit.id for hit in kept] == [hit.id for hit in hits][: len(kept)]
    if sum(map(pieces_of, hits)) <= budget:
        assert kept == hits


@given(HITS, st.integers(0, 8))
def test_folding_loses_no_hit_without_counting_it(hits: list[Hit], most: int) -> None:
    kept = fold(hits, most)
    assert len(kept) <= most
    if len(kept) < most:
        assert sum(1 + hit.folded for hit in kept) == len(hits)


@pytest.mark.parametrize("budget", [0, 1, 10, 30, 60, 150, 400, 5000])
def test_an_answer_keeps_within_its_budget(tmp_path: Path, budget: int) -> None:
    lines = [
        said(f"the harbour office number {number} " + f"wants paper {number} and ink " * 30, id=str(number))
        for number in range(12)
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        hits = memory.recall("harbour office paper", budget_tokens=budget)
        assert sum(map(pieces_of, hits)) <= budget
        assert bool(hits) == (budget >= 60)


# -- use -------------------------------------------------------------------------------------------------------------


def test_what_was_recalled_is_written_down_and_what_came_together_is_linked(tmp_path: Path) -> None:
    clock = SteppingClock("2026-03-01T08:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        one = memory.remember("the safe opens with two keys", category="fact").id
        other = memory.remember("the keys of the safe are with Ada", category="fact").id
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("where is the safe?")), source="jsonl")
        memory.recall("safe keys", within="entries", session="asking")
        clock.now = "2026-03-02T08:00:00.000Z"
        memory.recall("keys safe", within="entries")
        memory.recall("where is the safe", within="turns", k=1)
        memory.recall("where is the safe", within="sessions", k=1)
    with apsw.Connection(str(tmp_path / "steno" / "steno.db")) as connection:
        uses = sorted(connection.execute("SELECT at, session, kind, target FROM uses"), key=str)
        links = list(connection.execute("SELECT * FROM links"))
    first, second = "2026-03-01T08:00:00.000Z", "2026-03-02T08:00:00.000Z"
    assert uses == sorted(
        [(first, "asking", "entry", id_) for id_ in (one, other)]
        + [(second, None, "entry", id_) for id_ in (one, other)]
        + [(second, None, "turn", "1"), (second, None, "session", "s1")],
        key=str,
    )
    assert links == [(*sorted((one, other)), "recalled together", 2.0, second)]


def test_what_was_asked_for_often_does_not_stand_above_what_fits_better(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        often, fits = (
            memory.remember(text, category="fact").id
            for text in ("the garage door opens with a code", "the cellar door opens with a key")
        )
        for _ in range(50):
            memory.recall("garage code", within="entries", k=1)
        memory.uses.write()
        assert memory.accesses.of([often])[often].recalled == 50
        assert [hit.id for hit in memory.recall("cellar door", within="entries")] == [fits, often]


def test_uses_are_there_for_another_memory_as_soon_as_they_are_written(tmp_path: Path) -> None:
    with house(tmp_path) as memory, house(tmp_path) as other:
        entry = memory.remember("the safe opens with two keys", category="fact").id
        memory.recall("safe", within="entries", session="half a character \ud800")
        memory.uses.write()
        assert other.accesses.of([entry])[entry].recalled == 1
        memory.uses.write()
        assert other.accesses.of([entry])[entry].recalled == 1


def test_uses_wait_while_another_process_writes(tmp_path: Path) -> None:
    with house(tmp_path, busy_seconds="0") as memory:
        entry = memory.remember("the safe opens with two keys", category="fact").id
        memory.recall("safe", within="entries")
        other = apsw.Connection(str(tmp_path / "steno" / "steno.db"))
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            memory.uses.write()
        other.execute("ROLLBACK")
        other.close()
        memory.uses.write()
        assert memory.accesses.of([entry])[entry].recalled == 1
