"""Tier 0 where a model keeps a note: its lines, and beside them the state and what was said since it read."""

from collections.abc import Collection, Sequence
from typing import Final

from steno.briefing.budget import Line
from steno.briefing.render import safe
from steno.vocabulary.readings import SECTIONS, Reading, Section

_TITLES: Final[dict[Section, str]] = {
    "state": "where it stands", "asked": "asked for", "decided": "settled", "rules": "the human's rules",
    "refused": "the human's refusals", "failed": "tried and failed", "done": "done", "next": "next", "hand": "at hand",
}  # fmt: skip
_BY_AGENT: Final = "settled by the agent"
_WORTH: Final[dict[Section, float]] = {"state": 30, "next": 28, "asked": 27, "done": 20}
_OTHERS: Final = 26.0
# What a line loses by standing behind another one.
_BEHIND: Final = 0.4


def noted(note: Reading, others: Sequence[Line], kept: Collection[str], *, is_fresh: bool) -> list[Line]:
    """The lines of a note, and beside them the mechanical block: what stands in the sections that are `kept`, the last
    words, what is in force and the note passes over, and what came after it was written.

    Where something happened since then, its own lines on the state are not told.
    """
    own = [
        Line(
            section=_BY_AGENT if section == "decided" and not one.quotes_human else _TITLES[section],
            items=("note", *(f"turn:{turn}" for turn in one.turns)),
            worth=_WORTH.get(section, _OTHERS) - _BEHIND * place,
            texts=(safe(one.text),),
            why="a model's note",
        )
        for section in SECTIONS
        for place, one in enumerate(one for one in note.note if one.section == section)
        if is_fresh or section != "state"
    ]
    cited = {turn for one in note.note for turn in one.turns}
    beside = [
        line
        for line in others
        if line.section in kept
        or "last" in line.items
        or _latest(line) > note.last
        or (line.why == "in force" and _latest(line) not in cited)
    ]
    titles = list(dict.fromkeys(line.section for line in (*own, *beside)))
    return sorted([*own, *beside], key=lambda line: titles.index(line.section))


def _latest(line: Line) -> int:
    turns = [int(item.removeprefix("turn:")) for item in line.items if item.startswith("turn:")]
    return max(turns, default=0)
