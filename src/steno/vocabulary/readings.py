"""What a model made of a portion of a session, as far as code could check it."""

from typing import Any, Final, Literal, get_args

from msgspec import Struct, field

Section = Literal[
    "state",  # where it stands at the last turn
    "asked",  # the assignment
    "decided",  # what is settled, and why
    "rules",  # the human's standing instructions
    "refused",  # what the human said no to
    "failed",  # what was tried in vain, and why
    "done",  # what is finished
    "next",  # what comes now
    "hand",  # branch, files, commands, numbers
]
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)


class NoteLine(Struct, frozen=True, omit_defaults=True):
    """One line of a note, and the turns it rests on."""

    section: Section
    text: str
    turns: tuple[int, ...]
    # Whether it carries words a person typed there.
    quotes_human: bool = False


class Reading(Struct, frozen=True, kw_only=True):
    """One answered question. Canonical: it was paid for, and asking again would give another answer."""

    session_id: int
    # The piece of work it was read in.
    work: str | None
    # The turns it is about.
    first: int
    last: int
    # How far the scribe had read when it was applied.
    mark: int
    at: str
    model: str
    # As it was answered; what it comes to is worked out again whenever it is applied.
    answer: Any
    # The rolling note as it was kept after it.
    note: tuple[NoteLine, ...] = field(default_factory=tuple)


class ReadByModel(Struct, kw_only=True):
    """What a model read, and what came of it."""

    portions: int = 0
    # New entries, and what is new for a person to decide.
    entries: int = 0
    reviews: int = 0
    # Proposals that were not kept, by reason.
    refused: dict[str, int] = field(default_factory=dict)
    # Why no more was read, in words for a person; empty: there is no more to read.
    why_not: str = ""
