"""Many agents: what they are, what they can do, what they write to each other, and what came from what."""

from typing import Literal

from msgspec import Struct

# Whom a message is for: an agent by name, everybody of a domain, or everybody.
Recipient = Literal["agent", "domain", "all"]


class Message(Struct, frozen=True, kw_only=True):
    """What one agent wrote to others: an agent's word, whatever it says."""

    id: str
    at: str
    sender: str
    kind: Recipient
    # The agent's or the domain's name; empty for all.
    recipient: str
    text: str
    # Id of the first message of its thread.
    thread: str
    # What it answers or came from.
    cause: str | None = None
    # From then on nobody has to read it.
    expires_at: str | None = None
    # Agents that were handed it.
    read_by: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Whom it is for, in words."""
        return {"agent": self.recipient, "domain": f"domain {self.recipient}", "all": "all"}[self.kind]


class Thread(Struct, frozen=True, kw_only=True):
    """A message and what answers it."""

    id: str
    # Its first message's.
    sender: str
    address: str
    text: str
    messages: int
    last_at: str


class RaisedFlag(Struct, frozen=True, kw_only=True):
    """A warning somebody raised by hand."""

    id: str
    at: str
    raised_by: str
    text: str
    settled_at: str | None = None


class Hop(Struct, frozen=True, kw_only=True):
    """One thing on the way of something: what, from, to, when, caused by."""

    id: str
    # "message", "flag", or an entry's category.
    kind: str
    what: str
    sender: str
    to: str
    at: str | None
    causes: tuple[str, ...] = ()
    # How many hops it is from where it all began.
    depth: int = 0


class NorthStar(Struct, frozen=True, kw_only=True):
    """An agent's permanent mission: never done, never decays."""

    mission: str
    # What it may begin by itself, again and again, in this order.
    work: tuple[str, ...] = ()


class AgentFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person said about an agent."""

    # Its place: sessions of this host in these projects are this agent's.
    host: str | None = None
    projects: tuple[str, ...] = ()
    # Fields of work whose messages it gets.
    domains: tuple[str, ...] = ()
    star: NorthStar | None = None
    # How it is woken in its own session: a command line, or an address.
    resume: str | None = None
    webhook: str | None = None
    # How often it may be woken in 24 hours; 0: never.
    wakes_a_day: int = 0

    def is_at(self, host: str | None, project: str | None) -> bool:
        """Whether a session of this host in this project is the agent's."""
        return project in self.projects and self.host in (None, host)


class Seen(Struct, frozen=True, kw_only=True):
    """Sessions that were captured of one name in one project of one host."""

    agent: str
    host: str
    project: str | None
    sessions: int
    since: str | None
    last_at: str | None


class Agent(Struct, frozen=True, kw_only=True):
    """A named worker: what was captured of it, and what a person said about it."""

    name: str
    since: str | None
    facts: AgentFacts
    hosts: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    sessions: int = 0
    # When it was last heard of: in a session, or by a beat of its own.
    heard_at: str | None = None
    # Messages that wait for it.
    unread: int = 0


class Condition(Struct, frozen=True, kw_only=True):
    """Something self-direction needs."""

    name: str
    holds: bool
    # What is there, or what is missing.
    detail: str


class Readiness(Struct, frozen=True, kw_only=True):
    """Whether an agent may begin work by itself; if not, it waits for instructions."""

    agent: str
    conditions: tuple[Condition, ...]

    @property
    def is_ready(self) -> bool:
        """Whether everything it needs is there."""
        return all(condition.holds for condition in self.conditions)


class Capability(Struct, frozen=True, kw_only=True):
    """Something that can be done here."""

    name: str
    # How it is called: a command line, the name of an MCP server or of a skill.
    command: str
    # "script", "make", "just", "package", "mcp", "skill", "keychain"; "told": by a person.
    kind: str
    about: str = ""
    # The agent whose it is; None: anybody's.
    owner: str | None = None
    # Where it is run.
    project: str | None = None
    # A person's command that says whether it works; None: it is looked whether it is still there.
    health: str | None = None
    # The last check; None: there was none.
    checked_at: str | None = None
    passed: bool | None = None
    # The end of what a failed check said.
    said: str = ""

    @property
    def sign(self) -> str:
        """How it is, in one sign: it works, its last check failed, nobody checked."""
        return {True: "✓", False: "⚠", None: "–"}[self.passed]


class Dispatch(Struct, frozen=True, kw_only=True):
    """Who can do something, how, and why."""

    request: str
    capability: Capability | None
    agent: str | None
    # Name of the flow that agent follows.
    flow: str | None
    reasons: tuple[str, ...]
    # What stands in the way, said aloud.
    missing: tuple[str, ...]
