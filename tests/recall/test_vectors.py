"""Vectors: nearest is nearest, however they are kept."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from steno.memory import Memory
from steno.recall import vectors as module
from steno.recall.vectors import UNKNOWN, Near, VectorIndex, compact, cosines, lengths_of
from steno.recall.where import Where, minutes
from steno.store.vectors import VectorRow
from steno.testing import house, said, write_jsonl

SIZE = 384


class Rows:
    """The store's rows, as an index of vectors sees them."""

    def __init__(self) -> None:
        self.rows: list[VectorRow] = []
        # How many were handed out.
        self.read = 0

    def put(self, vectors: NDArray[np.float32], *, session: int = 1, at: str | None = None) -> None:
        """One more turn for each vector."""
        for vector in vectors:
            number = len(self.rows) + 1
            self.rows.append(VectorRow(number, number, session, at, compact(vector[None])))

    def after(self, id_: int, most: int) -> list[VectorRow]:
        some = self.rows[id_ : id_ + most]
        self.read += len(some)
        return some


def random_vectors(count: int, *, seed: int = 1, themes: int = 200) -> NDArray[np.float32]:
    """Unit vectors scattered around themes, as meaning is: texts are about something."""
    dice = np.random.default_rng(seed)
    around = np.random.default_rng(99).standard_normal((themes, SIZE))
    rows = around[dice.integers(0, themes, count)] + 0.8 * dice.standard_normal((count, SIZE))
    return unit(rows.astype(np.float32))


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def rows() -> Rows:
    return Rows()


def index_of(folder: Path, rows: Rows, dimensions: int = SIZE) -> VectorIndex:
    index = VectorIndex(folder / "vectors", rows, dimensions)  # type: ignore[arg-type]
    index.follow(0)
    return index


def test_the_nearest_of_many_are_found(tmp_path: Path, rows: Rows) -> None:
    vectors, queries = random_vectors(20_000), random_vectors(20, seed=2)
    rows.put(vectors)
    index = index_of(tmp_path, rows)
    found = 0
    for query in queries:
        exact = {int(place) + 1 for place in np.argsort(-(vectors @ query))[:10]}
        found += len(exact & set(index.nearest(query, Where(), 10)))
    assert found / (10 * len(queries)) >= 0.99


@pytest.mark.parametrize("dimensions", [100, 384, 1024])
def test_pieces_differ_in_as_many_bits_as_can_be_counted(dimensions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_COMPARED", 64)
    dice = np.random.default_rng(3)
    stored, query = dice.standard_normal((150, dimensions)), dice.standard_normal((1, dimensions))
    stored[7] = -query[0]
    differ = module._differences(module._bits(stored.astype(np.float32)), module._bits(query.astype(np.float32))[:, 0])
    assert differ.tolist() == ((stored > 0) != (query > 0)).sum(axis=1).tolist()
    assert differ[7] == dimensions


def test_all_of_few_are_compared(tmp_path: Path, rows: Rows) -> None:
    vectors, query = random_vectors(500), random_vectors(1, seed=2)[0]
    rows.put(vectors)
    found = index_of(tmp_path, rows).nearest(query, Where(), 500)
    assert len(found) == 500
    assert np.allclose([found[turn] for turn in range(1, 501)], vectors @ query, atol=0.01)


def test_stored_in_eight_bits_they_keep_their_order() -> None:
    vectors, query = random_vectors(2000), random_vectors(1, seed=3)[0]
    numbers = np.frombuffer(compact(vectors), np.int8).reshape(-1, SIZE)
    exact = vectors @ query
    assert np.abs(cosines(numbers, lengths_of(numbers), query) - exact).max() < 0.01
    apart = np.argsort(exact)[::50]
    assert list(np.argsort(cosines(numbers[apart], lengths_of(numbers[apart]), query))) == list(range(len(apart)))


def test_very_many_that_differ_alike_do_not_hide_a_nearer_one(tmp_path: Path, rows: Rows) -> None:
    query = random_vectors(1, seed=5)[0]
    near = query.copy()
    near[:20] *= -1
    rows.put(np.repeat(unit(near[None]), 8000, axis=0))
    rows.put(query[None])
    assert max(index_of(tmp_path, rows).nearest(query, Where(), 10).items(), key=lambda item: item[1])[0] == 8001


def test_a_turn_is_as_near_as_its_nearest_piece(tmp_path: Path, rows: Rows) -> None:
    one, other, query = random_vectors(3, seed=8, themes=3)
    rows.rows = [
        VectorRow(1, 7, 1, None, compact(np.stack([one, query]))),
        VectorRow(2, 5, 1, None, compact(other[None])),
    ]
    index = index_of(tmp_path, rows)
    found = index.near([5, 7, 9], query)
    assert {turn: near.piece for turn, near in found.items()} == pytest.approx(index.nearest(query, Where(), 10))
    assert index.nearest(query, Where(), 10)[7] == pytest.approx(1.0, abs=0.01)
    assert index.nearest(query, Where(), 10)[5] == pytest.approx(float(other @ query), abs=0.01)


def test_sessions_and_times_narrow(tmp_path: Path, rows: Rows) -> None:
    vectors, query = random_vectors(6), random_vectors(1, seed=2)[0]
    rows.put(vectors[:2], session=1, at="2026-01-10T00:00:00.000Z")
    rows.put(vectors[2:4], session=2, at="2026-02-10T00:00:00.000Z")
    rows.put(vectors[4:], session=3)
    index = index_of(tmp_path, rows)
    february, march = minutes("2026-02-01T00:00:00Z"), minutes("2026-03-01T00:00:00Z")
    asked = {
        "session 2": Where([2]),
        "no session": Where([]),
        "before February": Where(None, None, february),
        "in February": Where(None, february, march),
        "in February, session 1": Where([1], february, march),
    }
    assert {name: set(index.nearest(query, where, 10)) for name, where in asked.items()} == {
        "session 2": {3, 4},
        "no session": set(),
        "before February": {1, 2},
        "in February": {3, 4},
        "in February, session 1": set(),
    }


def test_few_in_scope_are_found_among_many_that_are_not(tmp_path: Path, rows: Rows) -> None:
    vectors, query = random_vectors(6000), random_vectors(1, seed=2)[0]
    rows.put(vectors[:-3], session=1)
    rows.put(vectors[-3:], session=2)
    assert set(index_of(tmp_path, rows).nearest(query, Where([2]), 10)) == {5998, 5999, 6000}


@pytest.fixture
def laid_out(tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> VectorIndex:
    """An index whose files were written, though it is small."""
    monkeypatch.setattr(module, "_LAY_OUT", 100)
    rows.put(random_vectors(1000))
    index = index_of(tmp_path, rows)
    index.lay_out()
    assert sorted(file.name for file in (tmp_path / "vectors").iterdir()) == sorted(
        ["at", "bits", "lengths", "mark.json", "numbers", "sessions", "turns"]
    )
    return index


def test_a_few_hundred_vectors_are_mapped_from_files_and_not_read_by_every_process(tmp_path: Path, rows: Rows) -> None:
    rows.put(random_vectors(501))
    index_of(tmp_path, rows).lay_out()
    index_of(tmp_path, rows)
    assert rows.read == 501


def test_a_turn_is_near_as_a_whole_and_by_what_was_said_beside_it(tmp_path: Path, rows: Rows) -> None:
    one, other, query = random_vectors(3, seed=8, themes=3)
    rows.rows = [
        VectorRow(1, 3, 1, None, compact(other[None])),
        VectorRow(2, 5, 1, None, compact(np.stack([one, query]))),
        VectorRow(3, 8, 1, None, compact(one[None])),
        VectorRow(4, 9, 2, None, compact(query[None])),
    ]
    found = index_of(tmp_path, rows).near([3, 5, 8, 9], query)
    both = one + query
    assert found[5].whole == pytest.approx(float(both @ query / np.linalg.norm(both)), abs=0.01)
    assert (found[5].before, found[5].after) == pytest.approx((found[3].piece, found[8].piece))
    # The first and the last of a session have nothing before and after them.
    assert (found[3].before, found[8].after, found[9].before) == pytest.approx((UNKNOWN,) * 3)


QUERY = random_vectors(1, seed=4)[0]


@pytest.mark.parametrize("earlier", [30, 270])
def test_the_nearest_of_a_time_are_found_beside_the_nearest(tmp_path: Path, rows: Rows, earlier: int) -> None:
    rows.put(random_vectors(earlier), at="2026-01-01T10:00:00Z")
    rows.put(random_vectors(300 - earlier, seed=5), at="2026-03-01T10:00:00Z")
    index, later = index_of(tmp_path, rows), Where(since=minutes("2026-02-01T00:00:00Z"))
    alone = index.nearest(QUERY, Where(), 20), index.nearest(QUERY, later, 10)
    assert index.nearest(QUERY, Where(), 20, also=(later, 10)) == alone[0] | alone[1]


def test_what_speaks_of_the_opposite_is_farther_than_what_nobody_knows(tmp_path: Path, rows: Rows) -> None:
    rows.put(np.stack([-QUERY, QUERY, -QUERY]))
    assert index_of(tmp_path, rows).near([2], QUERY)[2] == pytest.approx(Near(1, 1, -1, -1), abs=0.01)


def answers(index: VectorIndex) -> tuple[dict[int, float], dict[int, float], dict[int, Near]]:
    return index.nearest(QUERY, Where(), 50), index.nearest(QUERY, Where([1]), 50), index.near([5, 999, 1005], QUERY)


def test_files_answer_as_memory_does(tmp_path: Path, rows: Rows, laid_out: VectorIndex) -> None:
    in_memory = answers(index_of(tmp_path / "elsewhere", rows))
    assert answers(laid_out) == in_memory
    assert answers(index_of(tmp_path, rows)) == in_memory


def test_what_came_after_the_files_is_found_beside_them(tmp_path: Path, rows: Rows, laid_out: VectorIndex) -> None:
    rows.put(np.stack([QUERY, QUERY]))
    for index in (laid_out, index_of(tmp_path, rows)):
        index.follow(0)
        assert set(index.nearest(QUERY, Where(), 2)) == {1001, 1002}
        index.follow(0)
        assert answers(index) == answers(index_of(tmp_path / "elsewhere", rows))


def test_files_are_written_anew_when_much_has_come(tmp_path: Path, rows: Rows, laid_out: VectorIndex) -> None:
    rows.put(random_vectors(400, seed=12))
    laid_out.follow(0)
    before = (tmp_path / "vectors" / "turns").stat().st_size
    laid_out.lay_out()
    assert (before, (tmp_path / "vectors" / "turns").stat().st_size) == (1000 * 8, 1400 * 8)
    assert answers(laid_out) == answers(index_of(tmp_path / "elsewhere", rows))
    assert [path.name for path in tmp_path.glob("vectors*")] == ["vectors"]


def test_after_an_erasure_the_files_count_for_nothing(tmp_path: Path, rows: Rows, laid_out: VectorIndex) -> None:
    [gone] = laid_out.nearest(QUERY, Where(), 1)
    rows.rows = [row for row in rows.rows if row.turn != gone]
    rows.rows = [row._replace(id=number) for number, row in enumerate(rows.rows, 1)]
    fresh = VectorIndex(tmp_path / "vectors", rows, SIZE)  # type: ignore[arg-type]
    for index in (laid_out, fresh):
        index.follow(1)
        assert gone not in index.nearest(QUERY, Where(), 1000)
        assert index.near([gone], QUERY) == {}


@pytest.mark.parametrize("file", ["at", "bits", "lengths", "mark.json", "numbers", "sessions", "turns"])
@pytest.mark.parametrize("content", [None, b"", b"garbage", b'{"version": 2, "erasures": 0, "row": 1, "pieces": -5}'])
def test_damaged_files_are_left_aside(
    tmp_path: Path, rows: Rows, laid_out: VectorIndex, file: str, content: bytes | None
) -> None:
    whole, path = answers(laid_out), tmp_path / "vectors" / file
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    assert answers(index_of(tmp_path, rows)) == whole


def test_what_cannot_be_written_stays_in_memory(tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LAY_OUT", 10)
    (tmp_path / "vectors.file").write_text("")
    rows.put(random_vectors(50))
    index = VectorIndex(tmp_path / "vectors.file" / "below", rows, SIZE)  # type: ignore[arg-type]
    index.follow(0)
    index.lay_out()
    assert answers(index) == answers(index_of(tmp_path / "elsewhere", rows))


def test_vectors_of_another_length_are_passed_over(tmp_path: Path, rows: Rows) -> None:
    rows.put(random_vectors(3))
    rows.rows.append(VectorRow(4, 4, 1, None, b"\1" * 100))
    rows.rows.append(VectorRow(5, 5, 1, None, b""))
    assert set(index_of(tmp_path, rows).nearest(QUERY, Where(), 10)) == {1, 2, 3}


def test_an_index_without_any_vector_finds_nothing(tmp_path: Path, rows: Rows) -> None:
    index = index_of(tmp_path, rows)
    assert answers(index) == ({}, {}, {})
    rows.rows.append(VectorRow(1, 1, 1, None, b""))
    index.follow(0)
    index.lay_out()
    assert answers(index) == ({}, {}, {})


def test_what_is_made_anew_takes_the_place_of_what_was_there(
    tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LAY_OUT", 10)
    old, new, query = random_vectors(100), random_vectors(40, seed=3), random_vectors(1, seed=2)[0]
    rows.put(old)
    index = index_of(tmp_path, rows)
    index.lay_out()
    for start in range(0, 40, 4):
        # The store has a new row for each of these turns, and the old one no more.
        turns = range(start + 1, start + 5)
        ids = range(100 + start + 1, 100 + start + 5)
        anew = zip(ids, turns, new[start : start + 4], strict=True)
        rows.rows += [VectorRow(id_, turn, 1, None, compact(vector[None])) for id_, turn, vector in anew]
        index.follow(0)
    wanted = dict(enumerate([*(new @ query), *(old[40:] @ query)], 1))
    for _ in range(2):
        near = index.near(list(range(1, 101)), query)
        assert {turn: pytest.approx(one.piece, abs=0.01) for turn, one in near.items()} == wanted
        index.lay_out()
    assert len(index_of(tmp_path, rows)._parts()[0].turns) == 100


# -- through the front desk, with the real model -----------------------------------------------------------------------


def meant(memory: Memory, question: str, **options: object) -> list[str | None]:
    return [hit.native_id for hit in memory.recall(question, within="turns", **options)]  # type: ignore[arg-type]


def test_a_turn_is_found_by_its_meaning_alone(tmp_path: Path, real_house) -> None:  # type: ignore[no-untyped-def]
    lines = [
        said("my daughter was born in the spring of that year", id="child", session="a", project="home", agent="ada"),
        said("the invoice must be paid before Friday", id="bill", session="b", project="work"),
        said("we planted tomatoes behind the garage", id="garden", session="c", at="2026-03-03T10:00:00Z"),
    ]
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        assert memory.embed() == 3
        assert memory.recallable().note == ""
        assert meant(memory, "growing vegetables")[0] == "garden"
        assert meant(memory, "when was their little girl born")[0] == "child"
        assert "meaning: " in memory.recall("growing vegetables", within="turns")[0].reason
        # What is in scope is only noise.
        assert meant(memory, "growing vegetables", project="home") == []
        assert meant(memory, "growing vegetables", agent="ada") == []
        assert meant(memory, "growing vegetables", at="2026-04-01T00:00:00.000Z") == ["garden"]
        assert meant(memory, "growing vegetables", at="2026-03-01T00:00:00.000Z") == []
    with house(tmp_path) as memory:
        assert meant(memory, "growing vegetables") == []
