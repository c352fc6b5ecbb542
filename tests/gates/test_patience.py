"""When an agent is reminded: nothing twice within twenty turns, little of what stands in its context, and seldom."""

import pytest

from steno.gates.patience import Patience

LIKELY, PLAIN = 0.1, 0.9


def after(patience: Patience, calls: int) -> Patience:
    for _ in range(calls):
        patience.called()
    return patience


@pytest.mark.parametrize(
    ("calls", "strength", "may"),
    [(0, PLAIN, False), (10, PLAIN, False), (11, PLAIN, True), (11, LIKELY, False), (500, LIKELY, False)],
)
def test_the_same_is_said_again_after_twenty_turns_and_only_where_it_is_plain(calls, strength, may):
    patience = Patience()
    patience.reminded(["a"])
    assert (not after(patience, calls).keeps_back("a", strength)) is may


def test_another_thing_may_be_said_at_once():
    patience = Patience()
    patience.reminded(["a"])
    assert patience.keeps_back("b", LIKELY) == ""


def test_a_context_has_three_reminders_at_once_and_five_for_every_two_hundred_calls():
    patience, given = Patience(), 0
    for number in range(400):
        patience.called()
        if not patience.keeps_back(str(number), LIKELY):
            patience.reminded([str(number)])
            given += 1
    assert given == 3 + 400 * 5 // 200 - 1


def test_what_is_plain_is_said_however_much_was_guessed():
    patience = Patience()
    for number in range(5):
        patience.reminded([str(number)])
    assert (patience.keeps_back("a", LIKELY), patience.keeps_back("a", PLAIN)) == ("enough guesses lately", "")


def test_a_compacted_context_is_reminded_anew_but_not_within_twenty_turns():
    patience = Patience()
    patience.reminded(["a"])
    after(patience, 11).reminded(["b"])
    patience.forget()
    assert (patience.keeps_back("a", LIKELY), patience.keeps_back("b", LIKELY)) == (
        "",
        "a reminder was given 0 turns ago",
    )
