"""`steno export` and `steno import`."""

import json
import os
import stat

import pytest


def test_an_export_taken_in_elsewhere_is_the_same_journal(steno, talk, home, monkeypatch):
    exported, turns = steno("export"), steno("turns", "talk-1", "--json").stdout
    monkeypatch.setenv("STENO_HOME", str(home / "elsewhere"))
    assert steno("import", "-", stdin=exported.stdout_bytes).stdout == "Imported 3 new turns, 1 new entry.\n"
    assert steno("turns", "talk-1", "--json").stdout == turns
    (home / "export.jsonl").write_bytes(exported.stdout_bytes)
    assert json.loads(steno("import", home / "export.jsonl", "--json").stdout) == {"turns": 0, "entries": 0}


def test_an_exported_file_is_for_its_owner_only(steno, talk, home):
    before = os.umask(0)
    try:
        said = steno("export", home / "out.jsonl", "--json")
    finally:
        os.umask(before)
    content = (home / "out.jsonl").read_bytes()
    assert json.loads(said.stdout) == {"file": f"{home}/out.jsonl", "lines": len(content.splitlines())}
    assert stat.S_IMODE((home / "out.jsonl").stat().st_mode) == 0o600
    assert content == steno("export").stdout_bytes


def test_an_export_that_fails_leaves_the_old_file_as_it_was(steno, talk, home, monkeypatch):
    def export(self):
        yield b"{}"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("steno.memory.Memory.export", export)
    (home / "out.jsonl").write_text("the old one")
    before = sorted(os.listdir(home))
    said = steno("export", home / "out.jsonl")
    assert said.exit_code == 1
    assert said.stderr.startswith(f"steno: cannot use {home}/out.jsonl: No space left on device\n")
    assert (home / "out.jsonl").read_text() == "the old one"
    assert sorted(os.listdir(home)) == before


@pytest.mark.parametrize("name", ["steno.db", "steno.db-wal"])
def test_the_store_itself_is_never_overwritten(steno, talk, home, name):
    assert steno("export", home / "steno" / name).exit_code == 2
    assert steno("doctor").exit_code == 0


def test_an_export_follows_a_link_and_keeps_it(steno, talk, home):
    (home / "link").symlink_to(home / "real.jsonl")
    steno("export", home / "link")
    assert (home / "link").is_symlink()
    assert (home / "real.jsonl").read_bytes() == steno("export").stdout_bytes


def test_an_import_that_is_not_there_is_an_error(steno, home):
    said = steno("import", home / "nowhere")
    assert said.exit_code == 1
    assert said.stderr.startswith(f"steno: cannot use {home}/nowhere: No such file or directory\n  → ")


def test_what_is_no_export_is_refused(steno, talk):
    assert steno("import", talk).exit_code in (1, 2)
