"""Which field of work words belong to."""

import pytest

from steno.language.domains import domain


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
