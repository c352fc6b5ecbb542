"""How fit agents are: numbers over everything that is kept, and their history."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from steno.store.database import Tables
from steno.vocabulary.fitness import Fitness


class Held(NamedTuple):
    """A session, and what tells whose it is."""

    id: int
    session: str
    host: str
    project: str | None
    agent: str
    last_at: str | None


class Measures(Tables):
    """What can be counted of an agent."""

    def sessions(self, since: str) -> list[Held]:
        """Sessions of named agents that were heard of since a time."""
        return [Held(*row) for row in self._database.rows("fitness_sessions", {"since": since})]

    def measured(self, queries: Iterable[str], whose: Mapping[str, Any]) -> dict[str, float | None]:
        """All numbers of queries that give one object each; lists of values go in as they are."""
        values = {name: json.dumps(value) if isinstance(value, list) else value for name, value in whose.items()}
        found = (json.loads(self._database.rows(query, values)[0][0]) for query in queries)
        return {name: value for part in found for name, value in part.items()}

    def put(self, fitness: Fitness) -> None:
        """Keep how fit an agent was."""
        facts = {"agent": fitness.agent, "at": fitness.at, "score": fitness.score}
        self._change("put_fitness", {**facts, "value": json.dumps(fitness.values)})

    def thin(self, thin: str, oldest: str) -> None:
        """Keep one a day of what is older than a time, and nothing that is older than another."""
        self._change("thin_fitness", {"thin": thin, "oldest": oldest})

    def history(self, agent: str | None = None, since: str = "") -> list[Fitness]:
        """How fit agents were, the oldest first."""
        rows = self._database.rows("fitness", {"agent": agent, "since": since})
        return [Fitness(agent=name, at=at, score=score, values=json.loads(value)) for name, at, score, value in rows]

    def at_work(self, since: str, now: str) -> list[tuple[int, str]]:
        """When sessions were at work: their numbers, with the beginning of a time that says ten minutes of a day."""
        return [(session, at) for session, at in self._database.rows("day_slots", {"since": since, "now": now})]
