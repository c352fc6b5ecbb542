"""The program `steno`: the daemon runs the command line where one is up, else this process does.

Importing the command line and what it works with, and loading the embedding model, takes most of a second. The daemon
keeps a process that has it all (`cli/warm.py`). It is given our arguments, environment, directory and our very standard
streams, so what it prints is what we would print. For the same reason this file imports next to nothing.

A command line is run once. Until the other side says that it is ready, nothing was asked of it, and whatever is odd (no
daemon, an older or newer one, one that hangs) means: do it here. From the moment we ask we only wait for the exit code.
"""

import os
import sys

from steno import __version__, client

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from typing import NoReturn

# What is short and asks or tells the store. The rest runs here: what takes long, what asks back, what is about the
# daemon or a host.
THROUGH = frozenset(
    "agents archive believes boot brief capsule cascade checkpoint dispatch entries exclude flags flows gate handoff "
    "loss pause read recall receipts relay remember resume revise rules sessions settings share show status turns "
    "work".split()
)
# A daemon that is well is ready in some milliseconds; doing it ourselves costs no more than this.
READY_SECONDS = 0.5
_LOST = (
    "steno: the daemon's process that ran this was ended in the middle of it\n"
    "  → what it was to change may be changed or not: look before you run it again\n"
)


def main() -> "NoReturn":
    """The program."""
    try:
        code = through_daemon(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("\nsteno: interrupted\n")
        code = 130
    if code is not None:
        os._exit(code)  # nothing is left to tidy up, and Python takes some milliseconds for that
    from steno.cli import main as here

    here()


def through_daemon(arguments: "list[str]", seconds: "float | None" = None) -> "int | None":
    """The exit code of a command line that the daemon ran. None: it was not run."""
    if not arguments or arguments[0] not in THROUGH or None in (sys.stdin, sys.stdout, sys.stderr):
        return None
    try:
        connection = _ready(READY_SECONDS if seconds is None else seconds)
    except (OSError, ValueError):
        return None
    try:
        asked = _request(arguments)
        folder = os.open(".", os.O_RDONLY)
    except OSError:
        connection.close()
        return None
    try:
        _ask(connection, asked, (0, 1, 2, folder))
        return _exit_code(connection)
    except (OSError, ValueError):
        sys.stderr.write(_LOST)
        return 1


def greeting() -> bytes:
    """What a process says that is ready to run a command line. Another version or place is another program."""
    return b"ready %s %s\n" % (__version__.encode(), os.fsencode(os.path.dirname(__file__)))


def _ready(seconds: float) -> "_socket.socket":
    """A connection to a process that runs the same program as we would. OSError, ValueError: there is none."""
    import _socket
    from time import monotonic

    until = monotonic() + seconds
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(seconds)
    connection.connect(client.own_socket(f"{client.home_of(os.environ.get('STENO_HOME'))}/{client.SOCKET}"))
    connection.sendall(b"steno 1 run cli - 0\n")
    told, wanted = b"", greeting()
    while told != wanted:
        connection.settimeout(max(0.001, until - monotonic()))
        piece = connection.recv(len(wanted) - len(told))
        told += piece
        if not piece or not wanted.startswith(told):
            raise ValueError("no process that runs the same")
    connection.settimeout(None)
    return connection


def _request(arguments: "list[str]") -> bytes:
    """Everything a command line can depend on, except what it finds on disk. No text in it can hold a NUL."""
    umask = os.umask(0o077)
    os.umask(umask)
    streams = [f"{stream.encoding} {stream.errors}" for stream in (sys.stdin, sys.stdout, sys.stderr)]
    environment = [f"{name}={value}" for name, value in os.environ.items()]
    return os.fsencode("\0".join([str(umask), *streams, str(len(arguments)), *arguments, *environment]))


def _ask(connection: "_socket.socket", asked: bytes, files: "tuple[int, ...]") -> None:
    import _socket

    given = b"".join(file.to_bytes(4, sys.byteorder) for file in files)
    connection.sendmsg([b"%16d" % len(asked)], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, given)])
    connection.sendall(asked)


def _exit_code(connection: "_socket.socket") -> int:
    """Wait for it. Ctrl-C is passed on once, by hanging up half; who presses it again does not wait any longer."""
    import _socket

    told, asked_to_stop = b"", False
    while True:
        try:
            piece = connection.recv(16)
        except KeyboardInterrupt:
            if asked_to_stop:
                return 130
            asked_to_stop = True
            connection.shutdown(_socket.SHUT_WR)
            continue
        if not piece:
            return int(told)
        told += piece


if __name__ == "__main__":
    main()
