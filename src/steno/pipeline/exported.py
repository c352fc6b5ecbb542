"""The lines of an export: what they may hold, and how a home knows its own again.

The last line carries a signature over all lines before it, made with a key that never leaves the home. A file that was
changed anywhere or cut off is no longer the home's own.
"""

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from hmac import compare_digest
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from steno.vocabulary import Answer, Category, Certainty, EntryStatus, Origin, ReceiptKind, Session, Turn
from steno.vocabulary.briefings import Why
from steno.vocabulary.entries import Tag
from steno.vocabulary.reviews import OF_CONTRADICTION
from steno.vocabulary.works import CLOSED

FORMAT = 3
# A turn of the longest line a host may write, escaped once more.
LONGEST_LINE = 64 << 20
KEY_BYTES = 16
_MAC_BYTES = 16
_TIME = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d{3})?Z")
_TIMES = frozenset({"at", "since", "until", "forgotten_at", "created_at", "repeated_at"})
_LARGEST = (1 << 63) - 1


class Exported(Struct, tag_field="type", tag=lambda name: name.lower().removesuffix("line"), omit_defaults=True):
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
    why: Why | None = None
    because: dict[str, str] | None = None
    tool: str | None = None
    call: str | None = None


class AnsweredLine(Exported):
    """An entry people answered about: a newer scribe may not make it."""

    source: str
    session: str
    id: str
    category: Category
    status: EntryStatus
    certainty: Certainty
    confidence: float
    summary: str
    detail: dict[str, Any]
    origin: Origin
    tags: list[Tag]
    domain: str
    subject: list[str]
    created_at: str | None
    superseded_by: str | None
    repeated: int
    repeated_at: str | None
    cue: str
    work: str | None
    # Keys of turns, and what was said there.
    evidence: list[tuple[bytes, str]]


class EndLine(Exported):
    """The last line: nothing was cut off, and who wrote it all."""

    signed: str = ""


Content = SessionLine | TurnLine | TombstoneLine | RecordLine | AnsweredLine | PauseLine | ExcludedLine | ReceiptLine
Line = HeaderLine | Content | EndLine

_decoder = msgspec.json.Decoder(Line)
_encode = msgspec.json.encode


class Unusable(ValueError):
    """A line that cannot be taken in; the text says why."""


def line_of(raw: bytes) -> Line:
    """A line as a value. Whatever is wrong with it, the answer is Unusable."""
    if len(raw) > LONGEST_LINE:
        raise Unusable(f"longer than {LONGEST_LINE >> 20} MB")
    try:
        line: Line = _decoder.decode(raw)
    except RecursionError:
        raise Unusable("nested too deeply") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise Unusable(str(error)) from None
    _check(line)
    if isinstance(line, TurnLine | TombstoneLine) and len(line.key) != KEY_BYTES:
        raise Unusable(f"a key has {KEY_BYTES} bytes, this one {len(line.key)}")
    if isinstance(line, RecordLine):
        _check_record(line)
    return line


def _check(value: Any) -> None:
    """What a type cannot say: times compare as text, and the store keeps no number beyond 64 bits."""
    for name, field in structs.asdict(value).items():
        if isinstance(field, Struct):
            _check(field)
        elif isinstance(field, str) and name in _TIMES and not _TIME.fullmatch(field):
            raise Unusable(f"`{name}` is no time: {field[:40]!r}")
        elif isinstance(field, int) and abs(field) > _LARGEST:
            raise Unusable(f"`{name}` is too large a number")
        elif isinstance(field, str):
            _check_text(name, field)


def _check_text(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unusable(f"`{name}` holds half a character") from None


class Told(Struct):
    """What a record may say. Anything else would be refused by the store, each time it is applied again."""

    summary: str | None = None
    category: Category | None = None
    # Of an entry, or of a piece of work.
    status: Literal[EntryStatus, "finished", "dropped"] | None = None
    project: str | None = None
    agent: str | None = None
    other: str | None = None
    keep: Answer | None = None
    repeats: str | None = None
    origin: Origin | None = None


# What each kind of record must say.
_NEEDED: dict[str, tuple[str, ...]] = {
    "remember": ("summary", "category"),
    "revise": (),
    "archive": (),
    "review": ("keep",),
    "work": ("status",),
    "share": ("project", "agent"),
    # Whoever folds these passes over what says nothing to them.
    "rule": (),
    "flow": (),
    "outcome": (),
}


def _check_record(line: RecordLine) -> None:
    if line.act not in _NEEDED:
        raise Unusable(f"no record is called {line.act[:40]!r}")
    told = told_by(line.value)
    needed = (*_NEEDED[line.act], *(("other",) if told.keep in OF_CONTRADICTION else ()))
    if missing := [name for name in needed if getattr(told, name) is None]:
        raise Unusable(f"a {line.act} record without {' and '.join(missing)}")
    if told.status is not None and (told.status in CLOSED) != (line.act == "work"):
        raise Unusable(f"a {line.act} record that says {told.status!r}")


def told_by(value: str) -> Told:
    try:
        json.loads(value)
        return msgspec.json.decode(value, type=Told)
    except RecursionError:
        raise Unusable("a record nested too deeply") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise Unusable(f"a record that cannot be read: {error}") from None


def signed(lines: Iterable[Line], key: bytes) -> Iterator[bytes]:
    """The lines as they are written, without newlines, and the last line, which signs them."""
    seal = _seal(key)
    for line in lines:
        raw = _encode(line)
        seal.update(raw + b"\n")
        yield raw
    yield _encode(EndLine(seal.hexdigest()))


def is_signed(lines: Iterable[bytes], key: bytes) -> bool:
    """Whether these are the lines of one export as the home with this key wrote them."""
    seal, last = _seal(key), b""
    for raw in filter(None, map(bytes.strip, lines)):
        if last:
            seal.update(last + b"\n")
        last = raw
    return compare_digest(_encode(EndLine(seal.hexdigest())), last)


def _seal(key: bytes) -> blake2b:
    return blake2b(key=key, person=b"steno export", digest_size=_MAC_BYTES)
