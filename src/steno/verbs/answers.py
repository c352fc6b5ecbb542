"""What verbs answer with. Only doors import this; the table names these types in quotation marks."""

from collections.abc import Iterator
from typing import Any, Final, Literal, Self

from msgspec import Struct, structs

from steno.vocabulary import (
    Briefing,
    Captured,
    Check,
    Checkpoint,
    Entry,
    Evidence,
    Firing,
    Flow,
    Forgotten,
    Graded,
    Health,
    Here,
    Hit,
    Imported,
    Learnt,
    Loss,
    Reason,
    Recallable,
    Receipt,
    Review,
    Rule,
    Session,
    Status,
    Turn,
    Vitals,
)
from steno.vocabulary.accesses import Access, Link
from steno.vocabulary.backtests import Backtest
from steno.vocabulary.beliefs import Belief
from steno.vocabulary.calls import ModelState, Spent
from steno.vocabulary.fitness import Fitness, Morning
from steno.vocabulary.fleet import Agent, Capability, Condition, Dispatch, Hop, Message, RaisedFlag, Thread
from steno.vocabulary.looks import Bridge, Finding, Watched
from steno.vocabulary.notebooks import Committed, Limit, NotebookState, Proposal, Synced
from steno.vocabulary.pages import Page, PageText
from steno.vocabulary.pulse import Look, Wake
from steno.vocabulary.readings import ReadByModel
from steno.vocabulary.rules import Lesson
from steno.vocabulary.shares import Shared
from steno.vocabulary.upkeep import JobState, Run
from steno.vocabulary.why import WhyGate, WhyHit, WhyLine
from steno.vocabulary.works import PieceOfWork


class Answer(Struct, frozen=True, kw_only=True):
    """An answer that has more to it than a program is told: what only a person sees, a word beside it, an exit code."""

    def public(self) -> Any:
        """The answer as programs read it."""
        return self

    @property
    def aside(self) -> str:
        """A word for standard error, also where JSON is printed."""
        return ""

    @property
    def code(self) -> int:
        """The exit code of the command line."""
        return 0


# -- the fleet -------------------------------------------------------------------------------------------------------


class AgentShown(Struct, frozen=True, kw_only=True):
    """An agent, and whether it may begin work by itself."""

    agent: Agent
    ready: bool
    conditions: tuple[Condition, ...]


class Sent(Answer, frozen=True, kw_only=True):
    """A message that was sent, and whether its recipient was ever met."""

    message: Message
    is_met: bool

    def public(self) -> Message:
        """The message."""
        return self.message


class BridgeShown(Struct, frozen=True, kw_only=True):
    """A bridge, and how it is now."""

    bridge: Bridge
    finding: Finding


class Woken(Answer, frozen=True, kw_only=True):
    """Whom pulse woke, and what came of it."""

    looks: list[Look]
    ended: list[Wake]

    def public(self) -> list[Wake]:
        """What came of it."""
        return self.ended

    @property
    def code(self) -> int:
        """1: somebody could not be woken."""
        return int(any(one.passed is False for one in self.ended))


class FitnessShown(Answer, frozen=True, kw_only=True):
    """How fit agents are now, and how they were."""

    now: list[Fitness]
    history: list[Fitness]
    # Of one agent, every dimension is shown.
    agent: str | None

    def public(self) -> list[Fitness]:
        """How they are now."""
        return self.now


# -- rules, flows, the gate ------------------------------------------------------------------------------------------


class Heard(Struct, frozen=True):
    """Where no rule is in force: what was heard that could be one."""

    rules: int
    refusals: int
    # They are in force no more.
    faded: int


class Rules(Answer, frozen=True, kw_only=True):
    """Rules, how many more are dormant, and what could be a rule where there is none."""

    rules: list[Rule]
    dormant: int
    heard: Heard | None

    def public(self) -> list[Rule]:
        """The rules."""
        return self.rules


class RuleShown(Rule, frozen=True, kw_only=True):
    """A rule with the words it rests on."""

    evidence: list[Evidence]


class Tried(Struct, frozen=True):
    """A rule after the trial of its matcher, and every place where that would have fired."""

    rule: Rule
    firings: list[Firing]


class FlowShown(Flow, frozen=True, kw_only=True):
    """A flow with its record."""

    used: int
    effectiveness: float | None
    health: Health
    # How well it fits what was asked for.
    score: float | None


class GateReason(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a gate says anything but allow: one of a rule, an entry and a flow, with the words behind it."""

    rule: str = ""
    entry: str = ""
    flow: str = ""
    kind: str
    text: str
    quote: str
    at: str | None
    by: str
    said_to: str
    why: str
    instead: str
    reopen: str

    @classmethod
    def of(cls, reason: Reason) -> "GateReason":
        """A gate's reason as programs read it."""
        told = structs.asdict(reason)
        del told["on"]
        id_ = told.pop("id")
        named = {} if reason.kind == "act" else {reason.kind if reason.kind in ("rule", "flow") else "entry": id_}
        return cls(**named, **told)


class Gate(Struct, frozen=True, kw_only=True):
    """What a gate says."""

    verdict: Literal["allow", "warn", "ask", "block"]
    reasons: list[GateReason]
    # The procedure for it.
    flow: str | None
    # Everything that is known about the action, as a page to read.
    page: str


_EXIT: Final = {"ask": 3, "block": 4}


class Gated(Answer, frozen=True, kw_only=True):
    """The same with what it takes to draw the page: label, text and tone of each line."""

    gate: Gate
    rows: tuple[tuple[str, str, str], ...]
    # Whether the exit code tells the verdict.
    exits: bool

    def public(self) -> Gate:
        """What the gate says."""
        return self.gate

    @property
    def code(self) -> int:
        """3: a person is to be asked; 4: it is blocked."""
        return _EXIT.get(self.gate.verdict, 0) if self.exits else 0


# -- what is told, and sessions --------------------------------------------------------------------------------------


class Text(Struct, frozen=True):
    """A text, as it is."""

    text: str


class SessionShown(Session, frozen=True, kw_only=True):
    """A session, and how much was said in it."""

    turns: int
    context_tokens: int | None
    started_at: str | None
    last_at: str | None


class TurnShown(Turn, frozen=True, kw_only=True):
    """A turn, with its number and its session."""

    id: int
    source: str
    session: str


class LossShown(Loss, frozen=True, kw_only=True):
    """What a compaction took, and how much of it is left by kind."""

    kept: dict[str, float | None]
    kept_critical: float | None
    # Too much of what work depends on is missing.
    flag: bool


class WorkShown(PieceOfWork, frozen=True, kw_only=True):
    """A piece of work, and what was learnt in it."""

    entries: list[Entry]


# -- capture ---------------------------------------------------------------------------------------------------------


class CapturedAndLearnt(Captured, kw_only=True):
    """What one capture did, and what came of it."""

    # New entries. None: nothing was learnt.
    entries: int | None = None
    # Turns that have got vectors since it began.
    vectors: int = 0


class CaptureDone(Answer, frozen=True, kw_only=True):
    """A capture, and what followed from it."""

    captured: Captured
    learnt: Learnt | None = None
    recall: Recallable | None = None
    vectors: int = 0
    # Why vectors wait, and what could not be read or learnt, in words.
    trouble: str = ""
    failures: list[str] = []

    def public(self) -> CapturedAndLearnt:
        """All of it in one object."""
        entries = self.learnt.entries if self.learnt else None
        return CapturedAndLearnt(**structs.asdict(self.captured), entries=entries, vectors=self.vectors)

    @property
    def aside(self) -> str:
        """What went wrong."""
        return "\nsteno: ".join(filter(None, (self.trouble, *self.failures)))

    @property
    def code(self) -> int:
        """1: something could not be read or learnt."""
        return int(bool(self.failures))


class Excluded(Struct, frozen=True):
    """A pattern of what is left out."""

    pattern: str


class Paused(Struct, frozen=True):
    """Whether capture is paused."""

    paused: bool


# -- the store -------------------------------------------------------------------------------------------------------


class Scripts(Struct, frozen=True):
    """Whether people's own scripts may do what only people may."""

    allowed: bool


class StatusShown(Status, frozen=True, kw_only=True):
    """What is known here, the state of the store, and of the daemon, if one runs."""

    here: Here
    daemon: Vitals | None


class Proofs(Answer, frozen=True, kw_only=True):
    """Proofs that the store is sound."""

    checks: list[Check]

    def public(self) -> list[Check]:
        """Each of them."""
        return self.checks

    @property
    def code(self) -> int:
        """1: one failed."""
        return int(not all(check.ok for check in self.checks))


class SettingShown(Struct, frozen=True, kw_only=True):
    """A setting, its value, and where that came from: `default`, `file` or `environment`."""

    name: str
    value: bool | int | float | str | list[str]
    default: bool | int | float | str | list[str]
    origin: str
    help: str


class Exported(Struct, frozen=True, kw_only=True):
    """An export that was written."""

    file: str
    lines: int


class ImportDone(Answer, frozen=True, kw_only=True):
    """An import."""

    imported: Imported

    def public(self) -> Imported:
        """What it did."""
        return self.imported

    @property
    def code(self) -> int:
        """1: a line could not be taken in, or the end is missing."""
        return int(bool(self.imported.bad_lines or self.imported.cut_off))


class Embedded(Recallable, frozen=True, kw_only=True):
    """How many turns and entries got vectors, and how well recall can answer now."""

    made: int


class Rebuilt(Struct, frozen=True, kw_only=True):
    """What was made anew: either entries, or vectors."""

    learnt: Learnt | None = None
    embedded: Embedded | None = None


class Redacted(Struct, frozen=True):
    """Pieces that were taken out, by kind."""

    redacted: dict[str, int]


# -- care ------------------------------------------------------------------------------------------------------------


class Runs(Answer, frozen=True, kw_only=True):
    """Runs of upkeep."""

    runs: list[Run]

    def public(self) -> list[Run]:
        """Each of them."""
        return self.runs

    @property
    def code(self) -> int:
        """1: one failed."""
        return int(any(run.state == "failed" for run in self.runs))


class JobExplained(Struct, frozen=True, kw_only=True):
    """A job of upkeep: what it does and when."""

    name: str
    explain: str
    every: str
    # Jobs that must have gone well in the same night.
    after: tuple[str, ...]
    writes: bool
    due: str
    last: Run | None


class Undone(Struct, frozen=True, kw_only=True):
    """A run that was taken back, and how many entries hold again."""

    run: Run
    back: int


class Opened(Answer, frozen=True, kw_only=True):
    """A page of the notebook; without one, the list of them."""

    page: PageText | None = None
    pages: list[Page] = []

    def public(self) -> PageText | list[Page]:
        """The one or the other."""
        return self.page or self.pages


# -- entries ---------------------------------------------------------------------------------------------------------


class EntryUsed(Entry, frozen=True, kw_only=True):
    """An entry, how often somebody had it before them, and how often that was of use."""

    access_count: int
    last_accessed: str | None
    used: int

    @classmethod
    def of(cls, entry: Entry, use: Access, **more: Any) -> Self:
        """The entry with what is known of its use."""
        more |= {"access_count": use.count, "last_accessed": use.last_at, "used": use.used}
        return cls(**structs.asdict(entry), **more)


class EntryShown(EntryUsed, frozen=True, kw_only=True):
    """An entry with everything that is known of it."""

    access: Access
    # What it has left of its weight in recall, from 1 to 0.
    freshness: float
    links: list[Link]


# -- finding ---------------------------------------------------------------------------------------------------------


class Recalled(Answer, frozen=True, kw_only=True):
    """What was found, and what is told beside it."""

    hits: list[Hit]
    # How likely the answer is among them, in words; empty: nobody knows.
    among: str
    # What the question names and nobody ever said in what was searched.
    unsaid: list[str]
    # Pages of the days it asks about.
    days: list[str]
    # What recall lacks.
    lacks: str
    # Nothing was captured yet.
    is_empty: bool

    def public(self) -> list[Hit]:
        """What was found."""
        return self.hits

    @property
    def aside(self) -> str:
        """What recall lacks."""
        return self.lacks
