"""What people did to pages in their editors becomes records, by the verbs there are for it: an entry is remembered,
revised, archived, answered for. What changed in the store meanwhile is never overwritten: both texts are kept."""

import json
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from msgspec import Struct, field, structs

from steno.clock import Clock
from steno.notebook.index import TOPIC_OF
from steno.notebook.merge import Edit, edits
from steno.notebook.pages import (
    AGENTS,
    MEMORY,
    Item,
    Page,
    category_of,
    line_of,
    own_topic,
    shelf_of,
    topic_of,
    words_of,
)
from steno.notebook.parse import FIELDS, Sheet
from steno.notebook.text import plain
from steno.pipeline.told import hold_against
from steno.store import Store
from steno.store.remembered import remembered_id
from steno.vocabulary import Category, Entry
from steno.vocabulary.notebooks import Edited, Synced, Taken

_BOTH: Final = "both were changed: one in the notebook, one elsewhere"
# A paragraph of fewer words says nothing to be found by.
_FEWEST_WORDS: Final = 3
_LONGEST_NOTE: Final = 4_000


class Changed(Struct, kw_only=True):
    """A page somebody changed."""

    folder: str
    name: str
    project: str | None
    agent: str | None
    # What we last wrote, what is there, and what we would have written.
    base: Sheet | None
    now: Sheet
    wanted: Page
    edits: list[Edit] = field(default_factory=list)
    # What was made of it: which of its items are lines of which entry now.
    ids: dict[int, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[str, str]:
        return self.folder, self.name

    @property
    def whose(self) -> tuple[str | None, str | None]:
        return self.project, self.agent

    @property
    def items(self) -> dict[str, Item]:
        return {item.id: item for section in self.wanted.sections for item in section.items}

    def below(self, heading: str) -> set[str]:
        """Ids of what is to stand below a heading of ours, wherever a person put it."""
        return {item.id for section in self.wanted.sections if section.title == heading for item in section.items}

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}" if self.folder else self.name


def find(pages: Iterable[Changed]) -> None:
    """What was done to pages. A line that left one of them and came to another was moved, also if its id went."""
    pages = list(pages)
    for page in pages:
        page.edits = edits(page.base, page.now)
    gone = [(page, edit) for page in pages for edit in page.edits if edit.act == "gone" and page.name != MEMORY]
    by_id = {(*page.whose, edit.block.id): (page, edit) for page, edit in gone}
    by_words = {(*page.whose, plain(edit.block.text)): (page, edit) for page, edit in gone}
    for page in pages:
        for number, edit in enumerate(page.edits if page.name != MEMORY else ()):
            left = (
                by_id.pop((*page.whose, edit.block.id), None)
                if edit.act == "came"
                else by_words.get((*page.whose, plain(edit.block.text)))
                if edit.act == "new" and shelf_of(page.name)
                else None
            )
            if left is not None and left[1] in left[0].edits:
                was = left[1]
                left[0].edits.remove(was)
                block = structs.replace(edit.block, id=was.block.id)
                page.edits[number] = structs.replace(
                    edit, act="moved", block=block, was=was.block, was_heading=was.heading
                )


class Edits:
    """Takes edits in."""

    def __init__(self, store: Store, clock: Clock, scrub: Callable[[str], str], synced: Synced) -> None:
        self._store = store
        self._clock = clock
        self._scrub = scrub
        self._synced = synced

    def take(self, pages: Iterable[Changed]) -> None:
        """Every edit of these pages: first what is there, then what is gone."""
        found = [(page, edit) for page in pages for edit in page.edits]
        for page, edit in sorted(found, key=lambda one: one[1].act == "gone"):
            match edit.act:
                case "new":
                    self._new(page, edit)
                case "changed":
                    self._changed(page, edit)
                case "moved":
                    self._moved(page, edit)
                case "came":
                    self._came(page, edit)
                case "gone":
                    self._gone(page, edit)

    def notes(self, page: Changed) -> None:
        """Prose is nobody's line: it is found by recall as what a file says, and binds nobody."""
        before = set(page.base.prose()) if page.base else set()
        now = set(page.now.prose())
        for text in sorted(now - before):
            if words := self._note(text):
                where = {"project": page.project, "agent": page.agent}
                id_ = self._store.entries.remember(words, "context", **where, now=self._clock(), origin="file")
                self._tell("note", page, id_, words)
        for text in before - now:
            id_ = remembered_id("file", "context", page.project, page.agent, self._note(text))
            if self._store.entries.some([id_]):
                self._store.entries.archive(id_, self._clock())

    def _note(self, text: str) -> str:
        clean = " ".join(self._scrub(text[:_LONGEST_NOTE]).split())
        return clean if len(clean.split()) >= _FEWEST_WORDS and not clean.startswith("<!--") else ""

    # -- one line ----------------------------------------------------------------------------------------------------

    def _new(self, page: Changed, edit: Edit, *, beside: bool = False) -> None:
        """A line somebody wrote becomes an entry of what its heading says; `beside`: it takes nobody's place."""
        words = self._words(page, edit)
        category: Category | None
        if page.name == MEMORY:
            category, topic = ("fact", TOPIC_OF[edit.heading]) if edit.heading in TOPIC_OF else (None, None)
        else:
            category, topic = category_of(page.name, edit.heading), topic_of(page.name)
        if category is None or not words:
            return
        if not beside and (known := self._known(page, edit, category)):
            page.ids[edit.place] = known
            return
        topic = None if topic == own_topic(page.project) else topic
        origin: Literal["edit", "agent"] = "agent" if edit.heading == AGENTS else "edit"
        where = {"project": page.project, "agent": page.agent}
        id_ = self._store.entries.remember(words, category, **where, now=self._clock(), origin=origin, topic=topic)
        if not beside and origin == "edit":
            hold_against(self._store, id_, page.project)
        if value := {**_below(edit, ()), **({"status": "done"} if edit.block.box else {})}:
            self._store.entries.revise(id_, value, self._clock())
        page.ids[edit.place] = id_
        self._tell("added", page, id_, words)

    def _known(self, page: Changed, edit: Edit, category: Category) -> str | None:
        """The entry a line without an id says word for word: one on this page, or one that was laid aside."""
        words, heading, shelf = plain(edit.block.text), edit.heading.casefold(), shelf_of(page.name)
        is_ours = shelf is not None and heading in map(str.casefold, shelf.headings)
        stand = [(section.title, item.id, item.text) for section in page.wanted.sections for item in section.items]
        stood = [(title, block.id, block.text) for title, block in page.base.items()] if page.base else []
        for title, id_, text in (*stand, *stood):
            is_there = title.casefold() == heading or title == AGENTS or not is_ours
            if is_there and id_ in page.items and plain(text) == words:
                return id_
        for entry in self._store.pages.laid_aside(page.whose, category, self._words(page, edit)):
            self._bring_back(page, entry, None)
            return entry.id
        return None

    def _changed(self, page: Changed, edit: Edit) -> None:
        """A line was changed, ticked, or put under another heading."""
        id_, item = edit.block.id or "", page.items.get(edit.block.id or "")
        words = self._words(page, edit)
        page.ids[edit.place] = id_
        was = edit.was or edit.block
        is_other = edit.block.text != was.text
        if not words:
            self._gone(page, Edit(act="gone", block=was, heading=edit.was_heading))
        elif item is None:
            # It left the page in the store; what somebody typed since stands for itself.
            del page.ids[edit.place]
            if is_other:
                self._new(page, edit)
        elif is_other and was.text != item.text != edit.block.text:
            self._conflict(page, edit, id_, words)
        else:
            self._revise(page, edit, item, words if is_other and edit.block.text != item.text else None)

    def _moved(self, page: Changed, edit: Edit) -> None:
        """A line went from one page to another: its category or its topic follow."""
        id_ = edit.block.id or ""
        found = self._store.entries.some([id_])
        category = category_of(page.name, edit.heading)
        if not found or category is None:
            self._new(page, edit)
            return
        page.ids[edit.place] = id_
        value: dict[str, Any] = {"topic": topic_of(page.name)} if topic_of(page.name) else {}
        value |= {"category": category} if category != found[0].category else {}
        words = self._words(page, edit)
        is_other = edit.was is not None and plain(edit.block.text) != plain(edit.was.text)
        value |= {"summary": words} if words and words != found[0].summary and is_other else {}
        self._store.entries.revise(id_, value, self._clock())
        self._tell("moved", page, id_, words)

    def _came(self, page: Changed, edit: Edit) -> None:
        """A line with an id we did not write there: brought back, copied, or made up."""
        id_, item = edit.block.id or "", page.items.get(edit.block.id or "")
        if item is not None:
            words = self._words(page, edit)
            if plain(words) != plain(words_of(page.name, item.text)):
                self._conflict(page, edit, id_, words)
            return
        placed = self._store.pages.placed([id_]).get(id_)
        is_ours = placed is not None and placed.whose == (page.project or "", page.agent or "")
        found = self._store.entries.some([id_]) if is_ours else []
        if found and _was_on(found[0], page.name) and found[0].status not in ("active", "done"):
            words = self._words(page, edit)
            is_other = plain(words) != plain(words_of(page.name, line_of(found[0])))
            self._bring_back(page, found[0], words if is_other else None)
        elif page.name != MEMORY:
            self._new(page, edit)

    def _bring_back(self, page: Changed, entry: Entry, words: str | None) -> None:
        """What was laid aside holds again."""
        value: dict[str, str | None] = {"status": "active", **({"summary": words} if words else {})}
        self._store.entries.revise(entry.id, value, self._clock())
        self._tell("brought back", page, entry.id, words or words_of(page.name, line_of(entry)))

    def _gone(self, page: Changed, edit: Edit) -> None:
        """A line was deleted: its entry is laid aside, unless it says something else by now."""
        id_, item = edit.block.id or "", page.items.get(edit.block.id or "")
        if item is None or page.name == MEMORY:
            return
        words = words_of(page.name, item.text)
        if item.text != edit.block.text:
            self._synced.conflicts.append(Taken(act="archived", page=page.path, id=id_, text=words))
        else:
            self._store.entries.archive(id_, self._clock())
            self._tell("archived", page, id_, words)

    def _revise(self, page: Changed, edit: Edit, item: Item, words: str | None) -> None:
        id_, was = item.id, edit.was or edit.block
        value: dict[str, Any] = {"summary": words} if words is not None else {}
        value |= _below(edit, was.fields)
        act: Edited = "revised"
        if edit.block.box is not None and item.box is not None and edit.block.box != was.box:
            value["status"], act = ("done", "done") if edit.block.box else ("active", "reopened")
        category = category_of(page.name, edit.heading)
        shelf = shelf_of(page.name)
        if edit.heading.casefold() != edit.was_heading.casefold() and shelf and edit.heading in shelf.headings:
            value["category"], act = category, "moved"
        if value:
            self._store.entries.revise(id_, value, self._clock())
            self._tell(act, page, id_, words or words_of(page.name, edit.block.text))

    def _conflict(self, page: Changed, edit: Edit, id_: str, words: str) -> None:
        """Both changed: the store's words stay where they are, the person's become a line of their own, and wait."""
        page.ids.pop(edit.place, None)
        self._new(page, edit, beside=True)
        other = page.ids.get(edit.place)
        if other is not None and other != id_:
            self._store.reviews.put(id_, other, _BOTH)
            self._synced.edits.pop()
            self._synced.conflicts.append(Taken(act="revised", page=page.path, id=id_, text=words))

    def _words(self, page: Changed, edit: Edit) -> str:
        return self._scrub(words_of(page.name, edit.block.text)).strip()

    def _tell(self, act: Edited, page: Changed, id_: str, text: str) -> None:
        self._synced.edits.append(Taken(act=act, page=page.path, id=id_, text=text))


def _below(edit: Edit, before: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """What was changed below a line, as the entry keeps it; what was taken out is empty from now on."""
    was, now = dict(before), dict(edit.block.fields)
    detail: dict[str, Any] = {}
    for name in sorted(was.keys() | now.keys()):
        if was.get(name) != now.get(name):
            *above, last = FIELDS[name]
            inner = detail
            for part in above:
                inner = inner.setdefault(part, {})
            text = now.get(name)
            inner[last] = (
                [part.strip() for part in (text or "").split(";") if part.strip()] if last == "options" else text
            )
    return {"detail": json.dumps(detail, ensure_ascii=False)} if detail else {}


def _was_on(entry: Entry, name: str) -> bool:
    """Whether an entry of this category could have stood on a page."""
    shelf = shelf_of(name)
    return shelf is not None and entry.category in shelf.headings.values()
