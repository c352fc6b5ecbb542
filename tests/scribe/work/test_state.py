"""What is known after commands of every host and what they printed: repositories, requests, runs, tests."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from steno.scribe.work import checks, git
from steno.scribe.work.checks import SUMMARIES, counted
from steno.scribe.work.trail import TrailKeeper
from steno.vocabulary import JournalTurn, Trail, Turn

HERE = Path(__file__).parent
TESTS, GIT = (
    tomllib.loads(Path(room.__file__).with_name(f"{name}.toml").read_text("utf-8"))
    for room, name in ((checks, "tests"), (git, "git"))
)
FOLDER = "/home/mia/pier"
CODEX = (
    "Chunk ID: 5243aa\nWall time: 0.1000 seconds\nProcess exited with code {code}\nOriginal token count: 9\nOutput:\n"
)


def rows(name: str) -> list[Any]:
    found = tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))["row"]
    return [pytest.param(row, id=row["what"]) for row in found]


def turns(row: dict[str, Any]) -> list[JournalTurn]:
    """The turns of a row, as its host would have them."""
    host, found = row.get("in", "claude-code"), list[JournalTurn]()

    def add(role: Any, kind: Any, text: str, **fields: Any) -> None:
        turn = Turn(role=role, kind=kind, text=text, **fields)
        found.append(JournalTurn(id=len(found) + 1, source=host.split("-script")[0], session="s", turn=turn))

    for step in row["ran"]:
        if isinstance(step, str):
            add("system", "notice", step)
            continue
        asked, text, *bad = step
        failed = bool(bad and bad[0])
        fields: dict[str, Any] = {"call": f"c{len(found)}", "tool": "Bash"}
        given: Any = {"command": asked}
        if isinstance(asked, dict):
            fields["tool"], given = asked["tool"], {name: value for name, value in asked.items() if name != "tool"}
        elif host == "codex":
            fields["tool"], given = "exec_command", {"cmd": asked, "workdir": FOLDER}
            text = CODEX.format(code=int(failed)) + text
        elif host == "codex-script":
            fields["tool"], given = "exec", asked
        elif host in ("pi", "openclaw"):
            fields["tool"] = "bash" if host == "pi" else "exec"
        status = int(failed) if host == "codex" and "running" not in text else None
        add("assistant", "call", given if isinstance(given, str) else json.dumps(given), **fields)
        add(
            "tool",
            "result",
            text.removeprefix("\n"),
            failed=failed,
            exit_status=status,
            **fields,
        )
    return found


def after(row: dict[str, Any]) -> Trail:
    keeper = TrailKeeper()
    keeper.about(directory=FOLDER)
    for turn in turns(row):
        keeper.take(turn)
    return keeper.trail()


@pytest.mark.parametrize("row", rows("git"))
def test_a_repository_stands_as_git_left_it(row: dict[str, Any]) -> None:
    found = after(row).repositories
    known = {"folder": FOLDER, "branch": None, "head": None, "subject": "", "pushed": None, "changed": None}
    shown = {name: getattr(found[-1], name) for name in known} if found else known
    assert shown == {**known, **row["then"]}


@pytest.mark.parametrize("row", rows("requests"))
def test_a_request_stands_as_it_was_heard_of_last(row: dict[str, Any]) -> None:
    shown = [
        {name: getattr(one, name) for name in told} for one, told in zip(after(row).requests, row["then"], strict=True)
    ]
    assert shown == row["then"]


@pytest.mark.parametrize("row", rows("runs"))
def test_what_runs_behind_is_followed_to_its_end(row: dict[str, Any]) -> None:
    found = after(row).runs
    assert [{name: getattr(one, name) for name in told} for one, told in zip(found, row["then"], strict=True)] == row[
        "then"
    ]
    assert [one.ended is None for one in found] == [one.how == "" for one in found]


@pytest.mark.parametrize("row", rows("checks"))
def test_the_last_test_run_speaks_in_its_own_counts(row: dict[str, Any]) -> None:
    found, then = after(row).last_test, row["then"]
    if not then:
        assert found is None
        return
    assert {name: getattr(found, name) for name in ("passed", *then)} == {"passed": None, **then}


@pytest.mark.parametrize("name", list(SUMMARIES))
def test_a_program_that_tests_counts_as_it_shows(name: str) -> None:
    for text, counts in TESTS["summaries"][name]["yes"]:
        assert counted(text)[1] == counts


@pytest.mark.parametrize("name", list(GIT["lines"]))
def test_a_line_of_git_looks_as_it_shows(name: str) -> None:
    told = GIT["lines"][name]
    assert [text for text in told["yes"] if not re.search(told["line"], text, re.MULTILINE)] == []
