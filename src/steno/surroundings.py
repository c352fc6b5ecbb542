"""What can be seen of a process from outside: what agents' hosts leave in its environment, whether it has a terminal,
and which programs it descends from. What this is evidence for is judged elsewhere."""

import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Final, NamedTuple

# Variables that hosts set for the programs an agent runs, and whose host it is; one value, where others mean a person.
# What terminals set in which people type as well (TERM_PROGRAM, CURSOR_TRACE_ID, CLAUDE_CODE_SSE_PORT,
# AGENT_SESSION_ID) says nothing. How each is known stands in docs/security.md.
MARKS: Final[Mapping[str, tuple[str, str]]] = {
    "CLAUDECODE": ("claude-code", ""),
    "CODEX_TOOL_CALL_ID": ("codex", ""),
    "CODEX_CI": ("codex", ""),
    "CODEX_SANDBOX": ("codex", ""),
    "CODEX_SANDBOX_NETWORK_DISABLED": ("codex", ""),
    "GEMINI_CLI": ("gemini", ""),
    "QWEN_CODE": ("qwen", ""),
    "COPILOT_CLI": ("copilot", ""),
    "COPILOT_AGENT": ("copilot", ""),
    "OPENCODE": ("opencode", ""),
    "OPENCLAW_SHELL": ("openclaw", "exec"),
    "HERMES_SESSION_ID": ("hermes", ""),
    "CURSOR_AGENT": ("cursor", ""),
    "CURSOR_EXTENSION_HOST_ROLE": ("cursor", "agent-exec"),
    "PI_SESSION_ID": ("pi", ""),
    "CLINE_ACTIVE": ("cline", ""),
    "AMP_CURRENT_THREAD_ID": ("amp", ""),
    "AUGMENT_AGENT": ("augment", ""),
    "CRUSH": ("crush", ""),
    "ANTIGRAVITY_AGENT": ("antigravity", ""),
    "AI_AGENT": ("an agent", ""),
}
# Those that name the session.
_SESSIONS: Final = (
    "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "QWEN_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID",
    "HERMES_SESSION_ID", "PI_SESSION_ID",
)  # fmt: skip
# `1`: somebody sits before the host.
_ATTENDED: Final = "CLAUDE_CODE_SESSION_ATTENDED"
# Programs that run agents' tool calls, by what they are called. An editor or a terminal is none: people type there.
HOSTS: Final[Mapping[str, str]] = {
    "claude": "claude-code", "codex": "codex", "codex-linux-sandbox": "codex", "gemini": "gemini", "qwen": "qwen",
    "opencode": "opencode", "openclaw": "openclaw", "openclaw-agent": "openclaw", "openclaw-gateway": "openclaw",
    "pi": "pi", "copilot": "copilot", "kimi-code": "kimi", "droid": "droid", "goose": "goose", "hermes": "hermes",
    "cline": "cline", "amp": "amp", "cursor-agent": "cursor",
}  # fmt: skip
# The same, run as a script of a package.
_PACKAGES: Final[Mapping[str, str]] = {
    "@anthropic-ai/claude-code": "claude-code", "@qwen-code/qwen-code": "qwen", "@google/gemini-cli": "gemini",
    "@openai/codex": "codex", "@github/copilot": "copilot",
}  # fmt: skip
# What runs a script that is named behind it. `sudo -u hermes`, `screen -S claude` and `make pi` run no host.
_RUNS_SCRIPTS: Final = re.compile(r"(?:node(?:js)?|bun|deno|python|(?:ba|da|z|k|fi)?sh)[\d.]*")
_WITH_VALUE: Final = frozenset("-r --require --import --loader -X -W".split())
_LONGEST_NAME: Final = 200
_MOST_PARENTS: Final = 64
_MOST_BYTES: Final = 1 << 20
_PS_SECONDS: Final = 5.0
# No process; 0 would be this one.
_NOBODY: Final = -1


class Surroundings(NamedTuple):
    """What was seen; nothing where the process is gone, or not to be looked at."""

    is_there: bool = False
    # Marks of hosts in its environment or in that of a program it descends from: variable and host.
    marks: tuple[tuple[str, str], ...] = ()
    # Sessions that are named there.
    sessions: tuple[str, ...] = ()
    # Whether somebody sits before the host, as all of them say.
    is_attended: bool = False
    # Whether a terminal controls it: somebody can press Ctrl-C.
    has_terminal: bool = False
    # Hosts among the programs it descends from: how the program is called, and the host.
    parents: tuple[tuple[str, str], ...] = ()
    # The command lines of all programs it descends from, as `bare` writes them: what a shell was given is in one.
    commands: tuple[str, ...] = ()


class _Process(NamedTuple):
    parent: int
    has_terminal: bool
    words: list[str]
    environment: Mapping[str, str]


def surroundings(pid: int = 0) -> Surroundings:
    """Those of a process; 0: of this one."""
    is_own = pid in (0, os.getpid())
    marks: dict[str, str] = {}
    sessions: dict[str, None] = {}
    parents: dict[str, str] = {}
    attended: set[str] = set()
    commands: list[str] = []
    is_there = has_terminal = False
    for depth, process in enumerate(_line(pid or os.getpid())):
        environment = {**process.environment, **os.environ} if is_own and not depth else process.environment
        for name, (host, only) in MARKS.items():
            if (value := environment.get(name)) and only in ("", value):
                marks[name] = host
        named = filter(None, map(environment.get, _SESSIONS))
        sessions |= {name.encode("utf-8", "replace").decode()[:_LONGEST_NAME]: None for name in named}
        attended |= {environment[_ATTENDED]} if _ATTENDED in environment else set()
        is_there, has_terminal = True, has_terminal if depth else process.has_terminal
        if depth:
            commands.append(bare(" ".join(process.words)))
            if found := _host(process.words):
                parents[found[0]] = found[1]
    told = tuple(marks.items()), tuple(sessions), attended == {"1"}, has_terminal, tuple(parents.items())
    return Surroundings(is_there, *told, tuple(commands))


def bare(command: str) -> str:
    """A command line without what shells add to quote it, and without white space."""
    return "".join(sign for sign in command if not sign.isspace() and sign not in "'\"\\")


def _host(words: list[str]) -> tuple[str, str] | None:
    """The host a program is, by its own name, or by that of the script or package it runs."""
    runs_script = _RUNS_SCRIPTS.fullmatch(os.path.basename(words[0]))
    behind = [word for before, word in pairwise(words) if word[:1] != "-" and before not in _WITH_VALUE]
    for word in (words[0], *(behind[:1] if runs_script else ())):
        name = os.path.basename(word)
        if (plain := name.removesuffix(".js")) in HOSTS:
            return name, HOSTS[plain]
        if package := next((one for one in _PACKAGES if f"/{one}/" in word), None):
            return package, _PACKAGES[package]
    return None


def _line(pid: int) -> Iterator[_Process]:
    """A process and those it descends from, as far as they may be looked at."""
    look = _in_proc if os.path.exists("/proc/self/stat") else _by_ps
    for _ in range(_MOST_PARENTS):
        process = look(pid)
        if process is None:
            return
        yield process
        pid = process.parent


def _in_proc(pid: int) -> _Process | None:
    environment: dict[str, str] = {}
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name stands in parentheses and may hold anything.
            fields = file.read().rpartition(b") ")[2].split()
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = os.fsdecode(file.read(_MOST_BYTES)).rstrip("\0").split("\0")
        with suppress(PermissionError), open(f"/proc/{pid}/environ", "rb") as file:
            pairs = (pair.partition("=") for pair in os.fsdecode(file.read(_MOST_BYTES)).split("\0"))
            environment = {name: value for name, _, value in pairs}
    except (OSError, IndexError):
        return None
    return _Process(int(fields[1]), int(fields[4]) != 0, words, environment)


def _by_ps(pid: int) -> _Process | None:
    """Where there is no /proc: `ps` knows parent, terminal, words and, in part, environment."""
    try:
        told = subprocess.run(  # noqa: S603
            ["/bin/ps", "-E", "-ww", "-o", "ppid=,tty=,command=", "-p", str(pid)],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=_PS_SECONDS, check=True, text=True, errors="replace",
        ).stdout  # fmt: skip
        parent, terminal, *words = told.split()
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    pairs = (word.partition("=") for word in words if "=" in word)
    environment = {name: value for name, _, value in pairs if name in MARKS or name in (*_SESSIONS, _ATTENDED)}
    return _Process(int(parent), terminal not in ("??", "?", "-"), words, environment)


def peer_of(connection: "object") -> int:
    """The process at the other end of a unix socket; no process's number where the system does not say."""
    import socket

    assert isinstance(connection, socket.socket)  # noqa: S101
    with suppress(OSError):
        if sys.platform == "darwin":
            return int(connection.getsockopt(0, 2)) or _NOBODY  # SOL_LOCAL, LOCAL_PEERPID
        # 0: it lives in a namespace we do not see into.
        return struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0] or _NOBODY
    return _NOBODY
