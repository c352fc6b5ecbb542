"""What is derived may be missing, half made, stale or of another model: recall answers, says so, and mends."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import apsw
import pytest

from steno.memory import Memory
from steno.pipeline import derived, embed
from steno.pipeline.behind import Behind
from steno.testing import house, said, write_jsonl
from steno.vocabulary import Recallable
from steno.vocabulary.errors import NoEmbedding, StoreError

from ..conftest import PATIENCE, wait_until

House = Callable[..., AbstractContextManager[Memory]]

LINES = [
    said("the automobile stands behind the barn", id="car", session="a"),
    said("bread and butter", id="bread", session="b"),
    said("a physician came by", id="doctor", session="c"),
]
NO_VECTORS = "found by words only: no vectors yet; `steno store embed` makes them"


def found(memory: Memory, question: str) -> list[str | None]:
    return [hit.native_id for hit in memory.recall(question, within="turns")]


def take(memory: Memory, folder: Path, *lines: dict[str, Any]) -> None:
    memory.capture(write_jsonl(folder / "t.jsonl", *(lines or LINES)), source="jsonl")


def best(memory: Memory, question: str) -> str | None:
    return next(iter(found(memory, question)), None)


@pytest.fixture(autouse=True)
def nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens behind happens here when it is asked for."""
    monkeypatch.setattr("steno.pipeline.behind._QUIET", 3600)


def test_vectors_find_what_shares_no_word_with_the_question(tmp_path: Path, quick_house: House) -> None:
    with quick_house() as memory:
        take(memory, tmp_path)
        assert memory.embed() == 3
        assert best(memory, "vehicle") == "car"
        assert best(memory, "doctor") == "doctor"
        assert memory.recallable() == Recallable(vectors=3, waiting=0, model="quick", note="")


def test_without_vectors_words_answer_and_the_note_says_so(tmp_path: Path, quick_house: House) -> None:
    with quick_house() as memory:
        assert memory.recallable() == Recallable(vectors=0, waiting=0, model=None, note="")
        take(memory, tmp_path)
        assert found(memory, "bread") == ["bread"]
        assert found(memory, "vehicle") == []
        assert memory.recallable() == Recallable(vectors=0, waiting=0, model=None, note=NO_VECTORS)


def test_embedding_switched_off_is_nothing_to_complain_about(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        take(memory, tmp_path)
        assert memory.embed() == 0
        assert found(memory, "bread") == ["bread"]
        assert memory.recallable() == Recallable(vectors=0, waiting=0, model=None, note="")
        assert memory.rebuild_vectors() == 0
        assert found(memory, "bread") == ["bread"]
    assert not list((tmp_path / "steno").rglob("*.onnx"))


def test_embedding_switched_on_again_makes_vectors(tmp_path: Path, quick_house: House) -> None:
    with quick_house() as memory:
        take(memory, tmp_path)
        memory.embed()
    with house(tmp_path) as memory:
        memory.rebuild_vectors()
        assert memory.recallable().vectors == 0
    with quick_house() as memory:
        assert memory.recallable().note == NO_VECTORS
        assert memory.embed() == 3
        assert best(memory, "vehicle") == "car"


def test_half_of_the_vectors_help_and_the_note_counts_the_rest(
    tmp_path: Path, quick_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "_PORTION", 2)
    with quick_house() as memory:
        take(memory, tmp_path)
        portions: list[int] = []
        memory.derived.embed(portions.append, stop=lambda: len(portions) == 1)
        note = "about 1 turns wait for their vectors; `steno store embed` makes them"
        assert memory.recallable() == Recallable(vectors=2, waiting=1, model="quick", note=note)
        assert best(memory, "doctor") == "doctor"
        assert "car" not in found(memory, "vehicle")[:1]
        assert found(memory, "barn")[0] == "car"


def test_embedding_goes_on_where_it_stopped_newest_first(
    tmp_path: Path, quick_house: House, quick_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "_PORTION", 2)
    lines = [said(f"turn{number}", session=f"s{number}") for number in range(1, 8)]
    with quick_house() as memory:
        take(memory, tmp_path, *lines)
        portions: list[int] = []
        memory.derived.embed(portions.append, stop=lambda: len(portions) == 2)
    with quick_house() as memory:
        take(memory, tmp_path, said("turn8", session="s8"))
        assert memory.embed() == 4
    assert quick_model.asked == [["turn7", "turn6"], ["turn5", "turn4"], ["turn8"], ["turn3", "turn2"], ["turn1"]]


def test_embedding_again_makes_nothing_twice(tmp_path: Path, quick_house: House, quick_model: Any) -> None:
    with quick_house() as memory:
        take(memory, tmp_path)
        memory.remember("we keep SQLite", category="decision")
        assert (memory.embed(), memory.embed()) == (4, 0)
    assert sum(map(len, quick_model.asked)) == 4


def test_vectors_of_another_model_are_not_compared_until_they_are_made_anew(
    tmp_path: Path, quick_house: House, quick_model: Any
) -> None:
    with quick_house() as memory:
        take(memory, tmp_path)
        memory.embed()
    quick_model.name, quick_model.dimensions = "wider", 96
    with quick_house() as memory:
        assert found(memory, "bread") == ["bread"]
        assert found(memory, "vehicle") == []
        note = "found by words only: the vectors are of quick, the setting says wider; "
        assert memory.recallable().note == note + "`steno store rebuild --vectors` makes new ones"
        assert memory.embed() == 0
        assert memory.rebuild_vectors() == 3
        assert best(memory, "vehicle") == "car"
        assert memory.recallable() == Recallable(vectors=3, waiting=0, model="wider", note="")


def test_a_memory_notices_that_another_one_made_the_vectors_anew(
    tmp_path: Path, quick_house: House, quick_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with quick_house() as one:
        take(one, tmp_path)
        one.embed()
        assert best(one, "vehicle") == "car"
        wider = type(quick_model)("wider", 96)
        monkeypatch.setattr(derived, "load", lambda *_: wider)
        with quick_house() as other:
            other.rebuild_vectors()
            assert found(one, "vehicle") == []
            assert best(other, "vehicle") == "car"
            take(one, tmp_path, said("tired", id="4", session="d"))
            assert (one.embed(), other.embed()) == (0, 1)


def test_two_memories_that_embed_at_once_make_every_vector_once(
    tmp_path: Path, quick_house: House, quick_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "_PORTION", 3)
    with quick_house() as one, quick_house() as other:
        take(one, tmp_path, *(said(f"car {number}", id=f"{number}") for number in range(40)))
        one.embed(seconds=0)
        threads = [threading.Thread(target=memory.embed) for memory in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        asked = [text for texts in quick_model.asked for text in texts]
        assert len(asked) == len(set(asked)) == 79
        for memory in (one, other):
            assert memory.recallable() == Recallable(vectors=40, waiting=0, model="quick", note="")
            assert len(memory.recall("vehicle", k=40, within="turns")) > 0
        assert all(check.ok for check in one.doctor())


def test_who_begins_when_another_has_begun_drops_nothing(tmp_path: Path, quick_house: House, quick_model: Any) -> None:
    with quick_house() as one, quick_house() as other:
        take(one, tmp_path, said("car"))
        one.embed()
        # It had looked before the other one began.
        other.home.store.vectors.begin(quick_model.name, anew=False)
        assert one.recallable() == Recallable(vectors=1, waiting=0, model="quick", note="")


def test_closing_while_embedding_waits_for_the_bit_at_hand_only(
    tmp_path: Path, quick_house: House, quick_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "_PORTION", 1)
    monkeypatch.setattr("steno.pipeline.behind._QUIET", 0)
    begun, go_on, embed_really = threading.Event(), threading.Event(), quick_model.embed

    def slow(texts: Any) -> Any:
        begun.set()
        go_on.wait(PATIENCE)
        return embed_really(texts)

    monkeypatch.setattr(quick_model, "embed", slow)
    with quick_house() as memory:
        take(memory, tmp_path)
        assert begun.wait(PATIENCE)
        closing = threading.Thread(target=memory._behind.close)
        closing.start()
        memory._behind._stop.wait(PATIENCE)
        go_on.set()
        closing.join(PATIENCE)
        assert not closing.is_alive()
        assert (memory.recallable().vectors, len(quick_model.asked)) == (1, 1)
        assert memory.embed() == 2


def test_closing_at_the_moment_the_thread_behind_begins_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steno.pipeline.behind._QUIET", 0)
    with house(tmp_path) as memory:
        behind = Behind(memory.uses, memory.derived)
    closing, clear = threading.Thread(target=behind.close, daemon=True), behind._wake.clear

    def closed_meanwhile() -> None:
        """Somebody closes it after it saw that it may go on, and before it goes on."""
        closing.start()
        behind._stop.wait(PATIENCE)
        wait_until(behind._wake.is_set)
        clear()

    monkeypatch.setattr(behind._wake, "clear", closed_meanwhile)
    behind.nudge()
    wait_until(lambda: closing.ident)
    closing.join(PATIENCE)
    assert not closing.is_alive()


def test_what_is_captured_is_embedded_behind(
    tmp_path: Path, quick_house: House, quick_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steno.pipeline.behind._QUIET", 0)
    done = threading.Event()
    with quick_house() as memory:
        lay_out = memory.derived.embed

        def told(*arguments: Any, **options: Any) -> int:
            count = lay_out(*arguments, **options)
            done.set()
            return count

        monkeypatch.setattr(memory.derived, "embed", told)
        take(memory, tmp_path)
        assert done.wait(PATIENCE)
        assert best(memory, "vehicle") == "car"


def test_a_model_that_cannot_be_had_leaves_words_and_a_note(
    tmp_path: Path, quick_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with quick_house() as memory:
        take(memory, tmp_path)
        memory.embed()

    def refuse(*_: Any) -> None:
        raise NoEmbedding("the model is on holiday", hint="wait")

    monkeypatch.setattr(derived, "load", refuse)
    with quick_house() as memory:
        assert found(memory, "bread") == ["bread"]
        assert memory.recallable().note == "found by words only: the model is on holiday; wait"
        with pytest.raises(NoEmbedding):
            memory.embed()


def test_a_model_that_fails_at_the_question_leaves_words(
    tmp_path: Path, quick_house: House, quick_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Any) -> None:
        raise NoEmbedding("the server is down", hint="wait")

    with quick_house() as memory:
        take(memory, tmp_path)
        memory.embed()
        monkeypatch.setattr(quick_model, "embed", fail)
        assert found(memory, "bread") == ["bread"]


def test_an_entry_that_was_revised_is_found_by_its_new_meaning(tmp_path: Path, quick_house: House) -> None:
    with quick_house() as memory:
        entry = memory.remember("automobile", category="fact")
        memory.embed()
        assert "meaning: " in memory.recall("vehicle", within="entries")[0].reason
        memory.revise(entry.id, summary="physician")
        memory.embed()
        assert "meaning: " in memory.recall("doctor", within="entries")[0].reason


def test_an_unknown_model_leaves_words_and_captures(tmp_path: Path) -> None:
    with house(tmp_path, embedding="nonsense") as memory:
        take(memory, tmp_path)
        assert found(memory, "bread") == ["bread"]
        assert memory.recallable().note == NO_VECTORS


def test_vectors_that_were_lost_are_made_by_a_rebuild(tmp_path: Path, quick_house: House) -> None:
    with quick_house() as memory:
        take(memory, tmp_path)
        memory.embed()
    with apsw.Connection(str(tmp_path / "steno" / "steno.db")) as connection:
        connection.execute("DELETE FROM vectors; UPDATE meta SET value = 7 WHERE name LIKE 'vectors_low'")
    with quick_house() as memory:
        assert found(memory, "bread") == ["bread"]
        assert memory.rebuild_vectors() == 3
        assert best(memory, "vehicle") == "car"


@pytest.mark.parametrize("harm", ["removed", "a file", "emptied"])
def test_without_its_folder_recall_answers(tmp_path: Path, quick_house: House, harm: str) -> None:
    import shutil

    folder = tmp_path / "steno" / "derived"
    with quick_house() as memory:
        take(memory, tmp_path)
        memory.embed()
        for place in folder.iterdir():
            shutil.rmtree(place)
        if harm == "a file":
            folder.rmdir()
            folder.write_text("this is no folder")
        elif harm == "removed":
            folder.rmdir()
        assert best(memory, "bread") == "bread"
        assert best(memory, "vehicle") == "car"


def test_a_disk_that_is_full_does_not_keep_recall_from_answering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise StoreError("no room", hint="free some")

    monkeypatch.setattr(derived, "index_words", full)
    with house(tmp_path) as memory:
        take(memory, tmp_path)
        assert found(memory, "bread") == ["bread"]


def test_an_index_that_is_told_to_stop_goes_on_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steno.pipeline.index._PORTION", 2)
    with house(tmp_path) as memory:
        take(memory, tmp_path)
        assert memory.derived.index(stop=lambda: True) == 2
        assert memory.derived.words.mark(0) == 2
        assert sorted(found(memory, "bread physician"), key=str) == ["bread", "doctor"]
        assert memory.derived.index() == 1
        assert memory.derived.words.mark(0) == 3


# -- forgetting ------------------------------------------------------------------------------------------------------

CANARY = "zanzibarcanary"


def files_with(home: Path, text: str) -> list[str]:
    """Files that hold the text, however it is cased. Only after the store is closed."""
    return [str(file) for file in home.rglob("*") if file.is_file() and text.encode() in file.read_bytes().lower()]


def segments(home: Path) -> set[str]:
    """Files of the index of words. It keeps words in a form that a search for bytes cannot see."""
    return {file.name for file in (home / "derived" / "words").rglob("*.term")}


def prepare(memory: Memory, folder: Path) -> None:
    lines = [
        said(f"we always take the {CANARY} road to work", id="1"),
        said("why that one?", role="assistant", id="2"),
        said("because it is short", id="3"),
    ]
    take(memory, folder, *lines)
    memory.scribe()
    memory.embed()


def test_what_was_forgotten_is_in_no_file_and_is_not_recalled(tmp_path: Path, quick_house: House) -> None:
    with quick_house() as memory:
        prepare(memory, tmp_path)
        assert found(memory, CANARY)[0] == "1"
        assert memory.recallable().vectors == 3
    assert len(files_with(tmp_path / "steno", CANARY)) == 1
    before = segments(tmp_path / "steno")
    with quick_house() as memory:
        assert memory.forget(text=CANARY).turns == 1
        assert [hit.text for hit in memory.recall(CANARY) if CANARY in hit.text] == []
        assert memory.recallable().vectors == 2
        assert "1" not in found(memory, "which road to work")
        memory.embed()
        assert sorted(found(memory, "short"), key=str) == ["2", "3"]
    assert files_with(tmp_path / "steno", CANARY) == []
    assert before
    assert not before & segments(tmp_path / "steno")
    with apsw.Connection(str(tmp_path / "steno" / "steno.db")) as connection:
        assert [row[0] for row in connection.execute("SELECT turn_id FROM vectors ORDER BY turn_id")] == [2, 3]


def test_what_is_redacted_later_is_in_no_file_and_is_embedded_anew(
    tmp_path: Path, quick_house: House, quick_model: Any
) -> None:
    with quick_house() as memory:
        prepare(memory, tmp_path)
    assert len(files_with(tmp_path / "steno", CANARY)) == 1
    before = segments(tmp_path / "steno")
    quick_model.asked.clear()
    (tmp_path / "steno" / "settings.toml").write_text('redact_patterns = ["zanzibar[a-z]+"]\n')
    with quick_house() as memory:
        assert sum(memory.redact().values()) >= 1
        assert memory.recallable().vectors == 2
        memory.embed()
        assert memory.recallable() == Recallable(vectors=3, waiting=0, model="quick", note="")
        assert not any(CANARY in text for texts in quick_model.asked for text in texts)
        assert "1" in found(memory, "which road to work")
        assert [hit.text for hit in memory.recall(CANARY) if CANARY in hit.text] == []
    (tmp_path / "steno" / "settings.toml").unlink()
    assert files_with(tmp_path / "steno", CANARY) == []
    assert before
    assert not before & segments(tmp_path / "steno")


def test_files_laid_out_while_something_was_forgotten_are_not_kept(
    tmp_path: Path, quick_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steno.recall import vectors

    monkeypatch.setattr(vectors, "_LAY_OUT", 1)
    with quick_house() as memory:
        take(memory, tmp_path)
        memory.embed()
        folder = tmp_path / "steno" / "derived" / "vectors"
        assert (folder / "mark.json").is_file()
        take(memory, tmp_path, *(said(f"car {number}", session=f"x{number}") for number in range(9)))
        write = vectors.VectorIndex._write

        def meanwhile(self: Any, part: Any) -> None:
            memory.forget(turn=1)
            write(self, part)

        monkeypatch.setattr(vectors.VectorIndex, "_write", meanwhile)
        memory.embed()
        assert not folder.exists()
        assert "car" not in found(memory, "vehicle")


def test_the_name_of_a_forgotten_session_is_not_kept_among_what_was_recalled(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        take(memory, tmp_path, said("bread", session=CANARY))
        memory.recall("bread", within="sessions", session=CANARY)
        memory.uses.write()
        memory.forget(session=CANARY)
    assert files_with(tmp_path / "steno", CANARY) == []
