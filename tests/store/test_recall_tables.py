"""What recall keeps in the store goes with the words it was made from."""

from pathlib import Path

import pytest

from steno.store import Store, open_store
from steno.testing import house, said, write_jsonl

NOW = "2026-01-01T12:00:00.000Z"


@pytest.fixture
def store(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A store with five turns, of which the last three have vectors, and an entry that has some."""
    with house(tmp_path) as memory:
        lines = [said(f"turn {number}", id=str(number)) for number in range(1, 6)]
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.remember("we keep SQLite", category="decision")
    opened = open_store(tmp_path / "steno", busy_seconds=1)
    opened.vectors.begin("model")
    assert [turn for turn, *_ in opened.vectors.wanted(3)] == [5, 4, 3]
    opened.vectors.put([(turn, bytes([turn])) for turn in (5, 4, 3)])
    [(entry, text, before)] = opened.vectors.entries_wanted(10)
    assert (text, before) == ("we keep SQLite", "")
    opened.vectors.put_entries([(entry, b"e")])
    yield opened
    opened.close()


def turns_with(store: Store) -> list[int]:
    return [row.turn for row in store.vectors.after(0, 100)]


def test_vectors_go_with_their_turn(store: Store) -> None:
    store.eraser.forget([4], now=NOW)
    assert turns_with(store) == [5, 3]


def test_vectors_go_when_the_words_of_their_turn_change(store: Store) -> None:
    rewritten = store.searched.turns([4])[4]
    before = store.searched.erasures()
    store.eraser.rewrite([(rewritten, rewritten.turn)], {})
    assert (turns_with(store), store.searched.erasures()) == ([5, 3], before + 1)
    store.vectors.look_again()
    assert [turn for turn, *_ in store.vectors.wanted(10)] == [4, 2, 1]


def test_vectors_of_an_entry_go_when_it_is_revised(store: Store) -> None:
    [(entry, _)] = store.vectors.entries()
    store.entries.revise(entry, {"summary": "we keep PostgreSQL", "category": None, "status": None}, NOW)
    assert (store.vectors.entries(), store.searched.state().entry_vectors) == ([], 0)
    assert store.vectors.entries_wanted(10) == [(entry, "we keep PostgreSQL", "")]


def test_vectors_of_a_turn_that_was_forgotten_meanwhile_are_not_kept(store: Store) -> None:
    assert [turn for turn, *_ in store.vectors.wanted(3)] == [2, 1]
    store.eraser.forget([2], now=NOW)
    store.vectors.put([(2, b"x"), (1, b"y")])
    assert turns_with(store) == [5, 4, 3]
    assert [turn for turn, *_ in store.vectors.wanted(3)] == [1]


def test_a_sketch_leaves_its_place_to_vectors_and_never_takes_theirs(store: Store) -> None:
    assert [turn for turn, *_ in store.vectors.bare(None, 10)] == [2, 1]
    assert [turn for turn, *_ in store.vectors.bare(None, 10, one_in=2)] == [2]
    store.vectors.put_sketches([(3, b"s"), (2, b"s")])
    assert (store.vectors.count(), store.vectors.sketched(), store.vectors.count_bare()) == (3, 1, 1)
    assert store.vectors.missing() == 2
    assert [turn for turn, *_ in store.vectors.wanted(3)] == [2, 1]
    store.vectors.put([(2, b"x"), (1, b"y")])
    rows = [(row.turn, row.pieces) for row in store.vectors.after(0, 100)]
    assert rows == [(5, b"\x05"), (4, b"\x04"), (3, b"\x03"), (2, b"x"), (1, b"y")]
    assert (store.vectors.count(), store.vectors.sketched(), store.vectors.missing()) == (5, 0, 0)


def test_a_sketch_of_words_that_changed_meanwhile_is_not_kept(store: Store) -> None:
    store.vectors.bare(None, 10)
    rewritten = store.searched.turns([2])[2]
    store.eraser.rewrite([(rewritten, rewritten.turn)], {})
    store.vectors.put_sketches([(2, b"s"), (1, b"s")])
    assert (turns_with(store), store.vectors.sketched()) == ([5, 4, 3], 0)


def test_vectors_of_words_that_changed_meanwhile_are_not_kept(store: Store) -> None:
    store.vectors.wanted(3)
    rewritten = store.searched.turns([2])[2]
    store.eraser.rewrite([(rewritten, rewritten.turn)], {})
    store.vectors.put([(2, b"x"), (1, b"y")])
    assert turns_with(store) == [5, 4, 3]


def test_vectors_of_another_model_are_not_kept(store: Store, tmp_path: Path) -> None:
    store.vectors.wanted(3)
    other = open_store(tmp_path / "steno", busy_seconds=1)
    other.vectors.begin("another model")
    other.close()
    store.vectors.put([(2, b"x"), (1, b"y")])
    assert (turns_with(store), store.vectors.model()) == ([], "another model")


def test_a_turn_that_comes_while_the_last_vectors_are_made_is_wanted_next(store: Store, tmp_path: Path) -> None:
    store.vectors.wanted(3)
    store.vectors.put([(2, b"x"), (1, b"y")])
    with house(tmp_path) as memory:
        tool = said("a tool, which gets no vectors", id="6", role="tool")
        memory.capture(write_jsonl(tmp_path / "t.jsonl", tool), source="jsonl")
        assert store.vectors.wanted(3) == []
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("turn 7", id="7")), source="jsonl")
    store.vectors.finished()
    assert store.vectors.waiting() == 1
    assert [turn for turn, *_ in store.vectors.wanted(3)] == [7]


def test_two_who_make_vectors_at_once_leave_none_out(store: Store, tmp_path: Path) -> None:
    other = open_store(tmp_path / "steno", busy_seconds=1)
    assert [turn for turn, *_ in store.vectors.wanted(1)] == [2]
    assert [turn for turn, *_ in other.vectors.wanted(2)] == [2, 1]
    other.vectors.put([(2, b"x"), (1, b"y")])
    store.vectors.put([(2, b"z")])
    assert store.vectors.wanted(5) == []
    assert sorted(turns_with(store)) == [1, 2, 3, 4, 5]
    other.close()


def test_the_first_model_costs_no_index_of_words(tmp_path: Path) -> None:
    store = open_store(tmp_path, busy_seconds=1)
    before = store.searched.erasures()
    store.vectors.begin("model")
    assert store.searched.erasures() == before
    store.vectors.begin("model")
    assert store.searched.erasures() == before + 1
    store.close()


def test_links_gain_weight_and_uses_are_counted(store: Store) -> None:
    first = [
        (NOW, None, "entry", "a", 1, "words"),
        (NOW, "s", "entry", "b", 2, "words"),
        (NOW, None, "turn", "1", None, None),
    ]
    store.searched.put_uses(first, [("a", "b", NOW)])
    again = ("2026-02-01T00:00:00.000Z", None, "entry", "a", 1, "words")
    store.searched.put_uses([again], [("a", "b", NOW), ("b", "c", NOW)])
    recalled = {id_: (of.recalled, of.used_at) for id_, of in store.accesses.of(["a", "b", "c"]).items()}
    assert recalled == {"a": (2, "2026-02-01T00:00:00.000Z"), "b": (1, NOW)}
    assert sorted(store.searched.links(["a", "b", "c"])) == [("a", "b", 2.0), ("b", "c", 1.0)]
    assert store.searched.links(["b", "d"]) == []
