"""Programs that are run: real ones, also those that hang, flood, fork and hide. None outlives its deadline, or us."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from steno.processes import Ran, run

from .conftest import PATIENCE, wait_until

SOURCE = Path(__file__).parent.parent / "src"
KILLED = -9
# Says who it is in a file, holds its output open, and never ends.
HOLDS_ON = (
    "import os, sys, time\nprint('begun', flush=True)\nopen(sys.argv[1], 'w').write(str(os.getpid()))\ntime.sleep(1e6)"
)
# Leaves such a process behind, in its own session or in another one, once that has said who it is.
LEAVES = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[2], sys.argv[1]], start_new_session={apart})
while not os.path.exists(sys.argv[1]) or not open(sys.argv[1]).read(): time.sleep(.01)
"""
# Ends while a thread of it still waits for a program.
ENDS = """
import pathlib, sys, threading, time
from steno.processes import end_all, run
threading.Thread(target=run, args=(sys.argv[2:], 1e6, 0), daemon=True).start()
while not pathlib.Path(sys.argv[1]).exists() or not pathlib.Path(sys.argv[1]).read_text(): time.sleep(.01)
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose environment is whose")


def gone(path: Path) -> bool:
    """Whether the process whose number stands in a file has ended."""
    try:
        pid = int(path.read_text())
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return path.exists()


def python(code: str, *arguments: object) -> list[str]:
    return [sys.executable, "-c", code, *map(str, arguments)]


def test_a_program_that_ends_well_is_what_it_printed() -> None:
    assert run(python("import sys; print('done'); print('beside', file=sys.stderr)"), PATIENCE, 100) == (
        "done\n",
        "",
        0,
    )


def test_a_program_that_fails_says_why_whether_it_said_so_aloud_or_beside() -> None:
    said = run(python("import sys; print('first\\nlast'); sys.stdout.flush(); sys.exit('no login')"), PATIENCE, 100)
    assert said == ("first\nlast\n", "ended with 1: first last no login", 1)
    assert run(python("exit(3)"), PATIENCE, 100) == ("", "ended with 3", 3)


def test_a_program_that_hangs_is_ended_at_its_deadline(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    # Long enough to begin on a busy machine, short enough for a test: it is tried with more patience until it began.
    for seconds in (1.0, 4.0, 16.0, 64.0):
        ran = run(python(HOLDS_ON, pid), seconds, 0)
        assert ran == ("", f"was not done in {seconds:g} seconds", KILLED)
        if pid.exists() and pid.read_text():
            break
    wait_until(lambda: gone(pid))


@linux
@pytest.mark.parametrize("apart", [False, True])
def test_what_a_program_leaves_behind_is_ended_and_nobody_waits_for_it(tmp_path: Path, apart: bool) -> None:
    pid = tmp_path / "pid"
    assert run(python(LEAVES.format(apart=apart), pid, HOLDS_ON), PATIENCE, 0) == ("", "", 0)
    wait_until(lambda: gone(pid))


@linux
@pytest.mark.parametrize("how", ["", "import os; end_all(); os._exit(0)", "raise SystemExit(1)"])
@pytest.mark.parametrize("apart", [False, True])
def test_nothing_that_runs_outlives_us(tmp_path: Path, how: str, apart: bool) -> None:
    pid = tmp_path / "pid"
    stays = LEAVES.format(apart=apart) + "time.sleep(1e6)"
    words = python(ENDS + how, pid, *python(stays, pid, HOLDS_ON))
    subprocess.run(words, env={**os.environ, "PYTHONPATH": str(SOURCE)}, timeout=PATIENCE)
    wait_until(lambda: gone(pid))


def test_of_a_program_that_prints_far_too_much_a_part_is_kept_and_how_it_ended() -> None:
    floods = "import os\nfor _ in range(1 << 4): os.write(1, b'x' * (1 << 20))\nos.write(1, b' the end')\nos._exit({})"
    ran = run(python(floods.format(3)), PATIENCE, 100)
    assert (ran.out, ran.code, len(ran.problem) < 300) == ("x" * 100, 3, True)
    assert ran.problem.startswith("ended with 3: …x")
    assert ran.problem.endswith("x the end")
    assert run(python(floods.format(0)), PATIENCE, 100) == ("x" * 100, "printed more than 100 bytes", 0)
    # Where nobody wants its output, none is too much.
    assert run(python(floods.format(0)), PATIENCE, 0) == ("", "", 0)


def test_a_program_that_never_stops_printing_is_ended_at_its_deadline() -> None:
    ran = run(python("import os\nwhile True: os.write(1, b'x' * (1 << 20))"), 1.0, 100)
    assert ran.problem == "was not done in 1 seconds"
    assert ran.code == KILLED
    assert len(ran.out) <= 100


def test_who_says_stop_does_not_wait() -> None:
    assert run(python("import time; time.sleep(1e6)"), 1e6, 0, stop=lambda: True).code == KILLED


@pytest.mark.parametrize("words", ["no-such-program", '"', "", [], "true; echo $(id) > was-run"])
def test_what_cannot_be_run_was_not_begun_and_no_shell_reads_it(tmp_path: Path, words: str | list[str]) -> None:
    ran = run(words, PATIENCE, 0, folder=tmp_path)
    assert ran == Ran("", ran.problem, None)
    assert ran.problem.startswith("cannot be run: ")
    assert list(tmp_path.iterdir()) == []
