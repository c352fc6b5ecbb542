"""The loss report: what was live before a session's last compaction, and what the agent still has of it."""

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from steno.briefing.loss import live_of
from steno.briefing.loss import losses as compared
from steno.clock import before
from steno.home import Home
from steno.pipeline.replay import stood
from steno.store import Store
from steno.vocabulary import AT_WORK, Briefing, Entry, Loss, Receipt, Session
from steno.vocabulary.errors import StenoError

if TYPE_CHECKING:
    from steno.pipeline.brief import Briefer

# Old history needs no warnings.
_LATELY: Final = timedelta(days=7)
# Entries of each category that are looked at.
_MOST: Final = 500
# Tokens of a briefing that is made again, as a share of what was given: they do not quite add up.
_NO_MORE: Final = 1.1


class NoCompaction(StenoError):
    """A session whose context was never compacted: nothing was lost."""


def counted(store: Store, session_id: int, briefer: "Briefer") -> Loss:
    """What the last compaction of a session took. How much of it counts is written down: whoever starts is warned of a
    loss by that."""
    found = losses(store, session_id, briefer)
    if due := store.fills.loss_due(session_id, ""):
        taken = [item.fate == "missing" for item in found.items if item.critical]
        store.fills.put_loss(session_id, due, critical=len(taken), missing=sum(taken))
    return found


def count_due(home: Home, sessions: Iterable[int], briefer: "Briefer") -> None:
    """Once for each compaction and what was given since, when it can be."""
    for session_id in sessions:
        if home.store.fills.loss_due(session_id, before(home.clock(), _LATELY)):
            counted(home.store, session_id, briefer)


def losses(store: Store, session_id: int, briefer: "Briefer") -> Loss:
    """What the host's summary of the last compaction does not carry and nobody was given since."""
    facts, _ = store.briefed.session(session_id)
    boundaries = store.fills.boundaries(session_id)
    if not boundaries:
        raise NoCompaction(
            f"the context of session {facts.session} was never compacted: nothing was lost",
            hint="`steno sessions` lists others; `steno sessions checkpoint` shows where this one stands",
        )
    boundary, at = boundaries[-1]
    # The stored checkpoint stands at the session's end: it is read again up to the boundary.
    point = stood(store, session_id, lambda turn: turn.id < boundary)
    summary = _summary(store, session_id, boundary)
    receipts = _given(store, session_id, facts.session, boundary)
    told = _handed_over(receipts, briefer, f"{facts.source}:{facts.session}")
    return Loss(
        session=facts.session,
        turn=boundary,
        at=at,
        items=compared(live_of(point, _in_force(store, session_id, facts, boundary, at)), summary, told),
        summary_characters=len(summary),
        given=any(receipt.kind != "gate" for receipt in receipts),
    )


def _summary(store: Store, session_id: int, boundary: int) -> str:
    """The host's own, as far as it has one."""
    told: list[str] = []
    for turn in store.fills.turns_after(session_id, boundary):
        if turn.by_human or turn.turn.role == "assistant":
            break
        told += [turn.turn.text] if turn.turn.kind == "summary" else []
    return "\n".join(told)


def _handed_over(receipts: list[Receipt], briefer: "Briefer", session: str) -> Briefing:
    """Everything named in some receipts. They hold no words: those are made again as of the first briefing, and count
    only if they are no more than what was given."""
    items = [item for receipt in receipts for item in receipt.items]
    first = next((receipt for receipt in receipts if receipt.tier is not None), None)
    again = briefer.brief(0, session, at=first.at) if first is not None else None
    told = again.text if again and first and again.tokens <= first.tokens * _NO_MORE else ""
    return Briefing(text=told, tokens=0, tier=0, session=None, at="", items=items)


def _in_force(store: Store, session_id: int, facts: Session, boundary: int, at: str | None) -> list[Entry]:
    """Entries of the session that stood at the boundary."""
    found = store.briefed.live(
        AT_WORK, session_id=session_id, project=facts.project, agent=facts.agent, until=at, most=_MOST
    )
    here = (entry for entry in found if entry.session == facts.session and entry.evidence)
    return [entry for entry in here if entry.evidence[0].turn < boundary]


def _given(store: Store, session_id: int, session: str, boundary: int) -> list[Receipt]:
    """What a session was given after its last boundary, by turns: a clock of another machine says nothing. A host
    writes a boundary down after it was briefed because of it; then nobody spoke between the two."""
    spoken = [
        turn.id
        for role in ("user", "assistant")
        for turn in store.briefed.spoken(session_id, role, None, before=boundary)
    ]
    since = {True: max(spoken, default=0), False: boundary}
    found = [one for one in store.receipts.of(session) if one.turn is not None]
    return [one for one in found if (one.turn or 0) >= since[one.why == "compaction"]]
