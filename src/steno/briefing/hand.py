"""What is at hand: files in work, branch, numbers, commands."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from steno.briefing.budget import Line
from steno.briefing.render import safe
from steno.briefing.state import FIRST, at_home, last_commit, tool
from steno.scribe.work.results import attempted
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint, TrailFile

HAND: Final = "at hand"
# A pull request or an issue, as a command or a link names it.
_NUMBER: Final = re.compile(
    r"(?:\b(?:pr|mr|issue) \w+ |/(?:pull|pulls|merge_requests|issues)/)#?([A-Z]{0,10}-?\d{1,6})\b"
)
_LINE: Final = 400
_AGAIN: Final = ("test", "check", "other")
_AND: Final = " && "
# What a command needs before it.
_BEFORE: Final = re.compile(r"^(?:(?:source|export) \S+ (?:&&|;) |\w+=\S+ )+")
_BEYOND: Final = re.compile(r"\b(?:git|gh|gt|glab|curl|rm|sleep|kill|echo)\b|<<")
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
    if latest:
        listed = tuple(_files(point, latest[:most]) for most in (_FILES, 2))
        yield Line(section=HAND, items=("files",), worth=FIRST / 2, texts=listed)
    values = [
        (kind, many)
        for kind, most in _KINDS.items()
        if (many := [value for value in _values(point, kind)[:most] if value not in told])
    ]
    if values:
        texts = [f"{kind} {', '.join(safe(value) for value in many)}" for kind, many in values]
        yield Line(
            section=HAND, items=tuple(f"variable:{kind}" for kind, _ in values), worth=FIRST / 2 + 1,
            texts=("; ".join(texts), "; ".join(texts[:2])),
        )  # fmt: skip


def _files(point: Checkpoint, latest: Sequence[TrailFile]) -> str:
    """Files changed earlier, first those of which no commit was seen since. Whether the others are in one is not
    known."""
    kept = last_commit(point)
    loose, others = ([one for one in latest if ((one.changed or 0) > kept) is is_loose] for is_loose in (True, False))
    return "; ".join(
        f"{lead}: {', '.join(dict.fromkeys(at_home(file.path, point) for file in files))}"
        for lead, files in (("changed before that, no commit seen", loose), ("files changed before that", others))
        if files
    )


def _values(point: Checkpoint, kind: str) -> list[str]:
    """Values of a kind, the latest first; of pull requests and issues those with which something was done: texts name
    others, too."""
    if kind == "command":
        return _commands(point)
    found = point.variables.get(kind, [])
    if kind not in ("pr", "issue"):
        return found[::-1]
    ran = [*(one.command for one in point.trail.commands), *(one.text for one in point.trail.results)]
    named = {match[1] for one in ran for match in _NUMBER.finditer(one[:_LINE])} if found else set()
    return [value for value in found[::-1] if value.lstrip("#") in named]


def _commands(point: Checkpoint) -> list[str]:
    """The test, the check and what else was run more than once and went through, each as it was run last, with what it
    needs before it. A test that failed last is told above."""
    last = point.trail.last_test
    tested = last.command if last and not last.passed else ""
    ran: dict[str, Counter[str]] = {kind: Counter() for kind in _AGAIN}
    latest: dict[str, str] = {}
    for one in reversed(point.trail.commands):
        kind, line = kind_of(one.command), tool(one.command)
        if one.failed is not True and not one.held and one.command != tested and kind in _AGAIN and _is_tool(line):
            bare = _BEFORE.sub("", line)
            ran[kind][bare] += 1
            latest.setdefault(bare, line)
    links = {link for bare in latest if _AND in bare for link in bare.split(_AND)}
    # Of what was run as often as something else, the shorter: a whole suite rather than one test of it.
    test, check, other = (
        sorted((bare for bare in some if bare not in links), key=lambda bare: (-some[bare], len(bare)))
        for some in ran.values()
    )
    return [latest[bare] for bare in (*test[:1], *check[:1], *(bare for bare in other if ran["other"][bare] > 1))]


def _is_tool(line: str) -> bool:
    """Whether a command may be run again: told whole, and nothing to the history or beyond the working copy."""
    return line[-1:] != "…" and not _BEYOND.search(line) and not any(attempted(line))
