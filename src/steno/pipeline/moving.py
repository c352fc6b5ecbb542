"""Export and import: everything canonical as JSON lines, so that a memory can move or be kept aside.

An export is signed by the home that writes it. What comes back with that signature is the home's own. All else is
hearsay: its turns can be found, nothing is learnt from them, and what would take effect on people's say-so is held back
until somebody here vouches for it.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from msgspec import structs

from steno.pipeline.exported import (
    FORMAT,
    Content,
    EndLine,
    ExcludedLine,
    HeaderLine,
    Line,
    PauseLine,
    ReceiptLine,
    RecordLine,
    Seal,
    SessionLine,
    TombstoneLine,
    TurnLine,
    Unusable,
    line_of,
    told_by,
)
from steno.pipeline.scrub import Scrubber, map_texts
from steno.store import SECRET_BYTES, Store
from steno.vocabulary import Batch, Imported, Learnt, Power, Read, Session, Watermark
from steno.vocabulary.errors import StenoError, WrongUse

# Asked what to do with the powers a stranger's export claims: True applies them.
Ask = Callable[[list[Power]], bool]

_PORTION = 500
# Lines and sessions kept in memory, and bad lines told of by number: a hostile file must not fill it.
_MOST_HELD = 100_000
_MOST_TOLD = 100
_SHOWN = 120
# What hearsay cannot be: it would be a person's no, or a standing order.
_PEOPLES_OWN = frozenset({"rejected", "rule"})


def export_lines(store: Store) -> Iterator[bytes]:
    """Everything, one object per line, without the newline."""
    seal = Seal(store.control.signing_key())
    for line in _everything(store):
        yield seal.sign(line)


def _everything(store: Store) -> Iterator[Line]:
    yield HeaderLine(FORMAT, store.secret)
    for found in store.journal.sessions():
        yield SessionLine(found.session)
    for key, turn in store.journal.all_turns():
        yield TurnLine(key, turn.source, turn.session, turn.turn)
    for key, forgotten_at in store.eraser.tombstones():
        yield TombstoneLine(key, forgotten_at)
    for record in store.entries.records():
        yield RecordLine(*record)
    for given in store.receipts.of():
        yield ReceiptLine(**{name: getattr(given, name) for name in ReceiptLine.__struct_fields__})
    for pause, until in store.control.pauses():
        yield PauseLine(pause, until)
    for pattern, since in store.control.excluded():
        yield ExcludedLine(pattern, since)
    yield EndLine()


class Import:
    """One import. Secrets are taken out again: the patterns here may be newer than those of the other store."""

    def __init__(
        self, store: Store, scrubber: Callable[[], Scrubber], *,
        scribe: Callable[[], Learnt], adopt: Callable[[bytes], None] | None,
    ) -> None:  # fmt: skip
        self._store = store
        # Asked for when it is needed first: the header may bring the key it works with.
        self._scrubber = scrubber
        self._scribe = scribe
        # What becomes of the key in the header, if somebody vouches for the file.
        self._adopt = adopt
        self._trust = adopt is not None
        self._seal = Seal(store.control.signing_key())
        self._sessions: dict[tuple[str, str], Session] = {}
        # Turns that wait to be written together, all of them ours or all of them hearsay.
        self._waiting: list[TurnLine] = []
        self._ours = True
        self._unread = False
        self._held: list[Content] = []
        self.done = Imported()

    def run(self, lines: Iterable[bytes], ask: Ask) -> Imported:
        """Take in what may be taken in; a bad line is noted and its neighbours survive."""
        last: Line | None = None
        for number, raw in enumerate(map(bytes.strip, lines), 1):
            if not raw:
                continue
            signed = self._check(number, raw)
            try:
                last = line_of(raw)
                if self.done.own + self.done.foreign == 0:
                    self._begin(last)
                self._count(signed)
                self._take(last, ours=signed or self._trust)
            except Unusable as error:
                if self.done.own + self.done.foreign == 0:
                    raise _no_export("its first line is not a header") from error
                self._bad(number, str(error))
        if last is None:
            raise _no_export("there is nothing in it")
        self.done.cut_off = not isinstance(last, EndLine)
        self._flush()
        self._settle_held(ask)
        self._read_turns()
        return self.done

    def _check(self, number: int, raw: bytes) -> bool:
        """Whether this home signed the line, just here."""
        signed = self._seal.check(raw)
        if not signed and self.done.own and self.done.changed_at is None and not self._trust:
            self.done.changed_at = number
        return signed

    def _count(self, signed: bool) -> None:
        if signed or self._trust:
            self.done.own += 1
        else:
            self.done.foreign += 1

    def _begin(self, line: Line) -> None:
        if not isinstance(line, HeaderLine):
            raise _no_export("its first line is not a header")
        if line.steno > FORMAT:
            raise StenoError("this export was written by a newer Steno", hint="upgrade Steno on this machine")
        if line.steno < 1 or len(line.secret) != SECRET_BYTES:
            raise _no_export("its header is not one of ours")
        if self._adopt is not None:
            self._adopt(line.secret)

    def _take(self, line: Line, *, ours: bool) -> None:
        match line:
            case HeaderLine():
                if self.done.own + self.done.foreign > 1:
                    raise Unusable("a second header")
            case EndLine():
                pass
            case SessionLine(session=session):
                if len(self._sessions) >= _MOST_HELD and not ours:
                    raise Unusable(f"more than {_MOST_HELD:,} sessions")
                if ours != self._ours:
                    # What a stranger says of a session holds for no turn of ours that is still waiting.
                    self._flush()
                    self._sessions.clear()
                    self._ours = ours
                self._sessions[session.source, session.session] = session
            case TurnLine():
                self._wait(line, ours=ours)
            case RecordLine(act="remember") if not ours and told_by(line.value).category not in _PEOPLES_OWN:
                self._hear(line)
            case _ if ours:
                self._flush()
                self._apply(line)
            case _:
                if len(self._held) >= _MOST_HELD:
                    raise Unusable(f"more than {_MOST_HELD:,} lines that wait for somebody's word")
                self._held.append(line)

    def _apply(self, line: Content) -> None:
        """Do what people had said, where somebody here vouches for it."""
        store = self._store
        match line:
            case TombstoneLine(key=key, forgotten_at=forgotten_at):
                self._note("tombstone", store.eraser.put_tombstone(key, forgotten_at))
            case RecordLine(at=at, act=act, entry=entry):
                # A record may be about what the scribe makes of the turns before it.
                self._read_turns()
                self._note(act, store.entries.put_record(at, act, entry, self._clean(line.value)))
            case ReceiptLine() as given:
                clean = map_texts(structs.asdict(given), self._scrubber().text)
                self._note("receipt", store.receipts.take(**clean))
            case PauseLine(since=since, until=until):
                self._note("pause", store.control.put_pause(since, until))
            case ExcludedLine(pattern=pattern, since=since):
                if self._scrubber().text(pattern) != pattern:
                    raise Unusable("a path that holds what looks like a secret")
                self._note("excluded", store.control.exclude(pattern, since))
            case SessionLine() | TurnLine():
                raise AssertionError("they say nothing that takes effect")
            case _:
                assert_never(line)

    def _hear(self, line: RecordLine) -> None:
        """What people told another home is worth finding, and no more."""
        self._flush()
        told = told_by(self._clean(line.value))
        value = {name: getattr(told, name) for name in ("summary", "category", "project", "agent")}
        self._note("remember", self._store.entries.hear(line.at, line.entry, value))

    def _clean(self, value: str) -> str:
        """A record's words without secrets; as it was where there were none, so that it is known again."""
        told = json.loads(value)
        clean = map_texts(told, self._scrubber().text)
        return value if clean == told else json.dumps(clean, ensure_ascii=False)

    def _wait(self, line: TurnLine, *, ours: bool) -> None:
        if self._waiting and (ours != self._ours or len(self._waiting) >= _PORTION):
            self._flush()
        self._ours = ours
        self._waiting.append(line)

    def _flush(self) -> None:
        """Write the waiting turns, source by source."""
        by_source: dict[str, list[TurnLine]] = {}
        for line in self._waiting:
            by_source.setdefault(line.source, []).append(line)
        self._waiting = []
        put = self._store.journal.put if self._ours else self._store.journal.hear
        for source, group in by_source.items():
            reads = [Read(line.session, line.turn) for line in group]
            names = dict.fromkeys(line.session for line in group)
            facts = [self._sessions.get((source, name), Session(source=source, session=name)) for name in names]
            batch, _ = self._scrubber().batch(Batch(turns=reads, sessions=facts, watermark=Watermark()))
            new = put(batch.sessions, batch.turns, [line.key for line in group])
            self._note("turn", new)
            self.done.known += len(group) - new
            self._unread |= self._ours and new > 0

    def _read_turns(self) -> None:
        if self._unread:
            self._unread = False
            self.done.entries += self._scribe().entries

    def _settle_held(self, ask: Ask) -> None:
        powers = [_power(line) for line in self._held]
        if not powers or not ask(powers):
            self.done.held = powers
            return
        for line in self._held:
            self._apply(line)

    def _note(self, kind: str, new: int) -> None:
        if new:
            self.done.new[kind] = self.done.new.get(kind, 0) + new
        elif kind != "turn":
            self.done.known += 1

    def _bad(self, number: int, reason: str) -> None:
        self.done.bad_lines += 1
        if len(self.done.bad) < _MOST_TOLD:
            self.done.bad.append((number, reason))


def _power(line: Content) -> Power:
    """What a line would do, in words for a person."""
    match line:
        case PauseLine(since=since, until=until):
            return Power("pause", f"{since} to {until or 'now on'}")
        case ExcludedLine(pattern=pattern):
            return Power("excluded", pattern[:_SHOWN])
        case TombstoneLine(key=key):
            return Power("tombstone", f"turn {key.hex()} may not come in again")
        case ReceiptLine(at=at, kind=kind):
            return Power("receipt", f"{kind} given at {at}")
        case RecordLine(act=act, entry=entry, value=value):
            told = told_by(value)
            words = told.summary or told.status or value
            return Power(act, f"{entry[:40]}: {words}"[:_SHOWN])
        case SessionLine() | TurnLine():
            raise AssertionError("they say nothing that takes effect")
        case _:
            assert_never(line)


def _no_export(why: str) -> WrongUse:
    return WrongUse(f"this is no export of Steno: {why}", hint="`steno export FILE` writes one")
