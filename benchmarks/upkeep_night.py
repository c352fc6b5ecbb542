"""One night on a large store: how long, and how much memory?

    python benchmarks/upkeep_night.py [--turns 100000] [--entries 10000] [--jobs]

Fills a store with made-up sessions as in `sessions.py`, of three projects over 90 days, with calls and results between
them until turns and entries stand as asked for; then runs the night in a process of its own, as the daemon runs it and
without pauses. The figures are processor time and the most memory that process had, which opened the store and did
nothing else; beside it, what a process needs that only opens the store and asks one thing. Vectors are off.
"""

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sessions
from measured import measured

from steno.clock import as_text
from steno.memory import Memory
from steno.testing import SteppingClock, house, write_jsonl
from steno.upkeep.run import Upkeep

START, DAYS, PROJECTS = datetime(2026, 1, 1, tzinfo=UTC), 90, 3
NIGHT = as_text(START + timedelta(days=DAYS, hours=3))
NO_PAUSES = {"curate_pause_minutes": "0", "prune_pause_minutes": "0"}
# Entries a made-up session brings, and its turns, about.
ENTRIES, TURNS = 5.3, 14
# What tools answer.
ANSWER = "\n".join(f"{number:>4}  value = compute({number}, retries={number % 7})" for number in range(40))


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


def fill(memory: Memory, folder: Path, turns: int, entries: int) -> None:
    """Day by day, so that nothing is read out of order."""
    number = round(entries / ENTRIES)
    calls = max(0, round((turns / number - TURNS) / 2))
    for day in range(DAYS):
        memory.capture(*written(folder / "in", day, number, calls))
    memory.scribe()


def written(folder: Path, day: int, number: int, calls: int) -> Iterator[Path]:
    for key in range(day * number // DAYS, (day + 1) * number // DAYS):
        at = START + timedelta(days=day, hours=8, minutes=key % 600)
        yield write_jsonl(folder / f"{key:06}.jsonl", *padded(key, at, calls))


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
    told.send((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, lines))


def nothing(memory: Memory) -> list[str]:
    return [f"{memory.status().turns:,} turns, {memory._store.pruning.holding():,} entries that hold"]


def night(memory: Memory) -> list[str]:
    """Every job, told with its own cost and the memory the process has had by then."""
    lines, began = [], time.process_time()

    def told(run: Any) -> None:
        nonlocal began
        seconds, began = time.process_time() - began, time.process_time()
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        lines.append(f"{run.job:<12}{run.state:<8}{seconds:>7.2f} s{most:>6.0f} MB{run.report.changed:>7,} changed")

    Upkeep(memory, zone=UTC).look(told=told)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--entries", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="steno-night-") as name:
        folder = Path(name)
        with house(folder, clock=SteppingClock(NIGHT), **NO_PAUSES) as memory:
            memory.notebook.sync()
            fill(memory, folder, options.turns, options.entries)
            memory._store.runs.keep_from(as_text(START))
            measured(turns=memory.status().turns, entries=len(memory.entries()))
        _, least, said = in_a_process(nothing, folder)
        print(f"{said[0]}; a process that asks only that: {least:.0f} MB")
        for which in ("the first night", "the second, nothing new"):
            seconds, most, lines = in_a_process(night if which.startswith("the first") else again, folder)
            print(f"{which}: {seconds:.2f} s, at most {most:.0f} MB", *(f"  {line}" for line in lines), sep="\n")
    return 0


def again(memory: Memory) -> list[str]:
    memory._clock.now = as_text(START + timedelta(days=DAYS + 1, hours=3))  # type: ignore[attr-defined]
    return night(memory)


if __name__ == "__main__":
    sys.exit(main())
