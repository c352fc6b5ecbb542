"""The promises of `Redactor.clean` that hold whatever the secret is."""

from __future__ import annotations

import pytest

from steno.redact import BadPattern, Cleaned, Redactor

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6" * 3
REDACTOR = Redactor(secret=b"a store's key")


def clean(*texts: str) -> list[str]:
    return REDACTOR.clean(texts).texts


def test_an_unchanged_text_is_the_very_same_object() -> None:
    texts = ["nothing here", "ümläut 漢字 \0 \ud800", "", f"x {TOKEN}", "last"]
    cleaned = REDACTOR.clean(texts)
    assert [new is old for new, old in zip(cleaned.texts, texts, strict=True)] == [True, True, True, False, True]


def test_no_texts_give_no_texts() -> None:
    assert REDACTOR.clean([]) == Cleaned([], {})


def test_the_same_secret_has_the_same_marker_in_one_store_and_another_in_the_next() -> None:
    first, second = clean(f"a {TOKEN}", f"{TOKEN} b")
    assert first.removeprefix("a ") == second.removesuffix(" b")
    other = Redactor(secret=b"another store's key").clean([TOKEN]).texts[0]
    assert other != second.removesuffix(" b")
    assert len(other) == len("[redacted:github-token:01234567]")


def test_different_secrets_have_different_markers() -> None:
    first, second = clean(TOKEN, TOKEN.replace("a1", "z9"))
    assert first != second


def test_a_key_of_any_length_will_do_but_not_an_empty_one() -> None:
    long, longer = (Redactor(secret=b"k" * n).clean([TOKEN]).texts for n in (200, 201))
    assert long != longer
    with pytest.raises(ValueError, match="secret"):
        Redactor(secret=b"")


def test_counts_say_how_many_of_which_kind() -> None:
    texts = [f"{TOKEN} {TOKEN}", "<private>x</private>", "password = 'hunter2x'"]
    assert REDACTOR.clean(texts).counts == {"github-token": 2, "private": 1, "password": 1}


def test_a_token_and_a_password_in_one_address_are_two_secrets() -> None:
    (text,) = clean(f"https://{TOKEN}:Ab3-secret@example.com/x")
    assert text.count("[redacted:") == 2
    assert text.endswith("@example.com/x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>x</private> b", "a [private] b"),
        ("a <PRIVATE>x\ny\n</Private > b", "a [private] b"),
        ("a <private>x", "a [private]"),
        ("<private>", "[private]"),
        ("a <private>x</private> b <private>y", "a [private] b [private]"),
        ("a <private>x<private>y</private>z</private> b", "a [private] b"),
        ("a <private>x<private>y</private> b", "a [private]"),
        ("a </private> b", "a </private> b"),
        ('a <private reason="mine">x</private> b', "a [private] b"),
        ("a <privateer> b", "a <privateer> b"),
        ("a <private>x\0y</private> b", "a [private] b"),
        ("password='ab <private>12 x</private>'", "password='ab [private]'"),
        ("a < private >x< / private > b", "a [private] b"),
        ("a <\n private\n>x</\tPRIVATE\n> b", "a [private] b"),
        ("a <\xa0private\xa0>x</private> b", "a [private] b"),
        ("a <private\n  why='mine'\n>x</private all> b", "a [private] b"),
        ("a <private/>x", "a [private]"),
        ("a <privat>x</private> b", "a <privat>x</private> b"),
        ("if a < privates > b", "if a < privates > b"),
    ],
)
def test_a_private_block_leaves_only_the_word_private(text: str, expected: str) -> None:
    assert clean(text) == [expected]


def test_an_unclosed_private_block_ends_with_its_own_text() -> None:
    assert clean("a <private>x", "b</private> c", "<private>", "d") == [
        "a [private]",
        "b</private> c",
        "[private]",
        "d",
    ]


def test_a_secret_inside_a_private_block_is_not_hashed() -> None:
    assert clean(f"<private>{TOKEN}</private>") == ["[private]"]


@pytest.mark.parametrize("cut", range(1, len(TOKEN)))
def test_a_token_in_two_texts_is_no_token(cut: int) -> None:
    texts = [TOKEN[:cut], TOKEN[cut:]]
    for cleaned, text in zip(clean(*texts), texts, strict=True):
        assert cleaned is text or len(text) > 33  # a long first half is a token by itself


def test_a_name_and_a_value_in_two_texts_do_not_belong_together() -> None:
    texts = ["password =", "Tr0ub4dor99", "password = '", "Tr0ub4dor99'", "Authorization: Bearer", "a1B2c3D4e5F6g7H8"]
    assert REDACTOR.clean([*texts, "-u bob:Tr0ub4dor99"]).counts == {}


def test_a_zero_byte_in_a_text_moves_nothing_in_its_neighbours() -> None:
    assert clean("a\0b", f"\0\0{TOKEN}\0", "c\0")[1].startswith("\0\0[redacted:github-token:")


def test_a_batch_larger_than_one_portion_comes_back_in_order() -> None:
    texts = [f"{n} {'x' * 300_000} {TOKEN if n % 7 == 0 else ''}" for n in range(40)]
    cleaned = REDACTOR.clean(texts)
    assert [text.split(" ", 1)[0] for text in cleaned.texts] == [str(n) for n in range(40)]
    assert cleaned.counts == {"github-token": 6}


def test_a_users_own_pattern_is_taken_too() -> None:
    redactor = Redactor(secret=b"k", extra=[r"ACME-\d{4}", r"^.{2}ß"])
    cleaned = redactor.clean(["id ACME-1234, ACME-9", "äöß end", "no äöß"])
    assert cleaned.counts == {"custom": 2}
    assert cleaned.texts[0].startswith("id [redacted:custom:")
    assert cleaned.texts[0].endswith("], ACME-9")
    assert cleaned.texts[1].endswith("] end")
    assert cleaned.texts[2] == "no äöß"


@pytest.mark.parametrize("pattern", [".*", "[0-9a-f]{8}", "redacted", r"foo\b", "x*", "$", "^foo", r"\[.*\]", "(?s).+"])
def test_a_users_pattern_never_eats_a_marker(pattern: str) -> None:
    redactor = Redactor(secret=b"k", extra=[pattern])
    once = redactor.clean([f"foofoo {TOKEN} <private>x</private> bar\nfoo"])
    assert redactor.clean(once.texts) == Cleaned(once.texts, {})


def test_a_bad_pattern_is_named_with_the_reason() -> None:
    with pytest.raises(BadPattern, match=r"'a\(b'.*missing \)"):
        Redactor(secret=b"k", extra=["fine", "a(b"])
    with pytest.raises(ValueError, match=r"\(\?="):
        Redactor(secret=b"k", extra=["(?=x)"])


def test_a_users_own_pattern_sees_through_a_terminals_escapes() -> None:
    redactor = Redactor(secret=b"a store's key", extra=[r"\bACME-[0-9]{4}\b"])
    texts = redactor.clean(["a \x1b[01;31m\x1b[KACME-1234\x1b[m", "a AC\x1b[KME-12\x1b[m34 b", "a ACME-1234 b"]).texts
    assert [text.replace("\x1b[01;31m\x1b[K", "").removesuffix("\x1b[m") for text in texts] == [
        texts[2].removesuffix(" b"),
        texts[2],
        texts[2],
    ]
