"""Whose sessions are whose, and when each agent was at work."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from steno.clock import as_text
from steno.fleet.agents import owner
from steno.store import Store
from steno.store.fitness import Held

# The store tells work by tens of minutes.
SLOT: Final = timedelta(minutes=10)
# After a longer pause it is another stretch of work.
_PAUSE: Final = timedelta(hours=1)


def owned(store: Store, since: str) -> dict[str, list[Held]]:
    """The sessions of every agent that were heard of since a time, by its name."""
    told = {one.name: one.facts for one in store.agents.all()}
    found: dict[str, list[Held]] = {}
    for one in store.measures.sessions(since):
        found.setdefault(owner(told, one.host, one.project, one.agent), []).append(one)
    return found


def at_work(store: Store, since: str, now: str) -> dict[str, list[datetime]]:
    """When every agent was at work between two moments, in order: the beginning of each ten minutes."""
    whose = {held.id: name for name, sessions in owned(store, since).items() for held in sessions}
    found: dict[str, set[str]] = {}
    for session, at in store.measures.at_work(since, now):
        if session in whose:
            found.setdefault(whose[session], set()).add(at)
    return {name: [datetime.fromisoformat(f"{at}0:00+00:00") for at in sorted(slots)] for name, slots in found.items()}


def stretches(slots: Sequence[datetime]) -> list[tuple[str, str]]:
    """When each stretch of work began and ended; its beginning is known to ten minutes only, and taken late."""
    found: list[tuple[datetime, datetime]] = []
    for at in slots:
        if found and at - found[-1][1] <= _PAUSE:
            found[-1] = (found[-1][0], at + SLOT)
        else:
            found.append((at + SLOT, at + SLOT))
    return [(as_text(began), as_text(ended)) for began, ended in found]
