"""How quickly "who am I, what was I doing" is answered: handoff, capsule, and everything that is saved at a boundary.

    python benchmarks/identity.py [--sessions N] [--entries N] [--rounds N]

A store is made up: sessions with a goal, entries of every category in them, and rules. Each answer is timed in a warm
memory, as the daemon has it.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from measured import measured

from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import CATEGORIES


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float, float]:
    """p50, p95 and p99 of some rounds, in milliseconds."""
    work()
    times = []
    for _ in range(rounds):
        began = perf_counter()
        work()
        times.append(1000 * (perf_counter() - began))
    times.sort()
    return times[rounds // 2], times[int(rounds * 0.95)], times[min(rounds - 1, int(rounds * 0.99))]


def main() -> None:
    """Make the store, time, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--entries", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    clock = SteppingClock("2026-03-01T12:00:00.000Z")
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), clock=clock) as memory:
        talk = [
            said(f"build the order service number {number}", session=f"s{number}", project=f"/shop{number % 9}",
                 at=f"2026-03-01T{number % 12:02}:{number % 60:02}:00Z")
            for number in range(given.sessions)
        ]  # fmt: skip
        memory.capture(write_jsonl(Path(folder) / "t.jsonl", *talk), source="jsonl")
        memory.scribe()
        for number in range(given.entries):
            category, words = CATEGORIES[number % len(CATEGORIES)], f"thing {number} of the shop is to be kept"
            memory.home.store.entries.remember(words, category, project=f"/shop{number % 9}", agent=None, now=clock())
        memory.rules.settle()
        measured(sessions=given.sessions, entries=memory.status().entries, rules=len(memory.rules.all()))
        print(f"{'milliseconds':<28}{'p50':>8}{'p95':>8}{'p99':>8}")
        answers: dict[str, Callable[[], object]] = {
            "handoff": memory.handoff,
            "capsule": memory.capsule,
            "all files saved": lambda: memory.save(),
        }
        for name, work in answers.items():
            print(f"{name:<28}" + "".join(f"{one:8.1f}" for one in timed(work, given.rounds)))


if __name__ == "__main__":
    main()
