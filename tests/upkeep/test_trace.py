"""What was recalled, given and really used is told apart; what nobody uses is flagged."""

from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, an_entry, house, said, write_jsonl
from steno.upkeep.jobs.trace import JOB
from steno.upkeep.turned_up import After, TurnedUp
from steno.vocabulary import JournalTurn, Turn

from .conftest import run

START, NIGHT = "2026-03-01T10:00:00.000Z", "2026-03-01T23:30:00.000Z"
DECISION = "Orders are kept in Postgres through the repository class in src/orders/store.py"


def went_on(memory: Memory, folder: Path, *lines: dict[str, Any]) -> None:
    """The session goes on after it was told something."""
    told = [{"id": str(number), "at": f"2026-03-01T10:{number:02}:00Z", **line} for number, line in enumerate(lines, 1)]
    memory.capture(write_jsonl(folder / "t.jsonl", *told), source="jsonl")


def counts(memory: Memory, id_: str) -> tuple[int, int, int]:
    access = memory.accesses.of([id_])[id_]
    return access.given, access.used, access.badly


@pytest.fixture
def told(tmp_path: Path) -> Any:
    """A session that was told something when it began."""
    with house(tmp_path, clock=SteppingClock(START)) as memory:
        entry = memory.remember(DECISION, category="decision", project="/shop")
        memory.boot(project="/shop", session="s1")
        yield memory, entry.id


@pytest.mark.parametrize(
    "deed",
    [
        said('{"file_path": "src/orders/store.py"}', role="assistant", kind="call", tool="Edit"),
        said("I keep the orders in Postgres, through the repository class.", role="assistant"),
    ],
)
def test_what_turns_up_in_what_the_agent_did_next_was_used(tmp_path: Path, told: Any, deed: dict[str, Any]) -> None:
    memory, id_ = told
    went_on(memory, tmp_path, said("Add a total to the list."), deed)
    report = run(memory, JOB, NIGHT)
    assert (counts(memory, id_), report.changed) == ((1, 1, 0), 1)
    assert memory.accesses.of([id_])[id_].used_at == "2026-03-01T10:02:00.000Z"


def test_an_id_that_is_named_was_used(tmp_path: Path, told: Any) -> None:
    memory, id_ = told
    went_on(memory, tmp_path, said("Go on."), said(f"As {id_} says, I leave it.", role="assistant"))
    run(memory, JOB, NIGHT)
    assert counts(memory, id_) == (1, 1, 0)


@pytest.mark.parametrize(
    "lines",
    [
        [said("Fix the typo on the page."), said("I fixed the typo.", role="assistant")],
        [said(f"{DECISION}. Go on."), said("I keep orders in Postgres in src/orders/store.py.", role="assistant")],
        [said("Go on."), said(f"<steno>{DECISION}</steno>", role="assistant")],
    ],
    ids=["something else", "a person said it", "our own words"],
)
def test_what_only_was_told_was_not_used(tmp_path: Path, told: Any, lines: list[dict[str, Any]]) -> None:
    memory, id_ = told
    went_on(memory, tmp_path, *lines)
    run(memory, JOB, NIGHT)
    assert counts(memory, id_) == (1, 0, 0)


def test_each_is_counted_once_and_what_was_told_just_now_waits(tmp_path: Path, told: Any) -> None:
    memory, id_ = told
    went_on(memory, tmp_path, said("Go on."), said("I edit src/orders/store.py.", role="assistant"))
    found = []
    for now in ("2026-03-01T10:30:00.000Z", NIGHT, NIGHT):
        run(memory, JOB, now)
        found.append(counts(memory, id_))
    assert found == [(1, 0, 0), (1, 1, 0), (1, 1, 0)]


def test_what_only_would_be_counted_is_not(tmp_path: Path, told: Any) -> None:
    memory, id_ = told
    went_on(memory, tmp_path, said("Go on."), said("I edit src/orders/store.py.", role="assistant"))
    assert (run(memory, JOB, NIGHT, dry=True).changed, counts(memory, id_)) == (1, (1, 0, 0))


def test_what_is_used_together_is_linked(tmp_path: Path, told: Any) -> None:
    memory, id_ = told
    other = memory.remember("Prices in src/orders/prices.py are cents", category="decision", project="/shop").id
    memory.boot(project="/shop", session="s1")
    deeds = [said(f"I edit src/orders/{file}.py.", role="assistant") for file in ("store", "prices")]
    went_on(memory, tmp_path, said("Go on."), *deeds)
    run(memory, JOB, NIGHT)
    assert other in [link.id for link in memory.accesses.links(id_) if link.kind == "recalled together"]


def test_what_nobody_used_for_long_is_flagged_and_stays(tmp_path: Path) -> None:
    clock = SteppingClock(START)
    with house(tmp_path, clock=clock) as memory:
        idle = memory.remember("the office has a blue door", category="fact")
        asked = memory.remember("the cellar has a red door", category="fact")
        memory.rules.add("Never paint a door.")
        assert (memory.unused(), run(memory, JOB, NIGHT).flags) == ([], ())
        clock.now = "2026-04-15T10:00:00.000Z"
        memory.recall("cellar red", within="entries", k=1)
        memory.uses.write()
        report = run(memory, JOB, clock.now)
        assert report.flags == ("entries that nobody used for 30 days: 1 (`steno entries --unused --everywhere`)",)
        assert (memory.unused(), memory.entry(idle.id).status, asked.id in memory.unused()) == (
            [idle.id],
            "active",
            False,
        )


@pytest.mark.parametrize(
    ("then", "badly"),
    [
        ({"role": "tool", "kind": "result", "failed": True, "call": "c"}, True),
        ({"role": "tool", "kind": "result", "failed": False, "call": "c"}, False),
        ({"role": "user", "kind": "denied"}, True),
        ({"role": "user", "kind": "interrupted"}, True),
        ({"role": "user", "kind": "said"}, False),
    ],
)
def test_it_went_badly_where_the_call_failed_or_a_person_stopped_it(then: dict[str, Any], badly: bool) -> None:
    call = Turn(role="assistant", kind="call", text="edit src/orders/store.py", call="c")
    turns = [call, Turn(text="", **then)]
    after = After([JournalTurn(id=id_, source="x", session="s", turn=turn) for id_, turn in enumerate(turns, 1)])
    assert after.use_of(an_entry("decision", DECISION)) == TurnedUp(1, None, badly)
