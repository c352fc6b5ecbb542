"""What is JSON in a model's words, and what is none."""

from typing import Any

import pytest

from steno.llm.answer import json_in


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("  [1, 2]\n", [1, 2]),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Here it is:\n```\n[{"a": 1}]\n```\nAnything else?', [{"a": 1}]),
        ('Sure! {"a": {"b": 2}} Done.', {"a": {"b": 2}}),
        ('{"a": "größer, 大きい"}', {"a": "größer, 大きい"}),
    ],
)
def test_json_is_found_among_words_and_fences(said: str, value: Any) -> None:
    assert json_in(said) == value


@pytest.mark.parametrize(
    "said",
    [
        "",
        " \n",
        "I would rather not.",
        "Ich habe nichts gefunden.",
        '{"entries": [{"do": "add", "quo',
        '{"a": NaN}',
        "{" * 100_000,
        "[" * 100_000,
        '{"a": "' + "x" * (1 << 20) + '"}',
        "\ud800{",
    ],
)
def test_what_is_no_json_is_no_answer(said: str) -> None:
    with pytest.raises(ValueError, match=r"^it "):
        json_in(said)
