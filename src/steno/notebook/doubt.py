"""Why a page somebody changed is not taken at its word, but waits for a person. Pure."""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from steno.notebook.merge import Edit
from steno.notebook.pages import AGENTS, category_of, shelf_of
from steno.notebook.parse import Sheet
from steno.notebook.text import plain

# Where more lines than this are gone, and more than half of all, somebody may have cut the file short.
_FEW_GONE: Final = 5
_SHOWN: Final = 60
_BINDING: Final = ("rule", "rejected")


class Lines(Struct, frozen=True):
    """What is known of lines that were there before, by their ids: those that stand on this page, and of all that were
    touched those that agents told, and that hold until a person ends them. And of all changed pages: which ids stand on
    them, what they say that is nobody's line, and whether the others have lines that are new."""

    standing: Collection[str]
    agents: Collection[str]
    binding: Collection[str]
    marks: Collection[str]
    prose: str
    new_elsewhere: bool


def doubt(name: str, base: Sheet | None, now: Sheet, found: list[Edit], lines: Lines) -> str:
    """What a person has to say a word on, as it follows the name of the page; empty: nothing."""
    return _lost(base or Sheet([]), now, found, lines) or _raised(name, base or Sheet([]), found, lines)


def _lost(base: Sheet, now: Sheet, found: list[Edit], lines: Lines) -> str:
    """Lines that are not there any more, where that may be nobody's wish."""
    new = [edit.block for edit in found if edit.act in ("new", "came")]
    below = {plain(f"{field}: {value}") for _, block in base.items() for field, value in block.fields}
    if any(plain(block.text) in below for block in new):
        return "has lines of their own that stood below another"
    ended = [
        edit.was or edit.block for edit in found if edit.act == "gone" or (edit.was is not None and not edit.block.text)
    ]
    gone = [block for block in ended if block.id in lines.standing]
    ends_inside = base.text.endswith("\n") and not now.text.endswith("\n")
    begun = any(block.text.startswith(last.text) for last in new[-1:] for _, block in base.items())
    if (gone and not now.text.strip()) or (ends_inside and (gone or begun)):
        return "looks half saved"
    if not gone:
        return ""
    # The line, or its id, may be there after all, as something that is no line.
    apart = [block for block in gone if block.id in lines.marks or plain(block.text) in lines.prose]
    if apart or new or lines.new_elsewhere or set(now.prose()) - set(base.prose()):
        lost = len(apart or gone)
        return f"has lost the marks of {lost} {'line' if lost == 1 else 'lines'}, and what is new may be theirs"
    if binds := [_short(block.text) for block in gone if block.id in lines.binding]:
        return f"has lost what holds until you end it: {', '.join(binds)}"
    if len(gone) > _FEW_GONE and 2 * len(gone) > len(lines.standing):
        return f"has lost {len(gone)} of {len(lines.standing)} lines"
    return ""


def _raised(name: str, base: Sheet, found: list[Edit], lines: Lines) -> str:
    """Lines that would count for more, or for something else, without anybody having said so."""
    shelf = shelf_of(name)
    away: dict[str, set[str | None]] = {}
    for edit in found:
        if edit.was is None:
            continue
        id_, words, is_moved = edit.block.id, _short(edit.was.text), edit.act == "moved"
        # Under a heading of a person's own a line stays what it is.
        category = category_of(name, edit.heading) if is_moved or (shelf and edit.heading in shelf.headings) else None
        if id_ in lines.agents and category is not None and edit.heading != AGENTS:
            return f"puts what an agent told among what people said: {words}"
        if id_ in lines.binding and category not in (None, *_BINDING):
            return f"makes something else of what holds until you end it: {words}"
        if not is_moved and category not in (None, category_of(name, edit.was_heading)):
            away.setdefault(edit.was_heading, set()).add(id_)
    for heading, left in away.items():
        stood = {block.id for title, block in base.items() if title == heading and block.id in lines.standing}
        if len(stood) > 1 and stood <= left:
            return f"has put all {len(stood)} lines of {_short(heading)} elsewhere"
    return ""


def _short(words: str) -> str:
    return f"“{words}”" if len(words) <= _SHOWN else f"“{words[:_SHOWN].rstrip()}…”"
