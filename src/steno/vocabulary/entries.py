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
    def is_sure(self) -> bool:
        return is_sure(self.category, self.certainty)

    @property
    def is_resolved(self) -> bool | None:
        """Whether a task or a promise was seen to. None: it is neither."""
        return self.status == "done" or self.detail.resolved if isinstance(self.detail, Todo) else None

    @property
    def waits(self) -> bool:
        """Whether it waits in `steno review` for a person's word: it is likely enough, or was said often and
        plainly by them."""
        open_ = self.status == "active" and self.origin == "user" and not self.is_sure
        often = self.repeated >= OFTEN and not self.detail.weight.doubtful
        return open_ and (self.confidence >= WORTH_ASKING or often)


# So many words beside a stopped call say what it was stopped for.
_TELLING: Final = 4


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
    def is_sure(self) -> bool:
        return is_sure(self.category, self.certainty)

    @property
    def said(self) -> str:
        """What it comes to, in words that were said."""
        stands = self.origin != "edit" and self.category in ("decision", "rejected", "rule")
        refused = self.detail.stance.refused
        # "Never squash, use merge commits" claims both; and who stops the same call again may object to something else.
        stopped = self.detail.exchange.kind == "call" and refused == self.detail.exchange.answered
        whole = (self.category == "rule" and refused and refused in self.words) or (
            stopped and len(self.words.split()) >= _TELLING
        )
        return (stands and not whole and self.detail.what) or self.words


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

    def is_asked_in(self, turn: JournalTurn) -> bool:
        """Whether a person asks for it in this turn, for the first time or again."""
        return self.turn == turn.id or (self.again is not None and self.again == turn.turn.at)


def is_sure(category: str, certainty: str) -> bool:
    """Whether a rule or a no is plainly the person's own, not found in a text they only handed over."""
    return certainty != "hypothesis" or category not in ("rule", "rejected")


# Below this confidence a person is not asked whether they meant it.
WORTH_ASKING: Final = 0.35
# Said once, and again so many times: it may be meant as a rule.
OFTEN: Final = 2


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

    def call_of(self, turn: Turn) -> JournalTurn | None:
        """The call a result or a refusal belongs to, by the host's id."""
        calls = (one for one in reversed(self.done) if one.turn.kind == "call" and one.turn.call == turn.call)
        return next(calls, None)
