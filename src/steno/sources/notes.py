"""Memory files that exist already, whoever wrote them: a section of a file is a turn, and its words are a file's.

Guarantees: a file is read whole or not at all; a section that did not change is the same turn, wherever in the file it
stands; nothing outside the folder a person named is read, whatever links lie in it.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from steno.sources.base import FileSource
from steno.sources.claude_mem import is_export, records
from steno.sources.common import project_of
from steno.sources.discover import Finding
from steno.sources.files import fingerprint, identity, modified_ns, open_quietly
from steno.sources.notes_found import MEMORY_FOLDERS, is_note, notes_below, project_of_memory
from steno.sources.sections import Section, sections
from steno.vocabulary import Batch, Read, Session, Transcript, Turn, Watermark
from steno.vocabulary.errors import Unreadable

# No memory file is as long: hosts cut theirs at 20,000 characters. An export is one document.
LONGEST: Final = 1 << 20
LONGEST_EXPORT: Final = 8 << 20
# What stands here belongs to no project.
_HOMES: Final = frozenset({".claude", ".codex", ".hermes", ".gemini"})


class Notes(FileSource):
    """The source `notes`."""

    name = "notes"

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        home = Path(environment.get("HOME", "~")).expanduser()
        claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude").expanduser()
        codex = Path(environment.get("CODEX_HOME") or home / ".codex").expanduser()
        claws = [folder / "workspace" for folder in (home / ".openclaw", *sorted(home.glob(".openclaw-*")))]
        return [claude / "CLAUDE.md", claude / "projects", codex / "AGENTS.md", *claws, home / ".hermes" / "memories"]

    def recognises(self, path: str, head: bytes) -> bool:
        return is_note(Path(path).parts, head)

    def within(self, folder: str) -> Iterator[Finding]:
        """Memory files in a folder, and the links in it that lead out and are not followed."""
        for path in notes_below(folder):
            yield path if not isinstance(path, str) else Transcript(self.name, path, size=_size(path))

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        data, facts = _whole(transcript.path)
        session = _session(transcript.path)
        found = list(_sections(transcript.path, data, facts.st_mtime))
        lines, (device, inode) = data.count(b"\n") + (not data.endswith(b"\n")), identity(facts)
        mark = Watermark(
            position=len(data),
            line=lines,
            device=device,
            inode=inode,
            size=facts.st_size,
            modified_ns=modified_ns(facts),
            tail=fingerprint(data),
            lines_read=lines,
            lines_of={session.session: lines} if found else {},
        )
        yield Batch(turns=list(_turns(session, found)), sessions=[session], watermark=mark)


def _turns(session: Session, found: list[Section]) -> Iterator[Read]:
    """A turn for each section; equal ones are told apart by their number."""
    seen = Counter[str]()
    for one in found:
        turn = Turn(role="assistant", kind="note", text=one.text, at=one.at, line=one.line)
        yield Read(session.session, turn, block=seen[one.text], directory=session.directory, moves=True)
        seen[one.text] += 1


def _sections(path: str, data: bytes, changed: float) -> Iterator[Section]:
    if is_export(data[:4096]):
        return records(data)
    if b"\0" in data:
        raise Unreadable("not a text: it holds NUL bytes")
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return sections(text, name=Path(path).stem, changed=changed)


def _whole(path: str) -> tuple[bytes, os.stat_result]:
    with open_quietly(path) as file:
        facts = os.fstat(file.fileno())
        most = LONGEST_EXPORT if path.endswith(".json") else LONGEST
        if facts.st_size > most:
            raise Unreadable(f"too long for a memory file: {facts.st_size:,} bytes, and {most:,} are read at most")
        data = b""
        while len(data) <= most and (piece := file.read(most + 1 - len(data))):
            data += piece
        return data[:most], facts


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _session(path: str) -> Session:
    """A file is a session, called by its place in its project, and told apart from others of that name."""
    project = _project(path)
    inside = project is not None and path.startswith(f"{project}/")
    name = path[len(project or "") + 1 :] if inside else os.path.basename(path)
    digest = hashlib.blake2b(path.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return Session(source=Notes.name, session=f"{name}@{digest}", directory=os.path.dirname(path), project=project)


def _project(path: str) -> str | None:
    """Whom a file is about: the repository around it, the folder whose memory it is, or everything."""
    if known := project_of_memory(path):
        return known
    folder = os.path.dirname(path)
    root = project_of(folder)
    if os.path.exists(os.path.join(root, ".git")):
        return root
    parts = Path(folder).parts
    if not _HOMES.isdisjoint(parts):
        return None
    end = next((place for place, part in enumerate(parts) if part in MEMORY_FOLDERS and place > 1), len(parts))
    return str(Path(*parts[:end]))
