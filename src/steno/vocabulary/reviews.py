"""What waits for a person's word, and what they may answer."""

from typing import Final, TypeAlias

from msgspec import Struct

from steno.choices import Answer as Answer
from steno.vocabulary.acts import Act
from steno.vocabulary.entries import Entry

# Which answers settle what.
OF_UNSURE: Final[tuple[Answer, ...]] = ("keep", "drop", "reword", "work")
OF_CONTRADICTION: Final[tuple[Answer, ...]] = ("one", "other", "both")
OF_REQUEST: Final[tuple[Answer, ...]] = ("yes", "no")


class Contradiction(Struct, frozen=True, kw_only=True, tag="contradiction", tag_field="kind"):
    """Two entries that cannot both hold."""

    # Made from theirs, so that rebuilding gives the same id.
    id: str
    one: Entry
    other: Entry
    # Why they cannot, in words for a person.
    reason: str

    @property
    def entries(self) -> list[Entry]:
        """The entries it is about."""
        return [self.one, self.other]


class Unsure(Struct, frozen=True, kw_only=True, tag="unsure", tag_field="kind"):
    """A rule or a refusal that may not be one. Until a person says so it binds nobody."""

    # That of the entry.
    id: str
    entry: Entry
    # The same words, said in other projects: the answer settles them, too.
    also: list[Entry] = []

    @property
    def entries(self) -> list[Entry]:
        """The entries it is about."""
        return [self.entry, *self.also]


# What Steno itself cannot settle; and what an agent asked for.
Doubt: TypeAlias = Contradiction | Unsure
Review: TypeAlias = Act | Contradiction | Unsure
