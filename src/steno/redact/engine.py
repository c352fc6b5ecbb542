"""The one place of this room that knows google-re2.

Only bytes go in: for a `str` the wrapper encodes the text and maps every offset back
to characters. Never `re`: secret rules under it ran into a two-second time-out 29 times
where RE2's worst case was 4 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol

import re2

# When its states do not fit, RE2 gives up the fast automaton and walks all of them byte
# by byte. This is memory that may be used, not memory that is used.
_MEMORY = 256 << 20

EngineError: type[Exception] = re2.error


class Match(Protocol):
    def span(self, group: int = 0) -> tuple[int, int]: ...

    @property
    def lastindex(self) -> int | None: ...


class Pattern(Protocol):
    @property
    def groups(self) -> int: ...

    def search(self, text: bytes, pos: int = 0, endpos: int | None = None) -> Match | None: ...

    def match(self, text: bytes, pos: int = 0, endpos: int | None = None) -> Match | None: ...

    def fullmatch(self, text: bytes) -> Match | None: ...


# Which patterns of a set a text holds, by number.
Which = Callable[[bytes], list[int]]


@cache
def compile_bytes(pattern: str) -> Pattern:
    """A pattern in which each byte of UTF-8 is one character: small and fast. Made once in a process."""
    compiled: Pattern = re2.compile(pattern.encode(), _options(bytewise=True))
    return compiled


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
    compiled: Pattern = re2.compile(pattern.encode(), _options())
    return compiled


def _options(*, bytewise: bool = False) -> re2.Options:
    options = re2.Options()
    if bytewise:
        options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = _MEMORY
    options.log_errors = False
    return options
