"""Tier 0 where a model keeps a note: its lines, a fresh state at the cut, and what was said since it read."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from steno.briefing.budget import Line
from steno.briefing.render import safe
from steno.briefing.state import FIRST
from steno.briefing.state import TITLE as STATE
from steno.vocabulary.readings import SECTIONS, NoteLine, Section

# How a section is called, and what its first line is worth: told in the order of a note, chosen by worth.
_TITLES: Final[Mapping[Section, str]] = {
    "state": STATE, "asked": "asked for", "decided": "settled", "rules": "the human's standing instructions",
    "refused": "the human's refusals", "failed": "tried and failed", "done": "done", "next": "next", "hand": "at hand",
}  # fmt: skip
_BY_AGENT: Final = "settled by the agent, nobody objected"
_WORTH: Final[Mapping[Section, float]] = {
    "state": 30, "next": 28, "asked": 27, "refused": 26, "rules": 26, "decided": 25, "failed": 25, "done": 20,
    "hand": 26,
}  # fmt: skip
# What nobody goes on without.
_NEEDED: Final[tuple[Section, ...]] = ("asked", "hand")
# What a line loses by standing behind another one. Of what is at hand one line is needed, more are for room to spare.
_BEHIND, _BEHIND_HAND = 0.4, 6.0
_LONGEST: Final = 320


class Note(Struct, frozen=True):
    """The rolling note of a session, as it was kept last."""

    lines: tuple[NoteLine, ...]
    model: str
    # The last turn it was written after, and when.
    turn: int
    at: str


def noted(note: Note, others: list[Line], *, is_fresh: bool, last: int = 0) -> list[Line]:
    """The lines of a note with those that could be told without it: `others` tell the state, what was said, and so on.

    Where nothing happened since the note was written, it tells the state itself, and what was asked for in the human's
    `last` turn; else only what is newer is added. A note that does not say where things stand takes nobody's place.
    """
    if all(line.section != "state" for line in note.lines):
        return _beside(others, list(_lines(note, state=True)))
    is_asked = any(line.section == "asked" and last in line.turns for line in note.lines)
    state = [
        line for line in others if line.section == STATE and (not is_fresh or ("last" in line.items and not is_asked))
    ]
    cited = {turn for line in note.lines for turn in line.turns}
    # What the note has no line of; where there is room, what surely binds and it passes over, and what was said since.
    lacks = {_TITLES[section] for section in _NEEDED if all(line.section != section for line in note.lines)}
    needed = [line for line in others if line.section in lacks]
    since = [line for line in others if line not in needed and _is_missing(line, note.turn, cited)]
    told = list(_lines(note, state=is_fresh))
    first = sum(line.section == STATE for line in told)
    asked = [line for line in needed if line.section == _TITLES["asked"]]
    values = [line for line in needed if line.section == _TITLES["hand"]]
    return [*told[:first], *state, *asked, *told[first:], *values, *since]


def _lines(note: Note, *, state: bool) -> Iterator[Line]:
    titled = [(_title(line), line) for line in note.lines if state or line.section != "state"]
    order = [
        title for section in SECTIONS for title in (_TITLES[section], *([_BY_AGENT] if section == "decided" else []))
    ]
    for title in order:
        for place, (_, line) in enumerate(pair for pair in titled if pair[0] == title):
            yield Line(
                section=title,
                items=("note", *(f"turn:{turn}" for turn in line.turns)),
                worth=FIRST + _WORTH[line.section] - (_BEHIND_HAND if line.section == "hand" else _BEHIND) * place,
                texts=(safe(line.text, _LONGEST),),
            )


def _beside(others: list[Line], told: list[Line]) -> list[Line]:
    """Both, what stands under one title together."""
    titles = dict.fromkeys(line.section for line in (*others, *told))
    return [line for title in titles for line in (*others, *told) if line.section == title]


def _title(line: NoteLine) -> str:
    return _BY_AGENT if line.section == "decided" and not line.quotes_human else _TITLES[line.section]


def _is_missing(line: Line, turn: int, cited: set[int]) -> bool:
    """Whether it rests on what was said after a turn, or binds and is not cited."""
    turns = [int(item.removeprefix("turn:")) for item in line.items if item.startswith("turn:")]
    binds = line.section in (_TITLES["rules"], _TITLES["refused"])
    return line.section != STATE and bool(turns) and (max(turns) > turn or (binds and not cited & set(turns)))
