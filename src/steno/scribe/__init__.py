"""The scribe: reads turns, proposes entries. Pure: the same turn with the same window gives the same candidates."""

from steno.scribe.agent import statements
from steno.scribe.note import notes
from steno.scribe.utter import utterances
from steno.vocabulary import Candidate, JournalTurn, Window
from steno.vocabulary.utterances import Utterance

__all__ = ["DONE_BEFORE", "SAID_BEFORE", "propose", "uttered"]

# How far back the scribe looks: turns in which somebody spoke, and acts of tools.
SAID_BEFORE = 16
DONE_BEFORE = 16
# A prompt of this length that comes again word for word was sent again by its host.
_LONG = 400


def propose(turn: JournalTurn, window: Window) -> list[Candidate]:
    """Candidates this turn gives rise to. Evidence may lie in the turn or in the window before it, never after."""
    if turn.by_human:
        return [] if _was_sent_before(turn, window) else notes(turn, window)
    said = turn.turn.role == "assistant" and turn.turn.kind == "said"
    return list(statements(turn)) if said else []


def uttered(turn: JournalTurn, window: Window) -> list[Utterance]:
    """What a person said in this turn, with what it answered, whatever becomes of it."""
    silent = not turn.by_human or not turn.turn.text.strip() or _was_sent_before(turn, window)
    return [] if silent or (turn.turn.kind == "command" and not turn.turn.is_slash) else list(utterances(turn, window))


def _was_sent_before(turn: JournalTurn, window: Window) -> bool:
    """Whether this is a long prompt sent once more: a host that stops a prompt gives it back for sending again."""
    text = turn.turn.text
    return len(text) > _LONG and any(one.turn.by_human and one.turn.text == text for one in window.said)
