"""The words of the house as frozen values. No input, no output, no imports from other rooms."""

from steno.vocabulary.errors import StenoError
from steno.vocabulary.reports import Captured, Check, Coverage, Forgotten, Found, Hit, Problem, SessionCaptured, Status
from steno.vocabulary.sessions import Session, SessionKind
from steno.vocabulary.transcripts import Batch, Read, Transcript, Watermark
from steno.vocabulary.turns import HUMAN_KINDS, KINDS, ROLES, JournalTurn, Kind, Role, Turn

__all__ = [
    "HUMAN_KINDS",
    "KINDS",
    "ROLES",
    "Batch",
    "Captured",
    "Check",
    "Coverage",
    "Forgotten",
    "Found",
    "Hit",
    "JournalTurn",
    "Kind",
    "Problem",
    "Read",
    "Role",
    "Session",
    "SessionCaptured",
    "SessionKind",
    "Status",
    "StenoError",
    "Transcript",
    "Turn",
    "Watermark",
]
