"""The loss report: what was live before a session's last compaction, and what the agent still has of it."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from steno.briefing.loss import live_of
from steno.briefing.loss import losses as compared
from steno.clock import before
from steno.home import Home
from steno.pipeline.replay import stood
from steno.store import Store
from steno.vocabulary import Briefing, Checkpoint, Entry, JournalTurn, Loss, Receipt
from steno.vocabulary.errors import StenoError

if TYPE_CHECKING:
    from steno.pipeline.brief import Briefer

# What a tier-0 briefing of the session holds as of a time.
Brief = Callable[[str | None], Briefing]

# Old history needs no warnings.
_LATELY: Final = timedelta(days=7)
_STOOD: Final = ("active", "done", "superseded")
# Tokens of a briefing that is made again, as a share of what was given: they do not quite add up.
_NO_MORE: Final = 1.1


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


def counted(store: Store, session_id: int, briefer: "Briefer") -> Loss:
    """The same, and how much of it counts is written down: whoever starts is warned of a loss by that."""
    facts, _ = store.briefed.session(session_id)
    found = losses(store, session_id, lambda at: briefer.brief(0, f"{facts.source}:{facts.session}", at=at))
    if due := store.fills.loss_due(session_id, ""):
        taken = [item.fate == "missing" for item in found.items if item.critical]
        store.fills.put_loss(session_id, due, critical=len(taken), missing=sum(taken))
    return found


def count_due(home: Home, sessions: Iterable[int], briefer: "Briefer") -> None:
    """Once for each compaction and what was given since, when it can be: whoever starts is warned of one that took too
    much, as it was counted then."""
    for session_id in sessions:
        if home.store.fills.loss_due(session_id, before(home.clock(), _LATELY)):
            counted(home.store, session_id, briefer)


def losses(store: Store, session_id: int, brief: Brief) -> Loss:
    """What the last compaction of a session took: what the host's summary does not carry and nobody was given since."""
    facts, _ = store.briefed.session(session_id)
    cut = _cut(store, session_id)
    receipts = _given(store, session_id, facts.session, cut.boundary.id)
    entries = _in_force(store, session_id, cut.boundary.id)
    return Loss(
        session=facts.session,
        turn=cut.boundary.id,
        at=cut.boundary.turn.at,
        items=compared(live_of(cut.before, entries), cut.summary, _handed_over(receipts, brief)),
        summary_characters=len(cut.summary),
        given=any(receipt.kind != "gate" for receipt in receipts),
    )


def _handed_over(receipts: list[Receipt], brief: Brief) -> Briefing:
    """Everything named in some receipts. They hold no words: those are made again as of the first briefing, and count
    only if they are no more than what was given."""
    items = [item for receipt in receipts for item in receipt.items]
    first = next((receipt for receipt in receipts if receipt.tier is not None), None)
    again = brief(first.at) if first is not None else None
    told = again.text if again and first and again.tokens <= first.tokens * _NO_MORE else ""
    return Briefing(text=told, tokens=0, tier=0, session=None, at="", items=items)


def _cut(store: Store, session_id: int) -> _Cut:
    """Read the session again up to its last boundary: the stored checkpoint stands at its end."""
    facts, _ = store.briefed.session(session_id)
    boundaries = store.fills.boundaries(session_id)
    if not boundaries:
        raise NoCompaction(
            f"the context of session {facts.session} was never compacted: nothing was lost",
            hint="`steno sessions` lists others; `steno sessions checkpoint` shows where this one stands",
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
        if entry.evidence and entry.evidence[0].turn < boundary and entry.status in _STOOD
    ]
    newer = store.entries.some({entry.superseded_by for entry in found if entry.superseded_by})
    later = {entry.id for entry in newer if entry.evidence and entry.evidence[0].turn > boundary}
    return [entry for entry in found if entry.status != "superseded" or entry.superseded_by in later]


def _given(store: Store, session_id: int, session: str, boundary: int) -> list[Receipt]:
    """What a session was given after its last boundary, by turns: a clock of another machine says nothing."""
    receipts = [receipt for receipt in store.receipts.of(session) if receipt.turn is not None]
    return [one for one in receipts if (one.turn or 0) >= boundary or _foretells(store, session_id, one, boundary)]


def _foretells(store: Store, session_id: int, receipt: Receipt, boundary: int) -> bool:
    """Whether a briefing was given because of this boundary, which its host wrote down only afterwards."""
    after_compaction = receipt.why == "compaction" or (receipt.why is None and receipt.tier == 0)
    turn = receipt.turn or 0
    earlier = [one.turn for one in store.fills.boundaries(session_id) if one.turn < boundary]
    if not after_compaction or any(turn < one for one in earlier):
        return False
    since = store.fills.turns_after(session_id, earlier[-1]) if earlier else ()
    # It may have been given because of the one before: then nobody had spoken since.
    return not earlier or any(one.by_human or one.turn.role == "assistant" for one in since if one.id <= turn)
