"""Numbers, sizes and times as people read them."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from steno.vocabulary import Problem
    from steno.vocabulary.accesses import Access

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def many(number: int, thing: str) -> str:
    """`1 turn`, `1,234 turns`, `2 entries`."""
    if number == 1:
        return f"1 {thing}"
    return f"{number:,} {thing[:-1]}ies" if thing.endswith("ry") else f"{number:,} {thing}s"


def size(number: int) -> str:
    """Bytes in the unit that fits."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if number >= unit:
            return f"{number / unit:.1f} {name}"
    return f"{number} bytes"


def span(seconds: float) -> str:
    """A stretch of time in its largest unit."""
    for length, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= length:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:.0f}s"


def share(part: float | None) -> str:
    """A share of the whole, if it is known."""
    return "" if part is None else f"{part:.0%}"


def when(at: str | None) -> str:
    """A moment on the clock of this machine."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M") if at else ""
    except ValueError:
        return at or ""


def ago(at: str | None) -> str:
    """A moment as people speak of it: `in 3 h`, `3 h ago`, `5 days ago`, `2 Mar`, `2 Mar 2025`."""
    from steno.clock import utc_now

    try:
        then, now = datetime.fromisoformat(at or "").astimezone(), datetime.fromisoformat(utc_now()).astimezone()
    except (ValueError, OverflowError):
        return at or ""
    seconds = (now - then).total_seconds()
    for length, most, unit in ((60, 3600, "min"), (3600, 48 * 3600, "h"), (86400, 14 * 86400, "days")):
        if 0 <= seconds < most:
            return f"{seconds // length:.0f} {unit} ago" if seconds >= 60 else "now"
        if -most < seconds < 0:
            return f"in {-seconds / length:.0f} {unit}"
    day = f"{then.day} {_MONTHS[then.month - 1]}"
    return day if then.year == now.year else f"{day} {then.year}"


def by_kind(counts: Mapping[str, int], thing: str = "piece") -> str:
    """`5 pieces (3 github-token, 2 password)`, the most frequent first."""
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(counts.items(), key=lambda pair: -pair[1]))
    return f"{many(sum(counts.values()), thing)} ({kinds})"


def in_words(problem: "Problem") -> str:
    """Which path, and what is in the way; some reasons name the path themselves."""
    return problem.reason if problem.path in problem.reason else f"{problem.path}: {problem.reason}"


def in_use(access: "Access") -> str:
    """`recalled 2 times, given once (41 tokens), used once, last 2026-03-02 09:03`."""
    cost = f" ({access.tokens:,} tokens)" if access.given else ""
    badly = f" ({_times(access.badly)} in what went wrong)" if access.badly else ""
    parts = {
        f"recalled {_times(access.recalled)}": access.recalled,
        f"given {_times(access.given)}{cost}": access.given,
        f"used {_times(access.used)}{badly}": access.used,
    }
    return ", ".join([part for part, number in parts.items() if number] + [f"last {when(access.last_at)}"])


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"
