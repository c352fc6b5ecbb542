"""One run of an agent, as its host names it."""

from typing import Final, Literal

from msgspec import Struct

# The source of sessions that came with an export this home did not write: hearsay. They are kept apart from what was
# captured here, can be found, and nothing is learnt from them.
HEARSAY: Final = "import"
# Sources of what somebody wrote into a file: it can be found, labelled, and nothing is learnt from it. Queries that
# leave it out name the same three.
FROM_FILES: Final = frozenset({HEARSAY, "notes", "git"})

SessionKind = Literal["main", "subagent", "scheduled"]


class Session(Struct, frozen=True, kw_only=True):
    """What is known of a session besides its turns. A None is filled in when a later line says more."""

    source: str
    # The host's own id of the session.
    session: str
    kind: SessionKind = "main"
    # Session that started this one (a subagent's parent, a fork's origin), by the host's id.
    parent: str | None = None
    agent: str | None = None
    # Working directory the host recorded, and the root of the git repository around it.
    directory: str | None = None
    project: str | None = None
    branch: str | None = None
    model: str | None = None
    # Size of the model's context, in tokens.
    context_window: int | None = None
