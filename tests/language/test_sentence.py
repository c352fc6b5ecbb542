"""Sentences: cut where a reader would cut, always verbatim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.language.sentence import sentences
from steno.language.words import content_words, squeeze

from ..conftest import steps


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Do it. Then stop!", ["Do it.", "Then stop!"]),
        ("use e.g. sqlite here", ["use e.g. sqlite here"]),
        ("see `a. b` first. ok", ["see `a. b` first.", "ok"]),
        ("bump to 1.2.3 please", ["bump to 1.2.3 please"]),
        ("edit src/app.py and stop", ["edit src/app.py and stop"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("- one. two\n- three", ["- one.", "two", "- three"]),
        ("好的。继续！", ["好的。", "继续！"]),
        ("why?? because", ["why??", "because"]),
    ],
)
def test_text_is_cut_into_sentences(text: str, pieces: list[str]) -> None:
    assert [span.text for span in sentences(text)] == pieces


def test_code_tables_headings_quotes_and_items_are_told_apart() -> None:
    text = "# Title\n\nprose\n\n1. item\nOption B: other\n> quoted\n| a | b |\n```\ncode. here\n```"
    assert [(span.kind, span.label) for span in sentences(text)] == [
        ("heading", ""),
        ("prose", ""),
        ("item", "1"),
        ("item", "b"),
        ("quote", ""),
        ("table", ""),
        ("code", ""),
        ("code", ""),
        ("code", ""),
    ]


def test_a_wrapped_line_goes_on_and_a_new_thought_does_not() -> None:
    wrapped = "this line is long enough to have been wrapped by an editor and\ngoes on here"
    assert len(sentences(wrapped)) == 1
    assert len(sentences("short line\nanother one")) == 2


def test_content_words_leave_out_what_says_nothing() -> None:
    assert content_words("Please don't put the `UserStore` into src/app.py, it's for #12") == [
        "userstore",
        "src/app.py",
        "#12",
    ]


def test_squeeze_makes_one_line() -> None:
    assert squeeze("  a\n\tb  c ") == "a b c"


@given(st.text(max_size=500))
def test_every_piece_stands_where_it_says(text: str) -> None:
    at = 0
    for span in sentences(text):
        assert text[span.start : span.end] == span.text
        assert span.start >= at
        at = span.end


@pytest.mark.parametrize(
    "piece", ["`a. ", "word ", "long line of words without any end to it that goes on and on\n", ". "]
)
def test_the_work_grows_with_the_length_only(piece: str) -> None:
    few, many = (steps(lambda text=piece * times: sentences(text)) for times in (2_000, 20_000))
    assert many < 12 * few
