"""The unix socket: one request per connection, a thread each, never more than a few at once.

A request is `steno 1 VERB HOST EVENT LENGTH`, a newline and so many bytes. The answer is `ok LENGTH`, a newline and the
bytes, or `no LENGTH` and a sentence; a client that used it says `+`. Whatever else arrives is refused without harm. A
verb may talk on the connection in a way of its own.
"""

import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final

from steno.client import MOST_BYTES, SOCKET, socket_path
from steno.vocabulary.errors import StenoError

# A verb's work: host, event, payload → the bytes that go back.
Verb = Callable[[str, str, bytes], bytes]
# The same, and what is to be told whether the client used them.
SureVerb = Callable[[str, str, bytes], tuple[bytes, Callable[[bool], None] | None]]
# The work of a verb that talks on the connection itself, to the end.
Talk = Callable[[socket.socket], None]

MOST_AT_ONCE: Final = 20
# Of those, so many may talk, which somebody who reads page by page does for minutes. The rest is left to hooks.
MOST_TALKS: Final = 12
_BACKLOG: Final = 64
# A host's hook sends at once or never; who dribbles is cut off.
_READ_SECONDS: Final = 5.0
_LONGEST_HEAD: Final = 300
# A client prints what it got and says so at once.
_USED_SECONDS: Final = 2.0
# How often the acceptor looks whether it is to stop.
_IDLE_SECONDS: Final = 0.5


class NoSocket(StenoError):
    """The socket cannot be made."""


class _Refused(Exception):
    """A request that gets a `no`."""


class Server:
    """Answers on the socket of a home, from `start` to `stop`."""

    def __init__(
        self, home: Path, verbs: Mapping[str, Verb], *, sure: Mapping[str, SureVerb] = MappingProxyType({}),
        talks: Mapping[str, Talk] = MappingProxyType({}), read_seconds: float = _READ_SECONDS,
    ) -> None:  # fmt: skip
        self._home = home
        self._verbs = verbs
        self._sure = sure
        self._talks = talks
        self._read_seconds = read_seconds
        self._talking = threading.BoundedSemaphore(MOST_TALKS)
        self._counting = threading.Lock()
        # Connections that are being answered.
        self.at_work = 0
        self._stopping = threading.Event()
        self._acceptor = threading.Thread(target=self._accept, name="steno-accept", daemon=True)
        self._socket = _listen(home)

    def start(self) -> None:
        """Answer from now on."""
        self._acceptor.start()

    def stop(self) -> None:
        """Take nothing more and leave no socket behind. Nobody waits for answers under way: clients have deadlines."""
        self._stopping.set()
        if self._acceptor.is_alive():
            self._acceptor.join()
        self._socket.close()
        for path in {str(self._home / SOCKET), socket_path(str(self._home))}:
            with suppress(OSError):
                os.unlink(path)

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            except OSError:
                # Out of files: what is under way will give some back.
                self._stopping.wait(_IDLE_SECONDS)
                continue
            if not self._has_room():
                _close(connection, b"no", b"too many at once")
                continue
            try:
                threading.Thread(target=self._answer, args=(connection,), name="steno-answer", daemon=True).start()
            except RuntimeError:  # no thread to be had
                self._done(connection, b"no", b"too many at once")

    def _has_room(self) -> bool:
        with self._counting:
            if self.at_work >= MOST_AT_ONCE:
                return False
            self.at_work += 1
            return True

    def _answer(self, connection: socket.socket) -> None:
        verdict, answer = b"no", b""
        try:
            given = self._ask(connection)
            verdict, answer = (b"", b"") if given is None else (b"ok", given)
        except _Refused as error:
            answer = str(error).encode()
        except (OSError, ValueError):
            answer = b"the request did not arrive"
        except Exception as error:
            answer = f"the daemon failed: {type(error).__name__}".encode()
        finally:
            self._done(connection, verdict, answer)

    def _ask(self, connection: socket.socket) -> bytes | None:
        """The answer. None: it is given."""
        verb, host, event, payload = _read(connection, time.monotonic() + self._read_seconds)
        if talk := self._talks.get(verb):
            if not self._talking.acquire(blocking=False):
                raise _Refused("too many at once")
            try:
                talk(connection)
            finally:
                self._talking.release()
            return None
        if sure := self._sure.get(verb):
            answer, used = sure(host, event, payload)
            if used is None:
                return answer
            used(_is_used(connection, answer))
            return None
        if verb not in self._verbs:
            raise _Refused(f"no verb is called so; there are {', '.join([*self._verbs, *self._sure, *self._talks])}")
        return self._verbs[verb](host, event, payload)

    def _done(self, connection: socket.socket, verdict: bytes, answer: bytes) -> None:
        # First of all: who has read the answer may count on the place being free.
        with self._counting:
            self.at_work -= 1
        _close(connection, verdict, answer)


def _read(connection: socket.socket, until: float) -> tuple[str, str, str, bytes]:
    """One request, whole, before the deadline."""
    received = b""
    while b"\n" not in received:
        received += _piece(connection, until)
        if len(received.partition(b"\n")[0]) > _LONGEST_HEAD:
            raise _Refused("the request begins with no line of ours")
    head, _, body = received.partition(b"\n")
    words = head.decode("ascii", "replace").split(" ")
    if len(words) != 6 or words[0] != "steno" or not words[5].isdecimal():
        raise _Refused("the request begins with no line of ours")
    if words[1] != "1":
        raise _Refused("this daemon speaks version 1; upgrade the older side")
    length = int(words[5])
    if length > MOST_BYTES:
        raise _Refused(f"more than {MOST_BYTES} bytes")
    pieces, size = [body], len(body)
    while size < length:
        pieces.append(_piece(connection, until))
        size += len(pieces[-1])
    if size > length:
        raise _Refused("more bytes than announced")
    return words[2], words[3], words[4], b"".join(pieces)


def _piece(connection: socket.socket, until: float) -> bytes:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)
    if not (piece := connection.recv(1 << 18)):
        raise ConnectionError
    return piece


def _is_used(connection: socket.socket, answer: bytes) -> bool:
    """Whether the client takes the answer and says that it used it. One that gave up has closed its end."""
    connection.settimeout(_USED_SECONDS)
    try:
        connection.sendall(b"ok %d\n%s" % (len(answer), answer))
        return connection.recv(1) == b"+"
    except OSError:
        return False


def _close(connection: socket.socket, verdict: bytes, answer: bytes) -> None:
    with connection, suppress(OSError):
        if not verdict:
            return
        connection.settimeout(_READ_SECONDS)
        connection.sendall(b"%s %d\n%s" % (verdict, len(answer), answer))


# -- the socket itself -------------------------------------------------------------------------------------------------


def _listen(home: Path) -> socket.socket:
    """A socket only its owner can reach. What an earlier daemon left is replaced; what is somebody else's is not."""
    inside, path = str(home / SOCKET), socket_path(str(home))
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _clear(inside)
        if path != inside:
            _private_folder(os.path.dirname(path))
            _clear(path)
        before = os.umask(0o177)
        try:
            listening.bind(path)
        finally:
            os.umask(before)
        if path != inside:
            named = os.open(inside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with os.fdopen(named, "w", encoding="utf-8") as file:
                file.write(path + "\n")
        listening.listen(_BACKLOG)
        listening.settimeout(_IDLE_SECONDS)
    except OSError as error:
        listening.close()
        raise NoSocket(
            f"cannot make the socket {path}: {error.strerror or error}", hint="check the folder's rights, or STENO_HOME"
        ) from error
    except BaseException:
        listening.close()
        raise
    return listening


def _clear(path: str) -> None:
    """Make room for the socket. We hold the lock, so a socket of ours is a dead one."""
    try:
        facts = os.lstat(path)
    except FileNotFoundError:
        return
    if facts.st_uid != os.geteuid():
        raise NoSocket(f"{path} belongs to somebody else", hint="find out who made it; only you should write there")
    if not (stat.S_ISSOCK(facts.st_mode) or stat.S_ISREG(facts.st_mode)):
        raise NoSocket(f"{path} is in the way: it is neither a socket nor a file", hint="move it away")
    os.unlink(path)


def _private_folder(folder: str) -> None:
    """A folder in the temporary directory that nobody else made or may write."""
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    facts = os.lstat(folder)
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_mode & 0o022:
        raise NoSocket(f"others may write into {folder}", hint="remove it, or set STENO_HOME to a shorter path")
