"""The real model, and a server that answers as it is told."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from steno.embedding import Choice, Model, load


@pytest.fixture(scope="session")
def minilm(made_model: Path) -> Model:
    return load(Choice("minilm"), made_model)


class Script:
    """What the server answers, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.answer: Callable[[dict[str, Any]], tuple[int, Any]] = lambda _: (200, {})
        self.headers: dict[str, str] = {}
        self.url = ""

    def body(self, asked: dict[str, Any]) -> tuple[int, Iterable[bytes]]:
        status, said = self.answer(asked)
        if isinstance(said, dict | list):
            said = json.dumps(said).encode()
        return status, [said] if isinstance(said, bytes) else said


@pytest.fixture
def server() -> Iterator[Script]:
    script = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.asked.append((self.path, dict(self.headers), asked))
            status, body = script.body(asked)
            self.send_response(status)
            for name, value in script.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for part in body:
                self.wfile.write(part)

        def log_message(self, *_: Any) -> None:
            pass

        def handle(self) -> None:
            with contextlib.suppress(ConnectionError):  # the one who asked did not wait
                super().handle()

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield script
    listening.shutdown()
    thread.join()
    listening.server_close()
