"""Coverage: how much of each session is in the journal, from watermarks, sessions and the files as they are now."""

import os
from collections import defaultdict

from steno.clock import seconds_between
from steno.home import Home
from steno.language.spoken import foreign
from steno.pipeline.flags import Flags, silence
from steno.pipeline.leave_out import LeaveOut
from steno.scribe.weigh import trouble
from steno.store import UNKNOWN, Store, TranscriptRow
from steno.vocabulary import Coverage, Found, Problem, Recallable, Status
from steno.vocabulary.calls import ModelState

_COUNTS = ("lines_skipped", "lines_bad", "lines_mended", "gaps")
# So much of what people said last tells which language they speak.
_SAID = 200


def coverage(home: Home, recall: Recallable, model: ModelState) -> Status:
    store, now, flags = home.store, home.clock(), Flags(home)
    transcripts = [row for row in store.journal.transcripts() if row.source != UNKNOWN or os.path.lexists(row.name)]
    sessions = store.journal.sessions()
    entries = store.entries.by_session()
    excluded = [pattern for pattern, _ in store.control.excluded()]
    left_out = LeaveOut(excluded=excluded, pauses=[])
    told = {(found.session.source, found.session.session): _Told() for found in sessions}
    loose = _Told()
    for row in transcripts:
        _share_out(row, told, loose, now)
    return Status(
        turns=store.journal.count(),
        entries=store.entries.count(),
        paused=store.control.paused(),
        excluded=excluded,
        redacted=store.journal.redactions(),
        disk_bytes=store.size(),
        lines_seen=sum(row.lines_read + row.lines_skipped + row.lines_bad for row in transcripts),
        lines_bad=sum(row.lines_bad for row in transcripts),
        lines_mended=sum(row.lines_mended for row in transcripts),
        gaps=sum(row.gaps for row in transcripts),
        problems=[Problem(row.name, row.problem) for row in transcripts if row.problem and not left_out.path(row.name)],
        sessions=[_coverage(found, told[found.session.source, found.session.session], entries) for found in sessions],
        recall=recall,
        silent=[silence(session) for session in store.works.silent()],
        unheard=trouble(),
        flags=[*flags.of_upkeep(), *flags.of_work(), *_spoken(store)],
        model=model,
    )


def _spoken(store: Store) -> list[str]:
    """That people speak a language in which nothing is noted."""
    name = foreign(store.exchanges.said_last(_SAID))
    lost = "rules and refusals are noted in English and German only; `steno recall` finds the rest"
    return [f"people here mostly write in {name}: {lost}"] if name else []


class _Told:
    """What the transcripts tell of one session."""

    def __init__(self) -> None:
        self.lines_read = 0
        self.counts: dict[str, int] = defaultdict(int)
        self.lag = 0.0
        self.problem: str | None = None


def _share_out(row: TranscriptRow, told: dict[tuple[str, str], _Told], loose: _Told, now: str) -> None:
    """Lines read belong to the session that spoke in them; all else to the first session of the transcript."""
    names = [name for name in row.lines_of if (row.source, name) in told]
    for name in names:
        told[row.source, name].lines_read += row.lines_of[name]
    first = told[row.source, names[0]] if names else loose
    first.lines_read += row.lines_read - sum(row.lines_of[name] for name in names)
    for name in _COUNTS:
        first.counts[name] += getattr(row, name)
    first.lag = max(first.lag, _lag(row, now))
    first.problem = first.problem or row.problem


def _lag(row: TranscriptRow, now: str) -> float:
    """How long the file has held bytes that are not in the journal. Databases are compared when they are read."""
    if "#" in row.name:
        return 0.0
    try:
        facts = os.stat(row.name)
    except OSError:
        return 0.0
    if facts.st_size <= row.position or row.name.endswith(".zst"):
        return 0.0
    return max(0.0, round(seconds_between(row.read_at, now), 3))


def _coverage(found: Found, told: _Told, entries: dict[tuple[str, str], int]) -> Coverage:
    session, counts = found.session, told.counts
    window, used = session.context_window, found.context_tokens
    return Coverage(
        session=session.session,
        source=session.source,
        kind=session.kind,
        project=session.project,
        agent=session.agent,
        turns=found.turns,
        entries=entries.get((session.source, session.session), 0),
        lines_seen=told.lines_read + counts["lines_skipped"] + counts["lines_bad"],
        lines_read=told.lines_read,
        **{name: counts[name] for name in _COUNTS},
        lag_s=told.lag,
        # More than fits shows that the window is not the one we think of.
        context_fill=round(used / window, 4) if used is not None and window and used <= window else None,
        problem=told.problem,
        last_at=found.last_at,
    )
