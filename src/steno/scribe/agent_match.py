"""Many patterns looked for in a few passes: a dozen cues cost what one costs with `re`, in time linear in the text.

Patterns are RE2's (no look-around) and see lower-case text as UTF-8. RE2 builds its automaton as it reads. One for all
patterns would be fastest in the end, but takes thirty times as long to build as several small ones.
"""

import re
from collections.abc import Iterable, Sequence

import re2

_MEMORY = 64 << 20
# How many patterns share an automaton.
_TOGETHER = 12
# "At most 160 letters between" takes 160 states, and in a sentence it says the same as "any number".
_FAR = re.compile(r"(\[\^[^\]]*\])\{(\d+),(\d+)\}")
_COUNTED = 40


class Watch:
    """Patterns with names; tells which of them stand in a text."""

    def __init__(self, patterns: Iterable[tuple[str, str]]) -> None:
        given = list(patterns)
        self._names = [name for name, _ in given]
        whole = [_FAR.sub(_loosened, pattern) for _, pattern in given]
        self._sets = [(at, _compiled(whole[at : at + _TOGETHER])) for at in range(0, len(whole), _TOGETHER)]

    def numbers(self, low: str) -> list[int]:
        """The numbers of the patterns found, in order."""
        text = low.encode("utf-8", "replace")
        return sorted([at + number for at, several in self._sets for number in several.Match(text) or ()])

    def names(self, low: str) -> frozenset[str]:
        """The names of the patterns found."""
        return frozenset(self._names[number] for number in self.numbers(low))


def _loosened(match: re.Match[str]) -> str:
    letters, least, most = match.groups()
    if int(most) < _COUNTED or int(least) > 1:
        return match.group()
    return letters + ("*" if least == "0" else "+")


def _compiled(patterns: Sequence[str]) -> re2.Set:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    several = re2.Set.SearchSet(options)
    for pattern in patterns:
        several.Add(pattern)
    several.Compile()
    return several
