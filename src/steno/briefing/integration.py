"""Integration notes as a page: what belongs together, in the words of the entries it cites and no others."""

from collections.abc import Sequence

from msgspec import Struct

from steno.briefing.handoff import noted
from steno.briefing.render import framed, safe
from steno.vocabulary import Entry


class Joined(Struct, frozen=True, kw_only=True):
    """A note: what it is about, and what it cites, the oldest first."""

    id: str
    about: str
    project: str | None
    members: Sequence[Entry]


def integration_page(notes: Sequence[Joined], written_at: str) -> str:
    """All of them, the latest first."""
    lines = ["# What belongs together", f"written at {written_at}"]
    for note in notes:
        where = f" ({safe(note.project, 80)})" if note.project else ""
        lines += ["", f"## {safe(note.about, 120)}{where} {note.id}"]
        cited = zip(noted(note.members, written_at), note.members, strict=True)
        lines += [f"{line} ({entry.id})" for line, entry in cited]
    return framed(lines, page="integrations") + "\n"
