"""The measure behind the state table: what counts as known, stated, right and beyond."""

import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from steno.vocabulary.checkpoints import Repository, Request, Run, Trail, TrailItem, TrailTest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
FOUND: dict[str, Any] = {
    "session": "made-up", "source": "made-up.jsonl", "line": 7,
    "folder": "/home/mia/code/pier", "branch": "fix/tide-table", "head": "0a1b2c3d4", "subject": "Fix the tide table",
    "pushed": False, "pr": {"number": 12, "state": "draft"},
    "uncommitted": ["src/tides.py", "charts/"], "uncommitted_complete": True,
    "last_test": {"command": "make test 2>&1 | tail -3", "passed": 41, "failed": 1, "outcome": "failed"},
    "running": ["harbour server"], "ended": [{"name": "long tide run", "outcome": "completed"}],
    "todo": {"open": ["Draw **the** chart"], "done": 2}, "note": "only for people",
}  # fmt: skip


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delitem(sys.modules, "state", raising=False)
    import state

    return state


def trail() -> Trail:
    here = Repository(
        folder="/home/mia/code/pier", branch="fix/tide-table", head="0a1b2c3", subject="Fix the tide table",
        pushed=False, changed=["src/tides.py", "charts/north.svg"], turn=6,
    )  # fmt: skip
    return Trail(
        repositories=[Repository(folder="/home/mia/code/quay", branch="main", turn=2), here],
        requests=[Request(url="https://forge.example/pier/12", number=12, state="draft", turn=5)],
        runs=[
            Run(id="b1", what="npm run harbour server", turn=3),
            Run(id="b2", what="long tide run", turn=1, ended=4, how="completed"),
        ],
        last_test=TrailTest(
            command="make test", passed=False, result="41 ok, 1 bad", counts={"passed": 41, "failed": 1}, turn=5
        ),
        todos=[
            TrailItem(text="Draw the chart", state="doing", turn=1),
            TrailItem(text="Ask Ida", state="done", turn=1),
            TrailItem(text="Read the logs", state="done", turn=1),
        ],
        listed=4,
    )


def test_a_trail_that_says_what_the_reader_saw_is_right_in_every_field(state: ModuleType) -> None:
    tally = state.compared(state.sealed(FOUND), state.sealed(state.stated(trail())))
    expected = {
        (field, count): 1
        for field in (*state.FIELDS, *state.APART)
        for count in ("known", "stated", "told", "right")
    }  # fmt: skip
    assert +tally == Counter(expected)


def test_what_is_wrong_beyond_or_missing_is_counted_apart(state: ModuleType) -> None:
    unknown = {**FOUND, "branch": None, "pushed": None, "running": None, "uncommitted_complete": False}
    told = {
        **FOUND,
        "head": "fffffff",
        "pr": {"number": 12, "state": "open"},
        "uncommitted": ["src/tides.py", "README.md"],
        "last_test": {"command": "make lint", "outcome": "failed"},
        "ended": [],
        "todo": None,
    }
    tally = state.compared(state.sealed(unknown), state.sealed(told))

    def count(field: str) -> tuple[int, ...]:
        return tuple(tally[field, each] for each in ("known", "stated", "told", "right", "beyond"))

    assert {field: count(field) for field in (*state.FIELDS, *state.APART)} == {
        "repository": (1, 1, 1, 1, 0),
        "branch": (0, 0, 0, 0, 1),
        "head": (1, 1, 1, 0, 0),
        "subject": (1, 1, 1, 1, 0),
        "pushed": (0, 0, 0, 0, 1),
        "pr": (1, 1, 1, 0, 0),
        "uncommitted": (1, 1, 1, 0, 0),
        "last test": (1, 1, 1, 0, 0),
        "counts": (1, 0, 0, 0, 0),
        "running": (0, 0, 0, 0, 1),
        "ended": (1, 0, 0, 0, 0),
        "to-do": (1, 0, 0, 0, 0),
    }


def test_a_text_is_read_for_what_it_states_latest_first(state: ModuleType) -> None:
    text = (
        "- results so far, latest first: push tides -> tides; commit 0a1b2c3 Fix the tide table; "
        "gh pr create --draft → https://forge.example/pull/12; commit 9999999 Begin\n"
        "- started in the background (look whether it has ended): Bash npm run harbour; Bash sleep 9\n"
        "- commands that worked: make test; make lint\n"
        "- folder /home/mia/code/pier, branch fix/tide-table\n"
    )
    assert state.printed(text) == {
        "hedged": True,
        "folder": "/home/mia/code/pier",
        "branch": "fix/tide-table",
        "head": "0a1b2c3",
        "subject": "Fix the tide table",
        "pushed": True,
        "pr": {"number": 12, "state": "draft"},
        "last_test": {"command": "make test", "outcome": "passed"},
        "running": ["Bash npm run harbour", "Bash sleep 9"],
    }


def test_nothing_a_reader_wrote_stays_readable(
    state: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "made-up.json").write_text(json.dumps([FOUND]), "utf-8")
    monkeypatch.setattr(state, "LABELS", tmp_path / "sealed")
    state.seal_folder(tmp_path / "found")
    kept = (tmp_path / "sealed" / "made-up.json").read_text("utf-8")
    assert json.loads(kept)[0] == {"line": 7, **state.sealed(FOUND)}
    for word in ("mia", "pier", "tide", "0a1b2c3", "make", "harbour", "chart", "people"):
        assert word not in kept.casefold()
