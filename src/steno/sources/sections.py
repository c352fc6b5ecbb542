"""A Markdown file cut into sections: each with its heading, its line, and the day it tells of."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from steno.sources.common import time_of

# A section of so many characters is cut between its paragraphs.
_LONG: Final = 4000
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+\S")
_FENCE: Final = re.compile(r" {0,3}(```+|~~~+)")
_DATE: Final = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_TOLD_DATE: Final = re.compile(r"^(?:updated|modified|last_updated|date|created)(?:_at)?:[ \t]*[\"']?([^\"'\n]+)", re.M)


# Around what Steno wrote into a file of somebody else's.
OURS_BEGIN: Final = "<!-- steno: this part is kept by `steno notebook propose` -->"
OURS_END: Final = "<!-- steno: end -->"
_OURS: Final = re.compile(rf"{re.escape(OURS_BEGIN)}.*?{re.escape(OURS_END)}", re.S)


class Section(NamedTuple):
    """Some lines of a file, exactly as they stand there."""

    text: str
    # Its first line, from 1.
    line: int
    at: str | None


def sections(text: str, *, name: str, changed: float) -> Iterator[Section]:
    """The sections of a text. A day stands in the file's name, above the section, or before the text; else the time of
    the last change counts."""
    # Our own words are no news.
    text = _OURS.sub(lambda ours: "\n" * ours[0].count("\n"), text)
    usual = _day(name) or _told(text) or time_of(changed)
    dated: list[tuple[int, str]] = []
    for line, lines in _by_heading(text):
        if level := _level(lines[0]):
            dated = [(above, day) for above, day in dated if above < level]
            if day := _day(lines[0]):
                dated.append((level, day))
        for offset, piece in _pieces(lines):
            yield Section(piece, line + offset, dated[-1][1] if dated else usual)


def _by_heading(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines from one heading to the next. A heading with nothing under it stays with what follows; in a fenced block
    nothing is a heading."""
    start, lines, fence = 1, list[str](), ""
    for number, line in enumerate(text.split("\n"), 1):
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        if not fence and _level(line) and any(one.strip() and not _level(one) for one in lines):
            yield start, lines
            start, lines = number, []
        lines.append(line)
    if any(line.strip() for line in lines):
        yield start, lines


def _pieces(lines: list[str]) -> Iterator[tuple[int, str]]:
    """A section whole, or cut between paragraphs, else lines, else anywhere; with how many lines stand before each."""
    start, size = 0, 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if size > _LONG and number > start and (not line.strip() or size > 2 * _LONG):
            yield from _cut(lines[start:number], start)
            start, size = number, len(line) + 1
    yield from _cut(lines[start:], start)


def _cut(lines: list[str], start: int) -> Iterator[tuple[int, str]]:
    blank = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    text = "\n".join(lines[blank:]).rstrip()
    for place in range(0, len(text), 2 * _LONG):
        yield start + blank, text[place : place + 2 * _LONG]


def _level(line: str) -> int:
    found = _HEADING.match(line)
    return len(found[1]) if found else 0


def _day(text: str) -> str | None:
    """The day a text names, at noon: in UTC that is the same day almost everywhere."""
    found = _DATE.search(text)
    return time_of(f"{found[0]}T12:00:00Z") if found else None


def _told(text: str) -> str | None:
    """A time in the lines between `---` before the text."""
    if not text.startswith("---\n") or (end := text.find("\n---", 4)) < 0:
        return None
    told = _TOLD_DATE.search(text, 0, end)
    return (time_of(told[1].strip()) or _day(told[1])) if told else None
