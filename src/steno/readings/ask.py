"""What a model is asked about a portion: the note so far, what the scribe heard in it, and its turns. Deterministic."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from steno.language.words import squeeze
from steno.llm.base import Question
from steno.readings.answer import SCHEMA
from steno.readings.portion import Portion
from steno.vocabulary import Entry
from steno.vocabulary.readings import NoteLine

PURPOSE: Final = "read"
_MOST_OUT: Final = 6_000
# Characters of an entry's line, and how many entries are listed.
_LINE, _MOST, _RULES = 200, 60, 20


def question(portion: Portion, *, heard: Sequence[Entry], rules: Sequence[Entry], note: Sequence[NoteLine]) -> Question:
    """Asks about a portion; `heard`: what the scribe noted in it, `rules`: what holds in the project from elsewhere."""
    parts = [
        "# The note so far" if note else "# This is the beginning of the session",
        *(f"- {line.section}: {line.text} [{' '.join(f't{turn}' for turn in line.turns)}]" for line in note),
        *(["", "# Rules of this project from other sessions"] if rules else []),
        *(_listed(entry) for entry in rules[:_RULES]),
        "",
        "# What the program heard in this portion" if heard else "# The program heard nothing in this portion",
        *(_listed(entry) for entry in heard[:_MOST]),
        "",
        f"# The portion: turns t{portion.first} to t{portion.last}",
        portion.text,
    ]
    return Question(PURPOSE, instructions(), "\n".join(parts), SCHEMA, _MOST_OUT)


@cache
def instructions() -> str:
    """The same for every portion of every session."""
    return files("steno.readings").joinpath("instructions.md").read_text("utf-8")


def _listed(entry: Entry) -> str:
    turn = f" t{entry.evidence[0].turn}" if entry.evidence else ""
    return f"- {entry.id} {entry.category}{turn}: {squeeze(entry.summary)[:_LINE]}"
