"""No text holds up the others: the work grows with the text and no faster, whatever stands in it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steno.redact import Redactor
from steno.redact.batch import Batch
from steno.redact.rules import Rulebook, load_rulebooks
from steno.redact.sweep import sweep

from ..conftest import steps

PIECES: list[str] = tomllib.loads(
    (Path(__file__).parents[2] / "benchmarks" / "secret_samples" / "hostile.toml").read_text("utf-8")
)["pieces"]
REDACTOR = Redactor(secret=b"a store's key")
BOOKS = load_rulebooks()


def looks(text: str, book: Rulebook) -> int:
    """How many candidates a sweep looked at."""
    seen = 0

    def which(window: bytes) -> list[int]:
        nonlocal seen
        seen += 1
        return book.which(window)

    list(sweep(Batch([text.encode()]), book._replace(which=which)))
    return seen


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join))
def test_a_text_has_only_so_many_looks(piece: str) -> None:
    text = piece * (20_000 // len(piece.encode()))
    for book in BOOKS:
        assert looks(text, book) <= 100 + 500 + len(text.encode()) // 128


def test_what_is_too_dense_to_be_read_is_taken_whole_and_nothing_of_it_is_kept() -> None:
    text = "fine\n" + "password is 1x \n" * 3_000 + "ghp_" + "a1B2c3D4e5F6" * 3
    cleaned = REDACTOR.clean([text, "the next text"])
    assert cleaned.counts["crowded"] == 1
    assert cleaned.texts[0].startswith("fine\n")
    assert "a1B2" not in cleaned.texts[0]
    assert cleaned.texts[1] == "the next text"
    assert REDACTOR.clean(cleaned.texts).counts == {}


def test_a_log_with_a_token_in_every_line_keeps_its_lines() -> None:
    line = "2026-01-01 12:00:00 GET /things/of/some/kind?page=2 200 from 10.0.0.1 agent=curl/8.5 took=12ms "
    line += "Authorization: Bearer "
    text = "\n".join(f"{line}{n:04}a1B2c3D4e5F6g7H8{n:04}" for n in range(2_000))
    assert REDACTOR.clean([text]).counts == {"authorization": 2_000}


@pytest.mark.parametrize("piece", PIECES)
def test_four_times_the_text_is_four_times_the_work(piece: str) -> None:
    def done(size: int) -> int:
        text = piece * (size // len(piece.encode()))
        return steps(lambda: REDACTOR.clean([text]))

    one, four = done(60_000), done(240_000)
    assert four < 5 * one + 100
