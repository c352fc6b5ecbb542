"""Three texts of one page: what we last wrote, what is there now, what we would write. What people changed comes out as
edits; what is written keeps every word that is nobody's line, and lines that stay the same as they were typed."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import unified_diff
from itertools import count
from typing import Final, Literal

from msgspec import Struct, structs

from steno.notebook.pages import Item, Page, Section
from steno.notebook.parse import Block, Sheet, Stretch, parse
from steno.notebook.text import as_line, plain

_MARK: Final = re.compile(r"[ \t]*<!--[ \t]*[0-9a-f]{12}[ \t]*-->")
# Of a longer difference nobody reads more.
_MOST_LINES: Final = 500
_EMPTY: Final = Block(kind="blank", raw="\n")


class Edit(Struct, frozen=True, kw_only=True):
    """What a person did to one line of a page."""

    # `moved`: it left another page.
    act: Literal["new", "came", "moved", "changed", "gone"]
    # Which of the page's items it is now; of one that is gone, none.
    place: int = -1
    # The line as it is now, and the heading above it; of one that is gone, as it was.
    block: Block
    heading: str
    # As we last wrote it, here or on the page it left.
    was: Block | None = None
    was_heading: str = ""


def edits(base: Sheet | None, now: Sheet) -> list[Edit]:
    """What was changed in a page since we wrote it. Without a page of ours every line without an id is new.

    Whose line it is, its words say first, then its id: a formatter, a paste or a sort takes ids away or mixes them up.
    """
    before = _placed(base) if base else {}
    typed = {(heading, block.text) for heading, block in base.items() if block.id is None} if base else set()
    lines = list(now.items())
    owned = _owned(lines, before, typed)
    there = {id_: lines[place][1].said for place, id_ in owned.items()}
    found: list[Edit] = []
    for place, (heading, block) in enumerate(lines):
        id_ = owned.get(place)
        if id_ is not None:
            found += _met(*before[id_], Edit(act="changed", place=place, block=block, heading=heading))
        elif block.id is not None and block.id not in there:
            there[block.id] = block.said
            found.append(Edit(act="came", place=place, block=block, heading=heading))
        elif block.id is not None and there[block.id] == block.said:
            continue  # the same line twice
        elif (heading, block.text) not in typed and block.text:
            found.append(Edit(act="new", place=place, block=block, heading=heading))
    held = set(owned.values())
    gone = ((heading, block) for id_, (heading, block) in before.items() if id_ not in held)
    return [*found, *(Edit(act="gone", block=block, heading=heading) for heading, block in gone)]


def laid(sheet: Sheet, page: Page) -> str:
    """A page as it is to be, laid over the one that is there."""
    homes = {item.id: (section.title.casefold(), item) for section in page.sections for item in section.items}
    order = {title.casefold(): place for place, title in enumerate(page.headings)}
    placed: dict[str, set[str]] = {}
    stretches: list[Stretch] = []
    there: set[str] = set()
    for stretch in sheet.stretches:
        title = stretch.title.casefold()
        kept, dropped = _kept(stretch, homes, there, own=title not in order, newline=sheet.newline)
        if title in order and dropped and all(block.kind == "blank" for block in kept):
            continue
        stretches.append(Stretch(stretch.heading, kept))
        placed.setdefault(title, set()).update(block.id for block in kept if block.id)
    if not sheet.text.strip():
        title_line = Block(kind="title", raw=f"# {as_line(page.title)}{sheet.newline}")
        stretches = [Stretch(None, [title_line])]
    for section in page.sections:
        missing = [item for item in section.items if item.id not in there]
        if missing:
            _add(stretches, section, {item.id for item in missing}, order, sheet.newline)
    return _ended(Sheet(stretches, sheet.newline, sheet.bom))


def fresh(page: Page) -> str:
    """A page where there was none."""
    return laid(parse(""), page)


def without(sheet: Sheet, words: str | None, ids: Collection[str]) -> Sheet:
    """A page without what holds some words, and without the lines of some ids: they are to be forgotten."""

    def left(block: Block) -> Block | None:
        if block.id in ids:
            block = Block(kind="prose", raw=block.extra)
        return block if block.raw and (words is None or words not in block.raw) else None

    stretches = [
        Stretch(one.heading, [kept for block in one.blocks if (kept := left(block))]) for one in sheet.stretches
    ]
    return Sheet(stretches, sheet.newline, sheet.bom)


def taken(sheet: Sheet, ids: Mapping[int, str]) -> Sheet:
    """A page on which some items, by their place, are lines of entries now."""
    place = count()

    def named(block: Block) -> Block:
        here = next(place) if block.kind == "item" else -1
        return structs.replace(block, id=ids[here]) if here in ids else block

    stretches = [Stretch(one.heading, list(map(named, one.blocks))) for one in sheet.stretches]
    return Sheet(stretches, sheet.newline, sheet.bom)


def difference(before: str, now: str) -> str:
    """What is different, as people read it: without the ids of lines."""
    old, new = (
        [_MARK.sub("", line).rstrip() for line in text.removeprefix("\ufeff").splitlines()] for text in (before, now)
    )
    lines = list(unified_diff(old, new, "before", "now", lineterm="", n=2))
    more = len(lines) - _MOST_LINES
    return "\n".join(lines[:_MOST_LINES] + ([f"… and {more:,} more lines"] if more > 0 else []))


def _placed(sheet: Sheet) -> dict[str, tuple[str, Block]]:
    found: dict[str, tuple[str, Block]] = {}
    for heading, block in sheet.items():
        if block.id is not None:
            found.setdefault(block.id, (heading, block))
    return found


def _owned(
    lines: list[tuple[str, Block]], before: Mapping[str, tuple[str, Block]], typed: Collection[tuple[str, str]]
) -> dict[int, str]:
    """Which line is which of those we wrote, by its place: one that has its words and its id, then one that has its
    words, below its own heading first, then one that has its id."""
    by_words: dict[str, list[str]] = {}
    for id_, (_, was) in before.items():
        by_words.setdefault(plain(was.text), []).append(id_)
    ways: tuple[Callable[[str, Block, str], bool], ...] = (
        lambda heading, block, id_: block.id == id_,
        lambda heading, block, id_: heading.casefold() == before[id_][0].casefold(),
        lambda heading, block, id_: True,
    )
    owned: dict[int, str] = {}
    left = set(before)
    for fits in ways:
        for place, (heading, block) in enumerate(lines):
            if place in owned or (block.id is None and (heading, block.text) in typed):
                continue
            named = by_words.get(plain(block.text), ())
            same = next((id_ for id_ in named if id_ in left and fits(heading, block, id_)), None)
            if same is not None:
                owned[place] = same
                left.discard(same)
    for place, (_, block) in enumerate(lines):
        if place not in owned and block.id is not None and block.id in left:
            owned[place] = block.id
            left.discard(block.id)
    return owned


def _met(heading: str, was: Block, edit: Edit) -> list[Edit]:
    """What was done to a line of ours, if anything was: how it is typeset is nobody's doing."""
    now = edit.block
    text = was.text if plain(was.text) == plain(now.text) else now.text
    fields = was.fields if _typeset(was.fields) == _typeset(now.fields) else now.fields
    if now.id == was.id and (text, now.box, fields) == was.said and heading.casefold() == edit.heading.casefold():
        return []
    block = structs.replace(now, id=was.id, text=text, fields=fields)
    return [structs.replace(edit, block=block, was=was, was_heading=heading)]


def _typeset(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, plain(value)) for name, value in fields]


def _kept(
    stretch: Stretch, homes: Mapping[str, tuple[str, Item]], there: set[str], *, own: bool, newline: str
) -> tuple[list[Block], int]:
    """What stays below a heading, and how many lines do not; under a person's own heading a line stays where it is."""
    kept: list[Block] = []
    dropped = 0
    for block in stretch.blocks:
        if block.kind != "item" or block.id is None:
            kept.append(block)
            continue
        home = homes.get(block.id)
        if home is not None and block.id not in there and (own or home[0] == stretch.title.casefold()):
            there.add(block.id)
            kept.append(_renewed(block, home[1], newline))
            continue
        dropped += 1
        if block.extra:
            kept.append(Block(kind="prose", raw=block.extra))
    return kept, dropped


def _renewed(block: Block, item: Item, newline: str) -> Block:
    """The line of an item: as it was typed, if it says what it should and carries its id."""
    same = block.box == item.box and _typeset([("", block.text), *block.fields]) == _typeset(
        [("", item.text), *item.fields]
    )
    if same and item.id in block.raw:
        return block
    return structs.replace(_written(item, newline), raw=_raw(item, newline) + block.extra, extra=block.extra)


def _written(item: Item, newline: str) -> Block:
    return Block(
        kind="item", raw=_raw(item, newline), text=item.text, id=item.id, box=item.box, fields=item.fields
    )  # fmt: skip


def _raw(item: Item, newline: str) -> str:
    box = "" if item.box is None else f"[{'x' if item.box else ' '}] "
    below = "".join(f"  - {name}: {as_line(value)}{newline}" for name, value in item.fields)
    return f"- {box}{as_line(item.text)} <!-- {item.id} -->{newline}{below}"


def _add(stretches: list[Stretch], section: Section, missing: set[str], order: Mapping[str, int], newline: str) -> None:
    """Put lines that are not there below their heading, each after the one it follows."""
    title = section.title.casefold()
    at = next((n for n, one in enumerate(stretches) if one.heading and one.title.casefold() == title), None)
    if at is None:
        lower = [n for n, one in enumerate(stretches) if order.get(one.title.casefold(), len(order)) < order[title]]
        at = (lower[-1] if lower else 0) + 1
        heading = Block(kind="heading", raw=f"## {section.title}{newline}", text=section.title)
        stretches.insert(at, Stretch(heading, [structs.replace(_EMPTY, raw=newline)]))
    blocks = stretches[at].blocks
    here = {block.id for block in blocks if block.id}
    followers: dict[str, list[Block]] = {}
    last = ""
    for item in section.items:
        if item.id in missing:
            followers.setdefault(last, []).append(_written(item, newline))
        elif item.id in here:
            last = item.id
    start = next((n for n, block in enumerate(blocks) if block.kind != "blank"), len(blocks))
    first = followers.get("", [])
    gap = [structs.replace(_EMPTY, raw=newline)] if first and blocks[start:] and blocks[start].kind != "item" else []
    laid_out = [*blocks[:start], *first, *gap]
    for block in blocks[start:]:
        laid_out += [block, *followers.get(block.id or "\0", ())]
    stretches[at] = Stretch(stretches[at].heading, laid_out)


def _ended(sheet: Sheet) -> str:
    """The text: every block on lines of its own, a blank line before each heading of ours."""
    text = sheet.bom
    for stretch in sheet.stretches:
        if stretch.heading is not None:
            if text.strip() and not text.endswith((2 * sheet.newline, f"{sheet.newline}\n", "\n\n")):
                text += sheet.newline if text.endswith("\n") else 2 * sheet.newline
            text += stretch.heading.raw
        for block in stretch.blocks:
            text += sheet.newline if text and not text.endswith("\n") and text != sheet.bom else ""
            text += block.raw
    return text
