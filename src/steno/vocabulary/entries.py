"""One remembered thing: proposed by the scribe as a candidate, kept as an entry, always with the words it rests on."""

from typing import Final, Literal, NamedTuple, get_args

from msgspec import Struct, field

from steno.choices import Category as Category
from steno.choices import EntryStatus as EntryStatus
from steno.vocabulary.details import AnyDetail, Todo
from steno.vocabulary.turns import JournalTurn, Role, Turn

CATEGORIES: tuple[Category, ...] = get_args(Category)
STATUSES: tuple[EntryStatus, ...] = get_args(EntryStatus)
Certainty = Literal["hypothesis", "confirmed", "refuted"]
Origin = Literal["user", "assistant", "tool", "file", "agent", "edit"]
# Only their words may be critical, always loaded, or stand in the way of an action.
PEOPLE: frozenset[Origin] = frozenset({"user", "edit"})
# Whose words may be told unasked where the work they belong to goes on: what an agent said there is labelled.
AT_WORK: frozenset[Origin] = PEOPLE | {"assistant"}
# Who told what rests on no turn, in words for a person.
TELLERS: Final = {
    "edit": "a person",
    "user": "a person",
    "assistant": "an agent",
    "agent": "an agent",
    "file": "a file or an import",
}
# Why something is worth keeping. Without any it may be pruned.
Tag = Literal["decision", "surprise", "human", "lesson", "identity"]


class Quote(Struct, frozen=True):
    """Words exactly as they stand in a turn."""

    # Number of the turn in the journal.
    turn: int
    quote: str


class Candidate(Struct, frozen=True, kw_only=True):
    """An entry as the scribe proposes it. Nothing in it is believed until the quotes are found in their turns."""

    category: Category
    # A sentence that can be understood alone, in the present tense, made of words that were said.
    summary: str
    # The first quote says whose words these are; further ones give context (the proposal a "yes" settles).
    evidence: list[Quote]
    # What the category keeps.
    detail: AnyDetail
    status: EntryStatus = "active"
    certainty: Certainty = "confirmed"
    # How sure the scribe is that this is one, 0 to 1.
    confidence: float = 0.5
    tags: list[Tag] = field(default_factory=list)
    # Words that say what it is about, for telling a newer decision on the same subject.
    subject: list[str] = field(default_factory=list)
    # The field of work it belongs to.
    domain: str = "GENERAL"
    # Which cue proposed it, in words for a person.
    cue: str


# So many words can be understood without what they answer.
_TELLING: Final = 4


class Evidence(Struct, frozen=True, kw_only=True):
    """A quote with the place it stands at."""

    session: str
    # Number of the turn in the journal.
    turn: int
    line: int | None
    role: Role
    quote: str
    # When it was said.
    at: str | None = None


class Entry(Struct, frozen=True, kw_only=True):
    """One remembered thing."""

    # Made from the category and the first quote, so that rebuilding gives the same id.
    id: str
    category: Category
    status: EntryStatus
    certainty: Certainty
    confidence: float
    summary: str
    detail: AnyDetail
    origin: Origin
    tags: list[Tag]
    domain: str
    subject: list[str]
    session: str
    project: str | None
    agent: str | None
    # The time of the turn it rests on.
    created_at: str | None
    superseded_by: str | None
    # How often it was said again.
    repeated: int
    cue: str
    evidence: list[Evidence]
    # When it was said again last.
    repeated_at: str | None = None

    @property
    def is_resolved(self) -> bool | None:
        """Whether a task or a promise was seen to. None: it is neither."""
        return self.status == "done" or self.detail.resolved if isinstance(self.detail, Todo) else None


class Compared(NamedTuple):
    """An entry as it is compared with others: what was said, by whom, and whether it holds in the same place."""

    id: str
    category: Category
    status: EntryStatus
    certainty: Certainty
    origin: Origin
    at: str | None
    detail: AnyDetail
    # The first quote, or what a person told us.
    words: str
    # Of the same project or session; else it holds everywhere, or the other one does.
    is_near: bool = True

    @property
    def said(self) -> str:
        """The words; where they are too few to be understood alone, with the call, question or offer they answer."""
        exchange = self.detail.exchange
        alone = exchange.kind in ("", "words") or len(self.words.split()) >= _TELLING
        return self.words if alone else f"{self.words}\n{exchange.answered}"


class Pending(NamedTuple):
    """A task or a promise, as it is held against what may end it."""

    id: str
    status: EntryStatus
    by_person: bool
    # The turn it was said in, and its first quote.
    turn: int
    words: str
    # When it was said again last.
    again: str | None = None


class Window(Struct, frozen=True):
    """What the scribe sees of a session before a turn. Bounded, and the same however the session was read."""

    # The last turns in which somebody spoke (human, assistant, interruptions, boundaries), oldest first.
    said: tuple[JournalTurn, ...] = ()
    # The last tool calls, results and refusals, oldest first.
    done: tuple[JournalTurn, ...] = ()

    @property
    def human(self) -> JournalTurn | None:
        """The last turn in which a person spoke."""
        return next((one for one in reversed(self.said) if one.turn.by_human), None)

    @property
    def reply(self) -> JournalTurn | None:
        """The last thing the agent said."""
        spoken = (one for one in reversed(self.said) if one.turn.role == "assistant" and one.turn.text.strip())
        return next(spoken, None)

    def call_of(self, turn: Turn) -> JournalTurn | None:
        """The call a result or a refusal belongs to, by the host's id."""
        calls = (one for one in reversed(self.done) if one.turn.kind == "call" and one.turn.call == turn.call)
        return next(calls, None)
