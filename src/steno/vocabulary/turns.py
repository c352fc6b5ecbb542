"""What was said or done: one turn, as its host wrote it and as the journal keeps it."""

import re
from typing import Final, Literal, get_args

from msgspec import Struct

from steno.vocabulary.sessions import FROM_FILES

Role = Literal["user", "assistant", "tool", "system"]
ROLES: tuple[Role, ...] = get_args(Role)

Kind = Literal[
    "said",  # plain words
    "queued",  # the human's words, typed while the agent was busy
    "denied",  # the human refused a tool call; the text is what they said while doing so
    "command",  # a slash command, or a shell command they ran themselves; of the host's own commands, the words behind
    "answer",  # the human's answer to a question the agent asked through a tool
    "delegated",  # another agent's words, given to a subagent as its task
    "scheduled",  # a prompt nobody typed: cron, wake-up, heartbeat
    "thinking",  # the assistant's reasoning: neither said nor done
    "call",  # the assistant called a tool; the text is the input as JSON
    "result",  # what the tool gave back
    "interrupted",  # the human stopped the assistant
    "notice",  # the host told the agent something
    "boundary",  # context was compacted here
    "summary",  # the host's own summary of what it compacted away
    "note",  # what stands in a memory file, or a commit: nobody said it here
]

# Kinds of `user` turns that hold words a person typed. Everything else under `user` is somebody else's.
HUMAN_KINDS: frozenset[Kind] = frozenset({"said", "queued", "denied", "command", "answer"})

_SLASH: Final = re.compile(r"/[\w:.-]+(?:\s|$)")


class Turn(Struct, frozen=True, kw_only=True):
    """One thing said or done. Two turns with equal content are equal; identity belongs to the journal."""

    role: Role
    kind: Kind
    text: str
    # ISO 8601 in UTC with milliseconds, so that text order is time order. None: the host did not say.
    at: str | None = None
    # Line of the transcript (from 1), or row number where the transcript is a database.
    line: int | None = None
    # The host's own id of what this turn came from.
    native_id: str | None = None
    # Name of the tool, on calls and results.
    tool: str | None = None
    # The host's id that joins a call to its result.
    call: str | None = None
    # Whether the tool call failed, on results. None: the host did not say.
    failed: bool | None = None
    # Exit status of a command, where the host records one.
    exit_status: int | None = None
    # Tokens in the agent's context after this turn, where the host records its usage.
    context_tokens: int | None = None

    @property
    def by_human(self) -> bool:
        """Whether a person typed these words (a denial without words is an act, and counts)."""
        return self.role == "user" and self.kind in HUMAN_KINDS

    @property
    def is_slash(self) -> bool:
        """Whether a person asked for something by the name of a command."""
        return self.kind == "command" and _SLASH.match(self.text) is not None


class JournalTurn(Struct, frozen=True, kw_only=True):
    """A turn as the journal keeps it: the content plus where it belongs."""

    # Number of the turn in this journal, in order of arrival.
    id: int
    source: str
    session: str
    turn: Turn

    @property
    def by_human(self) -> bool:
        """Whether a person typed these words here; what an import or a file says they typed is hearsay."""
        return self.turn.by_human and self.source not in FROM_FILES
