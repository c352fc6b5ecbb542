"""Sharing: what belongs to a project or an agent is seen beyond it when a person says so, and no longer than that."""

import os

from steno.home import Home
from steno.notebook.parse import parse
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.pages import Pages
from steno.sources.common import project_of
from steno.vocabulary.errors import UnknownEntry, WrongUse
from steno.vocabulary.shares import Shared


class Sharing:
    """What people share."""

    def __init__(self, home: Home) -> None:
        self._store, self._clock, self._clean = home.store, home.clock, home.clean
        self._flows, self._pages = Flowbook(home), Pages(home)

    def all(self) -> list[Shared]:
        """Everything that is shared, the oldest first."""
        return self._store.shares.all()

    def share(self, what: str, *, project: str = "", agent: str = "") -> list[Shared]:
        """Let whoever works in a project, as an agent, see it; without them everybody. Of a page, what stands there."""
        project, agent = self._clean(_place(project)), self._clean(agent)
        whose = self._meant(what)
        for one in whose:
            self._tell(one, project, agent)
        return [
            one for one in self.all() if one.what in whose and (one.project or "", one.agent or "") == (project, agent)
        ]

    def take_back(self, what: str, *, project: str | None = None, agent: str | None = None) -> list[Shared]:
        """Share it no more, with one project or agent or, without them, with anybody; what that was."""
        whose = self._meant(what)
        gone = [
            one
            for one in self.all()
            if one.what in whose
            and (project is None or one.project == _place(project)) and (agent is None or one.agent == agent)
        ]  # fmt: skip
        for one in gone:
            self._tell(one.what, one.project or "", one.agent or "", taken_back=True)
        return gone

    def _tell(self, what: str, project: str, agent: str, **more: bool) -> None:
        self._store.entries.tell("share", what, {"project": project, "agent": agent, **more}, self._clock())

    def _meant(self, what: str) -> set[str]:
        """A flow by its name, an entry by its id, or all entries on a page of the notebook."""
        if any(flow.name == what for flow in self._flows.all()):
            return {what}
        if "/" not in what and not what.endswith(".md"):
            try:
                return {self._store.entries.one(what).id}
            except UnknownEntry as error:
                hint = "give an entry's id, a flow's name, or a page such as shop/topics/people/team.md"
                raise UnknownEntry(error.message, hint=hint) from error
        page = self._pages.read(what)
        ids = {block.id for _, block in parse(page.text).items() if block.id}
        if not (found := set(self._store.pages.placed(ids))):
            raise WrongUse(f"no line of {page.name} can be shared", hint="share an entry by its id")
        return found


def _place(project: str) -> str:
    """The project a folder belongs to; what is no path stays as it is."""
    return project_of(os.path.abspath(project)) if os.path.isdir(project) else project
