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
_HEAD: Final = re.compile(r"((?:[A-Z_]+=\S*\s+)*)((?:\S+\s+-m\s+)?[\w.-]+(?:\s+(?:run\s+)?[a-z][\w:-]*(?=\s|$))?)")
# What prepares any commit, and what is done to wait.
_USUAL: Final = re.compile(
    r"git\s+(?:-C\s+\S+\s+)?(?:add|fetch|pull|stash|checkout|switch|config)\b|(?:sleep|for|while|if|do|done|then|fi)\b"
)

# So much of a command says what it is.
_LONG: Final = 400
# Commands that are looked at.
_LATEST: Final = 100


class Form(NamedTuple):
    """A command as it was run: what it is known by, what stood before it, and the whole of it without that."""

    head: str
    before: tuple[str, ...]
    bare: str


class Mended(NamedTuple):
    """A command that failed as it was, and the form in which it went through."""

    tried: str
    worked: str


def in_another_form(trail: Trail) -> Iterator[Mended]:
    """Commands that failed, and have gone through since only behind one thing more, the latest first; each as short as
    it was ever run."""
    told: set[str] = set()
    ran = [one for one in trail.commands if not one.refused and "\n" not in one.command][-_LATEST:]
    heads = {_form(one.command).head for one in ran if one.failed}
    forms = [(one, _form(one.command)) for one in ran if any(head in one.command for head in heads)]
    for worked, form in reversed(forms):
        if worked.failed is not False or len(form.before) != 1 or form.head in told:
            continue
        plain = [(one, other.bare) for one, other in forms if not other.before and _same(other, form)]
        tried = [(one.turn, bare) for one, bare in plain if one.failed and one.turn < worked.turn]
        if tried and not any(one.failed is False and one.turn > tried[-1][0] for one, _ in plain):
            told.add(form.head)
            alike = (one.command for one, other in forms if other[:2] == form[:2] and one.failed is False)
            yield Mended(min((bare for _, bare in tried), key=len), min(alike, key=len))


def _same(one: Form, form: Form) -> bool:
    """Whether two commands do the same: with a variable by what they are known by, behind another command only to the
    letter, and not where a check is work at hand."""
    if "=" in form.before[0].split()[0]:
        return one.head == form.head
    return one.bare == form.bare and kind_of(form.bare) == "other"


def went_through(trail: Trail, tried: str, turn: int) -> TrailCommand | None:
    """The first that went through after a turn of what a command is known by."""
    head = _form(tried).head
    later = (one for one in trail.commands if one.turn > turn and one.failed is False and head in one.command)
    return next((one for one in later if _form(one.command).head == head), None)


def _form(text: str) -> Form:
    """A command by its last piece that does something."""
    pieces = [piece for piece in PIECES.split(without_cd(text)[0][:_LONG]) if piece]
    doing = [piece for piece in pieces if kind_of(piece) != "look" and not _USUAL.match(piece)]
    found = _HEAD.match(doing[-1]) if doing else None
    if found is None:
        return Form(text, (), text)
    return Form(found[2], (*doing[:-1], *found[1].split()), doing[-1][found.start(2) :])
