"""The measure behind recall's table: what counts as found, as hidden and as missed."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
NEW, OLD, ELSE = ("s", "1"), ("s", "2"), ("s", "3")


@pytest.fixture
def quality(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import recall_quality

    return recall_quality


def asked(quality: ModuleType, text: str = "?", half: str = "aside", **fields: Any) -> Any:
    return quality.Question(text, "changed", frozenset({NEW}), frozenset({"s"}), half, **fields)


def test_the_new_word_is_first_only_where_it_was_found(quality: ModuleType, tmp_path: Path) -> None:
    run = quality.Run.__new__(quality.Run)
    question = asked(quality, stale=frozenset({OLD}), any_will_do=True)
    found = [[NEW, OLD], [OLD, NEW], [ELSE], [NEW], [OLD]]
    run.outcomes = [quality.Outcome("own", "all", "steno", question, keys) for keys in found]
    run.silences = [
        quality.Silence("own", "aside", kind, silent)
        for kind, silent in (("answered", False), ("answered", True), ("others", True), ("near", False))
    ]
    counts = quality.counts(run)
    assert counts == {
        "own": {"aside": {"new first": (2, 5), "answered": (1, 2), "others silent": (1, 1), "near silent": (0, 1)}}
    }
    assert list(quality.missed({"figures": {}, "counts": counts})) == [
        "own new first (2 of 5, aim 0.9)",
        "own answered (1 of 2, aim 0.95)",
        "own near silent (0 of 1, aim 0.85)",
    ]


def test_questions_of_other_stores_are_of_the_same_half_and_from_all_of_them(quality: ModuleType) -> None:
    questions = [asked(quality, f"q{number}") for number in range(27)]
    strange = quality.Store("other", [], [*questions, asked(quality, "tuned", half="tuned")])
    own = quality.Store("own", [], [asked(quality, "own")])
    together = quality.Store("pooled_aside", [], [asked(quality, "all")])
    found = [one.text for one in quality.others(own, [own, strange, together])]
    assert (len(found), found[0], found[-1]) == (14, "q0", "q25")
    assert quality.others(together, [own, strange, together]) == ()


def test_a_baseline_that_is_better_is_named(quality: ModuleType) -> None:
    def figures(value: float) -> dict[str, Any]:
        return {"aside": dict.fromkeys(("R@1", "R@5", "R@10", "any@5", "all@5"), value)}

    of = {"turns": {"steno": figures(0.5), "fts5": figures(0.5)}, "sessions": {}, "all": {"steno": figures(0.1)}}
    of["turns"]["vectors"] = {"aside": {**figures(0.4)["aside"], "R@10": 0.6}}
    assert list(quality.beaten({"own": of})) == ["own turns R@10 (vectors 0.600, 0.500)"]
