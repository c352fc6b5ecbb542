"""A home with something in it, and the real HTTP server on a port of this machine."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from steno.doors.hooks import Said
from steno.memory import Memory
from steno.testing import said, write_jsonl
from steno.verbs.asking import Asker

from ..conftest import PATIENCE

if TYPE_CHECKING:
    from mcp_types import CallToolResult

    from steno.doors.serve import Server

TALK = [
    said(
        "Let's go with Postgres for the customer orders and invoices.",
        id="1",
        at="2026-03-01T09:00:00Z",
        project="/shop",
    ),
    said("Fine, Postgres it is.", role="assistant", id="2", at="2026-03-01T09:00:05Z"),
    said("Let's go with SQLite for the customer orders and invoices.", id="3", at="2026-03-03T09:00:00Z"),
    said("Shall I add a column to the payments table?", role="assistant", id="4", at="2026-03-03T09:01:00Z"),
    said("no, never change the payments table by hand", id="5", at="2026-03-03T09:02:00Z"),
]
Ask = Callable[..., tuple[int, Any]]


class Desk:
    """A desk in front of a memory that is up to date."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.said = memory, Said()

    def flush(self, *_: Any) -> None: ...

    def before_compact(self, *_: Any) -> None: ...

    def later(self, *_: Any, **__: Any) -> None: ...


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that lets nobody go, on however busy a machine; what is about letting go says so itself."""
    for name in ("patience.HEAD_SECONDS", "security._BODY_SECONDS", "api._SECONDS", "mcp._SECONDS"):
        monkeypatch.setattr(f"steno.doors.{name}", PATIENCE)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Memory]:
    """Opens a memory of the home, with settings as the environment would give them."""

    def open_memory(**settings: str) -> Memory:
        environment = {"HOME": str(tmp_path), "STENO_EMBEDDING": "off"}
        environment |= {f"STENO_{name.upper()}": text for name, text in settings.items()}
        return Memory(tmp_path / "steno", environment=environment)

    return open_memory


@pytest.fixture
def talk(tmp_path: Path, opened: Callable[..., Memory]) -> Path:
    """A talk, captured and read by the scribe."""
    path = write_jsonl(tmp_path / "talk.jsonl", *TALK)
    with opened() as memory:
        memory.capture(path, source="jsonl")
        memory.scribe()
    return path


@pytest.fixture
def elsewhere(talk: Path, opened: Callable[..., Memory]) -> None:
    """Another project, of which whoever works in the shop sees nothing: there is a zebra in it."""
    words = "no, never put the zebra into the payments table"
    lines = [said("Shall I feed the zebra?", role="assistant", session="z", project="/zoo"), said(words, session="z")]
    with opened() as memory:
        memory.capture(write_jsonl(talk.parent / "zoo.jsonl", *lines), source="jsonl")
        memory.remember("the zebra bites", category="fact", project="/zoo")
        memory.save()


@pytest.fixture
def serve(tmp_path: Path, opened: Callable[..., Memory]) -> "Iterator[Callable[..., Server]]":
    """Serves the home, with these settings, until the test ends. Nothing is left of it then."""
    from steno.doors.serve import Server  # not above: other tests here need not wait for the packages of a web server
    from steno.doors.workers import Workers

    before = set(threading.enumerate())
    running: list[Server | Workers] = []

    def start(port: int = 0, **settings: str) -> Server:
        quick, slow = (Workers(lambda: opened(**settings), threads=threads) for threads in (2, 1))
        server = Server(quick, slow, tmp_path / "steno", port)
        server.start()
        running.extend((quick, slow, server))
        return server

    yield start
    for one in reversed(running):
        one.stop() if isinstance(one, Server) else one.close()
    # A thread that has been told to end may need a moment more on a busy machine.
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
    assert set(threading.enumerate()) <= before


@pytest.fixture
def served(serve: "Callable[..., Server]") -> "Server":
    """The home, served."""
    return serve()


@pytest.fixture
def ask(tmp_path: Path, served: "Server") -> Ask:
    """A request with everything it needs: its status, and the answer read from JSON."""
    return lambda method, path, body=None, **headers: asked(served, tmp_path, method, path, body, **headers)


def asked(server: "Server", folder: Path, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """The same for a server of the test's own."""
    token = (folder / "steno" / "daemon.token").read_text().strip()
    known = {"Authorization": f"Bearer {token}", **headers}
    if method == "POST":
        known = {"Content-Type": "application/json", **known}
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, data if method == "GET" or data is not None else b"{}", known)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


@pytest.fixture
def tool(opened: Callable[..., Memory], request: pytest.FixtureRequest) -> "Iterator[Callable[..., CallToolResult]]":
    """Uses a tool: as a person's own agent, unless told who asks."""
    from mcp import Client

    from steno.doors import mcp
    from steno.doors.workers import Workers

    workers = Workers(opened)
    server = mcp.server(workers, lambda: getattr(request, "param", Asker()))

    async def use(name: str, given: dict[str, Any]) -> "CallToolResult":
        async with Client(server) as client:
            return await client.call_tool(name, given)

    yield lambda name, **given: asyncio.run(use(name, given))
    workers.close()
