"""The loss report: what was live before a session's last compaction, and what the agent still has of it."""

from collections.abc import Callable
from typing import NamedTuple

from steno.briefing.loss import live_of
from steno.briefing.loss import losses as compared
from steno.pipeline.replay import stood
from steno.store import Store
from steno.vocabulary import Briefing, Checkpoint, Entry, JournalTurn, Loss, Receipt
from steno.vocabulary.errors import StenoError

# What a tier-0 briefing of the session holds as of a time.
Brief = Callable[[str | None], Briefing]


class NoCompaction(StenoError):
    """A session whose context was never compacted: nothing was lost."""


class _Cut(NamedTuple):
    """A session, cut at its last compaction."""

    boundary: JournalTurn
    before: Checkpoint
    # The host's own, as far as it has one.
    summary: str
    # When it was, or the last time told before it.
    at: str | None


def losses(store: Store, session_id: int, brief: Brief) -> Loss:
    """What the last compaction of a session took."""
    facts, _ = store.briefed.session(session_id)
    cut = _cut(store, session_id)
    receipt = _given(store, facts.session, cut.boundary)
    briefing = brief(receipt.at if receipt else cut.at)
    entries = _in_force(store, session_id, cut.boundary.id)
    return Loss(
        session=facts.session,
        turn=cut.boundary.id,
        at=cut.boundary.turn.at,
        items=compared(live_of(cut.before, entries), cut.summary, briefing),
        summary_characters=len(cut.summary),
        given=receipt is not None,
    )


def _cut(store: Store, session_id: int) -> _Cut:
    """Read the session again up to its last boundary: the stored checkpoint stands at its end."""
    facts, _ = store.briefed.session(session_id)
    boundaries = store.fills.boundaries(session_id)
    if not boundaries:
        raise NoCompaction(
            f"the context of session {facts.session} was never compacted: nothing was lost",
            hint="`steno sessions` lists others; `steno checkpoint` shows where this one stands",
        )
    last, at = boundaries[-1].turn, None
    after: list[JournalTurn] = []
    for turn in store.fills.turns_after(session_id, 0):
        if turn.id < last:
            at = turn.turn.at or at
        elif turn.by_human or turn.turn.role == "assistant":
            break
        else:
            after.append(turn)
    before = stood(store, session_id, lambda turn: turn.id < last)
    summary = "\n".join(turn.turn.text for turn in after if turn.turn.kind == "summary")
    return _Cut(after[0], before, summary, after[0].turn.at or at)


def _in_force(store: Store, session_id: int, boundary: int) -> list[Entry]:
    """Entries of the session that stood before the boundary and were not superseded before it."""
    found = [
        entry
        for entry in store.entries.all(session_id=session_id)
        if entry.evidence and entry.evidence[0].turn < boundary and entry.status in ("active", "done", "superseded")
    ]
    newer = store.entries.some({entry.superseded_by for entry in found if entry.superseded_by})
    later = {entry.id for entry in newer if entry.evidence and entry.evidence[0].turn > boundary}
    return [entry for entry in found if entry.status != "superseded" or entry.superseded_by in later]


def _given(store: Store, session: str, boundary: JournalTurn) -> Receipt | None:
    """The first briefing the session got after the boundary."""
    briefs = [receipt for receipt in store.receipts.of(session) if receipt.kind == "brief"]
    # Claude Code asks for it before it writes the boundary down: then the time tells.
    at = boundary.turn.at
    return next((one for one in briefs if (one.turn or 0) >= boundary.id or (at is not None and one.at >= at)), None)
