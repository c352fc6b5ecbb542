"""Clauses: parts of a text that say one thing each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.scribe.work.clauses import clauses
from steno.scribe.work.deeds import deeds, without_dropped


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("use tabs, not spaces", ["use tabs", "not spaces"]),
        ("no queue because it is slow", ["no queue", "because it is slow"]),
        ("run it and push the branch", ["run it", "and push the branch"]),
        ("salt and pepper", ["salt and pepper"]),
        ("look at src/app.py: it is long", ["look at src/app.py", "it is long"]),
        ("at 02:00 it runs", ["at 02:00 it runs"]),
        ("keine Liste sondern eine Karte", ["keine Liste", "sondern eine Karte"]),
        ("pas de cache mais une table", ["pas de cache", "mais une table"]),
        ("不要缓存，用表", ["不要缓存", "用表"]),
        ("", []),
    ],
)
def test_a_clause_ends_where_the_thought_turns(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts


@given(st.text())
def test_whatever_is_said_its_clauses_stand_in_it(text: str) -> None:
    assert [clause for clause in clauses(text) if clause not in text] == []


@pytest.mark.parametrize(
    "unit", ["take-", "well ", "leave x ", "no ", "don't ", "a", "(", "and ", "rip x ", "i still ", "remove ", "no-"]
)
def test_an_endless_clause_takes_bounded_time(unit: str) -> None:
    line = unit * (50_000 // len(unit))
    # What is quadratic in it does not come back.
    clauses(line)
    deeds(line)
    without_dropped(line)
