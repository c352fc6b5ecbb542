"""What others wrote down to remember by, before it is taken in."""

from msgspec import Struct

from steno.vocabulary.reports import Problem


class Offered(Struct, frozen=True, kw_only=True):
    """One memory file, or the history of a repository."""

    path: str
    # `notes` or `git`.
    source: str
    # Whom it would be about. None: everything.
    project: str | None
    # Sections or commits, and how many of them are not in the journal.
    pieces: int
    new: int
    # Pieces that were taken in before and stand there no more.
    gone: int
    bytes: int
    # How it begins.
    begins: str


class Offer(Struct, frozen=True, kw_only=True):
    """What a folder holds."""

    files: list[Offered]
    # What is in the way, and links that are not followed.
    problems: list[Problem]
    # Files the user leaves out, and our own pages.
    left_out: int

    @property
    def new(self) -> int:
        """Pieces that would be taken in."""
        return sum(one.new for one in self.files)

    @property
    def gone(self) -> int:
        """Pieces that would be recalled no more."""
        return sum(one.gone for one in self.files)
