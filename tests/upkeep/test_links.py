"""What is used together holds together, what is not used comes apart; every entry tells how much it is used."""

from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house
from steno.upkeep.jobs.links import JOB
from steno.vocabulary.accesses import Access

from .conftest import Hear, run

DAY = "2026-03-{:02}T12:00:00.000Z"
ORDERS, INVOICES = "Let's go with Postgres for the orders.", "Let's go with SQLite for the invoices."


def told(memory: Memory, *summaries: str) -> list[str]:
    return [memory.remember(summary, category="decision", project="/shop").id for summary in summaries]


def ask(memory: Memory, question: str) -> None:
    memory.recall(question, within="entries")
    memory.uses.write()


def weight(memory: Memory, one: str) -> list[float]:
    return [round(link.weight, 3) for link in memory.accesses.links(one) if link.kind == "recalled together"]


def test_two_that_are_recalled_together_again_hold_together_more(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        one, _ = told(memory, "Postgres keeps the orders", "Postgres keeps the invoices")
        ask(memory, "what keeps Postgres")
        first = weight(memory, one)
        ask(memory, "what keeps Postgres")
        assert (first, weight(memory, one)) == ([1.0], [2.0])


def test_a_link_nobody_uses_has_lost_half_of_its_weight_after_its_time_and_goes_in_the_end(tmp_path: Path) -> None:
    clock = SteppingClock(DAY.format(1))
    with house(tmp_path, clock=clock, link_half_days="10") as memory:
        one, _ = told(memory, "Postgres keeps the orders", "Postgres keeps the invoices")
        ask(memory, "what keeps Postgres")
        found = [weight(memory, one)]
        for day in (2, 7, 12):
            run(memory, JOB, DAY.format(day))
            found.append(weight(memory, one))
        run(memory, JOB, "2026-09-01T12:00:00.000Z")
        assert (found, weight(memory, one)) == ([[1.0], [1.0], [0.707], [0.5]], [])


def test_a_link_that_is_used_in_between_does_not_fade(tmp_path: Path) -> None:
    clock = SteppingClock(DAY.format(1))
    with house(tmp_path, clock=clock, link_half_days="10") as memory:
        one, _ = told(memory, "Postgres keeps the orders", "Postgres keeps the invoices")
        run(memory, JOB, DAY.format(1))
        clock.now = DAY.format(5)
        ask(memory, "what keeps Postgres")
        run(memory, JOB, DAY.format(11))
        assert weight(memory, one) == [1.0]


@pytest.mark.parametrize("now", ["2026-02-01T12:00:00.000Z", DAY.format(1)])
def test_a_clock_that_is_set_back_strengthens_nothing(tmp_path: Path, now: str) -> None:
    with house(tmp_path, clock=SteppingClock(DAY.format(1))) as memory:
        one, _ = told(memory, "Postgres keeps the orders", "Postgres keeps the invoices")
        ask(memory, "what keeps Postgres")
        run(memory, JOB, DAY.format(2))
        run(memory, JOB, now)
        assert weight(memory, one) == [1.0]


def test_what_only_would_change_does_not(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(DAY.format(1))) as memory:
        one, other = told(memory, "Postgres keeps the orders of the shop", "Postgres keeps the orders of the blog")
        ask(memory, "what keeps Postgres")
        run(memory, JOB, DAY.format(2))
        before = memory.accesses.links(one), memory.accesses.links(other)
        report = run(memory, JOB, DAY.format(9), dry=True)
        assert report.lines == ("links that nobody used faded: 1",)
        assert (memory.accesses.links(one), memory.accesses.links(other)) == before


def test_every_kind_of_link_is_told_from_where_one_stands(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path) as memory:
        hear(memory, ORDERS, session="s1", at="2026-02-01T10:00")
        hear(memory, "Let's go with SQLite for the orders.", session="s2", at="2026-02-02T10:00")
        hear(memory, "Let's go with SQLite for the orders of the shop window.", session="s3", at="2026-02-03T10:00")
        run(memory, JOB, DAY.format(1))
        first, second, _ = (entry.id for entry in memory.entries(category="decision"))
        kinds = {link.kind for link in memory.accesses.links(second)}
        assert [(link.kind, link.id) for link in memory.accesses.links(first)] == [("superseded by", second)]
        assert {"supersedes", "same subject"} <= kinds


def test_what_was_looked_at_is_not_looked_at_again(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        told(memory, "Postgres keeps the orders of the shop", "Postgres keeps the orders of the blog")
        first, second = run(memory, JOB, DAY.format(1)), run(memory, JOB, DAY.format(1))
        assert first.lines == ("pairs about the same found among 2 entries: 2",)
        assert second.lines == ()


def test_an_entry_tells_how_often_it_was_recalled_and_given(tmp_path: Path) -> None:
    clock = SteppingClock(DAY.format(1))
    with house(tmp_path, clock=clock) as memory:
        rule = memory.rules.add("Never write customer names into a log.")
        other = memory.remember("the office is closed on Mondays", category="fact").id
        ask(memory, "customer names in a log")
        clock.now = DAY.format(3)
        boot = memory.boot(project="/shop", session="new")
        held = memory.believes("customer names")[0].last
        memory.uses.write()
        assert memory.accesses.of([rule.id, other])[rule.id] == Access(
            recalled=2,
            given=1,
            tokens=round(boot.tokens / len(boot.items)),
            last_at=DAY.format(3),
            used_at=DAY.format(3),
        )
        assert (held.access.recalled, held.access.given) == (1, 1)


def test_counts_outlive_a_rebuild(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        id_ = memory.remember("Postgres keeps the orders", category="decision").id
        ask(memory, "what keeps Postgres")
        before = memory.accesses.of([id_])
        memory.rebuild()
        assert (memory.accesses.of([id_]), before[id_].recalled) == (before, 1)
