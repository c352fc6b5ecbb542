"""Runs every text of a batch through the redactor before anything of it is written."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import structs

from steno.redact import Redactor, hide_private
from steno.vocabulary import Batch, Read, Session, Turn, Watermark

_FACTS = ("session", "parent", "agent", "directory", "project", "branch", "model")
_NAMES = ("native_id", "tool", "call")
# Where a private block may begin; cheap, and the redactor looks closer.
_TAG = re.compile(r"<\s*private", re.IGNORECASE)
# As much of a word as can be half of a token.
_LONGEST_HALF = 400
# A token is not in more pieces than these.
_MOST_BLOCKS = 16


class Scrubber:
    """Redaction over the values of the house: every text column, whoever filled it."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def batch(self, batch: Batch) -> tuple[Batch, Mapping[str, int]]:
        """The batch without secrets, and what was taken out of its turns."""
        turns, private = _without_private(batch.turns)
        cleaned = self._redactor.clean([read.turn.text for read in turns])
        if cleaned.counts:
            turns = [_with_text(read, text) for read, text in zip(turns, cleaned.texts, strict=True)]
        counts = private + Counter(cleaned.counts)
        turns = self._seams(turns, counts)
        if self._any(_names_in(batch)):
            turns = [self._names(read, counts) for read in turns]
        sessions = [self.session(session) for session in batch.sessions]
        mark = batch.watermark
        if mark.state:
            mark = structs.replace(mark, state=map_texts(mark.state, self.text))
        if self._any(list(mark.lines_of)):
            lines_of: Counter[str] = Counter()
            for session, lines in mark.lines_of.items():
                lines_of[self.text(session)] += lines
            mark = structs.replace(mark, lines_of=dict(lines_of))
        return Batch(turns=turns, sessions=sessions, watermark=mark), counts

    def turns(self, turns: list[Turn]) -> tuple[list[Turn], Mapping[str, int]]:
        """Turns without secrets, the same object where there was none."""
        # Each by itself: who said what beside it is not known here.
        reads = [Read(str(number), turn) for number, turn in enumerate(turns)]
        batch, counts = self.batch(Batch(turns=reads, sessions=[], watermark=Watermark()))
        return [read.turn for read in batch.turns], counts

    def session(self, session: Session) -> Session:
        """Facts of a session without secrets."""
        facts = [getattr(session, name) or "" for name in _FACTS]
        if not self._any(facts):
            return session
        clean = self._redactor.clean(facts).texts
        return structs.replace(session, **{name: text or None for name, text in zip(_FACTS, clean, strict=True)})

    def text(self, text: str) -> str:
        """One text without secrets."""
        return self._redactor.clean([text]).texts[0]

    def _seams(self, turns: list[Read], counts: Counter[str]) -> list[Read]:
        """Without a secret that is spread over turns which follow each other: a message in blocks."""
        seams = list(_seams_of(turns))
        if not self._redactor.clean(["".join(words.values()) for words in seams]).counts:
            return turns
        turns = list(turns)
        for words in seams:
            cleaned = self._redactor.clean(["".join(words.values())])
            first, *rest = words
            before = turns[first].turn.text
            # What an earlier seam took out is not there any more.
            if cleaned.counts and before.endswith(words[first]):
                counts.update(cleaned.counts)
                turns[first] = _with_text(turns[first], before.removesuffix(words[first]) + cleaned.texts[0])
                for place in rest:
                    after = turns[place].turn.text.removeprefix(words[place])
                    turns[place] = _with_text(turns[place], cleaned.texts[0] + after)
        return turns

    def _any(self, texts: list[str]) -> bool:
        """Whether anything would be taken out of these short texts: they are looked at as one."""
        return bool(texts) and bool(self._redactor.clean(["\n".join(texts)]).counts)

    def _names(self, read: Read, counts: Counter[str]) -> Read:
        """A turn whose ids and names hold no secret."""
        names = [getattr(read.turn, name) or "" for name in _NAMES]
        cleaned = self._redactor.clean([*names, read.session])
        counts.update(cleaned.counts)
        *names, session = cleaned.texts
        turn = structs.replace(read.turn, **{name: text or None for name, text in zip(_NAMES, names, strict=True)})
        return structs.replace(read, turn=turn, session=session)


def _without_private(turns: list[Read]) -> tuple[list[Read], Counter[str]]:
    """A person may open a private block in one part of a message and close it in another; each part is a turn."""
    if not any(_TAG.search(read.turn.text) for read in turns):
        return turns, Counter()
    messages: dict[tuple[str, int | None, str], list[int]] = {}
    for place, read in enumerate(turns):
        messages.setdefault((read.session, read.turn.line, read.turn.role), []).append(place)
    turns, pieces = list(turns), 0
    for places in messages.values():
        if len(places) > 1 and turns[places[0]].turn.line is not None:
            texts, hidden = hide_private([turns[place].turn.text for place in places])
            pieces += hidden
            for place, text in zip(places, texts, strict=True):
                turns[place] = _with_text(turns[place], text)
    return turns, Counter({"private": pieces} if pieces else {})


def _seams_of(turns: list[Read]) -> Iterator[dict[int, str]]:
    """Words without a space between them, by the place of their turn: the last one of a turn, then turns that are one
    word, then the first one of the next."""
    for first in range(len(turns) - 1):
        words: dict[int, str] = {}
        for place in range(first + 1, min(first + _MOST_BLOCKS, len(turns))):
            if not _goes_on(turns[place - 1], turns[place]):
                break
            words = words or {first: _last_word(turns[first].turn.text)}
            text = turns[place].turn.text
            words[place] = _first_word(text)
            if words[place] != text:
                break
        if len(words) > 1 and all(words.values()):
            yield words


def _goes_on(one: Read, other: Read) -> bool:
    """Whether a turn is the same speaker's and comes right after."""
    return (one.session, one.turn.role, one.turn.kind) == (other.session, other.turn.role, other.turn.kind)


def _last_word(text: str) -> str:
    end = text[-_LONGEST_HALF:]
    return end.split()[-1] if end[-1:].strip() else ""


def _first_word(text: str) -> str:
    start = text[:_LONGEST_HALF]
    return start.split()[0] if start[:1].strip() else ""


def _with_text(read: Read, text: str) -> Read:
    if text is read.turn.text:
        return read
    return structs.replace(read, turn=structs.replace(read.turn, text=text))


def _names_in(batch: Batch) -> list[str]:
    names = {getattr(read.turn, name) for read in batch.turns for name in _NAMES}
    names.update(read.session for read in batch.turns)
    return [name for name in names if name]


def map_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_texts(item, change) for item in value]
    if isinstance(value, dict):
        return {change(name): map_texts(item, change) for name, item in value.items()}
    return value
