"""What upkeep did, and how it went."""

from typing import Literal

from msgspec import Struct

# `running`: begun and not ended, or cut off. `stopped`: told to, or past its deadline. `skipped`: what it needs failed.
RunState = Literal["running", "ok", "failed", "skipped", "stopped"]


class Report(Struct, frozen=True):
    """What a job has to say when it is done."""

    # How many things were changed, or with `dry` would be.
    changed: int = 0
    # What, one line each, for people.
    lines: tuple[str, ...] = ()
    # What somebody has to look at: status and boot show them.
    flags: tuple[str, ...] = ()


class Run(Struct, frozen=True, kw_only=True):
    """One time a job was due, and what came of it."""

    id: int
    job: str
    # The local day its night closed (YYYY-MM-DD); empty where the clock was set back behind it.
    day: str
    # When it was to run, when it did, and when it was over.
    due: str
    began: str
    ended: str | None
    state: RunState
    report: Report
    # Why it failed or was left out.
    error: str = ""
    # Whether what it laid aside can be brought back (`possible`), or was (`done`).
    undo: Literal["", "possible", "done"] = ""


class JobState(Struct, frozen=True, kw_only=True):
    """A job as it stands."""

    name: str
    last: Run | None
    # When it runs next.
    due: str
