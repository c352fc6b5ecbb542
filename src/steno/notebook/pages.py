"""What a page is to hold: a title, headings in a fixed order, lines of entries. Which of them an entry stands on is
data: another kind of page is another row of `SHELVES`."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from steno.language.facts import stated
from steno.language.words import normal
from steno.notebook.text import as_line, as_words, file_name, mark
from steno.vocabulary import PEOPLE, Category, Entry
from steno.vocabulary.details import AnyDetail

AGENTS: Final = "Told by agents, not checked"
# Pages of older versions have it. It goes, with its lines.
_FORMER: Final = "Waiting for your word"
TOPICS: Final = "topics"
MEMORY: Final = "MEMORY.md"
# Topics of facts that are no single project's, by what a fact states.
OF_PEOPLE, OF_PLACES = "people/people", "infrastructure/operations"
_OF_FACTS: Final = {"role": OF_PEOPLE, "owner": OF_PEOPLE, "place": OF_PLACES, "goes": OF_PLACES}
_DATED: Final = frozenset({"decisions.md", "observations.md"})
_BOXED: Final = frozenset({"task", "commitment"})
# What joins several things said, in one value.
_BETWEEN: Final = " / "
_NUMBER: Final = re.compile(r"^[ \t]{0,3}(?:\d{1,3}[.)]|[-*+])[ \t]+")
_LONGEST_CALL = 120
# As long as `2026-03-02 09:03`.
_STAMP: Final = 16


class Item(Struct, frozen=True, kw_only=True):
    """A line: somebody's words, by the id of their entry."""

    id: str
    text: str
    box: bool | None = None
    fields: tuple[tuple[str, str], ...] = ()


class Section(Struct, frozen=True):
    """A heading and its lines, in the order they are to stand in."""

    title: str
    items: Sequence[Item]


class Page(Struct, frozen=True):
    """A page as it is to be."""

    title: str
    sections: Sequence[Section]
    # Every heading a page of this kind may have, in order.
    headings: tuple[str, ...]


class Shelf(Struct, frozen=True):
    """A kind of page: its title and, for each heading, the category of what is written there first."""

    title: str
    headings: dict[str, Category]
    # Whether what agents told stands there, too.
    agents: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        return (*self.headings, *((AGENTS,) if self.agents else ()), _FORMER)


SHELVES: Final = {
    "rules.md": Shelf("Rules", {"What holds": "rule"}),
    "rejections.md": Shelf("Refused", {"What was refused": "rejected"}),
    "decisions.md": Shelf("Decisions", {"What was decided": "decision"}, agents=True),
    "observations.md": Shelf("Observations", {"Found out": "discovery", "The situation": "context"}, agents=True),
    TOPICS: Shelf(
        "",
        {
            "What holds": "fact",
            "To do": "task",
            "Promised": "commitment",
            "Learnt": "learning",
            "Did not work": "exclusion",
        },
        agents=True,
    ),
}
_SHELF_OF: Final = {
    category: (name, heading) for name, shelf in SHELVES.items() for heading, category in shelf.headings.items()
}


def shelf_of(name: str) -> Shelf | None:
    """What kind of page a file is. None: it is none of ours."""
    return SHELVES[TOPICS] if topic_of(name) else SHELVES.get(name)


def topic_of(name: str) -> str | None:
    """`people/team` of `topics/people/team.md`."""
    parts = name.removesuffix(".md").split("/")
    return "/".join(parts[1:]) if len(parts) == 3 and parts[0] == TOPICS and name.endswith(".md") else None


def place_of(entry: Entry, topic: str | None) -> tuple[str, str] | None:
    """The page an entry stands on and the heading above it. None: it stands on none."""
    if entry.category not in _SHELF_OF or entry.status not in ("active", "done") or entry.origin in ("file", "tool"):
        return None
    name, heading = _SHELF_OF[entry.category]
    shelf = SHELVES[name]
    if entry.origin not in PEOPLE:
        if not shelf.agents:
            return None
        heading = AGENTS
    return page_of(entry.category, topic or own_topic(entry.project)), heading


def page_of(category: Category, topic: str) -> str:
    """The name of the page for a category; empty: there is none."""
    name = _SHELF_OF.get(category, ("",))[0]
    return f"{TOPICS}/{topic}.md" if name == TOPICS else name


def topic_of_fact(category: str, words: str) -> str | None:
    """The topic of a fact about people or places; None: it belongs to its project, as all else does."""
    fact = stated(words) if category == "fact" else None
    return _OF_FACTS.get(fact.name) if fact else None


def topic_of_field(domain: str) -> str:
    """The topic of a field of work that a person named."""
    return f"projects/{file_name(domain)}"


def own_topic(project: str | None) -> str:
    """The topic of an entry that nobody moved."""
    return f"projects/{file_name((project or '').rstrip('/').rpartition('/')[2]) if project else 'general'}"


def category_of(name: str, heading: str) -> Category | None:
    """What a new line under a heading of a page becomes; on a topic any heading of a person's own holds facts."""
    shelf = shelf_of(name)
    if shelf is None:
        return None
    known = {title.casefold(): category for title, category in shelf.headings.items()}
    first = next(iter(shelf.headings.values()))
    return known.get(heading.casefold(), first)


def title_of(name: str, project: str) -> str:
    """The first line of a page."""
    topic = topic_of(name)
    title = topic.rpartition("/")[2].replace("-", " ").capitalize() if topic else SHELVES[name].title
    return f"{title}: {project}" if project and file_name(project) != file_name(title) else title


def older_of(name: str, heading: str) -> Item:
    """The line above the latest ones that says where the older ones are."""
    shelf = shelf_of(name)
    category = shelf.headings.get(heading) if shelf else None
    command = f"steno entries --category {category}" if category else "steno entries"
    return Item(id=mark("older", name, heading), text=f"older ones: `{command}`")


def item_of(entry: Entry, name: str, heading: str) -> Item:
    """An entry as a line."""
    at = f"{(entry.created_at or '')[:_STAMP].replace('T', ' ')} " if name in _DATED and entry.created_at else ""
    box = entry.status == "done" if entry.category in _BOXED and heading != AGENTS else None
    text = f"{at}{line_of(entry)}"
    return Item(id=entry.id, text=text, box=box, fields=_fields(entry.detail, text))


def line_of(entry: Entry) -> str:
    """What an entry says on a page, as it is read back: a person's own words; the heading says what they come to."""
    exchange = entry.detail.exchange
    if entry.origin != "user" or not exchange.said:
        return as_words(as_line(entry.summary))
    call = f" (stopped: {exchange.call.tool} {exchange.call.given[:_LONGEST_CALL]})" if exchange.call else ""
    return as_words(as_line(f"“{exchange.said}”{call}"))


def words_of(name: str, text: str) -> str:
    """What a line says, without the date we put before it and the marks around a quote."""
    if name in _DATED and len(text) > _STAMP and _is_stamp(text[:_STAMP]):
        text = text[_STAMP:].strip()
    return text[1:-1] if text.startswith("“") and text.find("”") == len(text) - 1 else text


def _is_stamp(text: str) -> bool:
    return "".join("0" if sign.isdigit() else sign for sign in text) == "0000-00-00 00:00"


def _fields(detail: AnyDetail, line: str) -> tuple[tuple[str, str], ...]:
    """What stands below a line: only what the lines above it do not say."""
    told = {
        "answers": detail.exchange.answered,
        "choice": detail.stance.wanted,
        "options": "; ".join(getattr(detail, "options", ())),
        "reasoning": detail.stance.why,
        "cause": getattr(detail, "cause", ""),
        "risks": getattr(detail, "risks", ""),
        "if wrong": getattr(detail, "if_wrong", ""),
        "context": getattr(detail, "question", ""),
        "until": detail.stance.until,
        "where": getattr(detail, "where", ""),
    }
    said, shown = f" {normal(line)} ", []
    for name, value in told.items():
        words = as_words(as_line(value))
        # What was put to somebody and what they said to it may stand in one value; marks and numbers say nothing.
        parts = [f" {normal(_NUMBER.sub('', part))} " for part in words.split(_BETWEEN)]
        if any(part.strip() and part not in said for part in parts):
            shown.append((name, words))
            said += f" {normal(words)} "
    return tuple(shown)
