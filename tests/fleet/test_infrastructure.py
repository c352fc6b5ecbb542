"""The machine: programs are asked with a deadline and without a shell; what they cannot tell is not known."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, made_up
from steno.vocabulary.upkeep import Report

from .conftest import NOON

DF = "Filesystem 1024-blocks Used Available Capacity Mounted on\n"
Programs = Callable[..., None]


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A machine that has nothing but the programs of the test."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with house(tmp_path, clock=clock) as memory:
        memory.home.environment = {**memory.home.environment, "PATH": str(tmp_path / "bin")}
        yield memory


@pytest.fixture
def program(tmp_path: Path) -> Programs:
    """A program of this name that prints and ends so."""

    def make(name: str, prints: str = "", code: int = 0, then: str = "") -> None:
        path = tmp_path / "bin" / name
        (tmp_path / f"{name}.said").write_text(prints)
        path.write_text(f"#!/bin/sh\n/bin/cat '{tmp_path}/{name}.said'\n{then}\nexit {code}\n")
        path.chmod(0o755)

    return make


def of(memory: Memory, begins: str) -> list[tuple[str, bool | None, str]]:
    found = memory.fleet.infrastructure.look()
    return [(one.what, one.ok, one.detail) for one in found if one.what.startswith(begins)]


def test_on_a_machine_without_the_programs_everything_is_not_known(memory: Memory) -> None:
    found = {one.what: one.ok for one in memory.fleet.infrastructure.look()}
    assert found == {"disks": None, "services": None, "jobs": None}


def test_a_disk_that_is_nearly_full_is_a_flag_until_there_is_room(memory: Memory, program: Programs) -> None:
    program(
        "df", f"{DF}/dev/sda1 104857600 100000000 4000000 97% /\n/dev/sdb 10000000 9500000 500000 95% /mnt/my disk\n"
    )
    assert of(memory, "disk ") == [
        ("disk /", False, "4% free, 3.8 GB"),
        ("disk /mnt/my disk", False, "5% free, 0.5 GB"),
    ]
    memory.upkeep.run("infrastructure")
    assert sorted(flag.text for flag in memory.fleet.flags()) == [
        "disk /: 4% free, 3.8 GB",
        "disk /mnt/my disk: 5% free, 0.5 GB",
    ]
    program("df", f"{DF}/dev/sda1 104857600 50000000 54857600 48% /\n")
    memory.upkeep.run("infrastructure")
    assert memory.fleet.flags() == []


def test_failed_services_are_named_and_those_of_the_system_are_not_ours(memory: Memory, program: Programs) -> None:
    program("systemctl", "backup.service loaded failed failed Nightly copy\n")
    assert of(memory, "service") == [("service backup.service", False, "it failed"), ("services", True, "1 failed")]
    program("systemctl", "Failed to connect to bus", code=1)
    assert of(memory, "service") == [("services", None, "systemctl ended with 1: Failed to connect to bus")]
    (Path(memory.home.environment["PATH"]) / "systemctl").unlink()
    program("launchctl", "PID\tStatus\tLabel\n12\t0\tfine\n-\t78\torg.me.job\n-\t1\tcom.apple.x\n-\t-15\tstopped\n")
    assert of(memory, "service") == [("service org.me.job", False, "it failed"), ("services", True, "1 failed")]


def test_failed_jobs_are_told(memory: Memory) -> None:
    run = memory.home.store.runs.begin("curate", day="2026-01-07", due=NOON, now=NOON)
    memory.home.store.runs.end(run, "failed", Report(), now=NOON, error="no room")
    assert of(memory, "job") == [("job curate", False, "no room")]


def test_a_project_that_is_left_out_is_not_looked_at(
    memory: Memory, program: Programs, heard: Callable[..., None], tmp_path: Path
) -> None:
    program("df", DF, then=f"echo \"$@\" > '{tmp_path}/asked'")
    for name in ("shop", "secret"):
        (tmp_path / name).mkdir()
        heard("coder", "2026-01-08T11:00:00.000Z", project=str(tmp_path / name))
    memory.exclude(str(tmp_path / "secret"))
    memory.fleet.infrastructure.look()
    assert (tmp_path / "asked").read_text().split() == ["-Pk", "--", str(memory.home.root), str(tmp_path / "shop")]


def test_a_secret_a_program_prints_is_not_kept(memory: Memory, program: Programs) -> None:
    text, [secret] = made_up("ghp_{base62:36}")
    program("systemctl", f"cannot reach the bus with {text}", code=1)
    [run] = memory.upkeep.run("infrastructure")
    assert "cannot reach the bus" in " ".join(run.report.lines)
    assert secret not in " ".join(run.report.lines)
