"""The field of work a text belongs to, by its words, the paths in it, and the project. Pure."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final

from steno.language.words import data

GENERAL: Final = "GENERAL"
# Some words and a path say it alone; of most words it takes two: "the page is slow" may be about anything.
_WORD, _SURE, _ENOUGH = 1, 2, 2
_LOOKED_AT: Final = 4000
_WORDS: Final = re.compile(r"[a-z0-9]+(?:-[a-z]+)?")


def domain(text: str, names: Iterable[str], project: str | None) -> str:
    """The field most speaks for, if enough does; `GENERAL` otherwise. A project's own name counts like a word."""
    words, paths = _fields()
    found: Counter[str] = Counter()
    said = set(_WORDS.findall(text[:_LOOKED_AT].lower()))
    named = (project or "").rstrip("/").rpartition("/")[2].lower()
    for word in said | set(_WORDS.findall(named)):
        if word in words:
            field, weight = words[word]
            found[field] += weight if word in said else _WORD
    for name in {name.lower() for name in names}:
        found.update({field: _SURE for part, field in paths if "." in name and part in name})
    best = max(sorted(found), key=lambda field: found[field], default=GENERAL)
    return best if found[best] >= _ENOUGH else GENERAL


def fields() -> tuple[str, ...]:
    """Every field of work."""
    return (GENERAL, *sorted({field for field, _ in _fields()[0].values()}))


@cache
def _fields() -> tuple[dict[str, tuple[str, int]], list[tuple[str, str]]]:
    told = data("domains")
    words = {
        word: (field, weight)
        for field, what in told.items()
        for name, weight in (("words", _WORD), ("sure", _SURE))
        for word in what[name].split()
    }
    return words, [(part, field) for field, what in told.items() for part in what["paths"]]
