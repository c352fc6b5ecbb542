"""A year of rules: does their number settle, and is a critical one ever lost?

    python benchmarks/rules_year.py [--seeds 5] [--days 365]

Days are played through the real fold, decay and merging. What is assumed of a day:

- 5 to 15 lessons are learnt by the agent, as many on one day as on another.
- Three in four are new. One in four says what a lesson of the last 30 days said, in other words (a small word more, the
  order of clauses changed, a reason added): these merge.
- Most lessons never come up again: of 100 new ones, 93 are never reinforced. 6 come up now and then (once in 20 days)
  for two months, and one is a habit that comes up every fourth day for a quarter of a year, as long as such work goes
  on. One in ten of these occasions is a breach.
- A person gives an instruction 1.5 times a week, half of them as outright refusals, and repeats an older one once a
  month. They never take one back.

No real store was measured for this: the shares are our guess at an agent in daily use. What nobody reinforces is active
for a week, so most of the number is a week's worth of lessons: twice as many lessons make nearly twice as many active
rules. Critical rules only ever grow in number, because nobody retires any here.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product

from measured import measured
from msgspec import json

from steno.clock import as_text
from steno.rules.birth import Record
from steno.rules.fold import fold
from steno.rules.score import for_boot
from steno.vocabulary import Category, Entry, Origin, Rule
from steno.vocabulary.details import detail_of

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
# Days before this are the run-up.
SETTLED_AFTER = 60
VERBS = "check restart measure validate rename cache retry mock batch split quote escape flush index pin lock".split()
THINGS = (
    "parser cursor fixture migration payload schema timeout session webhook tokeniser exporter scheduler router ledger "
    "template manifest checksum transcript snapshot pipeline adapter broker collector compiler dispatcher emitter "
    "encoder fetcher formatter handler importer iterator linter loader logger mapper merger monitor notifier observer"
).split()
PLACES = (
    "staging billing checkout search onboarding reporting import archive gateway mobile nightly dashboard upload "
    "mailing pricing catalogue invoicing shipping returns loyalty profile consent audit backup metrics tracing alerts "
    "sandbox preview playground forum wiki helpdesk payroll calendar inventory warehouse kiosk terminal printer"
).split()
INSTRUCTIONS: list[tuple[str, Category]] = [
    ("Never {verb} the {thing} in {place} by hand.", "rejected"),
    ("Always {verb} the {thing} before a release of {place}.", "rule"),
]


class Year:
    """One year of one agent, played from a seed."""

    def __init__(self, seed: int, days: int) -> None:
        self._random = random.Random(seed)
        self._days = days
        sentences = list(product(VERBS, THINGS, PLACES))
        self._random.shuffle(sentences)
        self._unsaid = iter(sentences)
        self._lessons: list[tuple[int, tuple[str, str, str]]] = []
        self._instructions: list[tuple[str, Category]] = []
        # Lessons that come up again: id, until which day, with which chance.
        self._recurring: list[tuple[str, int, float]] = []
        self.entries: list[Entry] = []
        self.records: list[Record] = []

    def play(self) -> Iterator[tuple[int, list[Rule]]]:
        """The rules at the end of every thirtieth day."""
        for day in range(1, self._days + 1):
            self._day(day)
            if day % 30 == 0 or day == self._days:
                yield day, list(fold(self.entries, self.records, _at(day, 14)).values())

    def critical_ever(self) -> list[str]:
        """What a person said must be."""
        return [entry.id for entry in self.entries if entry.origin == "user"]

    def _day(self, day: int) -> None:
        for number in range(self._random.randint(5, 15)):
            self._lesson(day, number)
        if self._random.random() < 1.5 / 7:
            self._instruct(day, *next(self._unsaid))
        if self._instructions and self._random.random() < 1 / 30:
            words, category = self._random.choice(self._instructions)
            self._say(day, 51, f"Again: {words.lower()}!", category, "user")
        self._recurring = [(id_, until, chance) for id_, until, chance in self._recurring if until >= day]
        for id_, _, chance in self._recurring:
            if self._random.random() < chance:
                how = "violated" if self._random.random() < 0.1 else "reinforced"
                value = json.encode({how: [id_]}).decode()
                self.records.append((_at(day, 12), "outcome", "agent", value))

    def _lesson(self, day: int, number: int) -> None:
        lately = [said for when, said in self._lessons[-400:] if when >= day - 30]
        if lately and self._random.random() < 0.25:
            self._say(day, number, self._in_other_words(self._random.choice(lately)), "learning", "assistant")
            return
        said = next(self._unsaid)
        self._lessons.append((day, said))
        entry = self._say(day, number, _plainly(said), "learning", "assistant")
        chance = self._random.random()
        if chance < 0.01:
            self._recurring.append((entry.id, day + 90, 1 / 4))
        elif chance < 0.07:
            self._recurring.append((entry.id, day + 60, 1 / 20))

    def _instruct(self, day: int, verb: str, thing: str, place: str) -> None:
        words, category = self._random.choice(INSTRUCTIONS)
        words = words.format(verb=verb, thing=thing, place=place)
        self._instructions.append((words, category))
        self._say(day, 50, words, category, "user")

    def _in_other_words(self, said: tuple[str, str, str]) -> str:
        verb, thing, place = said
        return self._random.choice(
            [
                f"Before touching {place}, always {verb} the {thing}",
                f"{verb.capitalize()} the {thing} before touching {place}, because it broke again",
                f"Please {verb} every {thing} before touching {place}",
            ]
        )

    def _say(self, day: int, number: int, words: str, category: Category, origin: Origin) -> Entry:
        entry = Entry(
            id=f"{len(self.entries):06d}",
            category=category,
            status="active",
            certainty="confirmed",
            confidence=0.9,
            summary=words,
            detail=detail_of(category, {}),
            origin=origin,
            tags=[],
            domain="GENERAL",
            subject=[],
            session="s",
            project="/work",
            agent=None,
            created_at=_at(day, number % 10),
            superseded_by=None,
            repeated=0,
            cue="",
            evidence=[],
        )
        self.entries.append(entry)
        return entry


def _plainly(said: tuple[str, str, str]) -> str:
    verb, thing, place = said
    return f"{verb.capitalize()} the {thing} before touching {place}"


def _at(day: int, hour: int) -> str:
    return as_text(START + timedelta(days=day - 1, hours=hour))


def _in_force(rules: list[Rule]) -> list[Rule]:
    return [rule for rule in rules if rule.merged_into is None]


def _lost(year: Year, rules: list[Rule]) -> int:
    """Instructions whose rule, or the one it was merged into, is critical no more."""
    known = {rule.id: rule for rule in rules}
    lost = 0
    for id_ in year.critical_ever():
        rule = known.get(id_)
        while rule is not None and rule.merged_into is not None:
            rule = known[rule.merged_into]
        lost += rule is None or rule.status != "critical"
    return lost


def show(seed: int, days: int) -> tuple[dict[int, int], int]:
    """Play one year and print a line per month; the number of active rules by day, and of critical ones lost."""
    year, lost = Year(seed, days), 0
    active: dict[int, int] = {}
    print(f"\nseed {seed}")
    print("  day  lessons  active  boot-loaded  dormant  retired  critical  merged  lost")
    for day, rules in year.play():
        living = _in_force(rules)
        count = {
            status: sum(r.status == status and r.score >= 1 for r in living)
            for status in ("active", "dormant", "retired", "critical")
        }
        loaded, _ = for_boot(living, "/work", None)
        gone = _lost(year, rules)
        lessons = sum(entry.origin == "assistant" for entry in year.entries)
        print(
            f"{day:5} {lessons:8} {count['active']:7} {len(loaded):12} {count['dormant']:8} {count['retired']:8}"
            f" {count['critical']:9} {len(rules) - len(living):7} {gone:5}"
        )
        lost += gone
        measured(lessons=lessons, critical_rules=len(year.critical_ever()))
        if day >= SETTLED_AFTER:
            active[day] = count["active"]
    return active, lost


def main() -> None:
    """Play some years and say whether they settle."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--days", type=int, default=365)
    chosen = parser.parse_args()
    begun, lost = time.perf_counter(), 0
    active: dict[int, list[int]] = {}
    for seed in range(1, chosen.seeds + 1):
        found, gone = show(seed, chosen.days)
        for day, number in found.items():
            active.setdefault(day, []).append(number)
        lost += gone
    measured(days_looked_at_after_the_run_up=len(active))
    each = [number for numbers in active.values() for number in numbers]
    means = {day: statistics.mean(numbers) for day, numbers in active.items()}
    settled = all(60 <= mean <= 100 for mean in means.values())
    inside = sum(60 <= number <= 100 for number in each)
    print(f"\nactive rules from day {SETTLED_AFTER} on, mean over the seeds:")
    print("  " + "  ".join(f"day {day}: {mean:.0f}" for day, mean in means.items()))
    print(f"all: {min(each)} to {max(each)}, mean {statistics.mean(each):.0f}; {inside} of {len(each)} within 60-100")
    print(f"settles at 60-100 (the mean, on every day looked at): {'yes' if settled else 'no'}")
    print(f"critical rules lost: {lost}")
    print(f"{time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
