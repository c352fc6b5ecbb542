"""Where an OpenClaw session comes from: its key says whether a person, a timer or another agent began it."""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from steno.sources.common import text_or_none
from steno.vocabulary import SessionKind

# The index of a folder with thousands of sessions is a few megabytes. A larger one is not read.
_INDEX_LIMIT = 64 << 20
_SHARED: Final = re.compile(r":(?:group|channel|room|space|guild):")


class Origin(NamedTuple):
    """The kind of a session and who started it."""

    kind: SessionKind = "main"
    # The parent's session id, where known.
    parent: str | None = None
    # Whether others than the owner may speak there.
    shared: bool = False


def kind_of(key: str, *, created_via: str | None = None, spawned: bool = False) -> SessionKind:
    """What kind of session a key names."""
    if ":subagent:" in key or key.startswith("subagent:") or created_via == "spawn" or spawned:
        return "subagent"
    if key.startswith(("cron:", "hook:")) or ":cron:" in key or ":hook:" in key or created_via == "cron":
        return "scheduled"
    return "main"


def is_shared(key: str) -> bool:
    """Whether a key names a conversation of more than two."""
    return _SHARED.search(key) is not None


def origin_in_folder(path: str, session: str) -> Origin | None:
    """Origin of a session by the index beside its file. None: the index does not have it (any more)."""
    index = os.path.join(os.path.dirname(path), "sessions.json")
    try:
        facts = os.stat(index)
    except (OSError, ValueError):
        return None
    return _index(index, facts.st_mtime_ns).get(session) if facts.st_size <= _INDEX_LIMIT else None


@lru_cache(maxsize=8)
def _index(path: str, _modified_ns: int) -> Mapping[str, Origin]:
    """Origins by session id. An index that cannot be read (it is being written) knows nothing."""
    try:
        with open(path, "rb") as file:
            found = msgspec.json.decode(file.read())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    entries: dict[str, dict[str, Any]] = {}
    if isinstance(found, dict):
        entries = {key: entry for key, entry in found.items() if isinstance(entry, dict)}
    ids = {key: text_or_none(entry.get("sessionId")) for key, entry in entries.items()}
    origins = {}
    for key, entry in entries.items():
        spawned_by = text_or_none(entry.get("spawnedBy"))
        if session := ids[key]:
            kind = kind_of(key, spawned=spawned_by is not None)
            origins[session] = Origin(kind, ids.get(spawned_by or ""), is_shared(key))
    return origins
