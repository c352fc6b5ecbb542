"""Whose words a turn holds: what the person typed, and what they pasted, quoted or had written by a machine.

The form decides: fences, quotation marks, tags, log lines, a line that introduces somebody's text. Pasted prose without
any mark looks like typed prose; nobody can tell it apart here.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from steno.language.lexicon import lexicon
from steno.language.sentence import sentences, unlisted
from steno.scribe.plain import cue

SegmentKind = Literal["typed", "list", "pasted", "quoted", "code", "template"]
OWN: Final[frozenset[SegmentKind]] = frozenset({"typed", "list"})
# People paste first and ask at the end, so only the head and the tail of a longer turn are read.
HEAD, TAIL = 14_000, 6_000
# From this length on a turn is a written brief.
BRIEF: Final = 2_500
# A line longer than this is examined up to here.
_LINE: Final = 400
# Shorter quotations are names, not somebody's words.
_QUOTED_WORDS: Final = 3

ITEM: Final = re.compile(r"\s*(?:[-*•+–]|\d{1,3}[.)]|[a-zA-Z][.)])\s")
_FENCE: Final = re.compile(r"[ \t]{0,8}(```+|~~~+)")
# A whole turn of several lines that stands there as a quotation: then that is what its person asks for.
_ALL_QUOTED: Final = re.compile(r"(?:[ \t]*+>[^\n]*+\s*+){3,}+")
_TAG: Final = re.compile(r"<([a-zA-Z][\w:-]{0,40})(?:\s[^<>\n]{0,200})?>.*?</\1>", re.DOTALL)
_DIFF: Final = re.compile(r"[+-](?:\s{3,}\S|\s*(?://|/\*))")
# What a terminal printed is filled up with blanks, or stands in columns.
_FILLED: Final = re.compile(r"\S {12,}(?:\S|\n?$)")
_CODE_END: Final = re.compile(r"[;{}]\s*$")
_FIELDS: Final = re.compile(r"\b[\w.-]+=[^\s=]+")
_PROSE: Final = re.compile(
    r"\b(?:i|we|you|it|the|that|this|please|should|can|can't|don't|why|not|is|are|want|need|ich|wir|das|nicht|ist"
    r"|bitte)\b",
    re.I,
)
_FIRST_LINES: Final = 3
_MARKS: Final = re.compile(
    r'"[^"\n]{2,2000}"|“[^”]{2,2000}”|„[^“”]{2,2000}[“”]|«[^»]{2,2000}»|(?<!\w)\'[^\'\n]{12,2000}\'(?!\w)|`[^`\n]+`'
)


class Segment(NamedTuple):
    """A stretch of a turn: `text[start:end]`. Segments follow each other without gaps, from 0 to the end."""

    start: int
    end: int
    kind: SegmentKind


class Said(NamedTuple):
    """A whole sentence that a person typed, and where it stands: `text == turn[start:end]`."""

    start: int
    end: int
    text: str
    # The line above the list that the sentence is an item of.
    lead: str = ""
    lead_at: int = 0

    @property
    def whole(self) -> str:
        """The sentence with the line that leads into it."""
        return f"{self.lead} {unlisted(self.text)}".lstrip()


@lru_cache(maxsize=8)
def segments(text: str) -> tuple[Segment, ...]:
    """The turn, cut by whose words and what kind of words they are."""
    if cue("template").match(text[: 2 * BRIEF]):
        return (Segment(0, len(text), "template"),)
    if len(text) <= HEAD + TAIL:
        return tuple(_joined(_cut(text)))
    tail = len(text) - TAIL
    end = (Segment(one.start + tail, one.end + tail, one.kind) for one in _cut(text[tail:]))
    return tuple(_joined([*_cut(text[:HEAD]), Segment(HEAD, tail, "pasted"), *end]))


def whose(text: str, quote: str) -> Literal["own", "other"]:
    """Whose words a quote from a person's turn is."""
    at = text.find(quote)
    while at >= 0 and not cue("machine").match(text):
        own = sum(min(one.end, at + len(quote)) - max(one.start, at) for one in _within(text, at, at + len(quote)))
        if 2 * own >= len(quote):
            return "own"
        at = text.find(quote, at + 1)
    return "other"


# A turn is heard by the scribe, by whoever shows it, and by what it may end.
@lru_cache(maxsize=8)
def own_sentences(text: str) -> list[Said]:
    """The sentences a person typed, in order."""
    if cue("machine").match(text):
        return []
    found: list[Said] = []
    lead = Said(0, 0, "")
    pieces = [(0, len(text))] if len(text) <= HEAD + TAIL else [(0, HEAD), (len(text) - TAIL, len(text))]
    for begin, end in pieces:
        for span in sentences(text[begin:end]):
            one = Said(span.start + begin, span.end + begin, span.text)
            own = sum(part.end - part.start for part in _clipped(text, one.start, one.end))
            if span.kind in ("code", "table", "heading") or 2 * own < len(one.text) or not _speaks(one.text):
                lead = lead if span.kind != "heading" else Said(0, 0, "")
                continue
            if span.kind == "item":
                one = one._replace(lead=lead.text, lead_at=lead.start)
            else:
                lead = one if one.text.endswith((":", "：")) else Said(0, 0, "")
            found.append(one)
    return found


def _speaks(text: str) -> bool:
    return any(c.isalnum() or ord(c) > 0x2000 for c in text)


def _within(text: str, start: int, end: int) -> Iterator[Segment]:
    return (one for one in segments(text) if one.kind in OWN and one.start < end and one.end > start)


def _clipped(text: str, start: int, end: int) -> Iterator[Segment]:
    return (Segment(max(one.start, start), min(one.end, end), one.kind) for one in _within(text, start, end))


def _cut(text: str) -> Iterator[Segment]:
    """Segments of a text, line by line, with tags and quotations laid over them."""
    tagged = [found.span() for found in _TAG.finditer(text)]
    # A letter, from the greeting to the signature.
    tagged += [(0, found.end()) for found in cue("signature").finditer(text) if found.start()]
    at, fence, rest, said, quotes = 0, "", False, 0, not _ALL_QUOTED.fullmatch(text)
    lines = text.splitlines(keepends=True)
    for line, is_output in zip(lines, _output(lines), strict=True):
        start, at = at, at + len(line)
        said += not line.isspace()
        mark = _FENCE.match(line)
        if fence or mark:
            kind: SegmentKind = "code"
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
        elif rest or any(one <= start < other for one, other in tagged):
            kind = "pasted"
        elif quotes and line.lstrip().startswith(">"):
            kind = "quoted"
        elif cue("others").match(line[:_LINE]) and text[at:].strip():
            kind, rest = "pasted", True
        elif is_output:
            kind = "pasted"
        else:
            kind = "list" if ITEM.match(line) else "typed"
            bare = line[:_LINE].rstrip()
            if said <= _FIRST_LINES and cue("asks about").search(bare) and text[at:].strip():
                rest = not _opens_marked(text, at, ":")
            elif found := _hands_over(bare, text[at : at + _LINE].lstrip(), first=said <= _FIRST_LINES):
                rest = bool(line[found.end() :].strip() or text[at:].strip()) and not _opens_marked(text, at, line)
                yield from _quotations(text, start, start + found.end(), kind)
                start, kind = start + found.end(), "pasted" if rest else kind
        if kind in OWN:
            yield from _quotations(text, start, at, kind)
        else:
            yield Segment(start, at, kind)


def _hands_over(line: str, below: str, *, first: bool) -> re.Match[str] | None:
    """Where a line hands a text over that stands behind or `below` it. Further down in a turn, a name of a text and a
    colon are as likely a heading of the person's own; above a list they are."""
    if found := cue("introduced").search(line):
        return found if below or not found["subject"] else None
    found = cue("hands over").search(line) if first or not ITEM.match(below) else None
    named = first and not lexicon("own_lead").opens(line.strip())
    return found or (cue("named text").search(line) if named else None)


def _opens_marked(text: str, at: int, line: str) -> bool:
    """Whether what is introduced shows its own end: a fence, a quoted line or a quotation mark follows."""
    following = (line[line.rfind(":") + 1 :] + text[at : at + _LINE]).lstrip()
    return following.startswith((">", "```", "~~~", '"', "“", "„", "«", "'"))


def _quotations(text: str, start: int, end: int, kind: SegmentKind) -> Iterator[Segment]:
    at = start
    for found in _MARKS.finditer(text, start, end):
        if found[0][0] != "`" and len(found[0].split()) < _QUOTED_WORDS:
            continue
        yield Segment(at, found.start(), kind)
        yield Segment(found.start(), found.end(), "code" if found[0][0] == "`" else "quoted")
        at = found.end()
    yield Segment(at, end, kind)


def _output(lines: list[str]) -> list[bool]:
    """Which lines a program printed: by their shape, and what stands between such lines without a word of prose."""
    if len(lines) == 1 and not cue("output").match(lines[0]):
        # A single line is what a person types who has to give a name or an address.
        return [False]
    found = [bool(_FILLED.search(line)) or _is_output(line[:_LINE].rstrip()) for line in lines]
    last = len(lines)
    for place, line in enumerate(lines):
        if found[place]:
            found[last + 1 : place] = [True] * (place - last - 1)
            last = place
        elif (
            line.isspace()
            or line.rstrip().endswith((":", "：", "?", "？"))
            or _PROSE.search(line[:_LINE])
            or ITEM.match(line)
        ):
            last = len(lines)
    return found


def _is_output(line: str) -> bool:
    """Whether a line is shaped like output, code or a log rather than like something said."""
    if not line.strip() or (ITEM.match(line) and not _DIFF.match(line)):
        return False
    if cue("output").match(line) or cue("assignment").match(line) or len(_FIELDS.findall(line)) >= 3:
        return True
    prose = len(_PROSE.findall(line))
    if _CODE_END.search(line) or line[:4].isspace() or line[0] == "\t":
        return prose < 3
    letters = sum(c.isalpha() or c.isspace() for c in line[:200])
    return _speaks(line) and len(line) > 12 and letters < 0.55 * len(line[:200]) and prose < 2


def _joined(cut: Iterator[Segment] | list[Segment]) -> list[Segment]:
    """Neighbours of one kind as one, without empty ones."""
    found: list[Segment] = []
    for one in cut:
        if one.start == one.end:
            continue
        if found and found[-1].kind == one.kind:
            found[-1] = found[-1]._replace(end=one.end)
        else:
            found.append(one)
    return found
