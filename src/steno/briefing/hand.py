"""What is at hand: files in work, branch, numbers, commands."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from steno.briefing.budget import Line
from steno.briefing.render import safe
from steno.briefing.state import FIRST, at_home, command
from steno.scribe.work.results import attempted
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint

HAND: Final = "at hand"
# A pull request or an issue, as a command or a link names it.
_NUMBER: Final = re.compile(
    r"(?:\b(?:pr|mr|issue) \w+ |/(?:pull|pulls|merge_requests|issues)/)#?([A-Z]{0,10}-?\d{1,6})\b"
)
_LINE: Final = 400
# Values told, and how many of each.
_FILES, _KINDS = 5, {"branch": 1, "pr": 3, "issue": 2, "run": 1, "command": 2}


def each_word(stood: Sequence[Line]) -> set[str]:
    """What surely stands in some lines, however short they get, word by word."""
    sure = (line.texts[-1] for line in stood if line.worth >= FIRST)
    return {word.strip(".,;:()`") for text in sure for word in text.split()}


def at_hand(point: Checkpoint, since: int, told: Collection[str]) -> Iterator[Line]:
    """Files in work and values, each kind on one line; not what was `told` of where it stood."""
    changed = [file for file in point.trail.files if file.changed and file.changed <= since]
    latest = sorted(changed, key=lambda file: -(file.changed or 0))
    if names := list(dict.fromkeys(at_home(file.path, point) for file in latest)):
        yield Line(
            section=HAND, items=("files",), worth=FIRST / 2,
            texts=tuple(f"files changed before that: {', '.join(names[:most])}" for most in (_FILES, 2)),
        )  # fmt: skip
    values = [
        (kind, many)
        for kind, most in _KINDS.items()
        if (many := [value for value in _values(point, kind)[:most] if value not in told])
    ]
    if values:
        shown = {"command": command}
        texts = [f"{kind} {', '.join(shown.get(kind, safe)(value) for value in many)}" for kind, many in values]
        yield Line(
            section=HAND, items=tuple(f"variable:{kind}" for kind, _ in values), worth=FIRST / 2 + 1,
            texts=("; ".join(texts), "; ".join(texts[:2])),
        )  # fmt: skip


def _is_tool(value: str) -> bool:
    """Whether a command may be run again: it does something, and nothing to the history or beyond the working copy."""
    return kind_of(value) != "look" and not value.startswith("git ") and not any(attempted(value))


def _values(point: Checkpoint, kind: str) -> list[str]:
    """Values of a kind, the latest first; of commands, pull requests and issues those with which something was done:
    texts name others, too."""
    found = point.variables.get(kind, [])[::-1]
    if kind not in ("command", "pr", "issue"):
        return found
    told = (one.text for one in point.trail.results)
    ran = [*(one.command for one in point.trail.commands if kind != "command" or one.failed is not True), *told]
    if kind == "command":
        # A test that passed may not be told above.
        tested = test.command if (test := point.trail.last_test) and not test.passed else ""
        does = [value for value in found if _is_tool(value) and command(value)[-1:] != "…"]
        links = {link for value in does if " && " in value for link in value.split(" && ")}
        whole = [value for value in does if value not in links and value not in tested]
        return [value for value in whole if any(value in one for one in ran)]
    named = {match[1] for one in ran for match in _NUMBER.finditer(one[:_LINE])} if found else set()
    return [value for value in found if value.lstrip("#") in named]
