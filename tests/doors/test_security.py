"""Who may come in: the whole matrix of headers, over every route, through a real socket; and the token's file."""

import json
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest

from steno.doors import patience, security
from steno.doors.api import SERVED
from steno.doors.openapi import method_of
from steno.doors.patience import HEAD_SECONDS
from steno.doors.security import BadToken, token
from steno.doors.serve import Server
from steno.doors.workers import Workers
from steno.vocabulary import StenoError

from ..conftest import PATIENCE

TOKEN = "a-token-that-was-made-for-these-tests-only"
PLACES = [
    *((method_of(verb), verb.path) for verb in SERVED),
    ("GET", "/openapi.json"),
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
    ("GET", "/"),
    ("GET", "/v1/no-such-thing"),
    ("OPTIONS", "/v1/status"),
    ("PUT", "/v1/entries/remember"),
]
GOOD = {
    "Host": "127.0.0.1:{port}",
    "Authorization": f"Bearer {TOKEN}",
    "Content-Type": "application/json",
}
# What is changed in a good request, and the answer to it. None: the header is not sent.
BAD_HEADERS: dict[str, tuple[dict[str, str | None], int]] = {
    "no token": ({"Authorization": None}, 401),
    "an empty token": ({"Authorization": "Bearer "}, 401),
    "a wrong token": ({"Authorization": f"Bearer {TOKEN[:-1]}x"}, 401),
    "the token and more": ({"Authorization": f"Bearer {TOKEN}x"}, 401),
    "another scheme": ({"Authorization": f"Basic {TOKEN}"}, 401),
    "a token that is no ASCII": ({"Authorization": "Bearer tök"}, 401),
    "two tokens": ({"Authorization": f"Bearer {TOKEN}\r\nAuthorization: Bearer x"}, 401),
    "the token as a cookie": ({"Authorization": None, "Cookie": f"token={TOKEN}"}, 401),
    "a foreign Host": ({"Host": "steno.example:{port}"}, 403),
    "a Host that begins like ours": ({"Host": "127.0.0.1.example:{port}"}, 403),
    "a Host that ends like ours": ({"Host": "x@127.0.0.1:{port}"}, 403),
    "another port": ({"Host": "127.0.0.1:1"}, 403),
    "a Host without a port": ({"Host": "127.0.0.1"}, 403),
    "an empty Host": ({"Host": ""}, 403),
    "a foreign Origin": ({"Origin": "http://steno.example"}, 403),
    "an Origin that begins like ours": ({"Origin": "http://127.0.0.1:{port}.example"}, 403),
    "the Origin of another port": ({"Origin": "http://127.0.0.1:1"}, 403),
    "an Origin with another scheme": ({"Origin": "https://127.0.0.1:{port}"}, 403),
    "the Origin null": ({"Origin": "null"}, 403),
    "an empty Origin": ({"Origin": ""}, 403),
    "two Origins": ({"Origin": "http://127.0.0.1:{port}\r\nOrigin: http://steno.example"}, 403),
}
BAD_BODIES = {
    "a form": "application/x-www-form-urlencoded",
    "a form with files": "multipart/form-data; boundary=x",
    "plain text": "text/plain",
    "JSON as plain text": "text/plain; charset=application/json",
    "something like JSON": "application/json-seq",
    "nothing said": None,
}


def nobody_is_asked() -> NoReturn:
    """Opens no memory: a request that gets here was let in."""
    raise StenoError("a request was let in")


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    file = home / "daemon.token"
    file.touch(0o600)
    file.write_text(TOKEN)
    workers = Workers(nobody_is_asked)
    server = Server(workers, workers, home, 0)
    server.start()
    yield server
    server.stop()
    workers.close()


def send(port: int, head: str, body: bytes = b"") -> tuple[int, str, str]:
    """Bytes through a socket: status, head and body of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode() + body)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    first, _, rest = answer.decode().partition("\r\n\r\n")
    return int(first.split()[1]), first.lower(), rest


def head(method: str, path: str, port: int, changed: dict[str, str | None], *, version: str = "1.1") -> str:
    lines = [f"{name}: {value}" for name, value in (GOOD | changed).items() if value is not None]
    lines += ["Connection: close", "Content-Length: 2"]
    return "\r\n".join([f"{method} {path} HTTP/{version}", *lines, "", ""]).replace("{port}", str(port))


@pytest.mark.parametrize(("changed", "status"), BAD_HEADERS.values(), ids=BAD_HEADERS)
def test_a_request_that_is_not_ours_is_refused_on_every_route(
    door: Server, changed: dict[str, str | None], status: int
) -> None:
    answers = {place: send(door.port, head(*place, door.port, changed), b"{}") for place in PLACES}
    assert {place: got for place, (got, _, _) in answers.items()} == dict.fromkeys(PLACES, status)
    assert [place for place, (_, first, _) in answers.items() if "access-control" in first] == []
    assert {(*json.loads(body),) for _, _, body in answers.values()} == {("error", "hint")}


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_request_without_a_host_is_refused_on_every_route(door: Server, version: str) -> None:
    given = {place: head(*place, door.port, {"Host": None}, version=version) for place in PLACES}
    answers = {place: send(door.port, text, b"{}")[0] for place, text in given.items()}
    # The server itself answers 400 where HTTP/1.1 asks for a Host.
    assert answers == dict.fromkeys(PLACES, 403 if version == "1.0" else 400)


@pytest.mark.parametrize("kind", BAD_BODIES.values(), ids=BAD_BODIES)
def test_what_a_page_could_post_is_refused_on_every_route(door: Server, kind: str | None) -> None:
    places = [place for place in PLACES if place[0] in ("POST", "PUT")]
    answers = [send(door.port, head(*place, door.port, {"Content-Type": kind}), b"{}")[0] for place in places]
    assert answers == [415] * len(places)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:{port}", "http://localhost:{port}", "http://[::1]:{port}"])
def test_a_request_with_the_token_is_let_in(door: Server, host: str, origin: str | None) -> None:
    changed = {"Host": host + ":{port}", "Origin": origin, "Content-Type": "application/json; charset=utf-8"}
    for place in [("GET", "/openapi.json"), ("GET", "/v1/status"), ("POST", "/v1/pause")]:
        status, first, _ = send(door.port, head(*place, door.port, changed), b"{}")
        assert status == (200 if place[1] == "/openapi.json" else 409)
        assert "access-control" not in first


def test_a_body_that_is_too_large_is_refused(door: Server) -> None:
    said = head("POST", "/v1/entries/remember", door.port, {}).replace("Content-Length: 2", "Content-Length: 8388609")
    assert send(door.port, said)[0] == 413
    chunked = head("POST", "/v1/entries/remember", door.port, {}).replace(
        "Content-Length: 2", "Transfer-Encoding: chunked"
    )
    pieces = b"".join(b"100000\r\n" + b" " * 0x100000 + b"\r\n" for _ in range(8)) + b"1\r\n \r\n"
    assert send(door.port, chunked, pieces)[0] == 413


def test_a_body_that_does_not_come_is_not_waited_for(door: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "_BODY_SECONDS", 0.05)
    assert send(door.port, head("POST", "/v1/entries/remember", door.port, {}), b"{")[0] == 408


def dribble(connection: socket.socket, port: int) -> None:
    """Send a good request drop by drop, until the other side ends it."""
    connection.settimeout(0.01)
    with suppress(ConnectionError):
        for number in range(10**6):
            connection.sendall(head("POST", "/v1/entries/remember", port, {}).encode()[number : number + 1] or b"x")
            with suppress(TimeoutError):
                if not connection.recv(1 << 16):
                    return
    # Reset: that is an end, too.


def test_who_dribbles_is_let_go(door: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    assert HEAD_SECONDS == 2.0
    monkeypatch.setattr(patience, "HEAD_SECONDS", 0.1)
    with socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) as connection:
        dribble(connection, door.port)
    with socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) as connection:
        assert connection.recv(1) == b""  # who says nothing at all, too


@pytest.mark.parametrize(("changed", "status"), [({}, 500), ({"Authorization": None}, 401)], ids=["ours", "a stranger"])
def test_after_an_answer_the_rest_of_a_body_keeps_no_connection(
    door: Server, monkeypatch: pytest.MonkeyPatch, changed: dict[str, str | None], status: int
) -> None:
    monkeypatch.setattr(patience, "HEAD_SECONDS", 1.0)  # long enough for our head to come, also on a busy machine
    monkeypatch.setattr(security, "_BODY_SECONDS", 0.05)
    said = head("POST", "/v1/entries/remember", door.port, changed).replace("Connection: close\r\n", "")
    with socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) as connection:
        connection.sendall(said.replace("Content-Length: 2", "Content-Length: 5000000").encode())
        assert connection.recv(12) == b"HTTP/1.1 " + str(408 if status == 500 else status).encode()
        dribble(connection, door.port)


def test_any_number_of_strangers_who_wait_cannot_keep_the_owner_out(
    door: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "HEAD_SECONDS", 600.0)
    strangers = []
    try:
        for _ in range(150):
            strangers.append(socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE))
            with suppress(ConnectionError):
                strangers[-1].sendall(b"GET /v1/status HTTP/1.1\r\nHost: ")
        for _ in range(3):
            assert send(door.port, head("GET", "/v1/status", door.port, {}), b"{}")[0] == 409  # let in
    finally:
        for one in strangers:
            one.close()


def test_a_connection_is_used_again(door: Server) -> None:
    said = head("GET", "/v1/status", door.port, {}).replace("Connection: close\r\nContent-Length: 2\r\n", "")
    with socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) as connection:
        for _ in range(3):
            connection.sendall(said.encode())
            assert connection.recv(12) == b"HTTP/1.1 409"
            while b"let in" not in connection.recv(1 << 16):
                pass


def test_the_token_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    made = token(home)
    assert len(made) >= 43
    assert token(home) == made
    assert [path.name for path in home.iterdir()] == ["daemon.token"]
    assert stat.S_IMODE((home / "daemon.token").stat().st_mode) == 0o600
    assert token(tmp_path / "other") != made


@pytest.mark.parametrize("words", ["", "short", "x" * 31, "\x00" * 40])
def test_a_token_that_is_none_is_made_anew(tmp_path: Path, words: str) -> None:
    (tmp_path / "daemon.token").touch(0o600)
    (tmp_path / "daemon.token").write_text(words)
    assert token(tmp_path) != words
    assert len(token(tmp_path)) >= 43


def test_a_token_others_could_read_is_made_anew(tmp_path: Path) -> None:
    made = token(tmp_path)
    (tmp_path / "daemon.token").chmod(0o644)
    again = token(tmp_path)
    assert again != made
    assert stat.S_IMODE((tmp_path / "daemon.token").stat().st_mode) == 0o600


def test_a_token_somewhere_else_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("x" * 43)
    os.symlink(tmp_path / "theirs", tmp_path / "daemon.token")
    with pytest.raises(BadToken, match=r"cannot keep a token in .*daemon\.token"):
        token(tmp_path)
    assert (tmp_path / "theirs").read_text() == "x" * 43
