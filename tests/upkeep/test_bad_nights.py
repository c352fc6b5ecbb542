"""Nights in which something goes wrong around a job: no room on the disk, somebody at the notebook meanwhile."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from steno.testing import SteppingClock, house
from steno.upkeep.jobs import prune

from ..notebook.test_full_disk import on_a_small_disk
from .test_jobs import NOW, Home

FULL = """
from datetime import UTC
from steno.testing import SteppingClock
from steno.upkeep.run import Upkeep

with house(folder, clock=SteppingClock("2026-03-20T03:00:00.000Z")) as memory:
    memory.remember("the pump is green", category="fact")
    (memory.home.root / "backups").symlink_to(disk)
    assert fill()
    upkeep = Upkeep(memory.home, zone=UTC)
    bad = {run.job: (run.state, run.error.partition(",")[0]) for run in upkeep.run("all")}
    left = [file.name for file in disk.iterdir() if file.name.startswith("store") or file.suffix == ".new"]
    (disk / "filler").unlink()
    good = {run.job: run.state for run in upkeep.run("all")}
    copies = len(list(disk.glob("store-*.db")))
    print(json.dumps([bad["backup"], bad["prune"], left, good["backup"], good["prune"], copies]))
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="mounts a disk of its own")
def test_where_the_disk_is_full_nothing_is_laid_aside_until_there_is_room(tmp_path: Path) -> None:
    assert on_a_small_disk(tmp_path, "disk", FULL, "full", "8m") == [
        ["failed", "no room for a copy of the store"],
        ["skipped", "backup did not go well"],
        [],
        "ok",
        "ok",
        1,
    ]


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_line_somebody_changes_while_entries_are_laid_aside_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    with house(tmp_path, clock=SteppingClock(NOW), prune_share="1") as memory:
        home = Home(memory, SteppingClock(NOW))
        home.put("the basin overflows because its valve sticks at night")
        home.put("a drain never closes after the pump was restarted")
        memory.notebook.sync()
        for job in ("curate", "backup"):
            home.run(job)
        picked = prune.pick
        page = next(memory.home.notebook.rglob("observations.md"))

        def change() -> None:
            text = page.read_text()
            assert "drain never" in text
            page.write_text(text.replace("drain never", "drain seldom"))

        def pick(*given: Any) -> Any:
            found = picked(*given)
            change()
            return found

        if when == "meanwhile":
            monkeypatch.setattr(prune, "pick", pick)
        else:
            change()
        [run] = home.upkeep.run("prune")
        monkeypatch.undo()
        memory.notebook.sync()
        assert (run.state, run.error) == ("ok", "")
        assert [entry.summary for entry in memory.entries(status="active")] == [
            "a drain seldom closes after the pump was restarted"
        ]
