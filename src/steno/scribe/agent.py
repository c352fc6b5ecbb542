"""What an agent's turns and its tools say. What tools and hosts say is evidence at most."""

from steno.language.words import without_own_words
from steno.scribe.failures import failures, passed_over
from steno.scribe.findings import statements
from steno.scribe.passages import moment, read
from steno.scribe.progress import from_commit, progress
from steno.vocabulary import Candidate, JournalTurn, Window


def from_agent(turn: JournalTurn, window: Window) -> list[Candidate]:
    """Candidates of a turn of an agent, a tool or the host."""
    match turn.turn.role, turn.turn.kind:
        case "tool", _:
            return from_commit(turn, window)
        case "assistant", "call":
            return passed_over(turn, window)
        case "assistant", "said":
            return _said(turn, window)
        case _:
            return []


def _said(turn: JournalTurn, window: Window) -> list[Candidate]:
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
