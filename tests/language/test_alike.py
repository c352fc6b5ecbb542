"""Whether two texts say the same, or cannot both hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.language.alike import nearly_same, opposed, repeats, same

SAME = [
    ("Never push to main!", "never push to main"),
    ("ok, please **never** push to `main`", "never push to main"),
    ("don’t push", "dont push"),
    ("btw use C++", "use C++"),
    ("No!", "no"),
    ("bitte immer squashen", "Immer squashen."),
]
NOT_SAME = [
    ("never push to main", "never push to main without review"),
    ("never push to main", "never push to main on Fridays"),
    ("always run make lint before you commit", "always run make lint before committing"),
    ("use C++", "use C#"),
    ("never run rm -f here", "never run rm -r here"),
    ("keep it > 5", "keep it < 5"),
    ("use tabs, not spaces", "use spaces, not tabs"),
    ("pin python 3.11", "pin python 3.12"),
    ("👍", "👎"),
]
REPEATED = [
    ("never push to main", "Hi. Never push to main, ok? Use tabs."),
    ("Use tabs. Never push to main.", "Never push to main.\nUse tabs.\nThanks"),
]
NOT_REPEATED = [
    ("never push to main", "never push to main without review"),
    ("never push to main, and sign commits", "never push to main"),
    ("push to main", "never push to main"),
]
NEARLY = [
    (
        "read the configuration file carefully whenever you edit deployment scripts",
        "read the configuration file whenever you edit the deployment scripts",
    ),
    (
        "always run the linter before any commit since it is slow later",
        "always run the linter before any commit, it costs",
    ),
]
NOT_NEARLY = [
    ("retry at most 2 times when the broker is slow", "retry at most 5 times when the broker is slow"),
    ("the cache must be cleared by Anna every single night", "the cache must be cleared by Ben every single night"),
    ("start the broker after the migration of tables", "stop the broker after the migration of tables"),
    ("the migration of the tables needs the broker", "the migration of the tables never needs the broker"),
    ("use pnpm for the web package", "use pnpm for the api package"),
    ("🎉", "🔥"),
]
OPPOSED = [
    ("always squash commits", "never squash commits"),
    ("Always squash the commits.", "From now on, please don't squash commits"),
    ("squash commits. Sign them.", "No, never squash the commits"),
    ("no emojis in commit messages", "use emojis in commit messages"),
    ("don't forget to squash commits", "don't squash commits"),
    ("immer Commits squashen", "niemals Commits squashen"),
    ("the line length is 100", "line length is 120"),
    ("use 2 spaces for indentation", "use 4 spaces for indentation"),
    ("use Node 18", "use Node 20"),
    ("never retry more than 2 times", "never retry more than five times"),
]
TOGETHER = [
    ("always squash commits", "Always squash commits!"),
    ("never push to main", "always push to main without review"),
    ("never push to main", "always push to staging"),
    ("keep the logs", "don't use the logs"),
    ("use tabs, not spaces", "use spaces, not tabs"),
    ("push if the tests fail", "push if the tests don't fail"),
    ("never copy from prod to staging", "always copy from staging to prod"),
    ("Keep table 7 as it is", "Keep table 8 as it is"),
    ("never touch rows written since 2019", "never touch rows written since 2020"),
    ("use 2 spaces and 80 columns", "use 4 spaces and 100 columns"),
    ("never turn on the cache", "always turn off the cache"),
    ("no", "yes"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_case_punctuation_markup_and_politeness_change_nothing(one: str, other: str) -> None:
    assert (same(one, other), same(other, one)) == (True, True)


@pytest.mark.parametrize(("one", "other"), NOT_SAME)
def test_every_other_word_counts(one: str, other: str) -> None:
    assert (same(one, other), same(other, one)) == (False, False)


@pytest.mark.parametrize(("new", "older"), [*SAME, *REPEATED])
def test_whole_sentences_of_an_older_text_repeat_it(new: str, older: str) -> None:
    assert repeats(new, older)


@pytest.mark.parametrize(("new", "older"), NOT_REPEATED)
def test_a_sentence_without_its_condition_repeats_nothing(new: str, older: str) -> None:
    assert not repeats(new, older)


@pytest.mark.parametrize(("one", "other"), [*NEARLY, SAME[0]])
def test_lessons_that_come_to_the_same_are_told_by_their_beginning_or_their_words(one: str, other: str) -> None:
    assert (nearly_same(one, other), nearly_same(other, one)) == (True, True)


@pytest.mark.parametrize(("one", "other"), NOT_NEARLY)
def test_a_number_a_name_or_a_no_makes_another_lesson(one: str, other: str) -> None:
    assert (nearly_same(one, other), nearly_same(other, one)) == (False, False)


@pytest.mark.parametrize(("one", "other"), OPPOSED)
def test_an_order_and_its_prohibition_or_another_number_cannot_both_hold(one: str, other: str) -> None:
    assert (opposed(one, other), opposed(other, one)) == (True, True)


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_what_is_not_plainly_opposed_goes_together(one: str, other: str) -> None:
    assert (opposed(one, other), opposed(other, one)) == (False, False)


WORDS = st.lists(st.sampled_from("never always don't no use tabs 2 4 at the , . `x` 日本 two".split()), max_size=12)


@given(WORDS, WORDS)
def test_any_two_texts_are_compared_both_ways_alike(one: list[str], other: list[str]) -> None:
    this, that = " ".join(one), " ".join(other)
    for relation in (same, nearly_same, opposed):
        assert relation(this, that) == relation(that, this)
    assert same(this, this)


def test_a_very_long_text_takes_no_time() -> None:
    assert not same("," * 1_000_000 + " because", " " * 1_000_000 + "never")
    assert opposed("never " + "word " * 20_000, "always " + "words," * 20_000)
