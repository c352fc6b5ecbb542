"""What waits for a person's word, and what they may answer."""

from typing import Final, TypeAlias

from msgspec import Struct

from steno.choices import Answer as Answer
from steno.vocabulary.acts import Act
from steno.vocabulary.entries import Entry

# Which answers settle what.
OF_OFFER: Final[tuple[Answer, ...]] = ("keep", "drop", "reword", "work")
OF_ENDING: Final[tuple[Answer, ...]] = ("end", "keep")
OF_CONTRADICTION: Final[tuple[Answer, ...]] = ("one", "other", "both")
OF_REQUEST: Final[tuple[Answer, ...]] = ("yes", "no")
OF_HELD_PAGE: Final[tuple[Answer, ...]] = ("take", "back")
# Nobody is offered more at a time; what is not taken up ends with its piece of work.
MOST_OFFERS: Final = 5


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


class Offer(Struct, frozen=True, kw_only=True, tag="offer", tag_field="kind"):
    """A person's instruction that holds for its piece of work, and may be made to last."""

    # That of the entry.
    id: str
    entry: Entry

    @property
    def entries(self) -> list[Entry]:
        """The entry it is about."""
        return [self.entry]


class Ending(Struct, frozen=True, kw_only=True, tag="ending", tag_field="kind"):
    """A person's rule or refusal that they may want to end: they allowed what it stops again and again, or took it back
    in their own words."""

    # That of the entry.
    id: str
    entry: Entry
    # Entries that say the same.
    also: list[str]
    # How often they allowed a call it asked about since they last said anything of it, and when last.
    yeses: int = 0
    allowed_at: str | None = None
    # The sentence that takes it back, and when it was said.
    taken_back: str = ""
    taken_back_at: str | None = None

    @property
    def entries(self) -> list[Entry]:
        """The entry it is about."""
        return [self.entry]


class Writer(Struct, frozen=True, kw_only=True):
    """A call of an agent that could have written a file."""

    # The host, and its id of the session.
    source: str
    session: str
    agent: str | None
    tool: str
    # What it was given, in one line.
    call: str
    # When it was called.
    began: str


class HeldPage(Struct, frozen=True, kw_only=True, tag="held page", tag_field="kind"):
    """A page of the notebook that was changed, and of which nothing is taken in until a person says so."""

    # Made from its folder and name, and what is in the file.
    id: str
    folder: str
    name: str
    # Whose the folder is. Empty: of no project.
    project: str
    # Why it waits, as it follows the name of the page.
    reason: str
    # The agent that changed it. None: as far as we know a person did.
    who: Writer | None
    # When the file was changed.
    at: str
    # As `diff -u` writes it, from what we wrote last to what is there, without the ids of lines.
    diff: str
    # The file in which what was put away lies.
    beside: str = ""

    @property
    def page(self) -> str:
        """The page as people call it."""
        return f"{self.folder}/{self.name}" if self.folder else self.name

    @property
    def entries(self) -> list[Entry]:
        """The entries it is about: which they are is what is asked."""
        return []


# What Steno itself cannot settle, or offers; and what an agent asked for.
Doubt: TypeAlias = HeldPage | Contradiction | Ending | Offer
Review: TypeAlias = Act | Doubt
