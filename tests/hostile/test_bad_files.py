"""Files that are not what they seem, or do not stay what they are: named, counted, and the neighbours are read."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steno.sources import discover, files
from steno.sources.files import TranscriptFile
from steno.testing import house, said, texts, write_jsonl
from steno.vocabulary import Captured, Problem, Turn
from steno.vocabulary.errors import UnknownSource

ROOT = os.geteuid() == 0


@pytest.fixture
def neighbour(tmp_path: Path) -> Path:
    """A good transcript beside the bad one, and the newest."""
    path = write_jsonl(tmp_path / "t" / "neighbour.jsonl", said("neighbour", session="n", id="1"))
    os.utime(path, (4e9, 4e9))
    return path


def captured(tmp_path: Path) -> tuple[list[str], list[Problem]]:
    """Words and problems of capturing the whole folder; the store is sound afterwards."""
    with house(tmp_path) as memory:
        report = memory.capture(tmp_path / "t", source="jsonl")
        assert [check for check in memory.doctor() if not check.ok] == []
        return texts(memory), report.problems


@pytest.fixture
def forbid(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Take away the right to read. Root has every right, so for root the system call is played."""

    def forbid(path: Path) -> None:
        path.chmod(0)
        if not ROOT:
            return
        real = os.open

        def refuse(name: str, *more: int) -> int:
            if str(name) == str(path) and not path.stat().st_mode & 0o400:
                raise PermissionError(13, "Permission denied", name)
            return real(name, *more)

        monkeypatch.setattr(files.os, "open", refuse)

    return forbid


@pytest.fixture
def after_look(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], None]], None]:
    """Have something happen between looking at a file and opening it."""

    def between(happen: Callable[[str], None]) -> None:
        def look(path: str) -> os.stat_result:
            facts = files.look(path)
            happen(path)
            return facts

        monkeypatch.setattr(discover, "look", look)

    return between


@pytest.fixture
def after_batch(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Have something happen once the first lines of a file are stored, in small blocks."""
    monkeypatch.setattr(files, "BLOCK", 64)

    def between(happen: Callable[[], None]) -> None:
        real = TranscriptFile.blocks

        def blocks(self: TranscriptFile) -> Iterator[files.Block]:
            found = real(self)
            yield next(found)
            monkeypatch.setattr(TranscriptFile, "blocks", real)
            happen()
            yield from found

        monkeypatch.setattr(TranscriptFile, "blocks", blocks)

    return between


def lines(*words: str, ids: bool = True) -> list[dict[str, str]]:
    return [said(word, id=word) if ids else said(word) for word in words]


MANY = [f"word{number}" for number in range(20)]


# -- files that change -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ids", [True, False])
def test_a_truncated_file_is_read_again_from_its_start(tmp_path: Path, ids: bool) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", *lines("one", "two", "three", ids=ids))
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        os.truncate(path, path.stat().st_size // 3)
        assert memory.capture(path, source="jsonl").turns == 0
        write_jsonl(path, *lines("four", ids=ids))
        assert memory.capture(path, source="jsonl").turns == 1
        assert texts(memory) == ["one", "two", "three", "four"]


@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("before", [["one"], MANY])
def test_a_rewritten_file_keeps_what_was_said_and_adds_what_is_new(
    tmp_path: Path, ids: bool, before: list[str]
) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", *lines(*before, ids=ids))
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        inode = path.stat().st_ino
        path.write_bytes(b"")
        write_jsonl(path, *lines(before[0], "another", "third", ids=ids))
        assert path.stat().st_ino == inode
        assert memory.capture(path, source="jsonl").turns == 2
        assert texts(memory) == [*before, "another", "third"]


def test_a_capture_of_a_rewritten_file_counts_the_lines_it_read(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", "bad", "bad", *lines("one"))
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        path.write_bytes(b"")
        write_jsonl(path, *lines("two", "three", "four", "five"))
        report = memory.capture(path, source="jsonl")
        assert (report.lines_seen, report.lines_read, report.lines_bad) == (4, 4, 0)
        assert (memory.status().lines_seen, memory.status().lines_bad) == (4, 0)


@pytest.mark.parametrize("ids", [True, False])
def test_a_file_that_another_one_was_renamed_over_is_read_anew(tmp_path: Path, ids: bool) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", *lines("one", "two", ids=ids))
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        write_jsonl(tmp_path / "new", *lines("one", "two", "three", ids=ids)).replace(path)
        report = memory.capture(path, source="jsonl")
        assert (report.turns, report.lines_seen) == (1, 3)
        assert texts(memory) == ["one", "two", "three"]


@pytest.mark.parametrize("ids", [True, False])
def test_a_renamed_file_keeps_its_watermark(tmp_path: Path, ids: bool) -> None:
    path = write_jsonl(tmp_path / "t" / "old.jsonl", *lines("one", "two", ids=ids))
    with house(tmp_path) as memory:
        memory.capture(tmp_path / "t", source="jsonl")
        path.rename(tmp_path / "t" / "new.jsonl")
        assert memory.capture(tmp_path / "t", source="jsonl") == Captured(transcripts=1, unchanged=1)
        write_jsonl(tmp_path / "t" / "new.jsonl", *lines("three", ids=ids))
        assert memory.capture(tmp_path / "t", source="jsonl").lines_seen == 1
        assert texts(memory) == ["one", "two", "three"]
        assert memory.status().problems == []


def test_a_file_deleted_while_it_is_read_is_read_to_its_end(
    tmp_path: Path, neighbour: Path, after_batch: Callable[[Callable[[], None]], None]
) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", *lines(*MANY))
    after_batch(path.unlink)
    assert captured(tmp_path) == ([*MANY, "neighbour"], [])


def test_a_file_truncated_while_it_is_read_is_read_as_far_as_it_goes(
    tmp_path: Path, neighbour: Path, after_batch: Callable[[Callable[[], None]], None]
) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", *lines(*MANY))
    after_batch(lambda: os.truncate(path, 0))
    found, problems = captured(tmp_path)
    assert (found[-1], problems) == ("neighbour", [])
    write_jsonl(path, *lines(*MANY))
    found, problems = captured(tmp_path)
    assert (sorted(found), problems) == (sorted([*MANY, "neighbour"]), [])


def test_a_file_that_grows_while_it_is_read_is_read_to_its_new_end(
    tmp_path: Path, neighbour: Path, after_batch: Callable[[Callable[[], None]], None]
) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", *lines(*MANY))
    after_batch(lambda: write_jsonl(path, *lines("late")) and None)
    assert captured(tmp_path) == ([*MANY, "late", "neighbour"], [])
    assert captured(tmp_path) == ([*MANY, "late", "neighbour"], [])


def test_a_file_deleted_before_its_end_was_read_leaves_a_gap_that_is_shown(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", *lines("one"))
    path.write_bytes(path.read_bytes() + b'{"torn')
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        path.unlink()
        assert memory.capture(path, source="jsonl").gaps == 1
        assert memory.capture(path, source="jsonl").gaps == 0
        status = memory.status()
        assert (status.gaps, status.problems) == (1, [Problem(str(path), "deleted before it was read to the end")])
        assert texts(memory) == ["one"]


# -- things that are no files ----------------------------------------------------------------------------------------


def test_a_link_that_leads_back_up_is_not_followed_for_ever(tmp_path: Path, neighbour: Path) -> None:
    (tmp_path / "t" / "deep").mkdir()
    (tmp_path / "t" / "deep" / "up").symlink_to(tmp_path / "t")
    assert captured(tmp_path) == (["neighbour"], [])


def test_a_link_to_itself_is_a_problem_and_its_neighbour_is_read(tmp_path: Path, neighbour: Path) -> None:
    link = tmp_path / "t" / "a.jsonl"
    link.symlink_to(link)
    found, problems = captured(tmp_path)
    assert (found, [problem.path for problem in problems]) == (["neighbour"], [str(link)])


def test_a_link_to_nothing_is_a_problem_and_its_neighbour_is_read(tmp_path: Path, neighbour: Path) -> None:
    link = tmp_path / "t" / "a.jsonl"
    link.symlink_to(tmp_path / "nowhere")
    reason = "No such file or directory"
    assert captured(tmp_path) == (["neighbour"], [Problem(str(link), reason)])


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
@pytest.mark.parametrize("ids", [True, False])
def test_two_names_of_one_file_bring_its_turns_once(tmp_path: Path, link: str, ids: bool) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", *lines("one", "two", ids=ids))
    getattr(tmp_path / "t" / "b.jsonl", link)(path)
    assert captured(tmp_path) == (["one", "two"], [])
    write_jsonl(path, *lines("three", ids=ids))
    assert captured(tmp_path) == (["one", "two", "three"], [])


def test_a_pipe_is_a_problem_and_nobody_waits_for_it(tmp_path: Path, neighbour: Path) -> None:
    pipe = tmp_path / "t" / "a.jsonl"
    os.mkfifo(pipe)
    assert captured(tmp_path) == (["neighbour"], [Problem(str(pipe), "not a regular file")])


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("source", ["jsonl", None])
def test_a_file_that_turns_into_something_else_before_it_is_opened_is_a_problem(
    tmp_path: Path,
    neighbour: Path,
    after_look: Callable[[Callable[[str], None]], None],
    make: Callable[[str], None],
    source: str | None,
) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", said("one"))

    def swap(found: str) -> None:
        if found == str(path) and path.is_file():
            path.unlink()
            make(found)

    after_look(swap)
    descriptors = len(os.listdir("/proc/self/fd"))
    with house(tmp_path) as memory:
        report = memory.capture(tmp_path / "t", source=source)
        assert texts(memory) == ["neighbour"]
    assert report.problems == [Problem(str(path), "not a regular file")]
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_a_file_that_vanishes_before_it_is_opened_is_a_problem(
    tmp_path: Path, neighbour: Path, after_look: Callable[[Callable[[str], None]], None]
) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", said("one"))
    after_look(lambda found: path.unlink(missing_ok=True) if found == str(path) else None)
    reason = "cannot be opened: No such file or directory"
    assert captured(tmp_path) == (["neighbour"], [Problem(str(path), reason)])


def test_a_folder_with_the_name_of_a_file_is_looked_into(tmp_path: Path, neighbour: Path) -> None:
    write_jsonl(tmp_path / "t" / "a.jsonl" / "inside.jsonl", said("inside"))
    assert captured(tmp_path) == (["inside", "neighbour"], [])


def test_a_device_is_a_problem(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        report = memory.capture("/dev/zero", "/dev/null", source="jsonl")
    assert report.problems == [Problem(path, "not a regular file") for path in ("/dev/zero", "/dev/null")]


# -- no permission ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["jsonl", None])
def test_a_file_that_may_not_be_read_is_a_problem_until_it_may(
    tmp_path: Path, neighbour: Path, forbid: Callable[[Path], None], source: str | None
) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", said("one"))
    forbid(path)
    problem = Problem(str(path), "cannot be opened: Permission denied")
    with house(tmp_path) as memory:
        assert memory.capture(tmp_path / "t", source=source).problems == [problem]
        assert texts(memory) == ["neighbour"]
        path.chmod(0o600)
        assert memory.capture(tmp_path / "t", source=source).problems == []
        assert texts(memory) == ["neighbour", "one"]
        assert memory.status().problems == []


@pytest.mark.parametrize("source", ["jsonl", None])
def test_a_transcript_that_may_not_be_read_any_more_says_so_in_the_status_until_it_may(
    tmp_path: Path, forbid: Callable[[Path], None], source: str | None
) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", said("one"))
    problem = Problem(str(path), "cannot be opened: Permission denied")
    with house(tmp_path) as memory:
        memory.capture(path, source=source)
        write_jsonl(path, said("two"))
        forbid(path)
        assert memory.capture(path, source=source).problems == [problem]
        assert memory.status().problems == [problem]
        path.chmod(0o600)
        assert memory.capture(path, source=source).turns == 1
        assert memory.status().problems == []
        path.chmod(0)
        changed = path.stat().st_mtime_ns
        os.utime(path, ns=(0, changed + 1))
        assert memory.capture(path, source=source).problems == [problem]
        os.utime(path, ns=(0, changed))
        path.chmod(0o600)
        assert memory.capture(path, source=source).problems == []
        assert memory.status().problems == []
        assert texts(memory) == ["one", "two"]


def test_a_folder_that_may_not_be_read_is_a_problem_and_its_neighbours_are_read(
    tmp_path: Path, neighbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = write_jsonl(tmp_path / "t" / "closed" / "a.jsonl", said("one")).parent
    real = os.scandir

    def scandir(folder: str) -> Iterator[os.DirEntry[str]]:
        if str(folder) == str(closed):
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(discover.os, "scandir", scandir)
    assert captured(tmp_path) == (["neighbour"], [Problem(str(closed), "Permission denied")])


def test_a_disk_that_cannot_be_read_on_costs_the_rest_of_the_file_until_it_can(
    tmp_path: Path, neighbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_jsonl(tmp_path / "t" / "a.jsonl", *lines(*MANY))
    monkeypatch.setattr(files, "BLOCK", 200)
    real, left = TranscriptFile._read, [3]

    class Broken:
        def read(self, size: int) -> bytes:
            raise OSError(5, "Input/output error")

    def read(self: TranscriptFile) -> bytes:
        left[0] -= 1
        if left[0] == 0:
            self._stream = Broken()  # type: ignore[assignment]
        return real(self)

    monkeypatch.setattr(TranscriptFile, "_read", read)
    found, problems = captured(tmp_path)
    assert problems == [Problem(str(path), "cannot read on: Input/output error")]
    assert found == [*MANY[: len(found) - 1], "neighbour"]
    assert len(found) > 1
    assert captured(tmp_path) == ([*MANY[: len(found) - 1], "neighbour", *MANY[len(found) - 1 :]], [])


# -- names -----------------------------------------------------------------------------------------------------------


def test_a_source_nobody_knows_is_refused_with_the_known_ones(tmp_path: Path, neighbour: Path) -> None:
    with house(tmp_path) as memory, pytest.raises(UnknownSource, match="no source is called 'cluade'") as refused:
        memory.capture(neighbour, source="cluade")
    assert refused.value.hint == "the known ones are claude-code, codex, openclaw, pi, jsonl, notes, git"
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("name", ["nowhere.jsonl", "x" * 5000, "nul\0byte"])
def test_a_path_that_does_not_exist_is_a_problem_and_the_others_are_read(
    tmp_path: Path, neighbour: Path, name: str
) -> None:
    with house(tmp_path) as memory:
        report = memory.capture(tmp_path / "t", tmp_path / name, source="jsonl")
        assert texts(memory) == ["neighbour"]
    assert [problem.path for problem in report.problems] == [str(tmp_path / name)]


@pytest.mark.parametrize("name", ["new\nline.jsonl", "tab\tquote'\"$(x).jsonl", "emoji \U0001f600.jsonl", "-rf.jsonl"])
def test_a_file_may_be_called_anything_that_is_text(tmp_path: Path, neighbour: Path, name: str) -> None:
    path = write_jsonl(tmp_path / "t" / name, said("one"))
    found, problems = captured(tmp_path)
    assert (sorted(found), problems) == (["neighbour", "one"], [])
    write_jsonl(path, said("two"))
    found, problems = captured(tmp_path)
    assert (sorted(found), problems) == (["neighbour", "one", "two"], [])


@pytest.mark.parametrize("source", ["jsonl", None])
def test_a_name_that_is_no_text_is_a_problem_and_its_neighbours_are_read(
    tmp_path: Path, neighbour: Path, source: str | None
) -> None:
    file = os.fsdecode(os.fsencode(tmp_path / "t") + b"/bad\xff.jsonl")
    folder = os.fsdecode(os.fsencode(tmp_path / "t") + b"/folder\xfe")
    os.mkdir(folder)
    for path in (file, os.path.join(folder, "a.jsonl")):
        write_jsonl(Path(path), said("one"))
    reason = "its name is not valid UTF-8; rename it to have it read"
    shown = [Problem(f"{tmp_path}/t/bad\\udcff.jsonl", reason), Problem(f"{tmp_path}/t/folder\\udcfe", reason)]
    with house(tmp_path) as memory:
        assert memory.capture(tmp_path / "t", source=source).problems == shown
        assert memory.capture(file, source=source).problems == shown[:1]
        assert texts(memory) == ["neighbour"]


def test_words_that_are_no_text_find_nothing_and_raise_nothing_but_our_own_errors(
    tmp_path: Path, neighbour: Path
) -> None:
    from steno.vocabulary import StenoError

    with house(tmp_path) as memory:
        memory.capture(neighbour, source="jsonl")
        assert memory.recall("\udcff neighbour \ud800", within="turns")[0].text == "neighbour"
        assert memory.recall("neighbour", k=10**30, within="turns")[0].text == "neighbour"
        asks: list[Callable[[], object]] = [
            lambda: memory.forget(text="\udcff", only_count=True),
            lambda: list(memory.turns("\udcff")),
            lambda: memory.exclude("/x\udcff"),
            lambda: memory.forget(turn=10**30),
        ]
        for ask in asks:
            with pytest.raises(StenoError):
                ask()


def test_a_turn_is_found_under_the_name_its_session_has_whatever_that_is(tmp_path: Path) -> None:
    names = ["\0", "a\0b", "\u202e", "'; DROP TABLE turns; --", "%", "_", "x" * 100_000, "\ufeff"]
    path = write_jsonl(
        tmp_path / "t.jsonl", *(said(f"turn {number}", session=name) for number, name in enumerate(names))
    )
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        found = {name: [item.turn for item in memory.turns(name)] for name in names}
        assert found == {
            name: [Turn(role="user", kind="said", text=f"turn {number}", line=number + 1)]
            for number, name in enumerate(names)
        }
