"""Named workers: those that were met, what people said about them, and what sessions tell."""

import json
from collections.abc import Collection
from typing import Final, NamedTuple

import msgspec

from steno.store.database import Tables, value_of
from steno.vocabulary.fleet import AgentFacts, Seen

_decode: Final = msgspec.json.Decoder(AgentFacts).decode
_NOTHING: Final = AgentFacts()


class Known(NamedTuple):
    """An agent that was met or told of."""

    name: str
    since: str
    facts: AgentFacts
    beat_at: str | None


class Agents(Tables):
    """The registry as it is kept."""

    def all(self) -> list[Known]:
        """Those that were met or told of, by name."""
        return [
            Known(name, since, _NOTHING if value is None else _decode(value), beat_at)
            for name, since, value, beat_at in self._database.rows("agents")
        ]

    def seen(self) -> list[Seen]:
        """What captured sessions tell."""
        return [value_of(Seen, row) for row in self._database.rows("seen_agents")]

    def called(self, name: str, project: str | None) -> tuple[str, AgentFacts]:
        """Who it is that a host calls so in a project: the agent whose place that is, else the one of that name."""
        known = self.all()
        here = [one for one in known if one.facts.is_at(name, project)]
        found = here or [one for one in known if one.name == name]
        return (found[0].name, found[0].facts) if found else (name, _NOTHING)

    def tell(self, name: str, facts: AgentFacts, now: str) -> None:
        """Keep what a person says about an agent."""
        value = msgspec.json.encode(facts).decode()
        self._change("tell_agent", {"name": name, "since": now, "value": value})

    def beat(self, name: str, now: str) -> None:
        """An agent says that it is alive."""
        self._change("beat_agent", {"name": name, "at": now})

    def last_capture(self, projects: Collection[str]) -> str | None:
        """When something was last captured in some projects; without any, anywhere."""
        found: str | None = self._database.rows("last_of_projects", {"projects": json.dumps([*projects])})[0][0]
        return found
