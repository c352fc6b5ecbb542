"""Tier 0 where a model keeps a note: each thing is told once."""

import pytest

from steno.briefing.budget import Line
from steno.briefing.noted import Note, noted
from steno.briefing.state import TITLE
from steno.vocabulary.readings import NoteLine

ASKED = NoteLine("asked", "the cart page is slow, and the order page too.", (7,), True)
STATE = NoteLine("state", "cart.py asks once now; the order page is next.", (8,), False)
HAND = NoteLine("hand", "branch speed, cart.py, `make test`.", (8,), False)
LAST = Line(section=TITLE, items=("last",), worth=9, texts=("the human's last words: “make the cart fast”",))
FILES = Line(section="at hand", items=("files",), worth=5, texts=("files: cart.py",))
START = Line(section="asked for", items=("goal",), worth=6, texts=("at the start: “the cart page is slow”",))
DONE = Line(section=TITLE, items=("results",), worth=8, texts=("committed 1a2b3c4",))


def test_a_note_that_does_not_say_where_things_stand_takes_nobodys_place() -> None:
    found = noted(Note((ASKED, HAND), "m", 8, ""), [LAST, DONE, START, FILES], is_fresh=True, last=7)
    assert [line.texts[0] for line in found] == [
        *LAST.texts, *DONE.texts, *START.texts, ASKED.text, *FILES.texts, HAND.text,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "is_fresh", "last", "told"),
    [
        # What the note tells is not told beside it.
        ((STATE, ASKED, HAND), True, 7, [STATE.text, ASKED.text, HAND.text]),
        # The human's last words, where it passes them over; values, where it has none.
        ((STATE, ASKED), True, 9, [STATE.text, *LAST.texts, ASKED.text, *FILES.texts]),
        # What nobody goes on without, where it has no line of it.
        ((STATE, HAND), True, 7, [STATE.text, *LAST.texts, *START.texts, HAND.text]),
        # Something happened since: the state is told anew.
        ((STATE, ASKED, HAND), False, 7, [*LAST.texts, *DONE.texts, ASKED.text, HAND.text]),
    ],
)
def test_what_a_note_tells_is_told_once(
    lines: tuple[NoteLine, ...], is_fresh: bool, last: int, told: list[str]
) -> None:
    found = noted(Note(lines, "m", 8, ""), [LAST, DONE, START, FILES], is_fresh=is_fresh, last=last)
    assert [line.texts[0] for line in found] == told
