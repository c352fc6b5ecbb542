"""The hook client: hands a host's bytes to the daemon and prints what comes back, or nothing, in time.

A host runs it as `PYTHON -I -S client.py SOCKET DEADLINE_MS HOST EVENT`, for every prompt and every tool call. Starting
Python is most of what that costs, so this file imports next to nothing (`socket` and `json` would double it) and knows
nothing of what it carries. Whatever goes wrong, the agent sees no error and waits no longer than the deadline.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Files of a home that the daemon, its clients and the command line agree on.
SOCKET = "daemon.sock"
LOCK = "daemon.lock"
LOG = "daemon.log"
TOKEN = "daemon.token"  # noqa: S105
SPOOL = "spool"
# What hooks say when the daemon is gone. Its time is when they begin to; a daemon that captures puts it off.
ALIVE = "daemon.alive"
# Made when a prompt was told so: once is enough.
TOLD = "daemon.told"

# Set for everything Steno starts: an agent that Steno runs is not to be briefed by Steno.
INSIDE = "STENO_INSIDE"
# More than a host ever sent; anything longer is not forwarded.
MOST_BYTES = 8 << 20
# A socket's name has room for 107 bytes (103 on macOS).
LONGEST_SOCKET = 100
MOST_NUDGES = 256
START = "SessionStart"
PROMPT = "UserPromptSubmit"
# Where Claude Code says whether somebody sits before it, and what we say of the host where nobody does.
_ATTENDED = b"CLAUDE_CODE_SESSION_ATTENDED"
UNATTENDED = "/unattended"
# Share of the deadline kept for what is done when nobody answers.
_RESERVE = 0.15


def call(home: str, verb: str, host: str, event: str, payload: bytes, seconds: float) -> bytes:
    """Ask the daemon of a home, as the hook client does.

    OSError: nobody answered in time. ValueError: the daemon refused, with its sentence.
    """
    from time import monotonic

    return _converse(f"{home}/{SOCKET}", (verb, host, event), payload, monotonic() + seconds)


def greeting() -> bytes:
    """What the daemon and the command line must agree on: another version or place is another program."""
    import os

    from steno import __version__

    return b"steno %s %s\n" % (__version__.encode(), os.fsencode(os.path.dirname(__file__)))


def chosen(environment: "Mapping[str, str]") -> dict[str, str]:
    """Settings that an environment makes: all but where the home is, and how we are run."""
    others = ("STENO_HOME", "STENO_DEBUG", INSIDE)
    return {name: text for name, text in environment.items() if name.startswith("STENO_") and name not in others}


def home_of(named: "str | None") -> str:
    """The home that STENO_HOME names, else ~/.steno."""
    import os

    return os.path.expanduser(named or "~/.steno")


def socket_path(home: str) -> str:
    """Where the socket of a home lies: in it, or where its name would be too long, in the user's temporary folder.

    In that case `daemon.sock` in the home is a text file that holds this path.
    """
    import os

    inside = os.path.join(home, SOCKET)
    if len(os.fsencode(inside)) <= LONGEST_SOCKET:
        return inside
    import hashlib
    import tempfile

    name = hashlib.sha256(os.fsencode(os.path.abspath(home))).hexdigest()[:16]
    return os.path.join(tempfile.gettempdir(), f"steno-{os.getuid()}", f"{name}.sock")


def main(arguments: list[str]) -> None:
    """The program. Always leaves with 0, and without tidying up, which takes Python a millisecond."""
    import posix

    try:
        hook(*arguments)
    finally:
        posix._exit(0)


def hook(socket: str, deadline_ms: str, host: str, event: str) -> None:
    """Carry one event from standard input to the daemon, and its answer to standard output. Never raises."""
    import _signal as signal  # type: ignore[import-not-found]  # `signal` itself brings `enum` along
    import posix
    from time import monotonic

    if INSIDE.encode() in posix.environ:
        return
    if posix.environ.get(_ATTENDED) == b"0":
        host += UNATTENDED
    began, seconds = monotonic(), max(1, int(deadline_ms)) / 1000
    # Whatever we hang in (the host's pipes, a dead disk): at the deadline we are gone.
    signal.signal(signal.SIGALRM, lambda *_: posix._exit(0))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        _carry(socket, host, event, until=began + seconds * (1 - _RESERVE))
    except Exception:
        return
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _carry(socket: str, host: str, event: str, *, until: float) -> None:
    payload = _read_all()
    try:
        _converse(socket, ("hook", host, event), payload, until, use=_print)
    except (OSError, ValueError):
        home = socket.rpartition("/")[0]
        try:
            _nudge(home, _field(payload, "transcript_path"))
        finally:
            if event in (START, PROMPT):
                _say_stopped(home, event)


def _converse(
    socket: str, words: tuple[str, str, str], payload: bytes, until: float, use: "Callable[[bytes], None] | None" = None
) -> bytes:
    """One request and its answer; the daemon is told when it was used, for then it was given."""
    from time import monotonic

    try:
        import _socket as sockets
    except ImportError:
        import socket as sockets  # type: ignore[no-redef]
    if len(payload) > MOST_BYTES or not all(word and word.isprintable() and " " not in word for word in words):
        raise ValueError("no such request")
    path = own_socket(socket)
    connection = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    try:
        connection.settimeout(max(0.001, until - monotonic()))
        connection.connect(path)
        connection.sendall(b"steno 1 %s %d\n" % (" ".join(words).encode(), len(payload)) + payload)
        received = b""
        while True:
            connection.settimeout(max(0.001, until - monotonic()))
            piece = connection.recv(1 << 16)
            received += piece
            head, newline, answer = received.partition(b"\n")
            if newline:
                verdict, _, length = head.partition(b" ")
                if len(answer) == int(length):
                    break
            if not piece or len(received) > MOST_BYTES:
                raise ConnectionError("the daemon stopped in the middle of its answer")
        if verdict != b"ok":
            raise ValueError(answer.decode("utf-8", "replace"))
        if use is not None:
            use(answer)
            try:  # noqa: SIM105 - contextlib would take longer to import than all of this takes
                connection.send(b"+")
            except OSError:  # the daemon is gone; what was printed was printed
                pass
        return answer
    finally:
        connection.close()


def own_socket(socket: str) -> str:
    """The socket's path, followed where it is named in a file; only one of our own user's is spoken to."""
    from posix import geteuid, stat

    facts = stat(socket)
    if facts.st_mode & 0o170000 == 0o100000:
        with open(socket, encoding="utf-8") as file:
            socket = file.read(4096).strip()
        facts, folder = stat(socket), stat(socket.rpartition("/")[0] or "/")
        if folder.st_uid != geteuid() or folder.st_mode & 0o022:
            raise PermissionError(f"others may write where {socket} lies")
    if facts.st_uid != geteuid():
        raise PermissionError(f"{socket} belongs to somebody else")
    return socket


def _read_all() -> bytes:
    """Everything on standard input; of what is too much for the daemon, only the beginning."""
    from posix import read

    pieces, size = [], 0
    while piece := read(0, 1 << 20):
        size += len(piece)
        if size <= MOST_BYTES + (1 << 20):
            pieces.append(piece)
    return b"".join(pieces)


def _print(answer: bytes) -> None:
    from posix import write

    while answer:
        answer = answer[write(1, answer) :]


# -- when nobody answers -----------------------------------------------------------------------------------------------


def _say_stopped(home: str, event: str) -> None:
    """Print that nobody has captured for long: at every start of a session, at a prompt once."""
    import posix
    from time import time

    if posix.stat(f"{home}/{ALIVE}").st_mtime < time():
        if event == PROMPT:
            posix.close(posix.open(f"{home}/{TOLD}", posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL, 0o600))
        with open(f"{home}/{ALIVE}", "rb") as file:
            _print(file.read(1 << 12).replace(START.encode(), event.encode()))


def _nudge(home: str, transcript: str) -> None:
    """Leave word for the daemon which transcript to look at: a file with its path, and nothing else that was said."""
    import posix

    folder = f"{home}/{SPOOL}"
    if SPOOL not in posix.listdir(home):
        posix.mkdir(folder, 0o700)
    if len(posix.listdir(folder)) < MOST_NUDGES:
        name = "".join(sign if sign.isalnum() else "-" for sign in transcript)[-60:] or "somewhere"
        file = posix.open(f"{folder}/{name}", posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC, 0o600)
        posix.write(file, transcript.encode("utf-8", "surrogateescape"))
        posix.close(file)


def _field(payload: bytes, name: str) -> str:
    """A text of the host's JSON, found without reading all of it; "" where there is none."""
    from json import JSONDecoder

    text = payload[: 1 << 20].decode("utf-8", "replace")
    _, found, rest = text.partition(f'"{name}"')
    rest = rest.lstrip(" \t\r\n:")
    try:
        return str(JSONDecoder().raw_decode(rest)[0]) if found and rest.startswith('"') else ""
    except ValueError:
        return ""


if __name__ == "__main__":
    main(sys.argv[1:])
