"""What stands before and after an action."""

from typing import Any, Literal

from msgspec import Struct, field

from steno.vocabulary.entries import Entry
from steno.vocabulary.flows import Flow
from steno.vocabulary.rules import Rule


class Action(Struct, frozen=True, kw_only=True):
    """What an agent is about to do."""

    agent: str
    # In words, or the command itself.
    text: str
    # The tool it is done with, and the tool's input.
    tool: str | None = None
    input: dict[str, Any] = field(default_factory=dict)
    # Where: tools are looked for here, and the project follows from it.
    directory: str | None = None
    session: str | None = None
    # What the person asked for last, in their words.
    request: str = ""


ReasonKind = Literal["rule", "rejected", "exclusion", "said", "flow", "act"]


class Reason(Struct, frozen=True, kw_only=True):
    """Why a gate says anything but allow: a rule or an entry, with the words behind it."""

    # Id of a rule or an entry; they share it. Of a flow: its name. Of words nothing was noted of: their turn.
    id: str
    kind: ReasonKind
    # The sentence for the agent: what was refused or is to be heeded.
    text: str
    # The human's words, verbatim. Empty only where the human recorded the entry by hand.
    quote: str
    at: str | None
    # Whose words: "user", "edit", "assistant".
    by: str = ""
    # The call or the words that were answered with it.
    said_to: str = ""
    why: str = ""
    # What was wanted in its place.
    instead: str = ""
    # The condition under which it may be proposed again.
    reopen: str = ""
    # What in the action a matcher fired on. Empty: none did.
    on: str = ""


class Tool(Struct, frozen=True, kw_only=True):
    """Something that exists already for what is to be done."""

    # How to call it: "scripts/deploy.sh", "make release", "npm run build".
    command: str
    # "script", "make", "package", "capability".
    kind: str
    # A word from where it stands: the comment above a make target, the package script's body.
    about: str = ""
    # False: its last health check failed. None: never checked.
    healthy: bool | None = None


class Page(Struct, frozen=True, kw_only=True):
    """Everything the gate knows about an action, for a person or an agent to read."""

    action: Action
    domain: str = "GENERAL"
    flow: Flow | None = None
    rejected: list[Entry] = field(default_factory=list)
    excluded: list[Entry] = field(default_factory=list)
    active: list[Entry] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)
    # What a person said and nothing was noted of.
    said: list[Entry] = field(default_factory=list)
    # Rules in force here that do not concern the action.
    more: int = 0
    # Why each thing is on it, or was left out, by its name in a receipt; nobody's words.
    because: dict[str, str] = field(default_factory=dict)


class Allow(Struct, frozen=True, kw_only=True, tag="allow", tag_field="verdict"):
    """Nothing stands in the way."""

    page: Page


class Warn(Struct, frozen=True, kw_only=True, tag="warn", tag_field="verdict"):
    """It may be done; this should be known first."""

    reasons: tuple[Reason, *tuple[Reason, ...]]
    page: Page


class Ask(Struct, frozen=True, kw_only=True, tag="ask", tag_field="verdict"):
    """The human should be asked first."""

    reasons: tuple[Reason, *tuple[Reason, ...]]
    page: Page


class Block(Struct, frozen=True, kw_only=True, tag="block", tag_field="verdict"):
    """It must not be done."""

    reasons: tuple[Reason, *tuple[Reason, ...]]
    page: Page


Verdict = Allow | Warn | Ask | Block


class Outcome(Struct, frozen=True, kw_only=True):
    """How an action went."""

    agent: str
    passed: bool
    summary: str
    flow: str | None = None
    # A lesson in the agent's words; `none`: it says that there was none.
    learned: str | None = None
    # Where: scripts, Makefile and the like that changed since the action began are looked for here.
    directory: str | None = None
    session: str | None = None
    # A hook saw it, nobody told it: it is graded, and there are no words to keep.
    seen: bool = False


class Graded(Struct, frozen=True, kw_only=True):
    """What the after-gate made of an outcome."""

    passed: bool
    flow: Flow | None
    # The one entry that says what the agent did last, and whether there was one of much the same.
    entry: Entry | None
    updated: bool
    # What was learnt, and whether that was known.
    lesson: Entry | None = None
    repeated: bool = False
    # Rules that were stood up for, and broken ones.
    reinforced: list[str]
    violated: list[str]
    # Something was learnt: did anything but words change? None: nothing was learnt.
    permanent: bool | None
    # What changed: a script, a flow, a matcher, a schema.
    changed: list[str]
    # What to do to make it last.
    proposal: str = ""
