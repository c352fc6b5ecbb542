"""Who does something, how that is known, and what an agent asks a person for."""

from typing import Any, Final, Literal

from msgspec import Struct

Door = Literal["cli", "library", "page", "dialog", "http", "mcp", "hook", "steno"]
# What is known of the person or the agent, the strongest first.
Evidence = Literal[
    # Of an agent: a call of a session that is under way names the command; a host's variable is in the environment;
    # a host is among the parents; no terminal; a door only agents come through.
    "an open call", "the environment", "a parent process", "no terminal", "the door",
    # Of a person: a terminal and nothing else; their script, where they allowed that; their yes in the host's dialog
    # or in a review; `! …` typed into an agent's prompt; an edit that no agent made.
    "a terminal", "an allowed script", "a dialog", "a review", "typed into the host", "an editor",
    # Of Steno itself: the scribe, upkeep.
    "its own work",
]  # fmt: skip
# What a call would do that is no verb: change files below the home, or our hooks in a host's settings.
EDIT: Final = "edit"
HOOKS: Final = "hooks"
# Acts after which what is quoted of them holds no more, or in other words.
_ENDING: Final = frozenset(
    {"rules retire", "entries archive", "entries revise", "flows retire", "forget", "sessions work end", EDIT}
)


class Who(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who does something."""

    by: Literal["person", "agent", "steno"]
    evidence: Evidence
    door: Door
    # What was seen: the variable, the program, the call.
    seen: str = ""
    # The host or the agent, and its session, where they are known.
    agent: str = ""
    session: str = ""
    # Of an agent: whether somebody sits before its host, and whether a terminal controls what asks.
    is_attended: bool = False
    has_terminal: bool = False

    @property
    def is_agent(self) -> bool:
        return self.by == "agent"

    @property
    def in_words(self) -> str:
        """How it is known, for a person: `CLAUDECODE is set here`."""
        return {
            "an open call": f"{'held before it ran' if self.door == 'hook' else 'a call that runs'}: {self.seen}",
            "the environment": f"{self.seen} is set here",
            "a parent process": f"it was started below {self.seen}",
            "no terminal": "there is no terminal here",
            "the door": f"{self.door.upper()} is for agents",
        }.get(self.evidence, self.evidence)


EDITOR: Final = Who(by="person", evidence="an editor", door="page")
STENO: Final = Who(by="steno", evidence="its own work", door="steno")


class Act(Struct, frozen=True, kw_only=True, tag="request", tag_field="kind"):
    """Something only people may do, done or asked for."""

    id: str
    # The verb, or what a tool call would do in its place.
    verb: str
    # How it would be typed, or the call.
    words: str
    # What it was given, where that is known.
    given: dict[str, Any] | None = None
    # What it ends, quoted in full.
    ends: str = ""
    # `asked`: before a person in the host's dialog. `allowed`: what follows counts as the person's, once.
    # `carried out`: it was done when they said yes; an agent that asks again is told so, once.
    state: Literal["waiting", "asked", "allowed", "carried out", "refused", "done"]
    who: Who
    at: str
    # How often it was asked for, and when last.
    times: int = 1
    last_at: str = ""
    # What the agent said before it asked.
    said: str = ""
    project: str | None = None
    answered_at: str | None = None
    answered_by: Who | None = None

    @property
    def ends_it(self) -> bool:
        """Whether what is quoted would end, or lose its words."""
        return self.verb in _ENDING
