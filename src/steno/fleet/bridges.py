"""Bridges: one agent's output folder is another one's input. Is the link there, is it fresh, who ran first?"""

import os
import shlex
from datetime import time as day_time
from datetime import timedelta
from typing import Final

from msgspec import structs

from steno.clock import before, seconds_between
from steno.fleet.at_work import at_work, stretches
from steno.fleet.files import Newest, newest
from steno.fleet.relay import name_of
from steno.home import Home
from steno.vocabulary.errors import UnknownBridge, WrongUse
from steno.vocabulary.looks import Bridge, Finding

# Files that say they were written later than this are of a clock that is apart.
_APART: Final = timedelta(minutes=5)
# A consumer that is to run longer after its producer than this is taken to run before it.
_LONGEST_WAIT: Final = 12 * 60
_MOST_HOURS: Final = 24 * 366
_LATELY: Final = timedelta(days=7)
# When each agent's stretches of work began and ended.
Runs = dict[str, list[tuple[str, str]]]


class Bridges:
    """Those people declared."""

    def __init__(self, home: Home) -> None:
        self._home, self._store, self._clock, self._clean = home, home.store, home.clock, home.clean

    def all(self) -> list[Bridge]:
        """By the consumer's folder."""
        return self._store.looks.bridges()

    def add(
        self, producer: str, output: str, consumer: str, input_: str, *, hours: float = 24.0,
        produced_at: str | None = None, consumed_at: str | None = None,
    ) -> Bridge:  # fmt: skip
        """A person says whose output is whose input; the same input again is told anew."""
        self._home.only_people("bridges add")
        clean = self._clean
        names = [name_of(producer, clean), name_of(consumer, clean)]
        if names[0] == names[1]:
            raise WrongUse(f"{names[0]} cannot be both ends of a bridge", hint="name the agent that reads it")
        if not 0 < hours <= _MOST_HOURS:
            raise WrongUse(f"{hours:g} hours are no freshness", hint=f"give 1 to {_MOST_HOURS:,} hours")
        places = [_place(output), _place(input_)]
        if places[0] == places[1]:
            raise WrongUse(f"{places[0]} cannot be both ends of a bridge", hint="give the consumer's own folder")
        if any(clean(text) != text for text in places):
            raise WrongUse("this path holds what looks like a secret", hint="give the folder another name")
        bridge = Bridge(
            producer=names[0], output=places[0], consumer=names[1], input=places[1], hours=hours,
            produced_at=_time(produced_at), consumed_at=_time(consumed_at),
        )  # fmt: skip
        self._store.looks.put_bridge(bridge)
        return bridge

    def remove(self, input_: str) -> Bridge:
        """It is one no more."""
        self._home.only_people("bridges remove")
        place = _place(input_)
        found = [one for one in self.all() if one.input == place]
        if not found:
            raise UnknownBridge(f"no bridge leads to {place}", hint="`steno bridges` lists them")
        self._store.looks.drop_bridge(place)
        return found[0]

    def check(self) -> list[Finding]:
        """How each bridge is: the first thing that is wrong with it, and what of the others that follows from."""
        bridges, now = self.all(), self._clock()
        worked = at_work(self._store, before(now, _LATELY), now) if bridges else {}
        runs = {name: stretches(slots) for name, slots in worked.items()}
        found = {one.name: self._check(one, runs, now) for one in bridges}
        broken = {one.consumer: one.name for one in bridges if found[one.name].ok is False}
        return [_follows(one, found[one.name], broken) for one in bridges]

    def _check(self, bridge: Bridge, runs: Runs, now: str) -> Finding:
        if problem := _unlinked(bridge):
            return Finding(what=bridge.name, ok=False, detail=problem, mend=_linking(bridge))
        looked = newest(bridge.output)
        fresh = _fresh(bridge, looked, now)
        if fresh.ok is not True:
            return fresh
        ordered = _ordered(bridge, looked, runs)
        return ordered if ordered.ok is False else fresh


def _unlinked(bridge: Bridge) -> str:
    """What is wrong with the link; empty: nothing."""
    if not os.path.isdir(bridge.output):
        return f"{bridge.producer} has no folder {bridge.output}"
    if not os.path.lexists(bridge.input):
        return f"nothing is at {bridge.input}"
    if os.path.realpath(bridge.input) != os.path.realpath(bridge.output):
        return f"{bridge.input} does not lead to {bridge.output}"
    return ""


def _linking(bridge: Bridge) -> str:
    make = f"mkdir -p {shlex.quote(bridge.output)} && " if not os.path.isdir(bridge.output) else ""
    return (
        "" if os.path.lexists(bridge.input) else f"{make}ln -s {shlex.quote(bridge.output)} {shlex.quote(bridge.input)}"
    )


def _fresh(bridge: Bridge, looked: Newest, now: str) -> Finding:
    what, run = bridge.name, f"steno sessions  # what of {bridge.producer}?"
    if looked.problem:
        return Finding(what=what, ok=None, detail=looked.problem)
    if not looked.times:
        return Finding(what=what, ok=False, detail=f"{bridge.producer} wrote no file", mend=run)
    at = looked.times[-1]
    if at > before(now, -_APART):
        return Finding(
            what=what, ok=None, detail=f"its newest file is of {at[:16]}, which is yet to come: clocks differ"
        )
    age = seconds_between(at, now) / 3600
    if age > bridge.hours:
        detail = f"its newest file is {age:.0f} hours old, more than {bridge.hours:g}"
        return Finding(what=what, ok=False, detail=detail, mend=run)
    return Finding(what=what, ok=True, detail=f"its newest file is {age:.0f} hours old")


def _ordered(bridge: Bridge, looked: Newest, runs: Runs) -> Finding:
    """Whether the consumer's last run found something the producer had written since not too long."""
    what = bridge.name
    if (wait := _wait(bridge)) is not None and not 0 < wait <= _LONGEST_WAIT:
        plan = f"{bridge.consumer} is to read at {bridge.consumed_at}"
        detail = f"{plan}, before {bridge.producer} writes at {bridge.produced_at}"
        return Finding(what=what, ok=False, detail=detail)
    read = max((began for began, _ in runs.get(bridge.consumer, ())), default=None)
    if read is None:
        return Finding(what=what, ok=None, detail=f"{bridge.consumer} was never seen to run")
    written = [*looked.times, *(ended for _, ended in runs.get(bridge.producer, ()))]
    oldest = before(read, timedelta(hours=bridge.hours))
    if any(oldest <= at <= read for at in written):
        return Finding(what=what, ok=True, detail="")
    detail = f"{bridge.consumer} ran at {read[:16]}, and {bridge.producer} had not in the {bridge.hours:g} hours before"
    return Finding(what=what, ok=False, detail=detail)


def _wait(bridge: Bridge) -> int | None:
    """Minutes from when it is to be written to when it is to be read, over midnight if need be."""
    if bridge.produced_at is None or bridge.consumed_at is None:
        return None
    one, other = (
        60 * at.hour + at.minute for at in map(day_time.fromisoformat, (bridge.produced_at, bridge.consumed_at))
    )
    return (other - one) % (24 * 60)


def _follows(bridge: Bridge, found: Finding, broken: dict[str, str]) -> Finding:
    """A bridge whose producer waits at the end of a broken one follows from that."""
    cause = broken.get(bridge.producer, "")
    return structs.replace(found, because=cause) if found.ok is False and cause != found.what else found


def _place(path: str) -> str:
    if not path.strip() or "\0" in path or "\n" in path:
        raise WrongUse(f"{path!r} is no folder", hint="give the path of a folder")
    return os.path.abspath(os.path.expanduser(path))


def _time(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return day_time.fromisoformat(text).strftime("%H:%M")
    except ValueError as error:
        raise WrongUse(f"{text!r} is no time of day", hint="write 22:00") from error
