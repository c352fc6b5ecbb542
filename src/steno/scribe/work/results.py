"""What commands achieved beyond the working copy: commits, tags, pushes, pull requests, replies, releases, deployments.

Only what was seen: a result that went through says so in its output or by its exit status, one that did not by failing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from steno.scribe.work.forge import LINK
from steno.scribe.work.message import short
from steno.scribe.work.shell import TOLD, Step, Went, begins, steps
from steno.vocabulary import ResultKind, TrailResult

# Looked for in this order.
_KINDS: Final[Mapping[ResultKind, re.Pattern[str]]] = {
    kind: begins(told, "{{prefix}}") for kind, told in TOLD["results"].items()
}
_ONLY_LOOKS: Final = re.compile(r"--dry-run\b|--help\b|(?:^|\s)-n(?:\s|$)")
_COMMITTED: Final = re.compile(r"^\[[^\]\n]{1,250} ([0-9a-f]{7,40})\] ([^\n]{1,300})", re.MULTILINE)
_PUSHED: Final = re.compile(
    r"^[ \t]{0,8}[*+ ]?[ \t]{0,8}(?:\[new (?:branch|tag)\]|[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40})\s{1,20}"
    r"(\S{1,200} {1,20}-> {1,20}\S{1,200})",
    re.MULTILINE,
)
_REFUSED: Final = re.compile(r"^(?:\s*! \[|error:|fatal:)|Everything up-to-date|^Already up.to.date", re.MULTILINE)
_RELEASE: Final = re.compile(r"https?://[^\s\"'<>]{1,200}/releases/tag/[^\s\"'<>]{1,60}")
_NAME: Final = re.compile(r"^[0-9a-f]{7,40}(?: |$)")
_SHOWN: Final = 160


@lru_cache(maxsize=512)
def outward(tool: str) -> ResultKind | None:
    """What a tool of a server achieves beyond the working copy, by its name."""
    _, found, name = tool.lower().replace("-", "_").rpartition("__")
    if not found:
        return None
    shapes = ((kind, rf"(?:^|_)(?:{does})_(?:\w+_)?(?:{what})") for kind, (does, what) in TOLD["tools"].items())
    return next((kind for kind, shape in shapes if re.search(shape, name)), None)


def by_tool(told: Sequence[str], outcome: Went, printed: str, turn: int) -> TrailResult | None:
    """What a call of such a tool achieved; None: it cannot be told whether it did."""
    kind, about = told
    if not kind or (outcome.failed is None and not printed.strip()):
        return None
    link = LINK.search(printed) if kind == "pr" and not outcome.failed else None
    text = link[0] if link else about
    return TrailResult(kind=msgspec.convert(kind, ResultKind), text=text, failed=bool(outcome.failed), turn=turn)


def attempted(command: str) -> Iterator[tuple[ResultKind, Step]]:
    """The steps of a command that achieve something."""
    for step in steps(command)[:20]:
        text = step.text.removeprefix("rtk ")
        kind = next((kind for kind, pattern in _KINDS.items() if pattern.match(text[:300])), None)
        asks = kind == "reply" and "graphql" in text and "mutation" not in command
        if kind and not asks and not _ONLY_LOOKS.search(text):
            yield kind, step


def results(command: str, outcome: Went, printed: str, turn: int) -> list[TrailResult]:
    """What a command that has ended achieved, in order."""
    found = list(attempted(command))
    return [
        TrailResult(kind=kind, text=short(text, _SHOWN), failed=failed, turn=turn)
        for place, (kind, step) in enumerate(found)
        for text, failed in _went(kind, step, outcome, printed, is_last=place == len(found) - 1)
    ]


def _went(kind: ResultKind, step: Step, outcome: Went, printed: str, *, is_last: bool) -> Iterator[tuple[str, bool]]:
    seen = list(_seen(kind, printed))
    refused = kind in ("push", "merge") and _REFUSED.search(printed) is not None
    if seen and not refused:
        yield from ((text, False) for text in seen)
    elif outcome.failed is False and not refused:
        yield step.subject or step.text, False
    elif outcome.failed and is_last:
        yield step.subject or step.text, True


def _seen(kind: ResultKind, printed: str) -> Iterator[str]:
    """What the output proves."""
    if kind == "commit":
        yield from (f"{commit} {subject}" for commit, subject in _COMMITTED.findall(printed))
    elif kind == "push" and (pushed := _PUSHED.search(printed)):
        here, _, there = pushed[1].split()
        yield here if here == there else f"{here} -> {there}"
    elif kind in ("pr", "release") and (found := (LINK if kind == "pr" else _RELEASE).search(printed)):
        yield found[0]


def with_results(known: Sequence[TrailResult], new: Sequence[TrailResult], command: str) -> list[TrailResult]:
    """What was achieved so far, and now. An amended commit takes the place of the one before."""
    verbs = {step.verb for step in steps(command) if step.program in ("git", "gt")}
    kept = list(known)
    if "commit" in verbs and "--amend" in command and any(one.kind == "commit" and not one.failed for one in new):
        last = next((one for one in reversed(kept) if one.kind == "commit" and not one.failed), None)
        kept = [one for one in kept if one is not last]
        if last:
            # The subject stays unless the command gives another one.
            before = _NAME.sub("", last.text)
            new = [replace(one, text=before) if one.text.startswith("git commit") else one for one in new]
    return [*kept, *new]
