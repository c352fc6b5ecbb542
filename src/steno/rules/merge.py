"""Two rules that say the same become one: finding the twin, and what each of the two is afterwards."""

from collections.abc import Iterator
from math import ceil

from msgspec import structs

from steno.rules.same import gist, same
from steno.rules.score import aged, reinforced, scored
from steno.vocabulary import PEOPLE, Rule

# Share of their words twins have in common at least: one may have one word more than four.
_IN_COMMON = 0.8


class Pool:
    """Rules by the words they hold, so that finding a twin does not grow with their number."""

    def __init__(self) -> None:
        self._holding: dict[tuple[str | None, str | None, str], list[str]] = {}

    def add(self, rule: Rule) -> None:
        """One more to be found."""
        for key in _keys(rule):
            self._holding.setdefault(key, []).append(rule.id)

    def like(self, rule: Rule) -> Iterator[str]:
        """Ids of rules of the same project and agent that may be its twin, the oldest first.

        A twin lacks at most a few of its words; so it holds one of the rarest, if these are more than those few.
        """
        keys = sorted(_keys(rule), key=lambda key: len(self._holding.get(key, ())))
        rarest = keys[: len(keys) - ceil(_IN_COMMON * len(keys)) + 1]
        return iter(dict.fromkeys(id_ for key in rarest for id_ in self._holding.get(key, ())))


def are_twins(one: Rule, other: Rule) -> bool:
    """Whether two rules say the same. A person's words are not given up for nearly the same ones."""
    return same(one.rule, other.rule, word_by_word=one.origin in PEOPLE or other.origin in PEOPLE)


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


def _keys(rule: Rule) -> list[tuple[str | None, str | None, str]]:
    words = gist(rule.rule)
    return [(rule.project, rule.agent, word) for word in words.words or words.every]
