"""Clauses and which way they point."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.language.clauses import Clause, clauses, sentence_clauses
from steno.language.polarity import Pointed, Polarity, negated, pointed, polarity, removed


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


def test_clauses_know_whether_their_sentence_asks() -> None:
    assert sentence_clauses("Drop it, please. Or is it used?") == [
        Clause("Drop it", False),
        Clause("please", False),
        Clause("Or is it used", True),
    ]
    assert sentence_clauses("要不要缓存？") == [Clause("要不要缓存", True)]


@pytest.mark.parametrize(
    ("clause", "does"),
    [
        ("use the pool", "wants"),
        ("I'd rather have one file", "wants"),
        ("lieber eine Liste", "wants"),
        ("no mocks please", "refuses"),
        ("don't push", "refuses"),
        ("ok, please never squash", "refuses"),
        ("keine Mocks", "refuses"),
        ("不要缓存", "refuses"),
        ("remove the flag", "undoes"),
        ("can you get rid of the flag", "undoes"),
        ("lösch die Datei", "undoes"),
        ("don't delete the logs", "keeps"),
        ("keep the name", "keeps"),
        ("leave the second test as it is", "keeps"),
        ("hands off vendor/", "spares"),
        ("don't touch the lock file", "spares"),
        ("leave the parser alone", "spares"),
        ("until Monday", "limits"),
        ("without tests", "limits"),
        ("because it is slow", "explains"),
        ("it's too big", "explains"),
        ("I don't see it", "tells"),
        ("don't worry", "tells"),
        ("red again", "tells"),
        ("", "tells"),
    ],
)
def test_a_clause_points_one_way(clause: str, does: Polarity) -> None:
    assert polarity(clause) == does


def test_the_first_clause_explains_nothing() -> None:
    assert polarity("it's too big") == "explains"
    assert polarity("it's too big", first=True) == "tells"
    assert polarity("it's a thing I hate", first=True) == "refuses"


def test_what_is_taken_away_is_told_without_its_verb() -> None:
    assert (removed("remove the flag") or "").split() == ["the", "flag"]
    assert removed("add the flag") is None
    assert negated("we won't ship it")
    assert not negated("we ship it")


@pytest.mark.parametrize(
    ("clause", "does", "undoes"),
    [
        ("replace redis with sqlite", {"sqlite"}, {"redi"}),
        ("move away from yarn to cargo", {"cargo"}, {"yarn"}),
        ("docker volume prune", set(), {"contain", "volum", "prune"}),
        ("no kafka", set(), {"kafka"}),
        ("add kafka", {"introduc", "kafka"}, set()),
    ],
)
def test_words_behind_a_removal_point_the_other_way(clause: str, does: set[str], undoes: set[str]) -> None:
    assert pointed([clause]) == Pointed(frozenset(does), frozenset(undoes))


def test_a_no_undoes_only_where_it_is_asked_for() -> None:
    assert pointed(["no kafka"], by_no=False) == Pointed(frozenset({"kafka"}), frozenset())


@given(st.text())
def test_whatever_is_said_it_has_clauses_and_a_polarity(text: str) -> None:
    for clause in clauses(text):
        assert clause in text
        assert polarity(clause)


@pytest.mark.parametrize(
    "unit", ["take-", "well ", "leave x ", "no ", "don't ", "a", "(", "and ", "rip x ", "i still ", "remove ", "no-"]
)
def test_an_endless_clause_takes_bounded_time(unit: str) -> None:
    line = unit * (50_000 // len(unit))
    # What is quadratic in it does not come back.
    clauses(line)
    polarity(line)
    removed(line)
    negated(line)
    pointed([line])
