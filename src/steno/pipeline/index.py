"""Indexing words: journal → index. Each turn goes in with what was said around it, and each stretch of a session."""

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from steno.recall.pieces import head
from steno.recall.where import minutes
from steno.recall.words import Document, Stretch, WordIndex, WordWriter
from steno.store import Store
from steno.store.recall import ToIndex
from steno.vocabulary.errors import Overtaken, StoreError, StoreFull

# A turn is found by the words of two turns before it and one after it, too: an answer seldom repeats the question.
_BEFORE: Final = 2
# Of each neighbour so much, so that a long answer does not drown a short question.
_HEAD_WORDS: Final = 40
# Turns in a stretch, and how much of each.
_STRETCH: Final = 24
_STRETCH_WORDS: Final = 80
_OWN_WORDS: Final = 400
_PORTION: Final = 2000
# Turns between two commits while a large journal is indexed.
_COMMIT: Final = 50_000
_ATTEMPTS: Final = 3


class Said(NamedTuple):
    """A turn in which somebody spoke."""

    id: int
    text: str
    at: str | None


def index_words(
    store: Store,
    index: WordIndex,
    told: Callable[[int], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Bring the index up to the end of the journal; how many turns were new. None are if another process does it."""
    for attempt in range(_ATTEMPTS):
        erasures = store.searched.erasures()
        if index.mark(erasures) == store.searched.last_turn():
            return 0
        try:
            with index.writing(erasures) as writer:
                count = _Indexing(store, writer).run(told, stop)
        except Overtaken:
            return 0
        except StoreFull:
            raise
        except StoreError:
            # Damaged where only writing notices it.
            index.drop_one(erasures)
            if attempt + 1 == _ATTEMPTS:
                raise
            continue
        if store.searched.erasures() == erasures:
            return count
        # Words left the journal while they were read, and may stand in this index now.
        index.drop_one(erasures)
    return 0


class _Indexing:
    """One run over everything the index does not hold yet."""

    def __init__(self, store: Store, writer: WordWriter) -> None:
        self._searched = store.searched
        self._writer = writer
        self._start = writer.mark
        self._sessions: dict[int, _Session] = {}

    def run(self, told: Callable[[int], None], stop: Callable[[], bool]) -> int:
        count, mark, last = 0, self._start, self._searched.last_turn()
        while turns := self._searched.to_index(mark, _PORTION):
            for turn in turns:
                self._session(turn.session_id).take(turn)
            count, mark = count + len(turns), turns[-1].id
            told(len(turns))
            if len(turns) == _PORTION and count % _COMMIT < _PORTION:
                self._finish(mark)
            if stop():
                last = mark
                break
        # The last turns may be some that nobody asks for, and were not read.
        self._finish(max(mark, last))
        return count

    def _finish(self, mark: int) -> None:
        for session in self._sessions.values():
            session.finish()
        self._writer.commit(mark)
        self._start = mark
        self._sessions.clear()

    def _session(self, session_id: int) -> "_Session":
        if session_id not in self._sessions:
            count = self._searched.count_said_until(session_id, self._start) if self._start else 0
            most = max(_BEFORE + 1, count % _STRETCH or _STRETCH)
            last = self._searched.said_until(session_id, self._start, most) if count else []
            said = [Said(id_, text, at) for id_, text, at in last]
            self._sessions[session_id] = _Session(session_id, self._writer, count, said)
        return self._sessions[session_id]


class _Session:
    """What is remembered of a session while its turns pass by."""

    def __init__(self, session_id: int, writer: WordWriter, count: int, said: list[Said]) -> None:
        self._session_id = session_id
        self._writer = writer
        self._last = deque(said[-_BEFORE - 1 :], maxlen=_BEFORE + 1)
        self._stretch = said[len(said) - count % _STRETCH :]
        # The last turn spoken waits for the one after it, whose words it is found by, too.
        self._waits = bool(said)
        # The stretch that last turn belongs to, which may be full by now.
        self._of_last = self._stretch[0].id if self._stretch else (said[-_STRETCH].id if len(said) >= _STRETCH else 0)
        self._grown = False

    def take(self, turn: ToIndex) -> None:
        """The next turn of the session."""
        said = Said(turn.id, turn.text, turn.at)
        if not turn.said:
            around = " ".join(
                (*(head(one.text, _HEAD_WORDS) for one in list(self._last)[-_BEFORE:]), head(turn.text, _OWN_WORDS))
            )
            self._put(said, self._stretch[0].id if self._stretch else 0, around)
            return
        self._write_last(after=head(turn.text, _HEAD_WORDS))
        self._last.append(said)
        self._stretch.append(said)
        self._of_last, self._waits, self._grown = self._stretch[0].id, True, True
        if len(self._stretch) == _STRETCH:
            self._write_stretch()
            self._stretch = []

    def finish(self) -> None:
        """No more turns for now."""
        self._write_last(after="")
        if self._grown and self._stretch:
            self._write_stretch()

    def _write_last(self, *, after: str) -> None:
        if self._waits and self._last:
            *before, last = self._last
            heads = (head(one.text, _HEAD_WORDS) for one in before)
            self._put(last, self._of_last, " ".join((*heads, head(last.text, _OWN_WORDS), after)))
        self._waits = False

    def _put(self, said: Said, stretch: int, around: str) -> None:
        self._writer.put(Document(said.id, self._session_id, minutes(said.at), stretch, said.text, around))

    def _write_stretch(self) -> None:
        first = self._stretch[0]
        words = " ".join(head(one.text, _STRETCH_WORDS) for one in self._stretch)
        self._writer.put_stretch(Stretch(first.id, self._session_id, minutes(first.at), words))
        self._grown = False
