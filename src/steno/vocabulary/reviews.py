"""What waits for a person's word, and what they may answer."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from steno.vocabulary.entries import Entry

Answer = Literal[
    "keep",  # it is meant so: sure from now on
    "drop",  # it is not: laid aside
    "reword",  # it is meant, in other words
    "work",  # it is meant, for the work at hand only
    "one",
    "other",
    "both",
]
# Which of them settle what.
OF_UNSURE: Final[tuple[Answer, ...]] = ("keep", "drop", "reword", "work")
OF_CONTRADICTION: Final[tuple[Answer, ...]] = ("one", "other", "both")


class Contradiction(Struct, frozen=True, kw_only=True, tag="contradiction", tag_field="kind"):
    """Two entries that cannot both hold."""

    # Made from theirs, so that rebuilding gives the same id.
    id: str
    one: Entry
    other: Entry
    # Why they cannot, in words for a person.
    reason: str


class Unsure(Struct, frozen=True, kw_only=True, tag="unsure", tag_field="kind"):
    """A rule or a refusal that may not be one. Until a person says so it binds nobody."""

    # That of the entry.
    id: str
    entry: Entry
    # The same words, said in other projects: the answer settles them, too.
    also: list[Entry] = []


Review: TypeAlias = Contradiction | Unsure
