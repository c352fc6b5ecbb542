"""What a reader does not see, terminal escapes and characters without a width: secrets are looked for without them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

from steno.redact.batch import Edit
from steno.redact.engine import compile_bytes

# Inside quoted text the escape character is written out. What follows it ends in any letter: grep's colours end in `K`.
_WRITTEN: Final = r"(?:u001[bB]|x1[bB]|0?33|e)"
_REST: Final = r"(?:\[[0-?]{0,16}[ -/]{0,2}[@-~]|[ -/]{1,2}[0-~])"
_OTHERS: Final = r"\xc2\x9b[0-?]{0,16}[ -/]{0,2}[@-~]|\[[0-9;]{1,12}m(?:\[K)?|\[m\[K"
ESCAPE: Final = rf"(?:(?:\x1b|\\{_WRITTEN}){_REST}|\x1b[@-Z\\^_]|{_OTHERS})"
# A link is an address between two of these; other programs name the window so.
_LINK: Final = r"\x1b\][^\x00\x07\x1b]{0,200}(?:\x07|\x1b\\)"
UNSEEN: Final = r"(?:\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf|\xc2\xad)"

_ANY = compile_bytes(f"{ESCAPE}|{UNSEEN}|{_LINK}")
# `re`, as it cuts a text at once: no class in it may go on where the next begins, so it never tries again.
_ALL: Final = re.compile(
    rf"((?:(?:\x1b|(?<!\\)\\++{_WRITTEN}){_REST}|\x1b[@-Z\\^_]|{_OTHERS}|{UNSEEN}|{_LINK})++)".encode("latin-1")
)


class Seen:
    """A text as it is read, and where each piece of it really stands."""

    def __init__(self, text: bytes) -> None:
        # Turn about: what is read, what is not.
        self._pieces = _ALL.split(text)
        self.text = b"".join(self._pieces[::2])
        self._starts: list[int] = []
        self._taken: list[int] = []

    def edit(self, start: int, end: int, text: bytes) -> Edit:
        """A change of what is read, as one of the text with all that stands unseen within."""
        if not self._starts:
            self._starts = list(accumulate(map(len, self._pieces[:-1:2]), initial=0))
            self._taken = list(accumulate(map(len, self._pieces[1::2]), initial=0))
        return Edit(self._place(start), self._place(end - 1) + 1, text)

    def _place(self, at: int) -> int:
        return at + self._taken[bisect_right(self._starts, at) - 1]


def hides_any(text: bytes) -> bool:
    return _ANY.search(text) is not None
