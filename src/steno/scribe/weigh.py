"""What a person's sentences do, each with a probability: a small encoder that ships with the package.

It is taught by `make train`; `hearing/weights.toml` says from what, and how well it does on people it never met.
"""

import hashlib
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from steno.embedding.onnx_model import open_session
from steno.language.sentence import Span
from steno.scribe.cues import likelier
from steno.scribe.frames import Frame, frames
from steno.scribe.wordpiece import WordPiece
from steno.vocabulary.details import Act
from steno.vocabulary.errors import NoEmbedding, StenoError

FOLDER: Final = Path(__file__).parent / "hearing"
_BEFORE, _SHORT = 2000, 2000
# So much of a sentence is searched for cues.
_READ: Final = 1000
# What the encoder tells of a sentence, in the order of its columns.
OUTPUTS: Final = (*get_args(Act), "lasting", "importance")


class Unheard(StenoError):
    """The weights are missing or damaged: nothing can be said of what words do."""


class Weighed(NamedTuple):
    """What one sentence does. Of a hundred sentences at .9, ninety do it."""

    acts: Mapping[Act, float]
    # That a good colleague would still act on it in a later session.
    lasting: float
    # How much harm not knowing it would do, from 0 to 1.
    importance: float


NOTHING: Final = Weighed(MappingProxyType(dict.fromkeys(get_args(Act), 0.0)), 0.0, 0.0)


def weigh(turn: str, spans: Sequence[tuple[int, int]], *, before: str, stopped: str) -> list[Weighed]:
    """What each span of a turn does, by the encoder and by its words, given what the agent said last and the call that
    was stopped, in one line.

    The same words always weigh the same. Of a turn too long to be looked at whole, the middle weighs nothing.
    """
    look = _weighed if len(turn) <= _SHORT else _weighed_long
    return list(look(FOLDER, turn, tuple(spans), before[-_BEFORE:], stopped))


def heard(turn: str, said: Sequence[Span], *, before: str, stopped: str = "") -> list[Weighed] | None:
    """What each sentence of a turn does; None where words are not understood."""
    try:
        return weigh(turn, [(one.start, one.end) for one in said], before=before, stopped=stopped)
    except Unheard:
        return None


# A session that is read again after something in it was forgotten has the same words.
@lru_cache(maxsize=4096)
def _weighed(
    folder: Path, turn: str, spans: tuple[tuple[int, int], ...], before: str, stopped: str
) -> tuple[Weighed, ...]:
    return tuple(_encoder(folder).weigh(turn, spans, before, stopped))


# A long turn is asked about twice in a row: for what is noted of it, and for what is shown.
_weighed_long = lru_cache(maxsize=1)(_weighed.__wrapped__)


def trouble(*, opened: bool = False) -> str:
    """Why words are not understood; empty where they are. `opened`: the encoder is, for what lies there may not run;
    who only asks need not have 100 MB for it."""
    found = _opened(FOLDER) if opened or FOLDER in _tried or find_spec("onnxruntime") is None else _checked(FOLDER)
    return f"{found.message}; {found.hint}" if isinstance(found, Unheard) else ""


def must_hear() -> None:
    """Raise `Unheard` where words are not understood: what was learnt could not be learnt again."""
    _encoder(FOLDER)


class Encoder:
    """A session, its vocabulary, and a curve for each output. Nothing is changed after `__init__`."""

    def __init__(self, session: Any, tokenizer: WordPiece, curves: Sequence[tuple[float, float]]) -> None:
        import numpy

        self._np = numpy
        self._session = session
        self._tokenizer = tokenizer
        self._curves = curves

    def weigh(self, turn: str, spans: Sequence[tuple[int, int]], before: str, stopped: str) -> list[Weighed]:
        found = [NOTHING] * len(spans)
        for frame in frames(turn, spans, before=before, stopped=stopped, tokenizer=self._tokenizer):
            for (at, _, _), row in zip(frame.asked, self.logits(frame), strict=True):
                start, end = spans[at]
                words = likelier(turn[start : min(end, start + _READ)], stopped=bool(stopped))
                chances = list(self._chances(row, words))
                acts = dict(zip(get_args(Act), chances, strict=False))
                found[at] = Weighed(MappingProxyType(acts), *chances[-2:])
        return found

    def logits(self, frame: Frame) -> list[list[float]]:
        """One row for each sentence asked about. A frame at a time: in company its numbers would be others."""
        if not frame.asked:
            return []
        np = self._np
        pool = np.zeros((len(frame.asked), len(frame.pieces)), np.float32)
        for row, (_, start, end) in enumerate(frame.asked):
            pool[row, start:end] = 1 / (end - start)
        segments = np.zeros(len(frame.pieces), np.int64)
        segments[frame.own :] = 1
        fed = {
            "ids": np.array(frame.pieces, np.int64),
            "segments": segments,
            "pool": pool,
            "features": np.array(frame.features, np.float32),
        }
        rows: list[list[float]] = self._session.run(None, fed)[0].tolist()
        return rows

    def _chances(self, row: Sequence[float], likelier: Mapping[str, float]) -> Iterator[float]:
        for name, logit, (slope, lift) in zip(OUTPUTS, row, self._curves, strict=True):
            odds = math.exp(max(-30.0, min(30.0, slope * logit + lift))) * likelier.get(name, 1.0)
            yield odds / (1 + odds)


@cache
def _checked(folder: Path) -> "dict[str, Any] | Unheard":
    """What is written beside the weights, if they are what it says."""
    try:
        card = tomllib.loads((folder / "weights.toml").read_text("utf-8"))
        for name, wanted in card["sha256"].items():
            with (folder / name).open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != wanted:
                    return _unheard(f"{folder / name} is damaged")
    except (OSError, ValueError, KeyError) as error:
        return _unheard(str(error))
    return card


# Where an encoder was opened, or could not be.
_tried: Final[set[Path]] = set()


@cache
def _opened(folder: Path) -> "Encoder | Unheard":
    _tried.add(folder)
    card = _checked(folder)
    if isinstance(card, Unheard):
        return card
    try:
        words = (folder / "vocabulary.txt").read_text("utf-8").split("\n")
        curves = [tuple(card["curves"][name]) for name in OUTPUTS]
        return Encoder(open_session(folder / "encoder.onnx", "the encoder"), WordPiece(words), curves)
    except (OSError, ValueError, KeyError, ImportError, NoEmbedding) as error:
        return _unheard(str(error))


def _unheard(what: str) -> Unheard:
    return Unheard(f"the scribe cannot weigh words: {what}", hint="install the package again")


def _encoder(folder: Path) -> Encoder:
    """The encoder, opened once: its weights are 23 MB. What was wrong the first time is told every time."""
    found = _opened(folder)
    if isinstance(found, Unheard):
        raise found
    return found
