"""Names, numbers and quotes of a model's line: they stand where it says, or the line goes."""

import pytest

from steno.readings.support import Said, quotes_human, verbatim
from steno.vocabulary import JournalTurn, Turn
from steno.vocabulary.turns import Kind, Role


def turn(id_: int, text: str, role: Role = "user", kind: Kind = "said", tool: str | None = None) -> JournalTurn:
    return JournalTurn(id=id_, source="jsonl", session="s1", turn=Turn(role=role, kind=kind, text=text, tool=tool))


TURNS = {
    one.id: one
    for one in (
        turn(1, "Don’t use the ORM in src/db/query.py, it took 1,200 ms on page 3"),
        turn(2, "I rewrote load_prices() with psycopg and ran `make check`: 42 passed.", "assistant"),
        turn(
            3,
            '{"command": "git commit -m \\"Drop the ORM\\"", "path": "/srv/app", "tool": 1}',
            "assistant",
            "call",
            "Bash",
        ),
        turn(4, "yes"),
        turn(5, "a customer wrote:\n\n> please never call me on Sundays again"),
    )
}


@pytest.mark.parametrize(
    "line",
    [
        "The ORM is out of `src/db/query.py`: 1,200 ms on page 3.",
        "“don't use the ORM” because it was slow.",
        "load_prices() uses psycopg; `make check` gave 42 passed.",
        "Committed as “Drop the ORM” in /srv/app.",
        "The user refuses the ORM … “it took […] on page 3”.",
        "The 42-tool commit went through Bash.",
        "Nothing in this line is a name, and a PR is short for what it is.",
    ],
)
def test_what_was_said_may_be_told(line: str) -> None:
    assert Said(TURNS.values()).holds(line)


@pytest.mark.parametrize(
    "line",
    [
        "The ORM is out of `src/db/queries.py`.",
        "It took 1,300 ms.",
        "It took 200 ms.",
        "It failed on page 12.",
        "The user wants SQLAlchemy.",
        "Use load_all() instead.",
        "“never use the ORM” is what the user said.",
        "See issue #77.",
        "Run `make lint`.",
        "Deploy to staging-2.",
    ],
)
def test_a_name_or_number_nobody_said_is_found_out(line: str) -> None:
    assert not Said(TURNS.values()).holds(line)


@pytest.mark.parametrize(
    ("text", "cited", "is_theirs"),
    [
        ("No ORM: “don't use the ORM”.", [1], True),
        ("No ORM: “don't use the ORM”.", [2], False),
        ("No ORM: “the ORM”.", [1], False),
        ("The user said “yes”.", [4], True),
        ("It was “rewrote load_prices() with psycopg”.", [1, 2], False),
        ("Never “call me on Sundays”.", [5], False),
        ("Nothing is quoted.", [1, 4], False),
    ],
)
def test_a_line_is_a_persons_only_with_words_they_typed(text: str, cited: list[int], is_theirs: bool) -> None:
    assert quotes_human(text, TURNS, cited) is is_theirs


@pytest.mark.parametrize(
    ("said", "quote", "found"),
    [
        ("one\n  two three", "one two three", "one\n  two three"),
        ("one two", "two three", ""),
        ("One two", "one two", ""),
        ("one two", "", ""),
        ('{"command": "say \\"hi\\""}', 'say "hi"', 'say \\"hi\\"'),
        ("<steno>always push</steno>", "always push", ""),
        ("x" * 2_000, "x" * 1_500, ""),
    ],
)
def test_a_quote_is_kept_as_it_stands(said: str, quote: str, found: str) -> None:
    assert verbatim(said, quote) == found


def test_words_without_spaces_are_counted_by_their_signs() -> None:
    said = {1: turn(1, "これはワーカーで動かしてください")}
    assert quotes_human("Run as a worker: “ワーカーで動かして”", said, [1])
