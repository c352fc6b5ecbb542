"""Command lines that the daemon answers: however many there are and whatever they do, hooks are answered."""

import json
import socket
from contextlib import suppress
from typing import Any

from steno.client import SOCKET, greeting
from steno.daemon.server import MOST_TALKS

from ..conftest import PATIENCE, wait_until
from .conftest import Daemon, words


def called(daemon: Daemon, verb: str, **given: Any) -> socket.socket:
    """A call that was sent, or refused: nobody reads the answer."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(PATIENCE)
    connection.connect(str(daemon.home / SOCKET))
    with suppress(BrokenPipeError):
        connection.sendall(words("call"))
        if connection.recv(len(greeting()), socket.MSG_WAITALL) == greeting():
            asked = {"verb": verb, "given": given, "json": True, "settings": {"STENO_EMBEDDING": "off"}}
            payload = json.dumps(asked).encode()
            connection.sendall(b"%d\n" % len(payload) + payload)
    return connection


def test_slow_verbs_and_callers_who_do_not_listen_hold_up_no_hook(daemon: Daemon) -> None:
    for number in range(30):
        daemon.write(f"{number} " + "to be or not to be " * 3_000)
    daemon.start().answer()
    wait_until(lambda: '"turns":30' in daemon.steno("sessions", "--everywhere", "--json"))
    # More than the socket holds: each of them stands in the middle of its answer.
    callers = [called(daemon, "sessions show", session="talk") for _ in range(2 * MOST_TALKS)]
    try:
        wait_until(lambda: daemon.ping()["waiting"]["connections"] == MOST_TALKS + 1)
        for _ in range(20):
            daemon.hook("StatusLine")
        assert daemon.says()
        # Who finds no room does it without the daemon.
        assert "talk" in daemon.steno("sessions", "--everywhere")
    finally:
        for caller in callers:
            caller.close()
    wait_until(lambda: daemon.ping()["waiting"]["connections"] == 1)
    with called(daemon, "capture excluded") as connection, connection.makefile("rb") as answer:
        assert json.loads(answer.read(int(answer.readline()))) == {"where": None, "aside": "", "code": 0}
