"""The phase of the work, from what is done: edits, runs, plans, reviews, or nothing but talk.

A small count that fades, in whole numbers: the same everywhere.
"""

import re
from typing import Final, get_args

from msgspec import Struct, field

from steno.scribe.work.trail import PROSE, Act
from steno.vocabulary import Phase

_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
# With everything that is done, what was counted before loses a twentieth.
_FADES: Final = 20
_REVIEWING: Final = re.compile(r"\bgh (?:pr (?:view|diff|review|checks|comment)|api \S*(?:pulls|issues|graphql))")
_COMPARING: Final = re.compile(r"\bgit (?:diff|show|log)\b")


class PhaseCount(Struct):
    """Points per phase. Ties go to the phase that comes first in the course of work."""

    points: dict[Phase, int] = field(default_factory=lambda: dict.fromkeys(_PHASES, 0))
    # Whether anything was changed yet, and how much was done since somebody spoke.
    changed: bool = False
    acts: int = 1

    @property
    def phase(self) -> Phase:
        return max(_PHASES, key=lambda name: self.points[name])

    def asked(self) -> None:
        """Somebody speaks. Where nothing was done since they spoke last, the two of them talk it over."""
        if not self.acts:
            self._add("planning", 250)
        self.acts = 0

    def planned(self) -> None:
        """The agent asks or enters plan mode."""
        self._add("planning", 150)

    def did(self, act: Act) -> None:
        """A tool did something."""
        self.acts += 1
        if act.kind in ("edited", "created", "deleted"):
            self.changed = True
            # Whoever edits has done with planning; notes are written while one plans.
            if not act.name.endswith(PROSE):
                self.points = {**self.points, "planning": 0}
            self._add("executing", 200)
        elif act.kind == "command":
            self._ran(act)
        elif act.kind == "read":
            self._looked()

    def _ran(self, act: Act) -> None:
        telling = act.purpose in ("test", "check")
        if act.failed and act.purpose != "look":
            self._add("debugging", 200 if telling else 100)
        elif _REVIEWING.search(act.name[:300]):
            self._add("reviewing", 400)
        elif _COMPARING.search(act.name[:300]):
            self._add("reviewing", 40)
        elif telling:
            self._add("executing", 100)
        else:
            self._looked()

    def _looked(self) -> None:
        """Looking around: for a plan before anything was changed, for a cause afterwards."""
        self._add("debugging" if self.changed else "planning", 40)

    def _add(self, name: Phase, points: int) -> None:
        self.points = {phase: count - count // _FADES for phase, count in self.points.items()}
        self.points[name] += points
