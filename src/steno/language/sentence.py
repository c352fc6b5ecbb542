"""Sentences of typed chat: markdown- and code-aware, in linear time."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

SpanKind = Literal["prose", "item", "heading", "quote", "table", "code"]


class Span(NamedTuple):
    """A piece of a text and where it stands: `text == whole[start:end]`, always."""

    start: int
    end: int
    text: str
    kind: SpanKind = "prose"
    # What stands before a list item: "1", "b", "-". Empty elsewhere.
    label: str = ""


_FENCE = re.compile(r"[ \t]{0,8}(?:>[ \t]?)?(```|~~~)")
_ITEM = re.compile(
    r"[ \t]*(?:\*\*)?(?:([-*•+–])[ \t]+(?:\[[ xX]\][ \t]+)?|[(\[]?(\d{1,3}|[a-zA-Z])[.)\]:]\)?[ \t]+"
    r"|(\d{1,2})[.)](?=[A-Za-z]))"
)
_OPTION = re.compile(
    r"[ \t]*(?:[-*•][ \t]+)?\**(?:option|plan|approach|variant)[ \t]+(\d{1,2}|[a-z])\b\**[ \t]*[:.)–—-]+", re.I
)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_TABLE = re.compile(r"[ \t]*\|.*\|[ \t]*$|[ \t]*[┌├└│╔║╚]")
_QUOTED = re.compile(r"[ \t]{0,3}>[ \t]?")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|z\.B|d\.h|bzw|ca|usw|Mr|Mrs|Dr|St)|\b[A-Z])\.$"
)
# "no. 5" is not the end of a sentence, "no." is.
_NUMBERED = re.compile(r"\W?[Nn]o\.\s+\d")
_END = re.compile(
    r"(?<![.!?…])[.!?…]+[)\]\"'”’*_`]*(?=\s)|[。！？；]+[”’」）]*|\s[–—]\s(?=[A-Z])|(?<=\S)\s+(?:🙏|👍|😅|😂|🙂|🤔|❤️?)+(?=\s|$)"
)
# Lines are joined up to here, so that a text of one endless paragraph takes linear time.
_MAX_JOINED = 2000
# Longer texts are cut anew each time, so that few of them are not kept.
_REMEMBERED = 10_000


def sentences(text: str) -> list[Span]:
    """The text cut into sentences. Lines of code, tables, headings, quoted lines, list items are pieces of their own.

    Prose runs over a single line break when the line before does not end a sentence and is long enough to be wrapped.
    """
    return list(_sentences(text)) if len(text) <= _REMEMBERED else _sentences.__wrapped__(text)


# A turn is cut again by every room that looks at it.
@lru_cache(maxsize=256)
def _sentences(text: str) -> list[Span]:
    spans: list[Span] = []
    for block in _blocks(text):
        if block.kind in ("prose", "item", "quote"):
            spans.extend(_cut(block))
        else:
            spans.append(block)
    return spans


def _blocks(text: str) -> Iterator[Span]:
    fenced, at, joining = "", 0, None
    for line in text.splitlines(keepends=True):
        start, end = at, at + len(line.rstrip())
        at += len(line)
        block = _block(text, start, end, fenced)
        fence = _FENCE.match(line)
        if fence:
            marker = fence.group(1)
            fenced = "" if fenced == marker else fenced or marker
        if joining is not None and block is not None and _continues(joining, block):
            joining = joining._replace(end=end, text=text[joining.start : end])
            continue
        if joining is not None:
            yield joining
        joining = block
    if joining is not None:
        yield joining


def unlisted(text: str) -> str:
    """A text without the number, letter or bullet it begins with as a point of a list."""
    item = _ITEM.match(text)
    return text[item.end() :].lstrip() if item else text


def _block(text: str, start: int, end: int, fenced: str) -> Span | None:
    line = text[start:end]
    if not line.strip():
        return None
    if fenced or _FENCE.match(line):
        return Span(start, end, line, "code")
    if _HEADING.match(line):
        return Span(start, end, line, "heading")
    if _TABLE.match(line):
        return Span(start, end, line, "table")
    if _QUOTED.match(line):
        return Span(start, end, line, "quote")
    option = _OPTION.match(line)
    item = _ITEM.match(line)
    if option or item:
        label = option.group(1) if option else next((g for g in item.groups() if g), "") if item else ""
        lead = len(line) - len(line.lstrip())
        return Span(start + lead, end, line[lead:], "item", label.lower())
    lead = len(line) - len(line.lstrip())
    return Span(start + lead, end, line[lead:])


def _continues(before: Span, block: Span) -> bool:
    """Whether a line of prose goes on in the next: hard-wrapped text does, a new thought on its own line does not."""
    if (
        block.kind != "prose"
        or before.kind not in ("prose", "item")
        or block.start - before.end > 40
        or len(before.text) > _MAX_JOINED
    ):
        return False
    last = before.text.rstrip()[-1:]
    width = len(before.text) - before.text.rfind("\n") - 1
    return last not in ".!?:…。！？" and width >= 60 and block.text[:1].islower()


def _cut(block: Span) -> Iterator[Span]:
    text, at, ticks, counted = block.text, 0, 0, 0
    last_tick = text.rfind("`")
    for match in _END.finditer(text):
        ticks += text.count("`", counted, match.end())
        counted = match.end()
        if ticks % 2 and last_tick >= counted:
            continue
        piece = text[at : match.end()]
        if (
            _ABBREVIATED.search(piece[-8:])
            or _NUMBERED.match(text, max(0, match.end() - 4))
            or (block.kind == "item" and at == 0 and len(piece) < 4)
        ):
            continue
        yield from _trimmed(block, at, match.end())
        at = match.end()
    yield from _trimmed(block, at, len(text))


def _trimmed(block: Span, start: int, end: int) -> Iterator[Span]:
    piece = block.text[start:end]
    left = len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if piece:
        begin = block.start + start + left
        yield Span(begin, begin + len(piece), piece, block.kind, block.label if start == 0 else "")
