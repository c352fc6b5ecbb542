"""One adapter per host. Adding one is a module here, a line in the table, and recorded samples in tests/sources."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Final

from steno.sources.base import Source
from steno.vocabulary import FROM_FILES
from steno.vocabulary.errors import UnknownSource

# Where each source lives; imported when first used.
_SOURCES: Final = {
    "claude-code": "steno.sources.claude_code:ClaudeCode",
    "codex": "steno.sources.codex:Codex",
    "openclaw": "steno.sources.openclaw:OpenClaw",
    "pi": "steno.sources.pi:Pi",
    "jsonl": "steno.sources.jsonl:Jsonl",
    "notes": "steno.sources.notes:Notes",
    "git": "steno.sources.git:Git",
}
NAMES: Final = tuple(_SOURCES)
# Those whose files are told by their first bytes; the others are read when somebody names them.
TRANSCRIPTS: Final = tuple(name for name in NAMES if name not in FROM_FILES)


def is_in_place(path: str, environment: Mapping[str, str]) -> bool:
    """Whether a path lies where a host keeps its transcripts, whatever links lead there."""
    real = os.path.realpath(path)
    places = (place for name in TRANSCRIPTS for place in source_named(name).places(environment))
    return any(real.startswith(os.path.join(os.path.realpath(place), "")) for place in places)


def source_named(name: str) -> Source:
    if name not in _SOURCES:
        raise UnknownSource(f"no source is called {name!r}", hint=f"the known ones are {', '.join(NAMES)}")
    module, _, attribute = _SOURCES[name].partition(":")
    source: Source = getattr(import_module(module), attribute)()
    return source
