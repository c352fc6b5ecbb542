"""A model that is a program: the question on its standard input, the answer on its standard output.

Made for agents in print mode (`claude -p`, `codex exec`), so it runs where no agent finds anything: in an empty folder
of its own that is never captured, and with a variable set that keeps our hooks silent. At the deadline it is killed
with all that it started.
"""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from steno import tokens
from steno.client import INSIDE
from steno.llm.base import MOST_BYTES, STOP_SECONDS, Choice, Question, Response, Stop, Used
from steno.vocabulary.errors import ModelFailed, ModelStopped, NoModel

_BLOCK: Final = 1 << 16
_ENDING_SECONDS: Final = 5.0
# Of what it complains about, the end is shown.
_SHOWN: Final = 200
# Keys of ours it has no use for, and what keeps an agent from starting inside another one.
_NOT_TOLD: Final = ("STENO_MODEL_KEY", "STENO_MODEL_FALLBACK_KEY", "STENO_EMBEDDING_KEY", "CLAUDECODE")


class _Patience(NamedTuple):
    """How long an answer is waited for."""

    deadline: float
    stop: Stop


class Program:
    """A command line that answers questions."""

    def __init__(self, words: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._words = words
        self._folder = folder
        self._environment = {name: value for name, value in environment.items() if name not in _NOT_TOLD} | {
            INSIDE: "1"
        }

    def ask(self, question: Question, *, seconds: float, stop: Stop) -> Response:
        """Run it once."""
        prompt = question.in_words()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = tempfile.mkdtemp(dir=self._folder)
        try:
            said = self._run(prompt, place, _Patience(time.monotonic() + seconds, stop))
        finally:
            shutil.rmtree(place, ignore_errors=True)
        return _response(said.decode("utf-8", "replace"), prompt, self._words[0])

    def _run(self, prompt: str, place: str, patience: _Patience) -> bytes:
        with tempfile.TemporaryFile() as given:
            given.write(prompt.encode("utf-8", "replace"))
            given.seek(0)
            try:
                # The words are the user's own setting, and no shell reads them.
                process = subprocess.Popen(  # noqa: S603
                    self._words, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=place,
                    env=self._environment, start_new_session=True,
                )  # fmt: skip
            except (OSError, ValueError) as error:
                raise self._failed(f"cannot be run: {error}", may_have_cost=False) from error
        with process:
            try:
                said, complaints = self._read(process, patience)
                # It closed its output: what it does now is of no use to us.
                code = process.wait(_ENDING_SECONDS)
            except subprocess.TimeoutExpired as error:
                raise self._failed("said all and did not end") from error
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
        if code:
            raise self._failed(f"ended with {code}: {_end(complaints) or _end(said)}")
        return said

    def _read(self, process: "subprocess.Popen[bytes]", patience: _Patience) -> tuple[bytes, bytes]:
        """All it writes, until it closes its output."""
        said, complaints = bytearray(), bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ, said)  # type: ignore[arg-type]
            selector.register(process.stderr, selectors.EVENT_READ, complaints)  # type: ignore[arg-type]
            while selector.get_map():
                ready = selector.select(STOP_SECONDS)
                if patience.stop():
                    raise ModelStopped(f"{self._words[0]} was stopped")
                if time.monotonic() >= patience.deadline:
                    raise self._failed("was not done in time")
                for key, _ in ready:
                    if not (block := os.read(key.fd, _BLOCK)):
                        selector.unregister(key.fileobj)
                    key.data.extend(block)
                del complaints[:-_BLOCK]
                if len(said) > MOST_BYTES:
                    raise self._failed(f"answered with more than {MOST_BYTES >> 20} MB")
        return bytes(said), bytes(complaints)

    def _failed(self, what: str, *, may_have_cost: bool = True) -> ModelFailed:
        return ModelFailed(f"{self._words[0]} {what}", hint="try it in a terminal", may_have_cost=may_have_cost)


def load(choice: Choice, folder: Path) -> Program:
    """The program of a choice, its words split as a shell would."""
    try:
        words = shlex.split(choice.name)
    except ValueError as error:
        raise NoModel(f"{choice.model!r} is no command line: {error}") from error
    return Program(words, folder, os.environ)


def _end(text: bytes) -> str:
    words = " ".join(text[-_BLOCK:].decode("utf-8", "replace").split())
    return words if len(words) <= _SHOWN else "…" + words[-_SHOWN:]


def _response(said: str, prompt: str, name: str) -> Response:
    """What it wrote. `claude -p --output-format json` tells what that took; for others we count ourselves."""
    wrapped: Any = None
    with suppress(msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        wrapped = msgspec.json.decode(said)
    match wrapped:
        case {"type": "result", "is_error": True, "result": str(problem)}:
            raise ModelFailed(f"{name} failed: {_end(problem.encode())}", hint="try it in a terminal")
        case {"type": "result", "result": str(text), "usage": dict(usage)}:
            kept, new = _number(usage, "cache_read_input_tokens"), _number(usage, "cache_creation_input_tokens")
            asked = _number(usage, "input_tokens") + new + kept
            return Response(text, Used(name, asked, _number(usage, "output_tokens"), kept))
        case _:
            return Response(said, Used(name, tokens.count(prompt), tokens.count(said)))


def _number(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else 0
