"""The phase of the work, by a small decaying count of what was done lately. Whole numbers: the same everywhere."""

import re
from typing import Any, Final, get_args

from steno.scribe.trail import Act
from steno.vocabulary import Phase

_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
# With every act, what was counted before loses an eighth.
_DECAY: Final = 8
_POINT: Final = 100

_WRONG: Final = re.compile(
    r"\b(?:error|fail(?:s|ed|ing|ure)?|broken|doesn'?t work|not work(?:ing)?|didn'?t|don'?t see|can'?t see|crash\w*|"
    r"bug|nope|still (?:see|get|leak\w*|broken|not)|exception|traceback|wrong|weird|stuck)\b",
    re.IGNORECASE,
)
_REVIEW: Final = re.compile(r"\b(?:review|pr description|looks good|lgtm|pull request)\b", re.IGNORECASE)
_PLAN: Final = re.compile(
    r"\b(?:plan|propos\w+|design|approach|what if|how (?:would|should|do) (?:we|you|i)|should we|options?|"
    r"deep analysis|brainstorm)\b",
    re.IGNORECASE,
)
_GO: Final = re.compile(
    r"\b(?:implement\w*|do it|go ahead|start|continue|fix it|yes|yeah|let'?s (?:do|tackle)|make|create|add|commit|"
    r"push)\b",
    re.IGNORECASE,
)
_REVIEWING: Final = re.compile(r"\bgh (?:pr (?:view|diff|review|checks|comment)|api \S*pulls)|\bgit (?:diff|show)\b")
_SHIPPING: Final = re.compile(r"\bgit (?:commit|push|merge|rebase)\b|\bgh pr create\b")


class PhaseCount:
    """Points per phase. Ties go to the phase that comes first in the course of work."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._points: dict[str, int] = {name: state.get(name, 0) for name in _PHASES}
        # Whether the last run of a test or a check failed, or the human says that something is wrong.
        self._red: bool = state.get("red", False)

    @property
    def state(self) -> dict[str, Any]:
        return {**self._points, "red": self._red}

    @property
    def phase(self) -> Phase:
        return max(_PHASES, key=lambda name: self._points[name])

    def asked(self, words: str) -> None:
        """A human's words turn the work."""
        head = words[:2000]
        self._red = _WRONG.search(head) is not None
        if self._red:
            self._add("debugging", 4)
        elif _REVIEW.search(head):
            self._add("reviewing", 3)
        elif _PLAN.search(head):
            self._add("planning", 4)
        elif _GO.search(head):
            self._add("executing", 4)

    def planned(self) -> None:
        """The agent proposes, asks, or enters plan mode."""
        self._add("planning", 1)

    def did(self, act: Act) -> None:
        """A tool did something."""
        if act.kind in ("edited", "created", "deleted"):
            self._add("executing", 2)
        elif act.kind == "read":
            self._add("debugging" if self._red else "planning", 0.5)
        elif act.kind == "command":
            self._command(act)

    def _command(self, act: Act) -> None:
        telling = act.purpose in ("test", "check")
        if telling and act.failed is not None:
            self._red = act.failed
        if act.failed and act.purpose != "look":
            self._add("debugging", 2)
        elif telling:
            self._add("executing", 1)
        elif _REVIEWING.search(act.name[:300]):
            self._add("reviewing", 0.7)
        elif _SHIPPING.search(act.name[:300]):
            self._add("executing", 1)
        else:
            self._add("debugging" if self._red else "planning", 0.3)

    def _add(self, name: Phase, points: float) -> None:
        self._points = {phase: count - count // _DECAY for phase, count in self._points.items()}
        self._points[name] += round(points * _POINT)
