"""What the command line prints is what it printed before. Where a change is meant: `python -m tests.golden.record`."""

import fcntl
import json
import os
import sys

import pytest

from steno.cli.tree import every_name

from .machine import EXPECTED, HERE, everything, lines

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="paths and programs of the machine are those of Linux")

# These start a process, wait for one, or tell of this machine: only their help is looked at.
ONLY_HELP = {"agents pulse run", "mcp", "daemon service install", "daemon service uninstall"}


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Everything that is printed, by file; looked at once, by one worker for all of them."""
    place = tmp_path_factory.getbasetemp()
    shared = place.parent if "PYTEST_XDIST_WORKER" in os.environ else place
    with (shared / "golden.json").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if not (known := file.read()):
            file.write(known := json.dumps(everything()))
    found: dict[str, str] = json.loads(known)
    return found


@pytest.mark.parametrize("name", sorted(path.stem for path in EXPECTED.glob("*.txt")))
def test_a_command_prints_what_it_printed_before(name: str, shown: dict[str, str]) -> None:
    assert shown.get(name, "").splitlines() == (EXPECTED / f"{name}.txt").read_text("utf-8").splitlines()


def test_nothing_is_printed_that_nobody_expects(shown: dict[str, str]) -> None:
    assert sorted(shown) == sorted(path.stem for path in EXPECTED.glob("*.txt"))


def test_every_command_is_looked_at() -> None:
    looked_at = list(lines(HERE / "commands.txt"))
    missing = [name for name in every_name() if not any(_calls(words, name.split()) for words in looked_at)]
    assert set(missing) == ONLY_HELP


def _calls(words: list[str], name: list[str]) -> bool:
    """Whether a command line calls a command: by its name, or a group by its own command."""
    group = name[:-1] if name[-1] in ("list", "status", "threads") else name
    return words[: len(name)] == name or (words[: len(group)] == group and words != name)
