"""The machine: programs are asked with a deadline and without a shell; what they cannot tell is not known."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from steno.fleet.check import ask
from steno.memory import Memory
from steno.testing import SteppingClock, house, made_up
from steno.vocabulary.upkeep import Report

from .conftest import NOON

GIT = shutil.which("git") or "git"
DF = "Filesystem 1024-blocks Used Available Capacity Mounted on\n"
Programs = Callable[..., None]


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A machine that has nothing but the programs of the test."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with house(tmp_path, clock=clock) as memory:
        memory._environment = {**memory._environment, "PATH": str(tmp_path / "bin")}
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
    assert found == {"disks": None, "services": None, "jobs": None, "repositories": None}


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
    (Path(memory._environment["PATH"]) / "systemctl").unlink()
    program("launchctl", "PID\tStatus\tLabel\n12\t0\tfine\n-\t78\torg.me.job\n-\t1\tcom.apple.x\n-\t-15\tstopped\n")
    assert of(memory, "service") == [("service org.me.job", False, "it failed"), ("services", True, "1 failed")]


def test_a_program_that_hangs_or_prints_without_end_is_not_known_at_its_deadline(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"]}
    hung = ask(["sleep", "60"], environment=environment, seconds=0.2)
    assert (hung.problem, hung.said) == ("sleep was not done in 0.2 seconds", "")
    flood = ask(["yes"], environment=environment, seconds=0.5)
    assert flood.problem == "yes was not done in 0.5 seconds"
    assert len(flood.said) <= 1 << 18
    assert ask(["no-such-program"], environment=environment).problem.startswith("no-such-program cannot be run")


def test_the_end_of_a_watched_certificate_is_told(memory: Memory, program: Programs, tmp_path: Path) -> None:
    (tmp_path / "shop.crt").write_text("x")
    memory.fleet.watches.add(str(tmp_path / "shop.crt"))
    assert of(memory, "certificates") == [("certificates", None, "openssl is not here")]
    program("openssl", "notAfter=Jan 18 12:00:00 2026 GMT\n")
    assert of(memory, "certificate ") == [(f"certificate {tmp_path}/shop.crt", False, "ends in 10 days")]
    program("openssl", "notAfter=Jan  7 12:00:00 2026 GMT\n")
    assert of(memory, "certificate ")[0][1:] == (False, "it ended, days ago: 1")
    program("openssl", "notAfter=Mar  1 12:00:00 2026 GMT\n")
    assert of(memory, "certificate ")[0][1] is True
    program("openssl", "unable to load certificate", code=1)
    assert of(memory, "certificate ")[0][1] is None


def test_failed_jobs_are_told(memory: Memory) -> None:
    run = memory._store.runs.begin("curate", day="2026-01-07", due=NOON, now=NOON)
    memory._store.runs.end(run, "failed", Report(), now=NOON, error="no room")
    assert of(memory, "job") == [("job curate", False, "no room")]


class Repository:
    """A repository with an upstream, and everything pushed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        (self.folder / "a").write_text("a")
        for command in (
            ("init", "--quiet", "--bare", f"{folder}/remote.git"),
            ("init", "--quiet"),
            ("add", "a"),
            ("commit", "--quiet", "-m", "one"),
            ("remote", "add", "origin", f"{folder}/remote.git"),
            ("push", "--quiet", "-u", "origin", "main"),
        ):
            self.git(*command)

    def git(self, *arguments: str) -> None:
        """As of three days before noon."""
        options = {"user.name": "a", "user.email": "a@b", "init.defaultBranch": "main", "commit.gpgsign": "false"}
        given = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        at = "2026-01-05T12:00:00Z"
        environment = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_COMMITTER_DATE": at}
        subprocess.run([GIT, *given, *arguments], cwd=self.folder, env=environment, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, memory: Memory, heard: Callable[..., None]) -> Repository:
    (tmp_path / "bin" / "git").symlink_to(GIT)
    made = Repository(tmp_path)
    heard("coder", "2026-01-08T11:00:00.000Z", project=str(made.folder))
    return made


def test_work_that_was_left_uncommitted_is_told_and_work_at_hand_is_not(memory: Memory, repository: Repository) -> None:
    what, noon = f"repository {repository.folder}", datetime.fromisoformat(NOON).timestamp()
    assert of(memory, "repository") == [(what, True, "files not committed: 0, commits not pushed: 0")]
    new = repository.folder / "b c"
    new.write_text("b")
    os.utime(new, (noon - 3600, noon - 3600))
    assert of(memory, "repository") == [(what, True, "files not committed: 1, commits not pushed: 0")]
    os.utime(new, (noon - 30 * 3600, noon - 30 * 3600))
    assert of(memory, "repository") == [(what, False, "files not committed: 1, untouched for 30 hours")]


def test_commits_that_were_left_unpushed_are_told_with_the_command(memory: Memory, repository: Repository) -> None:
    (repository.folder / "a").write_text("b")
    repository.git("commit", "--quiet", "-a", "-m", "two")
    [found] = [one for one in memory.fleet.infrastructure.look() if one.what.startswith("repository")]
    told = "commits not pushed: 1, the last one 72 hours old"
    assert (found.ok, found.detail, found.mend) == (False, told, f"git -C {repository.folder} push")


def test_whether_a_branch_without_an_upstream_is_pushed_is_not_known(memory: Memory, repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "idea")
    assert [found[1:] for found in of(memory, "repository")] == [(None, "whether it is pushed: idea has no upstream")]


def test_a_project_that_is_left_out_is_not_looked_at(memory: Memory, repository: Repository) -> None:
    memory.exclude(str(repository.folder))
    assert of(memory, "repository") == []


def test_nothing_a_repository_configures_is_run(memory: Memory, repository: Repository, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\n: > {tmp_path}/caught\n")
    trap.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(trap))
    repository.git("config", "core.hooksPath", str(tmp_path))
    assert [ok for _, ok, _ in of(memory, "repository")] == [True]
    assert not (tmp_path / "caught").exists()


def test_a_secret_a_program_prints_is_not_kept(memory: Memory, program: Programs) -> None:
    text, [secret] = made_up("ghp_{base62:36}")
    program("systemctl", f"cannot reach the bus with {text}", code=1)
    [run] = memory.upkeep.run("infrastructure")
    assert "cannot reach the bus" in " ".join(run.report.lines)
    assert secret not in " ".join(run.report.lines)
