"""What is believed on a topic: what holds, what it took the place of, whose words that rests on, and who was told."""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from steno.vocabulary.accesses import NEVER, Access
from steno.vocabulary.briefings import ReceiptKind, Why
from steno.vocabulary.entries import Category, Entry, Evidence

# What a person did with an entry after it was there.
Act = Literal["revise", "archive", "review"]
# Whose word stands, where it is no person's.
_SAYS: Final = {"file": "a file says", "tool": "a tool printed", "agent": "an agent said"}
# How it came to its end: newer words took its place, a person chose the other one, or laid it aside.
Ending = Literal["replaced", "settled", "laid aside"]


class Change(Struct, frozen=True, kw_only=True):
    """A person's word on an entry."""

    at: str
    act: Act
    # The words they gave it, where they gave it others.
    summary: str | None = None
    # What it said before.
    was: str | None = None
    # The status they gave it, where they gave it another.
    status: str | None = None


class Given(Struct, frozen=True, kw_only=True):
    """That somebody was told: from a receipt."""

    at: str
    kind: ReceiptKind
    why: Why | None
    session: str | None
    agent: str | None


class Against(Struct, frozen=True, kw_only=True):
    """An entry that cannot hold beside this one."""

    id: str
    category: Category
    summary: str
    # Why they cannot both hold.
    reason: str
    # What a person said to it; None: nobody settled it yet.
    answer: str | None


class Held(Struct, frozen=True, kw_only=True):
    """An entry, with its quotes, and the time in which it held."""

    entry: Entry
    since: str | None
    # None: it holds still.
    until: str | None
    # How it ended; None: it holds still, or nobody knows.
    ended: Ending | None = None
    # The reason that was given for what took its place, in words that were said.
    because: str = ""
    # For each quote of the entry: whether it was found in its turn just now.
    verified: list[bool]
    # The oldest first.
    changes: list[Change]
    # Who was told, the latest first, and how often in all.
    given: list[Given]
    times_given: int
    # How often somebody had it before them, and whether it was used.
    access: Access = NEVER

    @property
    def quotes(self) -> Iterator[tuple[Evidence, bool]]:
        """Each quote, and whether it was found just now."""
        return zip(self.entry.evidence, self.verified, strict=True)


class Belief(Struct, frozen=True, kw_only=True):
    """The last word on something, and what was believed before it."""

    last: Held
    # Whether the last word stands, is a person's, and is no guess.
    holds: bool
    # Whether it stands, but only as a guess. Neither: somebody laid it aside.
    guess: bool
    # What it took the place of, the latest first.
    before: list[Held]
    # What it contradicts.
    against: list[Against]

    @property
    def in_words(self) -> str:
        """How it stands, and how sure a guess is."""
        entry = self.last.entry
        if self.guess:
            return f"a guess, {entry.confidence:.0%} sure"
        if entry.status in ("active", "done") and entry.certainty == "confirmed":
            stands = "done" if entry.status == "done" else "holds"
            return stands if self.holds else _SAYS.get(entry.origin, "the agent said")
        return "found wrong" if entry.certainty == "refuted" else "laid aside"
