"""The jobs of the night, run on a real house: what they change, what they never touch, and the way back."""

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.pipeline.fill import BUFFER
from steno.settings import SETTINGS
from steno.store import open_store
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.upkeep.job import Job, Moment, Report
from steno.upkeep.jobs import ORDER, all_jobs
from steno.upkeep.run import Upkeep
from steno.vocabulary import Category, Entry, Origin
from steno.vocabulary.errors import StenoError

from .conftest import Hear

NOW = "2026-03-20T03:00:00.000Z"
OLD = "2026-03-01T10:00:00.000Z"
FRESH = "2026-03-19T10:00:00.000Z"


def fine(*_: Any) -> Report:
    return Report()


# Stands for the one that is curated by another room.
CURATE = Job(name="curate", explain="", run=fine)


class Home:
    """A house with entries of every age and origin, and its upkeep."""

    def __init__(self, memory: Memory, clock: SteppingClock) -> None:
        self.memory = memory
        self.clock = clock
        self.curate = CURATE

    @property
    def upkeep(self) -> Upkeep:
        own = {job.name: job for job in all_jobs()} | {"curate": self.curate}
        return Upkeep(self.memory.home, jobs=[own[name] for name in ORDER], zone=UTC)

    def put(
        self, words: str, at: str = OLD, *, category: Category = "discovery", origin: Origin = "assistant",
        tags: str = "[]",
    ) -> str:  # fmt: skip
        """An entry that rests on nothing but the test's word."""
        entries = self.memory.home.store.entries
        id_ = f"{len(entries.all()):012x}"
        values = {"id": id_, "category": category, "status": "active", "certainty": "confirmed", "confidence": 0.9}
        values |= {"summary": words, "cue": "", "detail": "{}", "tags": tags, "subject": "[]", "origin": origin}
        values |= {"created_at": at, "domain": "GENERAL", "session_id": None, "project": "/shop", "agent": None}
        entries._database.rows("put_entry", {**values, "work": None})
        return id_

    def many(self, number: int, **fields: Any) -> list[str]:
        return [self.put(f"the {place} drawer is empty", **fields) for place in range(number)]

    def holding(self) -> set[str]:
        return {entry.id for entry in self.memory.entries(status="active")}

    def entries(self) -> list[Entry]:
        return self.memory.entries()

    def run(self, name: str = "all") -> dict[str, tuple[str, int]]:
        return {run.job: (run.state, run.report.changed) for run in self.upkeep.run(name)}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    clock = SteppingClock(NOW)
    with house(tmp_path, clock=clock, prune_share="1") as memory:
        yield Home(memory, clock)


def test_the_night_has_its_fixed_order() -> None:
    assert tuple(job.name for job in all_jobs()) == (
        "audit", "curate", "promote", "links", "reflect", "consistency", "trace", "drift", "replay", "backup", "prune",
        "commit", "buffer", "capabilities", "watch", "bridges", "infrastructure", "fitness", "morning",
    )  # fmt: skip


def test_a_night_lays_aside_what_expired_stands_there_twice_or_nobody_needed(home: Home) -> None:
    expired = home.put("the release is due on Friday", category="context", origin="user")
    twin = [home.put("the lamp hangs low", category="fact", origin="user") for _ in range(2)]
    unneeded = home.put("the shelf is dusty")
    kept = {
        twin[0],
        home.put("the shelf was dusty once", FRESH),
        home.put("a lesson of a kind", tags='["lesson"]'),
        home.put("the user's own fact", category="fact", origin="user"),
        home.put("what the user found out", origin="user"),
        *(home.put(f"a {category}", category=category, origin="user") for category in _FOR_PEOPLE),
        *(home.put(f"an agent's {category}", category=category) for category in _FOR_PEOPLE),
    }
    ran = home.run()
    # What the fleet looks at is the machine, and every machine is another one.
    assert {job: ran[job] for job in ORDER[: ORDER.index("watch")]} == {
        "audit": ("ok", 0), "curate": ("ok", 0), "promote": ("ok", 0), "links": ("ok", 14), "reflect": ("ok", 0),
        "consistency": ("ok", 0), "trace": ("ok", 0), "drift": ("ok", 1), "replay": ("ok", 0),
        "backup": ("ok", 2), "prune": ("ok", 3), "commit": ("ok", 0), "buffer": ("ok", 0),
        "capabilities": ("ok", 0),
    }  # fmt: skip
    assert home.holding() == kept
    assert {entry.id for entry in home.memory.entries(status="archived")} == {expired, twin[1], unneeded}
    (run,) = home.upkeep.runs("prune")
    assert sorted(run.report.lines) == [
        "1 laid aside: another entry says the same",
        "1 laid aside: it has expired",
        "1 laid aside: it has no tag, and nobody needed it",
    ]


_FOR_PEOPLE: tuple[Category, ...] = ("rule", "rejected", "decision", "commitment", "task")


def test_an_open_task_or_promise_nobody_spoke_of_for_a_month_is_laid_aside_and_nothing_else(tmp_path: Path) -> None:
    clock = SteppingClock(NOW)
    month, later = "2026-02-18T03:00:00.000Z", "2026-02-18T03:00:00.001Z"
    with house(tmp_path, clock=clock, prune_share="1") as memory:
        home = Home(memory, clock)
        gone = {home.put("water the plants", month, category="task", origin="user", tags='["human"]')}
        gone.add(home.put("I'll send the report", month, category="commitment"))
        kept = {home.put("water the lawn", later, category="task", origin="user")}
        lasting: tuple[Category, ...] = ("rule", "rejected", "decision", "fact")
        kept |= {home.put(f"a {category}", month, category=category, origin="user") for category in lasting}
        repeated, told = (home.put(text, month, category="task") for text in ("feed the cat", "feed the dog"))
        memory.home.store.entries.repeat(repeated, later)
        memory.revise(told, summary="feed the old dog")
        assert home.run()["prune"] == ("ok", 2)
        assert home.holding() == kept | {repeated, told}
        (run,) = home.upkeep.runs("prune")
        assert run.report.lines == ("2 laid aside: it is open, and nobody spoke of it any more",)
        home.upkeep.undo(run.id)
        assert home.holding() == kept | {repeated, told} | gone
        assert home.run("prune")["prune"] == ("ok", 0)


def test_what_was_recalled_lately_is_not_laid_aside(home: Home) -> None:
    needed, unneeded = home.put("the boiler stands in the cellar"), home.put("the gate squeaks")
    home.clock.now = FRESH
    assert [hit.id for hit in home.memory.recall("boiler cellar", within="entries")] == [needed]
    home.memory.uses.write()
    home.clock.now = NOW
    home.run()
    assert home.holding() == {needed}
    assert unneeded


def test_a_night_lays_aside_no_more_than_its_share(tmp_path: Path) -> None:
    clock = SteppingClock(NOW)
    with house(tmp_path, clock=clock, prune_share="0.1") as memory:
        home = Home(memory, clock)
        entries = home.many(40)
        assert home.run()["prune"] == ("ok", 4)
        assert home.holding() == set(entries[4:])
        assert home.upkeep.runs("prune")[0].report.lines[-1] == "36 more wait for another night (prune_share)"


def test_nothing_is_laid_aside_where_curate_did_not_go_well(home: Home) -> None:
    entries = home.many(3)

    def fails(*_: Any) -> Report:
        raise StenoError("the page is torn")

    home.curate = Job(name="curate", explain="", run=fails)
    runs = home.run()
    assert (runs["prune"], runs["buffer"]) == (("skipped", 0), ("skipped", 0))
    assert home.holding() == set(entries)


def test_nothing_is_laid_aside_that_was_not_copied(home: Home) -> None:
    entries = home.many(3)
    home.run("curate")
    home.run("backup")
    later = home.put("the door is ajar")
    copies = home.memory.home.root / "backups" / "before-2026-03-19.jsonl"
    lines = copies.read_text().splitlines(keepends=True)
    copies.write_text(lines[0] + lines[1].replace("drawer", "cupboard") + lines[2])
    assert home.run("prune") == {"prune": ("ok", 2)}
    assert home.holding() == {entries[1], later}
    copies.write_text("torn")
    assert home.upkeep.run("prune")[0].error == "there is no copy of what would go (`steno upkeep run backup` makes it)"


def test_undo_brings_back_exactly_what_a_run_laid_aside(home: Home) -> None:
    home.many(5)
    home.put("the lamp hangs low", category="context", tags='["surprise"]')
    before = home.entries()
    home.run()
    (run,) = home.upkeep.runs("prune")
    assert (run.undo, len(home.holding())) == ("possible", 0)
    done, back = home.upkeep.undo(run.id)
    assert (done.undo, back) == ("done", 6)
    assert home.entries() == before
    with pytest.raises(StenoError, match=f"run {run.id} was taken back already"):
        home.upkeep.undo(run.id)
    # What somebody wanted back stays.
    home.clock.now = "2026-03-21T03:00:00.000Z"
    home.run()
    assert home.entries() == before


def test_a_run_that_laid_nothing_aside_cannot_be_taken_back(home: Home) -> None:
    home.run()
    (run,) = home.upkeep.runs("prune")
    with pytest.raises(StenoError, match=f"nothing to bring back: run {run.id} of prune laid nothing aside"):
        home.upkeep.undo(run.id)


def test_undo_leaves_what_a_person_laid_aside_since(home: Home) -> None:
    kept, dropped = home.many(2)
    home.run()
    home.clock.now = "2026-03-20T09:00:00.000Z"
    home.memory.archive(dropped)
    (run,) = home.upkeep.runs("prune")
    assert home.upkeep.undo(run.id)[1] == 1
    assert home.holding() == {kept}


def test_a_rebuild_lays_aside_again_what_a_night_did(tmp_path: Path) -> None:
    clock = SteppingClock("2026-03-01T10:00:00.000Z")
    with house(tmp_path, clock=clock, prune_share="1", open_days="14") as memory:
        home = Home(memory, clock)
        lines = [said(f"remind me to {what} tomorrow", at=OLD) for what in ("clear the cache", "water the plants")]
        memory.capture(write_jsonl(tmp_path / "s.jsonl", *lines))
        memory.remember("agents told this", category="fact", by_agent=True)
        memory.scribe()
        clock.now = NOW
        assert home.run()["prune"] == ("ok", 2)
        before = sorted((entry.id, entry.status) for entry in home.entries())
        assert {status for _, status in before} == {"active", "archived"}
        memory.rebuild()
        assert sorted((entry.id, entry.status) for entry in home.entries()) == before


def test_a_dry_night_writes_nothing(home: Home) -> None:
    home.many(3)
    before = files(home.memory.home.root)
    changed = {run.job: run.report.changed for run in home.upkeep.run("all", dry=True)}
    assert (changed["backup"], changed["prune"]) == (2, 3)
    assert files(home.memory.home.root) == before


def test_the_audit_writes_nothing_and_names_what_is_not_as_it_should_be(home: Home) -> None:
    home.many(101)
    # What the night may not trim is nobody's to mend.
    home.put("the tap leaks only at night", tags='["surprise"]')
    home.put("the shop is closed today", category="context", origin="user")
    write_jsonl(home.memory.home.root.parent / "s.jsonl", said("fix the tap", at=FRESH))
    home.memory.capture(home.memory.home.root.parent / "s.jsonl")
    home.memory.scribe()
    folder = home.memory.home.notebook
    for name in ("session-state.md", "MEMORY.md"):
        (folder / name).write_text("as it was\n")
        os.utime(folder / name, (1772000000, 1772000000))
    (folder / BUFFER).write_text("in work\n")
    before = files(home.memory.home.root)
    audit = next(job for job in all_jobs() if job.name == "audit")
    moment = Moment(now=NOW, since="", day="2026-03-19", dry=False, stop=lambda: False)
    report = audit.run(home.memory.home, moment)
    assert files(home.memory.home.root) == before
    assert report.changed == 0
    assert [flag.split(",")[0] for flag in report.flags] == [
        "session-state.md is of 2026-02-25T06:13",
        "observations of /shop without a tag: 101",
        "MEMORY.md is of 2026-02-25",
    ]
    # Curate writes the page, and the buffer is emptied, this very night.
    assert report.lines[:2] == (
        "2026-03-19 has no page, though somebody worked then",
        "working-buffer.md holds 8 characters",
    )


def test_a_backup_is_a_store_that_can_be_opened(home: Home, tmp_path: Path) -> None:
    home.memory.remember("the pump is green", category="fact")
    home.run("backup")
    (copy,) = (home.memory.home.root / "backups").glob("store-*.db")
    assert copy.name == "store-2026-03-19.db"
    assert copy.stat().st_mode & 0o777 == 0o600
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "steno.db").write_bytes(copy.read_bytes())
    store = open_store(tmp_path / "again", busy_seconds=1)
    assert [entry.summary for entry in store.entries.all()] == ["the pump is green"]
    assert all(check.ok for check in store.proofs.all())
    store.close()


def test_whole_copies_are_made_when_the_last_is_old_and_few_are_kept(home: Home) -> None:
    for day in (20, 21, 26, 27, 28, 29):
        home.clock.now = f"2026-03-{day}T03:00:00.000Z"
        home.run("backup")
    home.clock.now = "2026-04-20T03:00:00.000Z"
    home.run("backup")
    copies = sorted(path.name for path in (home.memory.home.root / "backups").glob("store-*"))
    assert copies == ["store-2026-03-26.db", "store-2026-04-19.db"]


def test_a_full_disk_fails_the_backup_and_with_it_the_pruning(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = home.many(3)
    monkeypatch.setattr("steno.pipeline.backups._ROOM", 1e18)
    runs = {run.job: (run.state, run.error) for run in home.upkeep.run("all")}
    assert runs["backup"][0] == "failed"
    assert "no room for a copy of the store" in runs["backup"][1]
    assert runs["prune"] == ("skipped", "backup did not go well")
    assert home.holding() == set(entries)
    assert not list((home.memory.home.root / "backups").glob("store-*"))


def test_words_that_are_forgotten_are_in_no_copy(home: Home) -> None:
    home.put("the password of the safe is kumquat")
    home.run("curate")
    home.run("backup")
    assert b"kumquat" in everything(home.memory.home.root / "backups")
    home.memory.forget(text="kumquat")
    assert b"kumquat" not in everything(home.memory.home.root)


def test_the_buffer_is_emptied_every_night_and_what_stood_there_is_kept(home: Home) -> None:
    buffer = home.memory.home.notebook / BUFFER
    buffer.parent.mkdir()
    buffer.write_text("what was in work\n")
    assert home.run()["buffer"] == ("ok", 1)
    assert buffer.read_text() == ""
    assert (home.memory.home.root / "backups" / "buffer-2026-03-19.md").read_text() == "what was in work\n"
    (run,) = home.upkeep.runs("buffer")
    with pytest.raises(StenoError, match=f"run {run.id} of buffer laid nothing aside"):
        home.upkeep.undo(run.id)


def test_the_night_is_kept_in_the_history_where_there_is_one(home: Home) -> None:
    home.memory.remember("the pump is green", category="fact")
    home.memory.notebook.sync()
    home.memory.notebook.history.turn(on=True)
    assert home.run("commit")["commit"][0] == "ok"
    assert home.upkeep.run("commit")[0].report.lines == ("nothing changed since the last night",)
    home.clock.now = "2026-03-21T03:00:00.000Z"
    home.memory.remember("the pump is loud", category="fact")
    home.memory.notebook.sync()
    assert home.run("commit") == {"commit": ("ok", 2)}  # its page, and the index
    log = subprocess.run(
        ["git", "log", "--format=%s"], cwd=home.memory.home.notebook, capture_output=True, text=True, check=True
    )
    assert log.stdout == "nightly: 2026-03-21 03:00\nnightly: 2026-03-20 03:00\n"


def test_lessons_of_yesterday_are_promoted(home: Home) -> None:
    home.put("quote paths with blanks", FRESH, category="learning", tags='["lesson"]')
    home.put("count twice, cut once", NOW, category="learning", tags='["lesson"]')
    home.run("audit")
    (run,) = home.upkeep.run("promote")
    assert run.report == Report(changed=1, lines=("5 quote paths with blanks",))
    assert home.upkeep.run("promote")[0].report == Report()


# How much a job looks at or shows at once; no threshold.
_BOUNDS = {
    "_SHOWN",
    "_PORTION",
    "_MOST",
    "_ENTRIES",
    "_KNOWN",
    "_DAYS",
    "_COMPARED",
    "_FOLLOWING",
    "_TOGETHER",
    "_FEWEST",
    "_NOTES",
}


class _Cut(ast.NodeTransformer):
    """Where a text or a list is cut says how much is shown."""

    def visit_Slice(self, _: ast.Slice) -> None:
        return None


def test_no_job_has_a_number_of_its_own_that_is_a_setting() -> None:
    """A threshold that stands twice is changed once."""
    numbers = {one.default for one in SETTINGS if type(one.default) in (int, float)} - {0, 1, 2, 3}
    folder = Path(__file__).parents[2] / "src/steno/upkeep"
    found = [
        (path.name, node.value)
        for path in sorted([*(folder / "jobs").glob("*.py"), folder / "picking.py"])
        for statement in ast.parse(path.read_text("utf-8")).body
        if not _BOUNDS.intersection(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
        or isinstance(statement, ast.FunctionDef)
        for node in ast.walk(_Cut().visit(statement))
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value in numbers
    ]
    assert found == []


def everything(folder: Path) -> bytes:
    found = b""
    for path in sorted(folder.rglob("*")):
        with suppress(FileNotFoundError):  # what is derived comes and goes behind everybody's back
            found += path.read_bytes() if path.is_file() else b""
    return found


def files(home: Path) -> dict[str, Any]:
    """Every file but the store's own and what is derived behind everybody's back; and what is in the store."""
    there: dict[str, Any] = {
        str(name): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and not (name := path.relative_to(home)).parts[0].startswith(("steno.db", "derived"))
    }
    command = [sys.executable, "-c", _DUMP, str(home / "steno.db")]
    return there | {"store": subprocess.run(command, capture_output=True, check=True).stdout}


# Two copies of SQLite in one process drop each other's locks.
_DUMP = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).iterdump(), sep='\\n')"


def test_the_files_of_work_nobody_was_at_for_long_go_and_the_store_still_tells_of_it(
    tmp_path: Path, hear: Hear
) -> None:
    clock = SteppingClock(OLD)
    with house(tmp_path, clock=clock) as memory:
        hear(memory, "Please build the importer for the shop.", session="old", at=OLD[:16])
        clock.now = FRESH
        hear(memory, "Please write the export for the blog.", session="new", at=FRESH[:16])
        new, old = memory.works.all()
        assert files_of_works(memory) == {new.id: 3, old.id: 3}
        clock.now = NOW
        Upkeep(memory.home, zone=UTC).run("all")
        assert files_of_works(memory) == {new.id: 3}
        assert memory.works.one(old.id).goal == "Please build the importer for the shop."


def files_of_works(memory: Memory) -> dict[str, int]:
    return Counter(file.stem.rpartition("-")[2] for file in (memory.home.notebook).glob(".*-????????????.*"))
