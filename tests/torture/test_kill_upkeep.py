"""Kill -9 at random points of every job: nothing lost, nothing half done, all comes back. `make torture`: 200 times."""

import json
import os
import random
import subprocess
import sys
from datetime import UTC
from pathlib import Path

from steno.memory import Memory
from steno.store import open_store
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.upkeep.jobs import all_jobs
from steno.upkeep.run import Upkeep

KILLS = int(os.environ.get("STENO_KILLS", "8"))
OLD, NOW = "2026-03-01T10:00:00.000Z", "2026-03-20T03:00:00.000Z"
# Runs jobs in children of its own, each of which kills itself at its so-and-so-many-th call of a function.
CHILD = """
import json, os, signal, sys
from pathlib import Path
from test_kill_upkeep import opened, upkeep_of

def run(job, calls):
    left = calls
    def count(*_):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    with opened(Path(sys.argv[1])) as memory:
        upkeep = upkeep_of(memory)
        sys.setprofile(count)
        upkeep.run(job)
        sys.setprofile(None)
    return calls - left

for line in sys.stdin:
    job, calls = json.loads(line)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, str(run(job, calls)).encode())
        os._exit(0)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    print(json.dumps([os.WIFSIGNALED(status), os.read(reading, 20).decode()]), flush=True)
    os.close(reading)
"""


def opened(folder: Path):  # type: ignore[no-untyped-def]
    return house(folder, clock=SteppingClock(NOW), prune_share="0.2")


def upkeep_of(memory: Memory) -> Upkeep:
    return Upkeep(memory.home, zone=UTC)


class Children:
    """Jobs in processes of their own."""

    def __init__(self, folder: Path) -> None:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
        command = [sys.executable, "-c", CHILD, str(folder)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def run(self, job: str, calls: int = -1) -> tuple[bool, int]:
        """Whether it was killed, and how many calls it took otherwise."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([job, calls]) + "\n")
        self._process.stdin.flush()
        killed, took = json.loads(self._process.stdout.readline())
        return killed, abs(int(took or 0))

    def end(self) -> None:
        self._process.communicate()


def begin(folder: Path) -> list[tuple[str, str]]:
    """A home with much to do at night; its entries."""
    lines = [
        said(f"Root cause: `queue{number}` never clears its timer when the worker stops.", role="assistant", at=OLD)
        for number in range(60)
    ]
    with house(folder, clock=SteppingClock(OLD)) as memory:
        memory.capture(write_jsonl(folder / "s.jsonl", said("look at the queues", at=OLD), *lines))
        memory.capture(write_jsonl(folder / "s.jsonl", said("never touch the ledger by hand", at=OLD)))
        memory.scribe()
        memory.notebook.sync()
        memory.notebook.history.turn(on=True)
        (memory.home.notebook / "working-buffer.md").write_text("what was in work\n")
        return statuses(memory)


def statuses(memory: Memory) -> list[tuple[str, str]]:
    return sorted((entry.id, entry.status) for entry in memory.entries())


def sound(folder: Path, before: list[tuple[str, str]]) -> None:
    """Whether all is there, and what was laid aside is written down."""
    with opened(folder) as memory:
        assert [check.name for check in memory.doctor() if not check.ok] == []
        now = dict(statuses(memory))
        gone = {id_ for id_, status in before if now[id_] != status}
        pruned = {
            entry
            for run in memory.upkeep.runs(most=10_000)
            for (entry,) in memory.home.store.pruning._database.rows("pruned_by", {"run": run.id})
        }
        assert gone == pruned
        kept = [memory.home.notebook / "working-buffer.md", *(memory.home.root / "backups").glob("buffer-*.md")]
        assert any("what was in work" in path.read_text() for path in kept if path.exists())
        for copy in (memory.home.root / "backups").glob("store-*.db"):
            again = folder / "again"
            again.mkdir(exist_ok=True)
            (again / "steno.db").write_bytes(copy.read_bytes())
            store = open_store(again, busy_seconds=1)
            assert {id_ for id_, _ in before} <= {entry.id for entry in store.entries.all()}
            store.close()


def test_jobs_killed_at_any_point_lose_nothing_and_what_they_did_comes_back(tmp_path: Path) -> None:
    before = begin(tmp_path)
    children, dice = Children(tmp_path), random.Random(7)
    names = [job.name for job in all_jobs()]
    children.run("curate")
    lengths = {name: children.run(name)[1] for name in names}
    killed = 0
    for kill in range(KILLS):
        name = names[kill % len(names)]
        # A job that ran before has less to do: early points hit it more often.
        killed += children.run(name, dice.randint(1, max(2, lengths[name] // 2)))[0]
        sound(tmp_path, before)
    children.run("all")
    children.end()
    sound(tmp_path, before)
    assert killed >= KILLS // 4
    with opened(tmp_path) as memory:
        upkeep = upkeep_of(memory)
        runs = upkeep.runs(most=10_000)
        assert {run.state for run in runs} <= {"ok", "stopped", "skipped"}
        for run in runs:
            if run.job == "prune" and run.undo == "possible":
                upkeep.undo(run.id)
        assert statuses(memory) == before
