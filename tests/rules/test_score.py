"""Bands and decay: half a point a day, after a while, however often it is looked at."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from steno.clock import as_text
from steno.rules.score import aged, moved, reinforced, status_of, violated
from steno.vocabulary import Origin, Rule

BORN = "2026-03-01T00:00:00.000Z"


def rule(score: float, origin: Origin = "user", since: str = BORN) -> Rule:
    return Rule(
        id="r", rule="Tests first.", domain="GENERAL", agent=None, project=None, source="rule", origin=origin,
        score=score, status=status_of(score), violations=0, reinforcements=0, born_at=since, reinforced_at=since,
        checked_at=since,
    )  # fmt: skip


def after(days: float) -> str:
    return as_text(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=days))


moments = st.floats(0, 120).map(after)
scores = st.sampled_from([half / 2 for half in range(1, 21)])


@given(scores, moments, moments, moments)
def test_looking_in_between_changes_nothing(score: float, since: str, one: str, other: str) -> None:
    first, second = sorted((one, other))
    then = rule(score, since=since)
    assert aged(aged(then, first), second) == aged(then, second)
    assert aged(aged(then, second), second) == aged(then, second)


@given(scores, moments, moments, moments)
def test_a_rule_only_loses_by_waiting_and_a_critical_one_never_does(
    score: float, since: str, one: str, other: str
) -> None:
    first, second = sorted((one, other))
    then = rule(score, since=since)
    assert aged(then, second).score <= aged(then, first).score <= score
    if score >= 9:
        assert aged(then, second).score == score


@pytest.mark.parametrize(
    ("score", "days", "left", "last_loss"),
    [
        (9, 1000, 9, 0), (8.5, 29, 8.5, 0), (8.5, 30, 8, 30), (8.5, 32, 7, 32), (8.5, 33, 6.5, 33), (7, 29, 7, 0),
        (7, 30, 6.5, 30), (7, 33, 5, 33), (6.5, 6, 6.5, 0), (6.5, 7, 6, 7), (5, 6, 5, 0), (5, 7, 4.5, 7),
        (5, 10, 3, 10), (5, 11, 2.5, 11), (5, 14, 1, 14), (5, 15, 0.5, 15), (5, 400, 0.5, 15), (3, 6, 3, 0),
        (3, 7, 2.5, 7), (1, 7, 0.5, 7),
    ],
)  # fmt: skip
def test_what_nobody_stands_up_for_loses_half_a_point_a_day(
    score: float, days: int, left: float, last_loss: int
) -> None:
    assert aged(rule(score), after(days)) == structs.replace(
        rule(score), score=left, status=status_of(left), checked_at=after(last_loss)
    )


def test_patience_is_whole_days_also_when_it_begins_in_the_afternoon() -> None:
    lesson = rule(5, since=after(0.6))
    assert [aged(lesson, after(days)).score for days in (7, 7.9, 8)] == [5, 5, 4.5]


@pytest.mark.parametrize(
    ("score", "status"),
    [(10, "critical"), (9, "critical"), (8.5, "active"), (5, "active"), (4.5, "dormant"), (3, "dormant"),
     (2.5, "retired"), (0.5, "retired")],
)  # fmt: skip
def test_the_score_says_the_status(score: float, status: str) -> None:
    assert status_of(score) == status


def test_standing_up_for_a_rule_gives_half_a_point_and_begins_the_count_anew() -> None:
    at = after(5.5)
    assert reinforced(rule(5), at) == structs.replace(
        rule(5.5), born_at=BORN, reinforced_at=at, checked_at=at, reinforcements=1
    )


def test_a_broken_rule_is_needed_and_gains() -> None:
    at = after(5.5)
    assert violated(rule(5), at) == structs.replace(rule(5.5), reinforced_at=at, checked_at=at, violations=1)


@given(scores, st.sampled_from(["assistant", "user", "edit"]), st.integers(1, 30))
def test_only_a_persons_words_become_critical(score: float, origin: Origin, times: int) -> None:
    found = rule(min(score, 8.5), origin)
    for _ in range(times):
        found = reinforced(found, after(1))
    most = 8.5 if origin == "assistant" else 10
    assert found.score <= most
    assert moved(found, 10, after(1)).score == most


def test_a_retired_rule_that_is_needed_again_comes_back_as_a_lesson() -> None:
    retired = aged(rule(5), after(12))
    assert (retired.score, retired.status) == (2, "retired")
    assert (reinforced(retired, after(12)).score, violated(retired, after(12)).score) == (5, 5)
