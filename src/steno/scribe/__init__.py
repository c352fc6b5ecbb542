"""The scribe: reads turns, proposes entries. Pure: the same turn with the same window gives the same candidates."""

from steno.language.words import without_own_words
from steno.scribe.failures import failures, passed_over
from steno.scribe.findings import statements
from steno.scribe.passages import moment, read
from steno.scribe.progress import from_commit, progress
from steno.scribe.resolve import resolve
from steno.scribe.scene import scene
from steno.scribe.utter import utterances
from steno.scribe.write import write
from steno.vocabulary import Candidate, JournalTurn, Window
from steno.vocabulary.utterances import Utterance

__all__ = ["DONE_BEFORE", "SAID_BEFORE", "propose", "uttered"]

# How far back the scribe looks: turns in which somebody spoke, and acts of tools.
SAID_BEFORE = 16
DONE_BEFORE = 16
_ARGUMENTS = 5
_LONG = 400


def propose(turn: JournalTurn, window: Window) -> list[Candidate]:
    """Candidates this turn gives rise to. Evidence may lie in the turn or in the window before it, never after."""
    return _from_human(turn, window) if turn.turn.by_human else _from_agent(turn, window)


def uttered(turn: JournalTurn, window: Window) -> list[Utterance]:
    """What a person said in this turn, with what it answered, whatever becomes of it."""
    silent = _says_nothing(turn) and not turn.turn.is_slash
    if not turn.turn.by_human or silent or _was_sent_before(turn, window):
        return []
    return utterances(turn, window, scene(turn, window))


def _from_human(turn: JournalTurn, window: Window) -> list[Candidate]:
    if _says_nothing(turn) or _was_sent_before(turn, window):
        return []
    place = scene(turn, window)
    return [write(turn, place, note) for note in resolve(turn, window, place)]


def _from_agent(turn: JournalTurn, window: Window) -> list[Candidate]:
    """What an agent says and does. What tools and hosts say is evidence at most."""
    match turn.turn.role, turn.turn.kind:
        case "tool", _:
            return from_commit(turn, window)
        case "assistant", "call":
            return passed_over(turn, window)
        case "assistant", "said":
            return _from_agents_words(turn, window)
        case _:
            return []


def _from_agents_words(turn: JournalTurn, window: Window) -> list[Candidate]:
    text = turn.turn.text
    parts = read(text) if text.strip() and "[STENO" not in text and without_own_words(text) == text else []
    if not parts:
        return []
    around = moment(text, parts, window)
    told = failures(turn, parts, around, window)
    quoted = [one.evidence[0].quote for one in told]
    stated = [
        one for one in statements(turn, parts, around) if not any(one.evidence[0].quote in quote for quote in quoted)
    ]
    return [*stated, *told, *progress(turn, parts, around)]


def _says_nothing(turn: JournalTurn) -> bool:
    """A shell command or the bare name of a slash command says nothing; longer arguments are words."""
    return not turn.turn.text.strip() or (turn.turn.kind == "command" and len(turn.turn.text.split()) < _ARGUMENTS)


def _was_sent_before(turn: JournalTurn, window: Window) -> bool:
    """Whether this is a long prompt sent once more: a host that stops a prompt gives it back for sending again."""
    text = turn.turn.text
    return len(text) > _LONG and any(one.turn.by_human and one.turn.text == text for one in window.said)
