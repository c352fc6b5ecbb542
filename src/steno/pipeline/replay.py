"""Where the work of a session stood earlier: its turns are read again up to there."""

from collections.abc import Callable

from steno.store import Store
from steno.vocabulary import Checkpoint, JournalTurn


def stood(store: Store, session_id: int, belongs: Callable[[JournalTurn], bool]) -> Checkpoint:
    """The checkpoint made of the turns that belong to that time; what the session went on with comes first."""
    # Compiling the scribe's patterns takes a while; only who looks back pays for it.
    from steno.scribe.work.keeper import WorkKeeper

    facts, _ = store.briefed.session(session_id)
    first = next(store.fills.turns_after(session_id, 0), None)
    earlier = store.works.earlier_session(session_id)
    before = None if earlier is None or first is None else stood(store, earlier, _before(first))
    keeper = WorkKeeper(before=before, told=store.works.told())
    # The branch its host recorded is today's, not that of then.
    keeper.about(directory=facts.directory)
    for turn in store.fills.turns_after(session_id, 0):
        if belongs(turn):
            keeper.take(turn)
    return keeper.checkpoint()


def _before(first: JournalTurn) -> Callable[[JournalTurn], bool]:
    return lambda turn: first.turn.at is not None and turn.turn.at is not None and turn.turn.at < first.turn.at
