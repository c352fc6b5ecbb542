"""Whether two sentences say the same, the opposite, or something a person must look at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.language.claims import claim, keys, relation

SAME = [
    ("always run make lint before you commit", "Always run make lint before committing!"),
    ("commit and continue", "commit and continue."),
    ("never push to main", "Please never push to main"),
    ("use tabs, not spaces", "tabs, not spaces"),
]
OPPOSED = [
    ("always squash", "never squash"),
    ("always squash commits", "don't squash commits"),
    ("use tabs, not spaces", "use spaces, not tabs"),
    ("use tabs instead of spaces", "use spaces instead of tabs"),
    ("prefer composition over inheritance", "prefer inheritance over composition"),
    ("never push to main", "push to main"),
    ("never delete the logs", "delete the logs"),
    ("keep the logs", "delete the logs"),
    ("no emojis in commit messages", "use emojis in commit messages"),
    ("always ask before pushing", "never ask before pushing"),
    ("let's use sqlite for the job queue", "let's use postgres for the job queue"),
    ("Let's go with Postgres for the customer orders.", "Let's go with SQLite for the customer orders."),
    ("use redis for the session cache", "use memcached for the session cache"),
    ("Releases go out on Thursdays", "Releases go out on Fridays"),
    ("the staging server is at 10.0.0.5", "the staging server is at 10.0.0.9"),
    ("line length is 100", "line length is 120"),
    ("please answer in German", "please answer in English"),
    ("we use 2 spaces for indentation", "we use 4 spaces for indentation"),
]
DOUBTFUL = [
    ("squash commits before merging", "don't squash commits"),
    ("use pytest for the api tests", "use factories for the api tests"),
    ("never use mocks", "use mocks for the payment gateway"),
    ("don't commit", "commit and push"),
]
APART = [
    ("Keep table 7 as it is", "Keep table 8 as it is"),
    ("never push to main", "never push to main without review"),
    ("never push to main", "always push to staging"),
    ("the order service is slow", "the order service is written in Go"),
    ("deploy before review", "review before deploy"),
    ("move the orders to the archive", "move the archive to the orders"),
    ("commit stage 2 with that message", "then we move to stage 3"),
    ("POST /api/mnemonic is unchanged", "POST /api/demo is unchanged"),
    ("always write a test first", "never use mocks"),
    ("yes", "no"),
    ("", ""),
]
CASES = [
    (one, other, found)
    for found, pairs in {"same": SAME, "opposed": OPPOSED, "doubtful": DOUBTFUL, "apart": APART}.items()
    for one, other in pairs
]


@pytest.mark.parametrize(("one", "other", "found"), CASES)
def test_two_sentences_go_together_or_not_whichever_came_first(one: str, other: str, found: str) -> None:
    assert (relation(claim(one), claim(other)), relation(claim(other), claim(one))) == (found, found)


@pytest.mark.parametrize(("one", "other"), [(one, other) for one, other, found in CASES if found != "apart"])
def test_what_has_to_do_with_each_other_is_found_by_a_number(one: str, other: str) -> None:
    assert {*keys(claim(one), widely=True)} & {*keys(claim(other), widely=True)}


def test_what_a_person_refused_is_refused_whatever_it_says() -> None:
    offered = claim("I'll use Redis for the sessions", refusing=True)
    assert (offered.wants, offered.refuses) == (frozenset(), claim("I'll use Redis for the sessions").wants)


WORDS = st.sampled_from(
    "never always don't use tabs spaces not push main 2 4 Friday over before the a , . `x` 日本".split()
)


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=12))
def test_any_two_texts_are_compared_both_ways_alike(one: list[str], other: list[str]) -> None:
    this, that = claim(" ".join(one)), claim(" ".join(other))
    assert relation(this, that) == relation(that, this)
    assert relation(this, this) in ("same", "apart")


def test_a_sentence_of_many_words_is_read_in_part() -> None:
    assert relation(claim("never " + "word " * 5_000), claim("always " + "word " * 5_000)) == "opposed"
