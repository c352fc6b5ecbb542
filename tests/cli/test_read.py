"""`steno read` through its real door: what is there may be read by name, and nothing else."""

import json
import os

import pytest


@pytest.fixture(autouse=True)
def notebook(home, steno):
    steno("status")
    folder = home / "steno" / "notebook"
    for name, text in {
        "handoff.md": "# Handoff\n",
        "rules.md": "# Rules\n",
        "topics/infrastructure/web-servers.md": "# Web servers\n\n- two of them\n  - in Graz\n",
        "topics/people/sam.md": "# Sam\n",
        "topics/projects/shop.md": "# Shop\n",
        "days/2026-03-02.md": "# 2 March\n",
        ".git/notes.md": "# not a page\n",
        ".task-0123456789ab.json": "{}",
        "notes.txt": "not a page",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (home / "secret.md").write_text("# outside\n")
    return folder


def names(steno, *args):
    return [json.loads(line)["name"] for line in steno("read", *args, "--json").stdout.splitlines()]


def test_without_a_name_it_lists_what_there_is(steno):
    assert names(steno) == [
        "days/2026-03-02.md",
        "handoff.md",
        "rules.md",
        "topics/infrastructure/web-servers.md",
        "topics/people/sam.md",
        "topics/projects/shop.md",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "topics/infrastructure/web-servers.md",
        "web-servers",
        "WEB-SERVERS.md",
        "infrastructure",
        "web server",
        "web-servrs",
    ],
)
def test_a_page_is_read_by_its_name_or_by_what_it_is_about(steno, name):
    answer = steno("read", name)
    assert (answer.exit_code, answer.stdout) == (0, "# Web servers\n\n- two of them\n  - in Graz\n")


def test_a_name_that_may_mean_several_pages_asks_which(steno):
    answer = steno("read", "topics")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr == (
        "steno: 'topics' may be any of 3 pages\n"
        "  → say which: topics/infrastructure/web-servers.md, topics/people/sam.md, topics/projects/shop.md\n"
    )


@pytest.mark.parametrize(
    "name",
    ["../../secret.md", "../../secret", "{home}/secret.md", "..", "/etc/passwd", ".git/notes", "notes.txt",
     ".task-0123456789ab.json", "../steno.db", "x" * 5_000, "a\nb", "", "topics/people/../../handoff.md"],
)  # fmt: skip
def test_what_is_not_among_the_pages_is_not_read(steno, home, name):
    answer = steno("read", name.format(home=home))
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert "no page is called" in answer.stderr


def test_links_are_neither_listed_nor_followed(steno, home, notebook):
    (notebook / "link.md").symlink_to(home / "secret.md")
    (notebook / "topics" / "out").symlink_to(home)
    os.mkfifo(notebook / "pipe.md")
    assert not {*names(steno)} & {"link.md", "topics/out/secret.md", "pipe.md"}
    assert "no page is called" in steno("read", "link").stderr


def test_what_is_too_long_is_not_read(steno, notebook):
    (notebook / "long.md").write_text("x" * 1_000_001)
    answer = steno("read", "long")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert "long.md is longer than 1,000,000 bytes" in answer.stderr


def test_secrets_and_terminal_escapes_do_not_get_out(steno, notebook):
    token = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"
    (notebook / "rules.md").write_text(f"use {token}\x1b[2J\r\nand go on\r\n")
    told = steno("read", "rules").stdout
    assert token not in told
    assert "\x1b" not in told
    assert told.endswith("\nand go on\n")


def test_of_a_project_nothing_is_read_that_is_not_its_own(steno, home):
    (home / "shop").mkdir()
    assert names(steno, "--project", home / "shop") == []
    assert "there are no pages yet" in steno("read", "handoff", "--project", home / "shop").stderr


def test_in_a_project_its_own_pages_are_listed_and_any_other_is_read_by_its_name(steno, home, monkeypatch):
    (home / "shop" / ".git").mkdir(parents=True)
    monkeypatch.chdir(home / "shop")
    assert names(steno) == []
    assert steno("read", "handoff").stdout == "# Handoff\n"


def test_where_nothing_was_written_yet_it_says_so(steno, notebook):
    notebook.rename(notebook.with_name("elsewhere"))
    assert steno("read").stdout == (
        "No pages here yet. `steno notebook sync` writes them; `steno read --everywhere` lists all there are.\n"
    )
    assert "there are no pages yet" in steno("read", "rules").stderr
