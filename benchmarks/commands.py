"""What a command costs who types it: with the daemon up and without, against an interpreter that does nothing.

    python benchmarks/commands.py [--turns 5000] [--runs 20] [--no-model]

A small store with vectors is made by the generator of `hooks.py`. Each command is run as a process, until it has ended,
laid out for 80 columns and with `--json`: first without a daemon, then through one that has run it once already; beside
it, in turns, `python -I -S -c pass`. Told are the wall time from start to end, and the processor time of the process
that was typed (with a daemon, the rest is the daemon's). Then how much memory the daemon and its children hold when
they have been idle for a while, before any command and after all of them.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from hooks import at, running, talk

from steno.memory import Memory
from steno.testing import write_jsonl

# Of the process that was typed, with the daemon up: as JSON, laid out; and of the daemon with all it has.
AIM_MS: Final = (40, 120)
AIM_MB: Final = 160
VERBS: Final = {
    "status": (),
    "rules": (),
    "recall": ("why no redis for the refunds",),
    "entries": ("--category", "decision"),
    "sessions": (),
    "brief": ("--session", "s1", "--at", "2026-06-01"),
}
COMMANDS: Final = {"steno --version": ("--version",)} | {
    f"steno {verb}{form}": (verb, *words, *form.split()) for verb, words in VERBS.items() for form in ("", " --json")
}
# After two beats in which nobody asked, the daemon gives back what answers needed.
IDLE_SECONDS: Final = 70
BARE: Final = "python -I -S -c pass"
# What people type; `python -m steno` takes Python some milliseconds more.
STENO: Final = str(Path(sys.executable).with_name("steno"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=20, help="processes per kind")
    parser.add_argument("--no-model", action="store_true", help="recall by words only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="steno-commands-") as folder:
        place = Path(folder)
        environment = {**os.environ, "STENO_HOME": str(place / "home"), "HOME": str(place / "nobody"), "COLUMNS": "80"}
        # An installed program is compiled once, not at every start.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if options.no_model:
            environment["STENO_EMBEDDING"] = "off"
        made(place, options.turns, environment)
        alone = measured(environment, options.runs)
        with running(place / "home", environment) as daemon:
            first = resident(daemon)
            for words in COMMANDS.values():
                timed([STENO, *words], environment)
            through = measured(environment, options.runs)
            last = resident(daemon)
    report(alone, through, options.runs)
    for when, sizes in (("before any command", first), ("after all of them", last)):
        each = " + ".join(f"{size:.0f}" for size in sizes)
        print(f"the idle daemon and its children, resident, {when}: {sum(sizes):.0f} MB ({each})")
    return 0


def made(place: Path, turns: int, environment: dict[str, str]) -> None:
    write_jsonl(place / "talk.jsonl", *talk(place, turns))
    with Memory(place / "home", environment=environment) as memory:
        memory.capture(place / "talk.jsonl", source="jsonl")
        memory.scribe()
        vectors = memory.embed()
        print(f"{turns:,} turns, {len(memory.entries()):,} entries, {vectors:,} with vectors")


# Wall and processor milliseconds of each run.
Measured = dict[str, tuple[list[float], list[float]]]


def measured(environment: dict[str, str], runs: int) -> Measured:
    found: Measured = {name: ([], []) for name in (BARE, *COMMANDS)}
    for _ in range(runs):
        for name, (walls, processors) in found.items():
            words = [sys.executable, "-I", "-S", "-c", "pass"] if name == BARE else [STENO, *COMMANDS[name]]
            wall, processor = timed(words, environment)
            walls.append(wall)
            processors.append(processor)
    return found


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    # There we stand in no project, so that all are looked at.
    subprocess.run(command, env=environment, cwd=environment["STENO_HOME"], capture_output=True, check=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1e3, processor * 1e3


def resident(daemon: int) -> list[float]:
    """Megabytes of the daemon and of everything below it, when nobody has asked for a while."""
    time.sleep(IDLE_SECONDS)
    told = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in told.splitlines()]
    family = [daemon]
    for member in family:
        family += [pid for pid, parent, _ in rows if parent == member]
    sizes = {pid: rss / 1024 for pid, _, rss in rows}
    return [sizes[pid] for pid in family if sizes[pid]]  # one that has ended holds nothing


def report(alone: Measured, through: Measured, runs: int) -> None:
    print(f"\nmedians of {runs} runs{'without the daemon':>40}{'with it':>27}")
    print(f"{'wall ms':>47}{'ratio':>8}{'processor':>11}{'wall ms':>10}{'ratio':>8}{'processor':>11}")
    for name in (BARE, *COMMANDS):
        cells = []
        for kind in (alone, through):
            wall, processor, floor = at(kind[name][0], 50), at(kind[name][1], 50), at(kind[BARE][0], 50)
            cells.append((wall, wall / floor, processor))
        (a, b, c), (d, e, f) = cells
        print(f"{name:<32}{a:15.1f}{b:8.1f}{c:11.1f}{d:10.1f}{e:8.1f}{f:11.1f}")
    print(f"aim, processor with it: {AIM_MS[0]} ms with --json, {AIM_MS[1]} laid out; the daemon {AIM_MB} MB in all")


if __name__ == "__main__":
    sys.exit(main())
