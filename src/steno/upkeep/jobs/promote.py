"""Learnings become rules at 5, the night after they were learnt; all rules rise, fade and merge."""

from typing import Final

from steno.home import Home
from steno.pipeline.rulebook import Rulebook
from steno.upkeep.job import Job, Moment, Report

_SHOWN: Final = 8


def _run(home: Home, moment: Moment) -> Report:
    rulebook = Rulebook(home)
    if not moment.dry:
        rulebook.settle(moment.now)
    new = [rule for rule in rulebook.all() if rule.source == "learning" and moment.since < rule.born_at <= moment.now]
    more = (f"and {len(new) - _SHOWN:,} more",) if len(new) > _SHOWN else ()
    return Report(changed=len(new), lines=(*(f"{rule.score:g} {rule.rule}" for rule in new[:_SHOWN]), *more))


JOB: Final = Job(
    name="promote",
    explain="Reads entries and what people and outcomes told about them, and folds the rules of the day: lessons of the"
    " day before become rules at 5, rules nobody stood up for fade by half a point, two that say the same become"
    " one. Writes the rules, which are derived. Nothing here makes a rule critical: only a person's words do.",
    run=_run,
)
