"""Reads the packaged patterns and joins them into the three searches of a sweep."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import NamedTuple

from steno.redact.engine import Match, Pattern, compile_bytes
from steno.redact.judge import JUDGES, Judge
from steno.redact.marker import SHAPE

# In JSON inside text a line break is the two characters \\n: "\\nsk-" begins a word too.
_EDGE = r"(?:\b|\\[nrt])"


class Rule(NamedTuple):
    # The KIND in a marker.
    name: str
    # One line for people.
    help: str
    # The few bytes by which the scan notices a candidate.
    start: str
    # The closer look, anchored where `start` began.
    pattern: str
    # None: the shape alone proves it.
    judge: Judge | None


class Finding(NamedTuple):
    rule: Rule
    start: int
    end: int


class Joined:
    """Many rules as one alternation, which still knows which rule it was."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        parts: list[str] = []
        self._owners: list[Rule] = []
        for rule in rules:
            groups = compile_bytes(rule.pattern).groups
            parts.append(f"(?:{rule.pattern})" if groups else f"({rule.pattern})")
            self._owners += [rule] * max(1, groups)
        self._pattern: Pattern = compile_bytes("|".join(parts))

    def at(self, text: bytes, start: int, end: int) -> Finding | None:
        """The finding that begins exactly at `start`."""
        return self._finding(self._pattern.match(text, start, end))

    def within(self, text: bytes, start: int, end: int) -> Finding | None:
        """The first finding that lies between `start` and `end`."""
        return self._finding(self._pattern.search(text, start, end))

    def _finding(self, match: Match | None) -> Finding | None:
        if match is None or match.lastindex is None:
            return None
        start, end = match.span(match.lastindex)
        return Finding(self._owners[match.lastindex - 1], start, end)


class Rulebook(NamedTuple):
    # Notices candidates: short starts only, so it stays small and in the processor's cache.
    scan: Pattern
    # The rules whose shape alone proves a secret.
    tokens: Joined
    # The rules that go by what stands beside a value, and whose judge decides.
    values: Joined


def load_rules() -> list[Rule]:
    """The packaged rules, in order."""
    data = tomllib.loads(files("steno.redact").joinpath("patterns.toml").read_text("utf-8"))
    return [_rule(entry, data["fragments"]) for entry in data["rule"]]


def load_rulebook() -> Rulebook:
    rules = load_rules()
    # Markers are noticed first and passed over whole: "token:0123abcd" inside one
    # would otherwise read as an assignment.
    starts = [SHAPE, *dict.fromkeys(rule.start for rule in rules)]
    return Rulebook(
        scan=compile_bytes("|".join(f"(?:{start})" for start in starts)),
        tokens=Joined(rule for rule in rules if rule.judge is None),
        values=Joined(rule for rule in rules if rule.judge is not None),
    )


def _rule(entry: Mapping[str, str], fragments: Mapping[str, str]) -> Rule:
    start = _fill(entry["start"], fragments)
    pattern = _fill(entry["pattern"], fragments)
    if entry.get("edge"):
        start = f"{_EDGE}(?:{start})"
        pattern = f"{_EDGE}(?:{pattern})" if compile_bytes(pattern).groups else f"{_EDGE}({pattern})"
    judge = JUDGES[entry["judge"]] if "judge" in entry else None
    return Rule(entry["name"], entry["help"], start, pattern, judge)


def _fill(pattern: str, fragments: Mapping[str, str]) -> str:
    for name, text in fragments.items():
        pattern = pattern.replace("{{" + name + "}}", text)
    return pattern
