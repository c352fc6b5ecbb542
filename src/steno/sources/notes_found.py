"""Which files of a folder are memory files: by their names and places, or by what the program that wrote them began."""

import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from steno.sources.claude_mem import is_export
from steno.sources.common import project_of
from steno.sources.discover import is_text, unnameable
from steno.sources.files import open_quietly, reason
from steno.vocabulary import Problem
from steno.vocabulary.errors import Unreadable

_NAMES: Final = frozenset(
    {
        *("MEMORY.md", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules"),
        *("USER.md", "TOOLS.md", "IDENTITY.md", "SOUL.md"),
    }
)
MEMORY_FOLDERS: Final = frozenset({"memory", "memories", ".cursor"})
# basic-memory gives each of its notes a permalink, in the lines before the text.
_PERMALINK: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(?:[^\r\n]*\r?\n){0,30}?permalink:")
# Folders that machines fill, and hidden ones in which hosts keep memory files.
_PASSED_OVER: Final = frozenset({"node_modules", "venv", "site-packages", "__pycache__"})
_HIDDEN: Final = re.compile(r"\.(?:claude|cursor|codex|gemini|hermes|openclaw(?:-.*)?)")
_HEAD: Final = 4096
_CWD: Final = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')


def is_note(parts: Sequence[str], head: bytes) -> bool:
    """Whether a file at this place, with these first bytes, is one somebody keeps to remember by."""
    *folders, name = parts
    if name in _NAMES:
        return True
    if name.endswith(".mdc") or (name.endswith(".md") and ".cursor" in folders):
        return (".cursor", "rules") in pairwise(folders)
    if name.endswith(".md"):
        return not {"memory", "memories"}.isdisjoint(folders) or _PERMALINK.match(head) is not None
    return name.endswith(".json") and is_export(head)


def notes_below(top: str) -> Iterator[str | Problem]:
    """Memory files at or below a folder, in order of their names. Links are not followed; what they lead to inside the
    folder is met there anyway, and one that leads out is told of."""
    root = os.path.realpath(top)
    above = os.path.dirname(root)
    for folder, folders, files in os.walk(root, onerror=lambda _: None):
        for name in sorted(name for name in folders if os.path.islink(os.path.join(folder, name))):
            if name in MEMORY_FOLDERS:
                yield from _link(os.path.join(folder, name), root)
        folders[:] = sorted(filter(_is_looked_into, folders))
        for name in sorted(files):
            path = os.path.join(folder, name)
            if not is_text(path):
                yield unnameable(path)
            elif name.endswith((".md", ".mdc", ".json")) or name in _NAMES:
                yield from _examine(path, os.path.relpath(path, above).split(os.sep), root)


def _is_looked_into(name: str) -> bool:
    return name not in _PASSED_OVER and (not name.startswith(".") or _HIDDEN.fullmatch(name) is not None)


def _examine(path: str, parts: Sequence[str], root: str) -> Iterator[str | Problem]:
    if os.path.islink(path):
        if is_note(parts, b""):
            yield from _link(path, root)
        return
    try:
        with open_quietly(path) as file:
            head = file.read(_HEAD) or b""
    except Unreadable as error:
        if is_note(parts, b""):
            yield Problem(path, error.message)
        return
    except OSError as error:
        yield Problem(path, reason(error))
        return
    if is_note(parts, head):
        yield path


def _link(path: str, root: str) -> Iterator[Problem]:
    target = os.path.realpath(path)
    if target != root and not target.startswith(f"{root}/"):
        yield Problem(path, "a link that leads out of the folder; it is not followed")


def project_of_memory(path: str) -> str | None:
    """The project whose memory Claude Code keeps in a folder beside its transcripts: they tell where it is, and the
    folder's name does not for sure."""
    parts = Path(path).parts
    if "projects" not in parts or "memory" not in parts or parts.index("memory") != parts.index("projects") + 2:
        return None
    folder = Path(*parts[: parts.index("memory")])
    for transcript in sorted(folder.glob("*.jsonl"))[:3]:
        try:
            with open_quietly(str(transcript)) as file:
                found = _CWD.search(file.read(64 << 10) or b"")
            where = msgspec.json.decode(found[1], type=str) if found else ""
        except (Unreadable, OSError, msgspec.MsgspecError):
            continue
        if os.path.isabs(where):
            return project_of(where)
    return None
