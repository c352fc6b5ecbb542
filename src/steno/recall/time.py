"""A stretch of time a question speaks of, and how near a moment is to it."""

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from msgspec import Struct

# Where "before June" begins. No transcript is older.
EVER: Final = date(1970, 1, 1)
# Beginnings of all words that can speak of time, and numbers. The patterns that read them are slow to load.
_MAY_SPEAK: Final = re.compile(
    r"[0-9]|\b(?:yes|tod|ton|ago|las|pas|pre|this|wee|mon|yea|qua|rec|lat|sin|bef|aft|unt|by|til|bet|fro|dur|mor|nig|ear|"
    r"mid|oth|whi|day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tue|wed|thu|fri|sat|sun|q|ges|heu|vor|woc|jah|"
    r"let|m\u00e4r|mai|okt|dez|die|mit|don|sam|son|im|seit|bis|am)",
    re.IGNORECASE,
)


class When(Struct, frozen=True, kw_only=True):
    """A stretch of time that a question speaks of."""

    # ISO 8601 in UTC with milliseconds; the first moment inside and the first one after.
    since: str
    until: str
    # The words that said so, in lower case and in their order.
    words: tuple[str, ...]
    # Whether the question names the stretch ("in March 2026"), rather than hints at it ("recently").
    sure: bool


def may_speak_of_time(question: str) -> bool:
    """Whether it is worth looking for time words."""
    return _MAY_SPEAK.search(question) is not None


def nearness(at: str | None, when: When) -> float:
    """1.0 inside the stretch; before and after it less and less, by its length. Slower after: telling comes later."""
    try:
        then = moment(at or "")
    except ValueError:
        return 0.0
    since, until = moment(when.since), moment(when.until)
    # "Before June" has no length of its own.
    length = timedelta(days=30) if since.date() == EVER else max(until - since, timedelta(days=3))
    if then < since:
        return float(0.5 ** ((since - then) / length / 0.7))
    if then >= until:
        return float(0.5 ** ((then - until) / length / 2))
    return 1.0


@lru_cache(4096)
def moment(text: str) -> datetime:
    """ISO text as a moment; without a zone it is UTC."""
    then = datetime.fromisoformat(text)
    return then if then.tzinfo else then.replace(tzinfo=UTC)
