"""Wakes an agent in its own session, the host's own way. What it is told is one word of a command, for no shell."""

import http.client
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from steno.address import Address
from steno.client import INSIDE
from steno.processes import end_of
from steno.vocabulary.errors import WrongUse
from steno.vocabulary.fleet import AgentFacts
from steno.vocabulary.pulse import Stand

# How each host wakes a session that exists. Where one is not named, the agent needs a command or a webhook of its own.
_OWN_WAY: Final[dict[str, tuple[str, ...]]] = {
    "claude-code": ("claude", "--resume", "{session}", "--print", "{prompt}"),
    "codex": ("codex", "exec", "resume", "{session}", "{prompt}"),
    "openclaw": (
        "openclaw", "cron", "add", "--name", "steno-pulse", "--at", "1m", "--agent", "{agent}", "--session", "main",
        "--system-event", "{prompt}", "--wake", "now", "--delete-after-run",
    ),
}  # fmt: skip
# What a host calls a session stands in a transcript, where anything may stand: it must not pass for an option.
_ID: Final = re.compile(r"[A-Za-z0-9][\w.:+-]{0,127}")
_PLACE: Final = re.compile(r"\{(session|prompt|agent|directory)\}")
# An agent that is woken may work for hours; what hangs is ended, with all it started.
_LONGEST_SECONDS: Final = 6 * 3600.0
_WEBHOOK_SECONDS: Final = 20.0
_KEPT, _MOST_OUTPUT = 2_000, 1 << 20


class Way(NamedTuple):
    """How an agent is woken: the words of a command, or an address."""

    words: tuple[str, ...] = ()
    webhook: str = ""


def way_of(facts: AgentFacts, stand: Stand, prompt: str) -> Way:
    """The way a person named for an agent, else its host's own. WrongUse: there is none."""
    if facts.webhook and not facts.resume:
        return Way(webhook=facts.webhook)
    try:
        words = tuple(shlex.split(facts.resume)) if facts.resume else _OWN_WAY.get(stand.source, ())
    except ValueError as error:
        raise WrongUse(
            f"its resume command is no command line: {error}", hint="mend it with `steno agents set`"
        ) from error
    if not words:
        hint = "give it a command with `steno agents set NAME --resume`"
        raise WrongUse(f"nobody knows how {stand.source} wakes a session", hint=hint)
    values = {"session": stand.session, "agent": stand.called or "", "directory": stand.directory or ""}
    for name in ("session", "agent"):
        if any(f"{{{name}}}" in word for word in words) and not _ID.fullmatch(values[name]):
            raise WrongUse(f"what its host calls its {name} is no name to run a command with", hint="rename it there")
    given = {**values, "prompt": prompt}
    return Way(words=tuple(_PLACE.sub(lambda place: given[place[1]], word) for word in words))


class Running:
    """An agent at work that we woke. It is a process of its own: it lives on when we end."""

    def __init__(self, words: tuple[str, ...], directory: str | None, environment: Mapping[str, str]) -> None:
        """OSError, ValueError: it cannot be run."""
        # A file rather than a pipe: who reads a pipe may die, and whoever writes to it then dies, too.
        self._output = tempfile.TemporaryFile("ab+")  # noqa: SIM115
        try:
            self._process = subprocess.Popen(  # noqa: S603
                words, stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT, cwd=directory,
                env={name: value for name, value in environment.items() if name != INSIDE}, start_new_session=True,
            )  # fmt: skip
        except BaseException:
            self._output.close()
            raise
        self._until = time.monotonic() + _LONGEST_SECONDS

    def ended(self) -> str | None:
        """What went wrong, if anything did; None: it is at work."""
        code = self._process.poll()
        if code is None and time.monotonic() >= self._until:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            code = self._process.wait()
        if code is None:
            if os.fstat(self._output.fileno()).st_size > _MOST_OUTPUT:
                self._output.truncate(0)
            return None
        with self._output as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _KEPT))
            return f"ended with {code}: {end_of(file.read().decode('utf-8', 'replace'))}" if code else ""


def post(url: str, key: str, text: str, wake: int) -> str:
    """Tell an address that a person named. It is not followed anywhere else, and told once under one key. What went
    wrong, if anything did."""
    try:
        address = Address(url, key)
        parts = urlsplit(address.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.netloc, timeout=_WEBHOOK_SECONDS)
        head = {"Content-Type": "application/json", "Idempotency-Key": f"steno-pulse-{wake}"}
        try:
            connection.request(
                "POST", parts.path + (f"?{parts.query}" if parts.query else ""),
                json.dumps({"text": text, "mode": "now"}),
                head | ({"Authorization": f"Bearer {address.key}"} if address.key else {}),
            )  # fmt: skip
            answer = connection.getresponse()
            said = answer.read(_KEPT)
        finally:
            connection.close()
    except (OSError, ValueError, http.client.HTTPException) as error:
        return f"cannot be reached: {error}"
    return "" if 200 <= answer.status < 300 else f"answered {answer.status}: {address.quote(said)}"
