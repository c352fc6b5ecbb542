"""The registry of agents: filled from what is captured, and by people."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import structs

from steno.fleet.ready import readiness
from steno.fleet.relay import name_of
from steno.home import Home
from steno.store.agents import Known
from steno.vocabulary.errors import UnknownAgent, WrongUse
from steno.vocabulary.fleet import Agent, AgentFacts, NorthStar, Readiness, Seen

# A mission is a few sentences: it stands in every boot.
_MISSION, _WORK, _MOST_WORK = 1_000, 300, 20
_NOBODY: Final = AgentFacts()


class Registry:
    """Who works here."""

    def __init__(self, home: Home) -> None:
        self._home, self._store, self._clock, self._clean = home, home.store, home.clock, home.clean

    def all(self) -> list[Agent]:
        """Everybody that was captured, met or told of, by name."""
        store = self._store
        found = registered(store.agents.all(), store.agents.seen())
        unread = store.messages.waiting(self._clock())
        return [structs.replace(one, unread=unread.get(one.name, 0)) for one in found]

    def one(self, name: str) -> Agent:
        found = [one for one in self.all() if one.name == name]
        if not found:
            raise UnknownAgent(f"no agent is called {name!r}", hint="`steno agents` lists them")
        return found[0]

    def tell(self, name: str, **facts: Any) -> Agent:
        """A person says something about an agent, known or new; what is not given stays. Nothing given: it is met."""
        name = name_of(name, self._clean)
        known = {one.name: one.facts for one in self._store.agents.all()}.get(name, _NOBODY)
        clean = {key: self._cleaned(value) for key, value in facts.items() if value is not None}
        if clean:
            self._home.only_people("agents set")
        if "domains" in clean:
            clean["domains"] = tuple(domain.upper() for domain in clean["domains"])
        self._store.agents.tell(name, structs.replace(known, **clean), self._clock())
        return self.one(name)

    def point(self, name: str, mission: str, work: Sequence[str] = ()) -> Agent:
        """A person gives an agent its north star: what it is for, and what it may begin by itself."""
        told = [self._clean(" ".join(text.split())) for text in (mission, *work)]
        if not all(told) or len(told[0]) > _MISSION or max(map(len, told[1:]), default=0) > _WORK:
            raise WrongUse(
                f"a mission has 1 to {_MISSION:,} characters, each piece of work 1 to {_WORK}", hint="say it shorter"
            )
        if len(work) > _MOST_WORK:
            raise WrongUse(f"at most {_MOST_WORK} pieces of work fit", hint="join those that belong together")
        return self.tell(name, star=NorthStar(mission=told[0], work=tuple(told[1:])))

    def beat(self, name: str) -> None:
        """An agent says that it is alive."""
        self._store.agents.beat(name_of(name, self._clean), self._clock())

    def ready(self, name: str) -> Readiness:
        """Whether an agent may begin work by itself, and what is missing."""
        agent = self.one(name)
        return readiness(
            name, agent.facts, self._store.capabilities.of(name, agent.projects),
            captured_at=self._store.agents.last_capture(agent.projects), now=self._clock(),
        )  # fmt: skip

    def _cleaned(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._clean(value.strip())
        return tuple(map(self._cleaned, value)) if isinstance(value, list | tuple) else value


def registered(known: Iterable[Known], seen: Iterable[Seen]) -> list[Agent]:
    """Everybody, by name: sessions belong to the agent whose place they were held in, else to the one of their name."""
    told = {one.name: one for one in known}
    theirs: dict[str, list[Seen]] = {name: [] for name in told}
    facts = {name: other.facts for name, other in told.items()}
    for one in seen:
        theirs.setdefault(owner(facts, one.host, one.project, one.agent), []).append(one)
    return [_agent(name, told.get(name), theirs[name]) for name in sorted(theirs)]


def owner(told: Mapping[str, AgentFacts], host: str, project: str | None, called: str) -> str:
    """Whose a session is: the agent's whose place it was held in, else of the one it is called after."""
    return next((name for name, facts in told.items() if facts.is_at(host, project)), called)


def _agent(name: str, known: Known | None, seen: Sequence[Seen]) -> Agent:
    facts = known.facts if known else _NOBODY
    heard = [one.last_at for one in seen] + [known.beat_at if known else None]
    begun = [one.since for one in seen] + [known.since if known else None]
    return Agent(
        name=name,
        since=min(filter(None, begun), default=None),
        facts=facts,
        hosts=_each([facts.host, *(one.host for one in seen)]),
        projects=_each([*facts.projects, *(one.project for one in seen)]),
        sessions=sum(one.sessions for one in seen),
        heard_at=max(filter(None, heard), default=None),
    )


def _each(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))
