"""What a session taught loses weight by a logistic curve while nobody uses it."""

from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house
from steno.vocabulary import Scope
from steno.vocabulary.accesses import Fading

from .conftest import Hear

OLD, NEW = "2026-01-01T10:00", "2026-05-01T10:00"
FIRST = "Let's go with Postgres for the customer orders of the shop."
THEN = "Let's go with a queue for the customer letters of the shop."
QUESTION = "customer shop"


@pytest.mark.parametrize(
    ("days", "left"), [(0, 0.982), (30, 0.881), (45, 0.731), (60, 0.5), (75, 0.269), (90, 0.119), (400, 0.0)]
)
def test_the_weight_hardly_falls_then_quickly_then_hardly(days: float, left: float) -> None:
    assert round(Fading(60, 15).weight(days), 3) == left


@pytest.mark.parametrize("fading", [Fading(), Fading(0, 0), Fading(10_000, 1)])
def test_without_a_half_time_nothing_fades(fading: Fading) -> None:
    assert round(fading.weight(5_000), 6) == 1.0


def scores(memory: Memory, *, now: str) -> dict[str, float]:
    hits = memory.recall(QUESTION, within="entries", now=now)
    return {hit.quote or "": hit.score for hit in hits if hit.quote in (FIRST, THEN)}


def lost(folder: Path, hear: Hear, **settings: str) -> float:
    """How much less an old lesson scores than a new one, in a house with these settings."""
    with house(folder, clock=SteppingClock(f"{NEW}:00.000Z"), **settings) as memory:
        hear(memory, FIRST, at=OLD, session="s1")
        hear(memory, THEN, at=NEW, session="s2")
        found = scores(memory, now=f"{NEW}:00.000Z")
        return round(found[THEN] - found[FIRST], 3)


def test_what_was_not_used_for_long_ranks_lower(tmp_path: Path, hear: Hear) -> None:
    with_, without = lost(tmp_path / "a", hear), lost(tmp_path / "b", hear, session_reflection="off")
    assert with_ > without + 0.03


def test_a_use_resets_the_age(tmp_path: Path, hear: Hear) -> None:
    clock = SteppingClock(f"{NEW}:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        hear(memory, FIRST, at=OLD, session="s1")
        hear(memory, THEN, at=NEW, session="s2")
        before = scores(memory, now=clock.now)
        memory.uses.write()
        after = scores(memory, now=clock.now)
        assert after[FIRST] - before[FIRST] > 0.05 > after[THEN] - before[THEN]


def test_what_people_told_and_their_rules_do_not_fade(tmp_path: Path, hear: Hear) -> None:
    clock = SteppingClock(f"{OLD}:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        told = memory.remember("The shop has two customer lists.", category="fact").id
        hear(memory, "From now on never write to the customer table of the shop by hand.", at=OLD)
        ids = [told, *(entry.id for entry in memory.entries() if entry.category in ("rule", "rejected"))]
        traits = memory.home.store.searched.entry_traits(ids, Scope())
        assert [traits[id_].fades_from for id_ in ids] == [None, None]


def test_an_entry_tells_what_it_has_left_of_its_weight(tmp_path: Path, hear: Hear) -> None:
    clock = SteppingClock("2026-03-02T10:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        hear(memory, FIRST, at=OLD)
        [id_] = [entry.id for entry in memory.entries() if entry.category == "decision"]
        left = [round(memory.freshness(id_), 3)]
        memory.recall(QUESTION, within="entries")
        memory.uses.write()
        left.append(round(memory.freshness(id_), 3))
        assert left == [0.5, 0.982]
