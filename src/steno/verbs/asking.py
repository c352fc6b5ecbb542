"""Who asks, what they may see, and which project they mean."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from steno.vocabulary.acts import Door, Who
from steno.vocabulary.errors import NotTheirs, UnknownProject, WrongUse

if TYPE_CHECKING:
    from steno.memory import Memory

# Headers in which whoever sets up an agent says what it may see.
PROJECT, AGENT = b"steno-project", b"steno-agent"
_HINT: Final = "`steno entries share` lets others see what belongs to a project or an agent"


class Asker(Struct, frozen=True, kw_only=True):
    """Who asks: an agent at work in a project, who sees what is theirs or shared with them; or a person, who sees
    everything. An agent without a project works in none (empty)."""

    project: str | None = None
    agent: str | None = None
    # The door it came through, and the process that asks (0: this one).
    door: Door = "cli"
    pid: int = 0
    # Who that is; judged when something is to be written, if it is not known.
    who: Who | None = None

    @property
    def sees_all(self) -> bool:
        """Whether everything may be seen."""
        return self.project is None and self.agent is None

    def sees(self, memory: "Memory", project: str | None) -> str | None:
        """The project that is looked at: the one that was asked for, if it is theirs, or a folder of it."""
        if self.sees_all or project is None:
            return project if self.sees_all else self.project or ""
        if project == self.project or (os.path.isabs(project) and memory.project_of(project) == self.project):
            return self.project
        raise NotTheirs(f"{project} is not seen from {self.project or 'no project'}", hint=_HINT)

    def named(self, agent: str | None) -> str | None:
        """The agent that is looked for: whom it says it is, if it may."""
        if self.agent is None or agent in (None, self.agent):
            return self.agent or agent
        raise NotTheirs(f"{self.agent} does not speak for {agent}", hint=_HINT)


def asker_of(headers: Iterable[tuple[bytes, bytes]]) -> Asker:
    """Who asks over HTTP, by what the request says of itself."""
    said: dict[bytes, str] = {}
    for name, value in headers:
        if name in (PROJECT, AGENT):
            if name in said:
                raise WrongUse(f"{name.decode()} is given twice", hint="give it once")
            said[name] = value.decode("utf-8", "replace").strip()
    return Asker(project=said.get(PROJECT), agent=said.get(AGENT) or None, door="http")


class Where(Struct, frozen=True, kw_only=True):
    """Which project is meant. None: all of them."""

    project: str | None = None
    # `here`: the one somebody stands in; `named`: they said so; `everywhere`: all; `nowhere`: they stand in none, so
    # all; `held`: the only one an agent may see.
    how: Literal["here", "named", "everywhere", "nowhere", "held"] = "nowhere"
    # Where whoever asks says they stand.
    directory: str | None = None

    def of(self, session: str) -> str | None:
        """The project a session must belong to: a person may name any, and `latest` is the latest of this one."""
        return self.project if session == "latest" or self.how == "held" else None

    @property
    def in_words(self) -> str:
        """The first line of an answer on a terminal."""
        if self.project:
            return f"in {os.path.basename(self.project.rstrip('/')) or self.project} ({self.project})"
        return "in all projects" + (": this folder belongs to none" if self.how == "nowhere" else "")


def where(
    memory: "Memory", asker: Asker, *, project: str | None, everywhere: bool, directory: str | None, writes: bool
) -> Where:
    """The project somebody means: the one they name, else the one they stand in."""
    if everywhere and project is not None:
        raise WrongUse("a project and everywhere contradict each other", hint="give one of them")
    if not asker.sees_all:
        if everywhere:
            raise NotTheirs("an agent sees its own project only", hint=_HINT)
        asker.sees(memory, directory)
        return Where(project=asker.sees(memory, project), how="held", directory=directory)
    if everywhere:
        return Where(how="everywhere", directory=directory)
    if project is not None:
        return Where(project=_named(memory, project), how="named", directory=directory)
    if directory is not None:
        root = memory.project_of(directory)
        if os.path.exists(os.path.join(root, ".git")) or root in memory.projects():
            return Where(project=root, how="here", directory=directory)
    if writes:
        raise WrongUse("this folder belongs to no project", hint="say where it holds: --project NAME or --everywhere")
    return Where(directory=directory)


def _named(memory: "Memory", name: str) -> str:
    """A project by its folder, by the name it is kept under, or by the last part of that."""
    known = memory.projects()
    if os.path.isabs(name):
        root = memory.project_of(name)
        if root in known or os.path.isdir(name):
            return root
    if name in known:
        return name
    found = [one for one in known if os.path.basename(one.rstrip("/")) == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise WrongUse(f"several projects are called {name!r}", hint=f"give the folder: {' or '.join(found)}")
    there = ", ".join(dict.fromkeys(os.path.basename(one.rstrip("/")) or one for one in known))
    raise UnknownProject(
        f"no project is called {name!r}", hint=f"the projects are {there}" if there else "nothing is captured yet"
    )
