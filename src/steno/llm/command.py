"""A model that is a program: the question on its standard input, the answer on its standard output.

Made for agents in print mode (`claude -p`, `codex exec`), so it runs where no agent finds anything: in an empty folder
of its own that is never captured, and with a variable set that keeps our hooks silent. At the deadline it is killed
with all that it started.
"""

import os
import shlex
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from steno import tokens
from steno.llm.base import MOST_BYTES, Choice, Question, Response, Stop, Used
from steno.processes import end_of, run
from steno.vocabulary.errors import ModelFailed, ModelStopped, NoModel

# Keys of ours it has no use for, and what keeps an agent from starting inside another one.
_NOT_TOLD: Final = ("STENO_MODEL_KEY", "STENO_MODEL_FALLBACK_KEY", "STENO_EMBEDDING_KEY", "CLAUDECODE")


class Program:
    """A command line that answers questions."""

    def __init__(self, words: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._words = words
        self._folder = folder
        self._environment = {name: value for name, value in environment.items() if name not in _NOT_TOLD}

    def ask(self, question: Question, *, seconds: float, stop: Stop) -> Response:
        """Run it once."""
        prompt = question.in_words()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = tempfile.mkdtemp(dir=self._folder)
        try:
            with tempfile.TemporaryFile() as given:
                given.write(prompt.encode("utf-8", "replace"))
                given.seek(0)
                ran = run(
                    self._words, seconds, MOST_BYTES, environment=self._environment, folder=place, given=given,
                    stop=stop,
                )  # fmt: skip
        finally:
            shutil.rmtree(place, ignore_errors=True)
        if ran.problem and stop():
            raise ModelStopped(f"{self._words[0]} was stopped")
        if ran.problem:
            problem, costs = f"{self._words[0]} {ran.problem}", ran.code is not None
            raise ModelFailed(problem, hint="try it in a terminal", may_have_cost=costs)
        return _response(ran.out, prompt, self._words[0])


def load(choice: Choice, folder: Path) -> Program:
    """The program of a choice, its words split as a shell would."""
    try:
        words = shlex.split(choice.name)
    except ValueError as error:
        raise NoModel(f"{choice.model!r} is no command line: {error}") from error
    return Program(words, folder, os.environ)


def _response(said: str, prompt: str, name: str) -> Response:
    """What it wrote. `claude -p --output-format json` tells what that took; for others we count ourselves."""
    wrapped: Any = None
    with suppress(msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        wrapped = msgspec.json.decode(said)
    match wrapped:
        case {"type": "result", "is_error": True, "result": str(problem)}:
            raise ModelFailed(f"{name} failed: {end_of(problem)}", hint="try it in a terminal")
        case {"type": "result", "result": str(text), "usage": dict(usage)}:
            kept, new = _number(usage, "cache_read_input_tokens"), _number(usage, "cache_creation_input_tokens")
            asked = _number(usage, "input_tokens") + new + kept
            return Response(text, Used(name, asked, _number(usage, "output_tokens"), kept))
        case _:
            return Response(said, Used(name, tokens.count(prompt), tokens.count(said)))


def _number(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else 0
