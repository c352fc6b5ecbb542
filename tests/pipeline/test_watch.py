"""Watching: what is appended is in the journal a moment later, by events or by the net under them."""

import queue
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

import steno.pipeline.watch as watching
from steno.memory import Memory
from steno.testing import house, said, texts, write_jsonl
from steno.vocabulary import Captured

from ..conftest import PATIENCE


@contextmanager
def watched(memory: Memory, place: Path) -> Iterator["queue.Queue[Captured]"]:
    """A watch in another thread; what it tells arrives in the queue."""
    told: queue.Queue[Captured] = queue.Queue()
    stop = threading.Event()
    thread = threading.Thread(target=lambda: memory.watch(place, told=told.put, stop=stop.is_set))
    thread.start()
    try:
        told.get(timeout=PATIENCE)
        yield told
    finally:
        stop.set()
        thread.join(timeout=PATIENCE)
        assert not thread.is_alive()


def wait_for_lines(told: "queue.Queue[Captured]", lines: int) -> None:
    """Until so many lines were read."""
    until = monotonic() + PATIENCE
    while lines > 0:
        lines -= told.get(timeout=until - monotonic()).lines_read


def wait_for(told: "queue.Queue[Captured]", turns: int) -> None:
    """Until so many new turns have been told; a rescan also tells that there are none."""
    until = monotonic() + PATIENCE
    while turns > 0:
        turns -= told.get(timeout=max(0.0, until - monotonic())).turns


def test_a_line_appended_to_a_watched_file_arrives(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "in" / "t.jsonl", said("one"))
    with house(tmp_path) as memory, watched(memory, tmp_path / "in") as told:
        write_jsonl(path, said("two"))
        wait_for(told, 1)
        assert texts(memory) == ["one", "two"]


def test_a_new_file_in_a_new_folder_arrives(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with house(tmp_path) as memory, watched(memory, tmp_path / "in") as told:
        write_jsonl(tmp_path / "in" / "new" / "t.jsonl", said("hello"))
        wait_for(told, 1)
        assert texts(memory) == ["hello"]


def test_the_rescan_finds_what_no_event_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_jsonl(tmp_path / "in" / "t.jsonl", said("one"))
    monkeypatch.setattr(watching, "_transcript_of", lambda path: "/nowhere")
    with house(tmp_path, rescan_seconds="0") as memory, watched(memory, tmp_path / "in") as told:
        write_jsonl(path, said("two"))
        wait_for(told, 1)
        assert texts(memory) == ["one", "two"]


def test_a_place_that_does_not_exist_yet_is_waited_for(tmp_path: Path) -> None:
    with house(tmp_path, rescan_seconds="0") as memory, watched(memory, tmp_path / "later" / "on") as told:
        write_jsonl(tmp_path / "later" / "on" / "t.jsonl", said("here I am"))
        wait_for(told, 1)
        assert texts(memory) == ["here I am"]


def test_what_is_read_while_paused_is_dropped(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "in" / "t.jsonl", said("one"))
    with house(tmp_path, rescan_seconds="0") as memory, watched(memory, tmp_path / "in") as told:
        memory.pause()
        while not told.empty():
            told.get()
        write_jsonl(path, said("two"))
        wait_for_lines(told, 1)
        assert texts(memory) == ["one"]
        memory.resume()
        write_jsonl(path, said("three"))
        wait_for(told, 1)
        assert texts(memory) == ["one", "three"]


def test_a_row_added_to_a_hosts_database_arrives(tmp_path: Path) -> None:
    """The change shows first in the write-ahead log beside it. (The host is another program, so another SQLite.)"""
    place = tmp_path / "in" / "agents" / "ada" / "agent"
    place.mkdir(parents=True)
    host = sqlite3.connect(place / "openclaw-agent.sqlite", isolation_level=None)
    host.executescript(
        "PRAGMA journal_mode = WAL;"
        "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,"
        " event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));"
        "CREATE TABLE transcript_rewrite_watermarks (session_id TEXT, generation TEXT, updated_at INTEGER);"
        "CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT, entry_json TEXT, created_via TEXT,"
        " parent_session_key TEXT, spawned_by TEXT);"
        "CREATE TABLE session_windows (session_id TEXT, session_key TEXT, previous_session_id TEXT, reason TEXT);"
    )
    row = '{"type":"message","id":"e%d","message":{"role":"user","content":"row %d"}}'
    insert = "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES ('s', ?, ?, 0)"
    host.execute(insert, (0, row % (0, 0)))
    with house(tmp_path) as memory, watched(memory, tmp_path / "in") as told:
        host.execute(insert, (1, row % (1, 1)))
        wait_for(told, 1)
        assert texts(memory) == ["row 0", "row 1"]
    host.close()
