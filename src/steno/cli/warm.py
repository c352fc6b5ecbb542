"""A process that has everything imported and forks for each command line: what the daemon has instead of imports.

The daemon hands it connections (`daemon/commands.py`), whose other end is the program `steno` (`__main__.py`). A child
takes over the caller's streams, directory and environment and runs the command line that the caller would have run
itself; it ends when the caller does. Only a process with a single thread can fork safely, hence not the daemon; the
runtime of the model brings one more, which holds nothing that a child needs.

After a child needed the embedding model, this process loads it, too: later ones find it in memory. When nobody has
asked for a while, it ends.
"""

import gc
import os
import select
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pkgutil import iter_modules
from typing import Final, NoReturn

from steno import cli, pipeline
from steno.__main__ import greeting
from steno.embedding import Choice, keep
from steno.settings import Settings, home_of
from steno.store.database import named_queries
from steno.store.sqlite import migrations
from steno.tokens import count
from steno.vocabulary.errors import StenoError

# More children at once than this wait for one to end.
_MOST: Final = 16
# Memory is given back when nobody has asked for so long; the daemon begins another one for the next.
_KEPT_SECONDS: Final = 600.0
# From the greeting to the whole request; a caller sends it at once.
_ASK_SECONDS: Final = 5.0
_MOST_BYTES: Final = 8 << 20
# How a child ends that had to load the model: its other exit code, the caller's, went over the connection.
_LOADED: Final = 3
_STREAMS: Final = ("stdin", "stdout", "stderr")


def main() -> None:
    """Fork for every connection that comes in on standard input, until nobody can or does send one any more."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as given:
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `cli.main` does
        _import_all()
        _Forks(given, woken).until_nobody_is_left()


def _import_all() -> None:
    """Every command, and what commands import when they are called."""
    for package in (cli, pipeline):
        for module in iter_modules(package.__path__):
            _import(f"{package.__name__}.{module.name}")
    for name in ("steno.memory", "steno.store.sqlite", "steno.daemon.control", "rich.console", "rich.table", "tantivy"):
        _import(name)
    count("the table of tokens, which every briefing needs")
    named_queries("queries")
    migrations()
    _leave_to_children()


def _import(name: str) -> None:
    """What is not installed is missed by the command that needs it, in words."""
    with suppress(ImportError):
        import_module(name)


def _leave_to_children() -> None:
    """What is in memory now stays shared: without this the first collection in a child would copy all of it."""
    gc.collect()
    gc.freeze()


class _Forks:
    """The loop: who asks, who ended, and what is kept for the next."""

    def __init__(self, given: socket.socket, woken: int) -> None:
        self._given = given
        self._woken = woken
        self._children: set[int] = set()
        self._has_model = False

    def until_nobody_is_left(self) -> None:
        while True:
            waits = [self._woken] if len(self._children) >= _MOST else [self._woken, self._given.fileno()]
            ready, _, _ = select.select(waits, [], [], None if self._children else _KEPT_SECONDS)
            if self._woken in ready:
                os.read(self._woken, 4096)
                self._reap()
            if not ready or (self._given.fileno() in ready and not self._fork()):
                return

    def _fork(self) -> bool:
        """Somebody to answer for. False: there will be nobody any more."""
        word, files, *_ = socket.recv_fds(self._given, 1, 1)
        if not word:
            return False
        with socket.socket(fileno=files[0]) as connection:
            if pid := os.fork():
                self._children.add(pid)
            else:
                self._given.close()
                _answer(connection)
        return True

    def _reap(self) -> None:
        for pid in list(self._children):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._children.discard(pid)
                if os.waitstatus_to_exitcode(status) == _LOADED and not self._has_model:
                    self._has_model = True
                    _keep_model()


def _keep_model() -> None:
    """The model of this home, for the children to come. If it cannot be had, they say so."""
    if sys.platform == "darwin":  # numpy's own library there may not be used after a fork
        return
    with suppress(StenoError):
        home = home_of(os.environ)
        settings = Settings(home, os.environ)
        names = ("embedding", "embedding_url", "embedding_key")
        _import("steno.recall.meaning")
        keep(Choice(*(settings[name] for name in names)), home / "derived" / "models")
    _leave_to_children()


# -- a child -----------------------------------------------------------------------------------------------------------


def _answer(connection: socket.socket) -> NoReturn:
    """Be the caller, and leave."""
    status = 0
    with suppress(BaseException):
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        arguments = _take_over(connection)
        threading.Thread(target=_follow, args=(connection,), daemon=True).start()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = _run(arguments)
        status = _LOADED if "onnxruntime" in sys.modules else 0
        connection.sendall(b"%d" % code)
    # Whatever stopped us: the caller never asked, has gone, or finds that there is no code and says so.
    os._exit(status)


def _take_over(connection: socket.socket) -> list[str]:
    """The caller's arguments; everything else of it becomes ours."""
    connection.settimeout(_ASK_SECONDS)
    connection.sendall(greeting())
    head, files, *_ = socket.recv_fds(connection, 16, 4)
    asked = _exactly(connection, int(head))
    connection.settimeout(None)
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    os.fchdir(files[3])
    for file in files:
        os.close(file)
    umask, *rest = os.fsdecode(asked).split("\0")
    os.umask(int(umask))
    streams, (count, *words) = rest[:3], rest[3:]
    for number, told in enumerate(streams):
        encoding, errors = told.split(" ")
        setattr(sys, _STREAMS[number], _stream(number, encoding, errors))
    arguments, environment = words[: int(count)], words[int(count) :]
    os.environ.clear()
    os.environ.update((name, value) for name, _, value in (pair.partition("=") for pair in environment))
    time.tzset()
    return arguments


def _exactly(connection: socket.socket, size: int) -> bytes:
    if size > _MOST_BYTES:
        raise ValueError("more than anybody's environment")
    received = bytearray()
    while len(received) < size:
        if not (piece := connection.recv(size - len(received))):
            raise ConnectionError
        received += piece
    return bytes(received)


def _stream(number: int, encoding: str, errors: str) -> TextIOWrapper:
    """A standard stream as Python opens it at its start."""
    raw = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115
    return TextIOWrapper(raw, encoding=encoding, errors=errors, line_buffering=number == 2 or raw.isatty())


def _follow(connection: socket.socket) -> None:
    """When the caller hangs up, or half of it (Ctrl-C), this is what Ctrl-C does here."""
    with suppress(OSError):
        while connection.recv(1):
            pass
    os.kill(os.getpid(), signal.SIGINT)


def _run(arguments: list[str]) -> int:
    sys.argv = ["steno", *arguments]
    try:
        cli.main()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    return code


if __name__ == "__main__":
    main()
