"""Pages out: what is to stand on each that may be different, laid over what is there, and the index of each folder."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from steno.flows.record import shown
from steno.notebook.flows import FLOWS, flow_name, flow_page
from steno.notebook.index import counted, within
from steno.notebook.merge import laid, taken
from steno.notebook.pages import MEMORY, shelf_of
from steno.notebook.parse import Sheet, parse
from steno.pipeline.edits import Changed
from steno.pipeline.folders import Folders, last_part, path_of
from steno.pipeline.notebook import Seen, hash_of
from steno.pipeline.wanted import MOST_LINES, Wanted
from steno.store import Store
from steno.store.pages import Folder, Written
from steno.vocabulary import Flow
from steno.vocabulary.errors import StoreError
from steno.vocabulary.notebooks import Held, Synced

if TYPE_CHECKING:
    from steno.pipeline.flowbook import Flowbook

Place = tuple[str, str]


class Round(Struct, kw_only=True):
    """One look at the whole notebook: what there is, what we wrote last, and what comes of it."""

    folders: list[Folder]
    seen: dict[str, dict[str, Seen]]
    written: dict[Place, Written]
    # Pages that somebody changed, by folder and name; None: left alone.
    changed: dict[Place, Changed | None] = field(default_factory=dict)
    # Those of them that wait for a person.
    waiting: set[Place] = field(default_factory=set)
    # How many entries stand on each page.
    lines: dict[Place, int] = field(default_factory=dict)
    synced: Synced = field(default_factory=Synced)

    def there(self, place: Place) -> Seen | None:
        """A page as it was found."""
        return self.seen[place[0]].get(place[1])

    def sheet(self, place: Place) -> Sheet:
        """The same, with what was taken in."""
        page, found = self.changed.get(place), self.there(place)
        return taken(page.now, page.ids) if page else parse(found.text if found else "")

    def is_left_alone(self, place: Place) -> bool:
        """Whether nobody may write it now."""
        return place in self.changed and self.changed[place] is None


class Leaves:
    """Writes pages."""

    def __init__(self, store: Store, flowbook: "Flowbook", folders: Folders, wanted: Wanted, memory_bytes: int) -> None:
        self._pages = store.pages
        self._flowbook = flowbook
        self._folders = folders
        self._wanted = wanted
        self._memory_bytes = memory_bytes

    def write(self, one: Round, touched: set[Place]) -> None:
        """Pages that may be different, those somebody changed or deleted, and the indexes above them."""
        one.lines = {place: page.lines for place, page in one.written.items()}
        flows = self._flowbook.all("active")
        busy = {"", *(where for where, _ in (*touched, *one.changed))}
        for folder in one.folders:
            mine = {flow.name: flow for flow in flows if (flow.project or "", flow.agent or "") == folder.whose}
            here = one.seen[folder.folder]
            names = {name for where, name in (*touched, *one.changed) if where == folder.folder}
            # A page somebody deleted is written anew: only lines are laid aside.
            names |= {name for where, name in one.written if where == folder.folder and name not in here}
            for name in sorted((names | _flow_files(mine, here)) - {MEMORY}):
                if not one.is_left_alone((folder.folder, name)):
                    self._page(one, folder, name, mine)
        for folder in one.folders:
            if folder.folder in busy or MEMORY not in one.seen[folder.folder]:
                self._index(one, folder)

    def _page(self, one: Round, folder: Folder, name: str, flows: dict[str, Flow]) -> None:
        place = (folder.folder, name)
        found = one.there(place)
        text, count = found.text if found else "", 0
        if name.startswith(f"{FLOWS}/"):
            flow = flows.get(flow_name(last_part(name)))
            if flow is None and _is_ours(found, one.written.get(place)):
                self._folders.notebook(folder).remove(name)
                self._pages.drop(*place)
                return
            if flow is not None:
                text, count = flow_page(flow, shown(flow), text), 1
        elif shelf_of(name) is not None:
            page = self._wanted.page(folder, name, MOST_LINES)
            count = sum(len(section.items) for section in page.sections)
            text = laid(one.sheet(place), page) if text or count else ""
        one.lines[place] = count
        self._put(one, folder, name, text)

    def _index(self, one: Round, folder: Folder) -> None:
        """The index of a folder; that of the home points at those of the projects, too."""
        place = (folder.folder, MEMORY)
        pages = counted((name, count) for (where, name), count in one.lines.items() if where == folder.folder)
        projects = {} if folder.folder else _sums(one)
        if one.is_left_alone(place) or not (pages or projects or one.there(place)):
            return
        text = within(one.sheet(place), self._wanted.index(folder, projects, pages), self._memory_bytes)
        if (size := len(text.encode())) > self._memory_bytes:
            reason = f"has {size:,} bytes of your own; {self._memory_bytes:,} are allowed"
            one.synced.held.append(Held(page=path_of(*place), reason=reason, hint="move some of it to a topic"))
        self._put(one, folder, MEMORY, text)

    def _put(self, one: Round, folder: Folder, name: str, text: str) -> None:
        """Write a page that is different, unless it is not to be written now; keep what it is."""
        place = (folder.folder, name)
        there = one.there(place)
        if not text and there is None:
            self._pages.drop(*place)
            return
        if there is None or text != there.text:
            notebook = self._folders.notebook(folder)
            problem = _in_the_way(there, notebook.look(name)) if there else None
            if problem is not None:
                one.synced.held.append(Held(page=path_of(*place), reason=problem))
                return
            try:
                notebook.put(name, text)
            except StoreError as error:
                # A disk that is full or may only be read holds up no page on another one.
                one.synced.held.append(Held(page=path_of(*place), reason=error.message, hint=error.hint))
                return
            one.synced.written.append(path_of(*place))
        new = Written(*place, hash_of(text), one.lines.get(place, 0))
        if one.written.get(place) != new:
            self._pages.put(new, text)


def _is_ours(there: Seen | None, ours: Written | None) -> bool:
    """Whether a page is as we wrote it."""
    return there is not None and ours is not None and there.hash == ours.hash


def _in_the_way(there: Seen, now: Seen | None) -> str | None:
    """Why a page is not to be written over now."""
    if there.read_only:
        return "is read-only"
    return "was saved just now" if now is not None and now.hash != there.hash else None


def _flow_files(flows: Iterable[str], here: Iterable[str]) -> set[str]:
    """Where flows stand, or are to stand."""
    found = {flow_name(last_part(name)): name for name in here if name.startswith(f"{FLOWS}/")}
    return {found.get(flow, f"{FLOWS}/{flow}.md") for flow in flows}


def _sums(one: Round) -> dict[str, int]:
    """How many lines each project has."""
    sums = {folder.folder: 0 for folder in one.folders if folder.folder}
    for (where, _), count in one.lines.items():
        if where in sums:
            sums[where] += count
    return {name: count for name, count in sums.items() if count}
