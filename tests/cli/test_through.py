"""The command line through the daemon: the same as without, at whatever moment something ends, and never twice."""

import fcntl
import json
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from steno.client import SOCKET, greeting
from steno.daemon.lock import holder

from ..conftest import PATIENCE, wait_until

# The program as it is, but for its patience: on a busy machine a daemon may need more than half a second.
PATIENT = "import steno.cli.answering as program; program.READY_SECONDS = 60.0; import steno.__main__ as m; m.main()"
LOOKING = [
    ("sessions", "work"),
    ("entries", "shared"),
    ("recall", "sqlite"),
    ("recall", "nothing", "like", "it", "at", "all"),
    ("entries",),
    ("entries", "--category", "decision"),
    ("entries", "show", "nobody"),
    ("sessions",),
    ("sessions", "loss", "--session", "no-such-session"),
    ("rules",),
    ("flows",),
    ("believes", "sqlite"),
    ("sessions", "loss"),
    ("checkpoint",),
    ("gate", "before", "main", "drop the payments table"),
]


@pytest.fixture
def poisoned(tmp_path):
    """An environment in which no process can open a store but one that has it open already."""
    (tmp_path / "poison").mkdir()
    (tmp_path / "poison" / "apsw.py").write_text("raise RuntimeError('answered here')")
    return {"PYTHONPATH": os.pathsep.join([str(tmp_path / "poison"), os.environ["PYTHONPATH"]])}


@pytest.fixture
def run(home):
    """A program of one line with arguments: code, output, errors."""

    def call(line, *args, cwd=home, **more):
        done = subprocess.run(
            [sys.executable, "-c", line, *args], capture_output=True, stdin=subprocess.DEVNULL, cwd=cwd,
            env=os.environ | more, timeout=PATIENCE,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    return call


@pytest.fixture
def here(home, process):
    """The command line without a daemon: code, output, errors."""

    def call(*args, **more):
        done = process(*args, cwd=home, **more)
        return done.returncode, done.stdout.encode(), done.stderr.encode()

    return call


@pytest.fixture
def daemon(home, talk, run):
    """A daemon that answers; its process. Nothing of it outlives the test."""
    process = subprocess.Popen([sys.executable, "-P", "-m", "steno.daemon"], stdin=subprocess.DEVNULL)
    wait_until(lambda: (home / "steno" / SOCKET).exists())
    yield process
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait(PATIENCE)


_CHANGES = re.compile(
    rb'(score |"score":|"(?:access_count|recalled|last_accessed|last_at|used_at)":|\brecalled )'
    rb'("[^"]*"|[0-9.]+ times,[^\n]*|[0-9.]+|null|once[^\n]*)'
)


def scoreless(told):
    """The same without scores and counts of uses: to be recalled raises them."""
    return [_CHANGES.sub(rb"\1-", one) if isinstance(one, bytes) else one for one in told]


@pytest.mark.parametrize("how", [[], ["--json"]], ids=["in words", "as JSON"])
def test_everything_is_the_same_with_and_without_it(daemon, run, here, poisoned, how):
    # Whoever asks uses what is found: the first to ask would be told that nobody did.
    here("believes", "sqlite")
    for words in LOOKING:
        through, without = run(PATIENT, *words, *how, **poisoned), here(*words, *how)
        assert scoreless(through) == scoreless(without), words


def test_a_slow_verb_is_done_by_who_asks(daemon, run, poisoned):
    assert b"answered here" in run(PATIENT, "capture", "--all", **poisoned)[2]


def test_wrong_use_is_the_same(daemon, run, poisoned, here):
    for words in (("recall",), ("entries", "--no-such-option"), ("gate", "before", "main"), ("entries", "show", "-h")):
        assert run(PATIENT, *words, **poisoned) == here(*words)


def test_a_change_is_made_once(daemon, run, poisoned, here):
    words = ("entries", "remember", "the port is 8080", "--category", "fact", "--everywhere", "--json")
    code, output, errors = run(PATIENT, *words, **poisoned)
    assert (code, errors) == (0, b"")
    assert json.loads(output)["summary"] == "the port is 8080"
    found = here("entries", "--category", "fact", "--json")[1].splitlines()
    assert [json.loads(line)["summary"] for line in found] == ["the port is 8080"]


def test_the_callers_settings_clock_and_place_are_used_and_not_the_daemons(daemon, home, run, poisoned, here):
    (home / "elsewhere").mkdir()
    # The daemon has other settings: it is not asked.
    assert b"answered here" in run(PATIENT, "sessions", **poisoned, STENO_RECALL_TOP_K="7")[2]
    for zone in ("Asia/Tokyo", "America/New_York"):
        times = run(PATIENT, "boot", "--given", **poisoned, TZ=zone)[0]
        receipts = run(PATIENT, "brief", "receipts", **poisoned, TZ=zone)
        assert (times, receipts) == (0, here("brief", "receipts", TZ=zone))
    # Each was shown, and counts as given.
    assert here("brief", "receipts", "--json")[1].count(b"\n") == 2
    there = {**poisoned, "STENO_HOME": "../steno"}
    assert run(PATIENT, "sessions", cwd=home / "elsewhere", **there) == here("sessions")


def test_a_directory_that_is_gone_is_no_trouble(daemon, home, run, poisoned, here):
    (home / "gone").mkdir()
    line = f"import os; os.chdir('gone'); os.rmdir('../gone'); {PATIENT}"
    assert run(line, "gate", "before", "main", "look around", **poisoned)[0] == 0


def drawn(*args, environment):
    """On a terminal of 80 columns: the exit code and every byte."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-c", PATIENT, *args]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as running:
        os.close(theirs)
        bytes_ = b""
        try:
            while piece := os.read(ours, 65536):
                bytes_ += piece
        except OSError:
            pass
        os.close(ours)
    return running.returncode, bytes_


def test_a_terminal_is_drawn_on_the_same(daemon, poisoned, terminal):
    for words in (("sessions",), ("recall", "sqlite"), ("rules",), ("entries", "show", "nobody")):
        code, through = drawn(*words, environment=os.environ | poisoned)
        without = terminal(*words)
        assert scoreless([code, through.replace(b"\r\n", b"\n")]) == scoreless([without[0], without[1].encode()]), words
    assert b"\x1b[" in drawn("sessions", environment=os.environ | poisoned)[1]


# -- when something ends -----------------------------------------------------------------------------------------------


def test_a_daemon_that_hangs_is_not_waited_for(daemon, run, here):
    os.kill(daemon.pid, signal.SIGSTOP)
    line = PATIENT.replace("60.0", "0.1")
    assert run(line, "sessions") == here("sessions")
    assert run(line, "entries", "remember", "once", "--category", "fact", "--everywhere")[0] == 0
    os.kill(daemon.pid, signal.SIGCONT)
    # It comes to the requests that waited, and finds nobody who asks.
    wait_until(lambda: run(PATIENT, "entries", "--category", "fact", "--json")[1].count(b'"summary":"once"') == 1)


def test_nothing_is_left_when_the_daemon_is_told_to_stop(daemon, run, here):
    assert run(PATIENT, "sessions")[0] == 0
    assert here("down")[0] == 0
    assert holder(Path(os.environ["STENO_HOME"])) is None


# -- somebody else on the socket ---------------------------------------------------------------------------------------


@pytest.fixture
def pretending(home, talk):
    """Listens on the daemon's socket, says something, and hears what comes then."""
    heard = []

    def begin(says, *, then=b"", hears=True):
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(home / "steno" / SOCKET))
        listening.listen()

        def answer():
            with listening, listening.accept()[0] as connection, suppress(ConnectionResetError, BrokenPipeError):
                heard.append(connection.recv(100))
                connection.sendall(says)
                if then:
                    heard.append(connection.recv(1 << 16))
                    connection.sendall(then)
                while hears and (piece := connection.recv(1 << 16)):
                    heard.append(piece)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        return thread

    begin.heard = heard
    return begin


@pytest.mark.parametrize(
    "says",
    [
        b"no 41\nno verb is called so; there are hook, ping",
        greeting()[:-2],
        greeting().replace(b"steno\n", b"other\n"),
        b"",
        b"\0" * 1000,
    ],
    ids=["an older one", "half a greeting", "another place", "nothing", "noise"],
)
def test_with_another_daemon_it_is_done_here_and_that_one_is_asked_nothing(pretending, run, says, here):
    thread = pretending(says)
    line = PATIENT.replace("60.0", "0.2")
    assert run(line, "sessions") == here("sessions")
    thread.join(PATIENCE)
    assert pretending.heard == [b"steno 1 call cli - 0\n"]


def test_a_daemon_of_another_version_is_named_and_it_is_done_here(pretending, run, here):
    thread = pretending(b"steno 0.0.1 /somewhere/steno\n")
    code, output, errors = run(PATIENT, "sessions")
    thread.join(PATIENCE)
    assert (code, output) == here("sessions")[:2]
    assert errors.startswith(b"steno: the daemon is version 0.0.1, this is ")
    assert pretending.heard == [b"steno 1 call cli - 0\n"]


@pytest.mark.parametrize("then", [b"", b"100\n{", b"nonsense\n"], ids=["silence", "half an answer", "noise"])
def test_a_change_that_was_sent_and_not_answered_is_not_made_again(pretending, run, here, then):
    thread = pretending(greeting(), then=then, hears=False)
    words = ("entries", "remember", "only once", "--category", "fact", "--everywhere")
    code, output, errors = run(PATIENT, *words)
    thread.join(PATIENCE)
    assert (code, output) == (1, b"")
    assert b"may be changed or not" in errors
    assert here("entries", "--category", "fact", "--json")[1] == b""


# -- callers who leave -------------------------------------------------------------------------------------------------


def greeted(home):
    """A connection to the daemon that is ready to be asked."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(PATIENCE)
    connection.connect(str(home / "steno" / SOCKET))
    connection.sendall(b"steno 1 call cli - 0\n")
    assert connection.recv(len(greeting()), socket.MSG_WAITALL) == greeting()
    return connection


def asked(home, verb, given, *, as_json=True):
    """A request to the daemon, sent."""
    connection = greeted(home)
    settings = {"STENO_EMBEDDING": "off"}
    payload = json.dumps({"verb": verb, "given": given, "json": as_json, "settings": settings}).encode()
    connection.sendall(b"%d\n" % len(payload) + payload)
    return connection


def test_a_caller_who_leaves_without_showing_the_answer_was_given_nothing(daemon, home, run, here):
    for shown in (b"", b"+"):
        with asked(home, "brief boot", {"given": True}) as connection:
            size = int(connection.makefile("rb").readline())
            assert size
            if shown:
                connection.sendall(shown)
        wait_until(lambda: run(PATIENT, "status")[0] == 0)
    wait_until(lambda: here("brief", "receipts", "--json")[1].count(b"\n") == 1)


def test_a_caller_who_leaves_in_the_middle_disturbs_nobody(daemon, home, run, here):
    for _ in range(3):
        asked(home, "entries list", {}).close()
        asked(home, "entries remember", {"summary": "left", "category": "fact", "everywhere": True}).close()
    assert run(PATIENT, "sessions") == here("sessions")
    assert here("store", "doctor")[0] == 0


@pytest.mark.parametrize("sent", [b"99999999999\n", b"-1\n", b"x\n", b"5\n{}", b"2\n[]", b'9\n{"a": 1}\n'], ids=repr)
def test_a_request_that_is_none_is_dropped(daemon, home, run, here, sent):
    with greeted(home) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            assert connection.recv(1 << 16) == b""
    assert run(PATIENT, "sessions") == here("sessions")
