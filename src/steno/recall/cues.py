"""How a turn sounds that ends a discussion."""

import re
from typing import Final

# How a turn begins that ends a discussion: a person's word, or an agent's report that it was done.
_YES: Final = re.compile(
    r"(?:lol|haha|hm+|well|great|perfect|good|nice|cool)?[\s,.!]*(?:ok(?:ay)?|yes|yeah|yep|yup|right|sure|fine|agreed|deal|"
    r"both|all (?:of|three|four|that)|go (?:with|for|ahead)|do (?:it|that|so|b|a|c)|then|no|nope|not|never|don'?t|"
    r"let'?s|use|keep|make|take|[a-d1-4](?=[\s.,!)]|$)|the (?:first|second|third|last|other)|ja|nein|genau|gut|mach)\b",
    re.IGNORECASE,
)
_DONE: Final = re.compile(
    r"(?:done|built|fixed|implemented|added|changed|in|set|switched|moved|removed|agreed|decided|so|as you said|"
    r"understood|will do|noted|recorded|fertig|erledigt|from now on)\b[\s:,.]",
    re.IGNORECASE,
)


def settles(role: str, text: str) -> bool:
    """Whether a turn looks like the end of a discussion."""
    return bool((_YES if role == "user" else _DONE).match(text.lstrip()[:60]))
