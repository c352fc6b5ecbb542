"""The command line a host is given for one event, and how to know it again."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from steno import client
from steno.settings import Settings
from steno.vocabulary.errors import StenoError

# Events at which a user expects to wait a moment: a session begins, or the host compacts for seconds anyway.
_SLOW: Final = frozenset({"SessionStart", "SubagentStart", "PreCompact", "PostCompact"})
# What starting an interpreter may cost on a busy machine, on top of the client's own deadline.
_STARTING_SECONDS: Final = 2
_FLAGS: Final = ("-I", "-S")
# The client with its bytecode kept: two milliseconds of eleven less than the client itself run by its path.
_RUN: Final = os.path.join(os.path.dirname(os.path.abspath(client.__file__)), "doors", "hooks", "run.py")
_CLIENTS: Final = (("hooks", "run.py"), ("steno", "client.py"))


def command(home: Path, host: str, event: str) -> list[str]:
    """The words a host runs: this interpreter without site or environment, the client, socket, deadline, host, event.

    No shell, no PATH, no import of ours: 14 ms where the program `steno` takes 25 at best, and a pyenv shim 132.
    """
    if not sys.executable:
        raise StenoError("this Python does not know where it lives", hint="run `steno` with an installed interpreter")
    socket = Path(os.path.abspath(home)) / client.SOCKET
    milliseconds = deadline_ms(home, event, os.environ)
    return [sys.executable, *_FLAGS, _RUN, str(socket), str(milliseconds), host, event]


def deadline_ms(home: Path, event: str, environment: Mapping[str, str]) -> int:
    """How long the client waits for the daemon at this event, as the user has set it."""
    return int(Settings(home, environment)["start_ms" if event in _SLOW else "hook_ms"])


def timeout_seconds(words: Sequence[str]) -> int:
    """When the host should give up on such a command: later than the client does by itself."""
    return int(words[5]) // 1000 + _STARTING_SECONDS


def is_ours(words: Sequence[str], host: str) -> bool:
    """Whether these words call our client for this host, wherever it, its interpreter or its home once were."""
    return (
        len(words) == 8
        and tuple(words[1:3]) == _FLAGS
        and Path(words[3]).parts[-2:] in _CLIENTS
        and Path(words[4]).name == client.SOCKET
        and words[6] == host
    )


def is_our_line(line: object, host: str) -> bool:
    """The same of a command line for a shell."""
    try:
        return isinstance(line, str) and is_ours(shlex.split(line), host)
    except ValueError:  # a quote that is not closed
        return False
