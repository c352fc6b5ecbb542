"""Where a piece of work stood, and the trail of what was done: kept by code, turn by turn."""

from typing import Any, Literal

from msgspec import Struct, field

Phase = Literal["planning", "executing", "debugging", "reviewing"]
ResultKind = Literal["commit", "push", "tag", "revert", "merge", "pr", "reply", "edit", "release", "publish", "deploy"]


class TrailFile(Struct, frozen=True, kw_only=True):
    """A file an agent touched through a tool."""

    path: str
    # What was done to it, in order of first occurrence: read, edited, created, deleted.
    acts: list[str]
    # Turn of the last act, and of the last one that changed it.
    turn: int
    changed: int | None = None


class TrailCommand(Struct, frozen=True, kw_only=True):
    """A command an agent ran."""

    command: str
    # None: the host did not say, or it has not ended yet.
    failed: bool | None = None
    exit_status: int | None = None
    # The human said no: it never ran. Counts as failed.
    refused: bool = False
    # Steno held it, and no person allowed it: it never ran. Does not count as failed.
    held: bool = False
    # Turn of the call.
    turn: int


class TrailTest(Struct, frozen=True, kw_only=True):
    """The last test run; where nothing was tested, the last build or lint."""

    command: str
    kind: Literal["test", "check"] = "test"
    # None: it cannot be told, as where a pipe hides the exit status and the output names no outcome.
    passed: bool | None
    # Its own lines with the counts, else the line that says how it went.
    result: str
    # What it counted itself: passed, failed, skipped and the like.
    counts: dict[str, int] = field(default_factory=dict)
    # Turn of the call, and of the result.
    turn: int
    ended: int | None = None


class TrailResult(Struct, frozen=True, kw_only=True):
    """What a command achieved beyond the working copy, or failed to."""

    kind: ResultKind
    # The commit with its subject, where it was pushed to, a link; else the command.
    text: str
    failed: bool
    # Turn of the call.
    turn: int


class TrailFailure(Struct, frozen=True, kw_only=True):
    """A command that failed and was not mended since."""

    command: str
    exit_status: int | None = None
    # The line a tool printed that says what went wrong: its words.
    printed: str = ""
    turn: int


class TrailItem(Struct, frozen=True, kw_only=True):
    """A to-do, a plan or a question, with what became of it."""

    text: str
    # To-do: open, doing, done. Plan: accepted, rejected. Question: open, refused, or the human's answer.
    state: str
    # Of a question: what could be picked, and what was.
    options: list[str] = field(default_factory=list)
    picked: list[str] = field(default_factory=list)
    # Turn of its last change; of a question, in which it was asked.
    turn: int


class Repository(Struct, frozen=True, kw_only=True):
    """A Git repository, as the last calls that showed something of it left it. None: nobody saw."""

    folder: str
    branch: str | None = None
    # Short name of the last commit, its first line, and the turn in which it became the head.
    head: str | None = None
    subject: str = ""
    committed: int | None = None
    # Whether the remote has it.
    pushed: bool | None = None
    # Paths that differ from it; []: clean.
    changed: list[str] | None = None
    # Turn of the last evidence.
    turn: int


class Request(Struct, frozen=True, kw_only=True):
    """A pull or merge request."""

    url: str
    number: int | None = None
    state: Literal["open", "draft", "merged", "closed"] = "open"
    # The branch it is to be merged into.
    base: str = ""
    # Made or changed here, and not only looked at.
    own: bool = False
    turn: int


class Run(Struct, frozen=True, kw_only=True):
    """Something started in the background: a shell, a subagent, a monitor, a loop."""

    # As its host names it.
    id: str
    what: str
    turn: int
    ended: int | None = None
    how: Literal["", "completed", "failed", "stopped"] = ""


class Trail(Struct, frozen=True, kw_only=True):
    """What was really done, from tool calls."""

    files: list[TrailFile] = field(default_factory=list)
    commands: list[TrailCommand] = field(default_factory=list)
    last_test: TrailTest | None = None
    # The latest last.
    results: list[TrailResult] = field(default_factory=list)
    # The one worked in last is last.
    repositories: list[Repository] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    # Those that have not ended, and the last of those that have.
    runs: list[Run] = field(default_factory=list)
    todos: list[TrailItem] = field(default_factory=list)
    # Turn of the last change of the list of to-dos.
    listed: int | None = None
    plans: list[TrailItem] = field(default_factory=list)
    questions: list[TrailItem] = field(default_factory=list)


class Checkpoint(Struct, frozen=True, kw_only=True):
    """Where a piece of work stands."""

    # The assignment; on lines below it the steps, as they are read.
    goal: str | None = None
    # What was asked for since the assignment, the latest last.
    steps: list[str] = field(default_factory=list)
    # None unless a person or a model gave it.
    phase: Phase | None = None
    done: list[str] = field(default_factory=list)
    next: list[str] = field(default_factory=list)
    blockers: list[str] = field(default_factory=list)
    # The last command that failed and fails still, for whoever goes on in this session.
    failure: TrailFailure | None = None
    # Branches, paths at the centre, numbers of PRs and issues, URLs, ids, commands: by kind, the latest last.
    variables: dict[str, list[str]] = field(default_factory=dict)
    trail: Trail = field(default_factory=Trail)
    # Number of the turn it was brought up to.
    turn: int = 0
    # What the fold needs to go on: calls without a result, and the like. JSON values only.
    state: dict[str, Any] = field(default_factory=dict)
