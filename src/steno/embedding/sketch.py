"""Vectors guessed from single words: thousands a second, where a model reads a hundred texts.

Each word piece counts by what the model says of it alone, the more the rarer it is. Their mean is carried to where the
model's own vectors lie by a linear map, learnt from texts that the model has read: so a sketch is near to the vector it
stands in for, and both are held against the same question. Nothing of it is kept.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

from steno.embedding.base import Model, Vectors, needed, unit_rows
from steno.embedding.onnx_model import OnnxModel

# A word piece that makes up so much of all text counts half.
_COMMON: Final = 0.003
# How much the map is held to leaving things where they are; some 1,000 texts teach 384 times 384 numbers.
_HELD: Final = 1.0


def sketcher(model: Model, texts: Sequence[str], vectors: Vectors) -> "Sketcher | None":
    """A model that guesses what `model` would say, taught by its vectors of some texts. None: it shows no words."""
    return Sketcher(model, texts, vectors) if isinstance(model, OnnxModel) and texts else None


class Sketcher:
    """Guesses the vectors of a model. For one thread."""

    def __init__(self, model: OnnxModel, texts: Sequence[str], vectors: Vectors) -> None:
        self.name, self.dimensions = model.name, model.dimensions
        self._np = needed("numpy")
        self._model = model
        # Where each word piece stands in the table of those that were met so far.
        self._places: dict[int, int] = {}
        self._table = self._np.zeros((0, model.dimensions), self._np.float32)
        self._middle = self._np.zeros(model.dimensions, self._np.float32)
        tokens = [model.tokens(text) for text in texts]
        every, counts = self._np.unique(list(chain.from_iterable(tokens)), return_counts=True)
        shares = counts / max(1, counts.sum())
        self._weights = dict(zip(every.tolist(), (_COMMON / (_COMMON + shares)).tolist(), strict=True))
        self._learn(self._sums(tokens), vectors)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text, in the order given."""
        sums = self._sums([self._model.tokens(text) for text in texts])
        return unit_rows((sums - self._middle) @ self._map + self._aim, self.name)

    def _learn(self, sums: Vectors, vectors: Vectors) -> None:
        """The map that carries sums of words to vectors of the model: by least squares, held to a mere stretch."""
        np = self._np
        self._middle, self._aim = sums.mean(axis=0), vectors.mean(axis=0)
        given, wanted = (sums - self._middle).astype(np.float64), (vectors - self._aim).astype(np.float64)
        power = max(float((given * given).sum()), 1e-9)
        hold = _HELD * power / self.dimensions * np.eye(self.dimensions)
        stretch = float((given * wanted).sum()) / power
        self._map = np.linalg.solve(given.T @ given + hold, given.T @ wanted + stretch * hold).astype(np.float32)

    def _sums(self, tokens: Sequence[Sequence[int]]) -> Any:
        """What the words of each text come to. A text without words is in the middle of all."""
        np = self._np
        self._meet(chain.from_iterable(tokens))
        sums = np.empty((len(tokens), self.dimensions), np.float32)
        for number, some in enumerate(tokens):
            weights = np.array([self._weights.get(token, 1.0) for token in some], np.float32)
            rows = self._table[[self._places[token] for token in some]]
            sums[number] = weights @ rows / weights.sum() if some else self._middle
        return sums

    def _meet(self, tokens: Iterable[int]) -> None:
        """Ask the model for those word pieces that were not met before."""
        new = [token for token in dict.fromkeys(tokens) if token not in self._places]
        if new:
            self._places.update(zip(new, range(len(self._places), len(self._places) + len(new)), strict=True))
            self._table = self._np.concatenate([self._table, self._model.alone(new)])
