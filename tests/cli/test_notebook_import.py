"""`steno notebook import`: memory files that exist already, through the program."""

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


def test_it_shows_what_it_would_take_and_takes_nothing_unless_told_to(steno: Steno, shop: Path) -> None:
    shown = steno("notebook", "import", shop)
    rows = [line.split() for line in shown.output.splitlines()]
    assert rows == [
        ["file", "pieces", "new", "gone", "size", "begins"],
        [str(shop / "CLAUDE.md"), "1", "1", "0", "36", "bytes", "Shop"],
        [str(shop / "memory/2026-02-27.md"), "1", "1", "0", "20", "bytes", "We", "moved", "the", "tills."],
        ["Nothing", "was", "taken", "in;", "--yes", "takes", "2", "pieces."],
    ]
    assert json.loads(steno("status", "--json").output)["turns"] == 0


def test_with_yes_it_is_taken_and_recalled_with_its_label(steno: Steno, shop: Path) -> None:
    assert steno("notebook", "import", shop, "--yes").output.endswith("Took in 2 pieces. `steno recall` finds them.\n")
    (hit,) = map(json.loads, steno("recall", "staging server", "-k", "1", "--json").output.splitlines())
    assert (hit["origin"], hit["quote"]) == ("file", "# Shop\nThe staging server is heron.")
    assert steno("recall", "staging server").output.startswith("turn  file  #1")
    assert steno("turns", "CLAUDE.md").output.startswith("file note  #1")
    assert steno("notebook", "import", shop).output.endswith("All of it was taken in before.\n")


def test_for_programs_it_answers_in_json(steno: Steno, shop: Path) -> None:
    asked = json.loads(steno("notebook", "import", shop, "--json").output)
    told = json.loads(steno("notebook", "import", shop, "--json", "--yes").output)
    assert asked == {**told, "taken": 0}
    assert told == {
        "taken": 2,
        "files": [
            {
                "path": str(shop / name), "source": "notes", "project": str(shop), "pieces": 1, "new": 1, "gone": 0,
                "bytes": size, "begins": begins,
            }
            for name, size, begins in (("CLAUDE.md", 36, "Shop"), ("memory/2026-02-27.md", 20, "We moved the tills."))
        ],
        "problems": [],
        "left_out": 0,
    }  # fmt: skip


def test_on_a_terminal_it_asks(
    terminal: Callable[..., tuple[int, str]], without_colours: Callable[[str], str], steno: Steno, shop: Path
) -> None:
    code, drawn = terminal("notebook", "import", shop, typed="n\n")
    assert code == 0
    assert "Take it in? [y/N]" in drawn
    assert "Nothing was taken in." in drawn
    code, drawn = terminal("notebook", "import", shop, typed="y\n")
    assert "Took in 2 pieces" in without_colours(drawn)
    assert json.loads(steno("status", "--json").output)["turns"] == 2


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nowhere", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("a\0b", "embedded null byte"),
        ("../" * 40 + "nowhere", "No such file or directory"),
    ],
)
def test_a_path_that_cannot_be_is_told_of_in_a_line(steno: Steno, shop: Path, name: str, problem: str) -> None:
    told = steno("notebook", "import", f"{shop}/{name}")
    assert told.exit_code == 1
    assert problem in told.output
    assert "bug in Steno" not in told.output


def test_a_folder_without_memory_files_says_so(steno: Steno, home: Path) -> None:
    told = steno("notebook", "import", home / "shop")
    assert told.exit_code == 1
    (home / "shop").mkdir()
    (home / "shop/README.md").write_text("Read me.\n")
    told = steno("notebook", "import", home / "shop")
    assert (told.exit_code, told.stderr) == (
        1,
        f"steno: no memory file at or below {home / 'shop'}\n  → name a file to have it read as a note\n",
    )


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
    told = json.loads(steno("notebook", "import", shop, "--json", "--yes").output)
    assert {problem["path"].removeprefix(f"{shop}/"): problem["reason"] for problem in told["problems"]} == {
        "AGENTS.md": "a link that leads out of the folder; it is not followed",
        "deep/memory": "a link that leads out of the folder; it is not followed",
        "TOOLS.md": "not a text: it holds NUL bytes",
        "MEMORY.md": "too long for a memory file: 50,000,000 bytes, and 1,048,576 are read at most",
        "IDENTITY.md": "not a regular file",
    }
    assert told["taken"] == 2
    assert "safe" not in steno("recall", "safe").stdout


def test_html_and_escapes_in_a_note_drive_no_terminal(steno: Steno, shop: Path) -> None:
    (shop / "CLAUDE.md").write_text("# \x1b[2J\x1b]0;owned\x07<script>alert(1)</script> [red]x[/red]\u202e\nHeron.\n")
    (shop / "memory/\x1b[31mx\n.md").write_text("Red.\n")
    for told in (steno("notebook", "import", shop, "--yes"), steno("recall", "heron"), steno("sessions")):
        assert told.exit_code == 0
        assert not {"\x1b", "\x07", "\u202e"} & {*told.output}
    assert "<script>alert(1)</script>" in steno("recall", "heron").output


def test_a_secret_in_a_note_is_neither_shown_nor_kept(steno: Steno, shop: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (shop / "CLAUDE.md").write_text(f"# token {secret}\nuse it\n")
    assert secret not in steno("notebook", "import", shop, "--yes").output
    assert secret not in steno("recall", "token").output
    stored = b"".join(file.read_bytes() for file in (shop.parent / "steno").glob("steno.db*"))
    assert secret.encode() not in stored


def test_what_is_paused_or_excluded_is_not_taken(steno: Steno, shop: Path) -> None:
    steno("exclude", shop / "memory")
    told = json.loads(steno("notebook", "import", shop, "--json").output)
    assert (len(told["files"]), told["left_out"]) == (1, 1)
    steno("pause")
    told = steno("notebook", "import", shop, "--yes")
    assert (told.exit_code, "capture is paused" in told.output) == (1, True)


def test_what_was_taken_in_is_read_again_when_it_changed(steno: Steno, shop: Path) -> None:
    steno("notebook", "import", shop, "--yes")
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
    steno("notebook", "import", shop, "--yes")
    steno("pause")
    (shop / "CLAUDE.md").write_text("# Shop\nThe staging server is egret.\n")
    assert steno("notebook", "sync").exit_code == 0
    assert "egret" not in steno("recall", "staging", "--json").output


def test_a_path_that_is_not_there_is_named_once(steno: Steno, home: Path) -> None:
    told = steno("notebook", "import", home / "nowhere")
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.count("nowhere") == 1
