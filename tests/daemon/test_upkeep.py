"""The memory takes care of itself while the daemon runs; and where it does not, somebody notices."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from steno import client
from steno.clock import utc_now
from steno.daemon import upkeep
from steno.daemon.health import Health
from steno.daemon.upkeep import LookingAfter
from steno.testing import SteppingClock, house
from steno.upkeep.job import Job, Report

from ..conftest import PATIENCE, wait_until
from .conftest import Daemon

WORD = "Steno has not been running since "


def carried(home: Path, event: str) -> bytes:
    """What the hook client prints for an event, run as a host runs it."""
    command = [sys.executable, "-I", "-S", client.__file__, f"{home}/{client.SOCKET}", str(int(PATIENCE * 1000))]
    payload = json.dumps({"session_id": "s", "hook_event_name": event}).encode()
    return subprocess.run([*command, "claude-code", event], input=payload, capture_output=True, check=True).stdout


def test_what_is_due_is_run_and_what_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, notes = threading.Event(), list[str]()

    def tears(*_: Any) -> Report:
        stop.set()
        raise ValueError("the page is torn")

    monkeypatch.setattr(upkeep, "_ROUND_SECONDS", 0.0)
    monkeypatch.setattr("steno.upkeep.run.all_jobs", lambda: [Job(name="audit", explain="", run=tears)])
    health = Health(notes.append)
    clock = SteppingClock("2026-03-10T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        memory.home.store.runs.keep_from("2026-03-09T12:00:00.000Z")
        LookingAfter(memory.home.root, health, stop).look_after(memory)
        assert memory.status().flags == ["upkeep: audit failed (`steno upkeep explain audit`)"]
        assert "upkeep: audit failed" in memory.boot().text
    assert notes == ["upkeep: audit failed, 0 changed", "upkeep audit: ValueError: the page is torn"]
    assert health.vitals().problems == ["upkeep audit: ValueError: the page is torn"]


def test_where_nobody_looked_after_a_memory_for_long_it_says_so_by_itself(tmp_path: Path) -> None:
    clock = SteppingClock("2026-03-10T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        memory.home.store.runs.keep_from(clock())
        clock.now = "2026-03-12T00:00:00.000Z"
        assert memory.status().flags == []
        clock.now = "2026-03-12T00:00:01.000Z"
        assert memory.status().flags == ["no upkeep since 2026-03-10T12:00 (`steno upkeep`)"]
        assert "no upkeep since 2026-03-10T12:00" in memory.boot().text


def test_a_home_no_daemon_ever_ran_in_is_not_called_silent(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-03-10T12:00:00.000Z")) as memory:
        assert memory.status().flags == []


def test_a_daemon_that_captures_puts_the_word_off_and_one_that_does_not_does_not(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    health = Health(lambda _: None)
    with house(tmp_path, clock=utc_now) as memory:
        LookingAfter(memory.home.root, health, stop).look_after(memory)
        assert memory.status().flags == []
        os.utime(memory.home.root / client.ALIVE, (1772000000, 1772000000))
        health.trouble("capture", OSError("the disk is gone"))
        LookingAfter(memory.home.root, health, stop).look_after(memory)
        since = "2026-02-23T18:13"
        assert memory.status().flags == [f"nothing is captured since {since}: the daemon does not run (`steno up`)"]
        assert "nothing is captured since" in memory.boot().text


def test_who_captures_by_hand_is_not_told_that_nobody_does(tmp_path: Path) -> None:
    clock = SteppingClock("2026-03-10T12:00:00.000Z")
    with house(tmp_path, clock=clock, auto_capture="false") as memory:
        alive, health = memory.home.root / client.ALIVE, Health(lambda _: None)
        alive.touch()
        os.utime(alive, (0, 0))
        assert memory.status().flags == []
        health.well("capture")
        stop = threading.Event()
        stop.set()
        LookingAfter(memory.home.root, health, stop).look_after(memory)
        assert not alive.exists()


def test_when_the_daemon_is_gone_for_long_the_next_hooks_say_so(daemon: Daemon) -> None:
    daemon.start()
    alive = daemon.home / client.ALIVE
    wait_until(alive.exists)
    daemon.end()
    # Not yet: it may be back in a minute.
    assert carried(daemon.home, client.START) == carried(daemon.home, client.PROMPT) == b""
    os.utime(alive, (0, 0))
    # A session that goes on is told once, each new one at its start.
    for event in (client.START, client.PROMPT, client.START):
        told = json.loads(carried(daemon.home, event))["hookSpecificOutput"]
        assert told["hookEventName"] == event
        assert WORD in told["additionalContext"]
    assert carried(daemon.home, client.PROMPT) == b""
    assert "nothing is captured since" in daemon.steno("status")
    daemon.start()
    wait_until(lambda: not (daemon.home / client.TOLD).exists())
