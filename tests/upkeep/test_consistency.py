"""What cannot hold beside something else waits for a person; nothing is mended."""

from pathlib import Path

from steno.memory import Memory
from steno.testing import SteppingClock, house
from steno.upkeep.jobs.consistency import JOB
from steno.vocabulary import Contradiction

from .conftest import Hear, run

NIGHT = "2026-02-02T23:30:00.000Z"
ALWAYS = "From now on always squash the commits."


def pairs(memory: Memory) -> list[set[str]]:
    return [{one.one.id, one.other.id} for one in memory.reviews() if isinstance(one, Contradiction)]


def test_a_rule_that_says_the_opposite_since_a_person_changed_it_waits_for_their_word(
    tmp_path: Path, hear: Hear
) -> None:
    with house(tmp_path) as memory:
        hear(memory, ALWAYS)
        [rule] = [entry for entry in memory.entries() if entry.category == "rule"]
        other = memory.remember("always sign the commits", category="rule", project="/shop")
        assert run(memory, JOB, NIGHT).changed == 0
        memory.revise(other.id, summary="never squash the commits")
        assert pairs(memory) == []
        report = run(memory, JOB, NIGHT)
        assert (report.changed, pairs(memory)) == (1, [{rule.id, other.id}])
        assert [memory.entry(id_).status for id_ in (rule.id, other.id)] == ["active", "active"]


def test_a_pair_is_asked_about_once(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, ALWAYS)
        other = memory.remember("always sign the commits", category="rule", project="/shop")
        memory.revise(other.id, summary="never squash the commits")
        told = [run(memory, JOB, NIGHT, dry=True).changed, len(pairs(memory))]
        told += [run(memory, JOB, NIGHT).changed, run(memory, JOB, NIGHT).changed]
        assert told == [1, 0, 1, 0]


def test_prose_on_a_page_that_says_the_opposite_of_a_rule_waits(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path, clock=SteppingClock(NIGHT)) as memory:
        hear(memory, ALWAYS)
        memory.notebook.sync()
        [page] = (tmp_path / "steno/notebook").rglob("rules.md")
        page.write_text(page.read_text() + "\nWe talked about it for long. Never squash the commits.\n")
        memory.notebook.sync()
        run(memory, JOB, NIGHT)
        [pair] = pairs(memory)
        assert {memory.entry(id_).origin for id_ in pair} == {"user", "file"}


def test_a_memory_file_that_says_the_opposite_is_a_flag(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        rule = memory.rules.add("always squash the commits")
        notes = tmp_path / "repo" / "MEMORY.md"
        notes.parent.mkdir()
        notes.write_text("# Ways\n\nNever squash the commits. The door is blue.\n")
        memory.capture(notes, source="notes")
        report = run(memory, JOB, NIGHT)
        said = f"{notes} says “Never squash the commits.”, against entry {rule.id} (`steno entries show {rule.id}`)"
        assert (report.flags, pairs(memory), run(memory, JOB, NIGHT).flags) == ((said,), [], ())
