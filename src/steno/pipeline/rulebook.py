"""How to behave: the rules as they are now or were at a time, and what people and outcomes do with them.

Rules are folded from entries and records. The table holds the last fold, so that a gate need not wait for one; where
something happened since, or a midnight passed (decay, promotion), what changed is folded anew. Reading never writes:
then that is done in memory.
"""

from collections import defaultdict
from collections.abc import Iterable, Set
from contextlib import suppress
from typing import Any, Final, NamedTuple

from steno.clock import moment
from steno.home import Home
from steno.pipeline.told import hold_against
from steno.rules.score import CRITICAL, LISTED, LOWEST, aged, for_boot, holds_for, most
from steno.store.rules import State
from steno.vocabulary import MODES, PEOPLE, RULE_STATUSES, Entry, Mode, Rule, RuleStatus
from steno.vocabulary.errors import StoreBusy, StoreError, UnknownEntry, WrongUse
from steno.vocabulary.rules import Lesson

# What an agent is given without looking for it.
IN_FORCE: Final = ("critical", "active")
# Rules a hint names.
_NAMED: Final = 5


class Folded(NamedTuple):
    """Rules as of now: those of some ids, or all of them; and the ids of what is due once more later."""

    rules: dict[str, Rule]
    among: set[str] | None = None
    waiting: Set[str] = frozenset()


class Rulebook:
    """All rules of one store."""

    def __init__(self, home: Home) -> None:
        self._store, self._clock, self._clean = home.store, home.clock, home.clean
        # Rules in memory, for a state of the table and a day.
        self._known_for: tuple[State, str] | None = None
        # What the table does not hold yet, and what it holds that is in a list.
        self._unwritten = Folded({}, set())
        self._listed: list[Rule] = []
        self._by_id: dict[str, Rule] = {}
        self._only_warning: frozenset[str] = frozenset()

    # -- reading -----------------------------------------------------------------------------------------------------

    def all(
        self, status: RuleStatus | None = None, project: str | None = None, agent: str | None = None,
        at: str | None = None,
    ) -> list[Rule]:  # fmt: skip
        """Rules that hold for a project and an agent, the highest score first; without a status, those in force."""
        if status not in (None, *RULE_STATUSES):
            raise WrongUse(f"no rule is {status}", hint=f"the choices are {', '.join(RULE_STATUSES)}")
        wanted = IN_FORCE if status is None else (status,)
        at = moment(at)
        listed = self._current() if at is None else _listed(self._as_of(at).values())
        shared = self._store.shares.with_([project or ""], agent)
        return [
            rule for rule in listed if rule.status in wanted and (holds_for(rule, project, agent) or rule.id in shared)
        ]

    def in_force(self) -> list[Rule]:
        """Those in force everywhere, the highest score first."""
        return [rule for rule in self._current() if rule.status in IN_FORCE]

    def one(self, id_: str) -> Rule:
        """The rule with this id, or the only one whose id begins so; also one that is in no list any more."""
        self._current()
        if id_ in self._by_id:
            return self._by_id[id_]
        stored = self._with_unwritten(self._store.rules.begins(id_)) if id_ else []
        found = [rule for rule in stored if rule.id == id_] or [rule for rule in stored if rule.id.startswith(id_)]
        if len(found) != 1:
            named = ", ".join(rule.id for rule in (found or self._listed)[:_NAMED])
            problem = f"several rules begin with {id_!r}" if found else f"no rule {id_!r}"
            raise UnknownEntry(problem, hint=f"`steno rules` lists them{f': {named}' if named else ''}")
        return found[0]

    def faded(self, project: str | None = None) -> int:
        """How many rules are in force no more, also those that are in no list."""
        return sum(
            rule.merged_into is None and rule.status not in IN_FORCE and holds_for(rule, project, None)
            for rule in self._all()
        )

    def for_boot(
        self, project: str | None = None, agent: str | None = None, at: str | None = None
    ) -> tuple[list[Rule], int]:
        """The rules an agent starts with, and how many critical ones did not fit."""
        return for_boot(self.all(None, project, agent, at), project, agent)

    def holds(self, entry: Entry) -> bool:
        """Whether no person laid the rule behind an entry aside. True where it has none.

        Fading does not end it: what was meant for one piece of work ends with that, what lasts by a person's word only.
        """
        try:
            rule = self.living(entry.id)
        except UnknownEntry:
            return True
        faded = rule.status not in IN_FORCE and entry.category != "exclusion"
        return not (faded and self._store.rules.is_laid_aside(rule.id))

    def may_ask(self, entry: Entry) -> bool:
        """Whether no person lowered the rule behind an entry to warning, as of the rules that were read last."""
        try:
            return not self._only_warning or self.living(entry.id).id not in self._only_warning
        except UnknownEntry:
            return True

    def entry(self, rule: Rule) -> Entry:
        """The entry that holds a rule's words and evidence."""
        return self._store.entries.one(rule.id)

    def lessons(self) -> list[Lesson]:
        """What agents learnt and nothing but words holds, the oldest first."""
        return self._store.gates.lessons_in_words()

    # -- what people do ----------------------------------------------------------------------------------------------

    def add(
        self, text: str, *, preference: bool = False, domain: str = "GENERAL", project: str | None = None,
        agent: str | None = None,
    ) -> Rule:  # fmt: skip
        """A person gives an instruction, or says what they prefer. The rule that says it now, if one did before."""
        if not text.strip():
            raise WrongUse("there is no rule in an empty text", hint='steno rules add "…"')
        words, field = (self._clean(given.strip()) for given in (text, domain))
        now = self._clock()
        id_ = self._store.entries.remember(words, "rule", project=project, agent=agent, now=now)
        hold_against(self._store, id_, project)
        if preference or field not in ("", "GENERAL"):
            told = {"do": "add", "preference": preference, "domain": field or "GENERAL"}
            self._store.entries.tell("rule", id_, told, now)
        self.settle(now)
        return self.living(id_)

    def raise_(self, id_: str, to: Mode | None = None) -> Rule:
        """A person stands up for a rule: half a point more, or its matcher one step up the ladder."""
        rule = self.living(id_)
        if to is not None:
            _check_step(rule, to)
            return self.tell(rule.id, {"do": "mode", "mode": to})
        if rule.score >= most(rule.origin):
            own = "" if rule.origin in PEOPLE else f": words of origin {rule.origin} stay below critical"
            raise WrongUse(f"{rule.id} cannot rise above {rule.score:g}{own}", hint="`steno rules add` makes it yours")
        return self.tell(rule.id, {"do": "raise"})

    def lower(self, id_: str, to: Mode | None = None) -> Rule:
        """Half a point less, or its matcher down the ladder."""
        rule = self.living(id_)
        if to is not None:
            # Whatever its matcher does, words alone may ask.
            by_words = rule.mode in (None, "warn") and rule.id not in self._only_warning
            if MODES.index(to) >= MODES.index("ask" if by_words else rule.mode or "warn"):
                raise WrongUse(f"{rule.id} is not above {to}", hint=f"its mode is {rule.mode or 'none'}")
            return self.tell(rule.id, {"do": "mode", "mode": to})
        if rule.score <= LOWEST:
            raise WrongUse(f"{rule.id} is as low as a rule can be", hint="`steno rules raise` brings it back")
        return self.tell(rule.id, {"do": "lower"})

    def retire(self, id_: str) -> Rule:
        """A person lays a rule aside, also a critical one. Only a person brings it back."""
        return self.tell(self.living(id_).id, {"do": "retire"})

    # -- the fold ----------------------------------------------------------------------------------------------------

    def tell(self, id_: str, act: dict[str, Any]) -> Rule:
        """Keep a record of an act on a rule; the rule after it."""
        now = self._clock()
        self._store.entries.tell("rule", id_, act, now)
        self.settle(now)
        return self.living(id_)

    def settle(self, now: str | None = None) -> None:
        """Fold the rules anew and write what changed, in one transaction; nothing if nothing happened since.

        Where another process keeps the store locked it is left to the next time: what was told is stored already.
        """
        now = now or self._clock()
        table, day = self._store.rules, now[:10]
        if not table.state().is_folded(day):
            from steno.rules.merge import keys

            with suppress(StoreBusy), table.write():
                folded = self._fold(now)
                table.put(folded.rules, day, keys, folded.among, folded.waiting)

    def differing(self) -> list[str]:
        """Rules that stand in the table otherwise than a fold of all gives them: somebody wrote there past us."""
        from steno.rules.fold import Folding

        now = self._clock()
        with suppress(StoreError):  # a home that may only be read
            self.settle(now)
        fold = Folding(self._with_successors(self._entries()), self._store.entries.records(), now).run()
        there = {rule.id: rule for rule in self._store.rules.all()}
        return sorted(id_ for id_ in fold.keys() | there.keys() if _binds(fold.get(id_)) != _binds(there.get(id_)))

    def living(self, id_: str) -> Rule:
        """The rule meant by an id: where it was merged, the one that lives on."""
        rule = self.one(id_)
        while rule.merged_into is not None:
            rule = self.one(rule.merged_into)
        return rule

    def _current(self) -> list[Rule]:
        """Rules as of now that are in a list, from memory unless the table or the day has changed."""
        now = self._clock()
        state, day = self._store.rules.state(), now[:10]
        if self._known_for != (state, day):
            self._unwritten = Folded({}, set()) if state.is_folded(day) else self._fold(now)
            self._listed = _listed(self._with_unwritten(self._store.rules.listed(LISTED)))
            self._by_id = {rule.id: rule for rule in self._listed}
            self._only_warning = self._store.rules.only_warning()
            self._known_for = state, day
        return self._listed

    def _with_unwritten(self, rules: Iterable[Rule]) -> list[Rule]:
        """Rules of the table as they are now."""
        rules_, among, _ = self._unwritten
        return [*([] if among is None else (rule for rule in rules if rule.id not in among)), *rules_.values()]

    def _all(self) -> list[Rule]:
        self._current()
        return self._with_unwritten(self._store.rules.all())

    def _fold(self, now: str) -> Folded:
        """What changed since the last fold and all that has to do with it, as it would be in a fold of all, and what
        faded since; all rules, where there was none or the clock was set back behind it."""
        from steno.rules.fold import Folding

        day = self._store.rules.state().day()
        if day is None or day > now[:10]:
            fold = Folding(self._with_successors(self._entries()), self._store.entries.records(), now)
            return Folded(fold.run(), None, fold.waiting)
        among = self._touched(now)
        fold = Folding(self._with_successors(self._entries(among)), self._store.entries.records(among), now)
        rules = {id_: rule for id_, rule in fold.run().items() if id_ in among}
        fading = [] if day == now[:10] else self._store.rules.listed(LOWEST, below=CRITICAL)
        faded = {rule.id: aged(rule, now) for rule in fading if rule.id not in among}
        return Folded(rules | faded, among | faded.keys(), fold.waiting & among)

    def _with_successors(self, entries: list[Entry]) -> list[Entry]:
        """Entries, and what took their place, of whatever category: it tells whether a person ended them, and when."""
        known = {entry.id for entry in entries}
        missing = {entry.superseded_by for entry in entries if entry.superseded_by} - known
        return [*entries, *self._store.entries.some(missing)] if missing else entries

    def _touched(self, now: str) -> set[str]:
        """Ids of what changed since the last fold, and of every rule it may have to do with: its twins, and theirs."""
        from steno.rules.birth import born
        from steno.rules.merge import are_twins, keys

        table, due = self._store.rules, self._store.rules.due()
        new = [rule for entry in self._entries(due) if (rule := born(entry, now))]
        like: defaultdict[int, list[Rule]] = defaultdict(list)
        for rule in new:
            for key in keys(rule):
                like[key].append(rule)
        found, todo = set(due), [*table.some(due), *new]
        while todo:
            rule = todo.pop()
            found.add(rule.id)
            near = [*table.like(keys(rule)), *(other for key in keys(rule) for other in like[key])]
            todo += [other for other in near if other.id not in found and are_twins(rule, other)]
        return found

    def _as_of(self, at: str) -> dict[str, Rule]:
        from steno.rules.birth import as_of
        from steno.rules.fold import fold

        entries = self._with_successors(self._entries())
        return fold(*as_of(entries, self._store.entries.records(), at), at)

    def _entries(self, ids: Iterable[str] | None = None) -> list[Entry]:
        """Entries that may become rules, by category, the oldest first."""
        from steno.rules.birth import CATEGORIES

        entries = self._store.entries
        if ids is None:
            return [entry for category in CATEGORIES for entry in entries.all(category=category)]
        found = (entry for entry in entries.some(ids) if entry.category in CATEGORIES)
        return sorted(found, key=lambda entry: CATEGORIES.index(entry.category))


def _binds(rule: Rule | None) -> tuple[object, ...] | None:
    """What a rule says, and how hard."""
    if rule is None:
        return None
    return rule.rule, rule.project, rule.agent, rule.origin, rule.status, rule.mode, rule.merged_into


def _listed(rules: Iterable[Rule]) -> list[Rule]:
    """Rules that are in a list, the highest score first, then the latest."""
    shown = [rule for rule in rules if rule.merged_into is None and rule.score >= LISTED]
    return sorted(shown, key=lambda rule: (rule.score, rule.reinforced_at, rule.id), reverse=True)


def _check_step(rule: Rule, to: Mode) -> None:
    """A matcher climbs one step at a time, after a trial, and only for a person's words."""
    if rule.matcher is None or rule.mode is None:
        raise WrongUse(f"{rule.id} has no matcher", hint="`steno rules show` says what a rule has")
    higher = MODES[MODES.index(rule.mode) + 1 :]
    if to not in higher[:1]:
        hint = f"the next step is {higher[0]}" if higher else "block is the highest"
        raise WrongUse(f"{rule.id} is at {rule.mode} and cannot go to {to} in one step", hint=hint)
    if rule.origin not in PEOPLE:
        raise WrongUse(f"only a person's rule may {to}; this one is of origin {rule.origin}", hint="steno rules add")
    if rule.trial is None:
        raise WrongUse(f"the matcher of {rule.id} has not been tried", hint=f"steno rules trial {rule.id}")
