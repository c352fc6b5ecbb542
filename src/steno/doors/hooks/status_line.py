"""One line for the person at the screen: what holds here, what waits for them, and how fresh it is."""

from time import monotonic
from typing import Final

from steno.clock import seconds_between, utc_now
from steno.doors.hooks.desk import Desk

# A host asks several times a second while an agent works; counting a large store takes tens of milliseconds.
_KEPT_SECONDS: Final = 5.0


def status_line(desk: Desk, project: str | None) -> str:
    """How many rules and refusals hold in a project, what waits for a person, and when somebody last spoke."""
    kept, now = desk.said.line, monotonic()
    if kept is None or kept[1] != project or now - kept[0] > _KEPT_SECONDS:
        kept = desk.said.line = (now, project, _line(desk, project))
    return kept[2]


def _line(desk: Desk, project: str | None) -> str:
    status, here = desk.memory.status(), desk.memory.waiting.here(project)
    parts = ["steno", _many(here.rules, "rule"), _many(here.refusals, "refusal")]
    waits = sum(number for kind, number in here.waits.items() if kind not in ("ending", "offer"))
    told = [f"{waits:,} waiting"] if waits else []
    told += [f"{_many(len(here.may_end), 'rule')} may end"] if here.may_end else []
    parts += [f"{', '.join(told)}: steno review"] if told else []
    last = max((session.last_at for session in status.sessions if session.last_at), default=None)
    if status.paused:
        parts.append("paused")
    elif last is not None:
        parts.append(f"last turn {_ago(max(0.0, seconds_between(last, utc_now())))}")
    if status.problems:
        parts.append(_many(len(status.problems), "problem"))
    return " · ".join(parts)


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _ago(seconds: float) -> str:
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit} ago"
    return f"{int(seconds)} s ago"
