"""A store that cannot be written, is full, locked, damaged or not ours: nothing is lost, and the user is told."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from steno.sources import files
from steno.testing import house, said, texts, write_jsonl
from steno.vocabulary import StenoError
from steno.vocabulary.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreLost, StoreTooNew

from ..conftest import Begin

WORDS = [f"word{number}" for number in range(30)]


@pytest.fixture(autouse=True)
def quick_stores() -> None:
    """Disks are what this is about: each store is made in full and written through."""


def transcript(folder: Path, *, ids: bool = True) -> Path:
    """A few words by a person, the rest by a tool, so that the scribe has little to do."""
    lines = [said(word, role="user" if place < 4 else "tool") for place, word in enumerate(WORDS)]
    return write_jsonl(folder / "t.jsonl", *({**line, "id": line["text"]} if ids else line for line in lines))


def unsound(folder: Path) -> list[str]:
    """What doctor finds wrong."""
    with house(folder) as memory:
        return [f"{check.name}: {check.detail}" for check in memory.doctor() if not check.ok]


# -- full and failing disks ------------------------------------------------------------------------------------------


def io_error() -> Exception:
    """What SQLite hears when the disk itself gives up."""
    error = apsw.IOError("disk I/O error")
    error.extendedresult = apsw.SQLITE_IOERR_WRITE
    return error


def work(folder: Path) -> None:
    """Open, capture in small batches, forget one turn, close: every kind of writing."""
    with house(folder) as memory:
        memory.capture(folder / "t.jsonl", source="jsonl")
        memory.forget(text="word7")


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A store with something in it already."""
    folder = tmp_path / "template"
    write_jsonl(folder / "t.jsonl", said("first", id="first"))
    with house(folder) as memory:
        memory.capture(folder / "t.jsonl", source="jsonl")
    transcript(folder)
    return folder


def requests(disk: Any, folder: Path, on: set[str]) -> int:
    """How often the disk is asked when nothing fails."""
    with disk.failing(None, error=io_error, on=on):
        work(folder)
    return int(disk.calls)


@pytest.mark.parametrize("for_ever", [False, True], ids=["once", "for ever"])
@pytest.mark.parametrize(
    ("error", "on", "expected"),
    [
        (apsw.FullError, {"write"}, StoreFull),
        (io_error, {"write"}, StoreError),
        (io_error, {"sync"}, StoreError),
        (io_error, {"truncate"}, StoreError),
        (io_error, {"open"}, StoreError),
    ],
    ids=["full", "write", "sync", "truncate", "open"],
)
@pytest.mark.parametrize("fresh", [True, False], ids=["new store", "old store"])
def test_wherever_the_disk_fails_the_store_stays_sound_and_the_next_capture_completes(
    tmp_path: Path,
    template: Path,
    disk: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Callable[[], Exception],
    on: set[str],
    expected: type[StoreError],
    for_ever: bool,
    fresh: bool,
) -> None:
    monkeypatch.setattr(files, "BLOCK", 600)

    def folder(name: str) -> Path:
        if fresh:
            shutil.copytree(template, tmp_path / name, ignore=shutil.ignore_patterns("steno"))
        else:
            shutil.copytree(template, tmp_path / name)
        return tmp_path / name

    total = requests(disk, folder("counting"), on)
    told = []
    # A disk that is full once, at every single write to a store with something in it; of the rest the first few, where
    # the store is made, and then every few.
    every = 1 if expected is StoreFull and not (for_ever or fresh) else max(1, total // 8)
    for number in [*range(1, min(total, 6) + 1), *range(7, total + 1, every)]:
        place = folder(f"at-{number}")
        with disk.failing(number, error=error, on=on, for_ever=for_ever):
            try:
                work(place)
            except StoreError as failure:
                told.append(failure)
        assert unsound(place) == []
        work(place)
        with house(place) as memory:
            assert sorted(texts(memory)) == sorted(["first", *(word for word in WORDS if word != "word7")])
        shutil.rmtree(place)
    assert all(isinstance(failure, expected) and failure.hint for failure in told), told
    if for_ever and on != {"truncate"}:
        assert told


def test_a_store_that_may_not_grow_says_so_and_goes_on_when_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", *(said(f"{number} " + "word " * 500) for number in range(200)))
    monkeypatch.setattr(files, "BLOCK", 20_000)
    with house(tmp_path) as memory:
        connection = memory.home.store._database._connection  # type: ignore[attr-defined]
        limit = next(connection.execute("PRAGMA max_page_count"))[0]
        pages = next(connection.execute("PRAGMA page_count"))[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 40}")
        with pytest.raises(StoreFull) as full:
            memory.capture(path, source="jsonl")
        assert (full.value.hint, full.value.retry) == ("free some space; nothing was lost", True)
        assert 0 < len(texts(memory)) < 200
        connection.execute(f"PRAGMA max_page_count = {limit}")
        memory.capture(path, source="jsonl")
        assert [int(text.split()[0]) for text in texts(memory)] == list(range(200))
    assert unsound(tmp_path) == []


# -- rights ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others may look into (pytest's own may not be)."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def as_nobody(act: Callable[[], object]) -> str:
    """What an ordinary user hears: the error's class and hint, or the result. Root may write anywhere."""
    if os.geteuid() != 0:
        return _told(act)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            os.write(writing, _told(act).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return told


def _told(act: Callable[[], object]) -> str:
    try:
        return str(act())
    except StenoError as error:
        return f"{type(error).__name__}: {error.hint}"
    except BaseException as error:  # a traceback is what this is here to catch
        return f"a traceback: {error!r}"


def _turns(folder: Path) -> Callable[[], list[str]]:
    def turns() -> list[str]:
        with house(folder) as memory:
            memory.capture(folder / "t.jsonl", source="jsonl")
            return texts(memory)

    return turns


def test_a_home_that_may_not_be_made_is_told_with_what_to_do(open_folder: Path) -> None:
    transcript(open_folder)
    _turns(open_folder)()  # everything is imported before the rights are given up
    shutil.rmtree(open_folder / "steno")
    assert as_nobody(_turns(open_folder)) == "StoreReadOnly: set STENO_HOME to a folder you may write"


def test_a_home_that_may_not_be_written_is_told_with_what_to_do(open_folder: Path) -> None:
    transcript(open_folder)
    _turns(open_folder)()
    home = open_folder / "steno"
    for path in (home, *home.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = (home / "steno.db").read_bytes()
    write_jsonl(open_folder / "t.jsonl", said("new"))
    assert as_nobody(_turns(open_folder)) == "StoreReadOnly: check the rights of the folder, or set STENO_HOME"
    assert (home / "steno.db").read_bytes() == before


def test_a_home_that_may_not_be_read_is_told_without_a_traceback(open_folder: Path) -> None:
    transcript(open_folder)
    _turns(open_folder)()
    (open_folder / "steno").chmod(0o700)
    assert as_nobody(_turns(open_folder)).startswith(("StoreReadOnly: ", "BadSetting: "))


def test_a_home_is_for_its_owner_only(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(transcript(tmp_path), source="jsonl")
        modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "steno").iterdir()}
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "steno").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("what", ["home", "steno.db"])
def test_something_else_in_its_place_is_told_without_a_traceback(tmp_path: Path, what: str) -> None:
    if what == "home":
        (tmp_path / "steno").write_text("a file")
    else:
        (tmp_path / "steno" / "steno.db").mkdir(parents=True)
    with pytest.raises(StenoError) as told, house(tmp_path):
        pass
    assert told.value.hint


# -- locks -----------------------------------------------------------------------------------------------------------


def hold(path: Path, *, until: threading.Event, held: threading.Event) -> threading.Thread:
    """Somebody else who keeps the store's write lock."""

    def hold() -> None:
        connection = apsw.Connection(str(path))
        connection.execute("BEGIN IMMEDIATE")
        held.set()
        until.wait()
        connection.execute("ROLLBACK")
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    return thread


def test_a_store_locked_for_longer_than_we_wait_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    path, free = transcript(tmp_path), threading.Event()
    with house(tmp_path, busy_seconds="0.2") as memory:
        thread = hold(tmp_path / "steno" / "steno.db", until=free, held=threading.Event())
        try:
            with pytest.raises(StoreBusy, match=r"locked for 0\.2 seconds") as busy:
                memory.capture(path, source="jsonl")
        finally:
            free.set()
            thread.join()
        assert (busy.value.retry, bool(busy.value.hint)) == (True, True)
        memory.capture(path, source="jsonl")
        assert texts(memory) == WORDS


def test_a_store_locked_for_shorter_than_we_wait_is_waited_for(tmp_path: Path) -> None:
    path, free = transcript(tmp_path), threading.Event()
    with house(tmp_path) as memory:
        thread = hold(tmp_path / "steno" / "steno.db", until=free, held=threading.Event())
        threading.Timer(0.3, free.set).start()
        try:
            assert memory.capture(path, source="jsonl").turns == len(WORDS)
            assert free.is_set()
        finally:
            free.set()
            thread.join()
        assert texts(memory) == WORDS


def test_a_store_can_be_opened_and_read_while_another_process_writes(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(transcript(tmp_path), source="jsonl")
    free = threading.Event()
    thread = hold(tmp_path / "steno" / "steno.db", until=free, held=threading.Event())
    try:
        with house(tmp_path, busy_seconds="0.1") as memory:
            assert texts(memory) == WORDS
            assert memory.recall("word3")[0].text == "word3"
            assert memory.status().turns == len(WORDS)
    finally:
        free.set()
        thread.join()


CAPTURE = """
import sys
from pathlib import Path
from steno.sources import files
from steno.testing import house
files.BLOCK = 300
folder = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
with house(folder) as memory:
    report = memory.capture(folder / "t", source="jsonl")
    print(report.turns, report.problems)
"""


@pytest.mark.parametrize("readers", [2, 4])
@pytest.mark.parametrize("ids", [True, False])
def test_captures_at_the_same_time_bring_every_turn_exactly_once(
    tmp_path: Path, begin: Begin, readers: int, ids: bool
) -> None:
    for number in range(3):
        words = [f"{number} {word}" for word in WORDS]
        lines = [said(word, session=f"s{number}", **({"id": word} if ids else {})) for word in words]
        write_jsonl(tmp_path / "t" / f"{number}.jsonl", *lines, "bad")
    command = [sys.executable, "-c", CAPTURE, str(tmp_path)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    started = [begin(command, text=True, **pipes) for _ in range(readers)]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    ends = [process.communicate() for process in started]
    assert [end[1] for end in ends] == [""] * readers
    assert [process.returncode for process in started] == [0] * readers
    assert sum(int(out.split()[0]) for out, _ in ends) == 3 * len(WORDS)
    assert [out.split(maxsplit=1)[1] for out, _ in ends] == ["[]\n"] * readers
    with house(tmp_path) as memory:
        assert sorted(texts(memory)) == sorted(f"{number} {word}" for number in range(3) for word in WORDS)
        for number in range(3):
            assert [item.turn.text for item in memory.turns(f"s{number}")] == [f"{number} {word}" for word in WORDS]
        assert (memory.status().lines_seen, memory.status().lines_bad) == (3 * len(WORDS) + 3, 3)
    assert unsound(tmp_path) == []


# -- not ours, not sound ---------------------------------------------------------------------------------------------


def test_a_store_of_a_newer_steno_is_left_alone(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(transcript(tmp_path), source="jsonl")
    store = tmp_path / "steno" / "steno.db"
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = store.read_bytes()
    with pytest.raises(StoreTooNew, match="version 999") as told, house(tmp_path):
        pass
    assert told.value.hint == "upgrade Steno on this machine"
    assert store.read_bytes() == before


@pytest.mark.parametrize("content", [b"this is no database at all, but a letter. " * 100, b"\0" * 5000, b"\xff" * 700])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    store = tmp_path / "steno" / "steno.db"
    store.parent.mkdir()
    store.write_bytes(content)
    with pytest.raises(StoreDamaged) as told, house(tmp_path):
        pass
    assert told.value.hint.startswith("it is left as it is")
    assert store.read_bytes() == content


@pytest.mark.parametrize("version", [0, 1, 7])
def test_somebody_elses_database_is_left_alone(tmp_path: Path, version: int) -> None:
    store = tmp_path / "steno" / "steno.db"
    store.parent.mkdir()
    with sqlite3.connect(store) as connection:
        connection.execute("CREATE TABLE accounts (name TEXT)")
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = store.read_bytes()
    with pytest.raises(StoreDamaged, match=r"not Steno's .*accounts") as told, house(tmp_path):
        pass
    assert told.value.hint == "point STENO_HOME at another folder"
    assert store.read_bytes() == before
    assert [path.name for path in store.parent.iterdir()] == ["steno.db"]


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_store_is_told_by_doctor_and_never_a_traceback(tmp_path: Path, seed: int) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", *(said(f"{number} " + "word " * 100, id=number) for number in range(300)))
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
    store = tmp_path / "steno" / "steno.db"
    content, dice = bytearray(store.read_bytes()), random.Random(seed)
    for _ in range(40):
        place = dice.randrange(4096, len(content) - 64)
        content[place : place + 64] = dice.randbytes(64)
    store.write_bytes(content)
    with contextlib.suppress(StoreError), house(tmp_path) as memory:
        assert [check for check in memory.doctor() if not check.ok]
        memory.recall("word")
        memory.capture(path, source="jsonl")


# -- a store that is gone ----------------------------------------------------------------------------------------------


def remove(store: Path) -> None:
    store.unlink()


def empty(store: Path) -> None:
    store.write_bytes(b"")


def drop_schema(store: Path) -> None:
    store.unlink()
    with contextlib.closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("VACUUM")


@pytest.mark.parametrize("lose", [remove, empty, drop_schema])
@pytest.mark.parametrize("left", ["everything", "only what was made of it"])
def test_a_store_that_is_gone_is_told_and_no_new_one_is_made(
    tmp_path: Path, lose: Callable[[Path], None], left: str
) -> None:
    with house(tmp_path) as memory:
        memory.capture(transcript(tmp_path), source="jsonl")
        memory.embed()
    store = tmp_path / "steno" / "steno.db"
    kept = store.read_bytes()
    lose(store)
    if left != "everything":
        (tmp_path / "steno" / "steno.made").unlink()
    before = {path.name: path.stat().st_size for path in store.parent.iterdir()}
    with pytest.raises(StoreLost) as told, house(tmp_path):
        pass
    assert told.value.message == f"the store {store} is gone or empty, but {store.parent} was in use before"
    assert told.value.hint == f"put a backup of steno.db back; to begin anew, move {store.parent} away first"
    assert {path.name: path.stat().st_size for path in store.parent.iterdir()} == before

    store.write_bytes(kept)  # the backup
    with house(tmp_path) as memory:
        assert texts(memory) == WORDS


def test_a_home_with_settings_a_model_or_an_empty_file_in_it_is_a_new_one(tmp_path: Path) -> None:
    home = tmp_path / "steno"
    (home / "derived" / "models").mkdir(parents=True)
    (home / "spool").mkdir()
    (home / "settings.toml").write_text("hook_ms = 200\n")
    (home / "daemon.log").write_text("")
    (home / "steno.db").write_bytes(b"")
    with house(tmp_path) as memory:
        memory.capture(transcript(tmp_path), source="jsonl")
        assert texts(memory) == WORDS


def test_after_a_move_a_new_one_is_begun(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.remember("the port is 8080", category="fact")
    (tmp_path / "steno").rename(tmp_path / "before")
    with house(tmp_path) as memory:
        assert memory.entries() == []
