"""What claude-mem exports: one JSON document with its observations, summaries and the prompts it saw."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from steno.sources.common import text_or_none, time_of
from steno.sources.sections import Section
from steno.vocabulary.errors import Unreadable

# Of each kind of record what is words, in the order it is read.
_WORDS: Final = {
    "observations": ("title", "subtitle", "narrative", "text", "facts", "files_modified"),
    "summaries": ("request", "investigated", "learned", "completed", "next_steps", "notes"),
    "prompts": ("prompt_text",),
}


class _Export(Struct):
    observations: Any = None
    summaries: Any = None
    prompts: Any = None


def is_export(head: bytes) -> bool:
    """Whether a document begins like one of these."""
    return b'"exportedAt"' in head and b'"totalObservations"' in head


def records(data: bytes) -> Iterator[Section]:
    """A section for each record that says something; its line is its number among those of its kind."""
    try:
        export = msgspec.json.decode(data, type=_Export)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"looks like an export of claude-mem and cannot be understood: {error}") from error
    for kind, names in _WORDS.items():
        found = getattr(export, kind)
        for number, record in enumerate(found if isinstance(found, list) else [], 1):
            if isinstance(record, dict) and (text := "\n".join(filter(None, (_words(record.get(n)) for n in names)))):
                at = time_of(record.get("created_at_epoch")) or time_of(record.get("created_at"))
                yield Section(_about(record) + text, number, at)


def _about(record: dict[str, Any]) -> str:
    """Which project it was; only a folder's base name is exported, which is no project of ours."""
    project = text_or_none(record.get("project"))
    return f"[{' '.join(project.split())[:100]}] " if project else ""


def _words(value: Any) -> str:
    """A text; a list of them, or a list written as JSON, one per line."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.MsgspecError, RecursionError):
            return str(value)
    if isinstance(value, list):
        return "\n".join(f"- {one}" for one in value if isinstance(one, str) and one)
    return value.strip() if isinstance(value, str) else ""
