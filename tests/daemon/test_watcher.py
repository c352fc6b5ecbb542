"""Capture and scribe in the daemon: who waits is served first, and nobody waits longer than they said."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from steno.daemon.health import Health
from steno.daemon.nudges import MOST, Nudge, Nudges
from steno.daemon.vectors import Vectors
from steno.daemon.watcher import Watcher
from steno.memory import Memory
from steno.testing import said, texts, write_jsonl

from ..conftest import PATIENCE, wait_until

REFUSAL = "no, never change the payments table by hand"
Open = Callable[[], Memory]
# More than the scribe reads at once.
TURNS = 2_000
PROJECTS = ".claude/projects"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "STENO_EMBEDDING": "off"}


@pytest.fixture
def opened(tmp_path: Path, environment: dict[str, str]) -> Open:
    return lambda: Memory(tmp_path / "steno", environment=environment, reads_on=False)


@contextmanager
def scribing(watcher: Watcher, opened: Open, stop: threading.Event) -> Iterator[None]:
    """The scribe's thread at work."""

    def work() -> None:
        with opened() as memory:
            watcher.scribe(memory)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        watcher.nudges.close()
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.fixture
def watcher(tmp_path: Path, environment: dict[str, str], opened: Open) -> Iterator[Watcher]:
    stop = threading.Event()
    one = Watcher(tmp_path / "steno", environment, Health(lambda _: None), stop)
    with scribing(one, opened, stop):
        yield one


def test_after_a_flush_the_transcript_is_captured_and_its_session_understood(
    watcher: Watcher, opened: Open, tmp_path: Path
) -> None:
    path = write_jsonl(tmp_path / PROJECTS / "t.jsonl", said(REFUSAL, session="talk"))
    watcher.flush(str(path), "talk", PATIENCE)
    with opened() as memory:
        assert texts(memory) == [REFUSAL]
        assert REFUSAL in [entry.evidence[0].quote for entry in memory.entries()]


@pytest.mark.parametrize("path", ["/nowhere/at/all", "/", ""])
def test_a_flush_of_what_is_no_transcript_reads_nothing(watcher: Watcher, opened: Open, path: str) -> None:
    watcher.flush(path, "nobody", PATIENCE)
    with opened() as memory:
        assert (texts(memory), memory.status().problems) == ([], [])


def test_a_flush_while_capture_is_paused_captures_nothing(watcher: Watcher, opened: Open, tmp_path: Path) -> None:
    with opened() as memory:
        memory.pause()
        watcher.flush(str(write_jsonl(tmp_path / PROJECTS / "t.jsonl", said(REFUSAL))), "s1", PATIENCE)
        assert texts(memory) == []


def test_nothing_is_captured_by_itself_where_the_user_does_that_by_hand(
    tmp_path: Path, environment: dict[str, str], opened: Open
) -> None:
    environment["STENO_AUTO_CAPTURE"] = "off"
    stop = threading.Event()
    watcher = Watcher(tmp_path / "steno", environment, Health(lambda _: None), stop)
    path = write_jsonl(tmp_path / PROJECTS / "t.jsonl", said(REFUSAL))
    with scribing(watcher, opened, stop), opened() as memory:
        watcher.flush(str(path), None, PATIENCE)
        assert texts(memory) == []
        memory.capture(path)
        assert texts(memory) == [REFUSAL]


def test_what_is_looked_at_later_arrives(watcher: Watcher, opened: Open, tmp_path: Path) -> None:
    watcher.later(str(write_jsonl(tmp_path / PROJECTS / "t.jsonl", said(REFUSAL))))
    with opened() as memory:
        wait_until(lambda: memory.entries())


def test_nobody_waits_for_a_scribe_that_is_not_there(tmp_path: Path, environment: dict[str, str]) -> None:
    one = Watcher(tmp_path / "steno", environment, Health(lambda _: None), threading.Event())
    began = time.monotonic()
    one.flush("/t", "talk", 0.2)
    assert time.monotonic() - began >= 0.2


def test_the_scribe_leaves_a_long_history_for_somebody_who_waits(
    tmp_path: Path, environment: dict[str, str], opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, looked, give_way = threading.Event(), threading.Event(), Watcher._give_way

    def after_a_portion(self: Watcher, turns: int) -> None:
        """After the first portion somebody comes; there is no second one until we have looked."""
        if begun.is_set():
            looked.wait(PATIENCE)
        begun.set()
        wait_until(lambda: self.nudges.pressing() or looked.is_set())
        give_way(self, turns)

    monkeypatch.setattr(Watcher, "_give_way", after_a_portion)
    history = write_jsonl(
        tmp_path / "history.jsonl",
        *(said(f"please look at file {n} of the shop", session="old") for n in range(TURNS)),
    )
    path = write_jsonl(tmp_path / PROJECTS / "t.jsonl", said(REFUSAL, session="talk"))
    stop = threading.Event()
    one = Watcher(tmp_path / "steno", environment, Health(lambda _: None), stop)
    with opened() as memory:
        memory.capture(history)
        with scribing(one, opened, stop):
            try:
                assert begun.wait(PATIENCE)
                one.flush(str(path), "talk", PATIENCE)
                assert memory.entries(session="talk")
                assert 0 < memory.checkpoint("old").turn < TURNS
            finally:
                looked.set()


def test_nudges_are_bounded_urgent_first_and_the_same_only_once() -> None:
    nudges = Nudges()
    assert all(nudges.put(Nudge(f"/t{number % 100}")) for number in range(MOST))
    assert len(nudges) == 100
    urgent = Nudge("/now", "talk", urgent=True)
    assert nudges.put(urgent)
    assert nudges.pressing()
    assert nudges.take(0) is urgent
    while nudges.put(Nudge("/more", urgent=True)):
        pass
    assert len(nudges) == MOST
    nudges.close()
    assert (len(nudges), nudges.take(9), nudges.put(Nudge("/late"))) == (0, None, False)


def test_vectors_are_made_by_a_process_that_ends(tmp_path: Path, environment: dict[str, str], made_model: Path) -> None:
    home = tmp_path / "steno"
    shutil.copytree(made_model, home / "derived" / "models")
    environment["STENO_EMBEDDING"] = "minilm"
    health = Health(lambda _: None)
    with Memory(home, environment=environment | {"STENO_EMBEDDING": "off"}) as memory:
        memory.capture(write_jsonl(tmp_path / PROJECTS / "t.jsonl", said(REFUSAL)))
        vectors = Vectors(home, environment, health, quiet_seconds=0)
        try:
            wait_until(lambda: vectors.go_round() or memory.recallable().vectors)
        finally:
            vectors.close()
    assert health.vitals().problems == []


def test_a_process_for_vectors_that_fails_is_a_problem_in_words(tmp_path: Path, environment: dict[str, str]) -> None:
    home = tmp_path / "steno"
    home.mkdir()
    (home / "steno.db").write_bytes(b"no database" * 1000)
    health = Health(lambda _: None)
    vectors = Vectors(home, environment | {"STENO_EMBEDDING": "minilm"}, health, quiet_seconds=0)
    wait_until(lambda: vectors.go_round() or health.vitals().problems)
    assert "is damaged" in health.vitals().problems[0]
