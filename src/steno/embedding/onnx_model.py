"""Runs a sentence model kept as ONNX: tokens in, the mean of the token vectors out, on one core."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from steno.embedding.base import Vectors, cut, needed, unit_rows
from steno.vocabulary.errors import NoEmbedding

# Several times what a token of prose takes, blanks included. A text of 1 MB is cut here, before the tokenizer sees it:
# 1 to 3 ms instead of 300 to 2,900.
CHARACTERS_PER_TOKEN: Final = 16
# What a tokenizer sees in place of a text in which it finds nothing.
STAND_IN: Final = "."
# Word pieces by themselves are so short that most of a run is its beginning.
_AT_ONCE: Final = 256
# A sum and the norm of it as one node take three times as long as one after the other (0.69 and 0.21 ms for 27 tokens).
_SLOWER_FUSED: Final = "SkipLayerNormFusion"


class OnnxModel:
    """A session and its tokenizer. Both may be used from several threads: nothing is changed after `__init__`.

    Texts go through one by one. On one core a batch is no faster (171 texts a second against 164), and where
    activations are quantised while running, a text's vector would depend on its company: cosine .989 to the same text
    alone.
    """

    def __init__(self, session: Any, tokenizer: Any, *, name: str, limit: int) -> None:
        self.name = name
        self._np = needed("numpy")
        self._session = session
        self._tokenizer = tokenizer
        self._characters = limit * CHARACTERS_PER_TOKEN
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=limit)
        self._inputs = [item.name for item in session.get_inputs()]
        # The first run shows whether the model works at all.
        self.dimensions = len(self._embed_one(STAND_IN))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text, in the order given; the same text always has the same row."""
        rows = self._np.empty((len(texts), self.dimensions), dtype=self._np.float32)
        for number, text in enumerate(texts):
            rows[number] = self._embed_one(text)
        return unit_rows(rows, self.name)

    def tokens(self, text: str) -> list[int]:
        """The numbers of the word pieces a text is made of, as far as the model reads it."""
        found: list[int] = self._tokenizer.encode(cut(text, self._characters), add_special_tokens=False).ids
        return found

    def alone(self, tokens: Sequence[int]) -> Vectors:
        """What each of some word pieces means by itself; not at unit length. Many at a time, so about (see above)."""
        frame = self._tokenizer.encode("").ids
        before, after = frame[: len(frame) // 2], frame[len(frame) // 2 :]
        rows = [[*before, token, *after] for token in tokens]
        means = [self._means(rows[start : start + _AT_ONCE]) for start in range(0, len(rows), _AT_ONCE)]
        found: Vectors = self._np.concatenate(means)
        return found

    def _embed_one(self, text: str) -> Any:
        tokens = self._tokenizer.encode(cut(text, self._characters)).ids or self._tokenizer.encode(STAND_IN).ids
        return self._means([tokens])[0]

    def _means(self, rows: Sequence[Sequence[int]]) -> Any:
        """The mean of the token vectors, for each of some rows of one length."""
        try:
            ids = self._np.array(rows, dtype=self._np.int64)
            fed = {
                "input_ids": ids,
                "attention_mask": self._np.ones_like(ids),
                "token_type_ids": self._np.zeros_like(ids),
            }
            found = self._session.run(None, {name: fed[name] for name in self._inputs})[0]
        except Exception as error:  # the runtime has a dozen kinds, none of them exported
            raise NoEmbedding(f"{self.name} cannot run: {error}", hint="choose another model") from error
        return found.mean(axis=1)


def open_session(path: Path, name: str) -> Any:
    """A session on one core, for one text at a time."""
    runtime = needed("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Text by text the arena stays small: 46 MB against 50 without it, at the same speed. Batches would turn that round
    # (2,048 tokens at once: 156 MB against 73).
    options.enable_cpu_mem_arena = True
    try:
        # By path: given bytes, the runtime keeps them for as long as the session lives (18 MB more).
        return runtime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=[_SLOWER_FUSED]
        )
    except Exception as error:  # the runtime has a dozen kinds, none of them exported
        raise NoEmbedding(
            f"cannot load {name} from {path}: {error}", hint="the file is damaged or no ONNX model"
        ) from error
