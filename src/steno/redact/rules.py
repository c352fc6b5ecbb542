"""Reads the packaged patterns and joins them into what a sweep needs: one fast scan, and the closer looks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from steno.redact.engine import Pattern, Which, compile_bytes, compile_which
from steno.redact.judge import JUDGES, Judge, Value
from steno.redact.unseen import ESCAPE

# Where a word begins. Also after `_`, and after what stands for one character and ends in a letter or digit: \\n in
# JSON inside text, %3D in an address, \\u0022, and a terminal's escapes.
_STANDS_FOR_ONE = rf"(?:{ESCAPE}|_|\\[nrtbf]|%[0-9A-Fa-f]{{2}}|\\u[0-9a-fA-F]{{4}}|\\x[0-9a-fA-F]{{2}})"
_EDGE = rf"(?:\b|{_STANDS_FOR_ONE})"
# A repetition without an upper bound, of which the scan needs only the least.
_OPEN = re.compile(r"\{(\d+),\}|(?<=\])[*+]")
# A long run at the front of a token's body: the scan is sure enough after the first few characters of it, and an
# automaton that counts to a hundred for each of two hundred kinds would have too many states.
_ENOUGH = 14
_LONG = re.compile(r"^\(?(\[[^]]+\])\{(?:1[4-9]|[2-9]\d|\d{3,})(?:,\d+)?\}.*")
# What breaks a token in two: the end of a line, with what may stand before the next one.
_LINE = r"\r?\n[ \t]{0,16}(?:[>+|#-][ \t]{0,4})?"
_RUN = r"[A-Za-z0-9_+/=.~$!-]"
_BREAK = compile_bytes(_LINE)
_SECOND = re.compile(rb"[A-Za-z]+[0-9]|[0-9]+[A-Za-z]|[A-Za-z0-9_/+-]{32}")


class Rule(NamedTuple):
    # The KIND in a marker.
    name: str
    # One line for people.
    help: str
    # The few bytes by which the scan notices a candidate.
    start: str
    # The closer look, anchored where `start` began.
    pattern: str
    # Whether what stands there is a secret.
    judge: Judge
    # Whether it may need all of a long window to tell where it ends.
    far: bool = False


class Finding(NamedTuple):
    name: str
    start: int
    end: int


class Rulebook(NamedTuple):
    # Notices candidates: every repetition in it is bounded, so it never runs on after a hit.
    scan: Pattern
    # What the scan takes along before a candidate.
    edge: Pattern | None
    # Which rules a candidate may be for.
    which: Which
    rules: list[Rule]
    # Which tokens stand in a value, and their names.
    tokens: Which
    names: list[str]

    def name_of(self, rule: Rule, value: bytes) -> str:
        """`token = ghp_...` is a GitHub token, though `token =` is what was noticed."""
        if rule.judge is JUDGES["token"] or not (found := self.tokens(_joined(value))):
            return rule.name
        return self.names[found[0]]


@cache
def load_data() -> dict[str, Any]:
    """The packaged patterns as they are written down."""
    return tomllib.loads(files("steno.redact").joinpath("patterns.toml").read_text("utf-8"))


def load_rules() -> list[Rule]:
    """The packaged rules, in order: tokens before what is known only by what stands beside it."""
    data = load_data()
    return [*map(_token, data["tokens"]), *(_rule(entry, data["fragments"]) for entry in data["rule"])]


@cache
def load_rulebooks() -> tuple[Rulebook, ...]:
    """One after the other: tokens broken in two, values known by what stands beside them, tokens.

    Three automata and not one: the states of one would be the product of theirs.
    """
    rules = load_rules()
    tokens = [rule for rule in rules if rule.judge is JUDGES["token"]]
    values = [rule for rule in rules if rule.judge is not JUDGES["token"]]
    inside = compile_which([f"{_begin(rule.start)}(?:{rule.start})" for rule in tokens], at_start=False)
    names = [rule.name for rule in tokens]
    groups = (([_broken(load_data()["tokens"], tokens)], True), (values, False), (tokens, True))
    return tuple(Rulebook(*_search(group, edge=edge), inside, names) for group, edge in groups)


def _search(rules: list[Rule], *, edge: bool) -> tuple[Pattern, Pattern | None, Which, list[Rule]]:
    starts = list(dict.fromkeys(f"(?:{rule.start})" for rule in rules))
    # The edge stands once before all of them: two hundred copies of it would be two hundred times the work.
    edged = [start for start in starts if edge and _begin(start.removeprefix("(?:"))]
    free = [start for start in starts if start not in edged]
    scan = "|".join([*free, *([f"{_EDGE}(?:{'|'.join(edged)})"] if edged else [])])
    return (
        compile_bytes(scan),
        compile_bytes(_STANDS_FOR_ONE) if edge else None,
        compile_which([rule.start for rule in rules], at_start=True),
        rules,
    )


def _begin(start: str) -> str:
    """A word has an edge before it; a dollar sign is one."""
    return "" if start.startswith(r"\$") else r"\b"


def _token(entry: Mapping[str, str]) -> Rule:
    prefix, body = entry["prefix"], entry["body"]
    least = _OPEN.sub(lambda found: f"{{{found[1] or int(found[0] == '+')}}}", body)
    whole = prefix + body
    pattern = whole if "(" in whole.replace("(?:", "") else f"({whole})"
    start = prefix + (_LONG.sub(rf"\1{{{_ENOUGH}}}", least) if prefix else least)
    return Rule(entry["kind"], entry["help"], start, pattern, JUDGES["token"])


def _broken(entries: list[dict[str, str]], tokens: list[Rule]) -> Rule:
    """A token with a break in it; it is one if it is one without the break."""
    prefixes = "|".join(dict.fromkeys(entry["prefix"] for entry in entries if entry["prefix"]))
    head = "((?:" + prefixes + ")" + _RUN + "{0,120}"
    start = head + f"{_LINE}{_RUN}" + "{4})"
    pattern = head + f"{_LINE}{_RUN}+)"
    whole = compile_which([token.start for token in tokens], at_start=True)

    def judge(value: Value) -> bool:
        second = value.text[_BREAK.search(value.text)[0][1] :]  # type: ignore[index]
        return bool(_SECOND.search(second)) and bool(whole(_joined(value.text)))

    return Rule("broken-token", "a token with a line break in it", start, pattern, judge)


def _joined(text: bytes) -> bytes:
    """A text without its line breaks."""
    found = _BREAK.search(text)
    while found:
        start, end = found[0]
        text = text[:start] + text[end:]
        found = _BREAK.search(text, start)
    return text


def _rule(entry: Mapping[str, str], fragments: Mapping[str, str]) -> Rule:
    start, pattern = _fill(entry["start"], fragments), _fill(entry["pattern"], fragments)
    return Rule(entry["name"], entry["help"], start, pattern, JUDGES[entry["judge"]], bool(entry.get("far")))


def _fill(pattern: str, fragments: Mapping[str, str]) -> str:
    for name, text in fragments.items():
        pattern = pattern.replace("{{" + name + "}}", text)
    return pattern
