"""Rules as they were folded last. Derived: the whole table can be dropped at any time."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from steno.store.database import Row, Tables
from steno.vocabulary import Matcher, Rule, Trial

_FIELDS = Rule.__struct_fields__
_matcher = msgspec.json.Decoder(Matcher)
_trial = msgspec.json.Decoder(Trial)


class State(NamedTuple):
    """What tells whether rules kept in memory, or in the table, are still the right ones."""

    # How often entries and records changed.
    changes: int
    # After which change and for which day the table was folded.
    folded: str | None

    def is_folded(self, day: str) -> bool:
        """Whether the table holds the rules of a day."""
        return self.folded == f"{self.changes} {day}"

    def day(self) -> str | None:
        """The day whose rules it holds, but for what is due. None: it holds none."""
        return self.folded and self.folded.rpartition(" ")[2]


class Rules(Tables):
    """The table of rules."""

    def all(self) -> list[Rule]:
        """Every rule, also those that retired or were merged."""
        return list(map(_rule, self._database.rows("rules")))

    def listed(self, least: float, below: float | None = None) -> list[Rule]:
        """Those that speak for themselves and count at least so much, and less than so much."""
        return list(map(_rule, self._database.rows("rules_listed", {"least": least, "below": below})))

    def begins(self, id_: str) -> list[Rule]:
        """The rules whose id begins so."""
        return list(map(_rule, self._database.rows("rules_beginning", {"id": id_, "until": f"{id_}\U0010ffff"})))

    def in_force(self) -> dict[str, int]:
        """How many rules are in force for each agent; under the empty name, for every agent."""
        return {row[0]: row[1] for row in self._database.rows("count_rules_in_force")}

    def some(self, ids: Iterable[str]) -> list[Rule]:
        """The rules with these ids."""
        return list(map(_rule, self._database.rows("rules_by_id", {"ids": json.dumps(list(ids))})))

    def like(self, keys: list[int]) -> list[Rule]:
        """The rules that have one of these keys."""
        return list(map(_rule, self._database.rows("rules_by_key", {"keys": json.dumps(keys)})))

    def due(self) -> list[str]:
        """Entries that changed, or that something was told about, since the last fold."""
        return [row[0] for row in self._database.rows("rules_due")]

    def is_laid_aside(self, id_: str) -> bool:
        """Whether a person retired a rule, or lowered it, and did not bring it back since."""
        return bool(self._database.rows("rule_laid_aside", {"id": id_}))

    def only_warning(self) -> frozenset[str]:
        """Those that a person let warn and no more, and did not raise since."""
        return frozenset(row[0] for row in self._database.rows("rules_only_warning"))

    def state(self) -> State:
        """Cheap: asked before every use of rules kept in memory."""
        return State(*self._database.rows("rules_state")[0])

    def put(
        self,
        rules: Mapping[str, Rule],
        day: str,
        keys: Callable[[Rule], list[int]],
        among: Collection[str] | None = None,
        waiting: Collection[str] = (),
    ) -> None:
        """Make the table hold exactly these, inside a transaction, or these of some ids; rows that stay as they are are
        not touched. `keys` are those of which rules that may say the same have one in common; what waits is due."""
        before = {rule.id: rule for rule in (self.all() if among is None else self.some(among))}
        changed = [rule for rule in rules.values() if rule != before.get(rule.id)]
        said = [rule for rule in changed if rule.id not in before or _said(rule) != _said(before[rule.id])]
        self._database.many("drop_rule", [(id_,) for id_ in before.keys() - rules.keys()])
        self._database.many("put_rule", map(_row, changed))
        self._database.many("drop_rule_keys", [(rule.id,) for rule in said])
        self._database.many("put_rule_key", [(key, rule.id) for rule in said for key in keys(rule)])
        self._database.rows("clear_rules_due")
        self._database.many("put_rule_due", [(id_,) for id_ in waiting])
        folded = f"{self.state().changes} {day}"
        self._database.rows("set_meta", {"name": "rules_folded", "value": folded})


def _said(rule: Rule) -> tuple[object, ...]:
    """What keys are made of."""
    return rule.rule, rule.project, rule.agent, rule.origin


def _row(rule: Rule) -> Row:
    values = (getattr(rule, name) for name in _FIELDS)
    return tuple(msgspec.json.encode(v).decode() if isinstance(v, msgspec.Struct) else v for v in values)


def _rule(row: Row) -> Rule:
    (*values, matcher, mode, trial, merged_into) = row
    return Rule(
        **dict(zip(_FIELDS, values, strict=False)),
        matcher=_matcher.decode(matcher) if matcher else None,
        mode=mode,
        trial=_trial.decode(trial) if trial else None,
        merged_into=merged_into,
    )
