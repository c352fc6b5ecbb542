"""Kills a capture with SIGKILL again and again while its transcripts grow. What must hold: after every kill `doctor`
finds nothing, and one undisturbed capture at the end leaves every turn in the journal exactly once, and nothing else.

    python tests/torture/kill.py --cycles 300 [--seed N]
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from steno.testing import house

FILES = 4
# The child reads in blocks of this size, so that a few hundred kilobytes are many transactions. After each it waits
# until it may go on: however busy the machine is, it is not done before it is killed.
BLOCK = 4096
CHILD = f"""
import sys
from pathlib import Path
from steno.sources import files
from steno.testing import house
files.BLOCK = {BLOCK}
folder = Path(sys.argv[1])
def pause(*_):
    print(flush=True)
    sys.stdin.readline()
pause()
with house(folder) as memory:
    pause()
    memory.capture(folder / "t", source="jsonl", progress=pause)
"""


class Outcome(Struct):
    """What the torture showed."""

    cycles: int
    # Children that were killed before they were done, and those that were faster.
    killed: int
    finished: int
    # Turns that were written, are there, are missing, are there twice, or were never written.
    expected: int
    found: int
    lost: int
    doubled: int
    strange: int
    # What doctor found, with the cycle.
    unsound: list[str]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether nothing was lost, doubled or damaged."""
        return not (self.lost or self.doubled or self.strange or self.unsound)


class Transcripts:
    """Some files that grow by whole and torn lines, with and without ids of their own."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self._folder, self._dice = folder, dice
        self._torn: dict[int, bytes] = {}
        self.words: list[str] = []
        folder.mkdir(parents=True)

    def grow(self, lines: int) -> None:
        """Append lines to each file; the last one may be torn until the next time."""
        for number in range(FILES):
            data = self._torn.pop(number, b"") + b"".join(self._line(number) for _ in range(lines))
            cut = len(data) - self._dice.choice([0, 0, 1, 17])
            self._torn[number] = data[cut:]
            with (self._folder / f"{number}.jsonl").open("ab") as file:
                file.write(data[:cut])

    def finish(self) -> None:
        """Complete what is torn."""
        for number, rest in self._torn.items():
            with (self._folder / f"{number}.jsonl").open("ab") as file:
                file.write(rest)

    def _line(self, number: int) -> bytes:
        word = f"w{len(self.words)} " + "pad " * self._dice.randrange(60)
        self.words.append(word)
        line = {"session": f"s{number}", "role": "user", "text": word}
        if number % 2:
            line["id"] = word
        bad = b"\0\0 not a line\n" if self._dice.random() < 0.02 else b""
        return bad + json.dumps(line).encode() + b"\n"


def torture(
    folder: Path, *, cycles: int, seed: int, lines: int = 40, told: Callable[[int, int], None] = lambda *_: None
) -> Outcome:
    """Grow, capture, kill, examine; then capture once in peace and compare."""
    began, dice = time.monotonic(), random.Random(seed)
    transcripts = Transcripts(folder / "t", dice)
    killed, unsound = 0, list[str]()
    for cycle in range(cycles):
        transcripts.grow(lines)
        killed += _capture_and_kill(folder, dice)
        unsound += [f"cycle {cycle}: {finding}" for finding in _findings(folder)]
        told(cycle + 1, killed)
    transcripts.finish()
    with house(folder) as memory:
        memory.capture(folder / "t", source="jsonl")
        found = Counter(turn.turn.text for item in memory.sessions() for turn in memory.turns(item.session.session))
    unsound += [f"at the end: {finding}" for finding in _findings(folder)]
    expected = set(transcripts.words)
    return Outcome(
        cycles=cycles,
        killed=killed,
        finished=cycles - killed,
        expected=len(expected),
        found=found.total(),
        lost=len(expected - found.keys()),
        doubled=sum(1 for number in found.values() if number > 1),
        strange=len(found.keys() - expected),
        unsound=unsound,
        seconds=round(time.monotonic() - began, 1),
    )


def _capture_and_kill(folder: Path, dice: random.Random) -> bool:
    """Start a capture and kill it: after some of its batches, and then at any moment of the next. Was it still on?"""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert child.stdin is not None
    assert child.stdout is not None
    for _ in range(dice.randrange(1, 12)):
        if not child.stdout.readline():
            break
        child.stdin.write(b"\n")
    # Anywhere within a transaction, not only right after one: a commit takes about a millisecond.
    end = time.monotonic() + dice.random() * 0.004
    while time.monotonic() < end:
        pass
    os.kill(child.pid, signal.SIGKILL)
    child.stdin.close()
    child.stdout.close()
    return child.wait() == -signal.SIGKILL


def _findings(folder: Path) -> list[str]:
    with house(folder) as memory:
        return [f"{check.name}: {check.detail}" for check in memory.doctor() if not check.ok]


def main() -> int:
    """Torture in a temporary folder, and tell."""
    parser = argparse.ArgumentParser(description="Kill a capture again and again; nothing may be lost or doubled.")
    parser.add_argument("--cycles", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()

    def told(cycle: int, killed: int) -> None:
        if cycle % 10 == 0 or cycle == chosen.cycles:
            print(f"\r{cycle} of {chosen.cycles} cycles, {killed} killed in the middle", end="", flush=True)

    with tempfile.TemporaryDirectory(prefix="steno-torture-") as folder:
        outcome = torture(Path(folder), cycles=chosen.cycles, seed=chosen.seed, told=told)
    print(
        f"\n{outcome.expected} turns written, {outcome.found} found: {outcome.lost} lost, {outcome.doubled} doubled, "
        f"{outcome.strange} strange; doctor complained {len(outcome.unsound)} times; "
        f"seed {chosen.seed}, {outcome.seconds} s"
    )
    for finding in outcome.unsound[:20]:
        print(f"  {finding}")
    print("nothing lost, nothing doubled" if outcome.ok else "FAILED")
    return 0 if outcome.ok else 1


if __name__ == "__main__":
    sys.exit(main())
