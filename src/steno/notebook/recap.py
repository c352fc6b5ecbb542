"""The end of a day's page: what the day came to, counted and quoted from what was learnt on it, no summary."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from steno.notebook.parse import parse
from steno.notebook.text import as_line
from steno.vocabulary import PEOPLE, Category, Entry

RECAP: Final = "Recap"
NOTES: Final = "Notes"
_DID: Final[Mapping[Category, str]] = {
    "decision": "decided",
    "rejected": "refused",
    "rule": "ruled",
    "exclusion": "failed",
    "discovery": "found out",
    "learning": "learnt",
    "fact": "told",
    "task": "asked for",
    "commitment": "promised",
}
_LONGEST: Final = 160


def recap(projects: Iterable[str | None], entries: Sequence[Entry], open_: Sequence[str]) -> str:
    """How many sessions went on where, what people settled, how much else came up, and what was left to do."""
    where = Counter((project or "").rstrip("/").rpartition("/")[2] or "no project" for project in projects)
    lines = [f"- sessions: {_counted(where)}"] if where else []
    kinds = Counter(_DID[entry.category] for entry in entries if entry.category in _DID)
    lines += [f"- what came of it: {_counted(kinds)}"] if kinds else []
    settled = [entry for entry in entries if entry.category == "decision" and entry.origin in PEOPLE]
    lines += [f"- decided: {_short(entry.summary)}" for entry in settled[-3:]]
    lines += [f"- left to do: {_short(text)}" for text in open_]
    return "\n".join(["", f"## {RECAP}", "", *lines, ""]) if lines else ""


def notes(base: str | None, now: str) -> list[str]:
    """What people wrote into a day's page: what stands under the heading for it, and lines we did not write."""
    ours = set((base if base is not None else now).splitlines())
    own = [stretch for stretch in parse(now).stretches if stretch.title == NOTES]
    kept = [line for stretch in own for block in stretch.blocks for line in block.raw.splitlines() if line.strip()]
    added = [line for line in now.splitlines() if line.strip() and line not in ours and line not in kept]
    return [*kept, *(line for line in added if line.strip() != f"## {NOTES}")]


def with_notes(lines: Sequence[str]) -> str:
    """The part of a day's page that holds them."""
    return "\n".join(["", f"## {NOTES}", "", *lines, ""]) if lines else ""


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))


def _short(text: str) -> str:
    line = as_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
