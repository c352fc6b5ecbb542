"""Many lexicons looked for in a few passes: a dozen cost what one costs with `re`, in time linear in the text.

Whether a cue is there, not where; what only looks like one (`except`) is not told apart. RE2 builds its automaton as it
reads. One for all patterns would be fastest in the end, but takes thirty times as long to build as several small ones.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import re2

from steno.language.words import data

# States of an automaton that are kept; more are made anew. With 64 MB a capture of 52 MB grew by 18 MB more, no faster.
_MEMORY: Final = 16 << 20
# How many lexicons share an automaton.
_TOGETHER: Final = 12
# "At most 160 letters between" takes 160 states, and in a sentence it says the same as "any number".
_FAR: Final = re.compile(r"(\[\^[^\]]*\])\{([01]),(\d{2,})\}")
_COUNTED: Final = 40


class Watch:
    """Lexicons by name; tells which of them have a cue in a text."""

    def __init__(self, *names: str) -> None:
        self._names = names
        patterns = [_pattern(name) for name in names]
        self._sets = [(at, _compiled(patterns[at : at + _TOGETHER])) for at in range(0, len(patterns), _TOGETHER)]

    def heard(self, low: str) -> frozenset[str]:
        """The names of the lexicons with a cue in a text in small letters."""
        text = low.encode("utf-8", "replace")
        return frozenset([self._names[at + one] for at, several in self._sets for one in several.Match(text) or ()])


@cache
def _pattern(name: str) -> str:
    told = data(f"lexicon/{name}")
    return _FAR.sub(_loosened, "|".join(_bounded(cue["patterns"]) for cue in told["cue"]))


def _bounded(patterns: Iterable[str]) -> str:
    """Patterns of whole words. Letters that are not Latin have no bounds RE2 knows of."""
    joined = "|".join(patterns)
    return rf"\b(?:{joined})(?:\W|$)" if joined.isascii() else f"(?:{joined})"


def _loosened(match: re.Match[str]) -> str:
    letters, least, most = match.groups()
    return match.group() if int(most) < _COUNTED else letters + ("*" if least == "0" else "+")


def _compiled(patterns: Sequence[str]) -> re2.Set:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    several = re2.Set.SearchSet(options)
    for pattern in patterns:
        several.Add(pattern)
    several.Compile()
    return several
