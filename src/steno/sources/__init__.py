"""One adapter per host. Adding one is a module here, a line in the table, and recorded samples in tests/sources."""

from importlib import import_module
from typing import Final

from steno.sources.base import Source
from steno.vocabulary.errors import UnknownSource

# Where each source lives; imported when first used.
_SOURCES: Final = {
    "claude-code": "steno.sources.claude_code:ClaudeCode",
    "codex": "steno.sources.codex:Codex",
    "openclaw": "steno.sources.openclaw:OpenClaw",
    "pi": "steno.sources.pi:Pi",
    "jsonl": "steno.sources.jsonl:Jsonl",
}
NAMES: Final = tuple(_SOURCES)


def source_named(name: str) -> Source:
    """The source of that name."""
    if name not in _SOURCES:
        raise UnknownSource(f"no source is called {name!r}", hint=f"the known ones are {', '.join(NAMES)}")
    module, _, attribute = _SOURCES[name].partition(":")
    source: Source = getattr(import_module(module), attribute)()
    return source
