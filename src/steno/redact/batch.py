"""Many texts as one run of bytes, so that one search serves thousands of short texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

# Bounds the memory of one round (a few copies of this) however large the call is; only a
# single text longer than this takes more.
_MOST_CHARACTERS = 4 << 20
# The looks a text has: some, and one more for so many bytes. Real text has one candidate in thousands of bytes, a log
# with a token in every line one in 150. A look costs 10 to 50 µs. A table of `token: 17` has many that find nothing: so
# many of those are free.
_LOOKS, _BYTES_PER_LOOK, _IN_VAIN = 100, 128, 500


class Edit(NamedTuple):
    """Bytes start..end of a batch become `text`."""

    start: int
    end: int
    text: bytes


class Batch:
    """Texts joined by a zero byte.

    Which text a byte belongs to is known from lengths alone, never by looking for the
    zero byte, so a text may contain zero bytes itself: they end a match, nothing more.
    """

    def __init__(self, texts: Sequence[bytes]) -> None:
        self.joined = b"\0".join(texts)
        # Where each text begins; one more at the end.
        self._starts = list(accumulate((len(text) + 1 for text in texts), initial=0))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def number_at(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1

    def end_at(self, position: int) -> int:
        """Where the text around this position ends."""
        return self.bounds_at(position)[1]

    def bounds_at(self, position: int) -> tuple[int, int]:
        """Where the text around this position begins and ends."""
        number = self.number_at(position)
        return self._starts[number], self._starts[number + 1] - 1

    def by_text(self, edit: Edit) -> Iterator[Edit]:
        """An edit that may reach over several texts, as one for each of them."""
        for number in range(self.number_at(edit.start), self.number_at(edit.end - 1) + 1):
            begin, end = self._starts[number], self._starts[number + 1] - 1
            if begin < end:
                yield Edit(max(edit.start, begin), min(edit.end, end), edit.text)

    def apply(self, edits: Sequence[Edit]) -> dict[int, bytes]:
        """The new bytes of each text that changes, by number. Edits are in order."""
        by_text: dict[int, list[Edit]] = {}
        for edit in edits:
            by_text.setdefault(self.number_at(edit.start), []).append(edit)
        return {number: self._rewrite(number, of_text) for number, of_text in by_text.items()}

    def _rewrite(self, number: int, edits: Sequence[Edit]) -> bytes:
        pieces: list[bytes] = []
        at = self._starts[number]
        for edit in edits:
            pieces += (self.joined[at : edit.start], edit.text)
            at = edit.end
        pieces.append(self.joined[at : self._starts[number + 1] - 1])
        return b"".join(pieces)


class Looks:
    """How many looks the text at hand has left."""

    def __init__(self, batch: Batch, bytes_per_look: int = _BYTES_PER_LOOK) -> None:
        self._batch = batch
        self._bytes_per_look = bytes_per_look
        self._begin = self.end = self._taken = self._in_vain = -1

    def take(self, position: int) -> bool:
        """Take one at this position. False: there is none left."""
        if position >= self.end:
            self._begin, self.end = self._batch.bounds_at(position)
            self._taken = self._in_vain = 0
        self._taken += 1
        return self._taken <= _LOOKS + (position - self._begin) // self._bytes_per_look

    def found_nothing(self) -> None:
        """The last one was in vain; the first of those do not count."""
        self._in_vain += 1
        if self._in_vain <= _IN_VAIN:
            self._taken -= 1


def portions(texts: Sequence[str]) -> Iterator[range]:
    """Numbers of texts to take together; a giant text comes alone."""
    first = size = 0
    for number, text in enumerate(texts):
        if size and size + len(text) > _MOST_CHARACTERS:
            yield range(first, number)
            first, size = number, 0
        size += len(text)
    if first < len(texts):
        yield range(first, len(texts))
