"""Fitness: every number comes from what is kept, what is not known is no part of the score, and history is bounded."""

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from steno.cli.tree import program
from steno.clock import as_text
from steno.fleet.fitness import DIMENSIONS, score, sparkline
from steno.memory import Memory
from steno.testing import SteppingClock
from steno.vocabulary.errors import UnknownAgent
from steno.vocabulary.fitness import Dimension

ROOT = Path(__file__).parents[2]
Heard = Callable[..., None]


def test_table_and_queries_name_the_same_dimensions(memory: Memory, heard: Heard) -> None:
    heard("coder", "2026-01-08T09:00:00.000Z")
    agent = memory.fleet.agents.one("coder")
    whose = memory.fleet.fitness._whose(agent, [], memory.home.clock())
    in_table: dict[str, set[str]] = {}
    for one in DIMENSIONS.values():
        in_table.setdefault(one.source, set()).add(one.name)
    elsewhere = {"lessons_in_words", "unread_messages", "fleet/ready.py"}
    found = {name: set(memory.home.store.measures.measured([name], whose)) for name in in_table.keys() - elsewhere}
    assert found == {name: in_table[name] for name in in_table.keys() - elsewhere}
    assert {one.name for one in DIMENSIONS.values() if one.shared} == in_table["fitness_home"]


def test_the_page_is_what_the_table_says(tmp_path: Path) -> None:
    page = tmp_path / "fitness.md"
    subprocess.run([sys.executable, ROOT / "docs" / "make_fitness.py", page], check=True)
    assert (ROOT / "docs" / "fitness.md").read_text("utf-8") == page.read_text("utf-8"), "run `make docs`"
    assert len(DIMENSIONS) >= 40
    assert sum(bool(one.better) for one in DIMENSIONS.values()) >= 40


@pytest.mark.parametrize("command", sorted({one.mend for one in DIMENSIONS.values() if one.better}))
def test_every_dimension_that_counts_names_a_command_there_is(command: str) -> None:
    name, *words = command.split()
    assert name == "steno"
    given = [word for word in words if word != "--help"]
    done = CliRunner().invoke(program, [*given, "--help"])
    assert (done.exit_code, "Usage" in done.output) == (0, True)


def test_an_agent_nobody_gated_briefed_or_asked_is_measured_by_what_is_known(memory: Memory, heard: Heard) -> None:
    heard("coder", "2026-01-08T09:00:00.000Z", "2026-01-07T09:00:00.000Z")
    [fit] = memory.fleet.fitness.measure()
    assert {name: fit.values.get(name) for name in ("turns", "words_of_people", "active_days", "sessions")} == {
        "turns": 2.0, "words_of_people": 2.0, "active_days": 2.0, "sessions": 1.0,
    }  # fmt: skip
    assert fit.values["hours_silent"] == 27.0 - 24.0
    for unknown in ("failed_calls", "lost", "gate_asks", "outcomes_passed", "model_failed", "beat_hours", "runs_well"):
        assert unknown not in fit.values
    assert fit.score == score(fit.values)


def test_where_there_is_no_data_nothing_is_a_merit(memory: Memory) -> None:
    memory.fleet.agents.tell("idle")
    [fit] = memory.fleet.fitness.measure(["idle"])
    counted = {name: value for name, value in fit.values.items() if DIMENSIONS[name].better}
    assert counted == {"ready": 0.0}
    assert fit.score == 0.0


def test_sessions_count_for_the_agent_whose_place_they_were_held_in(memory: Memory, heard: Heard) -> None:
    heard("coder", "2026-01-08T09:00:00.000Z", project="/shop")
    heard("other", "2026-01-08T09:00:00.000Z", "2026-01-08T09:01:00.000Z", project="/zoo")
    memory.fleet.agents.tell("clerk", host="jsonl", projects=["/shop"])
    turns = {one.agent: one.values["turns"] for one in memory.fleet.fitness.measure(["clerk", "other"])}
    assert turns == {"clerk": 1.0, "other": 2.0}


def test_what_happened_is_counted(memory: Memory, heard: Heard, clock: SteppingClock) -> None:
    heard("coder", "2026-01-08T09:00:00.000Z")
    fleet = memory.fleet
    fleet.relay.send("hello", sender="other", to="coder")
    fleet.raise_flag("look", by="coder")
    fleet.capabilities.tell("deploy", "make deploy", owner="coder")
    fleet.agents.beat("coder")
    memory.upkeep.run("audit")
    clock.now = "2026-01-08T15:00:00.000Z"
    [fit] = memory.fleet.fitness.measure(["coder"])
    wanted = {
        "unread": 1.0, "oldest_unread_hours": 3.0, "flags_raised": 1.0, "capabilities": 1.0,
        "capabilities_unchecked": 1.0, "beat_hours": 3.0, "runs_well": 1.0, "jobs_failing": 0.0,
    }  # fmt: skip
    assert {name: round(fit.values[name], 3) for name in wanted} == wanted


def test_a_value_is_worth_half_at_its_half_and_a_share_what_it_is() -> None:
    less = Dimension(name="x", about="", source="", better="less", half=5)
    share = Dimension(name="x", about="", source="", better="more")
    assert [less.worth(value) for value in (0, 5, None, -1)] == [1.0, 0.5, None, 1.0]
    assert [share.worth(value) for value in (0.0, 0.25, 2.0)] == [0.0, 0.25, 1.0]
    assert Dimension(name="x", about="", source="").worth(7) is None


def test_without_anything_that_counts_there_is_no_score() -> None:
    assert (score({}), score({"turns": 9.0})) == (None, None)
    assert score({"gaps": 0.0, "failed_calls": 0.5}) == 75.0


def test_history_keeps_all_of_two_days_one_a_day_before_and_nothing_after_ninety(
    memory: Memory, heard: Heard, clock: SteppingClock
) -> None:
    heard("coder", "2026-01-08T09:00:00.000Z")
    memory.fleet.agents.point("coder", "keep the shop open")
    now = datetime.fromisoformat(clock.now)
    for hours in range(0, 24 * 95, 6):
        clock.now = as_text(now + timedelta(hours=hours))
        memory.fleet.fitness.keep()
    times = [one.at for one in memory.fleet.fitness.history("coder")]
    whole = as_text(datetime.fromisoformat(clock.now) - timedelta(days=2))
    assert len([at for at in times if at >= whole]) == 9
    days = [at[:10] for at in times if at < whole]
    assert len(days) == len(set(days))
    assert times[0] >= as_text(datetime.fromisoformat(clock.now) - timedelta(days=90))
    assert len(times) < 100


def test_a_sparkline_is_the_shape_of_what_is_known() -> None:
    assert sparkline([0, 1, 2, None, 7]) == "▁▂▃ █"
    assert sparkline([3, 3]) == "▄▄"
    assert sparkline([None, None]) == ""
    assert len(sparkline(list(range(100)))) == 16


def test_an_agent_nobody_knows_is_an_error(memory: Memory) -> None:
    with pytest.raises(UnknownAgent):
        memory.fleet.agents.one("nobody")
    assert memory.fleet.fitness.measure() == []
