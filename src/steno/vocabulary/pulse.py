"""An agent whose work stands still: how it stands, whether it is woken, and what came of that."""

from msgspec import Struct


class Stand(Struct, frozen=True, kw_only=True):
    """How an agent's main session stands."""

    # Number of the session in this store, its host and the host's id of it.
    number: int
    source: str
    session: str
    # What its host calls the agent, and where it works.
    called: str | None
    project: str | None
    directory: str | None
    # The last turn in which anything happened: a person's word, a call, a compaction. It is what a silence is known by.
    turn: int
    # What that turn was.
    kind: str
    # When anything was last heard of it, by its host's clock or ours, whichever is later.
    heard_at: str
    # When a person last spoke to this agent, or in this project to anybody.
    human_at: str | None
    # The goal of its open piece of work; empty: there is none.
    goal: str
    # The agent's last words since that turn.
    said: str
    # Whether its transcript holds something that nobody has read yet.
    behind: bool


class Wake(Struct, frozen=True, kw_only=True):
    """One time an agent was woken."""

    id: int
    agent: str
    session: str
    # The turn after which nothing had happened.
    turn: int
    at: str
    # None: it is under way, or nobody was there to see the end.
    ended_at: str | None = None
    passed: bool | None = None
    # The end of what a failed try said.
    said: str = ""


class Look(Struct, frozen=True, kw_only=True):
    """What pulse would do about an agent now, and why."""

    agent: str
    # How often it may be woken in 24 hours; 0: pulse is off for it.
    most: int
    wakes: bool
    why: str
    session: str | None = None
    goal: str = ""
    quiet_since: str | None = None
    # How it would be woken, word for word; empty: by its webhook, or not at all.
    command: tuple[str, ...] = ()
    last: Wake | None = None
