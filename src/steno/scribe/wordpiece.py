"""Text as the numbers an encoder was taught on: lower case, no accents, each word in the longest known pieces.

The same cut as BERT's uncased tokenizer, without the forty packages that come with the usual one.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

_RUN: Final = re.compile(r"\S+")
# Longer words have no pieces, by definition of the vocabulary.
_LONGEST: Final = 100
# Runs of characters whose pieces are remembered; a session's words repeat, hostile input must not fill the memory.
_REMEMBERED: Final = 20_000
_IDEOGRAPHS: Final = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """A vocabulary, in the order of its numbers. May be used from several threads."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._number = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown = self._number["[UNK]"]
        self.start = self._number["[CLS]"]
        self.end = self._number["[SEP]"]
        self._known: dict[str, list[int]] = {}

    def pieces(self, text: str) -> list[int]:
        """The numbers of a text. Linear in its length."""
        found: list[int] = []
        for run in _RUN.findall(text):
            known = self._known.get(run)
            if known is None:
                known = [number for word in _words(run) for number in self._split(word)]
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                if len(run) <= _LONGEST:
                    self._known[run] = known
            found.extend(known)
        return found

    def _split(self, word: str) -> list[int]:
        if len(word) > _LONGEST:
            return [self.unknown]
        found, at = [], 0
        while at < len(word):
            for end in range(len(word), at, -1):
                number = self._number.get(word[at:end] if at == 0 else "##" + word[at:end])
                if number is not None:
                    break
            else:
                return [self.unknown]
            found.append(number)
            at = end
        return found


def _words(run: str) -> Iterator[str]:
    """A run of characters without blanks, as words: punctuation and ideographs stand alone."""
    if run.isascii() and run.isalnum():
        yield run.lower()
        return
    word: list[str] = []
    for sign in unicodedata.normalize("NFD", run).lower():
        kind = unicodedata.category(sign)
        if kind == "Mn" or kind in ("Cc", "Cf", "Cs", "Cn", "Co") or sign == "\ufffd":
            continue
        if _alone(sign, kind):
            if word:
                yield "".join(word)
                word = []
            yield sign
        else:
            word.append(sign)
    if word:
        yield "".join(word)


def _alone(sign: str, kind: str) -> bool:
    if sign.isascii():
        return not sign.isalnum()
    return kind.startswith("P") or any(first <= ord(sign) <= last for first, last in _IDEOGRAPHS)
