"""What went through after it had failed, from the trail: the same once more, or the same in another form. Pure.

A command that fails as it is and goes through behind something else (a variable, another command) tells how it has to
be run here: whoever goes on would run it as it was.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from steno.scribe.work.shell import PIECES, kind_of, without_cd
from steno.vocabulary import Trail, TrailCommand

# The words a command is known by, with the variables set before it.
_HEAD: Final = re.compile(r"((?:[A-Z_]+=\S*\s+)*)((?:\S+\s+-m\s+)?[\w.-]+(?:\s+[a-z][\w:-]*(?=\s|$))?)")
# What prepares any commit, and what is done to wait.
_USUAL: Final = re.compile(
    r"git\s+(?:-C\s+\S+\s+)?(?:add|fetch|pull|stash|checkout|switch|config)\b|(?:sleep|for|while|if|do|done|then|fi)\b"
)


class Form(NamedTuple):
    """A command as it was run: what it is known by, and what stood before it."""

    head: str
    before: tuple[str, ...]


class Mended(NamedTuple):
    """A command that failed as it was, and the form in which it went through."""

    tried: TrailCommand
    worked: TrailCommand


def in_another_form(trail: Trail) -> Iterator[Mended]:
    """Commands that failed and went through only behind one thing more, the latest first."""
    told: set[str] = set()
    forms = [(one, _form(one.command)) for one in trail.commands if not one.refused and "\n" not in one.command]
    for worked, form in reversed(forms):
        if worked.failed is not False or len(form.before) != 1 or form.head in told:
            continue
        bare = [one for one, other in forms if other == Form(form.head, ())]
        tried = [one for one in bare if one.failed and one.turn < worked.turn]
        if tried and not any(one.failed is False for one in bare):
            told.add(form.head)
            yield Mended(tried[-1], worked)


def went_through(trail: Trail, tried: str, turn: int) -> TrailCommand | None:
    """The first that went through after a turn of what a command is known by."""
    head = _form(tried).head
    later = (one for one in trail.commands if one.turn > turn and one.failed is False)
    return next((one for one in later if _form(one.command).head == head), None)


def _form(text: str) -> Form:
    """A command by its last piece that does something."""
    pieces = [piece for piece in PIECES.split(without_cd(text)[0]) if piece]
    doing = [piece for piece in pieces if kind_of(piece) != "look" and not _USUAL.match(piece)]
    found = _HEAD.match(doing[-1]) if doing else None
    return Form(found[2], (*doing[:-1], *found[1].split())) if found else Form(text, ())
