"""The socket: whatever arrives, it goes on answering, and nobody else can reach it."""

import os
import shutil
import socket
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steno.client import MOST_BYTES, SOCKET, call, socket_path
from steno.daemon.server import MOST_AT_ONCE, MOST_TALKS, NoSocket, Server

from ..conftest import PATIENCE, wait_until
from .conftest import request, words

Serving = Callable[..., Server]


def echo(host: str, event: str, payload: bytes) -> bytes:
    return f"{host} {event} ".encode() + payload


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """Starts servers on the home, and stops them."""
    started: list[Server] = []

    def start(read_seconds: float = PATIENCE, **verbs: Callable[[str, str, bytes], bytes]) -> Server:
        started.append(Server(tmp_path, {"hook": echo, **verbs}, read_seconds=read_seconds))
        started[-1].start()
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short name: sockets have little room for one."""
    folder = Path(tempfile.mkdtemp(prefix="st"))
    yield folder
    shutil.rmtree(folder)


def test_a_request_gets_its_answer(serving: Serving, tmp_path: Path) -> None:
    serving()
    assert request(tmp_path / SOCKET, words("hook", b"{}\n\x00", event="Stop")) == b"ok 21\nclaude-code Stop {}\n\x00"
    assert call(str(tmp_path), "hook", "codex", "Stop", b"{}", PATIENCE) == b"codex Stop {}"


@pytest.mark.parametrize(
    "raw",
    [
        b"\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"steno 1 hook claude-code Stop\n",
        b"steno 1 hook claude-code Stop -1\n",
        b"steno 1 hook claude-code Stop 1e3\n",
        b"steno 1 hook claude-code Stop now 0\n",
        b"steno 2 hook claude-code Stop 0\n",
        b"steno 1 format claude-code Stop 0\n",
        b"steno 1 hook claude-code Stop 2\n{}{}",
        b"\xff\xfe\x00" * 20 + b"\n",
        b"x" * 400,
        f"steno 1 hook claude-code Stop {MOST_BYTES + 1}\n".encode(),
        b"steno 1 hook claude-code Stop " + b"9" * 250 + b"\n",
    ],
)
def test_what_is_no_request_is_refused_and_the_next_one_answered(serving: Serving, tmp_path: Path, raw: bytes) -> None:
    serving()
    verdict, _, sentence = request(tmp_path / SOCKET, raw).partition(b"\n")
    assert verdict == b"no %d" % len(sentence)
    assert sentence
    assert request(tmp_path / SOCKET, words("hook", event="Stop")) == b"ok 17\nclaude-code Stop "


def test_the_largest_payload_fits(serving: Serving, tmp_path: Path) -> None:
    serving(hook=lambda _, __, payload: str(len(payload)).encode())
    assert request(tmp_path / SOCKET, words("hook", b"x" * MOST_BYTES)) == f"ok 7\n{MOST_BYTES}".encode()


def test_who_does_not_send_what_was_announced_is_cut_off(serving: Serving, tmp_path: Path) -> None:
    serving(read_seconds=0.2)
    assert request(tmp_path / SOCKET, b"steno 1 hook claude-code Stop 100\n{") == b"no 26\nthe request did not arrive"


def test_who_hangs_up_in_the_middle_harms_nobody(serving: Serving, tmp_path: Path) -> None:
    server = serving()
    for _ in range(3 * MOST_AT_ONCE):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(tmp_path / SOCKET))
            connection.sendall(b"steno 1 hook claude-code Stop 100\n{")
        wait_until(lambda: server.at_work < MOST_AT_ONCE)
    assert request(tmp_path / SOCKET, words("hook", event="Stop")) == b"ok 17\nclaude-code Stop "
    wait_until(lambda: server.at_work == 0)


def test_a_verb_that_fails_is_a_no(serving: Serving, tmp_path: Path) -> None:
    serving(ping=lambda *_: bytes(1 // 0))
    assert request(tmp_path / SOCKET, words("ping")) == b"no 36\nthe daemon failed: ZeroDivisionError"


def test_more_than_it_can_carry_at_once_are_told_so(serving: Serving, tmp_path: Path) -> None:
    go_on = threading.Event()
    server = serving(hook=lambda *_: b"done" if go_on.wait(PATIENCE) else b"")
    answers: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: answers.append(request(tmp_path / SOCKET, words("hook"))))
        for _ in range(MOST_AT_ONCE)
    ]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: server.at_work == MOST_AT_ONCE)
        assert request(tmp_path / SOCKET, words("hook")) == b"no 16\ntoo many at once"
    finally:
        go_on.set()
        for thread in threads:
            thread.join()
    assert answers == [b"ok 4\ndone"] * MOST_AT_ONCE
    wait_until(lambda: server.at_work == 0)
    assert request(tmp_path / SOCKET, words("hook")) == b"ok 4\ndone"


def test_a_talk_is_held_on_its_connection_and_none_leaves_hooks_without_room(tmp_path: Path) -> None:
    go_on = threading.Event()
    server = Server(tmp_path, {"hook": echo}, talks={"call": lambda talk: talk.sendall(b"hm") or go_on.wait(PATIENCE)})
    server.start()
    talks = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(MOST_TALKS)]
    try:
        for talk in talks:
            talk.connect(str(tmp_path / SOCKET))
            talk.sendall(words("call"))
            assert talk.recv(10) == b"hm"
        for _ in range(2 * MOST_AT_ONCE):
            assert request(tmp_path / SOCKET, words("call")) == b"no 16\ntoo many at once"
        assert request(tmp_path / SOCKET, words("hook", event="Stop")) == b"ok 17\nclaude-code Stop "
        go_on.set()
        assert [talk.recv(10) for talk in talks] == [b""] * MOST_TALKS
        wait_until(lambda: server.at_work == 0)
        assert request(tmp_path / SOCKET, words("call")) == b"hm"
    finally:
        go_on.set()
        for talk in talks:
            talk.close()
        server.stop()


def test_only_its_owner_can_reach_the_socket_and_none_is_left_behind(tmp_path: Path) -> None:
    server = Server(tmp_path, {})
    server.start()
    facts = (tmp_path / SOCKET).stat()
    assert (stat.S_ISSOCK(facts.st_mode), stat.S_IMODE(facts.st_mode)) == (True, 0o600)
    server.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_socket_nobody_listens_on_is_replaced(serving: Serving, tmp_path: Path) -> None:
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    dead.bind(str(tmp_path / SOCKET))
    dead.close()
    serving()
    assert request(tmp_path / SOCKET, words("hook", event="Stop")) == b"ok 17\nclaude-code Stop "


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_belongs_to_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / SOCKET).write_text("theirs", "utf-8")
    os.chown(tmp_path / SOCKET, 12345, 12345)
    with pytest.raises(NoSocket, match="belongs to somebody else"):
        Server(tmp_path, {})
    assert (tmp_path / SOCKET).read_text("utf-8") == "theirs"


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / SOCKET).mkdir()
    with pytest.raises(NoSocket, match="is in the way"):
        Server(tmp_path, {})


def test_where_the_path_is_too_long_a_file_names_the_socket(
    tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(short))
    home = tmp_path / ("long" * 30)
    home.mkdir()
    for _ in range(2):  # the second one finds what is left if the first is killed
        server = Server(home, {"hook": echo})
        server.start()
        real = socket_path(str(home))
        assert (home / SOCKET).read_text("utf-8") == f"{real}\n"
        assert real.startswith(str(short))
        assert call(str(home), "hook", "codex", "Stop", b"", PATIENCE) == b"codex Stop "
        shutil.copy(home / SOCKET, tmp_path / "kept")
        server.stop()
        assert (list(home.iterdir()), os.path.exists(real)) == ([], False)
        shutil.copy(tmp_path / "kept", home / SOCKET)


def test_a_temporary_folder_others_may_write_is_refused(
    tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(short))
    home = tmp_path / ("long" * 30)
    home.mkdir()
    folder = Path(socket_path(str(home))).parent
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(NoSocket, match="others may write into"):
        Server(home, {})


def test_whoever_answers_is_told_when_the_answer_was_used_and_only_then(tmp_path: Path) -> None:
    used: dict[bytes, bool] = {}

    def answer(_: str, event: str, payload: bytes) -> tuple[bytes, Callable[[bool], None]]:
        return event.encode(), lambda is_used: used.setdefault(payload, is_used) and None

    server = Server(tmp_path, {}, sure={"hook": answer})
    server.start()
    try:
        # Who only asks, and who has left before the answer came.
        assert call(str(tmp_path), "hook", "codex", "Stop", b"looked at", PATIENCE) == b"Stop"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as hasty:
            hasty.connect(str(tmp_path / SOCKET))
            hasty.sendall(words("hook", b"too late"))
        assert request(tmp_path / SOCKET, words("hook", b"printed", event="Stop"), used=True) == b"ok 4\nStop"
        wait_until(lambda: len(used) == 3)
    finally:
        server.stop()
    assert used == {b"looked at": False, b"too late": False, b"printed": True}
