"""How one thing travelled: followed from any of its hops both ways. Pure."""

from collections.abc import Callable, Collection
from typing import Final

# Pairs of effect and cause.
Pairs = list[tuple[str, str]]
Look = Callable[[Collection[str]], Pairs]
# A cascade of more hops is a river: the nearest ones are shown.
MOST: Final = 1_000


def follow(start: str, before: Look, after: Look) -> list[tuple[str, tuple[str, ...], int]]:
    """Everything that led to a thing and everything that followed from any of it: id, causes, and how deep it is.

    The same from wherever it is followed. A cause stands before its effects; each thing stands once, also in a circle.
    """
    pairs: dict[tuple[str, str], None] = {}
    found, fresh = {start}, {start}
    while fresh and len(found) < MOST:
        near = [*before(fresh), *after(fresh)]
        pairs.update(dict.fromkeys(near))
        fresh = {id_ for pair in near for id_ in pair} - found
        found |= fresh
    causes: dict[str, list[str]] = {}
    effects: dict[str, list[str]] = {}
    for effect, cause in sorted(pairs):
        causes.setdefault(effect, []).append(cause)
        effects.setdefault(cause, []).append(effect)
    order: dict[str, int] = {}
    roots = sorted(id_ for id_ in found if id_ not in causes) or [start]
    waiting = [(root, 0) for root in reversed(roots)]
    while waiting:
        id_, depth = waiting.pop()
        if id_ not in order:
            order[id_] = depth
            waiting += [(effect, depth + 1) for effect in reversed(effects.get(id_, []))]
    return [(id_, tuple(causes.get(id_, ())), depth) for id_, depth in order.items()]
