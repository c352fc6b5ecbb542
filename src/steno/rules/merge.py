"""Two rules that say the same become one: by what they find each other, and what each of the two is afterwards."""

from msgspec import structs

from steno.language.alike import near, nearly_same, same, spoken
from steno.language.words import key
from steno.rules.score import aged, reinforced, scored
from steno.vocabulary import PEOPLE, Rule


def keys(rule: Rule) -> list[int]:
    """Numbers of which twins have one in common: of the words, and of an agent's lesson what nearly the same share."""
    found = [("said", spoken(rule.rule)), *(near(rule.rule) if rule.origin not in PEOPLE else ())]
    return [key(rule.project, rule.agent, rule.source == "rejected", *parts) for parts in found]


def are_twins(one: Rule, other: Rule) -> bool:
    """Whether two rules say the same. A person's words are not given up for nearly the same ones, and a refusal never
    for a rule."""
    if (one.source == "rejected") != (other.source == "rejected"):
        return False
    return (same if PEOPLE & {one.origin, other.origin} else nearly_same)(one.rule, other.rule)


def merged(older: Rule, newer: Rule, at: str) -> tuple[Rule, Rule]:
    """Which of two twins lives on, half a point higher, and the other.

    A person's words before an agent's, then the higher score, then the older one.
    """
    lost, kept = sorted((aged(newer, at), aged(older, at)), key=lambda rule: (rule.origin in PEOPLE, rule.score))
    violations = kept.violations + lost.violations
    kept = structs.replace(reinforced(scored(kept, max(kept.score, lost.score)), at), violations=violations)
    if kept.matcher is None:
        kept = structs.replace(kept, matcher=lost.matcher, mode=lost.mode, trial=lost.trial)
    return kept, lost
