"""Time words of a question: what they mean, what is none, and how near a moment is."""

from datetime import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steno.recall.time import When, nearness
from steno.recall.when import when

# A Monday.
NOW = "2026-11-16T09:00:00.000Z"
MIDNIGHT = "T00:00:00.000Z"
LAST_WEEK = When(since="2026-11-09T00:00:00.000Z", until="2026-11-16T00:00:00.000Z", words=("last", "week"), sure=True)

NAMED = [
    ("what did we do on 2023-05-08?", "2023-05-08", "2023-05-09"),
    ("the turn of 2023-05-08T10:30:00Z", "2023-05-08", "2023-05-09"),
    ("decisions in 2026-03", "2026-03-01", "2026-04-01"),
    ("8 May 2023", "2023-05-08", "2023-05-09"),
    ("what did Ada say on May 8, 2023?", "2023-05-08", "2023-05-09"),
    ("Monday, 8 May 2023", "2023-05-08", "2023-05-09"),
    ("the 8th of May", "2026-05-08", "2026-05-09"),
    ("on 8 may about the table", "2026-05-08", "2026-05-09"),
    ("on 24 December", "2025-12-24", "2025-12-25"),
    ("on 29 February", "2024-02-29", "2024-03-01"),
    ("8 May last year", "2025-05-08", "2025-05-09"),
    ("Sept. 3", "2026-09-03", "2026-09-04"),
    ("May 2023", "2023-05-01", "2023-06-01"),
    ("the March 2026 numbers", "2026-03-01", "2026-04-01"),
    ("in March", "2026-03-01", "2026-04-01"),
    ("in may", "2026-05-01", "2026-06-01"),
    ("in November", "2026-11-01", "2026-12-01"),
    ("in December", "2025-12-01", "2026-01-01"),
    ("the July incident", "2026-07-01", "2026-08-01"),
    ("last March", "2026-03-01", "2026-04-01"),
    ("last November", "2025-11-01", "2025-12-01"),
    ("March last year", "2025-03-01", "2025-04-01"),
    ("early March", "2026-03-01", "2026-03-13"),
    ("mid-March", "2026-03-10", "2026-03-23"),
    ("late March 2025", "2025-03-20", "2025-04-01"),
    ("at the end of May", "2026-05-20", "2026-06-01"),
    ("in 2023 James said", "2023-01-01", "2024-01-01"),
    ("in 2023 we said", "2023-01-01", "2024-01-01"),
    ("the trip to Lisbon, 2023", "2023-01-01", "2024-01-01"),
    ("the year 2023", "2023-01-01", "2024-01-01"),
    ("Q2 2026", "2026-04-01", "2026-07-01"),
    ("in Q1", "2026-01-01", "2026-04-01"),
]
STRETCHES = [
    ("between August 11 and August 15 2023", "2023-08-11", "2023-08-16"),
    ("from August 11 2023 to August 15", "2023-08-11", "2023-08-16"),
    ("between 3 and 9 June", "2026-06-03", "2026-06-10"),
    ("from 3 to 9 June", "2026-06-03", "2026-06-10"),
    ("May 3-9, 2024", "2024-05-03", "2024-05-10"),
    ("3 May to 9 June", "2026-05-03", "2026-06-10"),
    ("from March to May", "2026-03-01", "2026-06-01"),
    ("between November and January 2026", "2025-11-01", "2026-02-01"),
    ("between December and February", "2025-12-01", "2026-03-01"),
    ("between 2021 and 2023", "2021-01-01", "2024-01-01"),
    ("from 2023-05-08 to 2023-05-12", "2023-05-08", "2023-05-13"),
    ("from Monday to Wednesday", "2026-11-09", "2026-11-12"),
    ("since March", "2026-03-01", "2026-11-17"),
    ("since yesterday", "2026-11-15", "2026-11-17"),
    ("after 3 May", "2026-05-04", "2026-11-17"),
    ("before June 2026", "1970-01-01", "2026-06-01"),
    ("until 3 May", "1970-01-01", "2026-05-04"),
    ("by the end of March", "1970-01-01", "2026-04-01"),
    ("by 2024", "1970-01-01", "2025-01-01"),
]
RELATIVE = [
    ("today", "2026-11-16", "2026-11-17"),
    ("this morning", "2026-11-16", "2026-11-17"),
    ("yesterday's plan", "2026-11-15", "2026-11-16"),
    ("last night", "2026-11-15", "2026-11-17"),
    ("the day before yesterday", "2026-11-14", "2026-11-15"),
    ("on Monday", "2026-11-16", "2026-11-17"),
    ("last Monday", "2026-11-09", "2026-11-10"),
    ("what did we say Tuesday", "2026-11-10", "2026-11-11"),
    ("on Fri", "2026-11-13", "2026-11-14"),
    ("on Sat?", "2026-11-14", "2026-11-15"),
    ("Tuesday last week", "2026-11-10", "2026-11-11"),
    ("this week", "2026-11-16", "2026-11-23"),
    ("last week", "2026-11-09", "2026-11-16"),
    ("the week before last", "2026-11-02", "2026-11-09"),
    ("over the weekend", "2026-11-14", "2026-11-16"),
    ("last weekend", "2026-11-14", "2026-11-16"),
    ("this month", "2026-11-01", "2026-12-01"),
    ("previous month", "2026-10-01", "2026-11-01"),
    ("last quarter", "2026-07-01", "2026-10-01"),
    ("this year", "2026-01-01", "2027-01-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("3 days ago", "2026-11-12", "2026-11-15"),
    ("a week ago", "2026-11-07", "2026-11-12"),
    ("six weeks ago", "2026-09-24", "2026-10-17"),
    ("two years ago", "2024-05-17", "2025-05-19"),
    ("half a year ago", "2026-04-01", "2026-07-03"),
    ("an hour ago", "2026-11-15", "2026-11-17"),
    ("past 3 days", "2026-11-13", "2026-11-17"),
    ("in the last two weeks", "2026-11-02", "2026-11-17"),
    ("in the last week", "2026-11-09", "2026-11-17"),
]
GERMAN = [
    ("was haben wir gestern gesagt", "2026-11-15", "2026-11-16"),
    ("vorgestern", "2026-11-14", "2026-11-15"),
    ("letzte Woche", "2026-11-09", "2026-11-16"),
    ("letzten Monat", "2026-10-01", "2026-11-01"),
    ("im letzten Jahr", "2025-01-01", "2026-01-01"),
    ("vor drei Wochen", "2026-10-20", "2026-11-02"),
    ("in den letzten drei Tagen", "2026-11-13", "2026-11-17"),
    ("im März", "2026-03-01", "2026-04-01"),
    ("Anfang März", "2026-03-01", "2026-03-13"),
    ("am 8. Mai 2023", "2023-05-08", "2023-05-09"),
    ("am 8.5.2023", "2023-05-08", "2023-05-09"),
    ("vom 3. bis 9. Juni", "2026-06-03", "2026-06-10"),
    ("zwischen dem 3. und dem 9. Juni", "2026-06-03", "2026-06-10"),
    ("seit Mai", "2026-05-01", "2026-11-17"),
    ("vor dem 3. Mai", "1970-01-01", "2026-05-03"),
    ("letzten Montag", "2026-11-09", "2026-11-10"),
    ("am Wochenende", "2026-11-14", "2026-11-16"),
    ("im Jahr 2023", "2023-01-01", "2024-01-01"),
]
VAGUE = [
    ("what changed recently", "2026-10-17", "2026-11-17"),
    ("lately", "2026-10-17", "2026-11-17"),
    ("a while ago", "2025-11-16", "2026-11-10"),
    ("what broke last time", "2026-08-18", "2026-11-17"),
    ("the other day", "2026-11-06", "2026-11-17"),
    ("earlier this year", "2026-01-01", "2026-11-17"),
    ("a few days ago", "2026-11-10", "2026-11-15"),
    ("a couple of months ago", "2026-08-16", "2026-10-18"),
    ("past few weeks", "2026-10-19", "2026-11-17"),
    ("neulich", "2026-11-06", "2026-11-17"),
]
OTHER_DAYS = [
    ("this weekend", "2026-11-15T09:00:00.000Z", "2026-11-14", "2026-11-16"),
    ("last weekend", "2026-11-15T09:00:00.000Z", "2026-11-07", "2026-11-09"),
    ("on 8 May", "2026-05-07T23:59:59.999Z", "2025-05-08", "2025-05-09"),
    ("on 8 May", "2026-05-08T00:00:00.000Z", "2026-05-08", "2026-05-09"),
    ("last quarter", "2026-02-03T09:00:00.000Z", "2025-10-01", "2026-01-01"),
    ("yesterday", "2026-01-01T09:00:00.000Z", "2025-12-31", "2026-01-01"),
    ("yesterday", "2026-11-15T23:30:00-05:00", "2026-11-15", "2026-11-16"),
]
NOT_TIMES = """what does the filter "last week" show|the column `in 2023`|die Spalte „gestern“
may I ask|May I ask|we may decide|it may|this may be wrong|too late may be|option 3 may break
one in 3 may fail|may 5 users join|May 8 people come?|march on|we march in step|the march release|sat down|the sun
on sun microsystems|restart mon 3|is it wed|second attempt|a second ago|fall back|dec 0x1|What did April say|ask June
eine Nachricht von Jan|port 2024|on port 2024|v2024|2024|2024 items|in 2024 items|in 2000 ms|in 2024.1|in 2024-beta
in 20245|a limit of 2000|divided by 2000|ids 1999, 2000, 2001|from 1990 to 2000 tokens|version 1.2.2024|in 1.2.2024
10.0.0.2024|issue #2023|at 10:30|10:30 May|from 9:00 to 10:30|between 5 and 10 items|notes-2023-05-08.md
id 2023-05-08-abc|2023-13-45|99 May|Q3 of the form|monday.com|the last one|in the past|a month|it cost us a weekend"""
TO_COME = "next Monday|every Monday|Mondays|next March|by Friday|in 2030|on 8 December 2026|this weekend"


def stretch(question: str, now: str = NOW) -> tuple[str, str, bool] | None:
    """The days of the stretch, and whether it is sure."""
    found = when(question, now)
    return (found.since.removesuffix(MIDNIGHT), found.until.removesuffix(MIDNIGHT), found.sure) if found else None


@pytest.mark.parametrize(("question", "since", "until"), NAMED + STRETCHES + RELATIVE + GERMAN)
def test_a_question_names_a_stretch_of_time(question: str, since: str, until: str) -> None:
    assert stretch(question) == (since, until, True)


@pytest.mark.parametrize(("question", "since", "until"), VAGUE)
def test_a_vague_word_is_a_stretch_that_is_not_sure(question: str, since: str, until: str) -> None:
    assert stretch(question) == (since, until, False)


@pytest.mark.parametrize(("question", "now", "since", "until"), OTHER_DAYS)
def test_the_same_words_mean_other_days_at_another_time(question: str, now: str, since: str, until: str) -> None:
    assert stretch(question, now) == (since, until, True)


@pytest.mark.parametrize("question", NOT_TIMES.replace("\n", "|").split("|"))
def test_what_only_looks_like_a_time_is_none(question: str) -> None:
    assert when(question, NOW) is None


@pytest.mark.parametrize("question", TO_COME.split("|"))
def test_a_time_that_has_not_begun_is_none(question: str) -> None:
    assert when(question, NOW) is None


def test_the_words_that_said_so_are_named_in_lower_case() -> None:
    assert when("What did we decide LAST  week about tokens?", NOW) == LAST_WEEK
    found = when("what happened Between August 11 and August 15, 2023?", NOW)
    assert found is not None
    assert found.words == ("between", "august", "11", "and", "august", "15", "2023")


def test_a_sure_stretch_wins_over_a_vague_one_and_an_earlier_one_over_a_later_one() -> None:
    assert stretch("recently, I think in March, not in April") == ("2026-03-01", "2026-04-01", True)


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert when("x " * 500_000 + "yesterday", NOW) is None
    assert when("last week " + "in the between 3 and " * 50_000, NOW) == LAST_WEEK


@pytest.mark.parametrize(
    "now", ["", "soon", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z"]
)
def test_a_broken_clock_is_a_value_error(now: str) -> None:
    with pytest.raises(ValueError, match=r"isoformat|month must|is not a time"):
        when("yesterday", now)


ALL = [row[0] for row in [*NAMED, *STRETCHES, *RELATIVE, *GERMAN, *VAGUE]]
WORDS = sorted({word for question in ALL for word in question.split()} | {"and", "9999", "31", "0", "2100", "1990"})
NOWS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 12, 31)).map(lambda day: f"{day.isoformat()}Z")


@given(st.text() | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), NOWS)
@example("auguſt 3 İn mäRz 9999 years ago", NOW)
@example("in May \ud800", NOW)
def test_no_text_breaks_it_and_every_stretch_has_a_length(question: str, now: str) -> None:
    found = when(question, now)
    if found is not None:
        assert found.since < found.until
        assert found.words
        assert 0.0 <= nearness(now, found) <= 1.0


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-11-09T00:00:00.000Z", 1.0),
        ("2026-11-15T23:59:59.999Z", 1.0),
        ("2026-11-30T00:00:00.000Z", 0.5),
        ("2026-11-04T02:24:00.000Z", 0.5),
        (None, 0.0),
        ("not a time", 0.0),
    ],
)
def test_a_moment_is_near_in_lengths_of_the_stretch_and_longer_after_it(at: str | None, expected: float) -> None:
    assert nearness(at, LAST_WEEK) == pytest.approx(expected)


def test_a_day_is_measured_as_three_and_an_open_stretch_as_a_month() -> None:
    day, before_june = when("on 8 May", NOW), when("before June 2026", NOW)
    assert day is not None
    assert before_june is not None
    assert nearness("2026-05-15T00:00:00.000Z", day) == pytest.approx(0.5)
    assert nearness("2026-07-31T00:00:00.000Z", before_june) == pytest.approx(0.5)


@given(st.datetimes(), st.datetimes())
def test_what_is_farther_away_is_never_nearer(one: datetime, other: datetime) -> None:
    earlier, later = (f"{moment.isoformat()}Z" for moment in sorted((one, other)))
    if later < LAST_WEEK.since:
        assert nearness(earlier, LAST_WEEK) <= nearness(later, LAST_WEEK)
    if earlier > LAST_WEEK.until:
        assert nearness(earlier, LAST_WEEK) >= nearness(later, LAST_WEEK)
