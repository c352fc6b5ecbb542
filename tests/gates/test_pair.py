"""The weights that ship, and what they are weights of."""

import tomllib

from steno.gates.pair import FEATURES, WEIGHTS


def test_the_weights_that_ship_are_those_of_what_is_looked_at():
    learnt = tomllib.loads(WEIGHTS.read_text("utf-8"))
    assert [*learnt] == ["levels", "weights", "figures"]
    assert ([*learnt["levels"]], [*learnt["weights"]]) == (["remind"], [*FEATURES])
