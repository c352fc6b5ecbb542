"""`steno up`, `down`, `logs`, `service`, and what `steno status` says of the daemon."""

import json
import os
import plistlib
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from steno.client import LOCK
from steno.daemon.lock import holder, started_at
from steno.daemon.service import service

from ..conftest import PATIENCE, wait_until


@pytest.fixture
def process(new_process):
    """Who runs, and who answers, is what this is about."""
    return new_process


@pytest.fixture
def store(home):
    """The folder of the store. Whatever runs as its daemon does not outlive the test."""
    yield home / "steno"
    if (one := holder(home / "steno")) and one.is_alive():
        os.kill(one.pid, signal.SIGCONT)
        os.kill(one.pid, signal.SIGKILL)
        wait_until(lambda: holder(home / "steno") is None)


def test_up_starts_it_once_status_asks_it_and_down_stops_it(process, store):
    first = process("up", "--json")
    told = json.loads(first.stdout)
    assert (first.returncode, first.stderr, told["already"]) == (0, "", False)
    pid = told["daemon"]["pid"]
    assert os.getsid(pid) == pid  # a session of its own: closing the terminal does not end it

    again = process("up")
    assert again.stdout == f"Steno runs already, since {told['daemon']['started_at']}.  process {pid}\n"
    assert json.loads(process("status", "--json").stdout)["daemon"]["pid"] == pid
    [line] = [line for line in process("status").stdout.splitlines() if line.startswith("daemon")]
    assert line.startswith("daemon    runs for ")
    assert f"process {pid}, " in line

    assert process("stop").stdout == f"Steno stopped.  process {pid}\n"
    assert (holder(store), started_at(pid)) == (None, "")
    assert process("stop").stdout == "Steno does not run.\n"
    assert json.loads(process("stop", "--json").stdout) == {"stopped": None}
    assert json.loads(process("status", "--json").stdout)["daemon"] is None
    assert [line.split(" ", 1)[1] for line in process("daemon", "logs").stdout.splitlines()] == [
        f"steno 0.1.0 runs as process {pid} on {store}", "stops", "ended",
    ]  # fmt: skip
    [last] = process("daemon", "logs", "-n", "1", "--json").stdout.splitlines()
    assert json.loads(last)["line"].split(" ", 1)[1] == "ended"


def test_two_at_the_same_moment_are_one(process, store, begin):
    command = [sys.executable, "-m", "steno", "up", "--json"]
    both = [begin(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    answers = [one.communicate(timeout=PATIENCE) for one in both]
    pids = {json.loads(out)["daemon"]["pid"] for out, _ in answers if out}
    assert pids == {holder(store).pid}
    process("stop")


def test_after_a_kill_it_starts_again(process, store):
    pid = json.loads(process("up", "--json").stdout)["daemon"]["pid"]
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: holder(store) is None)
    assert "does not run" in process("status").stdout
    assert json.loads(process("up", "--json").stdout)["already"] is False
    process("stop")


def test_one_that_does_not_answer_is_named_and_stopped_by_a_signal(process, store):
    pid = json.loads(process("up", "--json").stdout)["daemon"]["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        assert f"daemon    process {pid} runs and does not answer" in process("status").stdout.splitlines()
        answer = process("up")
        assert (answer.returncode, answer.stdout) == (1, "")
        assert answer.stderr.startswith(f"steno: the daemon runs already, as process {pid}")
    finally:
        os.kill(pid, signal.SIGCONT)
    os.unlink(store / "daemon.sock")
    assert process("stop").stdout == f"Steno stopped.  process {pid}\n"


def test_a_store_that_cannot_be_written_keeps_nobody_from_stopping_it(process, store):
    pid = json.loads(process("up", "--json").stdout)["daemon"]["pid"]
    with closing(sqlite3.connect(store / "steno.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert process("stop", STENO_BUSY_SECONDS="2").stdout == f"Steno stopped.  process {pid}\n"
    (store / "steno.db").write_bytes(b"no store")
    assert process("stop").stdout == "Steno does not run.\n"


def test_a_process_that_only_has_its_number_is_not_touched(process, store, begin):
    held = "import sys, pathlib; from steno.daemon.lock import held\n"
    held += f"with held(pathlib.Path({str(store)!r})):\n print('held', flush=True); sys.stdin.read()"
    other = begin([sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout.readline() == b"held\n"
    (store / LOCK).write_text(f"{os.getpid()} 12345\n", "utf-8")  # our own number, of an earlier time
    answer = process("stop")
    assert (answer.returncode, answer.stderr.splitlines()[0]) == (
        1,
        f"steno: process {os.getpid()}, as {store / LOCK} has it, is not the daemon",
    )


def test_in_the_foreground_it_shows_its_log_and_ends_with_the_signal(home, store, begin):
    running = begin([sys.executable, "-m", "steno", "up", "--foreground"], stderr=subprocess.PIPE)
    assert b" runs as process " in running.stderr.readline()
    running.send_signal(signal.SIGINT)
    rest = running.stderr.read().decode()
    assert running.wait(PATIENCE) == 0
    assert [line.split(" ", 1)[1] for line in rest.splitlines()] == ["stops", "ended"]


def test_a_home_that_cannot_be_written_is_an_error_in_words(process, home):
    (home / "file").write_text("", "utf-8")
    answer = process("up", STENO_HOME=str(home / "file" / "steno"))
    assert answer.returncode == 1
    assert answer.stderr.splitlines() == [
        f"steno: cannot write into {home}/file/steno: Not a directory",
        "  → check the folder's rights, or set STENO_HOME to another one",
    ]


def test_a_daemon_that_cannot_start_says_why(process, store):
    (store / "daemon.sock").mkdir(parents=True)
    answer = process("up")
    assert answer.returncode == 1
    assert answer.stderr.splitlines() == [
        f"steno: the daemon did not start: {store}/daemon.sock is in the way: it is neither a socket nor a file",
        "  → move it away",
    ]


def test_with_a_damaged_store_status_says_so(process, store):
    store.mkdir()
    (store / "steno.db").write_bytes(b"no database" * 1000)
    assert process("up").returncode == 0
    answer = process("status")
    assert answer.returncode == 1
    assert f"{store}/steno.db is damaged" in answer.stderr
    process("stop")


@pytest.mark.parametrize("how", [(), ("--foreground",)])
def test_on_an_emptied_store_it_is_not_started_and_says_what_to_do(process, steno, talk, store, how):
    (store / "steno.db").write_bytes(b"")
    answer = process("up", *how)
    assert answer.returncode == 1
    assert answer.stderr.splitlines() == [
        f"steno: the store {store}/steno.db is gone or empty, but {store} was in use before",
        f"  → put a backup of steno.db back; to begin anew, move {store} away first",
    ]
    assert holder(store) is None


def test_logs_before_anything_ran(steno):
    assert steno("daemon", "logs").stdout == "There is no log yet. `steno up` starts the daemon.\n"


class Systemctl:
    """A stand-in for systemd's program, the only one on the PATH: it writes down how it was called."""

    def __init__(self, folder: Path) -> None:
        self._program, self._calls = folder / "systemctl", folder / "calls"
        self.answer("", 0)

    def answer(self, says: str, code: int) -> None:
        text = f"#!/bin/sh\necho \"$*\" >> '{self._calls}'\necho '{says}' >&2\nexit {code}\n"
        self._program.write_text(text)
        self._program.chmod(0o755)

    def calls(self) -> list[str]:
        return self._calls.read_text().splitlines()


@pytest.fixture
def systemctl(home: Path, monkeypatch: pytest.MonkeyPatch) -> Systemctl:
    folder = home / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return Systemctl(folder)


linux = pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")


@linux
def test_a_service_is_shown_switched_on_and_taken_out_again(steno, home, systemctl):
    file = home / ".config" / "systemd" / "user" / "steno.service"
    dog = file.with_name("steno-watchdog.service")
    shown = steno("daemon", "service", "install", "--dry-run").stdout.splitlines()
    place = shown.index(f"# {dog}")
    (head, *unit, reload, enable), (_, *dogs_unit, _, dogs_enable) = shown[:place], shown[place:]
    assert not file.exists()
    assert head == f"# {file}"
    assert (reload, enable) == ("$ systemctl --user daemon-reload", "$ systemctl --user enable --now steno.service")
    assert dogs_enable == "$ systemctl --user enable --now steno-watchdog.service"
    for _ in range(2):
        done = steno("daemon", "service", "install")
        told = f"Steno runs now, and whenever you log in.  {file}\nIts watchdog looks whether it is alive.  {dog}\n"
        assert (done.exit_code, done.stdout) == (0, told)
    assert [path.read_text("utf-8").splitlines() for path in (file, dog)] == [unit, dogs_unit]
    assert f'"{home}/steno" "--restart" "systemctl --user restart steno.service"' in dog.read_text("utf-8")
    assert f'ExecStart="{sys.executable}" "-P" "-m" "steno.daemon"' in unit
    assert f'Environment="STENO_HOME={home}/steno"' in unit
    on = [f"--user enable --now {name}.service" for name in ("steno", "steno-watchdog")]
    assert systemctl.calls() == ["--user daemon-reload", on[0], "--user daemon-reload", on[1]] * 2
    removed = f"Removed: {dog}, {file}"
    assert steno("daemon", "service", "uninstall").stdout == f"Steno does not start by itself any more.  {removed}\n"
    # The watchdog first: it would miss the daemon.
    off = [f"--user disable --now {name}.service" for name in ("steno-watchdog", "steno")]
    assert systemctl.calls()[-2:] == off
    assert list(file.parent.iterdir()) == []
    assert steno("daemon", "service", "uninstall").stdout == "There is no service of ours.\n"


@linux
def test_a_watchdog_may_only_warn_and_runs_a_command_of_the_users(steno, home, systemctl):
    steno("daemon", "service", "install", "--no-restart", "--alarm", 'mail -s "50% $HOME" me')
    unit = (home / ".config" / "systemd" / "user" / "steno-watchdog.service").read_text("utf-8")
    assert "--restart" not in unit
    assert '"--alarm" "mail -s \\"50%% $$HOME\\" me"\n' in unit


@linux
def test_a_machine_without_systemd_is_told_what_to_do_instead(steno, home, monkeypatch):
    monkeypatch.setenv("PATH", str(home))
    refused = steno("daemon", "service", "install")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == (
        "steno: there is no systemd on this machine\n  → `steno up` starts the daemon, also after a restart\n"
    )
    assert not (home / ".config").exists()


@linux
def test_a_systemd_that_says_no_is_quoted_with_what_to_run_by_hand(steno, home, systemctl):
    systemctl.answer("Failed to connect to bus", 1)
    file = home / ".config" / "systemd" / "user" / "steno.service"
    refused = steno("daemon", "service", "install")
    assert refused.exit_code == 1
    assert refused.stderr == (
        f"steno: {file} is written, but systemd does not switch it on: Failed to connect to bus\n"
        "  → by hand: systemctl --user daemon-reload && systemctl --user enable --now steno.service\n"
    )
    assert steno("daemon", "service", "uninstall").exit_code == 1
    assert not file.exists()


def test_a_home_with_signs_of_systemds_own_is_written_so_that_it_comes_out_the_same():
    unit = service(Path('/a "b" 50% $c'), "linux", {"HOME": "/u"}).text
    assert 'Environment="STENO_HOME=/a \\"b\\" 50%% $c"\n' in unit


def test_on_a_mac_it_is_a_property_list():
    one = service(Path("/u/x & y"), "darwin", {"HOME": "/u"})
    found = plistlib.loads(one.text.encode())
    assert one.path == Path("/u/Library/LaunchAgents/steno.daemon.plist")
    assert found["ProgramArguments"] == [sys.executable, "-P", "-m", "steno.daemon"]
    assert found["EnvironmentVariables"]["STENO_HOME"] == "/u/x & y"
    assert (found["RunAtLoad"], found["KeepAlive"]) == (True, {"SuccessfulExit": False})
