"""Tier 0 where a model keeps a note: its lines, with the mechanical block beside them."""

import pytest

from steno.briefing.budget import Line
from steno.briefing.noted import noted
from steno.vocabulary.readings import NoteLine, Reading

ASKED = NoteLine("asked", "the cart page is slow, and the order page too.", (7,), True)
STATE = NoteLine("state", "cart.py asks once now; the order page is next.", (8,), False)
DECIDED = NoteLine("decided", "one query for the whole cart.", (8,), False)


def line(section: str, text: str, *items: str) -> Line:
    return Line(section=section, items=items, worth=5, texts=(text,), why="")


LAST = line("where it stood", "the human's last words: “make the cart fast”", "last", "turn:7")
REPORT = line("where it stood", "the agent had said: “Looking.”", "agent", "turn:6")
COMMIT = line("state", "done since the last words: commit 1a2b3c4", "results")
LATER = line("the human along the way", "“and the order page, too”", "turn:9")


@pytest.mark.parametrize(
    ("others", "told"),
    [
        # What the note read is left to it; the last words and what calls showed stand beside it.
        ([LAST, REPORT, COMMIT], [STATE.text, ASKED.text, DECIDED.text, *LAST.texts, *COMMIT.texts]),
        # Somebody spoke since: what it says of the state may be old.
        ([LAST, COMMIT, LATER], [ASKED.text, DECIDED.text, *LAST.texts, *COMMIT.texts, *LATER.texts]),
    ],
)
def test_a_note_is_told_with_what_calls_showed_and_what_came_after_it(others: list[Line], told: list[str]) -> None:
    note = Reading(
        session_id=1, work=None, first=1, last=8, mark=8, at="", model="m", answer={}, note=(STATE, ASKED, DECIDED)
    )
    found = noted(note, others, ("state",), is_fresh=LATER not in others)
    assert [one.texts[0] for one in found] == told
    assert [one.section for one in found if one.texts[0] == DECIDED.text] == ["settled by the agent"]
