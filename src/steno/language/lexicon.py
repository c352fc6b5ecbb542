"""Cues as data: the words by which people give a reason, put something off, take something back.

One file of `lexicon/` for each thing a cue tells; `docs/lexicon.md` says how to add a cue or a language. Which cue was
found is for people who look: nothing may depend on its id.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from steno.language.words import data, plain

# Written without spaces, with endings that grow onto a word, or signs ("xx"): a cue may stand inside a run of letters.
_UNSPACED: Final = frozenset({"ja", "ko", "th", "zh", "xx"})
# Words that may stand before any cue, or between two: they say nothing.
_BESIDE: Final = "also|and|actually|but|hey|hm{1,9}|just|let'?s|oh|ok|okay|please|really|so|sorry|then|ugh|well|bitte"


class Cued(NamedTuple):
    """A cue in a text: which one, and where it stands."""

    id: str
    start: int
    end: int


class Lexicon:
    """The cues for one thing, in all languages."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        spaced = [cue for cue in told["cue"] if cue["language"] not in _UNSPACED]
        unspaced = [cue for cue in told["cue"] if cue["language"] in _UNSPACED]
        self._ids = [cue["id"] for cue in (*spaced, *unspaced)]
        self._cue = re.compile(rf"\b(?:{_joined(spaced)})(?!\w)|{_joined(unspaced)}")
        self._beside = re.compile(rf"\b(?:{'|'.join([_BESIDE, *told.get('beside', [])])})(?!\w)")

    def search(self, text: str) -> Cued | None:
        """The first cue in a text."""
        return next(self._found(text), None)

    def opens(self, text: str) -> Cued | None:
        """The cue a text begins with. Words that may stand beside a cue ("well, no") may stand before it."""
        found = self.search(text)
        return found if found and self._is_empty(text[: found.start]) else None

    def covers(self, text: str) -> bool:
        """Whether a text is nothing but cues, and words that may stand beside them."""
        left = self.without(text)
        return left != text and self._is_empty(left)

    def without(self, text: str) -> str:
        """A text without its cues: a space for each."""
        left, at = [], 0
        for cue in self._found(text):
            left.append(text[at : cue.start])
            at = cue.end
        return " ".join([*left, text[at:]])

    def _found(self, text: str) -> Iterator[Cued]:
        for match in self._cue.finditer(plain(text)):
            if match.lastindex:
                yield Cued(self._ids[match.lastindex - 1], match.start(), match.end())

    def _is_empty(self, text: str) -> bool:
        return not re.search(r"\w", self._beside.sub(" ", plain(text)))


@cache
def lexicon(name: str) -> Lexicon:
    """The cues for one thing, by the name of its file."""
    return Lexicon(data(f"lexicon/{name}"))


def _joined(cues: Iterable[Mapping[str, Any]]) -> str:
    """One pattern with a group for each cue. What only looks like one stands before them, in no group: passed over."""
    looks = [pattern for cue in cues for pattern in cue.get("except", [])]
    return "|".join([*looks, *(f"({'|'.join(cue['patterns'])})" for cue in cues)]) or r"(?!)"
