"""The pattern file keeps the promises its head makes."""

from __future__ import annotations

import re

import pytest

from steno.redact import Redactor
from steno.redact.engine import compile_bytes
from steno.redact.rules import Rule, load_data, load_rules
from steno.testing import made_up

RULES = load_rules()
TOKENS = load_data()["tokens"]
REDACTOR = Redactor(secret=b"a store's key")


def named(things: list[str]) -> list[str]:
    return [f"{thing}-{number}" for number, thing in enumerate(things)]


@pytest.mark.parametrize("rule", RULES, ids=named([rule.name for rule in RULES]))
def test_a_rule_is_named_explained_and_stays_inside_its_text(rule: Rule) -> None:
    assert compile_bytes(r"[a-z0-9]+(?:-[a-z0-9]+)*").fullmatch(rule.name.encode())
    assert rule.help
    assert "\n" not in rule.help
    for pattern in (rule.start, rule.pattern):
        assert "{{" not in pattern
        assert pattern.count("[^") == pattern.count("\\x00"), "a negated class must name the zero byte"


@pytest.mark.parametrize("rule", RULES, ids=named([rule.name for rule in RULES]))
def test_a_dot_is_always_escaped_or_in_a_class(rule: Rule) -> None:
    for pattern in (rule.start, rule.pattern):
        outside = compile_bytes(r"\\.|\[\^?\]?[^\]]*\]")
        rest, at = b"", 0
        data = pattern.replace("\\]", "").encode()
        while found := outside.search(data, at):
            start, end = found[0]
            rest += data[at:start]
            at = end
        assert b"." not in rest + data[at:]


@pytest.mark.parametrize("rule", RULES, ids=named([rule.name for rule in RULES]))
def test_what_the_scan_looks_for_has_no_open_end(rule: Rule) -> None:
    bare = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", rule.start)
    assert not re.search(r"[*+]|\{\d+,\}", bare), "a hostile text would be read again from every hit"


@pytest.mark.parametrize("rule", RULES, ids=named([rule.name for rule in RULES]))
def test_a_rule_points_at_its_value(rule: Rule) -> None:
    assert compile_bytes(rule.pattern).groups >= 1


@pytest.mark.parametrize("token", TOKENS, ids=named([token["kind"] for token in TOKENS]))
def test_each_kind_of_token_matches_its_examples_and_not_its_counterexamples(token: dict[str, object]) -> None:
    assert token["yes"]
    assert token["no"]
    for template in token["yes"]:  # type: ignore[attr-defined]
        text, _ = made_up(template)
        assert REDACTOR.clean([text]).counts == {token["kind"]: 1}, text
    for template in token["no"]:  # type: ignore[attr-defined]
        text, _ = made_up(template)
        assert REDACTOR.clean([text]).counts.get(str(token["kind"]), 0) == 0, text
