"""Pulse: an agent whose open work stands still is woken in its own main session, once for each silence.

Everything is decided without a model, from the store. That an agent is woken is written down before it is: who is
killed in between has woken nobody, and nobody tries again in that silence.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec import structs

from steno.briefing.pulse import wake_up
from steno.clock import before
from steno.fleet.agents import Registry, owner
from steno.fleet.clients import is_open
from steno.fleet.quiet import DAY, Patience, is_compacted, why_not
from steno.fleet.waking import Running, Way, post, way_of
from steno.home import Home
from steno.store.agents import Known
from steno.store.wakes import MainSession
from steno.vocabulary.errors import WrongUse
from steno.vocabulary.fleet import Agent, AgentFacts
from steno.vocabulary.pulse import Look, Stand, Wake

# Of one agent in 24 hours.
_MOST: Final = 100


class Ready(NamedTuple):
    """Somebody to be woken: where, how, and with which words."""

    stand: Stand
    way: Way
    prompt: str


class Pulse:
    """Who is woken, and what came of it."""

    def __init__(self, home: Home, agents: Registry, *, busy: Callable[[Stand], bool] = is_open) -> None:
        self._home, self._store, self._clock = home, home.store, home.clock
        self._agents = agents
        # Whether a program is at a session.
        self._busy = busy
        self._patience = Patience(home.settings["pulse_quiet_minutes"], home.settings["pulse_human_minutes"])
        self._running: dict[int, Running] = {}

    @property
    def is_at_work(self) -> bool:
        """Whether somebody we woke is still at work."""
        return bool(self._running)

    def allow(self, name: str, most: int) -> Agent:
        """A person says how often an agent may be woken in 24 hours; 0: never. Gives that agent."""
        if not 0 <= most <= _MOST:
            raise WrongUse(f"an agent is woken 0 to {_MOST} times a day", hint="give a number between them")
        return self._agents.tell(self._agents.one(name).name, wakes_a_day=most)

    def looks(self) -> list[Look]:
        """What would be done about every agent now, and why; wakes nobody."""
        on = {look.agent: look for look, _ in self._decided()}
        return [on.get(one.name) or _off(one.name) for one in self._agents.all()]

    def beat(self) -> list[Look]:
        """Wake whose work stands still; gives those. Agents for whom pulse is off cost nothing."""
        return [woken for look, ready in self._decided() if ready and (woken := self._wake(look, ready))]

    def settle(self) -> list[Wake]:
        """Write down how it went with those who are done; gives those."""
        done = {id_: outcome for id_, running in self._running.items() if (outcome := running.ended()) is not None}
        for id_, outcome in done.items():
            del self._running[id_]
            self._ended(id_, outcome)
        return [self._store.wakes.one(id_) for id_ in done]

    # -- deciding ----------------------------------------------------------------------------------------------------

    def _decided(self) -> list[tuple[Look, Ready | None]]:
        """Every agent for whom pulse is on."""
        known = self._store.agents.all()
        awake = [one for one in known if one.facts.wakes_a_day]
        if not awake:
            return []
        facts = {one.name: one.facts for one in known}
        theirs: dict[str, list[MainSession]] = {}
        for session in self._store.wakes.sessions(before(self._clock(), DAY)):
            name = owner(facts, session.source, session.project, session.agent or "")
            theirs.setdefault(name, []).append(session)
        return [self._decide(one, theirs.get(one.name, [])) for one in awake]

    def _decide(self, agent: Known, sessions: Sequence[MainSession]) -> tuple[Look, Ready | None]:
        """The agent's main session is the one of which something was heard last: no other is ever woken."""
        now, most = self._clock(), agent.facts.wakes_a_day
        look = Look(agent=agent.name, most=most, wakes=False, why="no main session in the last 24 hours")
        numbers = [one.number for one in sessions]
        stand = self._store.wakes.stand(sessions[0], numbers, before(now, DAY)) if sessions else None
        if stand is None:
            return look, None
        wakes = self._store.wakes.of(agent.name)
        look = structs.replace(
            look, session=stand.session, goal=stand.goal.partition("\n")[0], quiet_since=stand.heard_at,
            last=wakes[0] if wakes else None, why=why_not(stand, wakes, most, self._patience, now),
        )  # fmt: skip
        return (look, None) if look.why else self._ready(look, stand, agent.facts)

    def _ready(self, look: Look, stand: Stand, facts: AgentFacts) -> tuple[Look, Ready | None]:
        """Nothing in the store speaks against it: is anybody at it, and how would it be woken?"""
        if self._busy(stand):
            return structs.replace(look, why="a program is open on it"), None
        prompt = wake_up(stand.goal, stand.heard_at, compacted=is_compacted(stand))
        try:
            way = way_of(facts, stand, prompt)
        except WrongUse as error:
            return structs.replace(look, why=error.message), None
        why = "its context was compacted in the middle of its work" if is_compacted(stand) else "its work stands still"
        return structs.replace(look, wakes=True, why=why, command=way.words), Ready(stand, way, prompt)

    # -- waking ------------------------------------------------------------------------------------------------------

    def _wake(self, look: Look, ready: Ready) -> Look | None:
        """None: somebody else did so meanwhile."""
        id_ = self._store.wakes.put(look.agent, ready.stand, look.last.id if look.last else 0, self._clock())
        if id_ is None:
            return None
        self._begin(id_, ready)
        return structs.replace(look, last=self._store.wakes.one(id_))

    def _begin(self, id_: int, ready: Ready) -> None:
        if ready.way.webhook:
            self._ended(id_, post(ready.way.webhook, self._home.settings["pulse_key"], ready.prompt, id_))
            return
        try:
            self._running[id_] = Running(ready.way.words, ready.stand.directory, self._home.environment)
        except (OSError, ValueError) as error:
            self._ended(id_, f"cannot be run: {error}")

    def _ended(self, id_: int, problem: str) -> None:
        said = self._home.clean(problem)
        self._store.wakes.end(id_, passed=not problem, said=said, now=self._clock())


def _off(name: str) -> Look:
    return Look(agent=name, most=0, wakes=False, why="pulse is off")
