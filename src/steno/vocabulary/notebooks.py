"""The notebook: what came of a look at it, what is in memory files that exist already, and files of hosts beside it."""

from typing import Final, Literal

from msgspec import Struct, field

Unit = Literal["characters", "lines", "bytes"]
# A file so near its limit is told of: the next note in it may be the one that is cut.
NEAR: Final = 0.9
# What a person did in an editor.
Edited = Literal["added", "revised", "archived", "moved", "done", "reopened", "brought back", "flow", "note"]


class Taken(Struct, frozen=True, kw_only=True):
    """An edit that is in force now."""

    act: Edited
    page: str
    # The entry, or the name of the flow.
    id: str
    text: str


class Held(Struct, frozen=True, kw_only=True):
    """A page that was left as it is, and why."""

    page: str
    reason: str
    hint: str = ""


class Synced(Struct, kw_only=True):
    """Edits taken in, and pages written."""

    edits: list[Taken] = field(default_factory=list)
    # Edits of what had changed in the store, too: both are kept, and wait for a person's word.
    conflicts: list[Taken] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)


class Committed(Struct, frozen=True, kw_only=True):
    """A night that is kept."""

    at: str
    pages: int
    # Pages in which a secret stands.
    left_out: list[str]


class NotebookState(Struct, frozen=True, kw_only=True):
    """The notebook as it is."""

    path: str
    # Folders of projects, with where they lie and how many pages and lines they have.
    folders: list["FolderState"]
    # Pages somebody changed that were not taken in yet, and pages that cannot be.
    changed: list[str]
    held: list[Held]
    # Entries that are not on their pages yet.
    due: int
    git: bool


class FolderState(Struct, frozen=True, kw_only=True):
    """One folder of it."""

    project: str
    path: str
    pages: int
    lines: int
    memory_bytes: int


class Cut(Struct, frozen=True, kw_only=True):
    """What a host would not read."""

    # Lines of the file, from 1.
    first: int
    last: int
    characters: int
    # How it begins and how it ends.
    begins: str
    ends: str


class Limit(Struct, frozen=True, kw_only=True):
    """A file a host loads when a session starts, or all of them together."""

    host: str
    # A folder stands for all its files together.
    path: str
    unit: Unit
    used: int
    most: int
    cut: Cut | None = None

    @property
    def is_near(self) -> bool:
        """Whether somebody should make room."""
        return self.cut is not None or self.used >= NEAR * self.most


class Proposal(Struct, frozen=True, kw_only=True):
    """A change to one file."""

    path: str
    # As `diff -u` writes it.
    diff: str
    # Entries whose words stand there afterwards.
    entries: list[str]
    # Why it cannot be written. Empty: it can.
    held: str = ""
    written: bool = False
