"""What came of a look at the notebook."""

from typing import Literal

from msgspec import Struct, field

# What a person did in an editor.
Edited = Literal["added", "revised", "archived", "moved", "done", "reopened", "kept", "brought back", "flow", "note"]


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
