"""The organizer: looks at the pages of the notebook, takes in what people changed, writes what changed in the store.

In this order: scan with hashes, edits in, what is due per page, without what another line says already, pages that are
different, the index. A second run over an unchanged store writes nothing.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from steno.clock import Clock
from steno.flows.record import shown
from steno.language.domains import fields
from steno.notebook.flows import FLOWS, flow_name, flow_page, procedure, read_flow
from steno.notebook.index import Happened, counted, memory_page, within
from steno.notebook.merge import is_cut_short, laid, taken, without
from steno.notebook.pages import (
    MEMORY,
    WAITING,
    Page,
    Section,
    item_of,
    own_topic,
    page_of,
    place_of,
    shelf_of,
    title_of,
    topic_of,
)
from steno.notebook.parse import parse
from steno.notebook.same import distinct
from steno.notebook.text import file_name, mark
from steno.pipeline.edits import Changed, Edits
from steno.pipeline.history import History
from steno.pipeline.notebook import Notebook, Seen, alone, hash_of
from steno.store import Store
from steno.store.pages import Folder, Placed, Written
from steno.vocabulary import Entry, Flow
from steno.vocabulary.errors import StenoError, UnknownEntry, WrongUse
from steno.vocabulary.notebooks import FolderState, Held, NotebookState, Synced, Taken

if TYPE_CHECKING:
    from steno.pipeline.flowbook import Flowbook
    from steno.pipeline.rulebook import Rulebook
    from steno.pipeline.scrub import Scrubber

# So much changed that looking at every page is quicker.
_MANY: Final = 500
# A page that lost more lines than this, and more than half of them, is not taken at its word.
_FEW_GONE: Final = 5
_RECENT: Final = 10
# What a project cannot be called inside the notebook.
_TAKEN_NAMES: Final = frozenset({"days", "topics", "flows"})
_BINDING: Final = frozenset({"rules.md", "rejections.md"})
_SYNC: Final = "`steno notebook sync` takes it in"


class Organiser:
    """All pages of one home."""

    def __init__(
        self, store: Store, rulebook: "Rulebook", flowbook: "Flowbook", *, clock: Clock,
        scrubber: "Callable[[], Scrubber]", root: Path, memory_bytes: int,
    ) -> None:  # fmt: skip
        self._store = store
        self._pages = store.pages
        self._rulebook = rulebook
        self._flowbook = flowbook
        self._clock = clock
        self._scrubber = scrubber
        self._root = root
        self._memory_bytes = memory_bytes
        self.history = History(store, root, clock=clock, scrubber=scrubber)

    # -- for the front desk ------------------------------------------------------------------------------------------

    def is_begun(self) -> bool:
        """Whether there is a notebook to keep."""
        return bool(self._pages.folders())

    def places(self) -> list[str]:
        """Where pages are: in the home, and wherever people put those of a project."""
        return [str(self._root), *(folder.path for folder in self._pages.folders() if folder.path)]

    def follow(self) -> None:
        """Write what is due, where there is a notebook."""
        if self.is_begun() and (self._pages.due() or not self._pages.written()):
            self.sync()

    def sync(self, *, by_hand: bool = False, deleted: bool = False) -> Synced:
        """Take in what people changed, write what changed in the store. `by_hand`: a person stands behind what a
        repository brought; `deleted`: they meant to delete that much."""
        with alone(self._root):
            return self._sync(by_hand=by_hand, deleted=deleted)

    def _sync(self, *, by_hand: bool, deleted: bool) -> Synced:
        synced = Synced()
        folders = self._folders(place.project or "" for place in self._due_places())
        seen = {folder.folder: self._notebook(folder).pages() for folder in folders}
        written = {(page.folder, page.name): page for page in self._pages.written()}
        held = self._take_in(folders, seen, written, synced, by_hand=by_hand, deleted=deleted)
        due = self._pages.due()
        self._pages.done(due)
        try:
            self._write(folders, seen, written, self._touched(folders, due, bool(written)), held, synced)
        except BaseException:
            with suppress(StenoError):
                self._pages.owe(due)
            raise
        return synced

    def state(self) -> NotebookState:
        """The notebook as it is, without changing anything."""
        written = {(page.folder, page.name): page for page in self._pages.written()}
        folders: list[FolderState] = []
        changed: list[str] = []
        held: list[Held] = []
        for folder in self._pages.folders():
            seen = self._notebook(folder).pages()
            there = {name: page for (where, name), page in written.items() if where == folder.folder}
            memory = seen.get(MEMORY)
            folders.append(
                FolderState(
                    project=folder.project,
                    path=str(self._place(folder)),
                    pages=len(there),
                    lines=sum(page.lines for page in there.values()),
                    memory_bytes=len(memory.text.encode()) if memory else 0,
                )
            )
            for name, page in seen.items():
                if page.problem:
                    held.append(Held(page=_path(folder.folder, name), reason=page.problem))
                elif name not in there or there[name].hash != page.hash:
                    changed.append(_path(folder.folder, name))
        return NotebookState(
            path=str(self._root),
            folders=folders,
            changed=changed,
            held=held,
            due=len(self._pages.due()),
            git=self.history.is_on(),
        )

    def drop(self, words: str | None) -> None:
        """Words were forgotten: lines and prose that hold them go from the files. The rest is written anew."""
        for folder in self._pages.folders() if words else ():
            notebook = self._notebook(folder)
            for name, page in notebook.pages().items():
                if words and words in page.text:
                    notebook.put(name, without(parse(page.text), words).text)

    def put_in(self, project: str, path: Path) -> Synced:
        """Keep the pages of a project in a folder of its own, inside its repository say."""
        if path.is_relative_to(self._root.parent) or self._root.is_relative_to(path):
            raise WrongUse(f"{path} is in the home already", hint="give a folder of the project's repository")
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise WrongUse(f"{path} is no folder", hint="give a folder; it is made if it is not there")
        folder = next(one for one in self._folders([project]) if one.project == project)
        if folder.path == str(path):
            return self.sync()
        if path.exists() and any(path.iterdir()):
            raise WrongUse(f"{path} is not empty", hint="nothing of yours is written over: give an empty folder")
        self.sync()
        before, moved = self._notebook(folder), folder._replace(path=str(path))
        after = self._notebook(moved)
        for name, page in before.pages().items():
            if not page.problem:
                after.put(name, page.text)
        self._pages.put_folder(moved)
        for name, page in before.pages().items():
            if not page.problem:
                before.remove(name)
        return self.sync()

    # -- edits in ----------------------------------------------------------------------------------------------------

    def _take_in(
        self, folders: list[Folder], seen: dict[str, dict[str, Seen]], written: dict[tuple[str, str], Written],
        synced: Synced, *, by_hand: bool, deleted: bool,
    ) -> dict[tuple[str, str], Changed | None]:  # fmt: skip
        """Pages that somebody changed, as they are after their edits were taken in; None: left alone."""
        found: dict[tuple[str, str], Changed | None] = {}
        for folder in folders:
            for name, page in seen[folder.folder].items():
                ours = written.get((folder.folder, name))
                if page.problem:
                    synced.held.append(Held(page=_path(folder.folder, name), reason=page.problem))
                    found[folder.folder, name] = None
                elif ours is None or ours.hash != page.hash:
                    base = self._pages.text(folder.folder, name)
                    problem = self._suspect(folder, name, base, page.text, by_hand=by_hand, deleted=deleted)
                    if problem is not None:
                        synced.held.append(problem)
                        found[folder.folder, name] = None
                    else:
                        found[folder.folder, name] = self._changed(folder, name, base, page)
        self._apply([page for page in found.values() if page is not None], synced)
        return found

    def _apply(self, pages: list[Changed], synced: Synced) -> None:
        edits = Edits(self._store, self._clock, self._scrubber, synced)
        edits.take(page for page in pages if not page.name.startswith(f"{FLOWS}/"))
        for page in pages:
            if page.name.startswith(f"{FLOWS}/"):
                self._take_flow(page, synced)
            else:
                edits.notes(page)
        if synced.edits or synced.conflicts:
            self._rulebook.settle()

    def _suspect(
        self, folder: Folder, name: str, base: str | None, now: str, *, by_hand: bool, deleted: bool
    ) -> Held | None:
        """Why a change is not taken at its word: a file may be half saved, and a repository may bring what others
        wrote."""
        page = _path(folder.folder, name)
        if base is not None and is_cut_short(base, now) and not deleted:
            return Held(
                page=page, reason="looks half saved", hint="save it whole, or delete the file: it is written anew"
            )
        if base is not None and not deleted:
            before = {block.id for _, block in parse(base).items() if block.id}
            gone = len(before - {block.id for _, block in parse(now).items()})
            if gone > _FEW_GONE and 2 * gone > len(before):
                hint = "`steno notebook sync --deleted` lays them aside; delete the file to have it written anew"
                return Held(page=page, reason=f"lost {gone} of {len(before)} lines", hint=hint)
        if folder.path is not None and name in _BINDING and not by_hand:
            return Held(page=page, reason="rules in a repository wait for a person", hint=_SYNC)
        return None

    def _changed(self, folder: Folder, name: str, base: str | None, page: Seen) -> Changed:
        return Changed(
            folder=folder.folder,
            name=name,
            project=folder.project or None,
            base=None if base is None else parse(base),
            now=parse(page.text),
            wanted=self._page(folder, name),
        )

    def _take_flow(self, page: Changed, synced: Synced) -> None:
        """A new file is a new flow, a changed one a new version of it."""
        said, name = read_flow(page.now.text), flow_name(_last(page.name))
        known = {flow.name: flow for flow in self._flowbook.all()}
        flow = known.get(name)
        if not said.steps or (flow and procedure(flow) == said):
            return
        try:
            if flow is None:
                self._flowbook.add(name, said.steps, said.triggers, project=page.project)
            elif flow.project != page.project:
                return
            elif page.base is None or procedure(flow) == read_flow(page.base.text):
                self._flowbook.edit(name, steps=said.steps, triggers=said.triggers)
            elif said != read_flow(page.base.text):
                name = f"{name}-{mark(*said.steps)[:4]}"
                self._flowbook.add(name, said.steps, said.triggers, project=page.project)
                synced.conflicts.append(Taken(act="flow", page=page.path, id=name, text="; ".join(said.steps)))
                return
            else:
                return
        except WrongUse as error:
            synced.held.append(Held(page=page.path, reason=error.message, hint=error.hint or ""))
            return
        synced.edits.append(Taken(act="flow", page=page.path, id=name, text="; ".join(said.steps)))

    # -- pages out ---------------------------------------------------------------------------------------------------

    def _touched(self, folders: list[Folder], due: list[str], is_written: bool) -> set[tuple[str, str]]:
        """Pages that may be different now: of what is due, or all of them."""
        by_project = {folder.project: folder.folder for folder in folders}
        if not is_written or len(due) > _MANY:
            places: Iterable[Placed] = self._pages.places()
            there = {(page.folder, page.name) for page in self._pages.written()}
        else:
            ids = {*due, *self._pages.kin(due)}
            places = self._pages.placed(ids).values()
            there = {place for id_ in ids for place in self._pages.holding(id_)}
        # What came of a project nobody knew a moment ago is due the next time.
        known = (place for place in places if (place.project or "") in by_project)
        pages = {(by_project[place.project or ""], _page_of(place)) for place in known}
        return {(folder, name) for folder, name in pages | there if name}

    def _write(
        self, folders: list[Folder], seen: dict[str, dict[str, Seen]], written: dict[tuple[str, str], Written],
        touched: set[tuple[str, str]], taken_in: dict[tuple[str, str], Changed | None], synced: Synced,
    ) -> None:  # fmt: skip
        lines = {place: page.lines for place, page in written.items()}
        flows = self._flowbook.all("active")
        for folder in folders:
            here = seen.get(folder.folder, {})
            mine = {flow.name: flow for flow in flows if (flow.project or "") == folder.project}
            names = {name for where, name in (*touched, *taken_in) if where == folder.folder and name != MEMORY}
            names |= _flow_files(mine, here)
            # A page somebody deleted is written anew: only lines are laid aside.
            names |= {name for where, name in written if where == folder.folder and name not in here}
            for name in sorted(names):
                place = (folder.folder, name)
                if place in taken_in and taken_in[place] is None:
                    continue
                text, lines[place] = self._text(folder, name, here.get(name), taken_in.get(place), mine)
                self._put(folder, name, text, lines[place], here.get(name), written.get(place), synced)
        busy = {
            "",
            *(where for where, _ in (*touched, *taken_in)),
            *(place[0] for place in lines.keys() - written.keys()),
        }
        for folder in folders:
            if folder.folder in busy or MEMORY not in seen.get(folder.folder, {}):
                self._index(folder, folders, lines, seen.get(folder.folder, {}), taken_in, written, synced)

    def _text(
        self, folder: Folder, name: str, there: Seen | None, changed: Changed | None, flows: dict[str, Flow]
    ) -> tuple[str, int]:
        """A page as it is to be, and how many entries stand on it."""
        now = there.text if there else ""
        if name.startswith(f"{FLOWS}/"):
            flow = flows.get(flow_name(_last(name)))
            return (now, 0) if flow is None else (flow_page(flow, shown(flow), now), 1)
        if shelf_of(name) is None:
            return now, 0
        page = self._page(folder, name)
        count = sum(len(section.items) for section in page.sections)
        if not now and not count:
            return "", 0
        sheet = taken(changed.now, changed.ids) if changed else parse(now)
        return laid(sheet, page), count

    def _put(
        self, folder: Folder, name: str, text: str, lines: int, there: Seen | None, ours: Written | None,
        synced: Synced,
    ) -> None:  # fmt: skip
        """Write a page that is different, unless somebody saved it just now; keep what it is."""
        if not text and there is None:
            self._pages.drop(folder.folder, name)
            return
        if there is None or text != there.text:
            notebook, path = self._notebook(folder), _path(folder.folder, name)
            if there is not None and there.read_only:
                synced.held.append(Held(page=path, reason="is read-only", hint="give yourself the right to write it"))
                return
            if there is not None and (now := notebook.look(name)) is not None and now.hash != there.hash:
                synced.held.append(Held(page=path, reason="was saved just now", hint=_SYNC))
                return
            notebook.put(name, text)
            synced.written.append(path)
        new = Written(folder.folder, name, hash_of(text), lines)
        if ours != new:
            self._pages.put(new, text)

    def _index(
        self, folder: Folder, folders: list[Folder], lines: dict[tuple[str, str], int], here: dict[str, Seen],
        taken_in: dict[tuple[str, str], Changed | None], written: dict[tuple[str, str], Written], synced: Synced,
    ) -> None:  # fmt: skip
        """The index of a folder; that of the home points at those of the projects, too."""
        place = (folder.folder, MEMORY)
        if taken_in.get(place, 0) is None:
            return
        pages = counted((name, count) for (where, name), count in lines.items() if where == folder.folder)
        projects = {} if folder.folder else _sums(folders, lines)
        if not (pages or projects or here.get(MEMORY)):
            return
        page = memory_page(_title(folder), self._happened(folder), projects, pages)
        changed = taken_in.get(place)
        sheet = taken(changed.now, changed.ids) if changed else parse(here[MEMORY].text if MEMORY in here else "")
        text = within(sheet, page, self._memory_bytes)
        if len(text.encode()) > self._memory_bytes:
            reason = f"has {len(text.encode()):,} bytes of your own; {self._memory_bytes:,} are allowed"
            synced.held.append(Held(page=_path(*place), reason=reason, hint="move some of it to a topic"))
        self._put(folder, MEMORY, text, 0, here.get(MEMORY), written.get(place), synced)

    def _happened(self, folder: Folder) -> list[Happened]:
        """What went on lately in a project, or anywhere; days lie in the home."""
        days = set(Notebook(self._root).days()) if folder.path is None else set()
        above = "../" if folder.folder else ""
        return [
            Happened(
                work.last_at or "",
                _last(work.project or "") or "no project",
                (work.checkpoint.goal or "no goal named").splitlines()[0],
                f"{above}days/{day}.md" if (day := (work.last_at or "")[:10]) in days else "",
            )
            for work in self._store.lately.last_worked(None, _RECENT)
            if not folder.folder or work.project == folder.project
        ]

    def _page(self, folder: Folder, name: str) -> Page:
        """What is to stand on a page."""
        shelf = shelf_of(name)
        if shelf is None:
            return Page("", (), ())
        project, topic = folder.project or None, topic_of(name)
        domains = [one for one in fields() if own_topic(one, project) == topic]
        entries = self._pages.entries(project, list(shelf.headings.values()), topic, domains)
        found: dict[str, list[Entry]] = {}
        for entry in entries:
            if (place := place_of(entry, topic)) and self._stands(entry):
                found.setdefault(place[1], []).append(entry)
        sections = []
        for heading in shelf.order:
            items = [item_of(entry, name, heading) for entry in found.get(heading, ())]
            if items:
                sections.append(Section(heading, items if heading == WAITING else distinct(items)))
        return Page(title_of(name, _last(folder.project)), sections, shelf.order)

    def _stands(self, entry: Entry) -> bool:
        """Whether no person laid its rule aside, and no other rule says the same."""
        if entry.category not in ("rule", "rejected") or not entry.is_sure:
            return True
        try:
            return self._rulebook.one(entry.id).merged_into is None and self._rulebook.holds(entry)
        except UnknownEntry:
            return True

    # -- folders -----------------------------------------------------------------------------------------------------

    def _due_places(self) -> Iterable[Placed]:
        """What tells the pages of what is due; where nothing was written yet, of everything."""
        due = self._pages.due()
        is_much = len(due) > _MANY or not self.is_begun()
        return self._pages.places() if is_much else self._pages.placed(due).values()

    def _folders(self, more: Iterable[str]) -> list[Folder]:
        """Every folder; projects that have none yet get one, those of a name a number of their own."""
        known = {folder.project: folder for folder in self._pages.folders()}
        wanted = {"", *more}
        wanted |= {flow.project or "" for flow in self._flowbook.all("active")}
        for project in sorted(wanted - known.keys()):
            names = {folder.folder for folder in known.values()} | _TAKEN_NAMES
            name = file_name(_last(project)) if project else ""
            if project and name in names:
                name = f"{name}-{mark(project)[:4]}"
            known[project] = Folder(project, name, None)
            self._pages.put_folder(known[project])
        return sorted(known.values(), key=lambda folder: folder.folder)

    def _place(self, folder: Folder) -> Path:
        return Path(folder.path) if folder.path else self._root / folder.folder

    def _notebook(self, folder: Folder) -> Notebook:
        return Notebook(self._place(folder))


def _page_of(place: Placed) -> str:
    return page_of(place.category, place.topic or own_topic(place.domain, place.project))


def _flow_files(flows: Iterable[str], here: Iterable[str]) -> set[str]:
    """Where flows stand, or are to stand."""
    found = {flow_name(_last(name)): name for name in here if name.startswith(f"{FLOWS}/")}
    return {found.get(flow, f"{FLOWS}/{flow}.md") for flow in flows}


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _last(project: str) -> str:
    return project.rstrip("/").rpartition("/")[2]


def _title(folder: Folder) -> str:
    return f"Memory: {_last(folder.project)}" if folder.folder else "Memory"


def _sums(folders: list[Folder], lines: dict[tuple[str, str], int]) -> dict[str, int]:
    """How many lines each project has that lies in the home."""
    sums = {
        folder.folder: sum(count for (where, _), count in lines.items() if where == folder.folder)
        for folder in folders
        if folder.folder and folder.path is None
    }
    return {name: count for name, count in sums.items() if count}
