"""The history of a repository: a commit is a turn, with its author, its message and the files it changed.

Git is run with no configuration but its own repository's, and of that nothing that starts a program or asks another
machine. What a commit says is a file's word.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from steno.processes import run
from steno.sources.common import project_of, time_of
from steno.sources.discover import Finding
from steno.vocabulary import Batch, Read, Session, Transcript, Turn, Watermark
from steno.vocabulary.errors import Unreadable

# The newest so many commits, and of each so many files.
MOST: Final = 2000
_FILES: Final = 30
_BYTES: Final = 32 << 20
_SECONDS: Final = 60.0
_LONGEST: Final = 4000
SAFE: Final = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"),
    *("-c", "log.showSignature=false", "-c", "gpg.program=false", "-c", "core.quotePath=false", "--no-pager"),
)
_FORMAT: Final = "--format=%x00%x00%H%x00%an%x00%aI%x00%B%x00"


class Git:
    """The source `git`."""

    name = "git"

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        return []

    def recognises(self, path: str, head: bytes) -> bool:
        return False

    def within(self, folder: str) -> Iterator[Finding]:
        """The repository whose root a folder is."""
        if os.path.exists(os.path.join(folder, ".git")):
            yield Transcript(self.name, os.path.realpath(folder), "HEAD")

    def transcripts(self, path: str) -> list[Transcript]:
        return []

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        head = _git(transcript.path, "rev-parse", "--quiet", "--verify", "HEAD", may_fail=True).strip()
        if not head or head == watermark.tail:
            return
        commits = list(_commits(transcript.path, head, watermark.tail))
        session, number = _session(transcript.path), watermark.line + len(commits)
        mark = Watermark(
            position=number, line=number, size=number, tail=head, lines_read=number,
            lines_of={session.session: number} if number else {},
        )  # fmt: skip
        turns = [Read(session.session, one.turn(), one.id, directory=transcript.path) for one in commits]
        yield Batch(turns=turns, sessions=[session], watermark=mark)


class _Commit(NamedTuple):
    id: str
    author: str
    at: str
    message: str
    files: list[str]

    def turn(self) -> Turn:
        more = f" and {len(self.files) - _FILES:,} more" if len(self.files) > _FILES else ""
        files = f"\nfiles: {', '.join(self.files[:_FILES])}{more}" if self.files else ""
        message = self.message.strip()[:_LONGEST] or "(no message)"
        text = f"{message}\n\ncommit {self.id[:10]} by {self.author}{files}"
        return Turn(role="assistant", kind="note", text=text, at=time_of(self.at), native_id=self.id)


def _session(root: str) -> Session:
    digest = hashlib.blake2b(root.encode("utf-8", "replace"), digest_size=4).hexdigest()
    name = f"{os.path.basename(root)}@{digest}"
    return Session(source=Git.name, session=name, directory=root, project=project_of(root))


def _commits(root: str, head: str, known: str) -> Iterator[_Commit]:
    """Commits since the known one, the oldest first; where that one is no more, all of them."""
    since = [f"^{known}"] if known and _git(root, "cat-file", "-t", known, may_fail=True).strip() == "commit" else []
    options = (
        "-z",
        "--reverse",
        f"--max-count={MOST}",
        "--no-renames",
        "--name-only",
        "--no-ext-diff",
        "--no-textconv",
    )
    fields = _git(root, "log", *options, _FORMAT, head, *since, "--").split("\0")
    place = 0
    while place + 6 < len(fields):
        id_, author, at, message = fields[place + 2 : place + 6]
        end = place + 7
        while end < len(fields) and fields[end]:
            end += 1
        yield _Commit(id_, author, at, message, [name.removeprefix("\n") for name in fields[place + 7 : end]])
        place = end


def _git(root: str, *arguments: str, may_fail: bool = False) -> str:
    """What git prints, so much of it as anybody reads; it is stopped where it takes too long."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0",
    }  # fmt: skip
    ran = run(["git", *SAFE, *arguments], _SECONDS, _BYTES, folder=root, environment=environment)
    if ran.code is None:
        raise Unreadable(f"git {ran.problem}")
    if ran.code and not may_fail:
        raise Unreadable("git cannot read its history here")
    return ran.out
