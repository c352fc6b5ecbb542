"""Recall by words: the right turn first, and no question can break it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.memory import Memory
from steno.recall.lexical import expression, passage
from steno.testing import house, said, write_jsonl
from steno.vocabulary import Hit


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    lines = [
        said("customers are charged twice when they press back", id="1", at="2026-02-01T10:00:00Z", project="shop"),
        said("I'll add an idempotency key to the checkout", role="assistant", id="2", project="shop"),
        said("charged the batteries", role="tool", id="3", session="s2", project="robots", agent="ada"),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines))
        yield memory


def test_a_hit_says_who_said_it_where_and_when(memory: Memory) -> None:
    [best, *_] = memory.recall("why are customers charged twice?")
    assert best == Hit(
        id=1,
        kind="turn",
        score=best.score,
        reason="words: customers, charged, twice",
        session="s1",
        source="jsonl",
        turn=1,
        line=1,
        native_id="1",
        text="customers are charged twice when they press back",
        quote="customers are charged twice when they press back",
        at="2026-02-01T10:00:00.000Z",
        origin="user",
    )
    assert best.score > 0


def test_other_forms_of_a_word_are_found(memory: Memory) -> None:
    assert [hit.native_id for hit in memory.recall("customer charging")] == ["1", "3"]


def test_the_scope_is_part_of_the_question(memory: Memory) -> None:
    assert [hit.native_id for hit in memory.recall("charged", project="robots")] == ["3"]
    assert [hit.native_id for hit in memory.recall("charged", agent="ada")] == ["3"]
    assert memory.recall("charged", project="elsewhere") == []


def test_no_more_than_k_are_returned(memory: Memory) -> None:
    assert len(memory.recall("charged", k=1)) == 1


def test_common_words_alone_still_find_something(memory: Memory) -> None:
    assert [hit.native_id for hit in memory.recall("to the")] == ["2", "3"]


@pytest.mark.parametrize("question", ["", "   ", "?!", '"', "*", "AND", "text:", "(", "NEAR(", "charged*", 'a"b', "\0"])
def test_no_question_is_syntax(memory: Memory, question: str) -> None:
    assert isinstance(memory.recall(question), list)


@given(st.text())
def test_an_expression_is_only_quoted_words(question: str) -> None:
    for part in expression(question).split(" OR ") if expression(question) else []:
        assert part.startswith('"')
        assert part.endswith('"')
        assert '"' not in part[1:-1]


@given(st.text(min_size=1), st.lists(st.text(min_size=1), max_size=3))
def test_a_quote_is_verbatim(text: str, words: list[str]) -> None:
    assert passage(text, words) in text
