"""Test runs: how the last one went, in its own counts."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from steno.scribe.work.shell import Kind, Step, Went, kind_of_piece, steps
from steno.vocabulary import TrailTest

_READ: Final = 12_000
_LINE: Final = 300
_TOLD: Final = tomllib.loads(Path(__file__).with_name("tests.toml").read_text("utf-8"))
# How each program counts: the groups of a pattern are what it counts.
SUMMARIES: Final = {name: re.compile(told["line"], re.MULTILINE) for name, told in _TOLD["summaries"].items()}
_ADDS: Final = frozenset(name for name, told in _TOLD["summaries"].items() if told.get("adds"))
_NOT_PASSED: Final = ("failed", "errors", "skipped", "pending", "ignored")
_RED, _GREEN = (re.compile(_TOLD["words"][name], re.MULTILINE) for name in ("red", "green"))
_PREPARES: Final = frozenset("cd export source . set mkdir echo sleep".split())
_NO_RUN: Final = re.compile(r"--(?:version|help|collect-only|listTests|list|dry-run=?|no-run)\b|\s-(?:V|h)(?:\s|$)")


def tested(command: str, outcome: Went, text: str, turn: int, ended: int) -> TrailTest | None:
    """What a command that has ended says of a test run, or else of a check; None: it ran neither."""
    run = steps(command)
    kinds: list[Kind] = [kind_of_piece(step.text) for step in run]
    kind: Kind = "test" if "test" in kinds else "check"
    at = max((at for at, one in enumerate(kinds) if one == kind and not _NO_RUN.search(run[at].text)), default=None)
    if at is None:
        return None
    lines, counts = counted(text) if kind == "test" else ([], {})
    whole = next((counts[name] for name in ("run", "total", "examples") if name in counts), None)
    if whole is not None and "passed" not in counts:
        counts["passed"] = whole - sum(number for name, number in counts.items() if name in _NOT_PASSED)
    bad = any(counts.get(name) for name in ("failed", "errors"))
    direct = _direct(run, at)
    if counts:
        passed: bool | None = not bad and not (direct and outcome.failed and at == len(run) - 1)
    else:
        if outcome.failed and any(one.sign == "&&" and one.program not in _PREPARES for one in run[:at]):
            # What stands before it may have failed; then it never ran.
            return None
        red, green = (_last(pattern, text) for pattern in (_RED, _GREEN))
        lines = [line for line in (red or green,) if line]
        passed = False if red else True if green else None
        if direct and outcome.failed is not None and not (red and outcome.failed is False):
            passed = not outcome.failed
    said = "\n".join(lines)[-_LINE:] or next((line for line in reversed(text.split("\n")) if line.strip()), "")[:_LINE]
    return TrailTest(
        command=command, kind="test" if kind == "test" else "check", passed=passed, result=said.strip(), counts=counts,
        turn=turn, ended=ended,
    )  # fmt: skip


def counted(text: str) -> tuple[list[str], dict[str, int]]:
    """The lines by which a program sums a run up, and what they count. Of several runs in a row the last, or all that
    one program sums up one by one."""
    text = text if len(text) <= _READ * 2 else f"{text[:_READ]}\n{text[-_READ:]}"
    best: tuple[int, list[str], dict[str, int]] = (-1, [], {})
    for name, pattern in SUMMARIES.items():
        found = list(pattern.finditer(text))
        if not found or found[-1].end() <= best[0]:
            continue
        counts: dict[str, int] = {}
        for one in found if name in _ADDS else found[-1:]:
            for what, number in one.groupdict().items():
                if number is not None:
                    counts[what.rstrip("_")] = counts.get(what.rstrip("_"), 0) + int(number)
        best = (found[-1].end(), [one[0].strip(" =\t\n") for one in found[-3:]], counts)
    return best[1], best[2]


def _direct(run: Sequence[Step], at: int) -> bool:
    """Whether the exit status of the whole is that of a step, or says that it went well."""
    return all(step.sign in ("&&", "") for step in run[at:])


def _last(pattern: re.Pattern[str], text: str) -> str:
    lines = [line.strip() for line in text[-_READ:].split("\n") if pattern.search(line[:500])]
    return lines[-1] if lines else ""
