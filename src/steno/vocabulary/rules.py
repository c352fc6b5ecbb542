"""How to behave: a scored instruction, and the matcher that lets it act at the gate."""

from typing import Literal, get_args

from msgspec import Struct

from steno.choices import Mode as Mode
from steno.choices import RuleStatus as RuleStatus
from steno.vocabulary.entries import Category, Origin

RULE_STATUSES: tuple[RuleStatus, ...] = get_args(RuleStatus)
MODES: tuple[Mode, ...] = get_args(Mode)
# What the human did after something a matcher would have fired on.
Reaction = Literal["refused", "corrected", "accepted", "none"]


class Matcher(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an action must look like for a rule to fire. RE2 patterns, any case; each that is given must be found."""

    # Name of the tool, whole: "Bash", "Edit|Write".
    tool: str | None = None
    # In a shell command.
    command: str | None = None
    # In a path the action touches.
    path: str | None = None
    # In the action's words or anywhere in its input.
    text: str | None = None
    # What it does: the name of a command family, "pushing".
    family: str | None = None


class Firing(Struct, frozen=True, kw_only=True):
    """One place in the journal where a matcher would have fired, and what the human did about it."""

    session: str
    turn: int
    at: str | None
    tool: str | None
    # What it fired on, shortened.
    action: str
    reaction: Reaction
    # The human's next words, shortened. Empty: none before the session's end.
    words: str


class Trial(Struct, frozen=True, kw_only=True):
    """A matcher tried on everything in the journal."""

    at: str
    matcher: Matcher
    fired: int
    # Firings the human refused or corrected, and those accepted. The rest is not known.
    right: int
    wrong: int


class Rule(Struct, frozen=True, kw_only=True):
    """A scored instruction. The entry it points at holds the words and the evidence."""

    # The id of its entry: a rule and its entry share it.
    id: str
    rule: str
    domain: str
    agent: str | None
    project: str | None
    # Category of the entry: rule, rejected, learning, …
    source: Category
    origin: Origin
    # 1 to 10, as of `checked_at`.
    score: float
    status: RuleStatus
    violations: int
    reinforcements: int
    born_at: str
    # When somebody last stood up for it; decay counts from here.
    reinforced_at: str
    # Up to when decay has been applied.
    checked_at: str
    matcher: Matcher | None = None
    mode: Mode | None = None
    # Of the matcher in force. None: not tried yet.
    trial: Trial | None = None
    # The rule that says the same and lives on.
    merged_into: str | None = None


class Lesson(Struct, frozen=True):
    """Something an agent learnt that nothing but words holds."""

    # The entry's.
    id: str
    lesson: str
    project: str | None
    since: str
