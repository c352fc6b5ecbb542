"""Talk that gives no orders, books and noes to everything: little is noted, and the store stays in proportion."""

from pathlib import Path

import pytest

from steno.testing import house, said, write_jsonl

CHAT = (
    "good morning, how was your weekend?", "we went to the lake and it rained all day", "haha never trust the forecast",
    "my sister always burns the sausages", "I don't know, maybe we stay at home next time", "do you like rain?",
    "no", "oh no", "yes of course", "I would never swim in November", "don't forget to rest a bit, ok?",
    "that reminds me of a song", "what a story", "ok", "it never gets dark up there, you know", "see you later",
)  # fmt: skip
BOOK = "He never spoke of it again, and always kept the letters in the drawer. Do not open it, she said. " * 12_000
JAPANESE = "今日はとても暑いですね。明日は山に行くつもりです。絶対に雨が降らないでほしいです。"


def entries(folder: Path, lines: list[dict[str, str]]) -> tuple[int, float]:
    """How many entries are made of some lines, and how large the store is in relation to their words."""
    with house(folder) as memory:
        memory.capture(write_jsonl(folder / "t.jsonl", *lines), source="jsonl")
        found = len(memory.entries())
    words = sum(len(line["text"].encode()) for line in lines)
    return found, (folder / "steno" / "steno.db").stat().st_size / words


def talk(*texts: str) -> list[dict[str, str]]:
    roles = ("user", "assistant")
    return [said(text, role=roles[place % 2], id=str(place)) for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("lines", "most"),
    [
        (talk(*CHAT * 5), 1),
        (talk(BOOK), 0),
        (talk("what do you think of this?\n\n" + BOOK[:10_000]), 0),
        (talk(*[JAPANESE] * 40), 0),
        (talk(*["Here is what I found.", "no"] * 40), 0),
        (talk(*["Shall I go on with the next file?", "no, never, stop it, I don't want that"] * 40), 40),
        (talk("x" * 5_000_000), 0),
    ],
    ids=["small talk", "a book", "a book that is asked about", "Japanese", "noes to nothing", "noes to all", "5 MB"],
)
def test_of_talk_without_orders_little_is_noted(tmp_path: Path, lines: list[dict[str, str]], most: int) -> None:
    assert entries(tmp_path, lines)[0] <= most


def test_the_store_of_a_book_is_in_proportion(tmp_path: Path) -> None:
    assert entries(tmp_path, talk(BOOK))[1] < 4
