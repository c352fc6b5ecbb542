"""Learning: journal → scribe → entries. The scribe's watermark moves in the same transaction as what it found."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain

from msgspec import structs

from steno.scribe import DONE_BEFORE, SAID_BEFORE, propose
from steno.scribe.admit import Admitted, Known, Refused, Repeated, judge
from steno.scribe.checkpoint import CheckpointKeeper
from steno.store import Store
from steno.store.entries import Unread
from steno.vocabulary import HUMAN_KINDS, Candidate, JournalTurn, Learnt, Window
from steno.vocabulary.errors import Overtaken

_SPOKEN = HUMAN_KINDS | {"delegated", "scheduled", "interrupted", "boundary"}

# How often a session is tried again when somebody else works on it.
_TRIES = 5


class Learn:
    """One run of the scribe over everything it has not read."""

    def __init__(self, store: Store, *, told: Callable[[int], None] = lambda _: None) -> None:
        self._entries = store.entries
        self._told = told
        self.done = Learnt()

    def run(self, session_id: int | None = None) -> Learnt:
        """Read on in every session, or in one."""
        self._entries.make_keys()
        extent = self._entries.extent()
        read = [self._read(session) for session in self._entries.unread(session_id)]
        if session_id is None and all(read):
            self._entries.note_read(extent)
        return self.done

    def _read(self, session: Unread) -> bool:
        """Whether a session was read to its end."""
        for again in chain((session,), self._again(session.id)):
            with suppress(Overtaken):
                self._session(again)
                self.done.sessions += 1
                return True
        return False

    def _again(self, session_id: int) -> Iterator[Unread]:
        """The session as it is after another scribe read on in it, or something in it was forgotten."""
        for _ in range(_TRIES):
            yield from self._entries.unread(session_id)

    def _session(self, session: Unread) -> None:
        reader = _Reader(self._entries.window(session, said=SAID_BEFORE, done=DONE_BEFORE))
        keeper = CheckpointKeeper(self._entries.checkpoint(session.id))
        keeper.about(branch=session.branch, directory=session.directory)
        mark, epoch = session.mark, self._entries.epoch()
        for turns in self._entries.unread_turns(session):
            found: list[Candidate] = []
            for turn in turns:
                if session.kind == "main":
                    found += propose(turn, reader.window)
                keeper.take(turn)
                reader.take(turn)
            checkpoint = keeper.checkpoint()
            with self._entries.write():
                if self._entries.epoch() != epoch:
                    raise Overtaken("something was forgotten meanwhile")
                counts = Counter(self._entries.counts(session.id))
                for candidate in found:
                    self._admit(candidate, session, reader, counts)
                self._entries.put_checkpoint(session.id, mark, checkpoint)
            reader.forget_portion()
            mark = checkpoint.turn
            self.done.turns += len(turns)
            self._told(len(turns))

    def _admit(self, candidate: Candidate, session: Unread, reader: "_Reader", counts: Counter[str]) -> None:
        known = map(Known._make, self._entries.like(candidate, session))
        verdict = judge(candidate, reader.turns, known, of_session=counts[candidate.category])
        if not isinstance(verdict, Refused) and self._entries.has(candidate):
            return
        match verdict:
            case Refused(reason=reason):
                self.done.refused[reason] = self.done.refused.get(reason, 0) + 1
            case Repeated(entry=entry):
                self._entries.repeat(entry)
                self.done.repeated += 1
            case Admitted() as admitted:
                counts[candidate.category] += self._keep(candidate, admitted, session, reader)

    def _keep(self, candidate: Candidate, admitted: Admitted, session: Unread, reader: "_Reader") -> bool:
        candidate = structs.replace(candidate, certainty=admitted.certainty)
        first = reader.turns[candidate.evidence[0].turn]
        entry = self._entries.put(candidate, admitted.origin, first.turn.at, session=session)
        if entry is None:
            return False
        self.done.entries += 1
        reader.kept_at(first.id, entry)
        for older in admitted.supersedes:
            self._entries.supersede(older, entry)
            self.done.superseded += 1
        for older in set(admitted.contradicts) - reader.kept_at(first.id, entry):
            reason = "a decision on something the human had rejected"
            self.done.reviews += self._entries.put_review(older, entry, reason)
        return True


class _Reader:
    """The window that moves along with the turns, and the turns a candidate may quote."""

    def __init__(self, start: Window) -> None:
        self._said = deque(start.said, maxlen=SAID_BEFORE)
        self._done = deque(start.done, maxlen=DONE_BEFORE)
        self._kept: dict[int, set[str]] = {}
        self.turns: dict[int, JournalTurn] = {turn.id: turn for turn in (*start.said, *start.done)}

    def kept_at(self, turn: int, entry: str) -> set[str]:
        """Entries that rest on the same turn: one sentence does not contradict itself."""
        kept = self._kept.setdefault(turn, set())
        kept.add(entry)
        return set(kept)

    @property
    def window(self) -> Window:
        return Window(tuple(self._said), tuple(self._done))

    def take(self, turn: JournalTurn) -> None:
        """A turn was read; later ones see it."""
        self.turns[turn.id] = turn
        if turn.turn.role == "tool" or turn.turn.kind == "call":
            self._done.append(turn)
        elif turn.turn.kind in _SPOKEN:
            self._said.append(turn)

    def forget_portion(self) -> None:
        """Keep only what the window still shows: memory stays bounded."""
        self.turns = {turn.id: turn for turn in (*self._said, *self._done)}
        self._kept.clear()
