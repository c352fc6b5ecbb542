"""A text in clauses: parts that say one thing each."""

import re
from typing import Final

# Words before which the thought turns.
_TURNS: Final = (
    "but because since instead so otherwise unless until without before after when while if then "
    "sondern weil aber statt ohne wenn bevor mais puisque sinon pero porque sino"
).replace(" ", "|")
# An "and" begins a clause only where a verb of its own follows.
_VERBS: Final = (
    "add use set write put make run create deploy push send install move keep let start commit tag drop remove delete "
    "leave do import configure switch index sync call return ask show open fix store wrap turn replace skip"
).replace(" ", "|")
_CLAUSE: Final = re.compile(
    rf"[.;!?:](?=\s|$)|[,，。；！？\n()]|\s[–—-]\s|\s&&\s|\s\|\|?\s"
    rf"|\s(?=(?:{_TURNS}|rather than|so that|and then|to avoid)\s)"
    rf"|\s(?=(?:and|und|&) (?:then |also |dann )?(?:{_VERBS}|always|never|immer|nie|niemals)\b)",
    re.IGNORECASE,
)


def clauses(text: str) -> list[str]:
    """The clauses of a sentence: cut at signs and before the words that turn the thought."""
    parts = (part.strip() for part in _CLAUSE.split(text) if part)
    return [part for part in parts if part]
