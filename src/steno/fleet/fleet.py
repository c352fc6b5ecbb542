"""What `memory.fleet` is: agents, what they write to each other, and what came from what."""

from contextlib import suppress
from functools import cached_property
from typing import Final

from msgspec import structs

from steno.fleet.agents import Registry
from steno.fleet.bridges import Bridges
from steno.fleet.capabilities import Capabilitybook
from steno.fleet.cascade import follow
from steno.fleet.dispatch import dispatch
from steno.fleet.fitness import Measuring
from steno.fleet.infrastructure import Infrastructure
from steno.fleet.morning import morning
from steno.fleet.pulse import Pulse
from steno.fleet.relay import Relay, name_of
from steno.fleet.watches import Watches
from steno.gates.concerns import concerns
from steno.home import Home
from steno.pipeline.flowbook import Flowbook
from steno.vocabulary import PEOPLE, Scope
from steno.vocabulary.errors import NotTheirs, UnknownEntry, UnknownMessage, UnknownRun, WrongUse
from steno.vocabulary.fitness import Morning
from steno.vocabulary.fleet import Dispatch, Hop, RaisedFlag

# A person sees everything.
_ALL: Final = Scope()
# How a run of upkeep is called where something came from it.
_RUN: Final = "run-"


class Fleet:
    """Many agents, one memory."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._store, self._clock, self._clean = home.store, home.clock, home.clean

    @cached_property
    def relay(self) -> Relay:
        """What agents write to each other."""
        return Relay(self)

    @cached_property
    def agents(self) -> Registry:
        """Who works here."""
        return Registry(self.home)

    @cached_property
    def capabilities(self) -> Capabilitybook:
        """What can be done here."""
        return Capabilitybook(self.home)

    @cached_property
    def pulse(self) -> Pulse:
        """Who is woken when work stands still."""
        return Pulse(self.home, self.agents)

    @cached_property
    def bridges(self) -> Bridges:
        """Whose output is whose input."""
        return Bridges(self.home)

    @cached_property
    def watches(self) -> Watches:
        """Files somebody wants to know of when they change."""
        return Watches(self)

    @cached_property
    def infrastructure(self) -> Infrastructure:
        """The machine agents work on."""
        return Infrastructure(self)

    @cached_property
    def fitness(self) -> Measuring:
        """How fit each agent is."""
        return Measuring(self)

    def morning(self, agent: str | None = None) -> Morning:
        """One page for whoever coordinates: each agent, what failed, what would help; or the page of one agent."""
        return morning(self, agent)

    def who(self, agent: str | None, project: str | None) -> str | None:
        """Under which name somebody acts here. None: a person. Who works in a project is no agent of another one."""
        if agent is None and project is not None:
            raise NotTheirs("agents write and read under their names", hint="give the name of the agent that asks")
        name = None if agent is None else name_of(agent, self._clean)
        places = self._store.agents.called(name or "", None)[1].projects
        if project and places and project not in places:
            raise NotTheirs(f"{name} does not work in {project}", hint="`steno agents set` says where an agent works")
        return name

    def dispatch(self, request: str, seen: Scope = _ALL) -> Dispatch:
        """Who can do this: capability, agent, flow, with reasons; and what stands in the way."""
        if not request.strip():
            raise WrongUse("nothing is asked for", hint='steno agents dispatch "what is to be done"')
        flows = Flowbook(self.home).all("active", seen.project, agent=seen.agent)
        able = self.capabilities.all(seen.project, seen.agent)
        return dispatch(request.strip(), able, self.agents.all(), flows)

    # -- what came from what -----------------------------------------------------------------------------------------

    def known(self, id_: str, seen: Scope = _ALL) -> str:
        """The whole id of a message, an entry or a flag, by its beginning, or of a run; else an error."""
        return self._hop(id_, seen).id

    def because(self, effect: str, cause: str, seen: Scope = _ALL) -> None:
        """One thing came from another: messages, entries or flags, by their ids."""
        one, other = self.known(effect, seen), self.known(cause, seen)
        if one == other:
            raise WrongUse("nothing comes from itself", hint="give the id of what was there before")
        self._store.causes.put(one, other, self._clock())

    def cascade(self, id_: str, seen: Scope = _ALL) -> list[Hop]:
        """How a thing travelled: every hop that led to it and that followed, causes before their effects."""
        hops = []
        for one, causes, depth in follow(self.known(id_, seen), self._store.causes.before, self._store.causes.after):
            with suppress(UnknownEntry):  # it was forgotten, or is somebody else's
                hops.append(structs.replace(self._hop(one, seen), causes=causes, depth=depth))
        return hops

    def _hop(self, id_: str, seen: Scope) -> Hop:
        if id_.startswith(_RUN) and id_[len(_RUN) :].isdecimal():
            return self._job(int(id_[len(_RUN) :]), seen)
        with suppress(UnknownMessage):
            one = self.relay.one(id_, seen.agent)
            return Hop(id=one.id, kind="message", what=one.text, sender=one.sender, to=one.address, at=one.at)
        flags = self._store.causes.flags(id_, settled=True, by=seen.agent) if id_ else []
        if len(flags) == 1:
            flag = flags[0]
            return Hop(id=flag.id, kind="flag", what=flag.text, sender=flag.raised_by, to="people", at=flag.at)
        try:
            entry = self._store.entries.one(id_)
        except UnknownEntry as error:
            hint = "`steno relay threads`, `steno flags` and `steno entries` list what there is"
            raise UnknownEntry(error.message.replace("entry", "message, flag or entry"), hint=hint) from error
        if seen != _ALL and not concerns(entry, {seen.project or ""}, seen.agent or ""):
            raise UnknownEntry(f"no entry {id_!r} here", hint=f"asked from {seen.project or 'no project'}")
        whose, at = "people" if entry.origin in PEOPLE else entry.origin, entry.created_at
        return Hop(id=entry.id, kind=entry.category, what=entry.summary, sender=whose, to=entry.agent or "all", at=at)

    def _job(self, number: int, seen: Scope) -> Hop:
        """A run, for people: what a job tells may be about anybody."""
        if seen != _ALL:
            raise UnknownEntry(f"no run {number} of yours", hint="`steno upkeep` shows people what was run")
        try:
            run = self._store.runs.one(number)
        except UnknownRun as error:  # it was too long ago
            raise UnknownEntry(error.message, hint=error.hint) from error
        told = run.error or "; ".join(run.report.lines[:3])
        what = f"{run.job}: {told}" if told else run.job
        return Hop(id=f"{_RUN}{number}", kind="job", what=what, sender="upkeep", to="all", at=run.began)

    # -- flags raised by hand ----------------------------------------------------------------------------------------

    def raise_flag(self, text: str, *, by: str, because: str | None = None) -> RaisedFlag:
        """Somebody warns: people see it until it is settled."""
        words = self._clean(text.strip())
        if not words:
            raise WrongUse("a flag says what somebody should look at", hint='steno flags raise "…" --by AGENT')
        cause = None if because is None else self.known(because)
        return self._store.causes.raise_flag(words, name_of(by, self._clean), cause, self._clock())

    def flags(self, *, settled: bool = False, by: str | None = None) -> list[RaisedFlag]:
        """Flags that were raised and stand; or all that ever were; or those an agent raised."""
        return self._store.causes.flags(settled=settled, by=by)

    def settle_if_standing(self, id_: str) -> None:
        """What a flag was raised for is well again."""
        self._store.causes.settle(id_, self._clock())

    def settle(self, id_: str) -> RaisedFlag:
        """A person looked at a flag."""
        self.home.only_people("flags settle")
        found = self._store.causes.flags(id_, settled=True) if id_ else []
        if len(found) != 1:
            raise UnknownEntry(f"no flag {id_!r}", hint="`steno flags` lists them")
        self._store.causes.settle(found[0].id, self._clock())
        return self._store.causes.flags(found[0].id, settled=True)[0]
