"""Two rules that say the same become one: finding the twin, and what each of the two is afterwards."""

from collections.abc import Callable, Iterable

from msgspec import structs

from steno.language.alike import near, nearly_same, same, spoken
from steno.language.words import key
from steno.rules.score import aged, reinforced, scored
from steno.vocabulary import PEOPLE, Rule


class Pool:
    """Rules by their keys, so that finding a twin does not grow with their number."""

    def __init__(self) -> None:
        self._holding: dict[int, dict[str, int]] = {}
        # In which order they came.
        self._places: dict[str, int] = {}

    def add(self, rule: Rule) -> None:
        """One more to be found; or one again that was dropped."""
        place = self._places.setdefault(rule.id, len(self._places))
        for one in keys(rule):
            self._holding.setdefault(one, {})[rule.id] = place

    def drop(self, rule: Rule) -> None:
        """It need not be found any more."""
        for one in keys(rule):
            self._holding.get(one, {}).pop(rule.id, None)

    def place(self, id_: str) -> int:
        """When it came, before or after others."""
        return self._places[id_]

    def like(self, rule: Rule) -> list[str]:
        """Ids of rules of the same project and agent that may be its twin, the oldest first."""
        found = {id_: place for one in keys(rule) for id_, place in self._holding.get(one, {}).items()}
        return sorted(found, key=found.__getitem__)


def keys(rule: Rule) -> list[int]:
    """Numbers of which twins have one in common: of the words, and of an agent's lesson what nearly the same share."""
    found = [("said", spoken(rule.rule)), *(near(rule.rule) if rule.origin not in PEOPLE else ())]
    return [key(rule.project, rule.agent, rule.source == "rejected", *parts) for parts in found]


def kin(rules: Iterable[Rule], like: Callable[[Rule], Iterable[Rule]]) -> set[str]:
    """Ids of these rules, their twins, the twins of those, and so on. What is not among them goes its own way."""
    found, todo = set[str](), list(rules)
    while todo:
        rule = todo.pop()
        found.add(rule.id)
        todo += [other for other in like(rule) if other.id not in found and are_twins(rule, other)]
    return found


def are_twins(one: Rule, other: Rule) -> bool:
    """Whether two rules say the same. A person's words are not given up for nearly the same ones, and a refusal never
    for a rule."""
    if (one.source == "rejected") != (other.source == "rejected"):
        return False
    return (same if PEOPLE & {one.origin, other.origin} else nearly_same)(one.rule, other.rule)


def merged(older: Rule, newer: Rule, at: str) -> tuple[Rule, Rule]:
    """Which of two twins lives on, half a point higher, and the other, which points at it.

    A person's words before an agent's, then the higher score, then the older one.
    """
    older, newer = aged(older, at), aged(newer, at)
    kept, lost = (newer, older) if _rank(newer) > _rank(older) else (older, newer)
    highest = max(older.score, newer.score)
    kept = reinforced(scored(kept, highest), at)
    if kept.matcher is None:
        kept = structs.replace(kept, matcher=lost.matcher, mode=lost.mode, trial=lost.trial)
    kept = structs.replace(kept, violations=older.violations + newer.violations)
    return kept, pointing(lost, kept.id)


def pointing(rule: Rule, to: str) -> Rule:
    """A rule that is in force no more, because another says the same."""
    return structs.replace(rule, status="retired", merged_into=to)


def _rank(rule: Rule) -> tuple[bool, float]:
    return rule.origin in PEOPLE, rule.score
