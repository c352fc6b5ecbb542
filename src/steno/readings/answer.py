"""From the JSON a model answered to typed proposals. What is not of the right shape is left out, piece by piece."""

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from steno.vocabulary import Category
from steno.vocabulary.readings import Section

# More pieces of a kind than this are not looked at.
_MOST: Final = 200


class Cited(Struct, frozen=True):
    """Words a proposal rests on."""

    turn: int
    quote: str


class Proposal(Struct, frozen=True, kw_only=True):
    """One thing to be done with entries."""

    do: Literal["add", "correct", "merge", "drop", "supersede"]
    # What is corrected, merged, dropped or superseded: an id, or `tN` for what was noted of a turn.
    id: str = ""
    into: str = ""
    category: Category | None = None
    line: str = ""
    quotes: list[Cited] = field(default_factory=list)
    refused: str = ""
    wanted: str = ""
    why: str = ""
    until: str = ""
    lasting: bool = False
    importance: Literal[1, 2, 3] = 2
    approach: str = ""
    cause: str = ""
    symptom: str = ""
    question: str = ""
    options: list[str] = field(default_factory=list)
    risks: str = ""
    if_wrong: str = ""


class Noted(Struct, frozen=True):
    """A line for the note."""

    section: Section
    text: str
    turns: list[int]


class Answer(Struct, frozen=True):
    """What a model is asked to answer with."""

    entries: list[Proposal]
    note: list[Noted]


SCHEMA: Final[dict[str, Any]] = msgspec.json.schema(Answer)
_Piece = TypeVar("_Piece", Proposal, Noted)


def parsed(value: Any) -> Answer | None:
    """As much of an answer as has the right shape. None: it is no answer to the question at all."""
    if not isinstance(value, dict) or not {"entries", "note"} & value.keys():
        return None
    return Answer(list(_pieces(value.get("entries"), Proposal)), list(_pieces(value.get("note"), Noted)))


def _pieces(values: Any, kind: type[_Piece]) -> Iterator[_Piece]:
    for value in values[:_MOST] if isinstance(values, list) else ():
        try:
            yield msgspec.convert(_without_none(value), kind)
        except msgspec.ValidationError:
            continue


def _without_none(value: Any) -> Any:
    """Models write null for what is empty."""
    return {name: part for name, part in value.items() if part is not None} if isinstance(value, dict) else value
