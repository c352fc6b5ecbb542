"""One Git repository, as far as it was seen, and what moves it."""

from collections.abc import Iterable
from fnmatch import fnmatch
from typing import Any

from msgspec import Struct, field

from steno.scribe.work.message import short

_BRANCHES, _PATHS = 30, 400
_SUBJECT = 160


class Repo(Struct):
    """A repository, as far as it was seen."""

    folder: str
    turn: int = 0
    branch: str | None = None
    head: str | None = None
    subject: str = ""
    committed: int | None = None
    pushed: bool | None = None
    # Paths that differ: `?` untracked, `S` staged, `M` anything else. Whether these are all; None: nobody looked.
    changed: dict[str, str] = field(default_factory=dict)
    whole: bool | None = None
    # Turn in which somebody saw the branch last.
    seen: int = 0
    # Where its other branches stood: head, subject, turn, pushed.
    others: dict[str, list[Any]] = field(default_factory=dict)

    def moves(self, head: str | None = None, subject: str = "", turn: int | None = None, pushed: Any = None) -> None:
        """Another commit is the head."""
        self.head, self.subject, self.committed, self.pushed = head, short(subject, _SUBJECT), turn, pushed

    def names(self, head: str, subject: str = "") -> None:
        """What the head is, as somebody looked."""
        if self.head is None or not (self.head.startswith(head) or head.startswith(self.head)):
            if self.head is not None:
                self.moves()
            self.head = head
        self.subject = short(subject, _SUBJECT) or self.subject

    def goes_to(self, branch: str | None, *, new: bool = False) -> None:
        """Another branch is at hand; a new one begins where the old one stands."""
        if branch == self.branch:
            return
        if self.branch is not None:
            self.others[self.branch] = [self.head, self.subject, self.committed, self.pushed]
        known = self.others.pop(branch or "", None)
        if self.branch is not None and not new:
            self.moves(*(known or ()))
        self.branch = branch
        self.others = dict(list(self.others.items())[-_BRANCHES:])

    def mark(self, paths: Iterable[str], sign: str) -> None:
        """These differ, whatever else does."""
        self.changed |= dict.fromkeys(paths, sign)
        if len(self.changed) > _PATHS:
            self.changed, self.whole = {}, False

    def keep(self, signs: str) -> None:
        """Only what is marked so differs still."""
        self.changed = {path: sign for path, sign in self.changed.items() if sign in signs}

    def loses(self) -> None:
        """What is uncommitted is not known any more, if it was."""
        if self.whole is not None:
            self.changed, self.whole = {}, False

    def under(self, words: Iterable[str]) -> list[str]:
        """The paths that words on a command line mean."""
        return [path for path in self.changed if any(_means(word.rstrip("/"), path) for word in words)]


def _means(word: str, path: str) -> bool:
    return word in (".", "", path) or path.startswith(f"{word}/") or fnmatch(path, word)
