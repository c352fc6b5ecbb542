"""What must hold for every text, tried on texts made of awkward pieces."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from steno.redact import Cleaned, Redactor
from steno.redact.batch import Batch

REDACTOR = Redactor(secret=b"a store's key")
PICKY = Redactor(secret=b"a store's key", extra=[r"foo\b", "b+"])

PIECES = [
    *(
        "password",
        "PASSWORD",
        "api_key",
        "token",
        "SECRET",
        "Authorization",
        "Bearer ",
        "Basic ",
        "Cookie",
        "Set-Cookie",
    ),
    *(
        "=",
        ": ",
        ":",
        " = ",
        " ",
        "\n",
        "\\n",
        '"',
        "'",
        "`",
        '\\"',
        ",",
        ";",
        "@",
        "://",
        "--",
        "-u ",
        ">",
        "</",
        "[",
        "]",
    ),
    *(
        "hunter2",
        "Tr0ub4dor99",
        "is ",
        "${VAR}",
        "foo",
        "foofoo",
        "b",
        ".",
        "(",
        ")",
        "\0",
        "é",
        "漢",
        "\\",
        "/",
        "&",
        "?",
    ),
    *(
        "<private>",
        "</private>",
        "[private]",
        "[redacted:jwt:0123abcd]",
        "[redacted:",
        "redacted:github-token:01234567]",
    ),
    *("gh" + "p_" + "a1B2c3D4e5F6" * 3, "AK" + "IA" + "ABCDEFGH23456789", "sk" + "-" + "a1B2c3D4e5F6" * 3),
    *(
        "-----BEGIN PRIVATE " + "KEY-----",
        "-----END PRIVATE " + "KEY-----",
        "Ab3+" * 8,
        "123456789" + ":AA" + "x1" * 17,
    ),
    *(
        "ey" + "J" + "a1B2c3D4e5F6" + ".ey" + "J" + "a1B2c3D4e5F6.",
        "postgres://u:",
        "secret_access_key=",
        "login a password ",
    ),
]
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=14).map("".join)
TEXTS = st.lists(TEXT, max_size=6)


@settings(max_examples=200)
@given(TEXTS)
def test_cleaning_cleaned_text_changes_nothing(texts: list[str]) -> None:
    for redactor in (REDACTOR, PICKY):
        once = redactor.clean(texts)
        twice = redactor.clean(once.texts)
        assert twice == Cleaned(once.texts, {})
        assert all(new is old for new, old in zip(twice.texts, once.texts, strict=True))


@settings(max_examples=200)
@given(TEXTS)
def test_a_text_is_cleaned_the_same_alone_and_among_others(texts: list[str]) -> None:
    for redactor in (REDACTOR, PICKY):
        assert redactor.clean(texts).texts == [redactor.clean([text]).texts[0] for text in texts]


@given(st.lists(st.binary(max_size=6), max_size=8))
def test_every_byte_of_a_batch_is_in_the_text_it_came_from(texts: list[bytes]) -> None:
    batch = Batch(texts)
    position = 0
    for number, text in enumerate(texts):
        for _ in range(len(text) + 1):
            assert batch.number_at(position) == number
            assert (
                batch.joined[position : batch.end_at(position)]
                == text[len(text) - (batch.end_at(position) - position) :]
            )
            position += 1
