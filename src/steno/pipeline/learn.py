"""Learning: journal → scribe → entries. The scribe's watermark moves in the same transaction as what it found."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import NamedTuple

from msgspec import structs

from steno.clock import before
from steno.pipeline.applying import Applying
from steno.pipeline.curating import put_again
from steno.pipeline.keeping import Keeping
from steno.scribe import DONE_BEFORE, SAID_BEFORE, propose, uttered
from steno.scribe.admit import Admitted, Refused, Repeated, held_against, judge, owned
from steno.scribe.close import came_of, ended, takes_back
from steno.scribe.work.keeper import WorkKeeper
from steno.store import Store
from steno.store.entries import Unread
from steno.store.works import QUIET
from steno.vocabulary import HUMAN_KINDS, Candidate, JournalTurn, Learnt, Window
from steno.vocabulary.details import Decided, Failed
from steno.vocabulary.entries import Compared
from steno.vocabulary.errors import Overtaken
from steno.vocabulary.readings import Reading
from steno.vocabulary.utterances import Utterance
from steno.vocabulary.works import Left

# What a refusal of an agent's words ends of them: what it proposed, not what it found.
_PROPOSED = ("decision", "task", "commitment")
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
        # Projects in which nobody spoke for days before a turn that was read, and when somebody had spoken last.
        self._quiet: dict[str | None, str] = {}
        self.sessions: set[int] = set()

    def run(self, now: str, session_id: int | None = None) -> Learnt:
        """Read on in every session, or in one. In every one, what an older scribe wrote is learnt anew, and what people
        told us is applied again."""
        if session_id is None and self._entries.is_outdated():
            self._entries.clear(if_outdated=True)
        self._entries.make_keys()
        extent = self._entries.extent()
        read = [self._read(session) for session in self._entries.unread(session_id)]
        if session_id is None and all(read):
            self._entries.note_read(extent)
        self._keeping.count_reviews()
        if session_id is None and self._entries.is_rebuilding() and self._entries.put_answered(extent[0]):
            put_again(self._store)
            self._entries.apply_records(extent[0])
            self.told(self._entries.told())
        # Of sessions that overlap one may be read before the other; and nobody may have spoken since.
        self._quiet |= dict.fromkeys(self._works.quiet(now), now)
        if self._quiet:
            with self._entries.write():
                for project, last in self._quiet.items():
                    self._works.end_quiet(project, last)
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
                answered, said_before = reader.window.reply, reader.window.human
                ticked = keeper.take(turn)
                reader.take(turn)
                turned_from, keeper.left = keeper.left, []
                found.append(_Read(turn, candidates, ticked, turned_from, keeper.begun, answered, said_before))
            with self._entries.write():
                if self._entries.epoch() != epoch:
                    raise Overtaken("something was forgotten meanwhile")
                counts = Counter(self._entries.counts(session.id))
                self._exchanges.put(session.id, said)
                for read in found:
                    self._end_quiet(session, reader, read.turn)
                    for left in read.left:
                        self._works.leave(session, left, read.turn.turn.at)
                        self.works.add(self._works.id_of(left.begun))
                    self._close(session, read)
                    work = None if read.begun is None else self._works.id_of(read.begun)
                    for candidate in read.candidates:
                        self._admit(candidate, session, reader, counts, work)
                    self._outcome(session, reader, read.turn)
                self._note_work(session, keeper, mark, turns)
                while readings and readings[0].mark <= turns[-1].id:
                    self._applying.apply(readings.popleft(), session)
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

    def _end_quiet(self, session: Unread, reader: "_Reader", turn: JournalTurn) -> None:
        """What held for a piece of work ends if nobody had spoken in the project for days before a turn."""
        at, earlier = turn.turn.at, reader.last_at
        if not at:
            return
        is_back = earlier is None or earlier <= before(at, QUIET)
        if is_back and (last := self._works.quiet_before(session.project, at)):
            self._quiet[session.project] = max(last, self._quiet.get(session.project, ""))
            self._works.end_quiet(session.project, last)
        reader.last_at = max(at, earlier or "")

    def _close(self, session: Unread, read: "_Read") -> None:
        """What a turn ends: tasks and promises in so many words, what the agent proposed, if it is refused, and what
        somebody takes back."""
        if session.kind == "main" and (read.turn.by_human or read.ticked):
            for one, status in ended(read.turn, read.ticked, self._entries.pending(session)):
                self._entries.set_status(one.id, status)
        if read.answered is not None and any(one.category == "rejected" for one in read.candidates):
            for noted in self._exchanges.entries_at([read.answered.id], None):
                if noted.status == "active" and noted.category in _PROPOSED:
                    self._entries.set_status(noted.id, "archived")
        replied = read.answered is not None and read.before is not None and read.answered.id > read.before.id
        if not takes_back(read.turn, at_once=not replied):
            return
        if not read.turn.by_human:
            if told := self._entries.last_of(session.id, "exclusion"):
                self._entries.set_status(told, "archived")
        elif read.before is not None:
            for noted in self._exchanges.entries_at([read.before.id], None):
                self._entries.set_status(noted.id, "archived")

    def _outcome(self, session: Unread, reader: "_Reader", result: JournalTurn) -> None:
        """What a call that succeeded says of calls a person had refused."""
        call = reader.call_of(result)
        if call is None:
            return
        for entry, turn, refusal in self._entries.refused_calls(session.id):
            if turn < call.id and (came := came_of(refusal, call, partial(self._said, session, turn, call))):
                self._entries.set_afterwards(entry, came)
        for turn, place, refusal in self._exchanges.stopped(session.id):
            if turn < call.id and (came := came_of(refusal, call, partial(self._said, session, turn, call))):
                self._exchanges.came_of(turn, place, came)

    def _said(self, session: Unread, turn: int, call: JournalTurn) -> list[JournalTurn]:
        """What was said between a refusal and a call."""
        return self._entries.said_between(session.id, turn, call.id)

    def _keeper(self, session: Unread, first: JournalTurn) -> WorkKeeper:
        """Goes on where the session was read last; a new session may go on with what an earlier one left open."""
        start = self._entries.checkpoint(session.id)
        earlier = None if start and start.goal else self._works.open(session, first.turn.at)
        keeper = WorkKeeper(start, before=earlier, told=self._works.told())
        keeper.about(branch=session.branch, directory=session.directory, source=session.source)
        return keeper

    def _note_work(self, session: Unread, keeper: WorkKeeper, mark: int, turns: list[JournalTurn]) -> None:
        """Where the work stands."""
        checkpoint, spoken = keeper.checkpoint(), sum(turn.by_human for turn in turns)
        work = None
        if keeper.begun is not None and checkpoint.goal:
            work = self._works.put(session, keeper.begun, checkpoint, claimed=keeper.claimed, over=keeper.over)
            self.works.add(work)
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
                self._entries.repeat(entry, reader.turns[candidate.evidence[0].turn].turn.at)
                self.done.repeated += 1
                self._entries.reopen(entry)
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
    """A turn with what it says, the to-dos it ticks, the work it ends and the work it was said in, and what was said
    before it: the agent's last words, and the person's."""

    turn: JournalTurn
    candidates: list[Candidate]
    ticked: list[str]
    left: list[Left]
    begun: int | None
    answered: JournalTurn | None
    before: JournalTurn | None


def _in_work(candidate: Candidate, keeper: WorkKeeper) -> Candidate:
    """A decision or a failure with what was being done."""
    detail = candidate.detail
    if isinstance(detail, Decided | Failed):
        detail = structs.replace(detail, task=keeper.task or detail.task)
    return candidate if detail is candidate.detail else structs.replace(candidate, detail=detail)


class _Reader:
    """The window that moves along with the turns, and the turns a candidate may quote."""

    def __init__(self, start: Window) -> None:
        self._said = deque(start.said, maxlen=SAID_BEFORE)
        self._done = deque(start.done, maxlen=DONE_BEFORE)
        self._kept: dict[int, set[str]] = {}
        self.turns: dict[int, JournalTurn] = {turn.id: turn for turn in (*start.said, *start.done)}
        # When the latest of the turns was that were read.
        self.last_at: str | None = None

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
        # As far back as the window reaches, however much is read at once.
        calls = (one for one in self._done if one.turn.kind == "call" and one.turn.call == result.turn.call)
        return next(calls, None)

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
