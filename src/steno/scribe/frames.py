"""What the encoder is shown of a person's turn: some sentences, those around them, and the scene they answer.

Bounded whatever comes: so many numbers a sentence, so many sentences a frame, so many frames a turn.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from steno.scribe.wordpiece import WordPiece

# In numbers of the vocabulary. A typical turn has 20, a typical sentence 15; a long sentence says early what it does.
SENTENCE: Final = 64
OWN: Final = 96
SCENE: Final = 64
STOPPED: Final = 24
# Of a very long turn the head and the tail are looked at; people say what they want at either end.
HEAD: Final = 12
TAIL: Final = 4
# Characters that are enough for one number of the vocabulary, even in long words.
_WIDTH: Final = 12


class Frame(NamedTuple):
    """One look of the encoder."""

    # The person's words, then the scene.
    pieces: list[int]
    # How many of them are the person's, with the marks around them.
    own: int
    # Which sentences are asked about, and where each stands in `pieces`.
    asked: list[tuple[int, int, int]]
    # What words do not show, one row per sentence asked about.
    features: list[list[float]]


def frames(
    turn: str, spans: Sequence[tuple[int, int]], *, before: str, stopped: str, tokenizer: WordPiece
) -> list[Frame]:
    """Frames that ask about every span, or about those at the head and the tail of a very long turn."""
    scene = scene_of(before, stopped, tokenizer)
    kept = _kept(len(spans))
    known = {at: tokenizer.pieces(turn[slice(*_bounded(spans[at]))])[:SENTENCE] for at in kept}
    groups: list[list[int]] = []
    room = 0
    for at in kept:
        if not groups or len(known[at]) > room or groups[-1][-1] != at - 1:
            groups.append([])
            room = OWN
        groups[-1].append(at)
        room -= len(known[at])
    if len(groups) > HEAD + TAIL:
        groups = groups[:HEAD] + groups[-TAIL:]
    features = {at: _features(turn[slice(*_bounded(spans[at]))], at, len(spans), before, stopped) for at in kept}
    return [_frame(group, known, features, scene, tokenizer) for group in groups]


def scene_of(before: str, stopped: str, tokenizer: WordPiece) -> list[int]:
    """The stopped call, then the end of what the agent said last: that is what people answer."""
    call = tokenizer.pieces(stopped[: STOPPED * _WIDTH])[:STOPPED]
    said = tokenizer.pieces(before[-SCENE * _WIDTH :])
    return [*call, tokenizer.end, *said[len(call) - SCENE :]] if call else said[-SCENE:]


def _kept(count: int) -> list[int]:
    """Sentences that could be asked about: every one has at least one number."""
    head, tail = HEAD * OWN, TAIL * OWN
    return list(range(count)) if count <= head + tail else [*range(head), *range(count - tail, count)]


def _bounded(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], min(span[1], span[0] + SENTENCE * _WIDTH)


def _frame(
    group: list[int],
    known: dict[int, list[int]],
    features: dict[int, list[float]],
    scene: list[int],
    tokenizer: WordPiece,
) -> Frame:
    first, last = group[0], group[-1]
    room = OWN - sum(len(known[at]) for at in group)
    while first - 1 in known and len(known[first - 1]) <= room:
        first -= 1
        room -= len(known[first])
    while last + 1 in known and len(known[last + 1]) <= room:
        last += 1
        room -= len(known[last])
    pieces, asked = [tokenizer.start], []
    for at in range(first, last + 1):
        if at in group and known[at]:
            asked.append((at, len(pieces), len(pieces) + len(known[at])))
        pieces += known[at]
    pieces.append(tokenizer.end)
    return Frame([*pieces, *scene, tokenizer.end], len(pieces), asked, [features[at] for at, _, _ in asked])


def _features(sentence: str, at: int, count: int, before: str, stopped: str) -> list[float]:
    return [
        float(bool(stopped)),
        float(bool(before)),
        min(len(sentence), 400) / 200,
        min(count, 20) / 10,
        float(at == 0),
        float(at == count - 1),
        float("?" in sentence or "？" in sentence),
        float("?" in before[-200:] or "？" in before[-200:]),
    ]
