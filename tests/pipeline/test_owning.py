"""How a fact is worded for the file that owns it."""

import pytest

from steno.pipeline.owning import line_of, owner_of
from steno.testing import an_entry
from steno.vocabulary.details import Decided, Known, Stance


def test_a_decision_is_present_state_with_its_reason() -> None:
    why = Stance(wanted="deploy through staging", why="production has no second server")
    entry = an_entry("decision", "let's deploy through staging", Decided(stance=why))
    assert line_of(entry) == "The approach: deploy through staging, because production has no second server."
    assert (owner_of(entry, None), owner_of(entry, "infrastructure/operations")) == ("", "TOOLS.md")


@pytest.mark.parametrize(
    ("words", "owner"),
    [
        ("Ana Kovacs is our designer", "USER.md"),
        ("The staging server is at stage.shop.example", "TOOLS.md"),
        ("Backups go to b2.example.com", "TOOLS.md"),
        ("prices are in cents", ""),
    ],
)
def test_a_fact_belongs_to_the_file_of_its_kind(words: str, owner: str) -> None:
    assert owner_of(an_entry("fact", words), None) == owner


def test_a_decision_without_a_reason_is_left_to_its_day() -> None:
    entry = an_entry("decision", "let's deploy through staging", Decided(stance=Stance(wanted="staging")))
    assert line_of(entry) == ""


def test_a_fact_gets_its_reason_unless_it_says_it_itself() -> None:
    told = Known(stance=Stance(why="the old one burnt"))
    assert line_of(an_entry("fact", "heron is the server", told)) == "heron is the server, because the old one burnt."
    said = "heron is the server because the old one burnt"
    assert line_of(an_entry("fact", said, told)) == f"{said}."
