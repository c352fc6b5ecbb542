"""Recent entries that belong together get one note that cites them and claims nothing."""

from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house
from steno.upkeep.jobs.curate import JOB as CURATE
from steno.upkeep.jobs.reflect import JOB

from ..conftest import House
from .conftest import run

NOW = "2026-02-02T12:00:00.000Z"
TOGETHER = (
    "The export of customer orders runs at night",
    "The export of customer orders takes two hours",
    "The export of customer orders needs the archive disk",
)
APART = "Our logo is green"


def told(memory: Memory, *summaries: str) -> list[str]:
    return [memory.remember(summary, category="fact", project="/shop").id for summary in summaries]


def page(folder: Path) -> str:
    return (folder / "steno/notebook/integrations.md").read_text()


@pytest.mark.parametrize("with_vectors", [False, True])
def test_entries_that_belong_together_are_cited_by_one_note(
    tmp_path: Path, quick_house: House, with_vectors: bool
) -> None:
    clock = SteppingClock(NOW)
    with quick_house(clock=clock) if with_vectors else house(tmp_path, clock=clock) as memory:
        ids = told(memory, *TOGETHER, APART)
        memory.embed()
        report = run(memory, JOB, "2026-02-02T14:00:00.000Z")
        [note] = memory.home.store.integrations.since()
        assert (report.changed, sorted(note.members)) == (1, sorted(ids[:3]))
        assert [link.id for link in memory.accesses.links(ids[0]) if link.kind == "cited by"] == [note.id]
        assert memory.accesses.links(ids[3]) == []


def test_a_note_says_nothing_its_entries_do_not(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        ids = told(memory, *TOGETHER)
        run(memory, JOB, "2026-02-02T14:00:00.000Z")
        [note] = memory.home.store.integrations.since()
        lines = page(tmp_path).splitlines()
        assert lines[4:-1] == [
            f"## customer, export, orders (/shop) {note.id}",
            *(f"- [human] fact: “{text}”, 2 February ({id_})" for text, id_ in zip(TOGETHER, ids, strict=True)),
        ]


def test_a_second_run_adds_nothing_and_a_group_that_grew_is_the_same_note(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        told(memory, *TOGETHER)
        counts = [run(memory, JOB, f"2026-02-02T1{hour}:00:00.000Z").changed for hour in (4, 6)]
        [first] = memory.home.store.integrations.since()
        told(memory, "The export of customer orders is done by Maria")
        counts.append(run(memory, JOB, "2026-02-02T18:00:00.000Z").changed)
        [second] = memory.home.store.integrations.since()
        assert (counts, second.id, len(second.members)) == ([1, 0, 1], first.id, 4)


def test_no_note_is_made_of_notes_or_of_what_was_curated(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        told(memory, *TOGETHER)
        run(memory, JOB, "2026-02-02T14:00:00.000Z")
        run(memory, CURATE, "2026-02-02T14:00:00.000Z")
        before = memory.home.store.integrations.since()
        run(memory, JOB, "2026-02-02T16:00:00.000Z")
        assert memory.home.store.integrations.since() == before
        assert not {note.id for note in before} & {entry.id for entry in memory.entries()}


def test_what_only_would_be_noted_is_not(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        told(memory, *TOGETHER)
        report = run(memory, JOB, "2026-02-02T14:00:00.000Z", dry=True)
        assert (report.lines, memory.home.store.integrations.since()) == (("customer, export, orders: 3 entries",), [])
        assert not (tmp_path / "steno/notebook/integrations.md").exists()


def test_forgotten_words_leave_the_page(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        told(memory, *TOGETHER)
        run(memory, JOB, "2026-02-02T14:00:00.000Z")
        memory.forget(text="archive disk")
        assert not (tmp_path / "steno/notebook/integrations.md").exists()
        run(memory, JOB, "2026-02-02T16:00:00.000Z")
        files = [file for file in (tmp_path / "steno").rglob("*") if file.is_file()]
        assert [file for file in files if b"archive disk" in file.read_bytes()] == []
