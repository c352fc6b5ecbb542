"""The dialogues of `benchmarks/opposites`: what was understood once is not lost again."""

import json
import sys
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"


def test_dialogues_that_invite_the_opposite_are_not_taken_for_it_and_plain_ones_are_noted(monkeypatch) -> None:
    monkeypatch.setenv("STENO_EMBEDDING", "off")
    monkeypatch.syspath_prepend(str(FOLDER))
    from opposites import score

    lines = [line for path in sorted((FOLDER / "opposites").glob("*.jsonl")) for line in path.read_text().splitlines()]
    found = sum((score(json.loads(line), misses=False) for line in lines), Counter[str]())
    sys.modules.pop("opposites")
    assert (found["opposites"], found["controls"]) == (120, 60)
    assert (found["opposites wrong"] <= 3, found["in force"] <= 1, found["controls noted"] >= 56) == (True,) * 3
