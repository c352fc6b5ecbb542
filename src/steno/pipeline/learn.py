"""Learning: journal → scribe → entries. The scribe's watermark moves in the same transaction as what it found."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from msgspec import structs

from steno.pipeline.applying import Applying
from steno.pipeline.curating import put_again
from steno.pipeline.keeping import Keeping
from steno.scribe import DONE_BEFORE, SAID_BEFORE, propose, uttered
from steno.scribe.admit import Admitted, Refused, Repeated, held_against, judge, owned, working_rule
from steno.scribe.afterwards import came_of, gave_leave, takes_back
from steno.scribe.closing import Ends, becomes, ends
from steno.scribe.weigh import trouble
from steno.scribe.work.keeper import WorkKeeper
from steno.store import Store
from steno.store.entries import Unread
from steno.vocabulary import HUMAN_KINDS, Candidate, JournalTurn, Learnt, Window
from steno.vocabulary.details import Afterwards, Call, Decided, Failed
from steno.vocabulary.entries import OFTEN, Compared
from steno.vocabulary.errors import Overtaken
from steno.vocabulary.readings import Reading
from steno.vocabulary.utterances import Utterance

_SPOKEN = HUMAN_KINDS | {"delegated", "scheduled", "interrupted", "boundary"}

# How often a session is tried again when somebody else works on it.
_TRIES = 5


class Learn:
    """One run of the scribe over everything it has not read."""

    def __init__(self, store: Store, *, told: Callable[[int], None] = lambda _: None) -> None:
        self._store, self._entries = store, store.entries
        self._exchanges = store.exchanges
        self._works = store.works
        self._readings = store.readings
        self._progress = told
        self.done = Learnt()
        self._keeping = Keeping(store, self.done)
        self._applying = Applying(store, self._keeping)
        # Pieces of work somebody was at, and sessions that were read on.
        self.works: set[str] = set()
        self.sessions: set[int] = set()

    def run(self, session_id: int | None = None) -> Learnt:
        """Read on in every session, or in one. In every one, what was learnt deaf or by an older scribe is learnt anew,
        and what people told us is applied again."""
        if session_id is None and self._entries.is_outdated() and not trouble(opened=True):
            self._entries.clear(if_outdated=True)
        self._entries.make_keys()
        extent = self._entries.extent()
        read = [self._read(session) for session in self._entries.unread(session_id)]
        if session_id is None and all(read):
            self._entries.note_read(extent)
        self._keeping.count_reviews()
        if session_id is None and self._entries.is_rebuilding():
            put_again(self._store)
            self._entries.apply_records()
            self.told(self._entries.told())
        return self.done

    def _read(self, session: Unread) -> bool:
        """Whether a session was read to its end."""
        for again in chain((session,), self._again(session.id)):
            with suppress(Overtaken):
                self._session(again)
                self.sessions.add(again.id)
                self.done.sessions += 1
                return True
        return False

    def _again(self, session_id: int) -> Iterator[Unread]:
        """The session as it is after another scribe read on in it, or something in it was forgotten."""
        for _ in range(_TRIES):
            yield from self._entries.unread(session_id)

    def _session(self, session: Unread) -> None:
        reader = _Reader(self._entries.window(session, said=SAID_BEFORE, done=DONE_BEFORE))
        mark, epoch, keeper = session.mark, self._entries.epoch(), None
        # A model read on behind us when we stood there; what it said is applied there again.
        readings = deque(self._readings.since(session.id, session.mark))
        for turns in self._portions(session, readings):
            keeper = keeper or self._keeper(session, turns[0])
            found: list[_Read] = []
            said: list[Utterance] = []
            for turn in turns:
                candidates = propose(turn, reader.window) if session.kind == "main" else []
                candidates = [_in_work(candidate, keeper) for candidate in candidates]
                said += uttered(turn, reader.window) if session.kind == "main" else []
                over = ends(turn, reader.window, candidates) if session.kind == "main" else Ends()
                ticked = keeper.take(turn)
                reader.take(turn)
                found.append(_Read(candidates, over._replace(ticked=tuple(ticked)), keeper.begun))
            with self._entries.write():
                if self._entries.epoch() != epoch:
                    raise Overtaken("something was forgotten meanwhile")
                counts = Counter(self._entries.counts(session.id))
                for read in found:
                    self._close(session, read.over)
                    work = None if read.begun is None else self._works.id_of(read.begun)
                    for candidate in read.candidates:
                        self._admit(candidate, session, reader, counts, work)
                self._exchanges.put(session.id, said)
                self._outcomes(session, reader, turns)
                self._note_work(session, keeper, reader, mark, turns)
                while readings and readings[0].mark <= turns[-1].id:
                    self._applying.apply(readings.popleft(), session)
                if session.kind == "main" and any(turn.by_human for turn in turns) and trouble(opened=True):
                    self._entries.outdate()
            reader.forget_portion()
            mark = turns[-1].id
            self.done.turns += len(turns)
            self._progress(len(turns))
        # The turns up to which we had read then may be forgotten.
        if readings and keeper is not None:
            with self._entries.write():
                for reading in readings:
                    self._applying.apply(reading, session)

    def _portions(self, session: Unread, readings: Sequence[Reading]) -> Iterator[list[JournalTurn]]:
        """The unread turns in portions that end where a reading was applied."""
        marks = sorted({reading.mark for reading in readings})
        for turns in self._entries.unread_turns(session):
            rest = turns
            for mark in marks:
                if rest[0].id <= mark < rest[-1].id:
                    yield [turn for turn in rest if turn.id <= mark]
                    rest = [turn for turn in rest if turn.id > mark]
            yield rest

    def _close(self, session: Unread, over: Ends) -> None:
        """What a turn ends of tasks and promises, or opens again."""
        if any(over[1:]):
            for one in self._entries.pending(session):
                if status := becomes(one, over):
                    self._entries.set_status(one.id, status)

    def _outcomes(self, session: Unread, reader: "_Reader", turns: list[JournalTurn]) -> None:
        """What came of calls a person had refused, and of what they did not want any more."""
        done = [call for turn in turns if (call := reader.call_of(turn)) is not None]
        if not done:
            return
        refused, stopped = self._entries.refused_calls(session.id), self._exchanges.stopped(session.id)
        for call in done:
            if takes_back(call) and (asked := reader.asked_before(call)) is not None:
                for entry in self._entries.refused_at(asked):
                    self._entries.set_afterwards(entry, "reverted")
                    self._exchanges.came_of(asked, 0, "reverted")
            for entry, turn, refusal in refused:
                if came := self._came_of(session, turn, refusal, call):
                    self._entries.set_afterwards(entry, came)
            for turn, place, refusal in stopped:
                if came := self._came_of(session, turn, refusal, call):
                    self._exchanges.came_of(turn, place, came)

    def _came_of(self, session: Unread, turn: int, refused: Call, call: JournalTurn) -> Afterwards:
        """What a call that now succeeded says about one that was refused in an earlier turn."""
        came = came_of(refused, call) if turn < call.id else ""
        if came == "ran later" and not gave_leave(self._entries.said_between(session.id, turn, call.id), refused):
            return "ran anyway"
        return came

    def _keeper(self, session: Unread, first: JournalTurn) -> WorkKeeper:
        """Goes on where the session was read last; a new session may go on with what an earlier one left open."""
        start = self._entries.checkpoint(session.id)
        before = None if start and start.goal else self._works.open(session, first.turn.at)
        keeper = WorkKeeper(start, before=before, told=self._works.told())
        keeper.about(branch=session.branch, directory=session.directory)
        return keeper

    def _note_work(
        self, session: Unread, keeper: WorkKeeper, reader: "_Reader", mark: int, turns: list[JournalTurn]
    ) -> None:
        """Where the work stands, and what was left of it on the way."""
        checkpoint, spoken = keeper.checkpoint(), sum(turn.by_human for turn in turns)
        for left in keeper.left:
            self._works.leave(session, left, reader.turns[left.turn].turn.at)
        work = None
        if keeper.begun is not None and checkpoint.goal:
            work = self._works.put(session, keeper.begun, checkpoint, claimed=keeper.claimed)
        for begun in (*(left.begun for left in keeper.left), *([keeper.begun] if keeper.begun else [])):
            self.works.add(self._works.id_of(begun))
            if first := reader.turns.get(begun):
                self.works.update(self._works.end_claimed(session, begun, first.turn.at))
        keeper.left.clear()
        self._entries.put_checkpoint(session, mark, checkpoint, work=work, turns=len(turns), spoken=spoken)

    def _admit(
        self, candidate: Candidate, session: Unread, reader: "_Reader", counts: Counter[str], work: str | None
    ) -> None:
        candidate = owned(candidate, reader.turns)

        def known(new: Compared) -> list[Compared]:
            # One sentence does not contradict itself.
            beside = reader.kept_at(candidate.evidence[0].turn)
            found = self._entries.like(new, project=session.project, session_id=session.id)
            return [older for older in found if older.id not in beside]

        verdict = judge(candidate, reader.turns, known, of_session=counts[candidate.category])
        if not isinstance(verdict, Refused) and self._entries.has(candidate, work):
            return
        match verdict:
            case Refused(reason=reason):
                self.done.refused[reason] = self.done.refused.get(reason, 0) + 1
            case Repeated(entry=entry):
                times = self._entries.repeat(entry, reader.turns[candidate.evidence[0].turn].turn.at)
                self.done.repeated += 1
                if candidate.status == "active":
                    self._entries.reopen(entry)
                if times == OFTEN and candidate.category == "task":
                    self._admit(working_rule(candidate), session, reader, counts, work)
            case Admitted() as admitted:
                counts[candidate.category] += self._keep(candidate, admitted, session, reader, work)

    def _keep(
        self, candidate: Candidate, admitted: Admitted, session: Unread, reader: "_Reader", work: str | None
    ) -> bool:
        first = reader.turns[candidate.evidence[0].turn]
        entry = self._keeping.keep(candidate, admitted, session, first.turn.at, work)
        if entry is not None:
            reader.kept_at(first.id).add(entry)
        return entry is not None

    def told(self, entries: Iterable[tuple[str, str | None]]) -> None:
        """Hold what people told us against what is known, in order: entries and their projects."""
        for entry, project in entries:
            new = self._entries.known(entry)
            known = self._entries.like(new, project=project, session_id=None)
            with self._entries.write():
                self._keeping.settle(entry, held_against(new, known))
        self._keeping.count_reviews()


class _Read(NamedTuple):
    """What was read in a turn: what it says, what it ends, and the work it was said in."""

    candidates: list[Candidate]
    over: Ends
    begun: int | None


def _in_work(candidate: Candidate, keeper: WorkKeeper) -> Candidate:
    """A decision or a failure with what was being done, a decision with the phase it was made in, too."""
    detail = candidate.detail
    if isinstance(detail, Decided):
        detail = structs.replace(detail, phase=keeper.phase, task=keeper.task or detail.task)
    elif isinstance(detail, Failed):
        detail = structs.replace(detail, task=keeper.task or detail.task)
    return candidate if detail is candidate.detail else structs.replace(candidate, detail=detail)


class _Reader:
    """The window that moves along with the turns, and the turns a candidate may quote."""

    def __init__(self, start: Window) -> None:
        self._said = deque(start.said, maxlen=SAID_BEFORE)
        self._done = deque(start.done, maxlen=DONE_BEFORE)
        self._kept: dict[int, set[str]] = {}
        self.turns: dict[int, JournalTurn] = {turn.id: turn for turn in (*start.said, *start.done)}

    def kept_at(self, turn: int) -> set[str]:
        """Entries that rest on a turn."""
        return self._kept.setdefault(turn, set())

    @property
    def window(self) -> Window:
        return Window(tuple(self._said), tuple(self._done))

    def call_of(self, result: JournalTurn) -> JournalTurn | None:
        """The call a result says it succeeded of."""
        if result.turn.kind != "result" or result.turn.failed or result.turn.call is None:
            return None
        calls = (one for one in self.turns.values() if one.turn.kind == "call" and one.turn.call == result.turn.call)
        return next(calls, None)

    def asked_before(self, call: JournalTurn) -> int | None:
        """The last thing a person said before a call, as far back as a window reaches."""
        before = [turn for id_, turn in sorted(self.turns.items()) if id_ < call.id and turn.turn.kind in _SPOKEN]
        return next((turn.id for turn in reversed(before[-SAID_BEFORE:]) if turn.by_human), None)

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
