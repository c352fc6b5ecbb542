"""The pattern file keeps the promises its head makes."""

from __future__ import annotations

import pytest

from steno.redact.engine import compile_bytes
from steno.redact.rules import Rule, load_rules

RULES = load_rules()


@pytest.mark.parametrize("rule", RULES, ids=[f"{rule.name}-{number}" for number, rule in enumerate(RULES)])
def test_a_rule_is_named_explained_and_stays_inside_its_text(rule: Rule) -> None:
    assert compile_bytes(r"[a-z0-9]+(?:-[a-z0-9]+)*").fullmatch(rule.name.encode())
    assert rule.help
    assert "\n" not in rule.help
    for pattern in (rule.start, rule.pattern):
        assert "{{" not in pattern
        assert pattern.count("[^") == pattern.count("\\x00"), "a negated class must name the zero byte"


@pytest.mark.parametrize("rule", RULES, ids=[f"{rule.name}-{number}" for number, rule in enumerate(RULES)])
def test_a_dot_is_always_escaped_or_in_a_class(rule: Rule) -> None:
    for pattern in (rule.start, rule.pattern):
        outside = compile_bytes(r"\\.|\[\^?\]?[^\]]*\]")
        rest, at = b"", 0
        data = pattern.replace("\\]", "").encode()
        while found := outside.search(data, at):
            rest += data[at : found.span()[0]]
            at = found.span()[1]
        assert b"." not in rest + data[at:]
