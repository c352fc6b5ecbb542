"""All rules, made from entries and from what people and outcomes told us, in order of time. A pure function: the same
entries and records give the same rules, after a rebuild and in another store."""

from collections.abc import Iterable, Iterator
from datetime import date

import msgspec
from msgspec import Struct, structs

from steno.rules import score
from steno.rules.birth import PREFERENCE, Record, born, ends_of, enters_at, holds
from steno.rules.merge import Pool, are_twins, merged, pointing
from steno.rules.stance import lasts
from steno.vocabulary import PEOPLE, Entry, Matcher, Mode, Rule, Trial

# Of what happens at one moment births come first and ends last.
_BIRTH, _ACT, _END = range(3)

_Step = tuple[str, int, Rule | Record | str]


class Act(Struct):
    """What a record of the act `rule` may say."""

    do: str = ""
    preference: bool = False
    domain: str | None = None
    matcher: Matcher | None = None
    mode: Mode | None = None
    trial: Trial | None = None


class _Remembered(Struct):
    """Whose words a record of the act `remember` holds; none is said where they are a person's."""

    origin: str = "edit"


class _Outcome(Struct):
    """What a record of the act `outcome` says about rules."""

    reinforced: list[str] = []
    violated: list[str] = []
    # The lesson it taught once more.
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
        self._pool = Pool()
        # Merged rules, by the one that says it now.
        self._behind: dict[str, set[str]] = {}

    def run(self) -> dict[str, Rule]:
        for at, _, what in sorted(self._steps(), key=lambda step: step[:2]):
            match what:
                case Rule():
                    self._bear(what)
                case (_, act, id_, value):
                    self._told(at, act, id_, value)
                case str():
                    self._end(what, at)
        return {id_: score.aged(rule, self._now) for id_, rule in self._rules.items()}

    def _steps(self) -> Iterator[_Step]:
        """Everything that happened up to now, not yet in order."""
        for entry in self._entries.values():
            rule = born(entry, self._now)
            if rule is None:
                continue
            end = _moment(self._ends.get(entry.id, self._now), self._now)
            if not entry.created_at or rule.born_at >= self._now:
                self.waiting.add(rule.id)
            if rule.born_at > (self._now if holds(entry) else end):
                continue
            yield rule.born_at if entry.created_at else "", _BIRTH, rule
            if entry.repeated_at and entry.repeated_at > rule.born_at:
                yield _moment(entry.repeated_at, self._now), _ACT, ("", "said again", rule.id, "")
            if not holds(entry):
                yield end, _END, rule.id
        for record in self._records:
            if record[1] in ("rule", "outcome", "remember", "revise", "review"):
                yield _moment(record[0], self._now), _ACT, record

    # -- births and ends ---------------------------------------------------------------------------------------------

    def _bear(self, rule: Rule) -> None:
        twin = self._twin(rule)
        self._rules[rule.id] = rule
        self._pool.add(rule)
        if twin is not None:
            kept, lost = merged(twin, rule, rule.born_at)
            self._rules |= {kept.id: kept, lost.id: lost}
            self._pool.drop(lost)
            self._point([lost.id, *self._pointing_at(lost.id)], kept.id)
            rule = kept
        self._bound(rule.id)

    def _bound(self, id_: str) -> None:
        """An instruction for now, by whatever it was strengthened, is not critical."""
        rule = self._rules[id_]
        if rule.source == "rule" and self._lasting.isdisjoint({id_, *self._behind.get(id_, ())}):
            self._rules[id_] = score.scored(rule, min(rule.score, score.BELOW_CRITICAL))

    def _twin(self, rule: Rule) -> Rule | None:
        """A rule that says the same and is still in a list."""
        for id_ in self._pool.like(rule):
            found = self._rules[id_]
            if found.merged_into is None and id_ not in self._closed and are_twins(found, rule):
                found = score.aged(found, rule.born_at)
                if found.score >= score.LISTED:
                    return found
        return None

    def _pointing_at(self, id_: str) -> list[str]:
        return sorted(self._behind.get(id_, ()), key=self._pool.place)

    def _point(self, ids: Iterable[str], to: str) -> None:
        for id_ in ids:
            self._behind.get(self._rules[id_].merged_into or "", set()).discard(id_)
            self._behind.setdefault(to, set()).add(id_)
            self._rules[id_] = pointing(self._rules[id_], to)

    def _end(self, id_: str, at: str) -> None:
        """The entry holds no more. Another that said the same, and still holds, carries the rule on.

        What is critical ends by a person's word only; a refusal for a piece of work ends with that.
        """
        rule = self._rules[id_]
        if rule.status == "critical" and id_ in self._lasting and id_ not in self._ends:
            return
        if rule.merged_into is None and id_ not in self._closed:
            heirs = [self._rules[other] for other in self._pointing_at(id_) if other not in self._closed]
            if heirs:
                self._inherit(rule, max(heirs, key=lambda heir: (heir.origin in PEOPLE, heir.score)), at)
        # Where nobody knows when it ended, it ended with the last that was heard of it.
        self._close(id_, at if id_ in self._ends else rule.reinforced_at)

    def _inherit(self, rule: Rule, heir: Rule, at: str) -> None:
        others = self._behind.pop(rule.id)
        self._point(others - {heir.id}, heir.id)
        self._pool.add(heir)
        rule, heir = score.aged(rule, at), structs.replace(heir, merged_into=None)
        if rule.origin in PEOPLE and heir.origin not in PEOPLE:
            # An agent's lesson goes on as what it was; the person's weight and matcher were not its own.
            self._rules[heir.id] = score.scored(heir, heir.score)
            return
        names = ("reinforced_at", "checked_at", "reinforcements", "violations", "matcher", "mode", "trial")
        carried = {name: getattr(rule, name) for name in names}
        self._rules[heir.id] = score.scored(structs.replace(heir, **carried), rule.score)
        self._bound(heir.id)

    def _close(self, id_: str, at: str) -> None:
        self._closed.add(id_)
        self._wait(id_, at)
        if self._rules[id_].merged_into is None:
            rule = score.aged(self._rules[id_], at)
            self._rules[id_] = score.scored(structs.replace(rule, checked_at=max(at, rule.checked_at)), score.LISTED)

    def _wait(self, id_: str, at: str) -> None:
        """What happens only now, because its time is yet to come or none, happens later the next time."""
        if at >= self._now:
            self.waiting.add(id_)

    # -- what people and outcomes told us ----------------------------------------------------------------------------

    def _told(self, at: str, act: str, id_: str, value: str) -> None:
        """Apply a record. One that cannot be read is passed over: an import may bring anything."""
        try:
            match act:
                case "rule":
                    self._do(self._kept(id_), msgspec.json.decode(value, type=Act), at)
                case "outcome":
                    outcome = msgspec.json.decode(value, type=_Outcome)
                    for name in ("reinforced", "violated"):
                        for kept in dict.fromkeys(map(self._kept, getattr(outcome, name))):
                            self._do(kept, Act(do=name), at)
                    self._do(self._kept(outcome.repeats or ""), Act(do="repeated"), at)
                case "remember" if msgspec.json.decode(value, type=_Remembered).origin not in PEOPLE:
                    self._do(self._kept(id_), Act(do="repeated"), at)
                case "said again" if self._entries[id_].origin not in PEOPLE:
                    self._do(self._kept(id_), Act(do="repeated"), at)
                case _:
                    self._said_again(id_, at)
        except msgspec.MsgspecError:
            return

    def _kept(self, id_: str) -> str:
        """The id of the rule that says it now."""
        while (rule := self._rules.get(id_)) is not None and rule.merged_into is not None:
            id_ = rule.merged_into
        return id_

    def _do(self, id_: str, act: Act, at: str) -> None:
        if id_ not in self._rules:
            return
        if act.do == "retire":
            self._close(id_, at)
        elif act.do in ("raise", "revive") or id_ not in self._closed:
            self._closed.discard(id_)
            self._wait(id_, at)
            self._rules[id_] = done(score.aged(self._rules[id_], at), act, at)
            if act.do == "raise":
                self._lasting.add(id_)
            self._bound(id_)

    def _said_again(self, id_: str, at: str) -> None:
        """A person told or corrected it once more: it counts as on its first day, or as it does, if that is more."""
        entry, rule = self._entries.get(id_), self._rules.get(id_)
        if entry is None or rule is None or at <= rule.born_at or not holds(entry):
            return
        kept = score.aged(self._rules[self._kept(id_)], at)
        self._closed -= {id_, kept.id}
        self._wait(kept.id, at)
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
        case "mode" if rule.matcher is not None and (act.mode == "warn" or may_stand_in_the_way(rule)):
            return structs.replace(rule, mode=act.mode)
        case "trial" if act.trial is not None and act.trial.matcher == rule.matcher:
            return structs.replace(rule, trial=act.trial)
    return rule


def may_stand_in_the_way(rule: Rule) -> bool:
    """Whether a rule's matcher may ask or block: a person's words, tried on the journal."""
    return rule.matcher is not None and rule.trial is not None and rule.origin in PEOPLE


def _moment(at: str, now: str) -> str:
    """A time somebody wrote down; what is none, or is yet to come, counts as now."""
    try:
        date.fromisoformat(at[:10])
    except ValueError:
        return now
    return min(at, now)
