"""The scribe: reads turns, proposes entries. Pure: the same turn with the same window gives the same candidates."""

from steno.scribe.agent import from_agent
from steno.scribe.human import from_human
from steno.vocabulary import Candidate, JournalTurn, Window

__all__ = ["DONE_BEFORE", "SAID_BEFORE", "propose"]

# How far back the scribe looks: turns in which somebody spoke, and acts of tools.
SAID_BEFORE = 16
DONE_BEFORE = 16


def propose(turn: JournalTurn, window: Window) -> list[Candidate]:
    """Candidates this turn gives rise to. Evidence may lie in the turn or in the window before it, never after."""
    if turn.turn.by_human:
        return from_human(turn, window)
    return from_agent(turn, window)
