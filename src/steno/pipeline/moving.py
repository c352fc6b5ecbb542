"""Export and import: everything canonical as JSON lines, so that a memory can move or be kept aside."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec

from steno.pipeline.scrub import Scrubber
from steno.store import SECRET_BYTES, Store
from steno.vocabulary import Batch, Category, EntryStatus, Read, ReceiptKind, Session, Turn, Watermark
from steno.vocabulary.errors import StenoError, WrongUse

_FORMAT = 1
_PORTION = 500
_encode = msgspec.json.encode


class Exported(
    msgspec.Struct, tag_field="type", tag=lambda name: name.lower().removesuffix("line"), omit_defaults=True
):
    """One line of an export."""


class HeaderLine(Exported):
    """The first line: what this is, and the key that turns without a host's id were hashed with."""

    steno: int
    secret: bytes


class SessionLine(Exported):
    """A session's facts."""

    session: Session


class TurnLine(Exported):
    """A turn with its key."""

    key: bytes
    source: str
    session: str
    turn: Turn


class TombstoneLine(Exported):
    """Something forgotten."""

    key: bytes
    forgotten_at: str


class RecordLine(Exported):
    """Something a person told us."""

    at: str
    act: str
    entry: str
    value: str


class PauseLine(Exported):
    """A time off the record."""

    since: str
    until: str | None


class ExcludedLine(Exported):
    """Something left out."""

    pattern: str
    since: str


class ReceiptLine(Exported):
    """What was given to whom. Numbers of turns are this store's own and stay here."""

    at: str
    kind: ReceiptKind
    agent: str | None
    session: str | None
    tier: int | None
    tokens: int
    items: list[str]
    verdict: str | None


Line = HeaderLine | SessionLine | TurnLine | TombstoneLine | RecordLine | PauseLine | ExcludedLine | ReceiptLine


def export_lines(store: Store) -> Iterator[bytes]:
    """Everything, one object per line, without the newline."""
    yield _encode(HeaderLine(_FORMAT, store.secret))
    for found in store.journal.sessions():
        yield _encode(SessionLine(found.session))
    for key, turn in store.journal.all_turns():
        yield _encode(TurnLine(key, turn.source, turn.session, turn.turn))
    for key, forgotten_at in store.eraser.tombstones():
        yield _encode(TombstoneLine(key, forgotten_at))
    for record in store.entries.records():
        yield _encode(RecordLine(*record))
    for given in store.receipts.of():
        yield _encode(
            ReceiptLine(
                given.at, given.kind, given.agent, given.session, given.tier, given.tokens, given.items, given.verdict
            )
        )
    for pause, until in store.control.pauses():
        yield _encode(PauseLine(pause, until))
    for pattern, since in store.control.excluded():
        yield _encode(ExcludedLine(pattern, since))


def import_lines(store: Store, scrubber: Scrubber, lines: Iterable[bytes]) -> int:
    """Take in an export; how many turns were new."""
    return _Import(store, scrubber).run(lines)


class _Import:
    """One import. Secrets are taken out again: the patterns here may be newer than those of the other store."""

    def __init__(self, store: Store, scrubber: Scrubber) -> None:
        self._store = store
        self._scrubber = scrubber
        self._sessions: dict[tuple[str, str], Session] = {}
        self._waiting: list[TurnLine] = []
        self._new = 0

    def run(self, lines: Iterable[bytes]) -> int:
        decode: Callable[[bytes], Line] = msgspec.json.Decoder(Line).decode
        begun = False
        for number, raw in enumerate(lines, 1):
            if not raw.strip():
                continue
            try:
                line = decode(raw)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                self._flush()
                raise StenoError(
                    f"line {number} of the export cannot be read: {error}",
                    hint="what stands before it is imported; mend the line and import again, nothing will be doubled",
                ) from error
            if not begun and not isinstance(line, HeaderLine):
                raise WrongUse("this is no export of Steno: its first line is not a header", hint="steno export > FILE")
            begun = True
            self._take(line)
        if not begun:
            raise WrongUse("this is no export of Steno: there is nothing in it", hint="steno export > FILE")
        self._flush()
        return self._new

    def _take(self, line: Line) -> None:
        match line:
            case HeaderLine(steno=version, secret=secret):
                if version > _FORMAT:
                    raise StenoError("this export was written by a newer Steno", hint="upgrade Steno on this machine")
                if len(secret) != SECRET_BYTES:
                    raise WrongUse("the header of this export has no proper key", hint="export it again")
                if self._store.is_new():
                    self._store.adopt_secret(secret)
            case SessionLine(session=session):
                self._sessions[session.source, session.session] = session
            case TurnLine():
                self._waiting.append(line)
                if len(self._waiting) >= _PORTION:
                    self._flush()
            case TombstoneLine(key=key, forgotten_at=forgotten_at):
                self._flush()
                self._store.eraser.put_tombstones([(key, forgotten_at)])
            case RecordLine(at=at, act=act, entry=entry, value=value):
                self._flush()
                _check_record(act, value)
                self._store.entries.put_record(at, act, entry, self._scrubber.text(value))
            case ReceiptLine() as given:
                self._store.receipts.take(**{name: getattr(given, name) for name in given.__struct_fields__})
            case PauseLine(since=since, until=until):
                self._store.control.put_pause(since, until)
            case ExcludedLine(pattern=pattern, since=since):
                self._store.control.exclude(pattern, since)

    def _flush(self) -> None:
        """Write the waiting turns, source by source."""
        by_source: dict[str, list[TurnLine]] = {}
        for line in self._waiting:
            by_source.setdefault(line.source, []).append(line)
        self._waiting = []
        for source, group in by_source.items():
            reads = [Read(line.session, line.turn) for line in group]
            names = dict.fromkeys(line.session for line in group)
            facts = [self._sessions.get((source, name), Session(source=source, session=name)) for name in names]
            batch, _ = self._scrubber.batch(Batch(turns=reads, sessions=facts, watermark=Watermark()))
            self._new += self._store.journal.put(batch.sessions, batch.turns, [line.key for line in group])


class _Told(msgspec.Struct):
    """What a record may say. Anything else would be refused by the store, each time it is applied again."""

    summary: str | None = None
    category: Category | None = None
    status: EntryStatus | None = None
    project: str | None = None
    agent: str | None = None
    other: str | None = None
    keep: Literal["one", "other", "both"] | None = None


# What each kind of record must say.
_NEEDED: dict[str, tuple[str, ...]] = {
    "remember": ("summary", "category"),
    "revise": (),
    "archive": (),
    "review": ("other", "keep"),
    # Whoever folds these passes over what says nothing to them.
    "rule": (),
    "flow": (),
    "outcome": (),
}


def _check_record(act: str, value: str) -> None:
    try:
        told = msgspec.json.decode(value, type=_Told)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WrongUse(f"a record of this export cannot be read: {error}", hint="export it again") from error
    if act not in _NEEDED or any(getattr(told, name) is None for name in _NEEDED[act]):
        raise WrongUse(f"a record of this export says nothing Steno knows: {act}", hint="export it again")
