"""What a rule's score means, and how it moves: bands, daily decay, reinforcement. Pure functions of a rule and a time.

Decay is checked once a day, at midnight UTC. A check takes half a point from a rule nobody stood up for longer than its
band's patience. Days are counted from `reinforced_at`, and `checked_at` says which midnight took something last:
checking twice, or once for a whole week, gives the same, and a rule that loses nothing stays as it is.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from msgspec import structs

from steno.vocabulary import PEOPLE, Flow, Origin, Rule, RuleStatus

CRITICAL: Final = 9.0
BOOT: Final = 7.0
ACTIVE: Final = 5.0
DORMANT: Final = 3.0
# Below this a rule is gone from every list. It stays in the table: history.
LISTED: Final = 1.0
HIGHEST: Final = 10.0
LOWEST: Final = 0.5
STEP: Final = 0.5
# Half a point below critical: as far as anything but a person's word may rise.
BELOW_CRITICAL: Final = CRITICAL - STEP

# Rules an agent is given at the start of a session, at most.
MOST_AT_BOOT: Final = 20

# Days without anybody standing up for a rule before it begins to decay.
_PATIENCE_ON_BOOT: Final = 30
_PATIENCE: Final = 7


def status_of(score: float) -> RuleStatus:
    """The band a score lies in."""
    if score >= CRITICAL:
        return "critical"
    if score >= ACTIVE:
        return "active"
    return "dormant" if score >= DORMANT else "retired"


def most(origin: Origin) -> float:
    """The highest score words of this origin may have."""
    return HIGHEST if origin in PEOPLE else BELOW_CRITICAL


def scored(rule: Rule, score: float) -> Rule:
    """The rule with another score, within its bounds, and the status that goes with it."""
    score = max(LOWEST, min(score, most(rule.origin)))
    return structs.replace(rule, score=score, status=status_of(score))


def aged(rule: Rule, now: str) -> Rule:
    """The rule after every daily check up to now. `aged(aged(r, t1), t2) == aged(r, t2)` for t1 before t2."""
    score, reinforced = rule.score, _day(rule.reinforced_at)
    day, today = _day(rule.checked_at) - reinforced + 1, _day(now) - reinforced
    # The check that falls on the last day of patience comes too early, unless it all began at midnight.
    begun = rule.reinforced_at > midnight(rule.reinforced_at)
    while fades(score) and rule.merged_into is None:
        day = max(day, (_PATIENCE_ON_BOOT if score >= BOOT else _PATIENCE) + begun)
        if day > today:
            break
        score -= STEP
        day += 1
    if score == rule.score:
        return rule
    return structs.replace(scored(rule, score), checked_at=midnight(str(date.fromordinal(reinforced + day - 1))))


def fades(score: float) -> bool:
    """Whether time alone takes something from it."""
    return LOWEST < score < CRITICAL


def reinforced(rule: Rule, at: str) -> Rule:
    """Somebody stood up for it, or it was said again. What had retired comes back as a new lesson would."""
    rule = aged(rule, at)
    higher = scored(rule, max(rule.score + STEP, ACTIVE if rule.status == "retired" else 0))
    return structs.replace(_touched(higher, at), reinforcements=rule.reinforcements + 1)


def violated(rule: Rule, at: str) -> Rule:
    """It was broken: it is needed, and weighs more from now on."""
    return structs.replace(reinforced(rule, at), violations=rule.violations + 1, reinforcements=rule.reinforcements)


def moved(rule: Rule, score: float, at: str) -> Rule:
    """A person says what it is worth. Decay counts from their word."""
    return _touched(scored(aged(rule, at), score), at)


def _touched(rule: Rule, at: str) -> Rule:
    return structs.replace(rule, reinforced_at=at, checked_at=max(at, rule.checked_at))


def midnight(now: str) -> str:
    """The midnight a day began with."""
    return f"{now[:10]}T00:00:00.000Z"


def next_midnight(now: str) -> str:
    """The first midnight after a moment."""
    return f"{date.fromisoformat(now[:10]) + timedelta(days=1)}T00:00:00.000Z"


@lru_cache(maxsize=1024)
def _number(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def _day(moment: str) -> int:
    return _number(moment[:10])


def holds_for(one: Rule | Flow, project: str | None, agent: str | None) -> bool:
    """Whether a rule or a flow is meant for this project and agent. None: any."""
    return (project is None or one.project in (None, project)) and (agent is None or one.agent in (None, agent))


def for_boot(
    rules: Iterable[Rule], project: str | None, agent: str | None, most: int = MOST_AT_BOOT
) -> tuple[list[Rule], int]:
    """Of the rules that hold for a project and an agent those to load, a person's only, and how many critical ones did
    not fit: these are still enforced at the gate. Refusals are a list of their own.

    Critical ones first, then by score, by how closely they are meant for this project and agent, the latest first.
    """
    loaded = [
        rule
        for rule in rules
        if rule.origin in PEOPLE and rule.source != "rejected" and rule.merged_into is None and rule.score >= BOOT
        and rule.status in ("critical", "active")
    ]  # fmt: skip
    loaded.sort(key=lambda rule: (_rank(rule, project, agent), rule.reinforced_at, rule.id), reverse=True)
    return loaded[:most], sum(rule.status == "critical" for rule in loaded[most:])


def _rank(rule: Rule, project: str | None, agent: str | None) -> tuple[bool, float, bool, bool]:
    fits = rule.project is not None and rule.project == project
    return rule.status == "critical", rule.score, fits, rule.agent is not None and rule.agent == agent
