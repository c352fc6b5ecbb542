"""What the front desk answers with."""

from typing import Literal

from msgspec import Struct, field

from steno.vocabulary.calls import ModelState
from steno.vocabulary.entries import Entry
from steno.vocabulary.reviews import Ending
from steno.vocabulary.sessions import Session


class Problem(Struct, frozen=True):
    """Something that could not be read, in words for a person."""

    path: str
    reason: str


class SessionCaptured(Struct, frozen=True):
    """What one capture brought of one session."""

    session: str
    source: str
    # Turns that were new.
    turns: int


class Captured(Struct, kw_only=True):
    """What one capture did."""

    transcripts: int = 0
    unchanged: int = 0
    # Sessions met in what was read.
    sessions: list[SessionCaptured] = field(default_factory=list)
    turns: int = 0
    # New turns by transcript.
    files: dict[str, int] = field(default_factory=dict)
    lines_seen: int = 0
    lines_read: int = 0
    lines_skipped: int = 0
    lines_bad: int = 0
    lines_mended: int = 0
    gaps: int = 0
    # Pieces removed before writing, by kind.
    redacted: dict[str, int] = field(default_factory=dict)
    # Transcripts left out because the user excluded them.
    excluded: int = 0
    problems: list[Problem] = field(default_factory=list)


class Coverage(Struct, frozen=True, kw_only=True):
    """How much of one session is in the journal."""

    session: str
    source: str
    kind: str
    project: str | None
    agent: str | None
    turns: int
    entries: int
    lines_seen: int
    lines_read: int
    lines_skipped: int
    lines_bad: int
    lines_mended: int
    gaps: int
    # Seconds the oldest unread byte has been waiting. 0: everything is read.
    lag_s: float
    # Share of the model's context in use at the last turn that says so.
    context_fill: float | None
    problem: str | None
    last_at: str | None


class Recallable(Struct, frozen=True, kw_only=True):
    """How well recall can answer now."""

    # Turns that have vectors, and about how many wait for theirs.
    vectors: int
    waiting: int
    # How many have a sketch in place of vectors.
    sketched: int = 0
    # The model that makes them, or None.
    model: str | None
    # What an answer lacks, for the user to see. Empty: nothing.
    note: str


class Here(Struct, frozen=True, kw_only=True):
    """What is known of a project at a glance."""

    # None: of all of them.
    project: str | None
    # How many of people's rules and refusals hold, and the last ones.
    rules: int
    refusals: int
    newest: list[Entry]
    # How much a person may decide, by kind.
    waits: dict[str, int]
    may_end: list[Ending]


class Status(Struct, frozen=True, kw_only=True):
    """The state of the whole store."""

    turns: int
    entries: int
    # Time since when capture is paused, or None.
    paused: str | None
    # What the user left out.
    excluded: list[str]
    # Pieces removed before writing, by kind, since the store began.
    redacted: dict[str, int]
    # Bytes on disk.
    disk_bytes: int
    # Lines of all transcripts together.
    lines_seen: int
    lines_bad: int
    lines_mended: int
    gaps: int
    problems: list[Problem]
    sessions: list[Coverage]
    # How well recall can answer.
    recall: Recallable
    # Long sessions in which hardly a word of people was heard, in words.
    silent: list[str]
    # Why the scribe does not understand words; empty where it does.
    unheard: str
    # What else somebody should look at, in words.
    flags: list[str]
    # The model that makes better notes, if there is one, and whether it may be asked.
    model: ModelState


class Vitals(Struct, frozen=True, kw_only=True):
    """How the daemon is: what `ping` answers."""

    pid: int
    version: str
    started_at: str
    uptime_s: float
    # Sessions in the journal, when transcripts were last looked at, when one last brought something, and how long the
    # oldest unread byte was waiting then.
    sessions: int
    last_look_at: str | None
    last_capture_at: str | None
    lag_s: float
    # Nudges and connections that wait, and hooks answered, refused, and found in the spool.
    waiting: dict[str, int]
    hooks: dict[str, int]
    # What does not work, in words.
    problems: list[str]
    anonymous_mb: float
    threads: int
    files: int


class Learnt(Struct, kw_only=True):
    """What one run of the scribe did."""

    sessions: int = 0
    turns: int = 0
    # New entries, and old ones that were said again.
    entries: int = 0
    repeated: int = 0
    superseded: int = 0
    # What is new for a person to decide.
    reviews: int = 0
    # Candidates that were not kept, by reason.
    refused: dict[str, int] = field(default_factory=dict)


class Found(Struct, frozen=True, kw_only=True):
    """A session as `steno sessions` lists it."""

    session: Session
    turns: int
    started_at: str | None
    last_at: str | None
    context_tokens: int | None


class Scope(Struct, frozen=True, kw_only=True):
    """Whose memory is searched, and as of when. None: all of it."""

    project: str | None = None
    agent: str | None = None
    # Only what was said before this time.
    until: str | None = None


HitKind = Literal["entry", "turn", "session"]


class Neighbour(Struct, frozen=True):
    """What was said just before or after a hit, or later on the same thing."""

    turn: int
    role: str
    text: str


class Hit(Struct, frozen=True, kw_only=True):
    """One answer of recall."""

    # Number of the turn, id of the entry, or name of the session.
    id: int | str
    kind: HitKind
    # What was found, 0 and up; comparable within one answer only.
    score: float
    # Why it was found, in words.
    reason: str
    session: str
    source: str
    # The turn the quote stands in; None: a person's own record.
    turn: int | None
    line: int | None
    native_id: str | None
    text: str
    # The passage that fits the question best, verbatim.
    quote: str
    at: str | None
    origin: str
    # Of an entry: what kind it is and where it stands. Of a turn: `superseded` if that became of what it settled.
    category: str | None = None
    status: str | None = None
    # How many more hits say nearly the same and were folded into this one.
    folded: int = 0
    # What was said around it, oldest first.
    context: tuple[Neighbour, ...] = ()
    # What was said earlier on the same thing, and stands back for it; and what was said much later and may have changed
    # it. Not what is shown above, and each once in an answer.
    earlier: Neighbour | None = None
    later: Neighbour | None = None
    # How likely it is that the whole answer holds what was asked for; None: nobody can tell.
    likely: float | None = None


class Forgotten(Struct, frozen=True, kw_only=True):
    """What `forget` erased."""

    turns: int
    sessions: int


class Imported(Struct, kw_only=True):
    """What one import did."""

    # This home wrote all of it, or the user vouched for it; else it is hearsay.
    own: bool = False
    # What was new, by kind: `turn`, `remember`, `pause`, …; and how much was known already.
    new: dict[str, int] = field(default_factory=dict)
    known: int = 0
    # Entries the scribe made of the turns that were new.
    entries: int = 0
    # What takes effect on people's say-so and was not applied, because nobody here vouched for it, by kind.
    held: dict[str, int] = field(default_factory=dict)
    # Its last line is missing.
    cut_off: bool = False
    # Lines that could not be taken in, each as its number and why; the first hundred, and how many there were.
    bad: list[tuple[int, str]] = field(default_factory=list)
    bad_lines: int = 0


class Check(Struct, frozen=True, kw_only=True):
    """One proof of `steno store doctor`."""

    name: str
    ok: bool
    # What was looked at, and what was wrong.
    detail: str
