"""Whether a host's own program is open on a session: then somebody may be typing, and nobody is woken beside it."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from steno.processes import run
from steno.vocabulary.pulse import Stand

# What a host's program is called. OpenClaw's is a server: it is always there.
_NAMES: Final = {"claude-code": "claude", "codex": "codex", "pi": "pi"}
_RUNTIMES: Final = ("node", "bun", "deno", "python")
_SECONDS: Final = 10.0
_BYTES: Final = 1 << 24


class Process(NamedTuple):
    """A process of this machine: its words, and where it stands; None: the system does not say."""

    words: tuple[str, ...]
    directory: str | None


def is_open(stand: Stand) -> bool:
    """Whether a program has a session open, or is the session's host at work in its project."""
    return is_among(stand, processes())


def is_among(stand: Stand, running: Iterable[Process]) -> bool:
    """Whether one of some processes may be at a session. What cannot be told counts as yes."""
    return any(_is_at(process, stand) for process in running)


def processes() -> Iterator[Process]:
    """Every process of this machine but this one."""
    return _as_linux_tells() if os.path.isdir("/proc/self") else _as_ps_tells()


def _is_at(process: Process, stand: Stand) -> bool:
    if any(stand.session in word for word in process.words):
        return True
    name = _NAMES.get(stand.source)
    if name is None or not _is_called(process.words, name):
        return False
    there = process.directory
    folders = [one.rstrip("/") for one in (stand.project, stand.directory) if one and one.startswith("/")]
    return there is None or not folders or any(f"{there}/".startswith(f"{folder}/") for folder in folders)


def _is_called(words: tuple[str, ...], name: str) -> bool:
    """Whether a program has this name, itself or as what a runtime runs."""
    names = [os.path.basename(word) for word in words[:2]]
    runs = names[1:] if names[0].startswith(_RUNTIMES) else names[:1]
    return any(one == name or one.startswith(f"{name}.") for one in runs)


def _as_linux_tells() -> Iterator[Process]:
    for number in filter(str.isdigit, os.listdir("/proc")):
        words, directory = [""], None
        with suppress(OSError), open(f"/proc/{number}/cmdline", "rb") as file:
            words = file.read(1 << 17).decode("utf-8", "replace").split("\0")
        with suppress(OSError):
            directory = os.readlink(f"/proc/{number}/cwd")
        if words[0] and int(number) != os.getpid():
            yield Process(tuple(words), directory)


def _as_ps_tells() -> Iterator[Process]:
    """Without folders: any program of the host counts as one at the session."""
    told = run(("/bin/ps", "-axww", "-o", "pid=,command="), _SECONDS, _BYTES)
    if told.problem:
        raise OSError(f"ps {told.problem}")
    for line in told.out.splitlines():
        pid, _, rest = line.strip().partition(" ")
        if rest and pid != str(os.getpid()):
            yield Process(tuple(rest.split()), None)
