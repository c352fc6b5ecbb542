"""Nearest vectors, exactly enough: one bit per number to find candidates, eight bits per number to rank them.

The store's rows are the truth. Beyond a few hundred they are laid out in files that are mapped, not loaded; what
came since is kept in memory beside them.
"""

import os
import shutil
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from steno.recall.pieces import MOST_PIECES
from steno.recall.where import Where, minutes
from steno.store.vectors import VectorRow, Vectors

_VERSION: Final = 2
# Pieces ranked by their full numbers after the bits have chosen them; 2,000 of 100,000 lose nothing (measured).
_CANDIDATES: Final = 1500
# Bits are compared in blocks that stay in the processor's cache, and files are filled in larger ones.
_COMPARED: Final = 32_768
_BLOCK: Final = 131_072
# So many words of 64 bits can differ in all of them before a count in eight bits is full.
_COUNTED: Final = 3
# So many pieces beside the files are worth a new layout of them, or a fiftieth of what they hold: a process that begins
# reads what is beside them (3,000 pieces take it 13 ms) and maps the rest, and making 500 takes seconds anyway.
_LAY_OUT: Final = 500
_PORTION: Final = 5000
# No more pieces than this are ever held in memory: about 100 MB.
_MOST_RECENT: Final = 200_000
_SAMPLE: Final = 16
# About how near two turns are that have nothing to do with each other.
UNKNOWN: Final = 0.1

Floats = NDArray[np.float32]
Whole = NDArray[np.int8]


class Mark(msgspec.Struct, frozen=True):
    """What the files were made from."""

    version: int
    erasures: int
    # The last row of the store they hold.
    row: int
    pieces: int
    dimensions: int


class Part(NamedTuple):
    """Pieces with the turn, session and minute of each, in the order of their turns."""

    turns: NDArray[np.int64]
    sessions: NDArray[np.int32]
    at: NDArray[np.int32]
    numbers: Whole
    # One row per 64 bits, one column per piece.
    bits: NDArray[np.uint64]
    # How long each is.
    lengths: Floats


class Near(NamedTuple):
    """How near a turn is to a question."""

    # Its nearest piece, and all of its pieces together.
    piece: float
    whole: float
    # What was said just before and after it.
    before: float
    after: float


class Alike(NamedTuple):
    """How near each two of some turns are to each other: as near as their nearest pieces."""

    turns: list[int]
    near: Floats


def compact(vectors: Floats) -> bytes:
    """Vectors as they are stored: eight bits per number, each vector stretched to use them all."""
    highest = np.abs(vectors).max(axis=1, keepdims=True)
    whole: Whole = np.rint(vectors * (127 / np.maximum(highest, 1e-9))).astype(np.int8)
    return whole.tobytes()


def lengths_of(numbers: Whole) -> Floats:
    """How long each stored vector is, and never nothing."""
    wide = numbers.astype(np.float32)
    lengths: Floats = np.maximum(np.sqrt(np.einsum("ij,ij->i", wide, wide)), np.float32(1e-9))
    return lengths


def cosines(numbers: Whole, lengths: Floats, query: Floats) -> Floats:
    """How near each stored vector, so long as it is, is to a query of unit length."""
    near: Floats = (numbers.astype(np.float32) @ query) / lengths
    return near


class VectorIndex:
    """The vectors of turns, open for questions. Follows the store as rows come, and begins again after an erasure.

    Questions may be asked from one thread while another one follows or lays out.
    """

    def __init__(self, folder: Path, store: Vectors, dimensions: int) -> None:
        self._folder = folder
        self._store = store
        self._dimensions = dimensions
        self._changing = threading.RLock()
        self._erasures = -1
        self._laid_out: Part | None = None
        self._recent: list[Part] = []
        self._row = 0

    def follow(self, erasures: int) -> None:
        """Take in what the store has got since."""
        with self._changing:
            if erasures != self._erasures:
                self._laid_out, self._row = self._map(erasures) or (None, 0)
                self._erasures, self._recent = erasures, []
            while rows := self._store.after(self._row, _PORTION):
                self._row = rows[-1].id
                self._recent = [*self._recent, part_of(rows, self._dimensions)]
                if self._count_recent() > _MOST_RECENT:
                    self._lay_out()
                if len(rows) < _PORTION:
                    break
            if len(self._recent) > 8:
                self._recent = [join(self._recent)]

    def lay_out(self) -> None:
        """Write the files anew if much has come since they were written."""
        with self._changing:
            held = 0 if self._laid_out is None else len(self._laid_out.turns)
            if self._count_recent() > max(_LAY_OUT, held // 50):
                self._lay_out()

    def drop(self) -> None:
        """Remove the files; the next `follow` begins again."""
        with self._changing:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._erasures, self._laid_out, self._recent = -1, None, []

    def nearest(
        self, query: Floats, where: Where, most: int, *, also: tuple[Where, int] | None = None
    ) -> dict[int, float]:
        """The turns with the nearest pieces, and how near; also the nearest so many of a time."""
        compared = [_Compared(part, query) for part in self._parts()]
        found = _nearest(compared, query, where, most)
        # If enough of them are of that time, the nearest of that time are among them.
        if also is not None and sum(also[0].holds(at) for _, at in found.values()) < also[1]:
            found |= _nearest(compared, query, *also)
        return {turn: near for turn, (near, _) in found.items()}

    def near(self, turns: list[int], query: Floats) -> dict[int, Near]:
        """How near some turns are, if they have vectors."""
        wanted = np.array(sorted(turns), np.int64)
        return {turn: near for part in self._parts() for turn, near in _nearness(part, wanted, query)}

    def alike(self, turns: list[int]) -> Alike:
        """How near those of some turns that have vectors are to each other."""
        wanted = np.array(sorted(turns), np.int64)
        found = [one for one in (_units_of(part, wanted) for part in self._parts()) if len(one[0])]
        if not found:
            return Alike([], np.zeros((0, 0), np.float32))
        there, counts = (np.concatenate([one[field] for one in found]) for field in (0, 1))
        units, starts = np.concatenate([one[2] for one in found]), np.cumsum(counts) - counts
        near = np.maximum.reduceat(np.maximum.reduceat(units @ units.T, starts, axis=0), starts, axis=1)
        return Alike(there.tolist(), near)

    def _parts(self) -> list[Part]:
        laid_out, recent = self._laid_out, self._recent
        return [*([] if laid_out is None else [laid_out]), *recent]

    def _map(self, erasures: int) -> tuple[Part, int] | None:
        """The files and the last row they hold, if they were made from what the store holds now."""
        try:
            mark = msgspec.json.decode((self._folder / "mark.json").read_bytes(), type=Mark)
            if (mark.version, mark.erasures, mark.dimensions) != (_VERSION, erasures, self._dimensions):
                return None
            return Part(*(_mapped(self._folder / name, like) for name, like in _layout(mark).items())), mark.row
        except (OSError, ValueError, OverflowError, msgspec.MsgspecError):
            return None

    def _count_recent(self) -> int:
        return sum(len(part.turns) for part in self._recent)

    def _lay_out(self) -> None:
        """What cannot be written stays in memory."""
        try:
            self._write(still(self._parts()))
        except OSError:
            return
        if laid_out := self._map(self._erasures):
            self._laid_out, self._recent = laid_out[0], []

    def _write(self, parts: list[tuple[Part, NDArray[np.int64]]]) -> None:
        """A folder beside it first, then in its place: a reader of the old one keeps what it has mapped."""
        fresh = self._folder.with_name(f"{self._folder.name}.{os.getpid()}")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True, mode=0o700)
        turns = np.concatenate([part.turns[rows] for part, rows in parts])
        places = np.empty(len(turns), np.int64)
        places[np.argsort(turns, kind="stable")] = np.arange(len(turns))
        mark = Mark(_VERSION, self._erasures, self._row, len(turns), self._dimensions)
        for field, (name, (kind, shape)) in enumerate(_layout(mark).items()):
            whole = np.memmap(fresh / name, kind, "w+", shape=shape)
            held = [(part[field].T if name == "bits" else part[field], rows) for part, rows in parts]
            _fill(whole.T if name == "bits" else whole, held, places)
            whole.flush()
        (fresh / "mark.json").write_bytes(msgspec.json.encode(mark))
        shutil.rmtree(self._folder, ignore_errors=True)
        os.replace(fresh, self._folder)


def _fill(
    whole: NDArray[Any], parts: Iterable[tuple[NDArray[Any], NDArray[np.int64]]], places: NDArray[np.int64]
) -> None:
    """Rows of parts to their places, block by block: memory stays small however many there are."""
    start = 0
    for part, rows in parts:
        for first in range(0, len(rows), _BLOCK):
            some = part[rows[first : first + _BLOCK]]
            whole[places[start : start + len(some)]] = some
            start += len(some)


def part_of(rows: list[VectorRow], dimensions: int) -> Part:
    """Rows of the store as arrays."""
    # Whatever has another length is of another model and says nothing to this one.
    rows = sorted((row for row in rows if len(row.pieces) % dimensions == 0), key=lambda row: row.turn)
    counts = [len(row.pieces) // dimensions for row in rows]
    numbers = np.frombuffer(b"".join(row.pieces for row in rows), np.int8).reshape(-1, dimensions)
    return Part(
        np.repeat(np.array([row.turn for row in rows], np.int64), counts),
        np.repeat(np.array([row.session_id for row in rows], np.int32), counts),
        np.repeat(np.array([minutes(row.at) for row in rows], np.int32), counts),
        numbers,
        _bits(numbers),
        lengths_of(numbers),
    )


def join(parts: list[Part]) -> Part:
    """One part of several, in the order of turns."""
    held = still(parts)
    order = np.argsort(np.concatenate([part.turns[rows] for part, rows in held]), kind="stable")
    bits = Part._fields.index("bits")
    return Part(
        *(
            np.concatenate([part.bits[:, rows] for part, rows in held], axis=1)[:, order]
            if field == bits
            else np.concatenate([part[field][rows] for part, rows in held])[order]
            for field in range(len(Part._fields))
        )
    )


def still(parts: list[Part]) -> list[tuple[Part, NDArray[np.int64]]]:
    """Each part with those of its rows that no later part has anew: sketches leave their places."""
    found: list[tuple[Part, NDArray[np.int64]]] = []
    for place, part in enumerate(parts):
        anew = [np.isin(part.turns, later.turns) for later in parts[place + 1 :]]
        found.append((part, np.flatnonzero(~np.any(anew, axis=0)) if anew else np.arange(len(part.turns))))
    return found


def _bits(numbers: Whole | Floats) -> NDArray[np.uint64]:
    packed = np.packbits(numbers > 0, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)


class _Compared:
    """Pieces held against a question. In how many bits all of them differ from it is found out once."""

    def __init__(self, part: Part, query: Floats) -> None:
        self.part = part
        self._bits = _bits(query[None])[:, 0]
        self._differ: NDArray[np.uint16] | None = None

    def likeliest(self, where: Where) -> NDArray[np.int64]:
        """Rows in scope whose bits differ least from the question's."""
        inside = _inside(self.part, where)
        if inside is None:
            self._differ = _differences(self.part.bits, self._bits)
            return _least(self._differ)
        rows = np.flatnonzero(inside)
        if self._differ is not None:
            return rows[_least(self._differ[rows])]
        if not len(rows):
            return rows
        # What was said at one time stands together. To pick columns costs more than to compare them, unless they are
        # few.
        start, end = rows[0], rows[-1] + 1
        few = 4 * len(rows) < end - start
        differ = _differences(self.part.bits[:, rows if few else slice(start, end)], self._bits)
        return rows[_least(differ if few else differ[rows - start])]


def _nearest(compared: list[_Compared], query: Floats, where: Where, most: int) -> dict[int, tuple[float, int]]:
    """The turns with the nearest pieces: how near, and their minute."""
    rows = [one.likeliest(where) for one in compared]
    near = [
        cosines(one.part.numbers[some], one.part.lengths[some], query) for one, some in zip(compared, rows, strict=True)
    ]
    if not near:
        return {}
    values = np.concatenate(near)
    # No turn has more pieces than this.
    order = np.argsort(-values)[: MOST_PIECES * most]
    turns, at = (
        np.concatenate([one.part[field][some] for one, some in zip(compared, rows, strict=True)])[order].tolist()
        for field in (Part._fields.index("turns"), Part._fields.index("at"))
    )
    found: dict[int, tuple[float, int]] = {}
    for turn, value, minute in zip(turns, values[order].tolist(), at, strict=True):
        found.setdefault(turn, (value, minute))
        if len(found) == most:
            break
    return found


def _inside(part: Part, where: Where) -> NDArray[np.bool_] | None:
    """Which pieces are in scope. None: all of them."""
    timed = where.since is not None or where.until is not None
    if where.sessions is None and not timed:
        return None
    inside = np.ones(len(part.turns), bool) if where.sessions is None else np.isin(part.sessions, where.sessions)
    if timed:
        inside &= part.at >= (where.since or 1)
        inside &= part.at < (where.until or np.iinfo(np.int32).max)
    return inside


def _least(differ: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Where the smallest differences stand."""
    if len(differ) <= _CANDIDATES:
        return np.arange(len(differ))
    # A sixteenth tells about where the limit is; a margin makes it safe, and then only few are left to rank.
    sample, place = differ[::_SAMPLE], 4 * _CANDIDATES // _SAMPLE
    about = np.partition(sample, place)[place] if place < len(sample) else differ.max()
    chosen = np.flatnonzero(differ <= about)
    if len(chosen) < _CANDIDATES:
        return np.argpartition(differ, _CANDIDATES)[:_CANDIDATES]
    return chosen[np.argpartition(differ[chosen], _CANDIDATES - 1)[:_CANDIDATES]]


def _differences(bits: NDArray[np.uint64], query: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """In how many bits each column differs from the query."""
    count = bits.shape[1]
    result = np.zeros(count, np.uint16)
    mixed, ones, some = (np.empty(min(count, _COMPARED), kind) for kind in (np.uint64, np.uint8, np.uint8))
    for start in range(0, count, _COMPARED):
        block = result[start : start + _COMPARED]
        x, c, counted = mixed[: len(block)], ones[: len(block)], some[: len(block)]
        # To add up in eight bits is quicker.
        for first in range(0, len(bits), _COUNTED):
            counted[:] = 0
            for row, word in zip(bits[first : first + _COUNTED], query[first : first + _COUNTED], strict=True):
                np.bitwise_xor(row[start : start + _COMPARED], word, out=x)
                np.bitwise_count(x, out=c)
                np.add(counted, c, out=counted)
            np.add(block, counted, out=block)
    return result


def _units_of(part: Part, wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Of some turns those that have pieces here, how many each has, and all of these at unit length."""
    first, last = (np.searchsorted(part.turns, wanted, side) for side in ("left", "right"))
    there = last > first
    counts = (last - first)[there]
    return wanted[there], counts, _units(part, first[there], counts)


def _units(part: Part, first: NDArray[np.intp], counts: NDArray[np.intp]) -> Floats:
    """So many pieces from each of some places on, at unit length."""
    rows = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    wide: Floats = part.numbers[rows].astype(np.float32)
    wide /= part.lengths[rows, None]
    return wide


def _nearness(part: Part, wanted: NDArray[np.int64], query: Floats) -> Iterator[tuple[int, Near]]:
    """Each turn with those beside it: what was said before and after it in its session stands beside it here, too."""
    first, last = (np.searchsorted(part.turns, wanted, side) for side in ("left", "right"))
    there = last > first
    wanted, first, last = wanted[there], first[there], last[there]
    if not len(wanted):
        return
    start = _end_beside(part, first, first - 1, "left", first)
    end = _end_beside(part, first, last, "right", last)
    counts = end - start
    places = np.cumsum(counts) - counts
    own, units = places + first - start, _units(part, start, counts)
    # Each with those beside it stands together here: before it, its own, after it.
    parts = np.column_stack((places, own, own + last - first))
    pieces = np.maximum.reduceat(np.append(units @ query, np.float32(-1)), parts.ravel()).reshape(-1, 3)
    pieces[start == first, 0] = pieces[end == last, 2] = UNKNOWN
    whole = _sums(units, own, last - first)
    whole_near = (whole @ query) / np.maximum(np.sqrt(np.einsum("ij,ij->i", whole, whole)), 1e-9)
    for turn, near, (before, piece, after) in zip(wanted.tolist(), whole_near.tolist(), pieces.tolist(), strict=True):
        yield turn, Near(piece, near, before, after)


def _sums(units: Floats, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> Floats:
    """The pieces of each turn together. They are few: adding up the first of all, then the second, is quick."""
    whole: Floats = units[starts]
    for place in range(1, int(counts.max())):
        more = counts > place
        whole[more] += units[starts[more] + place]
    return whole


def _end_beside(
    part: Part, first: NDArray[np.intp], place: NDArray[np.intp], side: Literal["left", "right"], none: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Where the turns at some places begin or end, if they are of the sessions of those they stand beside."""
    there = np.clip(place, 0, len(part.turns) - 1)
    same = (there == place) & (part.sessions[there] == part.sessions[first])
    return np.where(same, np.searchsorted(part.turns, part.turns[there], side), none)


def _layout(mark: Mark) -> dict[str, tuple[type, tuple[int, ...]]]:
    words = -(-mark.dimensions // 64)
    return {
        "turns": (np.int64, (mark.pieces,)),
        "sessions": (np.int32, (mark.pieces,)),
        "at": (np.int32, (mark.pieces,)),
        "numbers": (np.int8, (mark.pieces, mark.dimensions)),
        "bits": (np.uint64, (words, mark.pieces)),
        "lengths": (np.float32, (mark.pieces,)),
    }


def _mapped(file: Path, like: tuple[type, tuple[int, ...]]) -> NDArray[Any]:
    kind, shape = like
    mapped: NDArray[Any] = np.asarray(np.memmap(file, kind, "r", shape=shape))
    return mapped
