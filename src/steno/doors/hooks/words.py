"""The short texts an agent is told between briefings, by the one room that makes text for agents."""

from collections.abc import Sequence
from typing import Final

from steno.briefing.entries import whole, words_of
from steno.briefing.page import day
from steno.briefing.render import framed, quoted, safe
from steno.vocabulary import Entry

_NAMES: Final = {"rejected": "rejected", "exclusion": "failed before", "rule": "standing instruction",
                 "commitment": "promised", "decision": "decided", "learning": "learnt"}  # fmt: skip


def remind(entries: Sequence[Entry]) -> str:
    """What was said earlier about what a prompt names."""
    lines = [
        f"- {_NAMES.get(entry.category, entry.category)}, {day(entry.created_at)}: {quoted(whole(words_of(entry)))}"
        f" (entry {safe(entry.id, 20)})"
        for entry in entries
    ]
    return framed(["Written down earlier about this:", *lines], recall=1)
