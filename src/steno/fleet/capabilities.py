"""What can be done here: found by a scan, told by a person, checked. Never kept by the agents themselves."""

import os
from collections.abc import Iterable
from typing import Final

from msgspec import structs

from steno.fleet.keychain import kept
from steno.fleet.relay import name_of
from steno.fleet.scan import is_there, scan
from steno.home import Home
from steno.pipeline.leave_out import leave_out
from steno.processes import run
from steno.sources.bootstrap import workspaces
from steno.vocabulary.errors import UnknownCapability, WrongUse
from steno.vocabulary.fleet import Capability

# How long a person's check may take.
_SECONDS: Final = 10.0


class Capabilitybook:
    """All of them."""

    def __init__(self, home: Home) -> None:
        self._home, self._store, self._environment = home, home.store, home.environment
        self._clock, self._clean = home.clock, home.clean

    def all(self, project: str | None = None, agent: str | None = None) -> list[Capability]:
        """By name; or what is seen from a project (empty: from none), with an agent's own."""
        return self._store.capabilities.all(project, agent)

    def one(self, name: str) -> Capability:
        found = [one for one in self.all() if one.name == name]
        if not found:
            raise UnknownCapability(f"no capability is called {name!r}", hint="`steno capabilities` lists them")
        return found[0]

    def tell(
        self, name: str, command: str, *, about: str = "", owner: str | None = None, project: str | None = None,
        health: str | None = None,
    ) -> Capability:  # fmt: skip
        """A person says what can be done, by whom, and how to find out whether it works."""
        self._home.only_people("capabilities add")
        if not command.strip():
            raise WrongUse("a capability has a command", hint='steno capabilities add NAME "COMMAND"')
        given = Capability(
            name=name_of(name, self._clean), command=command.strip(), kind="told", about=about.strip(), project=project,
            owner=None if owner is None else name_of(owner, self._clean), health=health,
        )  # fmt: skip
        self._store.capabilities.put([self._cleaned(given)])
        return self.one(given.name)

    def drop(self, name: str) -> Capability:
        """A person strikes one out; a scan may find it again. Gives what it was."""
        one = self.one(name)
        self._store.capabilities.put([], [one.name])
        return one

    def scan(self) -> list[Capability]:
        """Look through the folders agents work in and what hosts are told of: what is found is kept and looked at, what
        is gone is dropped. What a person told stays as it is."""
        told = {one.name for one in self.all() if one.kind == "told"}
        found = [self._cleaned(one) for one in scan(self._folders(), self._environment)]
        found += self._in_keychain(found)
        fresh = {one.name: one for one in found if one.name not in told}
        self._store.capabilities.put(fresh.values(), {one.name for one in self.all()} - told - fresh.keys())
        looked_at = [(one.name, one.passed, _gone(one.passed)) for one in fresh.values() if one.passed is not None]
        self._store.capabilities.checked(looked_at, self._clock())
        return [one for one in self.all() if one.name in fresh]

    def check(self, name: str | None = None, *, seconds: float = _SECONDS) -> list[Capability]:
        """Check one, or all: run the person's command, or look whether it is still there. How they are now."""
        chosen = self.all() if name is None else [self.one(name)]
        for one in chosen:
            if one.kind == "told":
                problem = self._clean(self._problem(one, seconds))
                self._store.capabilities.checked([(one.name, not problem, problem)], self._clock())
        if any(one.kind != "told" for one in chosen):
            self.scan()
        return self.all() if name is None else [self.one(name)]

    def _problem(self, one: Capability, seconds: float) -> str:
        folder = one.project if one.project and os.path.isdir(one.project) else None
        if one.health is not None:
            return run(one.health, seconds, 0, folder=folder, environment=self._environment).problem
        return _gone(is_there(one.command, folder, self._environment))

    def _in_keychain(self, found: Iterable[Capability]) -> list[Capability]:
        """Names of entries for MCP servers and for what people told of; never values."""
        if not self._home.settings["keychain"]:
            return []
        named = {_service(one): one for one in (*self.all(), *found) if one.kind in ("told", "mcp")}
        return [
            Capability(
                name=f"keychain: {name}", command=f"keychain {name}", kind="keychain", passed=True,
                owner=named[name].owner, project=named[name].project,
            )
            for name in kept(named, self._environment)
        ]  # fmt: skip

    def _folders(self) -> list[str]:
        """Where agents work, and what hosts keep for them; not what the user leaves out."""
        agents = self._store.agents
        places = [one.project for one in agents.seen()] + [path for one in agents.all() for path in one.facts.projects]
        places += map(str, workspaces(self._environment))
        there = sorted({path for path in places if path and os.path.isabs(path) and os.path.isdir(path)})
        left_out = leave_out(self._home)
        return [path for path in there if not left_out.path(path)]

    def _cleaned(self, one: Capability) -> Capability:
        texts = {name: getattr(one, name) for name in ("name", "command", "about", "project", "health")}
        return structs.replace(one, **{name: text and self._clean(text) for name, text in texts.items()})


def _service(one: Capability) -> str:
    """Under which name a keychain may know it."""
    return one.command.removeprefix("mcp ") if one.kind == "mcp" else one.name


def _gone(there: bool) -> str:
    return "" if there else "it is not there any more"
