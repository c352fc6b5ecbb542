"""Watch: files and folders of which somebody wants to know when they change."""

import os
from typing import TYPE_CHECKING, Final

from steno.fleet.files import TooMuch, differ, marks, why_not
from steno.vocabulary.errors import UnknownWatch, WrongUse
from steno.vocabulary.looks import Watched

if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet

JOB: Final = "watch"
_MOST: Final = 100
# Names told of one change.
_NAMED: Final = 5


class Watches:
    """What people want to know of."""

    def __init__(self, fleet: "Fleet") -> None:
        self._fleet = fleet
        self._looks = fleet.home.store.looks
        self._clock = fleet.home.clock

    def all(self) -> list[Watched]:
        """By path."""
        return self._looks.watched()

    def add(self, path: str) -> Watched:
        """A person wants to know when it changes from how it is now."""
        self._fleet.home.only_people("watch add")
        place = os.path.abspath(os.path.expanduser(path))
        if self._fleet.home.clean(place) != place:
            raise WrongUse("this path holds what looks like a secret", hint="watch the folder it lies in")
        if len(self.all()) >= _MOST:
            raise WrongUse(f"at most {_MOST} paths are watched", hint="`steno watch remove PATH` makes room")
        try:
            now = self._marks(place)
        except (OSError, TooMuch) as error:
            raise WrongUse(why_not(place, error), hint="watch a smaller folder, or a file in it") from error
        if now is None:
            raise WrongUse(f"nothing is at {place}", hint="give the path of a file or a folder that is there")
        self._looks.put_watched(place, now, self._clock())
        return self._one(place)

    def remove(self, path: str) -> Watched:
        """Nobody wants to know any more."""
        self._fleet.home.only_people("watch remove")
        found = self._one(os.path.abspath(os.path.expanduser(path)))
        self._looks.drop_watched(found.path)
        return found

    def look(self, run: int) -> list[str]:
        """Look at everything; what changed since the last look, in words. Each change raises a flag, unless one for
        that path stands already; `run` is what found it. 0: nothing is kept."""
        standing = {flag.text for flag in self._fleet.flags()}
        told: list[str] = []
        for one in self.all():
            try:
                now = self._marks(one.path, one.files)
            except (OSError, TooMuch) as error:
                told.append(f"not known: {why_not(one.path, error)}")
                continue
            change = _change(one.files, now)
            if run:
                self._looks.keep_watched(one.path, now, self._clock(), changed=bool(change))
            if not change:
                continue
            flag = f"{one.path} {'is gone' if now is None else 'changed'}"
            told.append(f"{one.path}: {change}")
            if run and self._fleet.home.clean(flag) not in standing:
                self._fleet.raise_flag(flag, by=JOB, because=f"run-{run}")
        return told

    def _marks(self, path: str, before: dict[str, str] | None = None) -> dict[str, str] | None:
        """What stands there, under names that hold no secret."""
        found = marks(path, before)
        return found and {self._fleet.home.clean(name): mark for name, mark in found.items()}

    def _one(self, path: str) -> Watched:
        found = [one for one in self.all() if one.path == path]
        if not found:
            raise UnknownWatch(f"{path} is not watched", hint="`steno watch` lists what is")
        return found[0]


def _change(before: dict[str, str] | None, now: dict[str, str] | None) -> str:
    """What is not as it was, in words; empty: nothing."""
    if now is None or before is None:
        return "" if now is before else "it is gone" if now is None else "it is back"
    parts = zip(("new", "gone", "changed"), differ(before, now), strict=True)
    return "; ".join(f"{len(names):,} {how}{_names(names)}" for how, names in parts if names)


def _names(names: list[str]) -> str:
    shown = [name for name in names[:_NAMED] if name]
    more = ["…"] if len(names) > _NAMED else []
    return f" ({', '.join([*shown, *more])})" if shown else ""
