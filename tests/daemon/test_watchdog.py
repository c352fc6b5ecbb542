"""The heartbeat, and the watchdog as a process of its own beside a real daemon that is killed, frozen, or stopped."""

import ast
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from steno.daemon.heartbeat import alarms
from steno.daemon.lock import started_at
from steno.fleet import watchdog
from steno.fleet.watchdog import FLAG, HEARTBEAT, LOG, OWN_BEAT, Watchdog, what_is_wrong

from ..conftest import PATIENCE, Begin, wait_until
from .conftest import Daemon

DAEMON = [sys.executable, "-P", "-m", "steno.daemon"]
# Writes down what it was called with.
NOTE = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + '\\n')"
Watch = Callable[..., None]


@pytest.fixture
def watch(daemon: Daemon, begin: Begin) -> Iterator[Watch]:
    """Starts the watchdog of the daemon's home: it looks all the time; nothing is stale on however busy a machine."""

    begun = []

    def start(*options: str) -> None:
        program = [sys.executable, "-I", "-S", watchdog.__file__, str(daemon.home)]
        begun.append(begin([*program, "--every", "0.1", "--stale", str(PATIENCE), *options], env=daemon.environment))

    yield start
    # First itself: it would start others. What it started is nobody's child here, and more than one may be on its way.
    for one in begun:
        one.kill()
        one.wait(PATIENCE)
    for pid in daemons_of(daemon):
        os.kill(pid, signal.SIGKILL)


def daemons_of(daemon: Daemon) -> list[int]:
    """Processes of its home; where the system does not tell, the one that beats."""
    if not Path("/proc/self/environ").exists():
        found = watchdog.heartbeat(str(daemon.home))
        return [found["pid"]] if found and watchdog.process_of(found)[0] else []
    home, pids = f"STENO_HOME={daemon.home}\0".encode(), []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            pids += [int(place.parent.name)] if home in place.read_bytes() else []
    return [pid for pid in pids if daemon.process is None or pid != daemon.process.pid]


def beats(daemon: Daemon) -> int | None:
    """The process that beats."""
    found = watchdog.heartbeat(str(daemon.home))
    return found and found["pid"]


def said(daemon: Daemon) -> list[str]:
    """What the watchdog's log says, without the times."""
    path = daemon.home / LOG
    return [line.partition(" ")[2] for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def has_looked(daemon: Daemon) -> None:
    """Wait until the watchdog has begun and ended a look since now."""
    for _ in range(2):
        before = looked(daemon)
        wait_until(partial(has_changed, daemon, before))


def looked(daemon: Daemon) -> str:
    """What the watchdog wrote when it looked last."""
    return path.read_text() if (path := daemon.home / OWN_BEAT).exists() else ""


def has_changed(daemon: Daemon, before: str) -> bool:
    return looked(daemon) != before


@pytest.mark.parametrize(("how", "word"), [(signal.SIGKILL, "is gone"), (signal.SIGSTOP, "is frozen")])
def test_a_daemon_that_is_killed_or_frozen_is_found_told_of_and_restarted(
    daemon: Daemon, watch: Watch, how: int, word: str
) -> None:
    noted = daemon.folder / "noted"
    alarm = shlex.join([sys.executable, "-c", NOTE, str(noted)])
    daemon.start()
    first = wait_until(lambda: beats(daemon))
    watch("--alarm", alarm, "--restart", shlex.join(DAEMON))
    has_looked(daemon)
    assert [line for line in said(daemon) if "restarts" in line] == []
    daemon.process.send_signal(how)
    second = wait_until(lambda: (pid := beats(daemon)) not in (None, first) and pid)
    wait_until(lambda: said(daemon)[-1] == "the daemon works again")
    assert not (daemon.home / FLAG).exists()
    assert daemon.process.wait(PATIENCE) == -signal.SIGKILL
    assert wait_until(daemon.ping)["pid"] == second
    [told] = wait_until(lambda: noted.exists() and noted.read_text().splitlines())
    assert told.startswith(f"Steno: the daemon (process {first}, last heard of at ")
    assert told.endswith(word)
    assert [line for line in said(daemon) if "try 1" in line] == [
        "restarts it, try 1; the next one not before 0 seconds"
    ]


def test_without_a_restart_it_only_warns_until_the_daemon_lives_again(daemon: Daemon, watch: Watch) -> None:
    daemon.start()
    wait_until(lambda: beats(daemon))
    watch()
    daemon.process.send_signal(signal.SIGSTOP)
    wait_until((daemon.home / FLAG).exists)
    assert f"alarm     watchdog: {(daemon.home / FLAG).read_text().strip()}" in daemon.steno("status")
    daemon.process.send_signal(signal.SIGCONT)
    wait_until(lambda: not (daemon.home / FLAG).exists())
    assert "alarm" not in daemon.steno("status")
    assert daemon.process.poll() is None


def test_a_daemon_that_was_stopped_is_not_missed(daemon: Daemon, watch: Watch) -> None:
    daemon.start()
    wait_until(lambda: beats(daemon))
    watch("--restart", shlex.join(DAEMON))
    has_looked(daemon)
    assert daemon.end() == 0
    assert not (daemon.home / HEARTBEAT).exists()
    has_looked(daemon)
    assert (len(said(daemon)), beats(daemon), (daemon.home / FLAG).exists()) == (1, None, False)


def test_the_watchdog_needs_nothing_of_ours() -> None:
    tree = ast.parse(Path(watchdog.__file__).read_text("utf-8"))
    named = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    named |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert named <= sys.stdlib_module_names
    assert {"os", "sys", "time"} <= named


def beat_of(pid: int, *, at: float, started: str | None = None) -> dict[str, object]:
    return {"at": "noon", "beat": at, "pid": pid, "started": started_at(pid) if started is None else started}


def test_what_is_wrong_is_told_by_the_clock_all_processes_share() -> None:
    us, now = os.getpid(), 1_000.0
    wrong = {
        "well": what_is_wrong(beat_of(us, at=910.0), now, 90.0),
        "stale": what_is_wrong(beat_of(us, at=909.0), now, 90.0),
        "of an earlier start of the machine": what_is_wrong(beat_of(us, at=5_000.0), now, 90.0),
        "of another process of this number": what_is_wrong(beat_of(us, at=999.0, started="1"), now, 90.0),
    }
    who = f"the daemon (process {us}, last heard of at noon)"
    assert wrong == {
        "well": "",
        "stale": f"{who} does not beat any more",
        "of an earlier start of the machine": f"{who} does not beat any more",
        "of another process of this number": f"{who} is gone",
    }


def test_a_heartbeat_that_is_none_is_an_alarm_and_nobody_is_killed_for_it(tmp_path: Path) -> None:
    (tmp_path / HEARTBEAT).write_bytes(b"\xff\x00 hello")
    dog = Watchdog(str(tmp_path), 120.0, 90.0, "", "no-such-program --at all")
    assert dog.look() == 120.0
    assert (tmp_path / FLAG).read_text().endswith(" its heartbeat cannot be read\n")


def test_after_each_restart_that_did_not_help_it_waits_longer(tmp_path: Path) -> None:
    dog = Watchdog(str(tmp_path), 120.0, 90.0, "", "no-such-program")
    gone = beat_of(os.getpid(), at=0.0, started="1")
    tried = []
    for now in range(0, 20_000, 60):
        before = dog.tries
        dog._ill("gone", gone, float(now))
        tried += [now] * (dog.tries - before)
    assert tried == [0, 120, 360, 840, 1800, 3720, 7320, 10920, 14520, 18120]
    for now in (20_000.0, 24_000.0):
        dog._well(now, "again")
    assert dog.tries == 0


def test_a_late_daemon_is_looked_at_again_as_soon_as_it_would_be_stale(tmp_path: Path) -> None:
    dog = Watchdog(str(tmp_path), 120.0, 90.0, "", "")
    for age, longest in ((0.0, 120.0), (60.0, 31.0)):
        beat = beat_of(os.getpid(), at=time.monotonic() - age)
        (tmp_path / HEARTBEAT).write_text(f"noon {beat['beat']} {beat['pid']} {beat['started']}\n")
        assert longest - 20.0 < dog.look() <= longest


def test_who_watches_the_watchdog(tmp_path: Path) -> None:
    assert alarms(tmp_path) == []
    (tmp_path / OWN_BEAT).write_text(f"noon {time.monotonic()} 1\n")
    assert alarms(tmp_path) == []
    (tmp_path / OWN_BEAT).write_text(f"noon {time.monotonic() - 1_000} 1\n")
    assert alarms(tmp_path) == ["watchdog: has not looked since noon"]
