"""Which two rules are one: they find each other by their words, and nothing a person said is given up."""

from typing import Any

import pytest

from steno.rules.merge import are_twins, keys
from steno.vocabulary import Rule

AT = "2026-01-01T00:00:00.000Z"
LONG = "the broker drops every call that lacks the vhost header"


def rule(words: str, **fields: Any) -> Rule:
    values: dict[str, Any] = {
        "id": words, "rule": words, "domain": "GENERAL", "agent": None, "project": None, "source": "rule",
        "origin": "user", "score": 9.0, "status": "critical", "violations": 0, "reinforcements": 0, "born_at": AT,
        "reinforced_at": AT, "checked_at": AT,
    }  # fmt: skip
    return Rule(**values | fields)


LESSON = {"source": "learning", "origin": "assistant"}


@pytest.mark.parametrize(
    ("one", "other", "twins"),
    [
        (rule("never push to main"), rule("Please never push to main!"), True),
        (rule("never push to main"), rule("never push to main on Fridays"), False),
        (rule("never push to main"), rule("Never push to main.", source="rejected"), False),
        (rule("no push", source="rejected"), rule("No push!", source="rejected"), True),
        (rule(LONG, **LESSON), rule(f"careful: {LONG}", **LESSON), True),
        (rule(LONG), rule(f"careful: {LONG}", **LESSON), False),
        (rule(LONG), rule(f"{LONG}.", **LESSON), True),
    ],
)
def test_twins_are_the_same_words_or_two_lessons_that_come_to_the_same(one: Rule, other: Rule, twins: bool) -> None:
    assert (are_twins(one, other), are_twins(other, one)) == (twins, twins)
    assert (not set(keys(one)).isdisjoint(keys(other))) >= twins
