"""Who answers: the daemon, if one of ours is up, else this process. What is shown is the same."""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Final

from steno import __version__, client
from steno.cli.show import on_terminal, plain, say, write
from steno.verbs.table import Verb

if TYPE_CHECKING:
    import _socket as socket

# How an answer looks on a terminal, given the answer and what was asked.
Look = Callable[..., None]
# A daemon that is well is ready in some milliseconds; doing it here costs no more than this.
READY_SECONDS: Final = 0.5
# Whoever asks again at once must find it written down that the first answer arrived.
NOTED_SECONDS: Final = 5.0
# Nobody who stops the daemon waits longer for what it, or anything else, does with the store.
_BUSY_SECONDS: Final = "1"
_LOST: Final = "the daemon ended in the middle of it"
_LOOK_FIRST: Final = "what it was to change may be changed or not: look before you run it again"


def ask(verb: Verb, given: Mapping[str, Any], *, as_json: bool, look: Look | None = None) -> int:
    """Have a verb answered, and show the answer. Gives the exit code."""
    connection = None if verb.slow else _daemon()
    if connection is not None:
        with closing(connection):
            if told := _told(connection, verb, given, as_json=as_json):
                head, lines = told
                _shown(verb, given, head, lines, as_json=as_json, look=look)
                with suppress(OSError):  # the daemon hangs up once it wrote down that the answer arrived
                    connection.sendall(b"+")
                    connection.settimeout(NOTED_SECONDS)
                    connection.recv(1)
                return int(head["code"])
    return _here(verb, given, as_json=as_json, look=look)


def _shown(
    verb: Verb, given: Mapping[str, Any], head: Mapping[str, Any], lines: bytes, *, as_json: bool, look: Look | None
) -> None:
    """What the daemon answered, or what went wrong there."""
    if "error" in head:
        from steno.vocabulary.errors import StenoError

        error = StenoError(head["error"], hint=head["hint"])
        error.exit_code = head["code"]
        raise error
    if as_json:
        write(lines)
    else:
        from steno.verbs.call import decoded

        _show(verb, given, decoded(verb.name, lines.splitlines()), head["where"], look)
    _finish(head["aside"])


def _here(verb: Verb, given: Mapping[str, Any], *, as_json: bool, look: Look | None) -> int:
    """The same without the daemon."""
    import steno
    from steno.cli.progress import progress
    from steno.verbs.answers import Answer
    from steno.verbs.asking import Asker
    from steno.verbs.call import call, lines, public

    # What needs no memory is answered also where it cannot be opened.
    home: AbstractContextManager[Any] = steno.open() if "memory" in verb.handed else nullcontext()
    with home as memory, progress(verb, memory) as told:
        called = call(verb, given, memory, Asker(), told, _confirmed)
        answer = called.answer
        if as_json:
            for line in lines(public(answer)):
                write(line + b"\n")
        else:
            _show(verb, given, answer, called.where.in_words if called.where else None, look)
        _finish(answer.aside if isinstance(answer, Answer) else "")
        called.has_arrived(memory)
    return answer.code if isinstance(answer, Answer) else 0


def only_people(verb: str, words: str = "") -> None:
    """Of a command that is about this terminal or machine: go on if a person typed it, and keep that they did."""
    from steno.memory import Memory
    from steno.settings import home_of
    from steno.surroundings import surroundings
    from steno.vocabulary.errors import StoreError, WaitsForPerson

    words, home = f"steno {verb} {words}".strip(), home_of(os.environ)
    with suppress(StoreError):  # who stops a daemon that hangs, or mends a store, must not need one
        if (home / "steno.db").exists():
            with Memory(home, environment={**os.environ, "STENO_BUSY_SECONDS": _BUSY_SECONDS}) as memory:
                authority = memory.authority
                who = authority.person(verb, words, {"words": words}, authority.judge("cli", verb=verb))
                with suppress(StoreError):
                    authority.did(verb, words, "", who)
                return
    seen = surroundings()
    if seen.marks or seen.parents or not seen.has_terminal:
        raise WaitsForPerson(f"This waits for a person: `{words}`")


def _confirmed(question: str) -> bool:
    import click

    return sys.stdin.isatty() and click.confirm(question, err=True)


def _show(verb: Verb, given: Mapping[str, Any], answer: Any, where: str | None, look: Look | None) -> None:
    if where and on_terminal():
        say((where, "dim"))
    if look is None:
        raise LookupError(f"nothing says how the answer of `{verb.name}` looks")
    look(answer, given)


def _finish(aside: str) -> None:
    """What was printed is out, before anything else is said or the answer counts as given."""
    sys.stdout.flush()
    if aside:
        print(plain(f"steno: {aside}"), file=sys.stderr)


# -- the daemon ------------------------------------------------------------------------------------------------------


def _daemon() -> "socket.socket | None":
    """A connection to a daemon that runs the same program. None: there is none; one of another version is named."""
    import _socket as socket
    from time import monotonic

    until = monotonic() + READY_SECONDS
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(READY_SECONDS)
        connection.connect(client.own_socket(f"{client.home_of(os.environ.get('STENO_HOME'))}/{client.SOCKET}"))
        connection.sendall(b"steno 1 call cli - 0\n")
        told = b""
        while not told.endswith(b"\n"):
            connection.settimeout(max(0.001, until - monotonic()))
            if not (piece := connection.recv(4096)):
                raise ConnectionError
            told += piece
        _, version, _ = told.decode("ascii", "replace").split(" ", 2)
    except (OSError, ValueError):
        connection.close()
        return None
    if told == client.greeting():
        connection.settimeout(None)
        return connection
    connection.close()
    if version != __version__:
        hint = "`steno stop`, then `steno up`, starts this one"
        print(f"steno: the daemon is version {version}, this is {__version__}: {hint}", file=sys.stderr)
    return None


def _told(
    connection: "socket.socket", verb: Verb, given: Mapping[str, Any], *, as_json: bool
) -> tuple[dict[str, Any], bytes] | None:
    """The daemon's answer: what there is to say of it, and its lines. None: it has other settings than we have, or what
    is asked cannot be written down."""
    import json

    asked = {"verb": verb.name, "given": given, "json": as_json, "settings": client.chosen(os.environ)}
    try:
        payload = json.dumps(asked, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # the name of a file that is no text
        return None
    try:
        connection.sendall(b"%d\n" % len(payload) + payload)
        size, newline, told = b"", b"", b""
        while not newline and (piece := connection.recv(1 << 16)):
            size, newline, told = (size + piece).partition(b"\n")
        pieces, left = [told], int(size) - len(told)
        while left > 0 and (piece := connection.recv(1 << 20)):
            pieces.append(piece)
            left -= len(piece)
        told = b"".join(pieces)
        if newline and not left:
            head, _, lines = told.partition(b"\n")
            return (json.loads(head), lines) if told else None
    except (OSError, ValueError):
        pass
    from steno.vocabulary.errors import StenoError

    raise StenoError(_LOST, hint=_LOOK_FIRST)
