"""All rules, made from entries and from what people and outcomes told us, in order of time. A pure function: the same
entries and records give the same rules, after a rebuild and in another store."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial

import msgspec
from msgspec import Struct, structs

from steno.rules import score
from steno.rules.birth import PREFERENCE, Record, born, ends_of, enters_at, holds
from steno.rules.merge import are_twins, keys, merged
from steno.rules.stance import lasts
from steno.vocabulary import PEOPLE, Entry, Matcher, Mode, Rule, Trial

# Of what happens at one moment births come first and ends last.
_BIRTH, _ACT, _END = range(3)
# What a rule hands on to another that says the same.
_CARRIED = ("reinforced_at", "checked_at", "reinforcements", "violations", "matcher", "mode", "trial")

_Step = tuple[str, int, Callable[[], None]]


class Act(Struct):
    """What a record may say about rules."""

    do: str = ""
    preference: bool = False
    domain: str | None = None
    matcher: Matcher | None = None
    mode: Mode | None = None
    trial: Trial | None = None
    # Of what was told: whose words it holds; none is said where they are a person's.
    origin: str = "edit"
    # Of an outcome: ids of rules, and of the lesson it taught once more.
    reinforced: list[str] = []
    violated: list[str] = []
    repeats: str | None = None


def fold(entries: Iterable[Entry], records: Iterable[Record], now: str) -> dict[str, Rule]:
    """Every rule as of now, by its id; also those that retired, were merged, or are gone from the lists."""
    return Folding(entries, records, now).run()


class Folding:
    """One fold."""

    def __init__(self, entries: Iterable[Entry], records: Iterable[Record], now: str) -> None:
        self._entries = {entry.id: entry for entry in entries}
        self._records = list(records)
        self._now = now
        # Ids of what is another rule later for more than its age: a lesson before its night, what has no time or one
        # that is yet to come. All others go on from what they are.
        self.waiting: set[str] = set()
        # When a person ended entries that hold no more.
        self._ends = ends_of(self._entries, self._records)
        self._rules: dict[str, Rule] = {}
        # Meant to last, by their words or because a person raised them.
        self._lasting = {id_ for id_, entry in self._entries.items() if entry.category == "learning" or lasts(entry)}
        # Retired by a person, or with their entry: no outcome brings them back.
        self._closed: set[str] = set()
        # Rules by what twins have in common, and merged ones by the one that says it now.
        self._like: defaultdict[int, set[str]] = defaultdict(set)
        self._behind: dict[str, set[str]] = {}

    def run(self) -> dict[str, Rule]:
        for *_, step in sorted(self._steps(), key=lambda step: step[:2]):
            step()
        self.waiting |= {id_ for id_, rule in self._rules.items() if rule.checked_at >= self._now}
        return {id_: score.aged(rule, self._now) for id_, rule in self._rules.items()}

    def _steps(self) -> Iterator[_Step]:
        """Everything that happened up to now, not yet in order."""
        for entry in self._entries.values():
            rule = born(entry, self._now)
            if rule is None:
                continue
            if not entry.created_at or rule.born_at >= self._now:
                self.waiting.add(rule.id)
            end = self._now if holds(entry) else _moment(self._ends.get(entry.id, self._now), self._now)
            if rule.born_at > end:
                continue
            yield rule.born_at if entry.created_at else "", _BIRTH, partial(self._bear, rule)
            if entry.repeated_at and entry.repeated_at > rule.born_at:
                at = _moment(entry.repeated_at, self._now)
                yield at, _ACT, partial(self._said_again, rule.id, entry.origin, at)
            if not holds(entry):
                yield end, _END, partial(self._end, rule.id, end)
        for at, act, id_, value in self._records:
            if act in ("rule", "outcome", "remember", "revise", "review"):
                at = _moment(at, self._now)
                if at >= self._now:
                    self.waiting.add(id_)
                yield at, _ACT, partial(self._told, at, act, id_, value)

    # -- births and ends ---------------------------------------------------------------------------------------------

    def _bear(self, rule: Rule) -> None:
        twin = self._twin(rule)
        self._rules[rule.id] = rule
        for key in keys(rule):
            self._like[key].add(rule.id)
        if twin is not None:
            kept, lost = merged(twin, rule, rule.born_at)
            self._rules[kept.id] = kept
            self._point({lost.id, *self._behind.pop(lost.id, ())}, kept.id)
            rule = kept
        self._bound(rule.id)

    def _bound(self, id_: str) -> None:
        """An instruction for now, by whatever it was strengthened, is not critical."""
        rule = self._rules[id_]
        if rule.source == "rule" and self._lasting.isdisjoint({id_, *self._behind.get(id_, ())}):
            self._rules[id_] = score.scored(rule, min(rule.score, score.BELOW_CRITICAL))

    def _twin(self, rule: Rule) -> Rule | None:
        """The oldest rule that says the same and is still in a list."""
        near = {id_ for key in keys(rule) for id_ in self._like[key]} - self._closed
        for found in sorted((self._rules[id_] for id_ in near), key=lambda found: (found.born_at, found.id)):
            if found.merged_into is None and are_twins(found, rule):
                found = score.aged(found, rule.born_at)
                if found.score >= score.LISTED:
                    return found
        return None

    def _point(self, ids: Iterable[str], to: str) -> None:
        """These are in force no more, because another says the same."""
        for id_ in ids:
            self._behind.setdefault(to, set()).add(id_)
            self._rules[id_] = structs.replace(self._rules[id_], status="retired", merged_into=to)

    def _end(self, id_: str, at: str) -> None:
        """The entry holds no more. Another that said the same, and still holds, carries the rule on.

        What is critical ends by a person's word only; a refusal for a piece of work ends with that.
        """
        rule = self._rules[id_]
        if rule.status == "critical" and id_ in self._lasting and id_ not in self._ends:
            return
        if id_ not in self._closed:
            self._inherit(rule, at)
        # Where nobody knows when it ended, it ended with the last that was heard of it.
        self._close(id_, at if id_ in self._ends else rule.reinforced_at)

    def _inherit(self, rule: Rule, at: str) -> None:
        """A person's words before an agent's, then the higher score, then the older one."""
        heirs = [self._rules[id_] for id_ in self._behind.get(rule.id, set()) - self._closed]
        if not heirs:
            return
        heir = min(heirs, key=lambda heir: (heir.origin not in PEOPLE, -heir.score, heir.born_at, heir.id))
        self._point(self._behind.pop(rule.id) - {heir.id}, heir.id)
        rule, heir = score.aged(rule, at), structs.replace(heir, merged_into=None)
        if rule.origin in PEOPLE and heir.origin not in PEOPLE:
            # An agent's lesson goes on as what it was; the person's weight and matcher were not its own.
            self._rules[heir.id] = score.scored(heir, heir.score)
            return
        carried = {name: getattr(rule, name) for name in _CARRIED}
        self._rules[heir.id] = score.scored(structs.replace(heir, **carried), rule.score)
        self._bound(heir.id)

    def _close(self, id_: str, at: str) -> None:
        self._closed.add(id_)
        rule = score.aged(self._rules[id_], at)
        if rule.merged_into is None:
            self._rules[id_] = score.scored(structs.replace(rule, checked_at=max(at, rule.checked_at)), score.LISTED)

    # -- what people and outcomes told us ----------------------------------------------------------------------------

    def _told(self, at: str, act: str, id_: str, value: str) -> None:
        """Apply a record. One that cannot be read is passed over: an import may bring anything."""
        try:
            told = msgspec.json.decode(value, type=Act)
        except msgspec.MsgspecError:
            return
        match act:
            case "rule":
                self._do(id_, told, at)
            case "outcome":
                for did, ids in (("reinforced", told.reinforced), ("violated", told.violated)):
                    for kept in dict.fromkeys(map(self._kept, ids)):
                        self._do(kept, Act(do=did), at)
                self._do(told.repeats or "", Act(do="repeated"), at)
            case _:
                self._said_again(id_, told.origin if act == "remember" else "edit", at)

    def _kept(self, id_: str) -> str:
        """The id of the rule that says it now."""
        while (rule := self._rules.get(id_)) is not None and rule.merged_into is not None:
            id_ = rule.merged_into
        return id_

    def _do(self, id_: str, act: Act, at: str) -> None:
        id_ = self._kept(id_)
        if id_ not in self._rules:
            return
        if act.do == "retire":
            self._close(id_, at)
        elif act.do in ("raise", "revive") or id_ not in self._closed:
            self._closed.discard(id_)
            self._rules[id_] = done(score.aged(self._rules[id_], at), act, at)
            if act.do == "raise":
                self._lasting.add(id_)
            self._bound(id_)

    def _said_again(self, id_: str, origin: str, at: str) -> None:
        """It was told or corrected once more. From a person it counts as on its first day, or as it does, if that is
        more; they also bring back what was laid aside."""
        entry, rule = self._entries.get(id_), self._rules.get(id_)
        if origin not in PEOPLE:
            self._do(id_, Act(do="repeated"), at)
        elif entry is not None and rule is not None and at > rule.born_at and holds(entry):
            kept = score.aged(self._rules[self._kept(id_)], at)
            self._closed -= {id_, kept.id}
            self._rules[kept.id] = score.moved(kept, max(kept.score, enters_at(entry) or 0), at)
            self._bound(kept.id)


def done(rule: Rule, act: Act, at: str) -> Rule:
    """A rule after one act on it."""
    match act.do:
        case "add":
            rule = structs.replace(rule, domain=act.domain or rule.domain)
            return score.scored(rule, PREFERENCE) if act.preference else rule
        case "raise" if rule.status != "retired":
            return score.moved(rule, rule.score + score.STEP, at)
        case "raise" | "revive" | "repeated":
            return score.moved(rule, max(rule.score, score.ACTIVE), at)
        case "lower":
            return score.moved(rule, rule.score - score.STEP, at)
        case "reinforce" | "reinforced":
            return score.reinforced(rule, at)
        case "violate" | "violated":
            return score.violated(rule, at)
        case "matcher":
            return structs.replace(rule, matcher=act.matcher, mode="warn" if act.matcher else None, trial=None)
        case "trial" if act.trial is not None and act.trial.matcher == rule.matcher:
            return structs.replace(rule, trial=act.trial)
        # Only a person's words, tried on the journal, may stand in the way.
        case "mode" if rule.matcher and (act.mode == "warn" or (rule.trial and rule.origin in PEOPLE)):
            return structs.replace(rule, mode=act.mode)
    return rule


def _moment(at: str, now: str) -> str:
    """A time somebody wrote down; what is none, or is yet to come, counts as now."""
    try:
        date.fromisoformat(at[:10])
    except ValueError:
        return now
    return min(at, now)
