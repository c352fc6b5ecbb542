"""A long history is found by meaning before the model has read it: by sketches, which leave their places to vectors."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.pipeline import embed
from steno.testing import said, write_jsonl
from steno.vocabulary import Recallable

House = Callable[..., AbstractContextManager[Memory]]

TALK = (
    "the invoice must be paid before Friday", "my daughter was born in the spring of that year",
    "we planted tomatoes behind the garage", "the train to Lyon leaves at nine", "our cat hides under the bed",
    "the roof leaks when it rains for days", "she plays the violin in an orchestra", "the bakery closes on Mondays",
    "he broke his arm while skiing", "the exam has three parts", "we repainted the kitchen in yellow",
    "the laptop battery lasts two hours", "grandfather told stories of the war", "the museum is free on Sundays",
    "I lost my keys at the beach", "the recipe calls for four eggs", "they moved to a smaller flat",
    "the meeting was put off until June", "his bicycle was stolen last night", "the lake froze over in January",
)  # fmt: skip


@pytest.fixture(autouse=True)
def twenty_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "MUCH", 5)
    monkeypatch.setattr(embed, "_TAUGHT", 10)
    monkeypatch.setattr(embed, "_SKETCHED_AT_ONCE", 4)


def take(memory: Memory, folder: Path) -> None:
    lines = [said(text, id=f"{number}", session=f"s{number}") for number, text in enumerate(TALK)]
    memory.capture(write_jsonl(folder / "t.jsonl", *lines), source="jsonl")


def meant(memory: Memory, question: str) -> list[str]:
    return [hit.text for hit in memory.recall(question, within="turns")]


def test_a_question_in_other_words_finds_a_turn_before_the_model_has_read_it(tmp_path: Path, real_house: House) -> None:
    told: list[int] = []
    with real_house() as memory:
        take(memory, tmp_path)
        assert memory.sketch(told.append) == sum(told) == 10
        wait = "about 20 turns wait for their vectors (10 are found by sketches until then)"
        note = f"{wait}; `steno store embed` makes them"
        assert memory.recallable() == Recallable(
            vectors=10, waiting=20, sketched=10, model="minilm-l6-v2-int8", note=note
        )
        assert meant(memory, "our kitty is beneath the mattress")[:1] == ["our cat hides under the bed"]
        assert meant(memory, "bike theft")[:1] == ["his bicycle was stolen last night"]


def test_once_the_model_has_read_everything_answers_are_as_if_there_had_been_no_sketch(
    tmp_path: Path, real_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = ("our kitty is beneath the mattress", "bike theft", "her music", "when does it snow")
    with real_house() as memory:
        take(memory, tmp_path)
        memory.sketch(lambda _: None)
        sketched = [memory.recall(question, within="turns") for question in questions]
        assert memory.embed() == 10
        assert memory.recallable() == Recallable(vectors=20, waiting=0, model="minilm-l6-v2-int8", note="")
        answers = [memory.recall(question, within="turns") for question in questions]
        monkeypatch.setattr(embed, "MUCH", 1000)
        memory.rebuild_vectors()
        assert [memory.recall(question, within="turns") for question in questions] == answers != sketched


def test_few_turns_are_not_sketched(tmp_path: Path, real_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "MUCH", 21)
    with real_house() as memory:
        take(memory, tmp_path)
        assert (memory.sketch(lambda _: None), memory.recallable().vectors) == (0, 0)


def test_a_model_whose_words_nobody_sees_is_not_sketched(tmp_path: Path, quick_house: House) -> None:
    with quick_house() as memory:
        take(memory, tmp_path)
        assert (memory.sketch(lambda _: None), memory.recallable().sketched) == (0, 0)


def test_who_is_stopped_in_the_middle_of_sketching_goes_on_there(tmp_path: Path, real_house: House) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with real_house() as memory:
        take(memory, tmp_path)
        with pytest.raises(KeyboardInterrupt):
            memory.sketch(stop)
        assert (memory.recallable().vectors, memory.recallable().sketched) == (10, 4)
    with real_house() as memory:
        # The newest came first; of the six that are left, the model reads some to learn from.
        assert meant(memory, "bike theft")[:1] == ["his bicycle was stolen last night"]
        assert memory.sketch(lambda _: None) == 0
        assert (memory.recallable().vectors, memory.recallable().sketched) == (16, 4)
        assert meant(memory, "our kitty is beneath the mattress")[:1] == ["our cat hides under the bed"]
        assert memory.sketch(lambda _: None) == 0


def test_what_is_forgotten_leaves_no_sketch(tmp_path: Path, real_house: House) -> None:
    with real_house() as memory:
        take(memory, tmp_path)
        memory.sketch(lambda _: None)
        assert meant(memory, "our kitty is beneath the mattress")[:1] == ["our cat hides under the bed"]
        memory.forget(session="s4")
        assert "our cat hides under the bed" not in meant(memory, "our kitty is beneath the mattress")
        assert memory.recallable().sketched + memory.recallable().vectors == 19
