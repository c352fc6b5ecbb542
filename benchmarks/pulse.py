"""How often pulse wakes an agent whose person is there, in so many simulated days: `python -m benchmarks.pulse 1000`.

A person comes and goes, types, reads with the program open, stops the agent, answers its questions; the agent works,
asks, is compacted, falls silent. Every five minutes pulse looks, on a clock that is set. What is true of the person is
drawn first; pulse is told only what a store and a list of processes would tell it.
"""

import random
import sys
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from steno.clock import as_text
from steno.fleet.clients import Process, is_among
from steno.fleet.quiet import Patience, why_not
from steno.vocabulary.pulse import Stand, Wake

_PATIENCE = Patience(quiet=10, human=30)
_MOST = 8
_EVERY = 5
_START = datetime(2026, 1, 1, tzinfo=UTC)


class Stay(NamedTuple):
    """A person at the agent: from one minute to another. The program is open until they leave; without one (they use
    a phone, or another machine) a word of theirs comes every half hour at least."""

    begins: int
    ends: int
    has_program: bool


def _stays(days: int, chance: random.Random) -> list[Stay]:
    found, at = [], chance.randrange(600)
    while at < days * 1440:
        ends = at + chance.randrange(1, 240)
        found.append(Stay(at, ends, chance.random() < 0.7))
        at = ends + chance.choice([chance.randrange(15, 120), chance.randrange(120, 1200)])
    return found


def _life(stays: list[Stay], chance: random.Random) -> list[tuple[int, str, str]]:
    """What happens: minute, kind of turn, and the agent's words."""
    events: list[tuple[int, str, str]] = []
    for stay in stays:
        at = stay.begins
        while at <= stay.ends:
            events.append((at, chance.choice(["said", "said", "said", "interrupted"]), ""))
            work = at + chance.randrange(1, 20)
            events.append((work, "call", chance.choice(["", "Next: the tests.", "Shall I go on?"])))
            at += chance.randrange(1, 60 if stay.has_program else 29)
        events.append((stay.ends + chance.randrange(1, 90), chance.choice(["call", "boundary"]), ""))
    return sorted(events)


def active_wakes(days: int, chance: random.Random) -> tuple[int, int, int]:
    """Looks, wake-ups, and wake-ups while the person was there."""
    stays = _stays(days, chance)
    events, wakes = _life(stays, chance), list[Wake]()
    looks = woken = beside = turn = 0
    kind, said, heard, human = "said", "", 0, 0
    for minute in range(0, days * 1440, _EVERY):
        while turn < len(events) and events[turn][0] <= minute:
            heard, kind, said = events[turn]
            human = heard if kind in ("said", "interrupted") else human
            turn += 1
        while stays and stays[0].ends < minute:
            stays.pop(0)
        here = [stay for stay in stays[:1] if stay.begins <= minute]
        stand = Stand(
            number=1, source="claude-code", session="s1", called=None, project="/shop", directory="/shop", turn=turn,
            kind=kind, heard_at=_at(heard), human_at=_at(human), goal="make the cart fast", said=said, behind=False,
        )  # fmt: skip
        running = [Process(("claude",), "/shop") for stay in here if stay.has_program]
        looks += 1
        if why_not(stand, wakes, _MOST, _PATIENCE, _at(minute)) or is_among(stand, running):
            continue
        woken += 1
        beside += bool(here)
        wakes.insert(0, Wake(id=turn, agent="ada", session="s1", turn=turn, at=_at(minute), passed=True))
        del wakes[50:]
        if chance.random() < 0.5:
            # It goes on, which ends the silence; else it answers that there is nothing.
            events.insert(turn, (minute + 1, "call", ""))
    return looks, woken, beside


def _at(minute: int) -> str:
    return as_text(_START + timedelta(minutes=minute))


if __name__ == "__main__":
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    looks, wakes, beside = active_wakes(days, random.Random(17))
    print(f"{days:,} days, {looks:,} looks: {wakes:,} wake-ups, {beside} while the person was there")
