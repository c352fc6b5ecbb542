"""How fit agents are: numbers over everything that is kept, and their history."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from steno.store.database import Tables
from steno.vocabulary.fitness import Fitness

# Each gives one object of numbers.
MEASURES: Final = (
    *("fitness_turns", "fitness_capture", "fitness_transcripts", "fitness_entries", "fitness_use", "fitness_rules"),
    *("fitness_outcomes", "fitness_given", "fitness_ungraded", "fitness_losses", "fitness_flows", "fitness_works"),
    *("fitness_model", "fitness_fleet", "fitness_home", "fitness_bridges"),
)


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

    def measured(self, whose: Mapping[str, Any]) -> dict[str, dict[str, float | None]]:
        """All numbers, by the query that gave them; lists of values go in as they are."""
        values = {name: json.dumps(value) if isinstance(value, list) else value for name, value in whose.items()}
        return {name: json.loads(self._database.rows(name, values)[0][0]) for name in MEASURES}

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
