"""What is to stand on a page of the notebook, from the store."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from steno.notebook.index import Happened, memory_page
from steno.notebook.pages import (
    Page,
    Section,
    item_of,
    older_of,
    own_topic,
    place_of,
    shelf_of,
    title_of,
    topic_of,
)
from steno.notebook.same import distinct
from steno.pipeline.folders import last_part
from steno.pipeline.notebook import Notebook
from steno.store import Store
from steno.store.pages import Folder
from steno.vocabulary import Entry
from steno.vocabulary.errors import UnknownEntry

if TYPE_CHECKING:
    from steno.pipeline.rulebook import Rulebook

_RECENT: Final = 10
# Lines below a heading that are written, the latest; and what a person's edit is held against: all there are.
MOST_LINES: Final = 100
ALL_LINES: Final = 1_000_000


class Wanted:
    """Pages as they are to be."""

    def __init__(self, store: Store, rulebook: "Rulebook", root: Path) -> None:
        self._store = store
        self._pages = store.pages
        self._rulebook = rulebook
        self._root = root

    def page(self, folder: Folder, name: str, most: int = ALL_LINES) -> Page:
        """What is to stand on a page: below each heading the latest, and where the older ones are."""
        shelf = shelf_of(name)
        if shelf is None:
            return Page("", (), ())
        project, topic = folder.project or None, topic_of(name)
        is_own = own_topic(project) == topic
        entries = self._pages.entries(folder, list(shelf.headings.values()), topic, most + 1, is_own=is_own)
        found: dict[str, list[Entry]] = {}
        for entry in entries:
            if (place := place_of(entry, topic)) and self._stands(entry):
                found.setdefault(place[1], []).append(entry)
        sections = []
        for heading in shelf.order:
            there = found.get(heading, [])
            items = distinct([item_of(entry, name, heading) for entry in there[-most:]])
            older = [older_of(name, heading)] if len(there) > most else []
            if items:
                sections.append(Section(heading, [*older, *items]))
        return Page(title_of(name, _called(folder)), sections, shelf.order)

    def index(self, folder: Folder, projects: dict[str, int], pages: dict[str, int]) -> Page:
        """The index of a folder."""
        title = f"Memory: {_called(folder)}" if folder.folder else "Memory"
        return memory_page(title, self._happened(folder), projects, pages)

    def _stands(self, entry: Entry) -> bool:
        """Whether no person laid its rule aside, and no other rule says the same."""
        if entry.category not in ("rule", "rejected"):
            return True
        try:
            return self._rulebook.one(entry.id).merged_into is None and self._rulebook.holds(entry)
        except UnknownEntry:
            return True

    def _happened(self, folder: Folder) -> list[Happened]:
        """What went on lately in a project, or anywhere."""
        days = set(Notebook(self._root).days())
        above = "../" * len(Path(folder.folder).parts)
        return [
            Happened(
                work.last_at or "",
                "" if folder.project else last_part(work.project or "") or "no project",
                (work.checkpoint.goal or "no goal named").splitlines()[0],
                f"{above}days/{day}.md" if (day := (work.last_at or "")[:10]) in days else "",
            )
            for work in self._store.lately.last_worked(folder.agent or None, _RECENT)
            if not folder.project or work.project == folder.project
        ]


def _called(folder: Folder) -> str:
    """Whose it is, as people say it; empty: everybody's."""
    return ", ".join(name for name in (folder.agent, last_part(folder.project)) if name)
