"""MEMORY.md: what an agent is to know exists, and where to read on. Pointers only, never more than so many bytes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from steno.notebook.merge import laid
from steno.notebook.pages import OF_PEOPLE, OF_PLACES, SHELVES, Item, Page, Section, topic_of
from steno.notebook.parse import Sheet
from steno.notebook.text import as_line, as_words, mark

RECENT, PROJECTS, PEOPLE, PLACES, ALL = "Recent activity", "Projects", "Key people", "Infrastructure", "Pages"
HEADINGS: Final = (RECENT, PROJECTS, PEOPLE, PLACES, ALL)
# Which topic a line a person writes below one of our headings belongs to.
TOPIC_OF: Final = {PROJECTS: "projects/general", PEOPLE: OF_PEOPLE, PLACES: OF_PLACES}
_GOAL: Final = 100


class Happened(Struct, frozen=True):
    """A session that went on lately: when, in which project (empty: that of the folder), what for, and the page of its
    day, if it has one."""

    at: str
    project: str
    goal: str
    page: str


def memory_page(
    title: str, happened: Sequence[Happened], projects: Mapping[str, int], pages: Mapping[str, int]
) -> Page:
    """The index of a folder: what happened, folders of projects and pages, each with how many lines it has."""
    recent = (_pointer(one.page, *_named(one), before=f"{one.at[:16].replace('T', ' ')} ") for one in happened)
    places = {"people": PEOPLE, "infrastructure": PLACES}
    found: dict[str, list[Item]] = {heading: [] for heading in HEADINGS}
    found[RECENT] += recent
    found[PROJECTS] += (_pointer(f"{name}/MEMORY.md", name, f": {_lines(count)}") for name, count in projects.items())
    for name, lines in sorted(pages.items()):
        heading = places.get((topic_of(name) or "").partition("/")[0], ALL)
        found[heading].append(_pointer(name, _title(name), f": {_lines(lines)}"))
    return Page(title, [Section(heading, items) for heading, items in found.items() if items], HEADINGS)


def within(sheet: Sheet, page: Page, most: int) -> str:
    """The index laid over the one that is there, in at most so many bytes.

    What a person wrote in it is never cut: where that alone is too much, nothing of ours is added.
    """
    sections = list(page.sections)
    while True:
        text = laid(sheet, Page(page.title, sections, page.headings))
        over = len(text.encode()) - most
        if over <= 0 or not any(section.items for section in sections):
            return text
        # The longest list loses its end, about as much as is too much.
        longest = max(range(len(sections)), key=lambda place: len(sections[place].items))
        items = list(sections[longest].items)
        while items and over > 0:
            over -= len(items.pop().text.encode()) + 24
        sections[longest] = Section(sections[longest].title, items)


def _pointer(target: str, name: str, after: str, before: str = "") -> Item:
    """A line that leads somewhere; without a target it only tells."""
    link = f"[{name}]({target})" if target else name
    return Item(id=mark("pointer", target, name, before), text=as_words(as_line(f"{before}{link}{after}")))


def _named(one: Happened) -> tuple[str, str]:
    return (one.project, f": {_short(one.goal)}") if one.project else (_short(one.goal), "")


def _title(name: str) -> str:
    topic = topic_of(name)
    return topic or (SHELVES[name].title if name in SHELVES else name.removesuffix(".md"))


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number:,} lines"


def _short(goal: str) -> str:
    line = as_line(goal)
    return line if len(line) <= _GOAL else f"{line[: _GOAL - 1].rstrip()}…"


def counted(names: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Pages by name, those without a line left out."""
    return {name: lines for name, lines in names if lines and name != "MEMORY.md"}
