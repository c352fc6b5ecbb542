"""What is believed on a topic: what holds, what it took the place of, and whose words that rests on."""

from typing import Literal

from msgspec import Struct

from steno.vocabulary.entries import Entry

# What a person did with an entry after it was there.
Act = Literal["revise", "archive", "review"]


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


class Held(Struct, frozen=True, kw_only=True):
    """An entry, with its quotes, and the time in which it held."""

    entry: Entry
    since: str | None
    # None: it holds still.
    until: str | None
    # The oldest first.
    changes: list[Change]


class Belief(Struct, frozen=True, kw_only=True):
    """The last word on something, and what was believed before it."""

    last: Held
    # Whether the last word stands and is no guess.
    holds: bool
    # Whether it stands, but only as a guess. Neither: somebody laid it aside.
    guess: bool
    # What it took the place of, the latest first.
    before: list[Held]

    @property
    def in_words(self) -> str:
        """How it stands, and how sure a guess is."""
        if self.guess:
            return f"a guess, {self.last.entry.confidence:.0%} sure"
        return "holds" if self.holds else "laid aside"
