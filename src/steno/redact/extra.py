"""A user's own patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steno.redact.batch import Batch, Edit
from steno.redact.engine import EngineError, Pattern, compile_bytes, compile_text
from steno.redact.marker import SHAPE, Markers
from steno.redact.unseen import Seen, hides_any

KIND = "custom"

_MARKER = compile_bytes(f"{SHAPE}|" + r"\[private\]")


class BadPattern(ValueError):
    """A pattern RE2 does not accept; the message names the pattern and the reason."""

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(f"The redaction pattern {pattern!r} cannot be used: {reason}")
        self.pattern = pattern
        self.reason = reason


class Extra:
    """Runs the patterns on one text at a time.

    Not on the joined batch: `^`, `$` and `.` must mean the text the user thinks of.
    Parts between markers are searched in place, so a pattern cannot eat a marker.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [_compiled(pattern) for pattern in patterns]

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def clean(self, text: bytes, markers: Markers) -> tuple[bytes, int]:
        """The text without its matches, and how many there were."""
        count = 0
        for pattern in self._patterns:
            if hides_any(text):
                seen = Seen(text)
                text, found = _replaced(text, [seen.edit(*edit) for edit in _edits(pattern, seen.text, markers)])
                count += found
            text, found = _replaced(text, _edits(pattern, text, markers))
            count += found
        return text, count


def _edits(pattern: Pattern, text: bytes, markers: Markers) -> list[Edit]:
    return [Edit(start, end, markers.mark(KIND, text[start:end])) for start, end in _matches(pattern, text)]


def _replaced(text: bytes, edits: list[Edit]) -> tuple[bytes, int]:
    return (Batch([text]).apply(edits)[0], len(edits)) if edits else (text, 0)


def _compiled(pattern: str) -> Pattern:
    try:
        return compile_text(pattern)
    except EngineError as error:
        reason = error.args[0] if error.args else error
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise BadPattern(pattern, text) from error


def _matches(pattern: Pattern, text: bytes) -> Iterator[tuple[int, int]]:
    if pattern.search(text) is None:
        return
    for start, end in _gaps(text):
        while found := pattern.search(text, start, end):
            first, last = found[0]
            if last > first:
                yield first, last
            start = max(last, first + 1)
            if start >= end:
                break


def _gaps(text: bytes) -> Iterator[tuple[int, int]]:
    """The parts of a text between its markers."""
    at = 0
    while found := _MARKER.search(text, at):
        start, end = found[0]
        yield at, start
        at = end
    yield at, len(text)
