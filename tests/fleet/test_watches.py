"""Watch: a file that changes is a flag; what is only touched is none."""

import os
from pathlib import Path

import pytest

from steno.fleet import files
from steno.memory import Memory
from steno.testing import made_up
from steno.vocabulary.errors import UnknownWatch, WrongUse


def looked(memory: Memory) -> tuple[str, ...]:
    [run] = memory.upkeep.run("watch")
    assert run.state == "ok", run.error
    return run.report.lines


def raised(memory: Memory) -> list[tuple[str, str]]:
    return [(flag.raised_by, flag.text) for flag in memory.fleet.flags()]


def test_a_file_that_changes_raises_a_flag_that_its_run_is_the_cause_of(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "deploy.toml"
    path.write_text("a = 1")
    memory.fleet.watches.add(str(path))
    assert (looked(memory), raised(memory)) == (("1 watched, nothing changed",), [])
    path.write_text("a = 2")
    assert looked(memory) == (f"{path}: 1 changed",)
    assert raised(memory) == [("watch", f"{path} changed")]
    [flag] = memory.fleet.flags()
    job, last = memory.fleet.cascade(flag.id)
    assert (job.kind, job.what, last.id) == ("job", f"watch: {path}: 1 changed", flag.id)


def test_what_is_touched_and_says_the_same_did_not_change(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "deploy.toml"
    path.write_text("a = 1")
    memory.fleet.watches.add(str(path))
    os.utime(path, (1, 1))
    assert looked(memory) == ("1 watched, nothing changed",)


def test_a_folder_says_what_came_went_and_changed(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "conf"
    (folder / "deep").mkdir(parents=True)
    for name in ("a", "b", "deep/c"):
        (folder / name).write_text(name)
    memory.fleet.watches.add(str(folder))
    (folder / "a").unlink()
    (folder / "deep/c").write_text("another")
    (folder / "new").write_text("n")
    assert looked(memory) == (f"{folder}: 1 new (new); 1 gone (a); 1 changed (deep/c)",)


def test_what_is_gone_is_told_once_and_again_when_it_is_back(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("k")
    memory.fleet.watches.add(str(path))
    path.unlink()
    assert looked(memory) == (f"{path}: it is gone",)
    assert looked(memory) == ("1 watched, nothing changed",)
    path.write_text("k")
    assert looked(memory) == (f"{path}: it is back",)
    assert {text for _, text in raised(memory)} == {f"{path} is gone", f"{path} changed"}


def test_a_folder_that_changes_all_the_time_is_one_flag_with_one_cause(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "busy"
    folder.mkdir()
    memory.fleet.watches.add(str(folder))
    for number in range(3):
        (folder / f"{number}").write_text("x")
        looked(memory)
    [flag] = memory.fleet.flags()
    assert [hop.kind for hop in memory.fleet.cascade(flag.id)] == ["job", "flag"]


def test_what_cannot_be_looked_through_is_not_known_and_nothing_is_raised(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    memory.fleet.watches.add(str(folder))
    monkeypatch.setattr(files, "MOST_FILES", 1)
    (folder / "1").write_text("x")
    (folder / "2").write_text("x")
    [line] = looked(memory)
    assert line.startswith(f"not known: {folder} holds more than 1 files")
    assert raised(memory) == []
    with pytest.raises(WrongUse, match="holds more than"):
        memory.fleet.watches.add(str(folder))


def test_a_pipe_or_a_link_in_a_folder_is_never_opened(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "zero").symlink_to("/dev/zero")
    (folder / "loop").symlink_to(folder)
    watched = memory.fleet.watches.add(str(folder))
    assert sorted(watched.files or ()) == ["loop", "pipe", "zero"]


def test_no_word_of_a_watched_file_is_kept(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_text("a zebra in the kitchen")
    memory.fleet.watches.add(str(path))
    path.write_text("two zebras in the kitchen")
    looked(memory)
    stored = b"".join(one.read_bytes() for one in memory.home.root.iterdir() if one.is_file())
    assert b"zebra" not in stored


def test_a_secret_in_the_name_of_a_file_is_not_kept(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    text, [secret] = made_up("ghp_{base62:36}")
    (folder / f"dump-of-{text}.txt").write_text("x")
    memory.fleet.watches.add(str(folder))
    (folder / f"dump-of-{text}.txt").write_text("y")
    [line] = looked(memory)
    assert line.startswith(f"{folder}: 1 changed (dump-of-")
    stored = b"".join(one.read_bytes() for one in memory.home.root.iterdir() if one.is_file())
    assert secret.encode() not in stored


def test_a_path_that_is_not_there_or_not_watched_is_an_error(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="nothing is at"):
        memory.fleet.watches.add(str(tmp_path / "none"))
    with pytest.raises(UnknownWatch, match="is not watched"):
        memory.fleet.watches.remove(str(tmp_path / "none"))
