"""Bridges: what one agent writes reaches the one that reads it, in order and fresh; or somebody is told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock
from steno.vocabulary import Scope
from steno.vocabulary.errors import UnknownBridge, UnknownEntry, WrongUse
from steno.vocabulary.looks import Bridge, Finding

from .conftest import written

FRESH, EARLIER = "2026-01-08T09:00:00.000Z", "2026-01-06T12:00:00.000Z"
Heard = Callable[..., None]


@pytest.fixture
def bridge(memory: Memory, tmp_path: Path) -> Bridge:
    """What `analytics` writes, `seo` reads."""
    return memory.fleet.bridges.add("analytics", str(tmp_path / "out"), "seo", str(tmp_path / "seo-in"))


def linked(bridge: Bridge) -> None:
    Path(bridge.output).mkdir(exist_ok=True)
    Path(bridge.input).symlink_to(bridge.output)


def checked(memory: Memory) -> tuple[bool | None, str]:
    [found] = memory.fleet.bridges.check()
    return found.ok, found.detail


def test_a_link_that_is_missing_or_leads_elsewhere_is_broken_and_the_command_is_told(
    memory: Memory, bridge: Bridge, tmp_path: Path
) -> None:
    assert memory.fleet.bridges.check() == [
        Finding(
            what=f"analytics to seo, {bridge.input}", ok=False, detail=f"analytics has no folder {bridge.output}",
            mend=f"mkdir -p {bridge.output} && ln -s {bridge.output} {bridge.input}",
        )
    ]  # fmt: skip
    Path(bridge.output).mkdir()
    assert checked(memory) == (False, f"nothing is at {bridge.input}")
    Path(bridge.input).symlink_to(tmp_path)
    assert checked(memory) == (False, f"{bridge.input} does not lead to {bridge.output}")


def test_a_file_that_is_old_missing_or_of_the_future_is_told(memory: Memory, bridge: Bridge, heard: Heard) -> None:
    linked(bridge)
    assert checked(memory) == (False, "analytics wrote no file")
    report = Path(bridge.output) / "report.csv"
    written(report, EARLIER)
    assert checked(memory) == (False, "its newest file is 48 hours old, more than 24")
    written(report, "2026-01-09T12:00:00.000Z")
    ok, detail = checked(memory)
    assert (ok, "clocks differ" in detail) == (None, True)
    written(report, FRESH)
    assert checked(memory) == (True, "its newest file is 3 hours old")


def test_a_consumer_that_ran_before_its_producer_is_told(memory: Memory, bridge: Bridge, heard: Heard) -> None:
    linked(bridge)
    written(Path(bridge.output) / "report.csv", FRESH)
    heard("seo", "2026-01-08T07:00:00.000Z")
    assert checked(memory) == (False, "seo ran at 2026-01-08T07:10, and analytics had not in the 24 hours before")
    # It wrote before, too: its session says so.
    heard("analytics", "2026-01-08T06:00:00.000Z")
    assert checked(memory)[0] is True


def test_a_session_that_goes_on_for_days_is_read_by_its_last_stretch_of_work(
    memory: Memory, bridge: Bridge, heard: Heard
) -> None:
    linked(bridge)
    written(Path(bridge.output) / "report.csv", FRESH)
    heard("seo", "2026-01-05T07:00:00.000Z", "2026-01-08T10:00:00.000Z", "2026-01-08T10:30:00.000Z")
    assert checked(memory) == (True, "its newest file is 3 hours old")


def test_a_schedule_in_which_the_consumer_comes_first_is_told_also_over_midnight(
    memory: Memory, bridge: Bridge, heard: Heard
) -> None:
    linked(bridge)
    written(Path(bridge.output) / "report.csv", FRESH)
    ends = (bridge.producer, bridge.output, bridge.consumer, bridge.input)
    memory.fleet.bridges.add(*ends, produced_at="23:30", consumed_at="00:15")
    assert checked(memory)[0] is True
    memory.fleet.bridges.add(*ends, produced_at="22:00", consumed_at="20:00")
    assert checked(memory) == (False, "seo is to read at 20:00, before analytics writes at 22:00")


def test_a_broken_bridge_raises_one_flag_which_is_settled_when_it_is_in_order_again(
    memory: Memory, bridge: Bridge, clock: SteppingClock
) -> None:
    [run] = memory.upkeep.run("bridges")
    [flag] = memory.fleet.flags()
    assert (flag.raised_by, flag.text) == ("bridges", f"{bridge.name}: analytics has no folder {bridge.output}")
    assert [(hop.kind, hop.id) for hop in memory.fleet.cascade(flag.id)] == [
        ("job", f"run-{run.id}"),
        ("flag", flag.id),
    ]
    # Who has looked is not told again as long as nothing changes.
    memory.fleet.settle(flag.id)
    memory.upkeep.run("bridges")
    assert memory.fleet.flags() == []
    linked(bridge)
    written(Path(bridge.output) / "report.csv", FRESH)
    memory.upkeep.run("bridges")
    Path(bridge.input).unlink()
    memory.upkeep.run("bridges")
    assert [flag.text for flag in memory.fleet.flags()] == [f"{bridge.name}: nothing is at {bridge.input}"]


def test_a_run_is_shown_to_people_only(memory: Memory, bridge: Bridge) -> None:
    [run] = memory.upkeep.run("bridges")
    assert memory.fleet.known(f"run-{run.id}") == f"run-{run.id}"
    with pytest.raises(UnknownEntry):
        memory.fleet.known(f"run-{run.id}", Scope(agent="analytics"))


def test_a_bridge_that_follows_from_a_broken_one_names_it_as_its_cause(memory: Memory, tmp_path: Path) -> None:
    bridges = memory.fleet.bridges
    # The later one stands first by its name.
    bridges.add("seo", str(tmp_path / "seo-out"), "mail", str(tmp_path / "a-in"))
    bridges.add("analytics", str(tmp_path / "out"), "seo", str(tmp_path / "b-in"))
    memory.upkeep.run("bridges")
    [later] = [flag for flag in memory.fleet.flags() if flag.text.startswith("seo to mail")]
    trace = memory.fleet.cascade(later.id)
    assert [hop.what.split(",")[0] for hop in trace if hop.kind == "flag"] == ["analytics to seo", "seo to mail"]
    assert [hop.depth for hop in trace] == [0, 1, 2]


def test_bridges_in_a_circle_are_looked_at_once_each(memory: Memory, tmp_path: Path) -> None:
    memory.fleet.bridges.add("one", str(tmp_path / "1"), "other", str(tmp_path / "2"))
    memory.fleet.bridges.add("other", str(tmp_path / "3"), "one", str(tmp_path / "4"))
    memory.upkeep.run("bridges")
    assert len(memory.fleet.flags()) == 2


def test_a_dry_run_raises_nothing(memory: Memory, bridge: Bridge) -> None:
    [run] = memory.upkeep.run("bridges", dry=True)
    assert run.report.lines == ("well: 0 of 1", f"not well: {bridge.name}: analytics has no folder {bridge.output}")
    assert (memory.fleet.flags(), memory.upkeep.runs()) == ([], [])


@pytest.mark.parametrize(
    "given",
    [("one", "/a", "one", "/b"), ("one", "/a", "other", "/a"), ("one", "", "other", "/b"), ("", "/a", "other", "/b")],
)
def test_what_is_no_bridge_is_refused(memory: Memory, given: tuple[str, str, str, str]) -> None:
    with pytest.raises(WrongUse):
        memory.fleet.bridges.add(*given)


def test_a_bridge_is_taken_back_and_its_flag_with_it(memory: Memory, bridge: Bridge) -> None:
    memory.upkeep.run("bridges")
    memory.fleet.bridges.remove(bridge.input)
    memory.upkeep.run("bridges")
    assert (memory.fleet.bridges.all(), memory.fleet.flags()) == ([], [])
    with pytest.raises(UnknownBridge, match="no bridge leads to"):
        memory.fleet.bridges.remove(bridge.input)


def test_names_with_shell_characters_are_quoted_in_the_command(memory: Memory, tmp_path: Path) -> None:
    memory.fleet.bridges.add("a; rm -rf ~", str(tmp_path / "o $(x)"), "b", str(tmp_path / "i"))
    [found] = memory.fleet.bridges.check()
    assert f"mkdir -p '{tmp_path}/o $(x)' && ln -s '{tmp_path}/o $(x)'" in found.mend


def test_words_of_bridges_are_forgotten(memory: Memory, tmp_path: Path) -> None:
    memory.fleet.bridges.add('zebra "7"', str(tmp_path / "o"), "b", str(tmp_path / "i"))
    memory.upkeep.run("bridges")
    memory.forget(text='zebra "7"')
    assert memory.fleet.bridges.all() == []
    assert b"zebra" not in (memory.home.root / "steno.db").read_bytes()
