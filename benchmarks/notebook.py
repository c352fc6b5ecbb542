"""The notebook: how long writing it takes, whole and after one new entry, and how much of a context its index costs.

    python benchmarks/notebook.py [--entries 10000] [--projects 8]

A store of made-up entries of all categories over some projects. Timings are the median of a few runs, on the clock on
the wall and of the processor; on a machine with other work to do only the ratios and the latter tell anything.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from measured import measured

from steno.memory import Memory
from steno.testing import SteppingClock, house
from steno.tokens import count
from steno.vocabulary import CATEGORIES

_WINDOW = 200_000
_WORDS = (
    "anchor basket candle drawer engine feather garden hammer island jacket kettle ladder magnet needle orchard pepper "
    "quiver ribbon saddle teapot umbrella violin walnut yarn zipper almond bucket copper dragon ember falcon goblet "
    "harbor insect jungle kernel lantern marble napkin olive pocket quarry rocket socket tunnel urchin velvet wagon"
).split()


def filled(memory: Memory, entries: int, projects: int) -> None:
    """Made-up entries, told by a person, straight into the store."""
    chooser = random.Random(7)
    store = memory.home.store
    with store.entries.write():
        for number in range(entries):
            words = " ".join(chooser.sample(_WORDS, 9))
            value: dict[str, str | None] = {
                "summary": f"{words} {number}",
                "category": CATEGORIES[number % len(CATEGORIES)],
            }
            value |= {"project": f"/srv/project-{number % projects}", "agent": None}
            at = f"2026-{1 + number % 12:02}-{1 + number % 28:02}T10:00:00.000Z"
            store.entries._apply(at, "remember", f"{number:012x}", value)
    memory.rules.settle()


class Took(NamedTuple):
    """Seconds on the clock on the wall, and of the processor."""

    wall: float
    processor: float


def timed(act: Callable[[], object]) -> Took:
    """How long an act takes."""
    began, worked = time.perf_counter(), time.process_time()
    act()
    return Took(time.perf_counter() - began, time.process_time() - worked)


def median(took: list[Took]) -> Took:
    """The middle one."""
    return sorted(took)[len(took) // 2]


def shown(what: str, took: Took, rest: str) -> None:
    """A line of the result."""
    print(f"{what:22} {took.wall * 1e3:8.1f} ms, of the processor {took.processor * 1e3:8.1f} ms   {rest}")


def plain(folder: Path, notebook: Path) -> Took:
    """How long it takes to write the same bytes to as many files."""
    texts = {path.relative_to(notebook): path.read_bytes() for path in notebook.rglob("*.md")}

    def write() -> None:
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text)

    return timed(write)


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--entries", type=int, default=10_000)
    wanted.add_argument("--projects", type=int, default=8)
    given = wanted.parse_args()
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), clock=SteppingClock()) as memory:
        filled(memory, given.entries, given.projects)
        whole = timed(memory.notebook.sync)
        notebook = memory.home.notebook
        files = sorted(notebook.rglob("*.md"))
        size = sum(path.stat().st_size for path in files)
        base = plain(Path(folder) / "plain", notebook)
        quiet = median([timed(memory.notebook.sync) for _ in range(5)])
        steps = []
        for number in range(9):
            memory.remember(f"something new, number {number}", category="fact", project="/srv/project-1")
            steps.append(timed(memory.notebook.follow))
        topic = next(path for path in files if "topics" in path.parts)
        edited = []
        for number in range(5):
            text = topic.read_text()
            line = next(line for line in text.splitlines() if line.startswith("- ") and "[" not in line)
            topic.write_text(text.replace(line, f"- edited {number} {line.removeprefix('- ')}"))
            edited.append(timed(memory.notebook.sync))
        index = (notebook / "project-1" / "MEMORY.md").read_text()
        boot = memory.boot(project="/srv/project-1", given=False).text
        measured(files=len(files), bytes=size, steps=len(steps))
        print(f"{given.entries:,} entries, {len(files)} pages, {size / 1e6:.1f} MB")
        step, edit = median(steps), median(edited)
        shown("full write", whole, f"{whole.wall / base.wall:.0f} x the same bytes written plainly (at most 5 s)")
        shown("nothing changed", quiet, f"{quiet.wall / whole.wall:.3f} of a full write")
        shown("after one new entry", step, f"{step.wall / whole.wall:.3f} of a full write (at most 100 ms)")
        shown("after one edited line", edit, f"{edit.wall / whole.wall:.3f} of a full write")
        cost = count(index) + count(boot)
        share = f"{cost / _WINDOW:.2%} of {_WINDOW:,}"
        print(f"start-up context: MEMORY.md {len(index.encode()):,} bytes, with boot {cost:,} tokens, {share}")


if __name__ == "__main__":
    main()
