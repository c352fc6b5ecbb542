"""Files that own a kind of fact: USER.md people, TOOLS.md infrastructure, IDENTITY.md the agent. What people said and
holds is proposed for them, as present state with its reason; what tells of a moment belongs to its day.

Only a part between two marks is ours. The rest of the file is never touched, and nothing in it is said twice.
"""

import difflib
import os
import re
import stat
from pathlib import Path
from typing import Final

from msgspec import structs

from steno.files import write_whole
from steno.home import Home
from steno.language.lexicon import lexicon
from steno.language.words import squeeze
from steno.notebook.pages import topic_of_fact
from steno.notebook.text import as_line
from steno.sources.bootstrap import limit_of, workspaces
from steno.sources.sections import OURS_BEGIN, OURS_END
from steno.vocabulary import PEOPLE, Entry
from steno.vocabulary.notebooks import NEAR, Proposal
from steno.vocabulary.reviews import Contradiction

_OWNERS: Final = ("USER.md", "TOOLS.md", "IDENTITY.md")
_LONGEST: Final = 400
_MOST_BYTES: Final = 1 << 20
# How people lead up to what they choose, and to why.
LEAD: Final = re.compile(
    r"(?i)^(?:(?:ok|okay|yes|so|and|then),? )*(?:let'?s|let us|we(?:'ll| will| should)?|I(?:'d|'ll| would)?)? ?"
    r"(?:go(?:ing)? (?:with|for)|use|stick (?:with|to)|take|pick|choose|prefer|keep) "
)
_BECAUSE: Final = re.compile(r"(?i)(?:because|since|as|due to|so that|weil|da)\b")
_SAYS_WHY: Final = re.compile(r"(?i)\b(?:because|due to|so that|weil|damit)\b.*")
_BLOCK: Final = re.compile(rf"\n*{re.escape(OURS_BEGIN)}\n.*?{re.escape(OURS_END)}\n?", re.S)


class Owning:
    """What is proposed for the files of the hosts on this machine."""

    def __init__(self, home: Home) -> None:
        self._store, self._environment = home.store, home.environment

    def proposals(self, *, apply: bool = False) -> list[Proposal]:
        """A change for each file that would say something else; `apply`: written, where nothing is in the way."""
        found = []
        for folder in workspaces(self._environment):
            facts = self._facts(str(folder))
            for name in _OWNERS:
                path = folder / name
                if path.is_file() or path.is_symlink():
                    told = [(id_, line) for id_, owner, line in facts if owner == name]
                    found.append(_proposed(path, told, most=limit_of(path, self._environment), apply=apply))
        return [one for one in found if one is not None]

    def _facts(self, workspace: str) -> list[tuple[str, str, str]]:
        """Id, owner and line of everything that holds there, in an order that does not change by itself."""
        open_ = [review for review in self._store.reviews.open() if isinstance(review, Contradiction)]
        waiting = {side.id for review in open_ for side in (review.one, review.other)}
        entries = [
            entry
            for entry in self._store.entries.all(status="active")
            if entry.origin in PEOPLE and entry.certainty == "confirmed" and entry.project in (None, workspace)
            and entry.category in ("fact", "decision", "agent_state") and entry.id not in waiting
        ]  # fmt: skip
        topics = self._store.pages.topics(entry.id for entry in entries)
        told = [(entry.id, owner_of(entry, topics.get(entry.id)), line_of(entry)) for entry in entries]
        return [(id_, owner, line) for id_, owner, line in told if owner and line]


def owner_of(entry: Entry, topic: str | None) -> str:
    """The file an entry belongs into. Empty: none."""
    if not topic or topic.startswith("projects/"):
        # What a fact states says more than the field of work it was told for.
        topic = topic_of_fact(entry.category, entry.summary) or topic or ""
    if entry.category == "agent_state" or "identity" in entry.tags:
        return "IDENTITY.md"
    if topic.startswith("people/"):
        return "USER.md"
    return "TOOLS.md" if topic.startswith("infrastructure/") else ""


def why_of(entry: Entry) -> str:
    """The reason that was given: as it is known, else as the words themselves tell it."""
    told = _SAYS_WHY.search(entry.detail.exchange.said)
    return (entry.detail.why or (told[0] if told else "")).strip(" .")


def line_of(entry: Entry, *, with_reason_only: bool = True) -> str:
    """An entry as present state, with its reason; what was chosen, if nobody knows more, in the words that chose it.
    Empty: it tells of a moment, or (unless that does not matter) nobody said why it was chosen."""
    said = entry.evidence[0].quote if entry.evidence and entry.origin == "user" else entry.summary
    why = why_of(entry)
    if entry.category == "decision":
        if with_reason_only and not why:
            return ""
        said = f"The approach: {LEAD.sub('', squeeze(entry.detail.what))}" if entry.detail.what else said
    words = squeeze(said).strip(" .")
    because = why if _BECAUSE.match(why) else f"because {why}"
    reason = f", {because}" if why and why.casefold() not in words.casefold() else ""
    line = as_line(f"{words}{reason}.")
    return "" if lexicon("dated").search(line) or len(line) > _LONGEST else line


def _proposed(path: Path, told: list[tuple[str, str]], *, most: int, apply: bool) -> Proposal | None:
    try:
        raw = _read(path)
        before = raw.decode("utf-8")
    except (OSError, ValueError) as error:
        return Proposal(path=str(path), diff="", entries=[], held=str(error))
    ends = "\r\n" if before.count("\r\n") == before.count("\n") > 0 else "\n"
    text = before.replace(ends, "\n")
    if text.count(OURS_BEGIN) != text.count(OURS_END) or text.count(OURS_BEGIN) > 1:
        return Proposal(path=str(path), diff="", entries=[], held="the marks around our part were changed")
    theirs = _BLOCK.sub("\n", text)
    known = squeeze(theirs).casefold()
    new = [(id_, line) for id_, line in told if line.rstrip(".").casefold() not in known]
    after = _with_part(theirs, [line for _, line in new])
    if after == text:
        return None
    old, new_lines = (one.splitlines(keepends=True) for one in (text, after))
    diff = "".join(difflib.unified_diff(old, new_lines, f"a/{path.name}", f"b/{path.name}"))
    held = f"it would hold {len(after):,} of the {most:,} characters its host reads" if len(after) > NEAR * most else ""
    proposal = Proposal(path=str(path), diff=diff, entries=[id_ for id_, _ in new], held=held)
    if not apply or held:
        return proposal
    return structs.replace(proposal, **_write(path, raw, after.replace("\n", ends)))


def _read(path: Path) -> bytes:
    facts = os.lstat(path)
    if not stat.S_ISREG(facts.st_mode):
        raise ValueError("it is a link or no file, and where that leads is not ours")
    if facts.st_size > _MOST_BYTES:
        raise ValueError("it is too long")
    return path.read_bytes()


def _with_part(text: str, lines: list[str]) -> str:
    if not lines:
        return text
    part = "\n".join((OURS_BEGIN, "## What holds", "", *(f"- {line}" for line in lines), OURS_END, ""))
    return f"{text.rstrip()}\n\n{part}" if text.strip() else part


def _write(path: Path, before: bytes, after: str) -> dict[str, bool | str]:
    """Write it, unless somebody wrote into it meanwhile."""
    try:
        with write_whole(path, mode=stat.S_IMODE(os.stat(path).st_mode)) as file:
            file.write(after.encode())
            if path.is_symlink() or path.read_bytes() != before:
                raise OSError(0, "somebody wrote into it meanwhile; try again")  # noqa: TRY301
    except OSError as error:
        return {"held": f"it cannot be written: {error.strerror}"}
    return {"written": True}
