"""`steno hook`: what hosts call, and the command line they are given for it."""

import json
import shlex
import socket
import subprocess
import sys
import threading

import pytest

import steno as package


def test_a_host_is_given_the_client_by_its_full_path_with_its_deadline(steno, home):
    for event, deadline in (("PreToolUse", "300"), ("UserPromptSubmit", "300"), ("SessionStart", "1000")):
        client = str(package.__file__).replace("__init__", "doors/hooks/run")
        assert shlex.split(steno("hook", "--show", "claude-code", event).stdout) == [
            sys.executable, "-I", "-S", client, str(home / "steno" / "daemon.sock"), deadline, "claude-code", event
        ]  # fmt: skip


def test_the_deadlines_are_settings(steno, monkeypatch):
    monkeypatch.setenv("STENO_HOOK_MS", "77")
    assert shlex.split(steno("hook", "--show", "codex", "Stop").stdout)[5] == "77"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("emacs", "Stop"), ["steno: no host is called 'emacs'", "  → the hosts are claude-code, codex"]),
        (("codex", "TeaTime"), ["steno: codex has no event 'TeaTime' for us"]),
    ],
)
def test_only_what_hosts_have_can_be_shown(steno, words, told):
    answer = steno("hook", "--show", *words)
    assert answer.exit_code == 2
    assert answer.stderr.splitlines()[: len(told)] == told


@pytest.mark.parametrize("words", [("claude-code", "Stop"), ("emacs", "Stop"), ("codex", "TeaTime")])
@pytest.mark.parametrize("given", [b"", b"{}", b"{", b"\xff"])
def test_without_a_daemon_a_hook_says_nothing_and_exits_0(home, words, given):
    command = [sys.executable, "-m", "steno", "hook", *words]
    done = subprocess.run(command, input=given, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (home / "steno").exists()


def test_not_even_a_broken_setting_is_an_error_for_the_agent(home):
    (home / "steno").mkdir()
    (home / "steno" / "settings.toml").write_text("hook_ms = 'soon'")
    done = subprocess.run([sys.executable, "-m", "steno", "hook", "codex", "Stop"], input=b"{}", capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("way", ["the program", "the line that is shown"])
def test_both_ways_print_what_the_daemon_answers(home, steno, monkeypatch, way):
    monkeypatch.setenv("STENO_START_MS", "60000")
    (home / "steno").mkdir()
    asked: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(home / "steno" / "daemon.sock"))
        listening.listen()

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as incoming:
                head = incoming.readline()
                asked.append(head + incoming.read(int(head.split()[-1])))
                connection.sendall(b'ok 14\n{"told": true}')

        server = threading.Thread(target=serve)
        server.start()
        if way == "the program":
            command = [sys.executable, "-m", "steno", "hook", "codex", "SessionStart"]
        else:
            command = shlex.split(steno("hook", "--show", "codex", "SessionStart").stdout)
        done = subprocess.run(command, input=json.dumps({"source": "startup"}).encode(), capture_output=True)
        server.join()
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"told": true}', b"")
    assert asked == [b'steno 1 hook codex SessionStart 21\n{"source": "startup"}']
