"""The hook client as hosts run it: a process of its own, real sockets, daemons that misbehave."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from steno import client

from .conftest import PATIENCE

CLIENT = Path(client.__file__)
# The same, with its bytecode kept.
KEPT = CLIENT.parent / "doors" / "hooks" / "run.py"
TRANSCRIPT = "/home/ada/.claude/projects/-shop/3d39.jsonl"
# In a test in which somebody answers, or nobody is there: no deadline that a busy machine could miss.
AMPLE_MS = int(PATIENCE * 1000)
# Where the daemon hangs: as much of it as is kept for what is done without an answer must do on a busy machine, too.
SOME_MS = 10_000

# A daemon of one deed: reads a request, then does what it was told.
DAEMON = """
import os, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen(8)
print("listening", flush=True)
connection, _ = listening.accept()
connection.recv(65536)
connection.sendall(b"ok 100\\nthe first half")
os._exit(9)
"""


def payload(**fields: str) -> bytes:
    base = {"session_id": "3d39", "transcript_path": TRANSCRIPT, "cwd": "/shop", "prompt": "the password is hunter2"}
    return json.dumps(base | fields).encode()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(client.INSIDE, raising=False)
    folder = tmp_path / "steno"
    folder.mkdir(mode=0o700)
    return folder


Hook = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def hook(home: Path) -> Hook:
    """The client, run as a host runs it."""

    def run(
        given: bytes | None = None, *, event: str = "PreToolUse", deadline_ms: int = AMPLE_MS,
        flags: tuple[str, ...] = (), program: Path = CLIENT,
    ) -> subprocess.CompletedProcess[bytes]:  # fmt: skip
        words = [str(home / client.SOCKET), str(deadline_ms), "claude-code", event]
        command = [sys.executable, "-I", "-S", *flags, str(program), *words]
        return subprocess.run(command, input=payload() if given is None else given, capture_output=True)

    return run


@pytest.fixture
def daemon(home: Path) -> Iterator[Callable[..., list[bytes]]]:
    """A daemon that gives every request the same answer, and keeps what it was asked."""
    listening = socket.socket(socket.AF_UNIX)

    def start(answer: bytes, *, path: str | None = None, every: float = 0.0) -> list[bytes]:
        asked: list[bytes] = []
        listening.bind(path or str(home / client.SOCKET))
        listening.listen(8)

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection, connection.makefile("rb") as incoming:
                    head = incoming.readline()
                    asked.append(head + incoming.read(int(head.split()[-1])))
                    try:
                        for sign in [answer] if not every else [bytes([sign]) for sign in answer]:
                            connection.sendall(sign)
                            time.sleep(every)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        return asked

    yield start
    with suppress(OSError):  # it was never asked to listen
        listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def nudges(home: Path) -> list[str]:
    folder = home / client.SPOOL
    return [file.read_text() for file in folder.iterdir()] if folder.exists() else []


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


# -- when all is well --------------------------------------------------------------------------------------------------


def test_the_hosts_bytes_go_to_the_daemon_and_its_bytes_come_back(home, hook, daemon):
    asked = daemon(b'ok 13\n{"a": "\xc3\xa4"}\n\xff')
    done = hook(b'{"tool": "Bash"}\n\x00\xff')
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"a": "\xc3\xa4"}\n\xff', b"")
    assert asked == [b'steno 1 hook claude-code PreToolUse 19\n{"tool": "Bash"}\n\x00\xff']
    assert nudges(home) == []


def test_an_empty_answer_prints_nothing(hook, daemon):
    daemon(b"ok 0\n")
    assert silent(hook())


def test_a_megabyte_goes_through_whole(hook, daemon):
    asked = daemon(b"ok 200000\n" + b"y" * 200_000)
    assert hook(b"x" * 1_000_000).stdout == b"y" * 200_000
    assert len(asked[0].partition(b"\n")[2]) == 1_000_000


@pytest.mark.parametrize("program", [CLIENT, KEPT])
def test_nothing_heavy_is_imported_on_the_way(hook, daemon, program):
    daemon(b"ok 2\nhi")
    done = hook(flags=("-X", "importtime"), program=program)
    imported = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
    assert done.stdout == b"hi"
    assert imported.isdisjoint({"os", "socket", "json", "signal", "enum", "re", "pathlib", "selectors", "steno"})


def test_a_home_with_a_long_name_has_its_socket_elsewhere(tmp_path, daemon, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    home = tmp_path / ("h" * 100) / "steno"
    home.mkdir(parents=True)
    elsewhere = Path(client.socket_path(str(home)))
    assert len(os.fsencode(elsewhere.name)) < 30
    elsewhere = tmp_path / "t" / elsewhere.name  # the test's own folder may be long already
    elsewhere.parent.mkdir(mode=0o700)
    (home / client.SOCKET).write_text(f"{elsewhere}\n")
    daemon(b"ok 4\nhere", path=str(elsewhere))
    assert client.call(str(home), "ping", "-", "-", b"", PATIENCE) == b"here"
    elsewhere.parent.chmod(0o777)
    with pytest.raises(PermissionError, match="others may write"):
        client.call(str(home), "ping", "-", "-", b"", PATIENCE)


def test_python_callers_get_the_refusal_as_a_sentence(home, daemon):
    daemon(b"no 16\ntoo many at once")
    with pytest.raises(ValueError, match="too many at once"):
        client.call(str(home), "ping", "-", "-", b"", PATIENCE)


def test_python_callers_are_told_that_nobody_is_there(home):
    with pytest.raises(FileNotFoundError):
        client.call(str(home), "ping", "-", "-", b"", PATIENCE)


# -- when it is not ----------------------------------------------------------------------------------------------------


def test_without_a_daemon_the_agent_sees_nothing_and_the_transcript_is_remembered(home, hook):
    assert silent(hook())
    assert nudges(home) == [TRANSCRIPT]


def test_of_what_was_said_nothing_is_left_on_disk(home, hook):
    hook()
    assert b"hunter2" not in b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())


def test_a_transcript_is_remembered_once_and_only_so_many_are(home, hook):
    hook()
    hook()
    assert nudges(home) == [TRANSCRIPT]
    for number in range(client.MOST_NUDGES):
        (home / client.SPOOL / f"n{number}").touch()
    hook(payload(transcript_path="/another.jsonl"))
    assert "/another.jsonl" not in nudges(home)


@pytest.mark.usefixtures("stopped")
def test_with_its_bytecode_kept_it_does_the_same(home, hook):
    assert hook(event="SessionStart", program=KEPT).stdout == b"SessionStart: stopped"
    assert nudges(home) == [TRANSCRIPT]


def test_without_a_home_nothing_is_made(home, hook):
    home.rmdir()
    assert silent(hook())
    assert not home.exists()


def test_a_paused_daemon_is_not_waited_for_past_the_deadline(home, hook):
    with running(home) as process:
        os.kill(process.pid, signal.SIGSTOP)
        # It would hear nothing for ever.
        assert silent(hook(deadline_ms=SOME_MS))
    assert nudges(home) == [TRANSCRIPT]


def test_half_an_answer_of_a_killed_daemon_is_not_printed(home, hook):
    with running(home) as process:
        assert silent(hook())
        assert process.wait(PATIENCE) == 9
    assert nudges(home) == [TRANSCRIPT]


def test_a_socket_nobody_listens_on_is_no_error(home, hook):
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(home / client.SOCKET))
    assert silent(hook())
    assert nudges(home) == [TRANSCRIPT]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_socket_of_somebody_else_is_not_spoken_to(home, hook, daemon):
    asked = daemon(b"ok 5\nobey!")
    os.chown(home / client.SOCKET, 12345, 12345)
    assert silent(hook())
    assert asked == []


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"\n", b"hello", b"ok\n", b"ok -1\n", b"ok x\nhello", b"ok 3\nhello", b"ok 9\nhello", b"no 5\nhello",
        b"yes 5\nhello", b"\x00" * 70_000,
    ],
)  # fmt: skip
def test_an_answer_that_is_none_of_ours_is_not_printed(hook, daemon, answer):
    daemon(answer)
    assert silent(hook())


def test_an_answer_that_dribbles_is_cut_off_at_the_deadline(home, hook, daemon):
    # Whole after five minutes; and it would be printed then.
    daemon(b"ok 6000\n" + b"x" * 6000, every=0.05)
    assert silent(hook(deadline_ms=SOME_MS))
    assert nudges(home) == [TRANSCRIPT]


def test_python_callers_do_not_wait_for_a_dribble_either(home, daemon):
    daemon(b"ok 6000\n" + b"x" * 6000, every=0.05)
    with pytest.raises(TimeoutError):
        client.call(str(home), "ping", "-", "-", b"", 0.3)


def test_more_than_a_host_ever_sends_is_not_forwarded(home, hook, daemon):
    asked = daemon(b"ok 2\nhi")
    assert silent(hook(payload() + b" " * client.MOST_BYTES))
    assert (asked, nudges(home)) == ([], [TRANSCRIPT])


def test_a_host_that_never_closes_its_pipe_is_left_at_the_deadline(home, begin):
    words = [sys.executable, "-I", "-S", str(CLIENT), str(home / client.SOCKET), "300", "claude-code", "Stop"]
    process = begin(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert (process.wait(PATIENCE), process.stdout.read()) == (0, b"")


@pytest.mark.parametrize(
    "words", [[], ["x"], ["/s", "soon", "claude-code", "Stop"], ["/s", "1", "a b", "Stop", "more"]]
)
def test_wrong_words_on_the_command_line_are_no_error_either(words):
    command = [sys.executable, "-I", "-S", str(CLIENT), *words]
    assert silent(subprocess.run(command, input=b"{}", capture_output=True))


def test_an_agent_that_steno_runs_is_left_alone(home, hook, daemon, monkeypatch):
    asked = daemon(b"ok 2\nhi")
    monkeypatch.setenv(client.INSIDE, "1")
    assert silent(hook())
    assert (asked, nudges(home)) == ([], [])


# -- when nobody has been there for long -------------------------------------------------------------------------------


@pytest.fixture
def stopped(home: Path) -> Path:
    """The daemon left its word, and was gone for so long that it is time to say it."""
    alive = home / client.ALIVE
    alive.write_bytes(b"SessionStart: stopped")
    os.utime(alive, (0, 0))
    return alive


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("given", [None, b"", b"{", b'{"cwd": 7}', b"\xff\xfe"])
def test_at_each_start_it_is_said_that_nobody_is_there(hook, given):
    for _ in range(2):
        done = hook(given, event="SessionStart")
        assert (done.returncode, done.stdout, done.stderr) == (0, b"SessionStart: stopped", b"")


@pytest.mark.usefixtures("stopped")
def test_a_session_that_goes_on_is_told_once(home, hook):
    assert hook(event="UserPromptSubmit").stdout == b"UserPromptSubmit: stopped"
    assert silent(hook(event="UserPromptSubmit"))
    assert nudges(home) == [TRANSCRIPT]


def test_at_other_events_and_before_its_time_nothing_is_said(hook, stopped):
    assert silent(hook(event="PreToolUse"))
    os.utime(stopped, (time.time() + 3600,) * 2)
    assert silent(hook(event="SessionStart"))


@pytest.mark.usefixtures("stopped")
def test_a_paused_daemon_does_not_keep_the_word_back(home, hook):
    with running(home) as process:
        os.kill(process.pid, signal.SIGSTOP)
        assert hook(event="SessionStart", deadline_ms=SOME_MS).stdout == b"SessionStart: stopped"


class running:  # noqa: N801
    """A process that listens and answers by half, ended with the block."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def __enter__(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-c", DAEMON, str(self._home / client.SOCKET)]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"listening\n"
        return self._process

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
