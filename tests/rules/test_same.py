"""Two rules that say the same, and two that only look like it."""

import pytest

from steno.rules.same import same

SAME = [
    ("always run make lint before you commit", "Before you commit, always run make lint."),
    ("Always run make lint before every commit.", "run make lint before you commit"),
    ("Never deploy on Fridays because support is away", "never deploy on Fridays, since nobody can help"),
    ("Please keep the functions short", "Always keep functions short."),
    ("Write docs in plain English", "write docs in plain english"),
    ("verify the file, not the report", "Always verify the file, not the report."),
    ("run the tests after you change the parser", "Run the tests after changing the parser"),
    ("refused: no, never use MongoDB here", "refused: No, never use MongoDB here."),
    ("run the smoke suite against the staging database", "run the smoke suite against the staging db"),
    ("No!", "no"),
]
MORE = [
    (
        "read the configuration file carefully whenever you edit deployment scripts",
        "read the configuration file whenever you edit the deployment scripts",
    )
]
ONE_OTHER = [
    ("check the migration on staging before production", "verify the migration on staging before production"),
]
DIFFERENT = [
    ("start the broker after the migration of tables", "stop the broker after the migration of tables"),
    ("pin the numpy version in the release image", "pin the pandas version in the release image"),
    ("always push to main", "never push to main"),
    ("use tabs, not spaces", "use spaces, not tabs"),
    ("deploy before review", "review before deploy"),
    ("copy data from prod to staging", "copy data from staging to prod"),
    ("keep lines under 80", "keep lines under 120"),
    ("retry at most 2 times", "retry at most 5 times"),
    ("never push to main", "never push to staging"),
    ("use pnpm for the web package", "use pnpm for the api package"),
    ("don't touch auth.py", "don't touch billing.py"),
    ("do not use `requests` in the client", "do not use `httpx` in the client"),
    ("the cache must be cleared by Anna", "the cache must be cleared by Ben"),
    (
        "ask Anna before you change the customer contract text",
        "ask Anna and Ben before you change the customer contract text",
    ),
    ("never run rm -f here", "never run rm -r here"),
    ("always run it with --dry-run first", "always run it with --force first"),
    ("never push to main", "never push to main without review"),
    ("never push to main", "never push to main on Fridays"),
    ("only deploy on Mondays", "deploy on Mondays"),
    ("always reply in German", "always reply in English"),
    ("keep the old API", "drop the old API"),
    ("no", "yes"),
    ("Never deploy on Fridays because of support. Run lint.", "Never deploy on Fridays because of support. Run tests."),
    ("never touch rows written since 2019", "never touch rows written since 2020"),
    ("refused: Shall I drop the table? (“no”)", "refused: Shall I rename the branch? (“no”)"),
    ("refused: push to main", "push to main"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_the_same(one: str, other: str) -> None:
    assert same(one, other, word_by_word=True)
    assert same(other, one, word_by_word=True)


@pytest.mark.parametrize(("one", "other"), [*MORE, *ONE_OTHER])
def test_a_word_more_is_the_same_for_a_lesson_and_not_for_what_must_not_be_lost(one: str, other: str) -> None:
    assert (same(one, other), same(other, one)) == (True, True)
    assert (same(one, other, word_by_word=True), same(other, one, word_by_word=True)) == (False, False)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_a_no_a_number_a_name_or_the_order_makes_it_another(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same(other, one)
    assert same(one, one)


def test_a_megabyte_of_nothing_takes_no_time() -> None:
    assert not same("," * 1_000_000 + " because", " " * 1_000_000 + "never")
