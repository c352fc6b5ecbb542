"""Command families: what calls do, in the words people use for it. Read from `families.toml`: one place for rules,
reminders and matchers."""

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct

from steno.rules.seen import Seen, any_of

# Of a text that is brought in, and of what a person said, so much is looked at.
_MOST: Final = 4_000


class Family(Struct, frozen=True, forbid_unknown_fields=True):
    """One of them. Each field is several patterns, any of which is enough."""

    # How a person speaks of it.
    says: tuple[str, ...]
    # A program with what it is given; a path that is changed; what is brought into a file; a tool; anything at all.
    command: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    tool: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    # A file, and what is brought into it: only both together.
    path_with_text: tuple[str, ...] = ()
    # Families it is a special case of.
    of: tuple[str, ...] = ()
    # Named in passing so often that a rule must have more in common with a call.
    loose: bool = False


@cache
def families() -> dict[str, Family]:
    """All of them, by name."""
    told = tomllib.loads(files("steno.rules").joinpath("families.toml").read_text("utf-8"))
    return msgspec.convert(told, dict[str, Family])


@lru_cache(maxsize=4096)
def meant(text: str) -> frozenset[str]:
    """The families a person speaks of."""
    said = text[:_MOST].encode("utf-8", "replace")
    if not any_of(_patterns("says")).search(said):
        return frozenset()
    found = {name for name, family in families().items() if any_of(family.says).search(said)}
    return frozenset(found.difference(*(families()[name].of for name in found)))


def done(seen: Seen) -> dict[str, bytes]:
    """The families of what a call does, each with the part of the call that does it."""
    new, old = seen.new[:_MOST], seen.old[:_MOST]
    places = {
        "command": seen.commands, "path": seen.paths, "text": (new,), "line": (seen.text[:_MOST],),
        "tool": (seen.tool,),
    }  # fmt: skip
    # Most calls do nothing of it, and are asked once for all families.
    likely = [field for field, found in places.items() if _first(_patterns(field), found) is not None]
    does: dict[str, bytes] = {}
    for name, family in families().items():
        for field in likely:
            place = _first(getattr(family, field), places[field])
            # What stood there before is not brought in.
            if place is not None and not (field == "text" and any_of(family.text).search(old)):
                does.setdefault(name, place)
        if family.path_with_text and any_of(family.path_with_text[1:]).search(new):
            path = _first(family.path_with_text[:1], seen.paths)
            does |= {name: path} if path is not None else {}
    return does


def _first(patterns: tuple[str, ...], places: tuple[bytes, ...]) -> bytes | None:
    return next(filter(any_of(patterns).search, places), None) if patterns else None


@cache
def _patterns(field: str) -> tuple[str, ...]:
    return tuple(pattern for family in families().values() for pattern in getattr(family, field))
