"""No question breaks recall, with or without vectors."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import house, said, write_jsonl

CORPORA = Path(os.environ.get("STENO_CORPORA") or Path(__file__).parents[3] / "shared" / "data" / "corpora")
House = Callable[..., AbstractContextManager[Memory]]

LINES = [
    said("customers are charged twice", id="1", at="2026-02-01T10:00:00Z"),
    said("I'll add a key", role="assistant", id="2", at="0001-01-01T00:00:00Z"),
    said("\u202e\u0000 text: NEAR( AND \ufffd 🙂", role="tool", id="3", at="9999-12-31T23:59:59Z"),
    said("   ", id="4"),
    said("日本語のテキスト", id="5", session="x"),
]

QUESTIONS = {
    "empty": "",
    "spaces": "  \t\n",
    "signs": "?!…«»",
    "a quote": '"',
    "quotes": '"charged" "" """',
    "operators": "AND OR NOT NEAR( charged* text: ^charged {text} : -charged (a OR",
    "an operator alone": "AND",
    "a star": "*",
    "sql": "'; DROP TABLE turns; --",
    "nul": "\0charged\0",
    "half a character": "\ud800",
    "half characters among words": "charged \ud800\udfff customers \udc00",
    "emoji": "🙂🏳️‍🌈👩‍👩‍👧‍👦",
    "only common words": "what did we do with it",
    "Arabic": "هل تم تحصيل الرسوم مرتين",
    "Japanese": "テキスト",
    "Thai": "ภาษาไทย",
    "old signs": "𒀀𒁀 ᚠᚢᚦ",
    "combining": "z͑ͫ̓a̴l̵g̶o̷ e\u0301" + "\u0301" * 500,
    "a very long word": "x" * 100_000,
    "a megabyte": "customers charged " * 60_000,
    "a megabyte of different words": " ".join(f"word{number}" for number in range(100_000)),
    "a megabyte of signs": "(" * 1_000_000,
    "many numbers": "9" * 5000 + " days ago in " + "1" * 400,
    "times": "yesterday last week in March 2026 on 31.02.2026 in 0000 99999-99-99 since between and",
    "right to left": "\u202echarged\u202c",
    "a regular expression": "(a+)+$ [[:alpha:]] \\w+",
}


def ask_everything(memory: Memory) -> None:
    for question in QUESTIONS.values():
        for within in ("all", "turns", "entries", "sessions"):
            hits = memory.recall(question, within=within, budget_tokens=200)  # type: ignore[arg-type]
            assert isinstance(hits, list)
    assert memory.recall("customers charged", within="turns")[0].native_id == "1"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *LINES), source="jsonl")
        memory.remember("customers are charged once", category="rule")
        yield memory


def test_any_question_is_answered_by_the_index_of_words(memory: Memory) -> None:
    memory.embed()
    ask_everything(memory)


def test_any_question_is_answered_by_the_stores_own_index(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory._behind.close()  # it would make the index that shall be missing
    monkeypatch.setattr(memory.derived, "index", lambda: 0)
    memory.derived.words.drop()
    ask_everything(memory)


def test_any_question_is_answered_by_meaning(tmp_path: Path, real_house: House) -> None:
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *LINES), source="jsonl")
        memory.remember("customers are charged once", category="rule")
        memory.embed()
        assert memory.recallable().note == ""
        ask_everything(memory)


def test_a_question_to_an_empty_memory_finds_nothing(tmp_path: Path, quick_house: House) -> None:
    with house(tmp_path / "off") as memory:
        assert memory.recall("anything") == []
    with quick_house() as memory:
        assert memory.recall("anything") == []
        memory.embed()
        assert memory.recall("anything") == []


@pytest.mark.skipif(not (CORPORA / "blns").is_dir(), reason=f"no naughty strings at {CORPORA}")
def test_every_naughty_string_is_a_question(tmp_path: Path, quick_house: House) -> None:
    naughty = list(dict.fromkeys(json.loads((CORPORA / "blns" / "blns.json").read_text("utf-8"))))
    with quick_house() as memory:
        lines = [said(text, session=f"s{number % 7}", id=str(number)) for number, text in enumerate(naughty)]
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        for text in naughty:
            for hit in memory.recall(text, k=5):
                assert hit.quote in hit.text
