"""The program through the daemon: the same as without, at whatever moment something ends, and never twice."""

import array
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
from functools import partial
from pathlib import Path

import pytest

from steno.__main__ import THROUGH, _ask, _request, greeting
from steno.cli import program
from steno.client import SOCKET
from steno.daemon.lock import holder

from ..conftest import PATIENCE, wait_until

# The program as it is, but for its patience: on a busy machine a daemon may need more than half a second.
PATIENT = "import steno.__main__ as program; program.READY_SECONDS = 60.0; program.main()"
HERE = "from steno.cli import main; main()"
LOOKING = [
    ("work",),
    ("share",),
    ("recall", "sqlite"),
    ("recall", "nothing", "like", "it", "at", "all"),
    ("entries",),
    ("entries", "--category", "decision"),
    ("show", "nobody"),
    ("sessions",),
    ("turns", "talk-1"),
    ("turns", "no-such-session"),
    ("rules",),
    ("flows",),
    ("believes", "sqlite"),
    ("loss",),
    ("checkpoint",),
    ("gate", "before", "main", "drop the payments table"),
    ("settings",),
]


@pytest.fixture
def poisoned(tmp_path):
    """An environment in which nobody can be the command line but a process that is it already."""
    (tmp_path / "poison").mkdir()
    (tmp_path / "poison" / "click.py").write_text("raise SystemExit('run here')")
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
    """A daemon that runs command lines; its process. Nothing of it outlives the test."""
    process = subprocess.Popen([sys.executable, "-P", "-m", "steno.daemon"], stdin=subprocess.DEVNULL)
    wait_until(lambda: (home / "steno" / SOCKET).exists())
    wait_until(lambda: run(PATIENT, "settings")[0] == 0 and warm(process.pid))
    yield process
    helpers = children(process.pid)
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait(PATIENCE)
    for one in helpers:
        wait_until(lambda one=one: ended(one))


def children(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def warm(pid):
    """The daemon's process that forks, as soon as it is there."""
    return next((one for one in children(pid) if b"steno.cli.warm" in Path(f"/proc/{one}/cmdline").read_bytes()), None)


def ended(pid):
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


_CHANGES = re.compile(
    rb'(score |"score":|"(?:access_count|recalled|last_accessed|last_at|used_at)":|\brecalled )'
    rb'("[^"]*"|[0-9.]+ times,[^\n]*|[0-9.]+|null|once[^\n]*)'
)


def scoreless(told):
    """The same without scores and counts of uses: to be recalled raises them."""
    return [_CHANGES.sub(rb"\1-", one) if isinstance(one, bytes) else one for one in told]


def test_what_goes_through_the_daemon_are_commands():
    assert set(program.list_commands(None)) >= THROUGH


@pytest.mark.parametrize("how", [[], ["--json"]], ids=["in words", "as JSON"])
def test_everything_is_the_same_with_and_without_it(daemon, run, here, poisoned, how):
    # In words it is compared with an interpreter that was just started.
    without = here if how else partial(run, HERE)
    # Whoever asks uses what is found: the first to ask would be told that nobody did.
    without("believes", "sqlite")
    for words in LOOKING:
        assert scoreless(run(PATIENT, *words, *how, **poisoned)) == scoreless(without(*words, *how)), words
    for words in ("capture", "review"):  # the one takes long, the other asks back
        assert run("from steno.__main__ import main; main()", words, **poisoned)[2] == b"run here\n"


def test_wrong_use_is_the_same(daemon, run, poisoned, here):
    for words in (("recall",), ("entries", "--no-such-option"), ("gate", "before", "main"), ("show", "--help")):
        assert run(PATIENT, *words, **poisoned) == here(*words)


def test_a_change_is_made_once(daemon, run, poisoned, here):
    code, output, errors = run(PATIENT, "remember", "the port is 8080", "--category", "fact", "--json", **poisoned)
    assert (code, errors) == (0, b"")
    assert json.loads(output)["summary"] == "the port is 8080"
    found = here("entries", "--category", "fact", "--json")[1].splitlines()
    assert [json.loads(line)["summary"] for line in found] == ["the port is 8080"]


def test_the_callers_world_is_used_and_not_the_daemons(daemon, home, run, poisoned, here):
    (home / "elsewhere").mkdir()
    told = run(PATIENT, "settings", "--json", **poisoned, STENO_RECALL_TOP_K="7")[1]
    assert {"recall_top_k": 7}.items() <= {
        one["name"]: one["value"] for one in map(json.loads, told.splitlines())
    }.items()
    for zone in ("Asia/Tokyo", "America/New_York"):
        times = run(PATIENT, "boot", "--given", **poisoned, TZ=zone)[0], run(PATIENT, "receipts", **poisoned, TZ=zone)
        assert times == (0, here("receipts", TZ=zone))
    there = {**poisoned, "STENO_HOME": "../steno"}
    assert run(PATIENT, "sessions", cwd=home / "elsewhere", **there) == here("sessions")


def test_a_directory_that_is_gone_is_no_trouble(daemon, home, run, poisoned):
    words = ("gate", "before", "main", "look around")

    def without_place(line, **more):
        (home / "gone").mkdir()
        return run(f"import os; os.chdir('gone'); os.rmdir('../gone'); {line}", *words, **more)

    through, here = without_place(PATIENT, **poisoned), without_place(HERE)
    assert through == here
    assert here[0] == 0


def drawn(line, *args, environment):
    """On a terminal of 80 columns: the exit code and every byte."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-c", line, *args]
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


def test_a_terminal_is_drawn_on_the_same(daemon, poisoned):
    for words in (("sessions",), ("recall", "sqlite"), ("turns", "talk-1"), ("show", "nobody")):
        through = drawn(PATIENT, *words, environment=os.environ | poisoned)
        assert scoreless(through) == scoreless(drawn(HERE, *words, environment=os.environ)), words
    assert b"\x1b[" in drawn(PATIENT, "sessions", environment=os.environ | poisoned)[1]


# -- when something ends -----------------------------------------------------------------------------------------------


@pytest.fixture
def stuck(daemon, steno, transcript, poisoned):
    """A command line in the middle of its answer: nobody reads on, and the pipe is full."""
    long = [{"session": "long", "role": "user", "text": "word " * 2000, "id": str(n)} for n in range(40)]
    assert steno("capture", transcript(*long, name="long.jsonl"), "--source", "jsonl").exit_code == 0
    running = subprocess.Popen(
        [sys.executable, "-c", PATIENT, "turns", "long", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | poisoned,
        # A shell that starts tests in its background has them ignore Ctrl-C, and what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip

    def is_full():
        waiting = array.array("i", [0])
        fcntl.ioctl(running.stdout, termios.FIONREAD, waiting)
        return waiting[0] >= fcntl.fcntl(running.stdout, fcntl.F_GETPIPE_SZ) - 4096

    wait_until(is_full)
    yield running
    running.kill()
    running.communicate(timeout=PATIENCE)


def test_a_daemon_that_is_killed_in_the_middle_of_an_answer_does_not_cut_it_short(daemon, stuck, run, here):
    daemon.kill()
    daemon.wait(PATIENCE)
    output, errors = stuck.communicate(timeout=PATIENCE)
    assert (stuck.returncode, output, errors) == here("turns", "long", "--json")


def test_ctrl_c_ends_it_as_it_would_here(stuck):
    stuck.send_signal(signal.SIGINT)
    # Nobody reads before it has ended: else it might come to its end first.
    stuck.wait(timeout=PATIENCE)
    _, errors = stuck.communicate(timeout=PATIENCE)
    assert (stuck.returncode, errors) == (130, b"\nsteno: interrupted\n")


def test_it_ends_with_its_caller(daemon, stuck):
    [working] = children(warm(daemon.pid))
    stuck.kill()
    stuck.communicate(timeout=PATIENCE)
    wait_until(lambda: ended(working))


def test_when_it_is_killed_the_caller_says_so_and_repeats_nothing(daemon, stuck):
    [working] = children(warm(daemon.pid))
    os.kill(working, signal.SIGKILL)
    _, errors = stuck.communicate(timeout=PATIENCE)
    assert stuck.returncode == 1
    assert errors.startswith(b"steno: the daemon's process that ran this was ended in the middle of it\n")


def test_a_daemon_that_hangs_is_not_waited_for(daemon, run, here):
    os.kill(daemon.pid, signal.SIGSTOP)
    line = PATIENT.replace("60.0", "0.1")
    assert run(line, "turns", "talk-1") == here("turns", "talk-1")
    assert run(line, "remember", "once", "--category", "fact")[0] == 0
    os.kill(daemon.pid, signal.SIGCONT)
    # It comes to the requests that waited, and finds nobody who asks.
    wait_until(lambda: run(PATIENT, "entries", "--category", "fact", "--json")[1].count(b"once") == 1)


def test_when_its_forks_are_killed_it_begins_anew(daemon, run, poisoned, here):
    first = warm(daemon.pid)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: ended(first))
    assert run(PATIENT, "turns", "talk-1") == here("turns", "talk-1")
    assert wait_until(lambda: warm(daemon.pid)) != first
    assert run(PATIENT, "turns", "talk-1", **poisoned) == here("turns", "talk-1")


def test_nothing_is_left_when_the_daemon_is_told_to_stop(daemon, run, here):
    helper = warm(daemon.pid)
    assert here("down")[0] == 0
    assert ended(helper)
    assert holder(Path(os.environ["STENO_HOME"])) is None


# -- somebody else on the socket ---------------------------------------------------------------------------------------


@pytest.fixture
def pretending(home, talk):
    """Listens on the daemon's socket, says something, and hears what comes then."""
    heard = []

    def begin(says, *, hears=True):
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(home / "steno" / SOCKET))
        listening.listen()

        def answer():
            with listening, listening.accept()[0] as connection, suppress(ConnectionResetError):
                heard.append(connection.recv(100))
                connection.sendall(says)
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
        b"ready 0.0.1 /somewhere/steno\n",
        greeting()[:-2],
        greeting().replace(b"steno\n", b"other\n"),
        b"",
        b"\0" * 1000,
    ],
    ids=["an older one", "another version", "half a greeting", "another place", "nothing", "noise"],
)
def test_with_another_daemon_it_is_done_here_and_that_one_is_asked_nothing(pretending, run, says, here):
    thread = pretending(says)
    line = PATIENT.replace("60.0", "0.2")
    assert run(line, "turns", "talk-1") == here("turns", "talk-1")
    thread.join(PATIENCE)
    assert pretending.heard == [b"steno 1 run cli - 0\n"]


def test_a_change_that_was_sent_and_not_answered_is_not_made_again(pretending, run, here):
    thread = pretending(greeting(), hears=False)
    code, output, errors = run(PATIENT, "remember", "only once", "--category", "fact")
    thread.join(PATIENCE)
    assert (code, output) == (1, b"")
    assert b"may be changed or not" in errors
    assert here("entries", "--category", "fact", "--json")[1] == b""


# -- the model ---------------------------------------------------------------------------------------------------------


def test_a_model_that_was_needed_is_kept_for_the_next_and_answers_stay_the_same(
    home, with_meaning, talk, run, poisoned, here
):
    assert here("embed")[0] == 0
    process = subprocess.Popen([sys.executable, "-P", "-m", "steno.daemon"], stdin=subprocess.DEVNULL)
    try:
        wait_until(lambda: run(PATIENT, "recall", "database", **poisoned)[0] == 0)
        maps = Path(f"/proc/{warm(process.pid)}/maps")
        wait_until(lambda: "onnxruntime" in maps.read_text())
        assert "onnxruntime" not in Path(f"/proc/{process.pid}/maps").read_text()
        for words in (("recall", "database", "--json"), ("recall", "a service to run"), ("believes", "tests")):
            assert scoreless(run(PATIENT, *words, **poisoned)) == scoreless(here(*words))
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_a_process_that_nobody_asks_any_more_ends(home, talk):
    ours, its = socket.socketpair()
    caller, given = socket.socketpair()
    with ours, caller, given, its, open(os.devnull, "r+b") as nowhere:
        socket.send_fds(ours, [b"."], [given.fileno()])
        line = "import steno.cli.warm as warm; warm._KEPT_SECONDS = 0.0; warm.main()"
        process = subprocess.Popen([sys.executable, "-c", line], stdin=its.fileno())
        given.close()
        caller.settimeout(PATIENCE)
        assert caller.recv(1000) == greeting()
        folder = os.open(home, os.O_RDONLY)
        _ask(caller, _request(["sessions"]), (*[nowhere.fileno()] * 3, folder))
        os.close(folder)
        assert caller.recv(16) == b"0"
        assert process.wait(PATIENCE) == 0
