"""The rolling note: which lines of a new one are kept. A line nobody can check is dropped."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from steno.readings.answer import Noted
from steno.readings.portion import Portion
from steno.readings.support import Said, quotes_human
from steno.tokens import count
from steno.vocabulary import JournalTurn
from steno.vocabulary.readings import NoteLine, Section

NOTE_TOKENS: Final = 1_000
# Only with a person's own words is a line told as theirs.
_THEIRS: Final[frozenset[Section]] = frozenset({"asked", "rules", "refused"})
# Told as a person's where it carries their words, else as the agent's.
_EITHER: Final[frozenset[Section]] = frozenset({"decided"})
_LONGEST, _CITES, _NEAR = 400, 12, 2
# What a note loses first when it is too long.
_WORTH: Final[Mapping[Section, int]] = {
    "state": 9, "next": 8, "asked": 7, "refused": 7, "rules": 7, "decided": 6, "failed": 6, "done": 4, "hand": 4,
}  # fmt: skip


def kept(
    lines: Iterable[Noted], portion: Portion, turns: Mapping[int, JournalTurn], before: Sequence[NoteLine]
) -> tuple[NoteLine, ...]:
    """The lines of a new note that stand; `turns`: those cited, `before`: the note it takes the place of."""
    near = _Near(portion)
    found = [line for one in lines if (line := _checked(one, near, turns, before)) is not None]
    return _fitting(list(dict.fromkeys(found)))


def cited(lines: Iterable[Noted]) -> set[int]:
    """The turns lines cite."""
    return {turn for line in lines for turn in line.turns[:_CITES]}


def _checked(
    line: Noted, near: "_Near", turns: Mapping[int, JournalTurn], before: Sequence[NoteLine]
) -> NoteLine | None:
    text = " ".join(line.text.split())
    cites = tuple(dict.fromkeys(turn for turn in line.turns[:_CITES] if turn in turns))
    if not cites or not text or len(text) > _LONGEST:
        return None
    # Who hands a plan over asks for what it says.
    handed_over = line.section == "asked"
    theirs = line.section in _THEIRS | _EITHER and quotes_human(text, turns, cites, handed_over=handed_over)
    if line.section in _THEIRS and not theirs:
        return None
    carried = [old.text for old in before if set(old.turns) & set(cites)]
    there = {turn.id: turn for turn in (*(turns[cite] for cite in cites), *near.around(cites))}
    if not Said(there.values(), carried).holds(text):
        return None
    return NoteLine(line.section, text, cites, theirs)


class _Near:
    """The turns of a portion that stand beside some of them: a result beside its call."""

    def __init__(self, portion: Portion) -> None:
        self._turns = portion.turns
        self._places = {turn.id: place for place, turn in enumerate(portion.turns)}

    def around(self, cites: Iterable[int]) -> list[JournalTurn]:
        places = [self._places[cite] for cite in cites if cite in self._places]
        return [turn for place in places for turn in self._turns[max(0, place - _NEAR) : place + _NEAR + 1]]


def _fitting(lines: list[NoteLine]) -> tuple[NoteLine, ...]:
    """As many as a note may cost; what is worth least, and stands last, goes first."""
    while lines and count("\n".join(f"- {line.text}" for line in lines)) > NOTE_TOKENS:
        worst = min(range(len(lines)), key=lambda place: (_WORTH[lines[place].section], -place))
        lines.pop(worst)
    return tuple(lines)
