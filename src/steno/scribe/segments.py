"""A person's turn cut into segments by its form: fences, quotation marks, lines that introduce a block, letterheads,
speakers, logs. Where the form does not say where somebody else's text ends, it ends with the turn, but for a short last
paragraph. Linear, and pure."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from steno.scribe.introduced import REPORTED, introduction
from steno.scribe.lines import ITEM, LINE, LOG, PAIRS, lines, opens_others

# `handed`: what stands below a colon, or ends somebody else's text: as likely the person's own as not.
SegmentKind = Literal["typed", "list", "handed", "pasted", "quoted", "code", "template"]
OWN: Final[frozenset[SegmentKind]] = frozenset({"typed", "list"})
HEARD: Final[frozenset[SegmentKind]] = frozenset({"typed", "list", "handed"})
# So many words in quotation marks are somebody's words; so many are a text, which may hold marks itself.
_WORDS, _TEXT = 3, 8
# Of a longer turn only its head and its tail are examined: people paste first and ask at the end.
HEAD, TAIL = 14_000, 6_000
# A last paragraph of at most so many characters is what people add to what they pasted.
_ADDED: Final = 300
_FENCE: Final = re.compile(r"[ \t]{0,8}(```+|~~~+)")
# The head of a prompt file, a part to play, or the agent's own plan, which some hosts send back in a person's name.
_TEMPLATE: Final = re.compile(
    r"\s*(?:---[ \t]*\n\w[\w-]*:|you are (?:now )?(?:an?|the) [^\n.]{3,80}[.\n].{60}"
    r"|(?:implement the following plan|please implement this plan):\s*\n)",
    re.I | re.DOTALL,
)
_MARK: Final = re.compile("[“”„«»「」\"'`‘’]")


class Segment(NamedTuple):
    """A stretch of a turn: `text[start:end]`. Segments follow each other without gaps, from 0 to the end."""

    start: int
    end: int
    kind: SegmentKind


@lru_cache(maxsize=4)
def segments(text: str) -> tuple[Segment, ...]:
    """The turn, cut by whose words and what kind of words they are."""
    if _TEMPLATE.match(text[:LINE]):
        return (Segment(0, len(text), "template"),)
    if len(text) > HEAD + TAIL:
        head, tail = segments(text[:HEAD]), len(text) - TAIL
        end = (
            segment._replace(start=segment.start + tail, end=segment.end + tail) for segment in segments(text[tail:])
        )
        return tuple(_joined([*head, Segment(HEAD, tail, "pasted"), *end]))
    cut = list(_with_tail(text, _joined(_by_line(text))))
    marked = sorted([*_quotations(text, cut), *_reported(text, cut)])
    return tuple(_joined(_laid_over(cut, marked)))


def _by_line(text: str) -> Iterator[Segment]:
    fence, speakers = "", dict[str, int]()
    kind: SegmentKind = "typed"
    # What the rest of the turn is.
    rest: SegmentKind = "typed"
    found = list(lines(text))
    for place, line in enumerate(found):
        mark, colon = _FENCE.match(line.text), None
        if fence or mark:
            kind = "code"
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
        elif not line.text.strip():
            kind = kind if kind in OWN or rest != "typed" else "typed"
        elif line.text.lstrip().startswith(">"):
            kind = "quoted"
        elif rest == "pasted" or opens_others(line.text, found, place, speakers):
            kind = rest = "pasted"
        else:
            colon = introduction(text, found, place)
            if line.log:
                # "error: …" is a log's own word, but a line may be dressed up as one.
                kind = "pasted"
                rest, colon = ("pasted" if colon and not LOG.match(line.text) else rest), None
            else:
                kind = rest if rest != "typed" else "list" if ITEM.match(line.text) else "typed"
        if colon is None:
            yield Segment(line.start, line.end, kind)
            continue
        yield Segment(line.start, colon.at, kind)
        kind = rest = "pasted" if colon.named else "handed"
        yield Segment(colon.at, line.end, kind)


def _with_tail(text: str, cut: list[Segment]) -> Iterator[Segment]:
    """The segments; a short last paragraph below what was introduced may be the person's again."""
    *before, last = cut or [Segment(0, 0, "typed")]
    at = text.rstrip().rfind("\n\n", last.start) + 2
    introduced = last.kind == "pasted" and text[: last.start].endswith((":", "：")) and text[last.start : at].strip()
    yield from before
    if introduced and at > len(text) - _ADDED and not any(line.log for line in lines(text[at:])):
        yield from (last._replace(end=at), Segment(at, last.end, "handed"))
    else:
        yield last


def _quotations(text: str, cut: list[Segment]) -> Iterator[Segment]:
    """What stands in quotation marks. A quoted text may hold marks itself, so all up to the last mark belongs to it."""
    found = list(_marked(text, cut))
    told = [(start, end) for start, end in found if _count_words(text[start:end]) >= _WORDS or _alone(text, start, end)]
    if any(_count_words(text[start:end]) >= _TEXT for start, end in told):
        told = [(told[0][0], max(end for _, end in found))]
    return (Segment(start, end, "code" if text[start] == "`" else "quoted") for start, end in told)


def _marked(text: str, cut: list[Segment]) -> Iterator[tuple[int, int]]:
    """Outermost pairs of marks outside of fences and quoted lines; what lies between two of them belongs to the pair.

    A mark at a line's start or after a colon that is never closed goes on to the end.
    """
    opened: list[tuple[int, str]] = []
    marks = (
        match for one in cut if one.kind not in ("code", "quoted") for match in _MARK.finditer(text, one.start, one.end)
    )
    for match in marks:
        at, mark = match.start(), match.group()
        before, after = text[at - 1 : at] or "\n", text[at + 1 : at + 2] or " "
        closing = next((n for n in range(len(opened) - 1, -1, -1) if mark in PAIRS[opened[n][1]]), None)
        if closing is not None and (mark not in PAIRS or not (after.isalnum() or before.isspace())):
            del opened[closing + 1 :]
            start, _ = opened.pop()
            if not opened:
                yield start, at + 1
        elif mark in PAIRS and len(opened) < _TEXT and not before.isalnum() and (before == "\n" or not after.isspace()):
            opened.append((at, mark))
    for start, mark in opened[:1]:
        before = text[max(0, start - LINE) : start].rstrip(" \t")
        if mark not in "'`‘" and (not before or before[-1] in "\n:"):
            yield start, len(text)


def _alone(text: str, start: int, end: int) -> bool:
    """Whether nothing but the quotation stands on its lines."""
    before, after = text[max(0, start - LINE) : start].rpartition("\n")[2], text[end : end + LINE].partition("\n")[0]
    return not before.strip() and not after.strip(" .,!?")


def _reported(text: str, cut: list[Segment]) -> Iterator[Segment]:
    for segment in cut:
        if segment.kind in HEARD:
            for match in REPORTED.finditer(text, segment.start, segment.end):
                end = text.find("\n", match.end(), segment.end)
                yield Segment(match.end(), segment.end if end < 0 else end, "quoted")


def _count_words(text: str) -> int:
    return len(text.split())


def _laid_over(cut: list[Segment], marked: list[Segment]) -> Iterator[Segment]:
    """The segments, with what is marked inside what is heard cut out of them."""
    place = 0
    for segment in cut:
        at = segment.start
        while place < len(marked) and marked[place].start < segment.end:
            mark = marked[place]
            start, end = max(at, mark.start), min(segment.end, mark.end)
            if segment.kind in HEARD and start < end:
                if at < start:
                    yield Segment(at, start, segment.kind)
                yield Segment(start, end, mark.kind)
                at = end
            if mark.end > segment.end:
                break
            place += 1
        if at < segment.end:
            yield Segment(at, segment.end, segment.kind)


def _joined(cut: Iterable[Segment]) -> list[Segment]:
    """Neighbours of one kind as one."""
    found: list[Segment] = []
    for segment in cut:
        if segment.start == segment.end:
            continue
        if found and found[-1].kind == segment.kind:
            found[-1] = found[-1]._replace(end=segment.end)
        else:
            found.append(segment)
    return found
