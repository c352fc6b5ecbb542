"""Export and import: everything canonical as JSON lines, so that a memory can move or be kept aside.

An export is signed by the home that writes it. An export that comes back as it was signed is the home's own. Any other
is hearsay: its turns can be found, nothing is learnt from them, and what would take effect on people's say-so is not
applied, unless somebody here vouches for the file.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import assert_never

from msgspec import structs

from steno.home import Home
from steno.pipeline.exported import (
    FORMAT,
    LONGEST_LINE,
    AnsweredLine,
    Content,
    EndLine,
    ExcludedLine,
    HeaderLine,
    Line,
    PauseLine,
    ReceiptLine,
    RecordLine,
    SessionLine,
    TombstoneLine,
    TurnLine,
    Unusable,
    is_signed,
    line_of,
    signed,
    told_by,
)
from steno.pipeline.scrub import Scrubber, map_texts
from steno.store import SECRET_BYTES, Store
from steno.vocabulary import Batch, Imported, Learnt, Read, Session, Watermark
from steno.vocabulary.errors import StenoError, WrongUse

# Asked whether to vouch for an export this home did not write, or that was changed since.
Ask = Callable[[], bool]

_PORTION = 500
# Sessions kept in memory, and bad lines told of by number: a hostile file must not fill it.
_MOST_SESSIONS = 100_000
_MOST_TOLD = 100
_AS_JSON = ("detail", "tags", "subject", "evidence")
# What hearsay cannot be: it would be a person's no, or a standing order.
_PEOPLES_OWN = frozenset({"rejected", "rule"})


def export_lines(store: Store) -> Iterator[bytes]:
    """Everything, one object per line, without the newline."""
    return signed(_everything(store), store.control.signing_key())


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
    for row in store.answered.all():
        values = dict(zip(AnsweredLine.__struct_fields__, row, strict=True))
        for name in _AS_JSON:
            values[name] = json.loads(values[name])
        values["evidence"] = [(bytes.fromhex(key), quote) for key, quote in values["evidence"]]
        yield AnsweredLine(**values)
    for given in store.receipts.of():
        yield ReceiptLine(**{name: getattr(given, name) for name in ReceiptLine.__struct_fields__})
    for pause, until in store.control.pauses():
        yield PauseLine(pause, until)
    for pattern, since in store.control.excluded():
        yield ExcludedLine(pattern, since)


class Import:
    """One import. Secrets are taken out again: the patterns here may be newer than those of the other store."""

    def __init__(self, home: Home, scribe: Callable[[], Learnt]) -> None:
        self._home, self._store, self._scribe = home, home.store, scribe
        self._sessions: dict[tuple[str, str], Session] = {}
        # Turns that wait to be written together.
        self._waiting: list[TurnLine] = []
        self._unread = False
        self.done = Imported()

    def run(self, lines: Iterable[bytes], *, trust: bool, ask: Ask) -> Imported:
        """Take in what may be taken in; a bad line is noted and its neighbours survive."""
        if trust:
            return self._run(lines, lambda: True)
        with SpooledTemporaryFile(max_size=LONGEST_LINE) as kept:
            kept.writelines(raw.rstrip(b"\n") + b"\n" for raw in lines)
            kept.seek(0)
            self.done.own = is_signed(kept, self._store.control.signing_key())
            kept.seek(0)
            return self._run(kept, ask)

    def _run(self, lines: Iterable[bytes], ask: Ask) -> Imported:
        begun, last = False, None
        for number, raw in enumerate(map(bytes.strip, lines), 1):
            if not raw:
                continue
            try:
                last = line_of(raw)
                if begun:
                    self._take(last)
                else:
                    self._begin(last, ask)
                    begun = True
            except Unusable as error:
                if not begun:
                    raise _no_export("its first line is not a header") from error
                self._bad(number, str(error))
        if last is None:
            raise _no_export("there is nothing in it")
        self.done.cut_off = not isinstance(last, EndLine)
        self._flush()
        self._read_turns()
        return self.done

    def _begin(self, line: Line, ask: Ask) -> None:
        if not isinstance(line, HeaderLine):
            raise _no_export("its first line is not a header")
        if line.steno > FORMAT:
            raise StenoError("this export was written by a newer Steno", hint="upgrade Steno on this machine")
        if line.steno < 1 or len(line.secret) != SECRET_BYTES:
            raise _no_export("its header is not one of ours")
        if not self.done.own and ask():
            self.done.own = True
            self._home.adopt_secret(line.secret)

    def _take(self, line: Line) -> None:
        match line:
            case HeaderLine():
                raise Unusable("a second header")
            case EndLine():
                pass
            case SessionLine(session=session):
                if len(self._sessions) >= _MOST_SESSIONS and not self.done.own:
                    raise Unusable(f"more than {_MOST_SESSIONS:,} sessions")
                self._sessions[session.source, session.session] = session
            case TurnLine():
                self._waiting.append(line)
                if len(self._waiting) >= _PORTION:
                    self._flush()
            case _ if self.done.own:
                self._flush()
                self._apply(line)
            case RecordLine(act="remember") if told_by(line.value).category not in _PEOPLES_OWN:
                self._hear(line)
            case _:
                kind = line.act if isinstance(line, RecordLine) else str(line.__struct_config__.tag)
                self.done.held[kind] = self.done.held.get(kind, 0) + 1

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
            case AnsweredLine(evidence=quotes):
                clean = map_texts({**structs.asdict(line), "evidence": None}, self._home.clean)
                clean |= {name: json.dumps(clean[name], ensure_ascii=False) for name in ("detail", "tags", "subject")}
                new = store.answered.take(clean, [(key, self._home.clean(quote)) for key, quote in quotes])
                # The end of a rebuild puts it back.
                self._unread |= new
                self._note("answered", new)
            case ReceiptLine() as given:
                clean = map_texts(structs.asdict(given), self._home.clean)
                self._note("receipt", store.receipts.take(**clean))
            case PauseLine(since=since, until=until):
                self._note("pause", store.control.put_pause(since, until))
            case ExcludedLine(pattern=pattern, since=since):
                if self._home.clean(pattern) != pattern:
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
        clean = map_texts(told, self._home.clean)
        return value if clean == told else json.dumps(clean, ensure_ascii=False)

    def _flush(self) -> None:
        """Write the waiting turns, source by source."""
        by_source: dict[str, list[TurnLine]] = {}
        for line in self._waiting:
            by_source.setdefault(line.source, []).append(line)
        self._waiting = []
        put = self._store.journal.put if self.done.own else self._store.journal.hear
        for source, group in by_source.items():
            reads = [Read(line.session, line.turn) for line in group]
            names = dict.fromkeys(line.session for line in group)
            facts = [self._sessions.get((source, name), Session(source=source, session=name)) for name in names]
            batch, _ = Scrubber(self._home.redactor).batch(Batch(turns=reads, sessions=facts, watermark=Watermark()))
            new = put(batch.sessions, batch.turns, [line.key for line in group])
            self._note("turn", new)
            self.done.known += len(group) - new
            self._unread |= self.done.own and new > 0

    def _read_turns(self) -> None:
        if self._unread:
            self._unread = False
            self.done.entries += self._scribe().entries

    def _note(self, kind: str, new: int) -> None:
        if new:
            self.done.new[kind] = self.done.new.get(kind, 0) + new
        elif kind != "turn":
            self.done.known += 1

    def _bad(self, number: int, reason: str) -> None:
        self.done.bad_lines += 1
        if len(self.done.bad) < _MOST_TOLD:
            self.done.bad.append((number, reason))


def _no_export(why: str) -> WrongUse:
    return WrongUse(f"this is no export of Steno: {why}", hint="`steno store export FILE` writes one")
