"""Which rules an agent is given at the start of a session."""

from collections.abc import Iterable
from typing import Final

from steno.rules.score import BOOT
from steno.vocabulary import PEOPLE, Flow, Rule

MOST: Final = 20


def holds_for(one: Rule | Flow, project: str | None, agent: str | None) -> bool:
    """Whether a rule or a flow is meant for this project and agent. None: any."""
    return (project is None or one.project in (None, project)) and (agent is None or one.agent in (None, agent))


def for_boot(rules: Iterable[Rule], project: str | None, agent: str | None, most: int = MOST) -> tuple[list[Rule], int]:
    """Of the rules that hold for a project and an agent those to load, a person's only, and how many critical ones did
    not fit: these are still enforced at the gate.

    Critical ones first, then by score, by how closely they are meant for this project and agent, the latest first.
    """
    loaded = [
        rule
        for rule in rules
        if rule.origin in PEOPLE and rule.merged_into is None and rule.score >= BOOT
        and rule.status in ("critical", "active")
    ]  # fmt: skip
    loaded.sort(key=lambda rule: (_rank(rule, project, agent), rule.reinforced_at, rule.id), reverse=True)
    return loaded[:most], sum(rule.status == "critical" for rule in loaded[most:])


def _rank(rule: Rule, project: str | None, agent: str | None) -> tuple[bool, float, bool, bool]:
    fits = rule.project is not None and rule.project == project
    return rule.status == "critical", rule.score, fits, rule.agent is not None and rule.agent == agent
