"""Why something was asked, told or found, as it was noted with the answer."""

from typing import Literal

from msgspec import Struct

from steno.vocabulary.briefings import Receipt, ReceiptKind

# What an answer did with a thing: it decided, it was told, or it was looked at and left out.
Part = Literal["decided", "told", "left out"]


class Named(Struct, frozen=True, kw_only=True):
    """A thing by its name in receipts, with its words as they are now."""

    # "entry:ID", "turn:N", "flow:NAME", "goal".
    name: str
    # Empty: it has none, or they are kept no more.
    words: str = ""
    # Whose they are; "edit": a person wrote them.
    by: str = ""
    at: str | None = None


class Considered(Struct, frozen=True, kw_only=True):
    """A thing an answer named, and what was noted of it."""

    thing: Named
    part: Part
    # Why, in a fixed phrase. None: nobody noted it then.
    because: str | None


class WhyGate(Struct, frozen=True, kw_only=True):
    """Why the gate said what it said."""

    receipt: Receipt
    # The call as it stands in the transcript; empty: it is not known which it was, or it was forgotten.
    call: str
    considered: list[Considered]


class Mention(Struct, frozen=True, kw_only=True):
    """A receipt that names a thing."""

    receipt: int
    at: str
    kind: ReceiptKind
    tier: int | None
    verdict: str | None
    session: str | None
    part: Part
    because: str | None


class WhyLine(Struct, frozen=True, kw_only=True):
    """Why a thing was told, or was not: the receipts that name it, the newest first."""

    thing: Named
    mentions: list[Mention]


class Placed(Struct, frozen=True, kw_only=True):
    """That a recall found a thing, and what placed it. The question is kept nowhere."""

    at: str
    # The session that asked. None: a person, or nobody knows.
    session: str | None
    # None: nobody noted it then.
    place: int | None
    reason: str | None


class WhyHit(Struct, frozen=True, kw_only=True):
    """Why a thing was found: the recalls that found it, the newest first."""

    thing: Named
    recalls: list[Placed]
