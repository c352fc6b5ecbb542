"""Which folder of the notebook is whose."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from steno.notebook.text import file_name, mark
from steno.pipeline.notebook import Notebook
from steno.store import Store
from steno.store.pages import Folder

if TYPE_CHECKING:
    from steno.pipeline.flowbook import Flowbook

# What a project cannot be called inside the notebook.
_TAKEN_NAMES: Final = frozenset({"days", "topics", "flows", "agents"})


# A project and an agent; empty: none, and all.
Whose = tuple[str, str]


class Folders:
    """The folders of one home."""

    def __init__(self, store: Store, flowbook: "Flowbook", root: Path) -> None:
        self._pages = store.pages
        self._flowbook = flowbook
        self._root = root

    def all(self, more: Iterable[Whose]) -> list[Folder]:
        """Every folder; projects and agents that have none yet get one, those of a name a number of their own."""
        known = {folder.whose: folder for folder in self._pages.folders()}
        wanted = {("", ""), *more}
        wanted |= {(flow.project or "", flow.agent or "") for flow in self._flowbook.all("active")}
        # Agents have their folder in that of the project.
        wanted |= {(project, "") for project, _ in wanted}
        for project, agent in sorted(wanted - known.keys()):
            names = {folder.folder for folder in known.values()} | _TAKEN_NAMES
            name = file_name(last_part(project)) if project else ""
            if agent:
                name = path_of(known[project, ""].folder, f"agents/{file_name(agent)}")
            if name and name in names:
                name = f"{name}-{mark(project, agent)[:4] if agent else mark(project)[:4]}"
            known[project, agent] = Folder(project, agent, name)
            self._pages.put_folder(known[project, agent])
        return sorted(known.values(), key=lambda folder: folder.folder)

    def place(self, folder: Folder) -> Path:
        """Where a folder lies."""
        return self._root / folder.folder

    def notebook(self, folder: Folder) -> Notebook:
        """Its files."""
        return Notebook(self._root, folder.folder)


def path_of(folder: str, name: str) -> str:
    """A page as people call it."""
    return f"{folder}/{name}" if folder else name


def last_part(path: str) -> str:
    """What a path ends in."""
    return path.rstrip("/").rpartition("/")[2]
