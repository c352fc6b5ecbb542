"""The schedule as a picture: a line for each agent and job, half an hour a sign. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time, tzinfo
from typing import Final

from steno.vocabulary.looks import Bridge, DayLine

SLOTS: Final = 48
NOTHING, WORKS, WRITES, READS, RUNS = "·", "▒", "▲", "▼", "●"
# What stands above the lines: every third hour over its slot.
HOURS: Final = "".join(f"{hour:02}".ljust(6) for hour in range(0, 24, 3))


def day(
    worked: Mapping[str, Sequence[datetime]], bridges: Iterable[Bridge], jobs: Iterable[tuple[str, Iterable[datetime]]],
    zone: tzinfo | None = None,
) -> list[DayLine]:  # fmt: skip
    """When agents were at work, when they are to write and to read, and when jobs run."""
    lines: dict[str, list[str]] = {}
    for name, times in sorted(worked.items()):
        _mark(lines, name, WORKS, (at.astimezone(zone).time() for at in times))
    for bridge in bridges:
        for name, sign, at in (
            (bridge.producer, WRITES, bridge.produced_at),
            (bridge.consumer, READS, bridge.consumed_at),
        ):
            _mark(lines, name, sign, [] if at is None else [time.fromisoformat(at)])
    agents = [DayLine(name=name, slots="".join(slots)) for name, slots in sorted(lines.items())]
    lines = {}
    for name, due in jobs:
        _mark(lines, name, RUNS, (at.astimezone(zone).time() for at in due))
    return [*agents, *(DayLine(name=name, slots="".join(slots)) for name, slots in lines.items())]


def _mark(lines: dict[str, list[str]], name: str, sign: str, times: Iterable[time]) -> None:
    slots = lines.setdefault(name, [NOTHING] * SLOTS)
    for at in times:
        slots[2 * at.hour + at.minute // 30] = sign
