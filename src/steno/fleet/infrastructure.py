"""The machine agents work on: disks, services, jobs. Every check has a deadline, none goes through a shell, and what
cannot be checked here is said to be not known."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from steno.pipeline.leave_out import leave_out
from steno.processes import Ran, run
from steno.vocabulary.looks import Finding

if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet

JOB: Final = "infrastructure"
_GIGABYTE: Final = 1 << 20  # in kB, as df counts
_PROJECTS: Final = 30
_SECONDS: Final = 10.0
_BYTES: Final = 1 << 18
# Blocks in all, used, free, share used, where it is mounted.
_DISK: Final = re.compile(r"\s(\d+)\s+\d+\s+(-?\d+)\s+\d+%\s+(/.*)")


class Infrastructure:
    """Looks at the machine; changes nothing."""

    def __init__(self, fleet: "Fleet") -> None:
        self._fleet = fleet
        self._environment = {**fleet.home.environment, "LC_ALL": "C"}

    def look(self) -> list[Finding]:
        """Everything, one finding each."""
        found = [*self._disks(), *self._services(), *self._jobs()]
        clean = self._fleet.home.clean
        return [
            Finding(what=clean(one.what), ok=one.ok, detail=clean(one.detail), mend=clean(one.mend)) for one in found
        ]

    def _ask(self, *command: str) -> Ran:
        ran = run(command, _SECONDS, _BYTES, environment=self._environment)
        return ran._replace(problem=ran.problem and f"{command[0]} {ran.problem}")

    def _disks(self) -> Iterator[Finding]:
        places = [str(self._fleet.home.root), *self._projects()]
        asked = self._ask("df", "-Pk", "--", *places)
        disks = {found[3]: found for line in asked.out.splitlines() if (found := _DISK.search(line))}
        for mount, found in disks.items():
            total, free = int(found[1]), max(int(found[2]), 0)
            share = free / total if total else 1.0
            ok = free >= 20 * _GIGABYTE or (free >= _GIGABYTE and share >= 0.05)
            detail = f"{share:.0%} free, {free / _GIGABYTE:,.1f} GB"
            yield Finding(what=f"disk {mount}", ok=ok, detail=detail, mend="" if ok else f"du -xh -d 1 {mount}")
        if not disks:
            yield Finding(what="disks", ok=None, detail=asked.problem or "df said nothing that is understood")

    def _services(self) -> Iterator[Finding]:
        if self._which("systemctl"):
            asked = self._ask(
                "systemctl", "--user", "list-units", "--state=failed", "--plain", "--no-legend", "--no-pager"
            )
            failed, how = (
                [line.split()[0] for line in asked.out.splitlines() if line.strip()],
                "systemctl --user status",
            )
        elif self._which("launchctl"):
            asked = self._ask("launchctl", "list")
            failed, how = list(_failed_agents(asked.out)), "launchctl print"
        else:
            yield Finding(what="services", ok=None, detail="neither systemctl nor launchctl is here")
            return
        if asked.problem:
            yield Finding(what="services", ok=None, detail=asked.problem)
            return
        for name in failed:
            yield Finding(what=f"service {name}", ok=False, detail="it failed", mend=f"{how} {name}")
        yield Finding(what="services", ok=True, detail=f"{len(failed)} failed" if failed else "none failed")

    def _jobs(self) -> Iterator[Finding]:
        runs = self._fleet.home.store.runs.last()
        for name, one in sorted(runs.items()):
            if name != JOB and one.state in ("failed", "skipped"):
                yield Finding(what=f"job {name}", ok=False, detail=one.error, mend=f"steno upkeep run {name}")
        if not runs:
            yield Finding(what="jobs", ok=None, detail="no job ever ran (`steno up` runs them)")

    def _projects(self) -> Sequence[str]:
        """Where agents work, those heard of last first; nothing that is left out."""
        left_out = leave_out(self._fleet.home)
        agents = sorted(self._fleet.agents.all(), key=lambda one: one.heard_at or "", reverse=True)
        there = dict.fromkeys(project for one in agents for project in one.projects)
        return [one for one in there if os.path.isdir(one) and not left_out.path(one)][:_PROJECTS]

    def _which(self, program: str) -> bool:
        return shutil.which(program, path=self._environment.get("PATH", os.defpath)) is not None


def _failed_agents(said: str) -> Iterator[str]:
    """Labels of what ended badly, of lines with a process, a status and a label."""
    for line in said.splitlines():
        parts = line.split("\t")
        if len(parts) == 3 and parts[1].isdigit() and int(parts[1]) > 0 and not parts[2].startswith("com.apple."):
            yield parts[2]
