"""What the daemon costs over time: memory and its slope, processor time, files and threads.

    python benchmarks/soak.py [--seconds 60 | --hours 2] [--turns 20000]

A real daemon on a store of its own; vectors are off, so that it is the daemon alone. In the first half nobody does
anything; in the second half a person says something every second and two hooks ask. The slope is a straight line
through the samples of each half but its first tenth; it is judged in runs of half an hour or more, else it is noise.
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
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from measured import measured

from steno.client import call
from steno.daemon.control import ask, command, environment
from steno.memory import Memory
from steno.testing import said, write_jsonl

AIMS = {"anonymous_mb": 120.0, "cpu_percent": 0.5, "slope_mb_h": 1.0}
JUDGED_FROM_SECONDS = 1800.0
WORDS = "deploy staging payments table column retry queue token cache invoice parser schema socket lock timeout".split()


class Sample(NamedTuple):
    """The process at one moment."""

    at: float
    anonymous_mb: float
    resident_mb: float
    cpu_seconds: float
    files: int
    threads: int
    children: int


class Half(NamedTuple):
    """What one half of the run showed."""

    samples: list[Sample]

    def cpu_percent(self) -> float:
        first, last = self.samples[0], self.samples[-1]
        return 100 * (last.cpu_seconds - first.cpu_seconds) / (last.at - first.at)

    def slope_mb_h(self) -> float:
        """Least squares through the samples after the first tenth."""
        kept = self.samples[len(self.samples) // 10 :]
        mid_at = sum(one.at for one in kept) / len(kept)
        mid_mb = sum(one.resident_mb for one in kept) / len(kept)
        over = sum((one.at - mid_at) * (one.resident_mb - mid_mb) for one in kept)
        under = sum((one.at - mid_at) ** 2 for one in kept)
        return 3600 * over / under if under else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--turns", type=int, default=20_000)
    options = parser.parse_args()
    seconds = options.hours * 3600 if options.hours else options.seconds
    with tempfile.TemporaryDirectory(prefix="steno-soak-") as folder:
        return soak(Path(folder), seconds, options.turns)


def soak(folder: Path, seconds: float, turns: int) -> int:
    """Make a store, start the daemon, watch it."""
    home = folder / "steno"
    variables = {"HOME": str(folder), "PATH": os.environ["PATH"], "STENO_EMBEDDING": "off", **environment(home)}
    make_store(home, folder, turns, variables)
    with subprocess.Popen(command(), env=variables, stdin=subprocess.DEVNULL) as process:
        try:
            settle(home)
            idle = watch(process.pid, seconds / 2, lambda: None)
            waited: list[float] = []
            working = watch(process.pid, seconds / 2, agent(home, folder, waited))
            vitals = ask(home)
        finally:
            process.send_signal(signal.SIGTERM)
        code = process.wait(30)
    measured(samples=min(len(idle.samples), len(working.samples)), hooks=len(waited))
    measured(answered_hooks=vitals.hooks["answered"] if vitals else 0)
    waited.sort()
    half, most = waited[len(waited) // 2], waited[int(len(waited) * 0.99)]
    print(
        f"hooks while somebody speaks: median {1000 * half:.1f} ms, p99 {1000 * most:.1f} ms, {vitals and vitals.hooks}"
    )
    return report(
        idle, working, problems=vitals.problems if vitals else ["does not answer"], code=code, seconds=seconds
    )


def make_store(home: Path, folder: Path, turns: int, variables: dict[str, str]) -> None:
    """A store of made-up talk, understood by the scribe."""
    random.seed(7)
    for session in range(max(1, turns // 500)):
        lines = [
            said(talk(), session=f"s{session}", id=str(number), project=f"/p{session % 10}", role=speaker(number))
            for number in range(500)
        ]
        write_jsonl(folder / "in" / f"{session}.jsonl", *lines)
    with Memory(home, environment=variables) as memory:
        captured = memory.capture(folder / "in", source="jsonl")
        learnt = memory.scribe()
        memory.embed()
    print(f"store: {captured.turns:,} turns in {len(captured.sessions)} sessions, {learnt.entries:,} entries")


def speaker(number: int) -> str:
    """A person speaks now and then; the rest is an agent and its tools."""
    return "user" if number % 20 == 0 else "assistant" if number % 2 else "tool"


def talk() -> str:
    start = "no, never " if random.random() < 0.002 else ""
    return start + " ".join(random.choices(WORDS, k=random.randint(5, 40)))


def settle(home: Path) -> None:
    """Until it has looked at everything."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        vitals = ask(home)
        if vitals is not None and vitals.sessions:
            time.sleep(5)
            return
        time.sleep(0.2)
    raise SystemExit("the daemon does not come to rest")


def agent(home: Path, folder: Path, waited: list[float]) -> Callable[[], None]:
    """Something said in Claude Code and a hook that asks, each time it is called; how long each hook waited."""
    transcript = folder / ".claude" / "projects" / "p" / "soak.jsonl"
    number = iter(range(10**9))

    def work() -> None:
        id_ = f"u{next(number)}"
        line = {"type": "user", "uuid": id_, "parentUuid": None, "isSidechain": False, "sessionId": "soak"}
        line |= {"cwd": "/p1", "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())}
        write_jsonl(transcript, line | {"message": {"role": "user", "content": talk()}})
        tool = {"tool_name": "Bash", "tool_input": {"command": talk()}, "tool_use_id": id_}
        given = {"session_id": "soak", "cwd": "/p1", "transcript_path": str(transcript), **tool}
        for event in ("PreToolUse", "PostToolUse"):
            payload = json.dumps({"hook_event_name": event, **given}).encode()
            began = time.monotonic()
            with suppress(OSError):
                call(str(home), "hook", "claude-code", event, payload, 5)
            waited.append(time.monotonic() - began)

    return work


def watch(pid: int, seconds: float, work: Callable[[], None]) -> Half:
    """A sample a second, with work in between."""
    samples = [sample(pid)]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        work()
        time.sleep(max(0.0, 1.0 - (time.monotonic() - began)))
        samples.append(sample(pid))
    return Half(samples)


def sample(pid: int) -> Sample:
    """From the system, without asking the daemon."""
    process = Path(f"/proc/{pid}")
    rollup = dict(line.split(":", 1) for line in (process / "smaps_rollup").read_text("ascii").splitlines()[1:])
    times = (process / "stat").read_text("utf-8").rpartition(")")[2].split()
    return Sample(
        at=time.monotonic(),
        anonymous_mb=int(rollup["Anonymous"].split()[0]) / 1024,
        resident_mb=int(rollup["Rss"].split()[0]) / 1024,
        cpu_seconds=(int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
        files=len(os.listdir(process / "fd")),
        threads=len(os.listdir(process / "task")),
        children=len((process / "task" / str(pid) / "children").read_text("ascii").split()),
    )


def report(idle: Half, working: Half, *, problems: list[str], code: int, seconds: float) -> int:
    """The figures, and which of them are over their aims."""
    missed = [*problems, *([] if code == 0 else [f"it left with code {code}"])]
    for name, half in (("idle", idle), ("working", working)):
        most = max(one.anonymous_mb for one in half.samples)
        files, threads = ({getattr(one, what) for one in half.samples} for what in ("files", "threads"))
        print(
            f"{name:8} {len(half.samples):6,} samples   cpu {half.cpu_percent():6.3f} %   "
            f"anonymous {most:6.1f} MB   resident {half.slope_mb_h():+7.2f} MB/h   "
            f"files {min(files)}-{max(files)}   threads {min(threads)}-{max(threads)}   "
            f"children {max(one.children for one in half.samples)}"
        )
        if most > AIMS["anonymous_mb"]:
            missed.append(f"{name}: {most:.1f} MB of anonymous memory")
        if seconds >= JUDGED_FROM_SECONDS and half.slope_mb_h() > AIMS["slope_mb_h"]:
            missed.append(f"{name}: grows by {half.slope_mb_h():.2f} MB/h")
    if idle.cpu_percent() > AIMS["cpu_percent"]:
        missed.append(f"idle: {idle.cpu_percent():.2f} % of a core")
    if len({(one.files, one.threads) for one in idle.samples}) > 1:
        missed.append("idle: files or threads come and go")
    for miss in missed:
        print(f"MISSED   {miss}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
