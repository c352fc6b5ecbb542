"""What a person shared."""

from msgspec import Struct


class Shared(Struct, frozen=True, kw_only=True):
    """An entry or a flow that is seen beyond its own project or agent."""

    # The id of an entry (and of its rule), or the name of a flow.
    what: str
    # What the entry says; empty: it is a flow.
    text: str
    # With whom. None: with every project, every agent.
    project: str | None
    agent: str | None
    since: str
