"""One line for the person at the screen: how much is known, and how fresh it is."""

from time import monotonic
from typing import Final

from steno.clock import seconds_between, utc_now
from steno.doors.hooks.desk import Desk

# A host asks several times a second while an agent works; counting a large store takes tens of milliseconds.
_KEPT_SECONDS: Final = 5.0


def status_line(desk: Desk) -> str:
    """How many entries and critical rules there are, and when something was last taken down."""
    kept, now = desk.said.line, monotonic()
    if kept is None or now - kept[0] > _KEPT_SECONDS:
        kept = desk.said.line = (now, _line(desk))
    return kept[1]


def _line(desk: Desk) -> str:
    status = desk.memory.status()
    critical = len(desk.memory.rules.all("critical"))
    parts = ["steno", _many(status.entries, "entry", "entries"), f"{_many(critical, 'rule', 'rules')} critical"]
    last = max((session.last_at for session in status.sessions if session.last_at), default=None)
    if status.paused:
        parts.append("paused")
    elif last is not None:
        parts.append(f"last turn {_ago(max(0.0, seconds_between(last, utc_now())))}")
    if status.problems:
        parts.append(_many(len(status.problems), "problem", "problems"))
    return " · ".join(parts)


def _many(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _ago(seconds: float) -> str:
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit} ago"
    return f"{int(seconds)} s ago"
