"""The dialogues that were written blind: what is found in them once must not be lost again."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from steno.scribe import propose


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dialogues", Path(__file__).parent / "dialogues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["dialogues"] = module
    spec.loader.exec_module(module)
    return module


def test_what_people_mean_is_found_and_what_they_do_not_mean_is_not() -> None:
    dialogues = scorer()
    pooled = dialogues.score(dialogues.load(), propose)["pooled"]
    shares = {name: found / total for name, (found, total) in pooled["recall"].items()}
    assert min(shares[name] for name in ("rejected", "decision", "rule")) >= 0.9
    right, core = pooled["precision"]
    fallen, traps = pooled["traps"]
    assert (right / core >= 0.88, fallen / traps <= 0.08) == (True, True)
