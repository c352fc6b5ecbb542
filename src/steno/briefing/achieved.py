"""What was achieved beyond the working copy, in words: commits, pushes, pull requests, replies, releases."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import structs

from steno.briefing.render import safe
from steno.vocabulary import TrailResult

_LONG, _SHORT, _FEW = 90, 40, 2
# The name of a commit, or the number of a pull request.
_ABOUT: Final = re.compile(r"(?:/(?:pulls|issues|merge_requests)/|\b(?:pr|mr|issue) (?:comment|note|review) )(\d+)\b")
_NAME: Final = re.compile(r"^([0-9a-f]{7,40})\b|^https?://\S+/(?:pull|merge_requests)/(\d+)")


def mended(found: Sequence[TrailResult]) -> list[TrailResult]:
    """Without what failed first and went through later."""
    return [
        one
        for place, one in enumerate(found)
        if not (one.failed and any(on.kind == one.kind for on in found[place + 1 :]))
    ]


def between(found: Sequence[TrailResult], since: int, until: int) -> str:
    """The last that was achieved between two turns, if it went through; a push tells less than what was pushed."""
    those = [one for one in found if since < one.turn < until and not one.failed]
    telling = [one for one in those if one.kind != "push"] or those
    return "; ".join(safe(one, _SHORT) for one in list(listed(list(map(_named, telling))))[-_FEW:])


def _named(one: TrailResult) -> TrailResult:
    """By its name alone, if it has one."""
    found = _NAME.search(one.text)
    return structs.replace(one, text=found[1] or f"#{found[2]}") if found else one


def listed(those: Sequence[TrailResult]) -> Iterator[str]:
    """Each on its own; what reads alike, one after another, once with how often."""
    for text, group in groupby(those, key=_result):
        times = len(list(group))
        yield f"{text} ({times} times)" if times > 1 else text


def _result(one: TrailResult) -> str:
    return f"{achieved(one.kind, one.text)}{' (did not go through)' if one.failed else ''}"


def achieved(kind: str, text: str) -> str:
    """What was achieved or attempted, in words."""
    if kind == "reply" and (about := _ABOUT.search(text)):
        return f"reply on #{about[1]}"
    by_itself = kind in ("reply", "edit") or kind in text.replace("_", " ").split()[:3]
    return safe(text if by_itself else f"{kind} {text}", _LONG)
