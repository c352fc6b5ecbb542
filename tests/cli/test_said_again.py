"""Said again, said often: only what a person says counts, and what they say often they may mean to last."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from ..staged import staged

# What holds for a piece of work ends after quiet days, by the clock of this machine.
NOW = datetime.now(UTC)


@pytest.fixture
def days(steno, home):
    """The same dialogue in each of so many sessions, the last of them hours ago; entries by their words, with how often
    they were said again."""

    def hear(*lines, times, project="shop"):
        for day in range(1, times + 1):
            begun = NOW - timedelta(hours=20 * (times + 1 - day))
            steno("capture", staged(home, project, *lines, day=day, begun=begun))
        found = [json.loads(line) for line in steno("entries", "--json").stdout.splitlines()]
        return [(one["category"], one["evidence"][0]["quote"], repeats(steno, one["id"])) for one in found]

    return hear


def repeats(steno, id_):
    return json.loads(steno("entries", "show", id_, "--json").stdout)["repeated"]


ASK = "ask me before you push to main"


def test_an_agent_does_not_say_a_persons_words_again(steno, days):
    assert days(ASK, f"> Ok: you want me to {ASK}.", times=1) == [("rule", ASK, 0)]


def test_what_was_said_three_times_is_offered_with_how_often(steno, days):
    assert days(ASK, "> Ok.", times=3) == [("rule", ASK, 2)]
    assert f"\nMake it last?\n{ASK}\n  rule  said 3 times  " in steno("review").stdout


def test_who_says_that_they_said_it_says_it_again(steno, home, days):
    rule = "never commit without running the tests"
    assert days(rule, "> Ok.", times=1) == [("rule", rule, 0)]
    steno("capture", staged(home, "shop", f"I told you: {rule}", "> Sorry.", day=2, begun=NOW - timedelta(hours=1)))
    found = [json.loads(line) for line in steno("entries", "--json").stdout.splitlines()]
    assert [(one["category"], repeats(steno, one["id"])) for one in found] == [("rule", 1)]
    assert steno("rules").stdout.count("never commit") == 1
