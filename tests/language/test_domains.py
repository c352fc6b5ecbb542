"""Which field of work words belong to."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from steno.language.domains import domain

FIELDS: dict[str, dict[str, Any]] = tomllib.loads((files("steno.language") / "domains.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "names", "project", "field"),
    [
        ("Put the avatar into the header.", [], None, "WEB"),
        ("Keep it short.", ["src/Panel.tsx"], None, "WEB"),
        ("Add a column to the orders table.", [], None, "DATA"),
        ("Rebase, then push the branch.", [], None, "REPOSITORY"),
        ("The fixture leaks state between tests.", [], None, "TESTS"),
        ("Mention the flag.", ["docs/how-to.md"], None, "DOCS"),
        ("The login is slow.", [], "/home/sam/auth", "SECURITY"),
        ("The page is slow.", [], None, "GENERAL"),
        ("", [], None, "GENERAL"),
    ],
)
def test_a_field_is_told_by_words_paths_and_the_project(
    text: str, names: list[str], project: str | None, field: str
) -> None:
    assert domain(text, names, project) == field


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_said_of_a_field_belongs_to_it(field: str) -> None:
    assert [text for text in FIELDS[field]["said"] if domain(text, [], None) != field] == []


def test_a_word_speaks_of_one_field() -> None:
    words = [word for told in FIELDS.values() for name in ("sure", "words") for word in told[name].split()]
    assert sorted(word for word in set(words) if words.count(word) > 1) == []


@pytest.mark.parametrize(
    "text", ["Always ask first.", "Answer in German.", "Keep it short.", "Write less.", "Use tabs."]
)
def test_what_speaks_of_no_field_is_general(text: str) -> None:
    assert domain(text, [], None) == "GENERAL"


def test_the_name_of_a_project_alone_says_too_little() -> None:
    assert domain("Keep it short.", [], "/home/sam/kubernetes") == "GENERAL"
