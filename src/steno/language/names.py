"""Names in a text: files, commands, identifiers, numbers of issues."""

import re
from functools import lru_cache
from itertools import chain, islice
from typing import Final

_LOOKED_AT: Final = 4000
_MOST: Final = 40
_TICKED: Final = re.compile(r"(?<!\w)`([^`\s][^`\n]{0,78}[^`\s])`(?!\w)")
_NAME: Final = re.compile(
    r"(?:#\d{1,6}\b|\b[A-Z]{2,6}-\d{1,6}\b|(?<![\w./-])[@~]?/?(?:[\w.-]+/)+[\w.-]+\w|\b[\w-]+\.(?:[a-z]{1,4}|json"
    r"|yaml|toml|jsonl)\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"
    r"|\b[a-z]{2,}(?:_[a-z0-9]+)+\b|\b[A-Z]{2,}[0-9]+\b|\b\w+\(\))"
)


@lru_cache(maxsize=64)
def names(text: str) -> tuple[str, ...]:
    """The names in a text, those in backticks first, each once."""
    ticked = (match.group(1) for match in _TICKED.finditer(text[:_LOOKED_AT]))
    named = (match.group() for match in _NAME.finditer(text[:_LOOKED_AT]))
    found = dict.fromkeys(name.strip("@.,:") for name in chain(ticked, named))
    return tuple(islice((name for name in found if len(name) > 1), _MOST))
