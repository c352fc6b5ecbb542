"""Small things several hosts' formats share."""

import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from steno.vocabulary import Kind, SessionKind, Turn

_EXACT: Final = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z"
).fullmatch

# Context sizes by the beginning of the model's name, longest match first. Hosts that record the window are believed
# instead. Claude Opus 5 is known from a run that compacted at 985,735 tokens.
_WINDOWS: Final = {
    "claude-opus-5": 1_000_000,
    "claude": 200_000,
    "gemini": 1_048_576,
    "gpt-4.1": 1_047_576,
    "gpt-4": 128_000,
    "gpt-5": 272_000,
}


# Whose words a prompt is, by the kind of session.
WORDS_IN: Final[dict[SessionKind, Kind]] = {"main": "said", "subagent": "delegated", "scheduled": "scheduled"}
# An answer that means there is nothing to say.
_SILENT: Final = frozenset({"HEARTBEAT_OK", "NO_REPLY", "No response requested"})


def is_silent(turn: Turn) -> bool:
    """Whether an agent's words are a bare sign that there is nothing to say: on every host they are dropped."""
    return turn.role == "assistant" and turn.kind == "said" and turn.text.strip(" \n*`.") in _SILENT


def time_of(value: Any) -> str | None:
    """A host's time as ISO 8601 in UTC with milliseconds, or None. Takes ISO text and epoch seconds or milliseconds."""
    if isinstance(value, str):
        if _EXACT(value):
            return value
        try:
            when = datetime.fromisoformat(value)
        except ValueError:
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            when = datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    else:
        return None
    try:
        return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except OverflowError:
        return None


def text_of(content: Any) -> str:
    """The words in a content value: a string, or a list of blocks of which the texts count."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part for part in map(_part, content) if part)
    return ""


def _part(block: Any) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, dict):
        text = block.get("text")
        if isinstance(text, str):
            return text
        return "[image]" if block.get("type") == "image" else ""
    return ""


def answered(said: Iterable[tuple[str, str]]) -> str:
    """What a person answered, each below its question, which stands there as a quotation."""
    return "\n".join(f"> {' '.join(question.split())}\n{words}" for question, words in said if words.strip())


def text_or_none(value: Any) -> str | None:
    """A field that should be text, or None where the host wrote something else."""
    return value if isinstance(value, str) and value else None


def whole_number(value: Any) -> int | None:
    """A field that should be a count SQLite can hold, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62 else None


def total(counts: Any, names: Iterable[str]) -> int | None:
    """Sum of the named counts of a usage record; None where there is none."""
    if not isinstance(counts, dict):
        return None
    found = [number for name in names if (number := whole_number(counts.get(name))) is not None]
    return sum(found) if found else None


def window_of(model: str | None, used: int | None = None) -> int | None:
    """Size of a model's context. A model seen to hold more than it should has the next larger known size."""
    if model is None:
        return None
    name = model.rpartition("/")[2]
    window = next((size for start, size in _WINDOWS.items() if name.startswith(start)), None)
    if window is not None and (name.endswith("[1m]") or (used or 0) > window):
        window = max(window, 1_000_000)
    return window


@lru_cache(maxsize=4096)
def project_of(directory: str) -> str:
    """Root of the git repository around a recorded directory; a linked worktree counts as its main repository.

    Without one the directory itself: never its base name, which filed a quarter of another product's memory wrongly.
    """
    place = directory
    while True:
        git = os.path.join(place, ".git")
        try:
            if os.path.isdir(git):
                return place
            if os.path.isfile(git):
                return _main_repository(git) or place
        except ValueError:
            return directory
        parent = os.path.dirname(place)
        if parent in (place, ""):
            return directory
        place = parent


def _main_repository(pointer: str) -> str | None:
    """The repository a linked worktree belongs to. None for a submodule, which is a project of its own."""
    try:
        with open(pointer, encoding="utf-8", errors="replace") as file:
            target = file.read(4096).removeprefix("gitdir:").strip()
    except OSError:
        return None
    root, found, _ = target.partition(f"{os.sep}.git{os.sep}worktrees{os.sep}")
    return root if found and os.path.isabs(root) else None
