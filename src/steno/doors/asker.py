"""Who asks at a door: an agent at work in a project, who sees what is theirs or shared with them; or a person, who sees
everything."""

import os
from collections.abc import Collection, Iterable
from typing import Any, Final

from msgspec import Struct

from steno.memory import Memory
from steno.vocabulary.errors import NotTheirs, WrongUse

# By which whoever sets up an agent says what it may see.
PROJECT, AGENT = b"steno-project", b"steno-agent"
_HINT: Final = "`steno share` lets others see what belongs to a project or an agent"


class Asker(Struct, frozen=True, kw_only=True):
    """Who asks. Neither: a person. An agent alone works in no project (empty)."""

    project: str | None = None
    agent: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether everything may be seen."""
        return self.project is None and self.agent is None

    def sees(self, memory: Memory, project: str | None) -> str | None:
        """The project that is looked at: the one that was asked for, if it is theirs, or a folder of it."""
        if self.is_person or project is None:
            return project if self.is_person else self.project or ""
        if project == self.project or (os.path.isabs(project) and memory.project_of(project) == self.project):
            return self.project
        raise NotTheirs(f"{project} is not seen from {self.project or 'no project'}", hint=_HINT)

    def named(self, agent: str | None) -> str | None:
        """The agent that is looked for: whom it says it is, if it may."""
        if self.agent is None or agent in (None, self.agent):
            return self.agent or agent
        raise NotTheirs(f"{self.agent} does not speak for {agent}", hint=_HINT)

    def limited(self, memory: Memory, asked: dict[str, Any], takes: Collection[str]) -> dict[str, Any]:
        """What is asked, held to what they may see."""
        if self.is_person:
            return asked
        held: dict[str, Any] = {"project": self.sees(memory, asked.get("project"))}
        held |= {"agent": self.named(asked.get("agent"))} if "agent" in takes else {}
        return {**asked, **held}


def asker_of(headers: Iterable[tuple[bytes, bytes]]) -> Asker:
    """Who asks over HTTP, by what the request says of itself."""
    said: dict[bytes, str] = {}
    for name, value in headers:
        if name in (PROJECT, AGENT):
            if name in said:
                raise WrongUse(f"{name.decode()} is given twice", hint="give it once")
            said[name] = value.decode("utf-8", "replace").strip()
    return Asker(project=said.get(PROJECT), agent=said.get(AGENT) or None)
