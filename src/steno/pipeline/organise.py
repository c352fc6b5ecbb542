"""The organizer: looks at the pages of the notebook, takes in what people changed, writes what changed in the store.

In this order: scan with hashes, edits in, what is due per page, without what another line says already, pages that are
different, the index. A second run over an unchanged store writes nothing.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Final

from msgspec import structs

from steno.files import locked
from steno.home import Home
from steno.notebook.merge import without
from steno.notebook.pages import MEMORY, own_topic, page_of
from steno.notebook.parse import parse
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.folders import Folders, path_of
from steno.pipeline.history import History
from steno.pipeline.intake import ASKS, Intake
from steno.pipeline.leaves import Leaves, Round
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.wanted import Wanted
from steno.store.pages import Folder, Placed, Waiting
from steno.store.reviews import check
from steno.vocabulary import Answer, HeldPage
from steno.vocabulary.errors import StenoError, WrongUse
from steno.vocabulary.notebooks import FolderState, Held, NotebookState, Synced
from steno.vocabulary.reviews import OF_HELD_PAGE

# So much changed that looking at every page is quicker.
_MANY: Final = 500


class Organiser:
    """All pages of one home."""

    def __init__(self, home: Home, rules: Rulebook, look: Callable[[], object] = lambda: None) -> None:
        store, flows = home.store, Flowbook(home)
        self._entries, self._pages, self._root = store.entries, store.pages, home.notebook
        self._lock = home.root / "notebook.lock"
        self._turn = threading.RLock()
        self._depth = 0
        self._folders = Folders(store, flows, home.notebook)
        wanted = Wanted(store, rules, home.notebook)
        self._intake = Intake(home, rules, flows, wanted, look)
        self._leaves = Leaves(store, flows, self._folders, wanted, home.settings["memory_bytes"])
        self.history = History(home)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While nobody else looks at the notebook or writes it; inside, too, as often as one likes."""
        with self._turn:
            self._depth += 1
            try:
                with locked(self._lock) if self._depth == 1 else nullcontext():
                    yield
            finally:
                self._depth -= 1

    @contextmanager
    def edits_in(self) -> Iterator[None]:
        """While words go: what people changed is taken in before, and nobody takes in what is to go."""
        with self.alone():
            if self.is_begun():
                self.sync()
            yield

    def is_begun(self) -> bool:
        """Whether there is a notebook to keep."""
        return bool(self._pages.folders())

    def follow(self) -> None:
        """Write what is due, where there is a notebook."""
        if self.is_begun() and (self._pages.due() or not self._pages.written()):
            self.sync()

    def sync(self, *, deleted: bool = False, meant: Waiting | None = None) -> Synced:
        """Take in what people changed, write what changed in the store. `deleted`: they meant to delete that much;
        `meant`: a page they said is meant as it is."""
        with self.alone():
            if self._entries.is_rebuilding():
                # Half of what is known is not there yet: no line is to go for that.
                return Synced()
            folders = self._folders.all(place.whose for place in self._due_places())
            one = Round(
                folders=folders,
                seen={folder.folder: self._folders.notebook(folder).pages() for folder in folders},
                written={(page.folder, page.name): page for page in self._pages.written()},
            )
            self._intake.take_in(one, deleted=deleted, meant=meant)
            due = self._pages.due()
            self._pages.done(due)
            try:
                self._leaves.write(one, self._touched(folders, due, is_written=bool(one.written)))
            except BaseException:
                with suppress(StenoError):
                    self._pages.owe(due)
                raise
            if len(one.synced.held) > len(one.waiting):
                # Pages that were left alone owe it still; one that waits is written whole when it is answered.
                self._pages.owe(due)
            return one.synced

    def answer(self, held: HeldPage, keep: Answer) -> HeldPage:
        """A person's word on a page that waits: it is taken as it is, or what stood there before stands there again and
        what was found lies beside it."""
        check(keep, OF_HELD_PAGE)
        with self.alone():
            self.sync()
            waiting = next((one for one in self._pages.held() if one.asked.id == held.id), None)
            if waiting is None:
                raise WrongUse(f"{held.page} was changed since", hint="look at it again: `steno review`")
            if keep == "take":
                self.sync(meant=waiting)
                return held
            folder = next(folder for folder in self._pages.folders() if folder.folder == held.folder)
            notebook = self._folders.notebook(folder)
            seen, text = notebook.pages().get(held.name), self._pages.text(*waiting.place)
            ours = waiting.ours if text is None else text
            beside = "" if seen is None else path_of(held.folder, notebook.keep(held.name, seen.text))
            if ours is None:
                notebook.remove(held.name)
            else:
                notebook.put(held.name, ours)
            self.sync()
            return structs.replace(held, beside=beside)

    def state(self) -> NotebookState:
        """The notebook as it is, without changing anything."""
        written = {(page.folder, page.name): page for page in self._pages.written()}
        folders: list[FolderState] = []
        changed: list[str] = []
        waiting = {one.place: one for one in self._pages.held()}
        held = [Held(page=one.asked.page, reason=one.asked.reason, hint=ASKS) for one in waiting.values()]
        for folder in self._pages.folders():
            seen = self._folders.notebook(folder).pages()
            there = {name: page for (where, name), page in written.items() if where == folder.folder}
            folders.append(
                FolderState(
                    project=folder.project,
                    path=str(self._folders.place(folder)),
                    pages=len(there),
                    lines=sum(page.lines for page in there.values()),
                    memory_bytes=len(seen[MEMORY].text.encode()) if MEMORY in seen else 0,
                )
            )
            for name, page in seen.items():
                if page.problem:
                    held.append(Held(page=path_of(folder.folder, name), reason=page.problem))
                elif (folder.folder, name) in waiting and waiting[folder.folder, name].hash == page.hash:
                    continue
                elif name not in there or there[name].hash != page.hash:
                    changed.append(path_of(folder.folder, name))
        due, git = len(self._pages.due()), self.history.is_on()
        return NotebookState(path=str(self._root), folders=folders, changed=changed, held=held, due=due, git=git)

    def drop(self, words: str | None) -> None:
        """Words were forgotten: lines whose entries are gone leave the files, and whatever else holds the words. What
        is learnt anew is written anew."""
        for folder in self._pages.folders():
            notebook = self._folders.notebook(folder)
            for name, page in (notebook.pages() | notebook.kept()).items():
                sheet = parse(page.text)
                ids = {block.id for _, block in sheet.items() if block.id}
                text = without(sheet, words, ids - self._pages.placed(ids).keys()).text
                if text != page.text:
                    notebook.put(name, text)

    def _due_places(self) -> Iterable[Placed]:
        """What tells the pages of what is due; where nothing was written yet, of everything."""
        due = self._pages.due()
        is_much = len(due) > _MANY or not self.is_begun()
        return self._pages.places() if is_much else self._pages.placed(due).values()

    def _touched(self, folders: list[Folder], due: list[str], *, is_written: bool) -> set[tuple[str, str]]:
        """Pages that may be different now: of what is due, or all of them."""
        by_whose = {folder.whose: folder.folder for folder in folders}
        if not is_written or len(due) > _MANY:
            places: Iterable[Placed] = self._pages.places()
            there = {(page.folder, page.name) for page in self._pages.written()}
        else:
            ids = {*due, *self._pages.kin(due)}
            places = self._pages.placed(ids).values()
            there = {place for id_ in ids for place in self._pages.holding(id_)}
        pages = {(by_whose[place.whose], _page_of(place)) for place in places if place.whose in by_whose}
        return {(folder, name) for folder, name in pages | there if name}


def _page_of(place: Placed) -> str:
    return page_of(place.category, place.topic or own_topic(place.project))
