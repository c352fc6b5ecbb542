"""One night on a large store: how long, and how much memory?

    python benchmarks/upkeep_night.py [--turns 100000] [--entries 10000]

Made-up sessions of `sessions.py` with more calls in them are captured and read by the scribe; then the store is filled
with copies of them: other sessions of other days, the words of turns and entries with a name of their own. The nights
are run in a process each, as the daemon runs them and without pauses: the first one finds all entries new, the second
none. The figures are processor time and the most memory such a process had; beside it, that of one that only opens the
store and counts. Vectors are off.
"""

import argparse
import multiprocessing
import re
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import sessions
from measured import measured

from steno.clock import as_text
from steno.memory import Memory
from steno.testing import SteppingClock, house, write_jsonl
from steno.upkeep.run import Upkeep

START, DAYS, PROJECTS = datetime(2026, 1, 1, tzinfo=UTC), 90, 3
NIGHT = as_text(START + timedelta(days=DAYS, hours=3))
NO_PAUSES = {"curate_pause_minutes": "0", "prune_pause_minutes": "0"}
# Sessions the scribe reads itself; what of them holds, each, and their turns, about.
HEARD, HOLDING, TURNS = 40, 5.9, 14
# What tools answer.
ANSWER = "\n".join(f"{number:>4}  value = compute({number}, retries={number % 7})" for number in range(40))
# What is copied, and what of a copy is not as it was: other numbers, names and days.
ANOTHER_DAY = "strftime('%Y-%m-%dT%H:%M:%fZ', {name}, '-' || :days || ' days')"
COPIES: dict[str, dict[str, str]] = {
    "sessions": {"id": "id + :sessions", "session": "session || :copy", "started_at": ANOTHER_DAY,
                 "last_at": ANOTHER_DAY},
    "turns": {
        "id": "id + :turns", "key": "cast(hex(key) || :copy AS blob)", "session_id": "session_id + :sessions",
        "text": "text || ' ' || :copy", "at": ANOTHER_DAY, "transcript_id": "NULL",
    },
    "entries": {
        "number": "number + :entries", "id": "id || printf('%04x', :number)",
        "session_id": "session_id + :sessions", "summary": "summary || ' ' || :copy", "created_at": ANOTHER_DAY,
        "work": "work || :copy", "superseded_by": "NULL", "status": "iif(status = 'superseded', 'archived', status)",
    },
    "entry_keys": {"key": "key + :number", "number": "number + :entries"},
    "evidence": {"entry": "entry || printf('%04x', :number)", "turn_id": "turn_id + :turns"},
    "works": {
        "id": "id || :copy", "session_id": "session_id + :sessions", "begun_turn": "begun_turn + :turns",
        "last_turn": "last_turn + :turns", "begun_at": ANOTHER_DAY, "last_at": ANOTHER_DAY, "ended_at": ANOTHER_DAY,
    },
    "checkpoints": {"session_id": "session_id + :sessions", "turn_id": "turn_id + :turns", "work": "work || :copy"},
}  # fmt: skip


def padded(number: int, at: datetime, calls: int) -> list[dict[str, Any]]:
    """A made-up session with more calls behind its first words."""
    lines = sessions.session(number)
    for place in range(calls):
        for kind, content in sessions.call(number, "Read", {"file_path": f"/src/{number}-{place}.py"}, ANSWER):
            lines.append(sessions.line(number, len(lines), kind, content))
    project = f"/project-{number % PROJECTS}"
    return [
        {**line, "cwd": project, "timestamp": as_text(at + timedelta(seconds=place))}
        for place, line in enumerate(lines)
    ]


def fill(folder: Path, turns: int, entries: int) -> None:
    """Sessions that are heard, and copies of them."""
    calls = max(0, round((turns / entries * HOLDING - TURNS) / 2))
    with house(folder, clock=SteppingClock(NIGHT), **NO_PAUSES) as memory:
        memory.notebook.sync()
        memory.home.store.runs.keep_from(as_text(START))
        for number in range(HEARD):
            at = START + timedelta(days=DAYS - 1, hours=8, minutes=12 * number)
            memory.capture(write_jsonl(folder / "in" / f"{number}.jsonl", *padded(number, at, calls)))
        memory.scribe()
        holding = memory.home.store.pruning.holding()
        measured(turns=memory.status().turns, entries=holding)
    copied(folder / "steno" / "steno.db", round(entries / holding))


def copied(store: Path, times: int) -> None:
    """Every row so often again."""
    connection = apsw.Connection(str(store))
    connection.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF")
    columns = {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in COPIES}
    at = {table: f"_{table}" for table in COPIES}
    most = {
        table: next(connection.execute(f"SELECT max({key}) FROM {table}"))[0]
        for table, key in (("sessions", "id"), ("turns", "id"), ("entries", "number"))
    }
    with connection:
        for table, name in at.items():
            connection.execute(f"CREATE TEMP TABLE {name} AS SELECT * FROM main.{table}")
        for number in range(1, times):
            given = {table: number * last for table, last in most.items()}
            given |= {
                "number": number,
                "copy": f"{sessions.SYLLABLES[number % 20]}{number}",
                "days": number * (DAYS - 2) // times,
            }
            for table, name in at.items():
                said = [COPIES[table].get(one, one).format(name=one) for one in columns[table]]
                connection.execute(f"INSERT INTO main.{table} SELECT {', '.join(said)} FROM {name}", given)
        connection.execute("UPDATE meta SET value = (SELECT max(id) FROM turns) WHERE name = 'read_up_to'")
    connection.close()


def in_a_process(act: Callable[[Memory], list[str]], folder: Path) -> tuple[float, float, list[str]]:
    """What it costs in a process that does nothing else: seconds, megabytes, and what it says."""
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_measured, args=(act, folder, there))
    process.start()
    seconds, megabytes, lines = here.recv()
    process.join()
    return seconds, megabytes, lines


def _measured(act: Callable[[Memory], list[str]], folder: Path, told: Any) -> None:
    with house(folder, clock=SteppingClock(NIGHT), **NO_PAUSES) as memory:
        began = time.process_time()
        lines = act(memory)
        seconds = time.process_time() - began
    told.send((seconds, peak(), lines))


def peak() -> float:
    """The most memory this process had. Its parent's is not counted, as `getrusage` would."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1024


def nothing(memory: Memory) -> list[str]:
    return [f"{memory.status().turns:,} turns, {memory.home.store.pruning.holding():,} entries that hold"]


def night(memory: Memory) -> list[str]:
    """Every job, told with its own cost and the memory the process has had by then."""
    lines, began = [], time.process_time()

    def told(run: Any) -> None:
        nonlocal began
        seconds, began = time.process_time() - began, time.process_time()
        most = peak()
        lines.append(f"{run.job:<12}{run.state:<8}{seconds:>7.2f} s{most:>6.0f} MB{run.report.changed:>7,} changed")

    Upkeep(memory.home, zone=UTC).look(told=told)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--entries", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="steno-night-") as name:
        folder = Path(name)
        fill(folder, options.turns, options.entries)
        _, least, said = in_a_process(nothing, folder)
        print(f"{said[0]}; a process that asks only that: {least:.0f} MB")
        for which in ("the first night", "the second, nothing new"):
            seconds, most, lines = in_a_process(night if which.startswith("the first") else again, folder)
            print(f"{which}: {seconds:.2f} s, at most {most:.0f} MB", *(f"  {line}" for line in lines), sep="\n")
    return 0


def again(memory: Memory) -> list[str]:
    memory.home.clock.now = as_text(START + timedelta(days=DAYS + 1, hours=3))  # type: ignore[attr-defined]
    return night(memory)


if __name__ == "__main__":
    sys.exit(main())
