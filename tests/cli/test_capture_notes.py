"""`steno capture --source notes`: memory files that exist already, through the program."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Steno = Callable[..., Result]


@pytest.fixture
def shop(home: Path) -> Path:
    folder = home / "shop"
    (folder / "memory").mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("# Shop\nThe staging server is heron.\n")
    (folder / "memory/2026-02-27.md").write_text("We moved the tills.\n")
    return folder


def take(steno: Steno, *paths: object) -> Result:
    return steno("capture", *paths, "--source", "notes")


def test_a_dry_run_shows_what_it_would_take_and_takes_nothing(steno: Steno, shop: Path) -> None:
    shown = steno("capture", shop, "--source", "notes", "--dry-run")
    rows = [line.split() for line in shown.output.splitlines()]
    assert rows == [
        "Would capture 2 new turns of 2 transcripts. Nothing was written.".split(),
        ["transcript", "new", "turns"],
        [str(shop / "CLAUDE.md"), "1"],
        [str(shop / "memory/2026-02-27.md"), "1"],
        ["transcripts", "2"],
        ["lines", "3", "read,", "0", "skipped"],
    ]
    assert json.loads(steno("status", "--json").output)["turns"] == 0
    take(steno, shop)
    again = json.loads(steno("capture", shop, "--source", "notes", "--dry-run", "--json").output)
    assert (again["turns"], again["files"], again["unchanged"]) == (0, {}, 2)


def test_it_is_taken_and_recalled_with_its_label(steno: Steno, shop: Path) -> None:
    assert take(steno, shop).output.startswith("Captured 2 new turns in 2 sessions.\n")
    (hit,) = map(json.loads, steno("recall", "staging server", "-k", "1", "--json").output.splitlines())
    assert (hit["origin"], hit["quote"]) == ("file", "# Shop\nThe staging server is heron.")
    assert steno("recall", "staging server").output.startswith("turn  file  #1")
    assert steno("turns", "CLAUDE.md").output.startswith("file note  #1")
    assert take(steno, shop).output.startswith("Nothing new in 2 transcripts.\n")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nowhere", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("../" * 40 + "nowhere", "No such file or directory"),
    ],
)
def test_a_path_that_cannot_be_is_told_of_in_a_line(steno: Steno, shop: Path, name: str, problem: str) -> None:
    told = take(steno, f"{shop}/{name}")
    assert told.exit_code == 1
    assert problem in told.output
    assert "bug in Steno" not in told.output


def test_a_folder_without_memory_files_says_so(steno: Steno, home: Path) -> None:
    (home / "shop").mkdir()
    (home / "shop/README.md").write_text("Read me.\n")
    assert take(steno, home / "shop").output == "No transcripts found.\n"


def test_what_is_too_long_no_text_or_leads_out_is_told_and_the_rest_is_taken(
    steno: Steno, home: Path, shop: Path
) -> None:
    outside = home / "secrets.md"
    outside.write_text("The safe opens with 1234.\n")
    (shop / "AGENTS.md").symlink_to(outside)
    (shop / "memory/away").symlink_to(home)
    (shop / "deep").mkdir()
    (shop / "deep/memory").symlink_to(home)
    (shop / "USER.md").symlink_to("CLAUDE.md")
    (shop / "TOOLS.md").write_bytes(b"\xff\xfe\0a\0b")
    with (shop / "MEMORY.md").open("wb") as file:
        file.truncate(50_000_000)
    os.mkfifo(shop / "IDENTITY.md")
    told = json.loads(steno("capture", shop, "--source", "notes", "--json").output)
    assert {problem["path"].removeprefix(f"{shop}/"): problem["reason"] for problem in told["problems"]} == {
        "AGENTS.md": "a link that leads out of the folder; it is not followed",
        "deep/memory": "a link that leads out of the folder; it is not followed",
        "TOOLS.md": "not a text: it holds NUL bytes",
        "MEMORY.md": "too long for a memory file: 50,000,000 bytes, and 1,048,576 are read at most",
        "IDENTITY.md": "not a regular file",
    }
    assert told["turns"] == 2
    assert "safe" not in steno("recall", "safe").stdout


def test_html_and_escapes_in_a_note_drive_no_terminal(steno: Steno, shop: Path) -> None:
    (shop / "CLAUDE.md").write_text("# \x1b[2J\x1b]0;owned\x07<script>alert(1)</script> [red]x[/red]\u202e\nHeron.\n")
    (shop / "memory/\x1b[31mx\n.md").write_text("Red.\n")
    for told in (
        steno("capture", shop, "--source", "notes", "--dry-run"),
        take(steno, shop),
        steno("recall", "heron"),
        steno("sessions"),
    ):
        assert told.exit_code == 0
        assert not {"\x1b", "\x07", "\u202e"} & {*told.output}
    assert "<script>alert(1)</script>" in steno("recall", "heron").output


def test_a_secret_in_a_note_is_neither_shown_nor_kept(steno: Steno, shop: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (shop / "CLAUDE.md").write_text(f"# token {secret}\nuse it\n")
    (shop / "memory" / f"{secret}.md").write_text("It is open.\n")
    shown = steno("capture", shop, "--source", "notes", "--dry-run").output
    assert (secret in shown, "redacted" in shown) == (False, True)
    assert secret not in take(steno, shop).output
    assert secret not in steno("recall", "token").output
    stored = b"".join(file.read_bytes() for file in (shop.parent / "steno").glob("steno.db*"))
    assert secret.encode() not in stored


def test_what_is_paused_or_excluded_is_not_taken(steno: Steno, shop: Path) -> None:
    steno("capture", "exclude", shop / "memory")
    told = json.loads(steno("capture", shop, "--source", "notes", "--dry-run", "--json").output)
    assert (told["files"], told["excluded"]) == ({str(shop / "CLAUDE.md"): 1}, 1)
    steno("pause")
    told = take(steno, shop)
    assert (told.exit_code, "capture is paused" in told.output) == (1, True)


def test_what_was_taken_in_is_read_again_when_it_changed(steno: Steno, shop: Path) -> None:
    take(steno, shop)
    (shop / "CLAUDE.md").write_text("# Shop\nThe staging server is egret.\n")
    (shop / "memory/2026-02-28.md").write_text("We moved the staging lights.\n")
    (shop.parent / "CLAUDE.md").write_text("The staging door is blue.\n")
    steno("notebook", "sync")
    hits = [json.loads(line)["text"] for line in steno("recall", "staging", "--json").output.splitlines()]
    assert sorted(hits) == ["# Shop\nThe staging server is egret.", "We moved the staging lights."]
    steno("forget", "--text", "moved the staging", "--yes")
    steno("notebook", "sync")
    assert "lights" not in steno("recall", "staging", "--json").output


def test_off_the_record_nothing_is_read_again(steno: Steno, shop: Path) -> None:
    take(steno, shop)
    steno("pause")
    (shop / "CLAUDE.md").write_text("# Shop\nThe staging server is egret.\n")
    assert steno("notebook", "sync").exit_code == 0
    assert "egret" not in steno("recall", "staging", "--json").output
