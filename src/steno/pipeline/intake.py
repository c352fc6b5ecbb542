"""Pages somebody changed: which are taken at their word, and what becomes of them."""

from typing import Final

from steno.home import Home
from steno.notebook.flows import FLOWS, flow_name, procedure, read_flow
from steno.notebook.merge import is_cut_short
from steno.notebook.parse import parse
from steno.notebook.text import mark
from steno.pipeline.edits import Changed, Edits
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.folders import last_part, path_of
from steno.pipeline.leaves import Round
from steno.pipeline.notebook import Seen
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.wanted import Wanted
from steno.store.pages import Folder
from steno.vocabulary.acts import EDITOR
from steno.vocabulary.errors import WrongUse
from steno.vocabulary.notebooks import Held, Synced, Taken

# A page that lost more lines than this, and more than half of them, is not taken at its word.
_FEW_GONE: Final = 5


class Intake:
    """Takes changed pages in."""

    def __init__(self, home: Home, rulebook: Rulebook, flowbook: Flowbook, wanted: Wanted) -> None:
        self._home, self._store, self._pages = home, home.store, home.store.pages
        self._rulebook = rulebook
        self._flowbook = flowbook
        self._wanted = wanted
        self._clock, self._clean = home.clock, home.clean

    def take_in(self, one: Round, *, deleted: bool) -> None:
        """What people changed. `deleted`: they meant to delete that much."""
        for folder in one.folders:
            for name, page in one.seen[folder.folder].items():
                place = (folder.folder, name)
                ours = one.written.get(place)
                if ours is not None and ours.hash == page.hash:
                    continue
                base = self._pages.text(*place)
                problem = Held(page=path_of(*place), reason=page.problem) if page.problem else None
                problem = problem or (None if deleted or base is None else _suspect(path_of(*place), base, page.text))
                one.changed[place] = None if problem else self._changed(folder, name, base, page)
                one.synced.held += [problem] if problem else []
        with self._home.acting(EDITOR):
            self._apply([page for page in one.changed.values() if page is not None], one.synced)

    def _apply(self, pages: list[Changed], synced: Synced) -> None:
        edits = Edits(self._store, self._clock, self._clean, synced)
        edits.take(page for page in pages if not page.name.startswith(f"{FLOWS}/"))
        for page in pages:
            if page.name.startswith(f"{FLOWS}/"):
                self._take_flow(page, synced)
            else:
                edits.notes(page)
        if synced.edits or synced.conflicts:
            self._rulebook.settle()

    def _changed(self, folder: Folder, name: str, base: str | None, page: Seen) -> Changed:
        return Changed(
            folder=folder.folder,
            name=name,
            project=folder.project or None,
            agent=folder.agent or None,
            base=None if base is None else parse(base),
            now=parse(page.text),
            wanted=self._wanted.page(folder, name),
        )

    def _take_flow(self, page: Changed, synced: Synced) -> None:
        """A new file is a new flow, a changed one a new version of it."""
        said, name = read_flow(page.now.text), flow_name(last_part(page.name))
        known = {flow.name: flow for flow in self._flowbook.all()}
        flow = known.get(name)
        if not said.steps or (flow and procedure(flow) == said):
            return
        try:
            if flow is None:
                self._flowbook.add(name, said.steps, said.triggers, agent=page.agent, project=page.project)
            elif (flow.project, flow.agent) != (page.project, page.agent):
                return
            elif page.base is None or procedure(flow) == read_flow(page.base.text):
                self._flowbook.edit(name, steps=said.steps, triggers=said.triggers)
            elif said != read_flow(page.base.text):
                name = f"{name}-{mark(*said.steps)[:4]}"
                self._flowbook.add(name, said.steps, said.triggers, agent=page.agent, project=page.project)
                synced.conflicts.append(Taken(act="flow", page=page.path, id=name, text="; ".join(said.steps)))
                return
            else:
                return
        except WrongUse as error:
            synced.held.append(Held(page=page.path, reason=error.message, hint=error.hint or ""))
            return
        synced.edits.append(Taken(act="flow", page=page.path, id=name, text="; ".join(said.steps)))


def _suspect(page: str, base: str, now: str) -> Held | None:
    """Why a change is not taken at its word: a file may be half saved."""
    if is_cut_short(base, now):
        return Held(page=page, reason="looks half saved", hint="save it whole, or delete the file: it is written anew")
    before = {block.id for _, block in parse(base).items() if block.id}
    gone = len(before - {block.id for _, block in parse(now).items()})
    if gone > _FEW_GONE and 2 * gone > len(before):
        hint = "`steno notebook sync --deleted` lays them aside; delete the file to have it written anew"
        return Held(page=page, reason=f"lost {gone} of {len(before)} lines", hint=hint)
    return None
