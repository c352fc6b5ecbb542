"""What a message costs, and how little a watchdog needs.

    python benchmarks/fleet.py [--messages 1000] [--kept 2000]

A store in which so many messages were sent and read already; then one after another is sent by one agent and read by
another: from the call that sends to the list that holds it, on the clock and in processor time. The watchdog is started
as its service starts it, and asked of the system after its first look.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from steno.fleet import watchdog
from steno.memory import Memory


def sent_and_read(folder: Path, *, messages: int, kept: int, clock: Callable[[], float]) -> list[float]:
    """Seconds from sending to reading, each, the quickest first."""
    with Memory(folder, environment={"STENO_EMBEDDING": "off", "HOME": str(folder)}) as memory:
        relay, took = memory.fleet.relay, []
        for number in range(kept):
            relay.mark([relay.send(f"word {number}", sender="buyer", to="seller").id], "seller")
        for number in range(messages):
            began = clock()
            sent = relay.send(f"look at report {number}", sender="buyer", to="planner")
            found = relay.unread("planner")
            took.append(clock() - began)
            assert [one.id for one in found] == [sent.id]
            relay.mark([sent.id], "planner")
    return sorted(took)


def watchdog_mb(home: Path) -> float:
    """Resident memory of the watchdog."""
    home.mkdir(parents=True)
    process = subprocess.Popen([sys.executable, "-I", "-S", watchdog.__file__, str(home)])
    try:
        until = time.monotonic() + 60
        while not (home / watchdog.OWN_BEAT).exists() and time.monotonic() < until:
            time.sleep(0.05)
        told = Path(f"/proc/{process.pid}/status").read_text("ascii", "replace").splitlines()
        return int(next(line.split()[1] for line in told if line.startswith("VmRSS"))) / 1024
    finally:
        process.kill()
        process.wait()


def _line(name: str, took: Sequence[float]) -> str:
    p50, p95, p99 = (1000 * took[int(len(took) * share)] for share in (0.5, 0.95, 0.99))
    return f"send to read, {name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms"


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--kept", type=int, default=2000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="steno-fleet-") as folder:
        for name, clock in (("on the clock", time.perf_counter), ("processor", time.process_time)):
            home = Path(folder) / name
            print(_line(name, sent_and_read(home, messages=chosen.messages, kept=chosen.kept, clock=clock)))
        print(f"watchdog: {watchdog_mb(Path(folder) / 'watched'):.1f} MB resident")


if __name__ == "__main__":
    main()
