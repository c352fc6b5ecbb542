"""Whose words a turn holds: what a person typed, whatever its form, and what a program printed."""

import pytest

from steno.scribe.hear import own_sentences, segments

SCREEN = """~/work/shed (main)
$ ls ~/plugins
local
$ ln -s ~/src/shed ~/plugins/shed
$ ls ~/plugins
local  shed
$ ls ~/plugins/shed
goats     sheep
hens                    ducks"""
LIST = "- the goats come first\n- no photos of the barn"


def own(text: str) -> list[str]:
    return [one.text.removeprefix("- ") for one in own_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "check again on 192.168.7.114",
        "name = Goat Labs",
        "re: the fence. It held, but I had to buy more wire.",
        "Package the working tree into a pull request:",
        "Export the list of goats (as a table);",
        "[Image #1] the gate is too low here",
        "[Pasted text #1 +32 lines] what does this say?",
    ],
)
def test_one_line_is_what_a_person_typed(text: str) -> None:
    assert " ".join(own(text)).startswith(text[:20])


@pytest.mark.parametrize("text", ["[Image #1]", "[Pasted text #1 +32 lines]", "TypeError: goat is undefined"])
def test_a_bare_mark_or_error_is_nobodys_sentence(text: str) -> None:
    assert own(text) == []


@pytest.mark.parametrize(
    "lead",
    [
        "Commit it with a message covering:",
        "Build the page.\nKeep it small.\nUse one column.\n\nPOLISH (if all else is done):",
    ],
)
def test_a_list_a_person_typed_is_no_paste(lead: str) -> None:
    assert own(f"{lead}\n{LIST}")[-2:] == ["the goats come first", "no photos of the barn"]


@pytest.mark.parametrize("lead", ["A customer wrote:", "Translate this:", "The log:", "Fwd: spring fair\n"])
def test_a_list_in_a_text_that_was_handed_over_is_none_of_theirs(lead: str) -> None:
    assert not {"the goats come first", "no photos of the barn"} & {*own(f"{lead}\n{LIST}")}


def test_a_whole_turn_that_stands_there_as_a_quotation_is_what_is_asked_for() -> None:
    assert own("> Build the page.\n>\n> Use one column.\n> Show me the output.")[0] == "> Build the page."
    assert own("> Build the page.\n> Use one column.\n> Show me.\nis that right?") == ["is that right?"]


def test_a_terminal_screen_is_output_as_a_whole() -> None:
    assert [one.kind for one in segments(SCREEN)] == ["pasted"]


def test_what_is_typed_between_two_outputs_is_not_output() -> None:
    for words in ("what now?", "then this:", "please look at the second one"):
        assert words in own(f"$ make goats\n{words}\n$ make sheep")


def test_a_line_of_marks_over_a_heading_makes_no_output_of_it() -> None:
    assert [one.kind for one in segments(f"{'=' * 16}\nPART 1: THE GATE\n{'=' * 16}\nPaint it.")] == ["typed"]
