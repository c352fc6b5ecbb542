"""Bridges, watch, infrastructure, fitness and the morning page through their real door."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result
from rich.cells import cell_len

from steno.testing import said

Steno = Callable[..., Result]


def rows(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def worked(steno: Steno, transcript: Callable[..., Path]) -> None:
    """An agent was at work an hour ago."""
    at = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    line = said("Add a gift card page", agent="a-worker-with-quite-a-long-name", project="/shop", at=at, id="1")
    assert steno("capture", str(transcript(line)), "--source", "jsonl").exit_code == 0


def test_a_bridge_is_declared_looked_at_and_taken_back(steno: Steno, home: Path) -> None:
    assert steno("bridges").stdout.startswith("No bridges. `steno bridges add")
    (home / "out").mkdir()
    ends = ("analytics", str(home / "out"), "seo", str(home / "in"))
    [bridge] = rows(steno("bridges", "add", *ends, "--written", "22:00", "--read", "23:15", "--hours", "6", "--json"))
    assert bridge == {
        "producer": "analytics", "output": f"{home}/out", "consumer": "seo", "input": f"{home}/in", "hours": 6.0,
        "produced_at": "22:00", "consumed_at": "23:15",
    }  # fmt: skip
    [looked] = rows(steno("bridges", "--json"))
    wanted = {"ok": False, "detail": f"nothing is at {home}/in", "mend": f"ln -s {home}/out {home}/in"}
    assert looked["bridge"] == bridge
    assert {name: looked["finding"][name] for name in wanted} == wanted
    assert steno("bridges", "remove", str(home / "in")).stdout == f"Removed analytics to seo, {home}/in\n"
    again = steno("bridges", "remove", str(home / "in"))
    assert (again.exit_code, "`steno bridges` lists them" in again.stderr) == (1, True)
    assert steno("bridges", "add", *ends, "--read", "tea time").exit_code == 2


def test_a_watched_file_that_changes_stands_among_the_flags(steno: Steno, home: Path) -> None:
    assert steno("watch").stdout == "Nothing is watched. `steno watch add PATH` begins.\n"
    (home / "conf").write_text("a")
    steno("watch", "add", str(home / "conf"))
    (home / "conf").write_text("b")
    assert steno("upkeep", "run", "watch").exit_code == 0
    assert [flag["text"] for flag in rows(steno("flags", "--json"))] == [f"{home}/conf changed"]
    [watched] = rows(steno("watch", "--json"))
    assert (watched["path"], len(watched["files"])) == (f"{home}/conf", 1)
    assert watched["changed_at"] is not None
    assert steno("watch", "remove", str(home / "conf")).exit_code == 0
    assert rows(steno("watch", "--json")) == []


@pytest.mark.usefixtures("worked")
@pytest.mark.parametrize(
    "command",
    [
        ["agents", "fitness"],
        ["agents", "fitness", "a-worker-with-quite-a-long-name"],
        ["infrastructure"],
        ["agents", "morning"],
    ],
    ids=" ".join,
)
def test_every_page_fits_eighty_columns(steno: Steno, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = steno(*command)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert [line for line in shown.stdout.splitlines() if cell_len(line) > 80] == []


@pytest.mark.usefixtures("worked")
def test_fitness_is_measured_by_a_job_and_drawn_with_its_history(steno: Steno) -> None:
    steno("upkeep", "run", "fitness")
    [now] = rows(steno("agents", "fitness", "--json"))
    assert now["agent"] == "a-worker-with-quite-a-long-name"
    shown = steno("agents", "fitness", "a-worker-with-quite-a-long-name").stdout
    assert "turns " in shown
    assert "not known" in shown
    nobody = steno("agents", "fitness", "nobody")
    assert (nobody.exit_code, "`steno agents` lists them" in nobody.stderr) == (1, True)


@pytest.mark.usefixtures("worked")
def test_the_morning_page_is_a_page_and_data(steno: Steno) -> None:
    shown = steno("agents", "morning").stdout.splitlines()
    assert shown[0].startswith("# Morning of ")
    assert "- at: Add a gift card page" in shown
    [page] = rows(steno("agents", "morning", "--json"))
    assert [one["name"] for one in page["agents"]] == ["a-worker-with-quite-a-long-name"]
    assert all(one["command"].split()[0] in ("steno", "ln", "mkdir", "du") for one in page["proposals"])
