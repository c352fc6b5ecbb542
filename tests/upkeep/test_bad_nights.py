"""Nights in which something goes wrong around a job: no room on the disk, somebody at the notebook meanwhile."""

import shutil
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.upkeep.jobs import prune
from steno.upkeep.run import Upkeep

from ..notebook.test_full_disk import on_a_small_disk

OLD, NOW = "2026-03-01T10:00:00.000Z", "2026-03-20T03:00:00.000Z"
FULL = """
from datetime import UTC
from steno.testing import SteppingClock, said, write_jsonl
from steno.upkeep.run import Upkeep

at = "2026-03-01T10:00:00.000Z"
found = [said(f"Root cause: `queue{n}` never clears its timer.", role="assistant", at=at) for n in range(9)]
with house(folder, clock=SteppingClock("2026-03-20T03:00:00.000Z"), prune_share="1") as memory:
    memory.capture(write_jsonl(folder / "s.jsonl", said("look at the queues", at=at), *found))
    memory.scribe()
    (memory.home / "backups").symlink_to(disk)
    before = len(memory.entries(status="active"))
    assert fill()
    upkeep = Upkeep(memory, zone=UTC)
    bad = {run.job: (run.state, run.error) for run in upkeep.run("all")}
    kept = len(memory.entries(status="active")) - before
    left = sorted(file.name for file in disk.iterdir())
    (disk / "filler").unlink()
    good = {run.job: run.state for run in upkeep.run("all")}
    gone = len(memory.entries(status="archived"))
    print(json.dumps([bad["backup"], bad["prune"], kept, left, good["backup"], good["prune"], gone > 0]))
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="mounts a disk of its own")
def test_where_the_disk_is_full_nothing_is_laid_aside_until_there_is_room(tmp_path: Path) -> None:
    (backup, prune_, *rest) = on_a_small_disk(tmp_path, FULL, "full", "8m")
    assert (backup[0], "No space left on device" in backup[1]) == ("failed", True)
    assert prune_ == ["skipped", "backup did not go well"]
    # Not one entry more or less but what was curated; no half copy; and the next time all goes well.
    assert rest == [rest[0], ["filler"], "ok", "ok", True]
    assert rest[0] >= 0


def page(memory: Memory) -> Path:
    return next((memory.home / "notebook").rglob("observations.md"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_line_somebody_changes_while_entries_are_laid_aside_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    things = ["basin", "cistern", "drain", "faucet", "gutter"]
    with house(tmp_path, clock=SteppingClock(NOW), prune_share="1") as memory:
        lines = [f"Root cause: the `{thing}` never clears its timer when it is full." for thing in things]
        talk = [said("look at the pipes", at=OLD), *(said(line, role="assistant", at=OLD) for line in lines)]
        memory.capture(write_jsonl(tmp_path / "s.jsonl", *talk))
        memory.scribe()
        memory.notebook.sync()
        upkeep = Upkeep(memory, zone=UTC)
        for job in ("audit", "curate", "backup"):
            upkeep.run(job)
        picked = prune.pick

        def pick(*given: Any) -> Any:
            found = picked(*given)
            change(page(memory), "`drain` never", "`drain` seldom")
            return found

        if when == "meanwhile":
            monkeypatch.setattr(prune, "pick", pick)
        else:
            change(page(memory), "`drain` never", "`drain` seldom")
        [run] = upkeep.run("prune")
        monkeypatch.undo()
        memory.notebook.sync()
        assert (run.state, run.report.changed > 0) == ("ok", True)
        assert any("`drain` seldom" in entry.summary for entry in memory.entries(status="active"))
        assert not any("`faucet`" in entry.summary for entry in memory.entries(status="active", category="discovery"))
