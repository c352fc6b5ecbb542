"""A piece of work: a goal of a person, and what became of it."""

from typing import Final

from msgspec import Struct

from steno.choices import WorkStatus as WorkStatus
from steno.vocabulary.checkpoints import Checkpoint

# What becomes of a task when the work it belongs to ends.
CLOSED: Final[dict[WorkStatus, str]] = {"finished": "done", "dropped": "archived"}


class Left(Struct, frozen=True, kw_only=True):
    """A piece of work a session turned away from: for another one (`active`), as done, or for good."""

    # Turns it began with and was left at.
    begun: int
    turn: int
    status: WorkStatus
    # Whether the agent says that it is finished.
    claimed: bool
    checkpoint: Checkpoint


class PieceOfWork(Struct, frozen=True, kw_only=True):
    """A piece of work, as somebody looks at it."""

    # Made from the turn that began it, so that a rebuild gives the same.
    id: str
    status: WorkStatus
    # The assignment in the human's words; on lines below it what they asked for since.
    goal: str
    project: str | None
    agent: str | None
    # The session it began in, and how many somebody was at it in.
    session: str
    sessions: int
    begun_at: str | None
    last_at: str | None
    ended_at: str | None
    checkpoint: Checkpoint
