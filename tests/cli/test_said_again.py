"""Said again, said often: only what a person says counts, and what they say often they may mean as a rule."""

import json

import pytest

from ..staged import staged


@pytest.fixture
def days(steno, home):
    """The same dialogue on so many days; entries by their words, with how often they were said again."""

    def hear(*lines, times, project="shop"):
        for day in range(1, times + 1):
            steno("capture", staged(home, project, *lines, day=day))
        found = [json.loads(line) for line in steno("entries", "--json").stdout.splitlines()]
        return [(one["category"], one["evidence"][0]["quote"], repeats(steno, one["id"])) for one in found]

    return hear


def repeats(steno, id_):
    return json.loads(steno("entries", "show", id_, "--json").stdout)["repeated"]


def waiting(steno):
    return [json.loads(line)["entry"]["summary"] for line in steno("review", "--json").stdout.splitlines()]


CHANGELOG = ("update the changelog", "! Edit CHANGELOG.md", "> Updated the changelog.")


def test_an_agent_does_not_say_a_persons_words_again(steno, days):
    assert days(*CHANGELOG[:1], "> Ok.", "> Updated the changelog.", times=1) == [("task", "update the changelog", 0)]
    assert waiting(steno) == []


def test_what_is_asked_for_a_third_time_is_proposed_as_a_rule(steno, days):
    asked = ("shorter answers please", "> Ok.")
    assert days(*asked, times=2) == [("rule", "shorter answers please", 1)]
    assert waiting(steno) == []
    assert days(*asked, times=3) == [("rule", "shorter answers please", 2)]
    assert waiting(steno) == ["The user seems to instruct: “shorter answers please”"]
    assert "said" in [line.split()[0] for line in steno("review").stdout.splitlines() if line.endswith(" 3 times")]


def test_who_says_that_they_said_it_says_it_again(steno, home, days):
    rule = "never commit without running the tests"
    assert days(rule, "> Ok.", times=1) == [("rule", rule, 0)]
    steno("capture", staged(home, "shop", f"I told you: {rule}", "> Sorry.", day=2))
    found = [json.loads(line) for line in steno("entries", "--json").stdout.splitlines()]
    assert [(one["category"], repeats(steno, one["id"])) for one in found] == [("rule", 1)]
    assert steno("rules").stdout.count("never commit") == 1


def test_what_waits_in_several_projects_is_asked_once(steno, home, days):
    words = "please no comments in the code"
    for project in ("shop", "blog", "wiki"):
        days(words, "> Ok.", times=1, project=project)
    [found] = [json.loads(line) for line in steno("review", "--json").stdout.splitlines()]
    assert len(found["also"]) == 2
    assert any(line.endswith("3 times, in 3 projects") for line in steno("review").stdout.splitlines())
    steno("review", "answer", found["id"], "drop")
    assert statuses(steno) == ["archived"] * 3
    steno("review", "undo")
    assert statuses(steno) == ["active"] * 3
    assert len(steno("review", "--json").stdout.splitlines()) == 1


def statuses(steno):
    return [json.loads(line)["status"] for line in steno("entries", "--json").stdout.splitlines()]
