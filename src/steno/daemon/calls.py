"""Verbs for the command line: it says which one, with what, and is told the answer (`cli/answering.py`).

After the greeting, in which both sides see that they are the same program, comes one request: its length, a newline,
and JSON with `verb`, `given`, `json` and the caller's `settings`. The answer is its length, a newline, a line of JSON
with what there is to say of it, and the lines of the answer itself. Length 0 says: do it yourself. Once the answer is
shown, the caller says `+`.
"""

import select
import socket
from collections.abc import Mapping
from concurrent.futures import CancelledError, wait
from contextlib import suppress
from traceback import format_exception
from typing import Any, Final

import msgspec
from msgspec import Struct

from steno.client import chosen, greeting
from steno.daemon.health import Health, give_back
from steno.doors.workers import Overloaded, Workers
from steno.memory import Memory
from steno.surroundings import peer_of
from steno.verbs import VERBS
from steno.verbs.answers import Answer
from steno.verbs.asking import Asker
from steno.verbs.call import Called, call, lines, public
from steno.vocabulary.errors import StenoError

_ASK_SECONDS: Final = 5.0
# Somebody may read page by page; after that the answer counts as lost.
_SHOW_SECONDS: Final = 600.0
_MOST_BYTES: Final = 8 << 20
# More than that is made where it is read.
_LONGEST: Final = 64 << 20
# How often it is looked whether the caller is still there.
_LOOK_SECONDS: Final = 0.2


class Request(Struct, frozen=True):
    """What a command line asks."""

    verb: str
    given: dict[str, Any]
    json: bool
    settings: dict[str, str]


class Calls:
    """Answers command lines, each on the connection it came on."""

    def __init__(self, workers: Workers, health: Health, environment: Mapping[str, str]) -> None:
        self._workers = workers
        self._health = health
        self._settings = chosen(environment)
        # Answers since memory was given back, and how many there were at the last beat.
        self._answered = self._before = 0

    def rest(self) -> None:
        """Called at every beat: once nobody asks any more, what answers needed goes back to the system."""
        if self._answered and self._answered == self._before:
            self._answered = 0
            give_back()
        self._before = self._answered

    def answer(self, connection: socket.socket) -> None:
        """One request, from greeting to goodbye. Whatever is odd ends the connection; the caller finds another way."""
        with connection, suppress(OSError, ValueError):
            connection.settimeout(_ASK_SECONDS)
            connection.sendall(greeting())
            request = _read(connection)
            self._answered += 1
            connection.settimeout(_SHOW_SECONDS)
            told, called = self._told(request, connection)
            if told is None:
                return
            connection.sendall(b"%d\n" % len(told) + told)
            if called is not None and called.arrived and connection.recv(1) == b"+":
                self._workers.submit(called.has_arrived).result(_SHOW_SECONDS)

    def _told(self, request: Request, connection: socket.socket) -> tuple[bytes | None, Called | None]:
        """The answer as it goes back. None: nobody is there to hear it; empty: somebody else must answer."""
        verb = VERBS.get(request.verb)
        if verb is None or request.settings != self._settings:
            return b"", None

        pid = peer_of(connection)

        def work(memory: Memory) -> tuple[bytes, Called]:
            called = call(verb, request.given, memory, Asker(pid=pid))
            answer = called.answer
            shown = lines(public(answer) if request.json else answer)
            head = {
                "where": called.where.in_words if called.where else None,
                "aside": answer.aside if isinstance(answer, Answer) else "",
                "code": answer.code if isinstance(answer, Answer) else 0,
            }
            return _whole(head, *shown), called

        try:
            future = self._workers.submit(work)
            while not wait([future], _LOOK_SECONDS).done:
                if _is_gone(connection):
                    # What has not begun never will; what writes ends its transaction.
                    future.cancel()
                    return None, None
            told, called = future.result()
        except (Overloaded, CancelledError):  # it has not begun
            return b"", None
        except StenoError as error:
            return _whole({"error": error.message, "hint": error.hint, "code": error.exit_code}), None
        except Exception as error:
            self._health.note(f"steno {verb.name} failed: {''.join(format_exception(error))}")
            words = f"this is a bug in Steno: {type(error).__name__}: {error}"
            hint = "`steno daemon logs` shows where it happened; please report it with that"
            return _whole({"error": words, "hint": hint, "code": 1}), None
        return (told, called) if len(told) <= _LONGEST else (b"", None)


def _whole(head: Mapping[str, Any], *told: bytes) -> bytes:
    return b"\n".join([msgspec.json.encode(head), *told, b""])


def _read(connection: socket.socket) -> Request:
    with connection.makefile("rb") as asked:
        size = int(asked.readline(16))
        if not 0 < size <= _MOST_BYTES:
            raise ValueError("more than anybody types")
        return msgspec.json.decode(asked.read(size), type=Request)


def _is_gone(connection: socket.socket) -> bool:
    """Whether whoever asked has hung up."""
    readable, _, _ = select.select([connection], [], [], 0)
    with suppress(OSError):
        return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
    return True
