"""A text in pieces that each say one thing: a fact told in passing is one sentence among others."""

import re
from typing import Final

_END: Final = re.compile(r"(?<=[.!?。！？])\s+|\n+")
# Sentences are put together up to so many words, and no piece is much longer.
_WORDS: Final = 20
_MOST_WORDS: Final = 40
# Of a long text the beginning and the end: what it is about, and what came out.
_FIRST, _LAST = 4, 2
# With the whole of a short one.
MOST_PIECES: Final = _FIRST + _LAST + 1
_MOST_CHARACTERS: Final = 8000


# An answer of a few words means something only together with what it answers.
_BEFORE_WORDS: Final = 24
_FEW_WORDS: Final = 24


def pieces(text: str, before: str = "") -> list[str]:
    """At most six pieces of a text; of a short one also the whole of it together with what was said before it."""
    found = _sentences(text)
    if found and before and len(text.split(maxsplit=_FEW_WORDS)) <= _FEW_WORDS:
        found.append(f"{head(before, _BEFORE_WORDS)} {text}")
    return found


def head(text: str, words: int) -> str:
    """The first words of a text, without its line breaks."""
    return " ".join(text[: words * 12].split()[:words])


def _sentences(text: str) -> list[str]:
    if len(text) > 2 * _MOST_CHARACTERS:
        text = f"{text[:_MOST_CHARACTERS]}\n{text[-_MOST_CHARACTERS:]}"
    found: list[str] = []
    piece: list[str] = []
    for sentence in _END.split(text):
        words = sentence.split()
        if piece and len(piece) + len(words) > _WORDS:
            found.append(" ".join(piece))
            piece = []
        piece += words
        while len(piece) >= _MOST_WORDS:
            found.append(" ".join(piece[:_MOST_WORDS]))
            piece = piece[_MOST_WORDS:]
    if piece:
        found.append(" ".join(piece))
    return found if len(found) <= _FIRST + _LAST else found[:_FIRST] + found[-_LAST:]
