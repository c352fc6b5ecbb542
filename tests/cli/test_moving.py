"""`steno store export` and `steno store import`."""

import json
import os
import stat

import pytest


def test_an_export_taken_in_elsewhere_is_the_same_journal(steno, talk, home, monkeypatch):
    exported, turns = steno("store", "export"), steno("turns", "talk-1", "--json").stdout
    monkeypatch.setenv("STENO_HOME", str(home / "elsewhere"))
    brought = steno("store", "import", "-", "--trust", stdin=exported.stdout_bytes)
    assert brought.stdout == "Imported 3 new turns; 0 known already.\n"
    assert steno("turns", "talk-1", "--json").stdout == turns
    (home / "export.jsonl").write_bytes(exported.stdout_bytes)
    assert json.loads(steno("store", "import", home / "export.jsonl", "--trust", "--json").stdout) == {
        "own": True, "new": {}, "known": 3, "entries": 0, "held": {}, "cut_off": False,
        "bad": [], "bad_lines": 0,
    }  # fmt: skip


@pytest.fixture
def stranger(steno, talk, home, monkeypatch):
    """An export of another home, which leaves something out and has a bad line in it."""
    steno("capture", "exclude", "/private")
    steno("entries", "remember", "Never deploy on Fridays.", "--category", "rule")
    steno("entries", "remember", "The deploy takes an hour.", "--category", "fact")
    lines = steno("store", "export").stdout_bytes.splitlines(keepends=True)
    (home / "theirs.jsonl").write_bytes(b"".join([*lines[:2], b"{}\n", *lines[2:]]))
    monkeypatch.setenv("STENO_HOME", str(home / "elsewhere"))
    return home / "theirs.jsonl"


def test_a_strangers_export_is_hearsay_and_the_report_says_so(steno, stranger):
    said = steno("store", "import", stranger)
    assert said.exit_code == 1
    assert said.stdout == (
        "Imported 3 new turns, 1 new remembered entry; 0 known already.\n"
        "This home did not write this export, or it was changed since.\n"
        "It can be found (origin `file`), and nothing is learnt from it.\n"
        "Not applied: 1 remembered entry, 1 exclusion.\n"
        "  → if it is your own export, look at it, then `steno store import --trust FILE`\n"
        "line 3: Object missing required field `type`\n"
    )
    assert json.loads(steno("status", "--json").stdout)["excluded"] == []
    assert json.loads(steno("sessions", "--json").stdout.splitlines()[0])["source"] == "import"
    assert steno("rules", "--json").stdout == ""
    [entry] = map(json.loads, steno("entries", "--json").stdout.splitlines())
    assert (entry["summary"], entry["origin"]) == ("The deploy takes an hour.", "file")
    for verb in ("recall", "believes"):
        assert "told by a file or an import" in steno(verb, "how long the deploy takes").stdout


@pytest.mark.parametrize(("typed", "excluded"), [("\n", []), ("y\n", ["/private"])])
def test_on_a_terminal_it_is_asked_whether_to_trust_a_strangers_export(steno, stranger, terminal, typed, excluded):
    _, drawn = terminal("store", "import", stranger, typed=typed)
    assert drawn.count("Trust it? [y/N]") == 1
    assert json.loads(steno("status", "--json").stdout)["excluded"] == excluded


def test_a_changed_or_cut_export_is_told_apart_from_a_whole_one(steno, talk, home):
    whole = steno("store", "export").stdout_bytes
    assert steno("store", "import", "-", stdin=whole).stdout == "Imported nothing new; 3 known already.\n"
    changed = steno("store", "import", "-", stdin=whole.replace(b"No service", b"A service"))
    hearsay = (
        "Imported nothing new; 3 known already.\n"
        "This home did not write this export, or it was changed since.\n"
        "It can be found (origin `file`), and nothing is learnt from it.\n"
        "  → if it is your own export, look at it, then `steno store import --trust FILE`\n"
    )
    assert (changed.exit_code, changed.stdout) == (0, hearsay)
    cut = steno("store", "import", "-", stdin=b"".join(whole.splitlines(keepends=True)[:-1]))
    last = "The last line is missing: the file was cut off, or is of an older Steno.\n"
    assert (cut.exit_code, cut.stdout) == (1, hearsay + last)


def test_a_line_without_end_is_not_read_into_memory(steno, talk, home, monkeypatch):
    monkeypatch.setattr("steno.pipeline.exported.LONGEST_LINE", 5000)
    lines = steno("store", "export").stdout_bytes.splitlines(keepends=True)
    said = steno("store", "import", "-", stdin=b"".join([lines[0], b"x" * 100_000, b"\n", *lines[1:]]))
    assert said.exit_code == 1
    assert [told for told in said.stdout.splitlines() if told.startswith("line ")] == ["line 2: longer than 0 MB"]


def test_an_exported_file_is_for_its_owner_only(steno, talk, home):
    before = os.umask(0)
    try:
        said = steno("store", "export", home / "out.jsonl", "--json")
    finally:
        os.umask(before)
    content = (home / "out.jsonl").read_bytes()
    assert json.loads(said.stdout) == {"file": f"{home}/out.jsonl", "lines": len(content.splitlines())}
    assert stat.S_IMODE((home / "out.jsonl").stat().st_mode) == 0o600
    assert content == steno("store", "export").stdout_bytes


def test_an_export_that_fails_leaves_the_old_file_as_it_was(steno, talk, home, monkeypatch):
    def export(self):
        yield b"{}"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("steno.memory.Memory.export", export)
    (home / "out.jsonl").write_text("the old one")
    before = sorted(os.listdir(home))
    said = steno("store", "export", home / "out.jsonl")
    assert said.exit_code == 1
    assert said.stderr.startswith(f"steno: cannot use {home}/out.jsonl: No space left on device\n")
    assert (home / "out.jsonl").read_text() == "the old one"
    assert sorted(os.listdir(home)) == before


@pytest.mark.parametrize("name", ["steno.db", "steno.db-wal"])
def test_the_store_itself_is_never_overwritten(steno, talk, home, name):
    assert steno("store", "export", home / "steno" / name).exit_code == 2
    assert steno("store", "doctor").exit_code == 0


def test_an_export_follows_a_link_and_keeps_it(steno, talk, home):
    (home / "link").symlink_to(home / "real.jsonl")
    steno("store", "export", home / "link")
    assert (home / "link").is_symlink()
    assert (home / "real.jsonl").read_bytes() == steno("store", "export").stdout_bytes


def test_an_import_that_is_not_there_is_an_error(steno, home):
    said = steno("store", "import", home / "nowhere")
    assert said.exit_code == 1
    assert said.stderr.startswith(f"steno: cannot use {home}/nowhere: No such file or directory\n  → ")


def test_what_is_no_export_is_refused(steno, talk):
    assert steno("store", "import", talk).exit_code in (1, 2)
