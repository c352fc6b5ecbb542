"""What the agent said: its reports, what it stated while it worked, and the cause it named last."""

import re
from collections.abc import Sequence
from typing import Final

from steno.briefing.sentences import announces, leans, of_report, picked, size, units
from steno.language.lexicon import lexicon
from steno.vocabulary import JournalTurn

# A shorter statement tells nothing by itself, a longer one is no statement.
_SHORT, _LONG = 25, 320
_NAMES: Final = re.compile(r"`|\d|/")


def report(text: str, most: int) -> str:
    """What an agent told at the end of a turn: whole, or the sentences that hold the state."""
    return picked(text, most, of_report)


def statements(spoken: Sequence[str], most: int) -> str:
    """The last that an agent stated while it worked, in order: no announcements, no guesses."""
    found: dict[str, None] = {}
    for text in spoken:
        for one in units(text):
            guesses = lexicon("hedge").search(one.alone) or announces(one.text) or (leans(one.text) and not one.lead)
            # One point of a list is not the list.
            if not one.is_point and _SHORT < len(one.alone) < _LONG and not guesses and _NAMES.search(one.alone):
                found[one.alone] = None
    told: list[str] = []
    for text in reversed(found):
        if sum(map(size, told)) + size(text) <= most:
            told.insert(0, text)
    return " … ".join(told)


def cause(spoken: Sequence[JournalTurn]) -> tuple[int, str]:
    """The last cause the agent named without a doubt, and in which turn; nothing where it took that back."""
    for turn in reversed(spoken):
        every = units(turn.turn.text.replace("’", "'"))
        for place in reversed(range(len(every))):
            text = every[place].alone
            if lexicon("takes_back").search(text):
                return 0, ""
            if (
                not lexicon("names_cause").search(text)
                or _doubts(text)
                or leans(every[place].text)
                or len(text) > _LONG
            ):
                continue
            if len(text) < 2 * _SHORT and place + 1 < len(every):
                # "Root cause found." says it in the next sentence.
                text = f"{text} {every[place + 1].text}"
            if _SHORT < len(text) <= _LONG and not _doubts(text):
                return turn.id, text
    return 0, ""


def _doubts(text: str) -> bool:
    return text.endswith(("?", "？")) or lexicon("hedge").search(text) is not None
