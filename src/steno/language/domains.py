"""The field of work a text belongs to, by its words, the paths in it, and the project. Pure."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

GENERAL: Final = "GENERAL"
# A path says more than a word, and one word alone says too little: "the page is slow" may be about anything.
_WORD, _PATH, _ENOUGH = 1, 2, 2
_LOOKED_AT: Final = 4000
_WORDS: Final = re.compile(r"[a-z0-9]+(?:-[a-z]+)?")


def domain(text: str, names: Iterable[str], project: str | None) -> str:
    """The field most speaks for, if enough does; `GENERAL` otherwise. A project's own name counts like a word."""
    words, paths = _fields()
    found: Counter[str] = Counter()
    for word in set(_WORDS.findall(text[:_LOOKED_AT].lower())) | set(_WORDS.findall(_last(project))):
        if word in words:
            found[words[word]] += _WORD
    for name in {name.lower() for name in names}:
        found.update({field: _PATH for part, field in paths if "." in name and part in name})
    best = max(found, key=lambda field: found[field], default=GENERAL)
    return best if found[best] >= _ENOUGH else GENERAL


def fields() -> tuple[str, ...]:
    """Every field of work."""
    return (GENERAL, *sorted(set(_fields()[0].values())))


def _last(project: str | None) -> str:
    return (project or "").rstrip("/").rpartition("/")[2].lower()


@cache
def _fields() -> tuple[dict[str, str], list[tuple[str, str]]]:
    told = tomllib.loads((files("steno.language") / "domains.toml").read_text("utf-8"))
    words = {word: field for field, what in told.items() for word in what["words"].split()}
    return words, [(part, field) for field, what in told.items() for part in what["paths"]]
