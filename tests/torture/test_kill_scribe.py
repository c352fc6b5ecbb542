"""Kill -9 in the middle of scribing: no entry lost, none twice. `make torture` does it 200 times."""

import os
import random
import subprocess
import sys
from pathlib import Path

from steno.testing import house, said, write_jsonl

CYCLES = int(os.environ.get("STENO_KILLS", "8"))
SCRIBE = """
import sys
import steno.store.entries as entries
entries._PORTION = 5
import steno
memory = steno.open(sys.argv[1])
memory.scribe(progress=lambda turns: print(turns, flush=True))
"""


def talk(number: int) -> list[dict[str, object]]:
    at = f"2026-02-01T10:{number // 60 % 60:02}:{number % 60:02}Z"
    return [
        said(f"no, never use library{number} here, it broke the build of module{number}", id=f"{number}a", at=at),
        said(f"The issue is that `module{number}` calls `library{number}` twice.", role="assistant", id=f"{number}b"),
        said(f"always run check{number} before you touch module{number}", id=f"{number}c", at=at),
    ]


def test_a_scribe_killed_at_any_moment_loses_and_doubles_nothing(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", *(line for number in range(60 + 4 * CYCLES) for line in talk(number)))
    with house(tmp_path / "whole") as memory:
        memory.capture(path, source="jsonl")
        memory.scribe()
        whole = [entry.id for entry in memory.entries()]
    with house(tmp_path / "killed") as memory:
        memory.capture(path, source="jsonl")
    chance = random.Random(5)
    home = tmp_path / "killed" / "steno"
    for _ in range(CYCLES):
        process = subprocess.Popen([sys.executable, "-c", SCRIBE, str(home)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(chance.randint(0, 5)):
            process.stdout.readline()
        process.kill()
        process.wait()
        process.stdout.close()
        with house(tmp_path / "killed") as memory:
            assert [check.name for check in memory.doctor() if not check.ok] == []
    with house(tmp_path / "killed") as memory:
        memory.scribe()
        assert [entry.id for entry in memory.entries()] == whole
    assert len(whole) >= 60
