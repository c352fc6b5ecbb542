"""The whole daemon, as a process: it captures, lets the scribe write, answers, says what is wrong, and ends cleanly."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from steno.client import ALIVE, LOCK, SOCKET, SPOOL
from steno.testing import said, write_jsonl

from ..conftest import PATIENCE, wait_until
from .conftest import Daemon, request, words

REFUSAL = "no, never change the payments table by hand"


def rows(daemon: Daemon, *command: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in daemon.steno(*command, "--json").splitlines()]


def refused(daemon: Daemon) -> bool:
    """Whether its scribe wrote the refusal down. (Who asks for entries is a scribe, too; who counts them is not.)"""
    is_read = json.loads(daemon.steno("status", "--json"))["entries"] > 0
    return is_read and any(REFUSAL in str(entry["evidence"]) for entry in rows(daemon, "entries"))


def test_what_was_said_before_and_after_it_started_is_captured_and_understood(daemon: Daemon) -> None:
    daemon.write("please fix the checkout")
    daemon.start()
    daemon.write(REFUSAL)
    wait_until(lambda: refused(daemon))
    assert [turn["text"] for turn in rows(daemon, "turns", "talk")] == ["please fix the checkout", REFUSAL]
    vitals = wait_until(lambda: (found := daemon.ping()) and found["last_capture_at"] and found)
    assert (vitals["pid"], vitals["problems"], vitals["lag_s"]) == (daemon.process.pid, [], 0.0)


def test_an_agent_that_starts_is_briefed_and_a_receipt_is_kept(daemon: Daemon) -> None:
    daemon.write(REFUSAL)
    daemon.start()
    wait_until(lambda: refused(daemon))
    daemon.answer()
    before = daemon.ping()["hooks"]["answered"]
    told = daemon.hook("SessionStart", source="startup")
    assert REFUSAL in json.loads(told)["hookSpecificOutput"]["additionalContext"]
    assert [(one["kind"], one["session"]) for one in rows(daemon, "brief", "receipts")] == [("boot", "s")]
    assert daemon.ping()["hooks"]["answered"] == before + 1


def test_before_a_compaction_the_transcript_is_flushed(daemon: Daemon) -> None:
    daemon.start().answer()
    path = write_jsonl(daemon.folder / ".claude" / "projects" / "shop" / "new.jsonl", said(REFUSAL, session="s"))
    daemon.hook("PreCompact", transcript_path=str(path), trigger="manual")
    wait_until(lambda: refused(daemon))


@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd", "Stop", "SubagentStop", "PostToolUse"])
@pytest.mark.parametrize("key", ["transcript_path", "agent_transcript_path"])
def test_a_hook_reads_no_transcript_outside_the_hosts_own_folders(daemon: Daemon, event: str, key: str) -> None:
    daemon.start().answer()
    forged = write_jsonl(daemon.folder / "forged.jsonl", said(REFUSAL, session="s"))
    projects = daemon.folder / ".claude" / "projects" / "shop"
    projects.mkdir(parents=True)
    (projects / "link.jsonl").symlink_to(forged)
    named = [str(forged), str(projects / "link.jsonl"), str(projects / "../../../forged.jsonl"), "forged.jsonl"]
    for path in named:
        daemon.hook(event, **{key: path})
    wait_until(lambda: daemon.ping()["hooks"]["elsewhere"] == len(named))
    assert "forged.jsonl" in daemon.steno("daemon", "logs")
    assert not refused(daemon)


def test_a_hook_reads_what_lies_behind_the_links_of_a_home_and_where_a_host_was_told_to_keep_it(daemon: Daemon) -> None:
    disk = daemon.folder / "disk"
    (disk / "projects" / "shop").mkdir(parents=True)
    (daemon.folder / "moved").symlink_to(disk)
    daemon.environment["CLAUDE_CONFIG_DIR"] = str(daemon.folder / "moved")
    daemon.start(rescan_seconds="3600").answer()
    path = write_jsonl(disk / "projects" / "shop" / "new.jsonl", said(REFUSAL, session="s"))
    daemon.hook("PreCompact", transcript_path=str(path))
    wait_until(lambda: refused(daemon))
    assert daemon.ping()["hooks"]["elsewhere"] == 0


def test_a_transcript_left_in_the_spool_is_captured(daemon: Daemon) -> None:
    path = write_jsonl(daemon.folder / ".codex" / "sessions" / "new.jsonl", said("a word in passing", session="aside"))
    (daemon.home / SPOOL).mkdir(parents=True)
    (daemon.home / SPOOL / "one").write_text(str(path), "utf-8")
    (daemon.home / SPOOL / "two").write_text("/nowhere/at/all", "utf-8")
    daemon.start()
    wait_until(lambda: any(row["session"] == "aside" for row in rows(daemon, "sessions")))
    assert list((daemon.home / SPOOL).iterdir()) == []
    assert daemon.ping()["hooks"]["spooled"] == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(daemon: Daemon, number: int) -> None:
    daemon.write(REFUSAL)
    daemon.start()
    # Nobody is still loading what it works with: who is in the middle of that may be left there.
    wait_until(lambda: refused(daemon) and (daemon.home / ALIVE).exists())
    assert daemon.end(number) == 0
    assert sorted(file.name for file in daemon.home.iterdir() if file.is_file()) == [
        ALIVE, "daemon.lock", "daemon.log", "notebook.lock", "steno.db", "steno.made",
    ]  # fmt: skip
    assert (daemon.home / LOCK).read_text("utf-8") == ""
    assert daemon.steno("doctor")


def test_asked_to_stop_it_stops(daemon: Daemon) -> None:
    daemon.start()
    assert request(daemon.home / SOCKET, words("stop")) == b"ok 8\nstopping"
    assert daemon.process.wait(PATIENCE) == 0


def test_killed_it_can_be_started_again_and_has_lost_nothing(daemon: Daemon) -> None:
    daemon.write("please fix the checkout")
    daemon.start()
    wait_until(lambda: daemon.ping()["last_capture_at"])
    assert daemon.end(signal.SIGKILL) == -signal.SIGKILL
    assert (daemon.home / SOCKET).exists()
    daemon.write(REFUSAL)
    daemon.start()
    wait_until(lambda: refused(daemon))
    assert [turn["text"] for turn in rows(daemon, "turns", "talk")] == ["please fix the checkout", REFUSAL]


def test_a_second_one_on_the_same_home_leaves_with_a_word_and_the_first_goes_on(daemon: Daemon) -> None:
    daemon.start()
    command = [sys.executable, "-P", "-m", "steno.daemon"]
    second = subprocess.run(command, env=daemon.environment, capture_output=True, encoding="utf-8")
    assert second.returncode == 1
    assert second.stderr.startswith(f"steno: process {daemon.process.pid} runs as the daemon of ")
    assert daemon.ping()["pid"] == daemon.process.pid


def test_on_a_damaged_store_it_runs_answers_nothing_and_says_why(daemon: Daemon) -> None:
    daemon.home.mkdir()
    (daemon.home / "steno.db").write_bytes(b"this is no database" * 1000)
    daemon.start()
    path = daemon.home / "steno.db"
    wait_until(lambda: len(daemon.ping()["problems"]) == 6)
    assert all(f": {path} is damaged: " in problem for problem in daemon.ping()["problems"])
    assert daemon.hook("SessionStart", source="startup") == b""
    assert path.read_bytes() == b"this is no database" * 1000
    assert daemon.end() == 0


def test_without_the_store_it_had_it_makes_none_answers_nothing_and_says_why(daemon: Daemon) -> None:
    daemon.write(REFUSAL)
    daemon.start()
    wait_until(lambda: refused(daemon))
    daemon.end()
    for file in daemon.home.glob("steno.db*"):
        file.unlink()
    daemon.start()
    lost = f"the store {daemon.home}/steno.db is gone or empty"
    wait_until(lambda: [lost in problem for problem in daemon.ping()["problems"]] == [True] * 6)
    assert daemon.hook("SessionStart", source="startup") == b""
    assert not list(daemon.home.glob("steno.db*"))
    daemon.steno("status", code=1)


def test_on_a_locked_store_it_runs_and_goes_on_when_the_lock_is_gone(daemon: Daemon) -> None:
    daemon.steno("status")
    locking = sqlite3.connect(daemon.home / "steno.db", isolation_level=None)
    locking.execute("PRAGMA locking_mode = EXCLUSIVE")
    locking.execute("BEGIN EXCLUSIVE")
    daemon.write(REFUSAL)
    daemon.start(busy_seconds="0")
    wait_until(lambda: len(daemon.ping()["problems"]) == 6)
    assert all("locked" in problem for problem in daemon.ping()["problems"])
    assert daemon.hook("SessionStart", source="startup") == b""
    locking.close()
    wait_until(lambda: daemon.says() and refused(daemon))


def test_settings_that_cannot_be_read_are_named(daemon: Daemon) -> None:
    daemon.home.mkdir()
    (daemon.home / "settings.toml").write_text("nonsense = true\n", "utf-8")
    daemon.start()
    wait_until(lambda: len(daemon.ping()["problems"]) == 7)
    assert all("nonsense" in problem for problem in daemon.ping()["problems"])
    assert daemon.hook("SessionStart", source="startup") == b""


def test_http_is_served_where_a_port_is_chosen_and_a_taken_port_stops_nothing_else(daemon: Daemon) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        daemon.start(http_port=str(port))
        wait_until(lambda: daemon.says(f"http: another program listens on port {port}"))
        daemon.end()
    daemon.start(http_port=str(port))
    assert wait_until(lambda: _http(port)).startswith(b"HTTP/1.1 401")
    assert daemon.end() == 0


def _http(port: int) -> bytes:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(f"GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            return connection.recv(1 << 16)
    except ConnectionError:
        return b""


def test_many_hooks_leave_no_thread_no_file_and_no_child_behind(daemon: Daemon) -> None:
    daemon.write(REFUSAL)
    daemon.start()
    wait_until(lambda: refused(daemon))
    daemon.answer()
    daemon.hook("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    subprocess.run([sys.executable, "-m", "steno", "sessions"], env=daemon.environment, check=True, timeout=PATIENCE)
    wait_until(lambda: _leave_nothing(daemon, hooks=50))
    children = Path(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/children")
    assert not children.exists() or children.read_text("ascii") == ""
    # It runs the scribe's encoder, because it hears people, but not the model of meaning, which needs this package.
    assert "tokenizers" not in _mapped(daemon.process.pid)


def _leave_nothing(daemon: Daemon, *, hooks: int) -> bool:
    """Whether so many more hooks leave no thread and no file behind. A worker that just then opens its store, and an
    answer a moment from its end, do so once; what stays of every hook is there whenever one asks."""
    before = daemon.ping()
    for number in range(hooks):
        daemon.hook("PreToolUse", tool_name="Bash", tool_input={"command": f"ls {number}"})
        request(daemon.home / SOCKET, b"nonsense\n")
    after = daemon.ping()
    assert after["waiting"] == {"nudges": 0, "connections": 1}
    assert after["hooks"]["answered"] == before["hooks"]["answered"] + hooks
    return all(after[name] <= before[name] for name in ("threads", "files"))


def _mapped(pid: int) -> str:
    path = Path(f"/proc/{pid}/maps")
    return path.read_text("utf-8", "replace") if os.path.exists(path) else ""
