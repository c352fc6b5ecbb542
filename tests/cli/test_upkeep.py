"""`steno upkeep` through its real door."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Steno = Callable[..., Result]
JOBS = ["audit", "promote", "backup", "prune", "commit", "buffer"]


def rows(result: Result) -> list[dict[str, object]]:
    assert result.exit_code in (0, 1), result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_job_is_listed_with_its_last_run_and_its_next(steno: Steno) -> None:
    listed = steno("upkeep").stdout.splitlines()
    assert listed[0].split() == ["job", "run", "state", "began", "took", "changed", "due", "told"]
    assert [line.split()[:3] for line in listed[1:] if line.split()[0] in JOBS] == [[job, "-", "never"] for job in JOBS]
    steno("upkeep", "run", "audit")
    (audit, *_) = rows(steno("upkeep", "--json"))
    assert (audit["name"], audit["last"]["state"], audit["last"]["id"]) == ("audit", "ok", 1)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT03:00:00.000Z", audit["due"])


def test_on_a_terminal_times_are_told_as_people_tell_them(terminal, without_colours) -> None:
    code, drawn = terminal("upkeep", columns=100)
    lines = without_colours(drawn).splitlines()
    assert code == 0
    assert lines[0].split() == ["job", "run", "state", "last", "changed", "next", "told"]
    assert re.search(r"^audit +- +never +- +- +in \d+ (h|min)", lines[1])


def test_a_job_is_run_by_hand_and_its_report_is_read_again(steno: Steno) -> None:
    done = steno("upkeep", "run", "backup")
    assert re.match(r"backup  ok  run 1, \d{4}-\d\d-\d\d \d\d:\d\d, 0s, 2 changed\n  0 entries that prune", done.stdout)
    assert steno("upkeep", "report").stdout == done.stdout
    assert rows(steno("upkeep", "report", "2001-01-01", "--json")) == []
    assert steno("upkeep", "report", "2001-01-01").stdout == "No upkeep for 2001-01-01.\n"


def test_a_dry_run_tells_and_does_nothing(steno: Steno, home: Path) -> None:
    runs = rows(steno("upkeep", "run", "all", "--dry-run", "--json"))
    assert [(run["job"], run["state"], run["id"]) for run in runs if run["job"] in JOBS] == [
        (job, "ok", 0) for job in JOBS
    ]
    assert not (home / "steno" / "backups").exists()
    assert steno("upkeep", "report").stdout == "No upkeep yet. `steno up` does it every night.\n"


def test_a_job_explains_itself(steno: Steno) -> None:
    told = steno("upkeep", "explain", "prune").stdout
    assert told.startswith("prune\n  Reads what holds and archives what has expired")
    assert "runs      every night; only after curate and backup went well\n" in told
    assert steno("upkeep", "explain", "audit").stdout.startswith("audit  never writes\n")


def test_what_is_pruned_is_brought_back_by_its_number(steno: Steno) -> None:
    failed = steno("upkeep", "undo", "3")
    assert (failed.exit_code, failed.stderr) == (1, "steno: no run has the number 3\n  → `steno upkeep` lists them\n")
    steno("upkeep", "run", "audit")
    failed = steno("upkeep", "undo", "1")
    assert failed.stderr.startswith("steno: there is nothing to bring back: run 1 of audit laid nothing aside\n")


def test_what_nobody_knows_is_named_with_the_choices(steno: Steno) -> None:
    failed = steno("upkeep", "run", "tidy")
    assert failed.stderr.startswith("steno: no job is called 'tidy'\n  → the jobs are audit, ")
