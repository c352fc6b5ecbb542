"""How fit each agent is: every dimension that is measured, what it is worth, and how it was before."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from steno.clock import before, seconds_between
from steno.fleet.at_work import owned
from steno.flows.record import BROKEN, ENOUGH_RUNS, UNUSED_DAYS
from steno.store.fitness import Held
from steno.vocabulary.fitness import Dimension, Fitness
from steno.vocabulary.fleet import Agent

if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet

# What is counted over a stretch of time is counted over this one; all else over the sessions of a month. Who was not
# heard of for longer is not measured.
LATELY: Final = timedelta(days=7)
_HEARD: Final = timedelta(days=30)
# Agents that are measured at most, those that were heard of last.
_MOST: Final = 100
# History: every measure of two days, one a day of a quarter of a year, and nothing older.
_WHOLE: Final = timedelta(days=2)
_OLDEST: Final = timedelta(days=90)
# A session of so many turns of which nothing was learnt is odd.
_SILENT_TURNS: Final = 50
_BARS: Final = "▁▂▃▄▅▆▇█"

_TABLE: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
# Everything that is measured of an agent, by name, in the order it is shown.
DIMENSIONS: Final = {
    name: Dimension(name=name, source=source, shared=source == "fitness_home", **told)
    for source, lines in _TABLE.items()
    for name, told in lines.items()
}
_QUERIES: Final = [source for source in _TABLE if source.startswith("fitness_")]


class Measuring:
    """Measures agents, and keeps what was measured."""

    def __init__(self, fleet: "Fleet") -> None:
        self._fleet, self._store, self._clock = fleet, fleet.home.store, fleet.home.clock

    def measure(self, names: Iterable[str] | None = None) -> list[Fitness]:
        """How fit everybody is now who was heard of lately, or those that are named; by name. Nothing is kept."""
        now, agents = self._clock(), self._fleet.agents.all()
        wanted = set(names) if names is not None else None
        heard = [one for one in agents if (one.heard_at or "") >= before(now, _HEARD) or one.facts.star is not None]
        chosen = heard if wanted is None else [one for one in agents if one.name in wanted]
        latest = sorted(chosen, key=lambda one: one.heard_at or "", reverse=True)[:_MOST]
        sessions = owned(self._store, before(now, _HEARD))
        return [self._one(one, sessions.get(one.name, []), now) for one in sorted(latest, key=lambda one: one.name)]

    def keep(self) -> list[Fitness]:
        """Measure everybody and keep it; history that is too old goes."""
        measured, now = self.measure(), self._clock()
        for one in measured:
            self._store.measures.put(one)
        self._store.measures.thin(before(now, _WHOLE), before(now, _OLDEST))
        return measured

    def history(self, agent: str | None = None) -> list[Fitness]:
        """What was kept, the oldest first."""
        return self._store.measures.history(agent)

    def _one(self, agent: Agent, sessions: Sequence[Held], now: str) -> Fitness:
        numbers = self._store.measures.measured(_QUERIES, self._whose(agent, sessions, now))
        numbers |= self._waiting(agent, now) | self._lessons(agent, now) | self._ready(agent)
        # To whom nobody wrote, and who learnt nothing, none waits: that is no merit.
        for name, ever in (("unread", "messages_got"), ("lessons_in_words", "lessons")):
            numbers[name] = numbers[name] if numbers[name] or numbers[ever] else None
        values = {name: round(float(value), 4) for name in DIMENSIONS if (value := numbers[name]) is not None}
        return Fitness(agent=agent.name, at=now, score=score(values), values=values)

    def _whose(self, agent: Agent, sessions: Sequence[Held], now: str) -> dict[str, Any]:
        """What tells the agent's own from everybody else's."""
        since = before(now, LATELY)
        lately = [one for one in sessions if (one.last_at or "") >= since]
        ends = [one.name for one in self._store.looks.bridges() if agent.name in (one.producer, one.consumer)]
        return {
            "agent": agent.name, "hosts": list(agent.hosts), "projects": list(agent.projects),
            "since": since, "now": now,
            "sessions": [one.id for one in sessions], "lately": [one.id for one in lately],
            "names": [one.session for one in sessions], "bridges": ends, "silent_turns": _SILENT_TURNS,
            "enough": ENOUGH_RUNS, "broken": BROKEN, "unused": before(now, timedelta(days=UNUSED_DAYS)),
        }  # fmt: skip

    def _waiting(self, agent: Agent, now: str) -> dict[str, float | None]:
        unread = self._store.messages.unread(agent.name, agent.facts.domains, now)
        oldest = seconds_between(unread[0].at, now) / 3600 if unread else None
        return {"unread": float(len(unread)), "oldest_unread_hours": oldest}

    def _lessons(self, agent: Agent, now: str) -> dict[str, float | None]:
        found = [one for one in self._store.gates.lessons_in_words() if one.project in agent.projects]
        oldest = seconds_between(found[0].since, now) / 86_400 if found else None
        return {"lessons_in_words": float(len(found)), "oldest_lesson_days": oldest}

    def _ready(self, agent: Agent) -> dict[str, float | None]:
        conditions = self._fleet.agents.ready(agent.name).conditions
        return {"ready": sum(one.holds for one in conditions) / len(conditions)}


def score(values: Mapping[str, float]) -> float | None:
    """From 0 to 100: the mean of what every dimension that is known and counts is worth, each as much as another."""
    worth = [points for name, value in values.items() if (points := DIMENSIONS[name].worth(value)) is not None]
    return round(100 * sum(worth) / len(worth), 1) if worth else None


def sparkline(values: Sequence[float | None], width: int = 16) -> str:
    """The last values as bars, the lowest of them the lowest; a blank where none is known."""
    shown = values[-width:]
    known = [value for value in shown if value is not None]
    if not known:
        return ""
    low, span = min(known), max(known) - min(known)
    return "".join(" " if one is None else _BARS[int((one - low) / span * 7 + 0.5) if span else 3] for one in shown)
