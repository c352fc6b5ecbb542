"""`steno notebook propose`: what holds, for the files that own it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import steno as library
from steno.sources.sections import OURS_BEGIN, OURS_END

Steno = Callable[..., Result]
OWN = "# Tools\n\nThe printer is in room 4.\n"
PART = f"""
{OURS_BEGIN}
## What holds

- The deploy server is called heron.
{OURS_END}
"""


@pytest.fixture
def workspace(home: Path) -> Path:
    folder = home / ".openclaw/workspace"
    folder.mkdir(parents=True)
    for name in ("USER", "IDENTITY"):
        (folder / f"{name}.md").write_text(f"# {name}\n")
    (folder / "TOOLS.md").write_text(OWN)
    return folder


def told(words: str, category: str = "fact", **more: str) -> str:
    with library.open() as memory:
        return memory.remember(words, category=category, **more).id


def proposed(steno: Steno, *options: str) -> dict[str, Any]:
    lines = steno("notebook", "propose", "--json", *options).output.splitlines()
    return {Path(one["path"]).name: one for one in map(json.loads, lines)}


def test_it_shows_a_diff_and_writes_only_when_told_to(steno: Steno, workspace: Path) -> None:
    told("The deploy server is called heron")
    shown = steno("notebook", "propose").output
    assert "+- The deploy server is called heron.\n" in shown
    assert shown.endswith("Nothing was written; --apply writes it.\n")
    assert (workspace / "TOOLS.md").read_text() == OWN
    assert steno("notebook", "propose", "--apply").output.endswith("Wrote 1 file.\n")
    assert (workspace / "TOOLS.md").read_text() == OWN + PART
    assert steno("notebook", "propose").output == "Nothing to propose: no such file, or it says all of it.\n"


def test_what_holds_no_more_goes_and_the_rest_of_the_file_stays(steno: Steno, workspace: Path) -> None:
    id_ = told("The deploy server is called heron")
    steno("notebook", "propose", "--apply")
    (workspace / "TOOLS.md").write_text((workspace / "TOOLS.md").read_text() + "\nThe kettle is red.\n")
    steno("entries", "archive", id_)
    steno("notebook", "propose", "--apply")
    assert (workspace / "TOOLS.md").read_text() == OWN + "\nThe kettle is red.\n"


def test_each_fact_goes_to_the_file_that_owns_it(steno: Steno, home: Path, workspace: Path) -> None:
    told("I am the shop's night agent", "agent_state")
    told("The deploy server is called heron")
    told("The tea is green")
    page = home / "steno/notebook/topics/people/team.md"
    steno("notebook", "sync")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("# Team\n\n## What holds\n\n- Kim runs the warehouse\n")
    steno("notebook", "sync")
    lines = {
        name: [line[1:] for line in one["diff"].splitlines() if line.startswith("+- ")]
        for name, one in proposed(steno).items()
    }
    assert lines == {
        "USER.md": ["- Kim runs the warehouse."],
        "TOOLS.md": ["- The deploy server is called heron."],
        "IDENTITY.md": ["- I am the shop's night agent."],
    }


@pytest.mark.parametrize(
    "words",
    [
        "We moved the deploy server to Heron yesterday",
        "The deploy server is on Heron since last Tuesday",
        "The deploy server is called heron since 2026-03-01",
    ],
)
def test_an_event_is_not_proposed(steno: Steno, workspace: Path, words: str) -> None:
    told(words)
    told("The staging server is at 10.0.0.5")
    [line] = [line for line in proposed(steno)["TOOLS.md"]["diff"].splitlines() if line.startswith("+- ")]
    assert line == "+- The staging server is at 10.0.0.5."


def test_what_an_agent_told_what_belongs_elsewhere_and_what_stands_there_is_not_proposed(
    steno: Steno, workspace: Path
) -> None:
    with library.open() as memory:
        memory.remember("The deploy server is called evil", category="fact", by_agent=True)
    told("The deploy server is called heron", project="/other/shop")
    told("the staging server is at 10.0.0.5")
    (workspace / "TOOLS.md").write_text("The  staging server is\nat 10.0.0.5, says Kim.\n")
    assert proposed(steno) == {}


def test_a_file_that_would_be_cut_is_held_back(steno: Steno, workspace: Path) -> None:
    told("The deploy server is called heron")
    long = "x" * 17_950 + "\n"
    (workspace / "TOOLS.md").write_text(long)
    one = proposed(steno, "--apply")["TOOLS.md"]
    assert (one["written"], one["held"].startswith("it would hold 18,")) == (False, True)
    assert (workspace / "TOOLS.md").read_text() == long


def test_links_marks_that_were_changed_and_what_is_no_text_are_left_alone(
    steno: Steno, home: Path, workspace: Path
) -> None:
    told("The deploy server is called heron")
    outside = home / "outside.md"
    outside.write_text("Mine.\n")
    (workspace / "TOOLS.md").unlink()
    (workspace / "TOOLS.md").symlink_to(outside)
    (workspace / "IDENTITY.md").write_bytes(b"\xff\xfe")
    (workspace / "USER.md").write_text(f"{OURS_BEGIN}\nno end\n")
    held = {name: (one["written"], bool(one["held"])) for name, one in proposed(steno, "--apply").items()}
    assert held == {"TOOLS.md": (False, True), "IDENTITY.md": (False, True), "USER.md": (False, True)}
    assert outside.read_text() == "Mine.\n"


def test_words_cannot_end_our_part_and_line_ends_stay_as_they_are(steno: Steno, workspace: Path) -> None:
    told(f"The deploy server is called heron, {OURS_END} <script> \x1b[2J")
    (workspace / "TOOLS.md").write_bytes(b"# Tools\r\n")
    steno("notebook", "propose", "--apply")
    written = (workspace / "TOOLS.md").read_bytes()
    assert (written.count(OURS_END.encode()), b"<script>" in written, b"\x1b" in written) == (1, False, False)
    assert written.count(b"\r\n") == written.count(b"\n")
    assert proposed(steno) == {}


def test_what_we_wrote_there_is_not_taken_in_as_a_note(steno: Steno, workspace: Path) -> None:
    told("The deploy server is called heron")
    steno("notebook", "propose", "--apply")
    steno("capture", workspace, "--source", "notes")
    hits = [json.loads(line) for line in steno("recall", "deploy server heron", "--json").output.splitlines()]
    assert {hit["origin"] for hit in hits if "heron" in hit["text"]} == {"edit"}
