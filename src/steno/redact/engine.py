"""The one place of this room that knows google-re2.

Only bytes go in: for a `str` the wrapper encodes the text and maps every offset back
to characters. Never `re`: secret rules under it ran into a two-second time-out 29 times
where RE2's worst case was 4 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

import re2

# When its states do not fit, RE2 gives up the fast automaton and walks all of them byte
# by byte. This is memory that may be used, not memory that is used.
_MEMORY = 256 << 20

EngineError: type[Exception] = re2.error


Span = tuple[int, int]
# What a match took: all of it, then its groups; a group that took no part is `NOWHERE`.
Match = list[Span]
NOWHERE: Final[Span] = (-1, -1)
_ANYWHERE, _AT_START, _ALL = re2._Anchor.UNANCHORED, re2._Anchor.ANCHOR_START, re2._Anchor.ANCHOR_BOTH


class Pattern:
    """One pattern, ready to be asked. Asks the engine directly: what re2 wraps around each call took as long as it."""

    def __init__(self, pattern: bytes, options: re2.Options) -> None:
        compiled = re2.compile(pattern, options)
        self.groups: int = compiled.groups
        self._ask = compiled._regexp.Match

    def search(self, text: bytes, pos: int = 0, end: int | None = None) -> Match | None:
        return self._found(_ANYWHERE, text, pos, end)

    def match(self, text: bytes, pos: int = 0, end: int | None = None) -> Match | None:
        return self._found(_AT_START, text, pos, end)

    def fullmatch(self, text: bytes) -> Match | None:
        return self._found(_ALL, text, 0, None)

    def _found(self, anchor: object, text: bytes, pos: int, end: int | None) -> Match | None:
        end = len(text) if end is None else min(end, len(text))
        spans: Match = self._ask(anchor, text, pos, end) if pos <= end else [NOWHERE]
        return None if spans[0] == NOWHERE else spans


# Which patterns of a set a text holds, by number.
Which = Callable[[bytes], list[int]]


@cache
def compile_bytes(pattern: str) -> Pattern:
    """A pattern in which each byte of UTF-8 is one character: small and fast. Made once in a process."""
    return Pattern(pattern.encode(), _options(bytewise=True))


def compile_which(patterns: Sequence[str], *, at_start: bool) -> Which:
    """Tells in one pass which of many patterns a text holds, or begins with. Made when it is first asked."""

    @cache
    def made() -> re2.Set:
        make = re2.Set.MatchSet if at_start else re2.Set.SearchSet
        patterns_set = make(_options(bytewise=True))
        for pattern in patterns:
            patterns_set.Add(pattern.encode())
        patterns_set.Compile()
        return patterns_set

    return lambda text: sorted(made().Match(text) or ())


def compile_text(pattern: str) -> Pattern:
    """A pattern a person wrote: `.` is a whole character, though it runs on UTF-8 bytes."""
    return Pattern(pattern.encode(), _options())


def _options(*, bytewise: bool = False) -> re2.Options:
    options = re2.Options()
    if bytewise:
        options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = _MEMORY
    options.log_errors = False
    return options
