"""A short round of what `make torture` does at length."""

import importlib.util
from pathlib import Path
from types import ModuleType


def kill() -> ModuleType:
    """The script beside this file."""
    spec = importlib.util.spec_from_file_location("kill", Path(__file__).with_name("kill.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_capture_killed_a_dozen_times_loses_and_doubles_nothing(tmp_path: Path) -> None:
    outcome = kill().torture(tmp_path, cycles=12, seed=7)
    assert (outcome.lost, outcome.doubled, outcome.strange, outcome.unsound) == (0, 0, 0, [])
    assert outcome.found == outcome.expected == 12 * 4 * 40
    assert outcome.killed >= 6
