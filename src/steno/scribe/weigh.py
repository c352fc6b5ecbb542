"""What weight a person's sentences have: how probable it is that each refuses, instructs, settles, asks …

A small encoder that ships with the package, and the patterns of what is said plainly. Weights only rank: briefings,
recall and reminders use them, and nothing is noted because of them. The encoder is taught by `make train`;
`hearing/weights.toml` says from what. A regression over words and structure ranks worse by .1 on people neither was
taught on (docs/numbers.md).
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
from steno.scribe.frames import Frame, frames
from steno.scribe.plain import plainly
from steno.scribe.wordpiece import WordPiece
from steno.vocabulary.details import Act
from steno.vocabulary.errors import NoEmbedding, StenoError

FOLDER: Final = Path(__file__).parent / "hearing"
_BEFORE, _SHORT = 2000, 2000
# So much of a sentence is searched for what is said plainly; what is, does it for sure in so many cases of the rest.
_READ: Final = 1000
_PLAIN: Final = 0.6
_DOES: Final[Mapping[str, Act]] = {"rejected": "reject", "rule": "instruct", "decision": "choose"}
# What the encoder tells of a sentence, in the order of its columns.
OUTPUTS: Final = (*get_args(Act), "lasting", "importance")


class Unheard(StenoError):
    """The encoder is missing or damaged: what people say is ranked by time alone."""


class Weighed(NamedTuple):
    """What one sentence does. Of a hundred sentences at .9, ninety do it."""

    acts: Mapping[Act, float]
    # That a good colleague would still act on it in a later session.
    lasting: float
    # How much harm not knowing it would do, from 0 to 1.
    importance: float


NOTHING: Final = Weighed(MappingProxyType(dict.fromkeys(get_args(Act), 0.0)), 0.0, 0.0)


def weigh(turn: str, spans: Sequence[tuple[int, int]], *, before: str, stopped: str) -> list[Weighed]:
    """What each span of a turn does, given what the agent said last and the call that was stopped, in one line.

    The same words always weigh the same. Of a turn too long to be looked at whole, the middle weighs nothing.
    """
    look = _weighed if len(turn) <= _SHORT else _weighed_long
    return list(look(FOLDER, turn, tuple(spans), before[-_BEFORE:], stopped))


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
                *chances, lasting, importance = self._chances(row)
                acts = dict(zip(get_args(Act), chances, strict=True))
                if (plain := plainly(turn[start : min(end, start + _READ)])) and plain.category in _DOES:
                    act = _DOES[plain.category]
                    acts[act] = 1 - (1 - acts[act]) * (1 - _PLAIN)
                    lasting = max(lasting, _PLAIN) if plain.reach == "standing" else lasting
                found[at] = Weighed(MappingProxyType(acts), lasting, importance)
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

    def _chances(self, row: Sequence[float]) -> Iterator[float]:
        for logit, (slope, lift) in zip(row, self._curves, strict=True):
            odds = math.exp(max(-30.0, min(30.0, slope * logit + lift)))
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
    return Unheard(f"words cannot be weighed: {what}", hint="install the package again")


def _encoder(folder: Path) -> Encoder:
    """The encoder, opened once: its weights are 23 MB. What was wrong the first time is told every time."""
    found = _opened(folder)
    if isinstance(found, Unheard):
        raise found
    return found
