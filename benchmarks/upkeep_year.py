"""A year of nights: does the memory keep its size, its speed and everything that matters?

    python benchmarks/upkeep_year.py [--days 365] [--sessions 8] [--from FOLDER] [--keep FOLDER]

Three agents, each in a project of its own, have eight sessions a day each: made up as in `sessions.py`, whose people
give an order for good in every second one; with `--from`, stretches of the real transcripts below that folder (about
sixteen turns from a human's word on), which come again now and then, as work does. Each day is captured and scribed,
something is recalled, and at three in the night upkeep runs as the daemon runs it, on a clock that is set and without
pauses. Vectors are off.

With `--keep` the year is lived in that folder and goes on where it was left, should it be ended on the way.

Once a week a person tells a fact that must be found the next day and at the end. At the end every night's pruning is
taken back.

A row is a month. `night` is processor time, the median and the most of its nights; whole copies of the store are made
in one night of seven and stand in the most. The figures at the end: the last month's median night against that of the
second month (the first fills an empty store), critical entries lost, what is found of what was told.
"""

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import sessions
from measured import measured
from msgspec.structs import replace

from steno.clock import as_text
from steno.home import Home
from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.upkeep.job import Job, Moment
from steno.upkeep.jobs import all_jobs
from steno.upkeep.run import Upkeep
from steno.vocabulary import Entry
from steno.vocabulary.upkeep import Report, Run

START = datetime(2026, 1, 1, tzinfo=UTC)
AGENTS, TURNS, MONTH = 3, 16, 30
SPOKEN = ("said", "queued")
NO_PAUSES = {"curate_pause_minutes": "0", "prune_pause_minutes": "0"}
HEAD = (
    f"{'day':>4}{'turns':>9}{'holding':>9}{'archived':>9}{'rules':>7}{'MEMORY.md':>11}{'store':>9}{'night':>8}{'most':>8}"
    f"{'peak':>8}"
)


class Day(NamedTuple):
    """What a day came to."""

    seconds: float
    # Rules in force, of the agent that has the most; and the largest index.
    rules: int
    largest: int
    failed: list[str]
    # Seconds of each job.
    jobs: dict[str, float]


class Year:
    """A memory that is lived in."""

    def __init__(self, folder: Path, real: list[list[tuple[str, str]]], a_day: int) -> None:
        self.folder = folder
        self._a_day = a_day
        self.clock = SteppingClock()
        self.memory: Memory
        self.critical: set[str] = set()
        self.told: list[str] = []
        self.found_next_day = 0
        self.days: list[Day] = []
        self._real = real
        self._chance = random.Random(16)
        if self._kept.exists():
            kept = json.loads(self._kept.read_text())
            self.critical, self.told, self.found_next_day = set(kept["critical"]), kept["told"], kept["found"]
            self.days = [Day(*day) for day in kept["days"]]

    @property
    def _kept(self) -> Path:
        return self.folder / "year.json"

    def keep(self) -> None:
        """What the store does not know, so that the year can go on from here."""
        kept = {"critical": sorted(self.critical), "told": self.told, "found": self.found_next_day, "days": self.days}
        beside = self._kept.with_suffix(".new")
        beside.write_text(json.dumps(kept))
        beside.replace(self._kept)

    def live(self, day: int) -> Day:
        """Work, ask, sleep."""
        self._chance.seed(day)
        begins = START + timedelta(days=day)
        self.clock.now = as_text(begins + timedelta(hours=20))
        self.memory.capture(*self._sessions(day, begins))
        self.memory.scribe()
        if day % 7 == 0:
            self._tell(day)
        for question in ("which cause was found", "what did we decide on the export", "what is to be done next"):
            self.memory.recall(question, k=5, within="entries", project=project(day % AGENTS))
        self.memory.uses.write()
        self.critical |= {entry.id for entry in critical(self.memory)}
        self.clock.now = as_text(begins + timedelta(days=1, hours=3))
        began, jobs = time.process_time(), dict[str, float]()
        runs = looked_after(self.memory, jobs).look()
        seconds = time.process_time() - began
        if day % 7 == 0:
            self.found_next_day += self.finds(self.told[-1])
        failed = [f"{run.job}: {run.error}" for run in runs if run.state != "ok"]
        return Day(seconds, self._rules(), self._index(), failed, jobs)

    def finds(self, fact: str) -> bool:
        """Whether what was told is among the first five that are recalled."""
        hits = self.memory.recall(fact.rpartition(" is ")[0], k=5, within="entries")
        return any(fact == hit.text or fact in hit.quote for hit in hits)

    def _sessions(self, day: int, begins: datetime) -> Iterator[Path]:
        for agent in range(AGENTS):
            for number in range(self._a_day):
                key = (day * AGENTS + agent) * self._a_day + number
                at = begins + timedelta(hours=8 + number, minutes=7 * agent)
                path = self.folder / "in" / f"{key:06}.jsonl"
                path.unlink(missing_ok=True)
                if self._real:
                    lines = self._stretch(key, agent, at)
                else:
                    lines = [made_up(line, agent, at) for line in sessions.session(key)]
                yield write_jsonl(path, *lines)

    def _stretch(self, key: int, agent: int, at: datetime) -> list[dict[str, Any]]:
        turns = self._chance.choice(self._real)
        begins = self._chance.choice([place for place, (role, _) in enumerate(turns) if role == "user"])
        facts = {"session": f"real-{key}", "project": project(agent), "agent": f"agent-{agent}"}
        return [
            said(text, role=role, at=as_text(at + timedelta(seconds=place)), id=f"{key}-{place}", **facts)
            for place, (role, text) in enumerate(turns[begins : begins + TURNS])
        ]

    def _tell(self, day: int) -> None:
        name = "".join(self._chance.choice(sessions.SYLLABLES) for _ in range(4))
        self.told.append(f"the keeper of the {name} vault is {name[::-1]}-{day}")
        self.memory.remember(self.told[-1], category="fact", project=project(day % AGENTS))

    def _rules(self) -> int:
        return max(len(self.memory.rules.all(project=project(agent))) for agent in range(AGENTS))

    def _index(self) -> int:
        pages = (self.memory.home.notebook).rglob("MEMORY.md")
        return max((page.stat().st_size for page in pages), default=0)


def looked_after(memory: Memory, seconds: dict[str, float] | None = None) -> Upkeep:
    """Its upkeep; what each job takes is added up in `seconds`."""
    taken = {} if seconds is None else seconds
    return Upkeep(memory.home, jobs=[replace(job, run=timed(job, taken)) for job in all_jobs()], zone=UTC)


def timed(job: Job, seconds: dict[str, float]) -> Callable[[Home, Moment], Report]:
    def run(home: Home, moment: Moment) -> Report:
        began = time.process_time()
        try:
            return job.run(home, moment)
        finally:
            seconds[job.name] = seconds.get(job.name, 0.0) + time.process_time() - began

    return run


def critical(memory: Memory) -> list[Entry]:
    """What carries a critical rule, and holds."""
    ids = {rule.id for rule in memory.rules.all("critical")}
    return [entry for entry in memory.home.store.entries.some(ids) if entry.status == "active"]


def lost(year: Year) -> list[str]:
    """Critical entries a machine laid aside: no person ended them, and nothing a person said took their place."""
    laid_aside = {entry.id for entry in year.memory.entries(status="archived")}
    pruned = {entry for run in pruning(year.memory) for entry in laid_aside_by(year.memory, run)}
    return sorted(year.critical & laid_aside & pruned)


def pruning(memory: Memory) -> list[Run]:
    return memory.upkeep.runs("prune", most=100_000)


def laid_aside_by(memory: Memory, run: Run) -> list[str]:
    return [row[0] for row in memory.home.store.pruning._database.rows("pruned_by", {"run": run.id})]


def brought_back(year: Year) -> tuple[int, int]:
    """How many entries were laid aside, and how many of them hold again once every run is taken back."""
    gone = {entry for run in pruning(year.memory) for entry in laid_aside_by(year.memory, run)}
    upkeep = looked_after(year.memory)
    for run in pruning(year.memory):
        if run.undo == "possible":
            upkeep.undo(run.id)
    holding = {entry.id for entry in year.memory.entries(status="active")}
    return len(gone), len(gone & holding)


def project(agent: int) -> str:
    return f"/project-{agent}"


def made_up(line: dict[str, Any], agent: int, at: datetime) -> dict[str, Any]:
    """A line of `sessions.py`, in another project and at another time."""
    place = int(line["uuid"].rpartition("-")[2])
    return {**line, "cwd": project(agent), "timestamp": as_text(at + timedelta(seconds=place))}


def real_turns(folder: str | None) -> list[list[tuple[str, str]]]:
    """What people and agents said in transcripts below a folder, session by session."""
    if folder is None:
        return []
    with tempfile.TemporaryDirectory(prefix="steno-year-") as scratch, house(Path(scratch)) as memory:
        memory.capture(folder)
        names = [f"{each.session.source}:{each.session.session}" for each in memory.sessions()]
        found: list[list[tuple[str, str]]] = [
            [(one.turn.role, one.turn.text[:2000]) for one in memory.turns(name) if one.turn.kind in SPOKEN]
            for name in names
        ]
    spoken = [turns for turns in found if sum(role == "user" for role, _ in turns) > 1]
    measured(real_sessions=len(spoken))
    return spoken


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def row(number: int, days: list[Day], year: Year) -> str:
    seconds, status = [day.seconds for day in days], year.memory.status()
    pruning_ = year.memory.home.store.pruning
    archived = len(year.memory.entries(status="archived"))
    return (
        f"{number:>4}{status.turns:>9,}{pruning_.holding():>9,}{archived:>9,}{days[-1].rules:>7}"
        f"{max(day.largest for day in days):>11,}{status.disk_bytes / 1e6:>6.0f} MB{statistics.median(seconds):>7.2f}s"
        f"{max(seconds):>7.2f}s{peak():>5.0f} MB"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--sessions", type=int, default=8, help="of each agent, a day")
    parser.add_argument("--from", dest="folder", help="a folder of real transcripts")
    parser.add_argument("--keep", help="a folder the year is lived in, to go on with later")
    options = parser.parse_args()
    with nullcontext(options.keep) if options.keep else tempfile.TemporaryDirectory(prefix="steno-year-") as folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        year = Year(Path(folder), real_turns(options.folder), options.sessions)
        year.clock.now = as_text(START)
        with house(Path(folder), clock=year.clock, **NO_PAUSES) as memory:
            year.memory = memory
            memory.home.store.runs.keep_from(as_text(START))
            memory.notebook.sync()
            return told(year, options.days)


def told(year: Year, number: int) -> int:
    """Live so many days, and tell."""
    print(HEAD, flush=True)
    days = year.days
    for day in range(len(days), number):
        days.append(year.live(day))
        year.keep()
        if (day + 1) % MONTH == 0 or day + 1 == number:
            print(row(day + 1, days[-((day % MONTH) + 1) :], year), flush=True)
    failed = [problem for day in days for problem in day.failed]
    months = [statistics.median(one.seconds for one in days[at : at + MONTH]) for at in range(0, number, MONTH)]
    second = min(1, len(months) - 1)
    growth = months[-1] / months[second]
    found = sum(map(year.finds, year.told))
    gone_critical = lost(year)
    gone, back = brought_back(year)
    measured(nights=len(days), critical_entries=len(year.critical), pruned_entries=gone, facts_told=len(year.told))
    print(
        f"nights that were not all well: {len(failed)}; one at the end costs {growth:.2f} of one in the second month\n"
        f"critical entries: {len(year.critical):,}, lost {len(gone_critical)}; "
        f"laid aside {gone:,}, brought back {back:,}\n"
        f"told {len(year.told)}, found the next day {year.found_next_day}, at the end {found}; "
        f"largest MEMORY.md {max(day.largest for day in days):,} bytes"
    )
    print(f"{'seconds of a job, median':26}{'month 2':>9}{'last':>9}")
    for name, (then, now) in sorted(by_job(days[second * MONTH :]).items(), key=lambda job: -job[1][1]):
        print(f"{name:26}{then:>9.3f}{now:>9.3f}")
    for problem in failed[:5]:
        print(f"  {problem}")
    return 1 if failed or gone_critical or gone != back else 0


def by_job(days: list[Day]) -> dict[str, tuple[float, float]]:
    """What each job takes in the first month of these and in the last."""
    first, last = days[:MONTH], days[-MONTH:]
    return {name: (median(name, first), median(name, last)) for name in days[-1].jobs}


def median(job: str, days: list[Day]) -> float:
    return statistics.median(day.jobs.get(job, 0.0) for day in days)


if __name__ == "__main__":
    sys.exit(main())
