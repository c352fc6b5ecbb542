"""What time it is. Everything that needs it is given a Clock, so that tests can give another one."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from steno.vocabulary.errors import WrongUse

# Now, as ISO 8601 in UTC with milliseconds.
Clock = Callable[[], str]
_HOURS: Final = re.compile(r"(\d{1,2})\s*-\s*(\d{1,2})")


def utc_now() -> str:
    """The machine's clock."""
    return as_text(datetime.now(UTC))


def as_text(when: datetime) -> str:
    """A moment the way the store writes it; without a zone it is taken as local time."""
    return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def written(text: str) -> str:
    """A date or a moment as somebody writes it, the way the store writes it. ValueError: it is none."""
    try:
        return as_text(datetime.fromisoformat(text))
    except (OverflowError, OSError) as error:
        raise ValueError(f"{text!r} is out of reach") from error


def moment(text: str | None) -> str | None:
    """A time a caller gave, as the journal writes it; without a zone it is the time of this machine."""
    if text is None:
        return None
    try:
        return written(text)
    except ValueError as error:
        raise WrongUse(f"{text!r} is no time", hint="write 2026-03-31 or 2026-03-31T18:00") from error


def seconds_between(earlier: str, later: str) -> float:
    """Seconds from one moment to another."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


def before(now: str, span: timedelta) -> str:
    """The moment so long before another; the beginning of time, where there is none."""
    try:
        return as_text(datetime.fromisoformat(now) - span)
    except OverflowError:
        return as_text(datetime.min.replace(tzinfo=UTC))


def is_within(hours: str, now: str, zone: tzinfo | None = None) -> bool:
    """Whether it is one of these hours (22-6), by this machine's time or that of a zone. ValueError: they are none."""
    found = _HOURS.fullmatch(hours.strip())
    if not found or max(map(int, found.groups())) > 24:
        raise ValueError(f"{hours!r}, which is no stretch of hours such as 22-6")
    first, last = (int(hour) % 24 for hour in found.groups())
    hour = datetime.fromisoformat(now).astimezone(zone).hour
    return first <= hour < last if first < last else hour >= first or hour < last
