"""From the text of a page to what stands in it. Nothing raises, and nothing is lost: the raw text of every block is
kept, so that a page nobody changes is byte for byte the page it was."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal

from msgspec import Struct

from steno.notebook.text import LONGEST_LINE, as_words

Kind = Literal["title", "heading", "item", "prose", "blank"]

# What a line may have below it, and where the entry keeps it.
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "answers": ("exchange", "answered"),
    "choice": ("stance", "wanted"),
    "options": ("options",),
    "reasoning": ("stance", "why"),
    "cause": ("cause",),
    "risks": ("risks",),
    "if wrong": ("if_wrong",),
    "context": ("question",),
    "until": ("stance", "until"),
    "where": ("where",),
}
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_ITEM: Final = re.compile(r" {0,1}[-*+][ \t]+(.*)")
_BELOW: Final = re.compile(r"(?: {2,}|\t)[ \t]*(.*)")
_FIELD: Final = re.compile(r"[-*+][ \t]+([a-z ]{2,12}):(?:[ \t]+(.*))?")
_BOX: Final = re.compile(r"\[([ xX])\][ \t]+")
_ID: Final = re.compile(r"<!--\s{0,8}([0-9a-f]{12})\s{0,8}-->")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_NO_WORDS: Final = re.compile(r" {0,3}(?:[>|<]|(?:[-*_][ \t]*){3,}$|\d+[.)][ \t])")


class Block(Struct, frozen=True, kw_only=True):
    """Some lines of a page that belong together."""

    kind: Kind
    # As it stands in the file, with its line ends.
    raw: str
    # What it says: of a heading its title, of an item its words.
    text: str = ""
    # Of an item: whose line it is, its box, what is told below it by name, and what else stands below it.
    id: str | None = None
    box: bool | None = None
    fields: tuple[tuple[str, str], ...] = ()
    extra: str = ""

    @property
    def said(self) -> tuple[object, ...]:
        """What an editor can change of an item."""
        return self.text, self.box, self.fields


class Stretch(Struct, frozen=True):
    """A heading and what stands below it, up to the next one; what stands above the first has none."""

    heading: Block | None
    blocks: list[Block]

    @property
    def title(self) -> str:
        return self.heading.text if self.heading else ""


class Sheet(Struct, frozen=True):
    """A page as it was found."""

    stretches: list[Stretch]
    newline: str = "\n"
    bom: str = ""

    def items(self) -> Iterator[tuple[str, Block]]:
        """Every item with the heading it stands under."""
        for stretch in self.stretches:
            yield from ((stretch.title, block) for block in stretch.blocks if block.kind == "item")

    def titles(self) -> list[str]:
        """What its headings say."""
        return [stretch.title for stretch in self.stretches]

    def prose(self) -> list[str]:
        """What is nobody's line: paragraphs, tables, code."""
        blocks = (block for stretch in self.stretches for block in stretch.blocks)
        found = (block.raw if block.kind == "prose" else block.extra for block in blocks)
        return [text for raw in found if (text := raw.strip())]

    @property
    def text(self) -> str:
        """The page as it is written."""
        return self.bom + "".join(
            (stretch.heading.raw if stretch.heading else "") + "".join(block.raw for block in stretch.blocks)
            for stretch in self.stretches
        )


def parse(text: str) -> Sheet:
    """A page, whoever wrote it."""
    bom = "\ufeff" * (len(text) - len(text.lstrip("\ufeff")))
    lines = text.removeprefix(bom).split("\n")
    raw = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    windows = sum(line.endswith("\r\n") for line in raw)
    stretches = [Stretch(None, [])]
    for block in _blocks(raw):
        if block.kind == "heading":
            stretches.append(Stretch(block, []))
        else:
            stretches[-1].blocks.append(block)
    return Sheet(stretches, newline="\r\n" if 2 * windows > len(raw) else "\n", bom=bom)


def marks_in(text: str) -> list[str]:
    """The ids that stand anywhere in a text, whatever became of the lines they were behind."""
    return _ID.findall(text)


def _blocks(lines: list[str]) -> Iterator[Block]:
    place, first = 0, True
    while place < len(lines):
        line = lines[place].rstrip()
        if not line:
            end, block = place + 1, Block(kind="blank", raw=lines[place])
        elif heading := _HEADING.fullmatch(line):
            kind: Kind = "title" if len(heading[1]) == 1 and first else "heading"
            end, block = place + 1, Block(kind=kind, raw=lines[place], text=as_words(heading[2].rstrip("# \t")))
        elif (item := _ITEM.fullmatch(line)) and not _NO_WORDS.match(line):
            end, block = _item(lines, place, item[1])
        else:
            end = _prose_end(lines, place, top=first)
            block = Block(kind="prose", raw="".join(lines[place:end]))
        yield block
        first = first and block.kind == "blank"
        place = end


def _item(lines: list[str], start: int, first: str) -> tuple[int, Block]:
    """An item: its line, those it was broken into, and what is indented below it."""
    words, fields, end, id_ = [first], [], start + 1, _ID.search(first)
    extra: list[str] = []
    while end < len(lines) and (line := lines[end].rstrip()):
        below = _BELOW.fullmatch(line)
        if below and (field := _FIELD.fullmatch(below[1])) and field[1] in FIELDS and not extra:
            fields.append((field[1], as_words(field[2] or "")))
        elif below and (id_ or fields or extra or _ITEM.fullmatch(below[1]) or _FENCE.match(below[1])):
            extra.append(lines[end])
        elif id_ or fields or extra or (_begins_another(line) and not _ID.match("".join(lines[end : end + 2]).strip())):
            break
        else:
            words.append(line.strip())
            id_ = _ID.search(line)
        end += 1
    whole = " ".join(words)
    id_ = _ID.search(whole)
    box = _BOX.match(whole)
    words_only = _ID.sub("", whole[box.end() if box else 0 :], count=1)
    before, begins, inside = words_only.rpartition("<!--")
    # What is left of an id that was cut says nothing.
    text = as_words(before if begins and "-->" not in inside else words_only)
    raw = "".join(lines[start:end])
    if len(text) > LONGEST_LINE:
        return end, Block(kind="prose", raw=raw)
    ticked = box[1] != " " if box else None
    name = id_[1] if id_ else None
    found = Block(kind="item", raw=raw, text=text, id=name, box=ticked, fields=tuple(fields), extra="".join(extra))
    return end, found


def _begins_another(line: str) -> bool:
    return bool(_ITEM.fullmatch(line) or _HEADING.fullmatch(line) or _FENCE.match(line) or _NO_WORDS.match(line))


def _prose_end(lines: list[str], start: int, *, top: bool) -> int:
    """Where a paragraph ends; a fence, a comment and front matter run on to their own end."""
    first = lines[start].strip()
    if fence := _FENCE.match(lines[start]):
        return _after(lines, start + 1, lambda line: line.strip().startswith(fence[1]))
    if first.startswith("<!--") and "-->" not in first:
        return _after(lines, start + 1, lambda line: "-->" in line)
    if first == "---" and top:
        return _after(lines, start + 1, lambda line: line.strip() == "---")
    end = start + 1
    while end < len(lines) and (line := lines[end].rstrip()):
        if _HEADING.fullmatch(line) or _FENCE.match(line) or (_ITEM.fullmatch(line) and not _NO_WORDS.match(line)):
            break
        end += 1
    return end


def _after(lines: list[str], start: int, is_end: Callable[[str], bool]) -> int:
    """The line after the first that ends it; where none does, all of it."""
    return next((place + 1 for place in range(start, len(lines)) if is_end(lines[place])), len(lines))
