"""Whether work serves what people said matters, and whether the files that say who an agent is agree."""

from pathlib import Path

from steno.fleet.fleet import Fleet
from steno.testing import SteppingClock, house
from steno.upkeep.jobs.drift import JOB

from .conftest import Hear, run

NOW = "2026-02-02T12:00:00.000Z"
MISSION = "This agent looks after customer orders and invoices of the shop."


def notes(folder: Path) -> list[str]:
    return (folder / "steno/notebook/drift.md").read_text().splitlines()


def test_what_nobody_said_is_written_as_not_known(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        report = run(memory, JOB, NOW)
        told = "what agents are for is not known: nobody said so; pieces of work in 7 days: 0"
        assert (report.lines, report.flags) == ((told,), ())
        assert notes(tmp_path) == ["# Drift", "", "## 2026-02-02", "", f"- {told}"]


def test_work_that_serves_what_was_said_is_no_drift_and_other_work_is(tmp_path: Path, hear: Hear) -> None:
    asked = {
        "serves": "Please add a column for the customer orders of the shop, number {}.",
        "drifts": "Please write a small game with dragons and a castle, level {}.",
    }
    flags = {}
    for name, text in asked.items():
        with house(tmp_path / name, clock=SteppingClock(NOW)) as memory:
            memory.remember(MISSION, category="agent_state")
            memory.save()
            for number in range(5):
                hear(memory, text.format(number), session=f"{name}{number}", at=f"2026-02-01T1{number}:00")
            flags[name] = run(memory, JOB, NOW).flags
    line = "0 of 5 pieces of work in 7 days serve what people said agents are for"
    assert flags == {"serves": (), "drifts": (f"drift: {line} (`notebook/drift.md`)",)}


def test_an_agents_work_is_held_against_its_own_north_star(tmp_path: Path, hear: Hear) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        agents = Fleet(memory.home).agents
        agents.tell("keeper", projects=["/shop"])
        agents.point("keeper", "Keep customer orders safe.", ["check the invoices of the shop"])
        agents.tell("poet", projects=["/poems"])
        agents.point("poet", "Write poems about the sea.")
        memory.remember("the game is due on friday", category="context")
        asked = ("fix the invoices of the shop", "write a small game", "draw a dragon", "paint a castle", "find a song")
        for number, text in enumerate(asked):
            hear(memory, f"Please {text}, number {number}.", session=f"s{number}", at=f"2026-02-01T1{number}:00")
        served = "1 of 5 pieces of work in 7 days serve the north star of keeper"
        nothing = "0 of 0 pieces of work in 7 days serve the north star of poet"
        report = run(memory, JOB, NOW)
        assert (report.lines, report.flags) == ((served, nothing), ())
        hear(memory, "Please look at the moon.", session="s5", at="2026-02-01T16:00")
        flag = "drift: 1 of 6 pieces of work in 7 days serve the north star of keeper (`notebook/drift.md`)"
        assert run(memory, JOB, NOW).flags == (flag,)


def test_there_is_one_note_a_day_and_older_ones_stay(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        for now in (NOW, NOW, "2026-02-03T12:00:00.000Z"):
            run(memory, JOB, now)
        assert [line for line in notes(tmp_path) if line.startswith("## ")] == ["## 2026-02-03", "## 2026-02-02"]


def test_a_file_that_does_not_say_who_an_agent_is_is_a_flag(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        memory.save()
        memory.remember(MISSION, category="agent_state")
        assert run(memory, JOB, NOW).flags == (f"not in capsule.md and wake-state.md: {MISSION}",)
        memory.save()
        assert run(memory, JOB, NOW).flags == ()
