"""Models behind a server the user named: Ollama, or anything that speaks OpenAI's `/embeddings`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from steno.embedding.base import Choice, Vectors, cut, needed, unit_rows
from steno.embedding.server import Server
from steno.vocabulary.errors import NoEmbedding

OLLAMA: Final = "http://127.0.0.1:11434"
BATCH: Final = 64
# Under 8,192 tokens in any script, which is what the usual servers take; more they refuse rather than cut.
CHARACTERS: Final = 8_000
# Some servers refuse an empty text.
STAND_IN: Final = "."
_PROBE: Final = "how long is a vector?"

Rows = list[list[float]]


class _OllamaAnswer(Struct):
    embeddings: Rows


class _OpenAIRow(Struct):
    index: int
    embedding: list[float]


class _OpenAIAnswer(Struct):
    data: list[_OpenAIRow]


class RemoteModel:
    """A model that a server runs. Loading it asks the server once, for the length of its vectors."""

    def __init__(self, server: Server, path: str, *, name: str, read: Callable[[bytes], Rows]) -> None:
        self.name = name
        self._model = name.partition(":")[2]
        self._server = server
        self._path = path
        self._read = read
        self._np = needed("numpy")
        self.dimensions = len(self._ask([_PROBE])[0])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text, in the order given."""
        rows = self._np.empty((len(texts), self.dimensions), dtype=self._np.float32)
        for start in range(0, len(texts), BATCH):
            found = self._ask(texts[start : start + BATCH])
            if found.shape[1] != self.dimensions:
                raise self._odd(f"{found.shape[1]} values to a vector, {self.dimensions} before")
            rows[start : start + BATCH] = found
        return rows  # type: ignore[no-any-return]

    def _ask(self, texts: Sequence[str]) -> Any:
        sent = [cut(text, CHARACTERS) or STAND_IN for text in texts]
        answer = self._server.post(self._path, msgspec.json.encode({"model": self._model, "input": sent}))
        try:
            rows = self._read(answer)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            # msgspec names the place and the kind, never the value; what the server said is shown by the server's part.
            raise self._odd(str(error), answer) from None
        if len(rows) != len(sent):
            raise self._odd(f"{len(rows)} vectors for {len(sent)} texts")
        if not rows[0] or len({len(row) for row in rows}) != 1:
            raise self._odd("vectors that are empty or of different lengths")
        return unit_rows(rows, self.name)

    def _odd(self, what: str, answer: bytes = b"") -> NoEmbedding:
        said = f"; it said: {self._server.quote(answer)}" if answer else ""
        return NoEmbedding(
            f"{self._server.place} gave an answer we cannot use for {self.name}: {what}{said}",
            hint="is this the address of an embedding server, and the name of an embedding model?",
        )


def ollama(choice: Choice, folder: Path) -> RemoteModel:
    """A model of an Ollama server, by default the one on this machine."""
    server = Server(choice.url or OLLAMA, choice.key, hint=f"is Ollama running? `ollama pull {choice.name}`")

    def read(answer: bytes) -> Rows:
        return msgspec.json.decode(answer, type=_OllamaAnswer).embeddings

    return RemoteModel(server, "/api/embed", name=f"ollama:{choice.name}", read=read)


def openai(choice: Choice, folder: Path) -> RemoteModel:
    """A model of a server that speaks OpenAI's form. It has no default address: nothing leaves the machine unasked."""
    if not choice.url:
        raise NoEmbedding(f"{choice.model} has no address", hint="set the url of the server, such as http://HOST/v1")
    server = Server(choice.url, choice.key, hint="check the url, the key and the name of the model")

    def read(answer: bytes) -> Rows:
        rows = sorted(msgspec.json.decode(answer, type=_OpenAIAnswer).data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(rows))):
            raise msgspec.ValidationError("the vectors are not numbered 0, 1, 2 …")
        return [row.embedding for row in rows]

    return RemoteModel(server, "/embeddings", name=f"openai:{choice.name}", read=read)
