"""The measure behind the recovery table: what counts as conveyed, what the ceiling chooses, what becomes of a miss."""

import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import said, write_jsonl
from steno.vocabulary.briefings import Briefing

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def recovery(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for name in ("notes", "recovery"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import recovery

    return recovery


def item(category: str, line: int, *keys: list[str], status: str = "active", importance: int = 2) -> dict[str, Any]:
    summary = " ".join(group[0] for group in keys)
    return {
        "category": category, "line": line, "keys": list(keys), "quote": f"{summary} it is", "summary": summary,
        "importance": importance, "status_at_cut": status,
    }  # fmt: skip


LABEL: dict[str, Any] = {
    "source": "talk.jsonl",
    "cut_line": 3,
    "items": [
        item("decision", 9, ["SQLite", "one file"], ["store"], importance=3),
        item("decision", 1, ["first choice"]),
        item("decision", 2, ["second choice"]),
        item("decision", 4, ["third choice"]),
        item("decision", 8, ["old choice"], status="superseded"),
        item("rejected", 5, ["Redis"], importance=3),
        item("rule", 6, ["never push"]),
        item("exclusion", 7, ["retry loop"]),
    ],
    "task_state": {
        "goal": {"text": "a store", "keys": [["store"]]},
        "done": [{"text": f"step {number}", "keys": [[f"step {number}"]]} for number in (1, 2, 3, 4)],
        "next": [{"text": "the docs", "keys": [["docs"]]}],
        "variables": [{"name": "branch", "value": "fix/The-Store"}, {"name": "none", "value": " "}],
    },
}


def test_a_text_conveys_a_label_that_has_one_key_of_every_group(recovery: ModuleType) -> None:
    text = "One  FILE is the\nStore.  Step 1, step 2, step 4. Old choice; third choice. Redis on fix/the-store"
    score = recovery.measure(recovery.wants(LABEL), recovery.Told(text, 30))
    assert score == recovery.Score(
        Counter(goal=1, progress=2, last3=2, rejected=1, rules=0, exclusions=0, variables=1, imp3=2, all=3, stale=1),
        Counter(goal=1, progress=4, last3=3, rejected=1, rules=1, exclusions=1, variables=1, imp3=2, all=7, stale=1),
        (30,),
        (95,),
    )


def test_nothing_conveys_nothing_and_counts_are_pooled(recovery: ModuleType) -> None:
    wanted = recovery.wants(LABEL)
    one = recovery.measure(wanted, recovery.Told("", 0))
    both = recovery.pooled([one, recovery.measure(wanted, recovery.Told("a store", 2))])
    assert not any(one.hits.values())
    assert +both.hits == Counter(goal=1)
    assert (both.totals["goal"], both.tokens, both.characters) == (2, (0, 2), (0, 7))
    assert recovery.pooled([]) is None


def test_the_ceiling_takes_what_gains_most_for_its_tokens_and_stays_within_them(recovery: ModuleType) -> None:
    wanted = recovery.wants(LABEL)
    pieces = ["Redis, said at great length and to nobody's use at all", "Redis", "Redis, Redis", "retry loop", "idle"]
    weights = {"rejected": 1.0, "exclusions": 0.5}
    assert recovery.best(pieces, wanted, weights, 100) == "Redis\nretry loop"
    assert recovery.best(pieces, wanted, weights, 2) == "Redis"
    assert recovery.best(pieces, wanted, weights, 0) == ""


def test_the_ceiling_puts_a_label_together_from_several_pieces(recovery: ModuleType) -> None:
    assert recovery.best(["SQLite", "idle", "store"], recovery.wants(LABEL), {"imp3": 1.0}, 100) == "store\nSQLite"


def test_the_table_tells_what_was_never_written_from_what_was_not_chosen(
    recovery: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = write_jsonl(
        tmp_path / "transcripts" / "talk.jsonl",
        said("Let's build a store.", at="2026-01-01T10:00:00Z"),
        said("I don't want Redis here, it is one more service.", at="2026-01-01T10:01:00Z"),
        said("From now on, never push to main.", at="2026-01-01T10:02:00Z"),
        said("And the retry loop failed.", at="2026-01-01T10:03:00Z"),
    )
    label = {**LABEL, "items": [one for one in LABEL["items"] if one["category"] in ("rejected", "rule", "exclusion")]}
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "talk.json").write_text(json.dumps(label))
    asked = []

    def brief(memory: Memory, *, tier: int, session: str) -> Briefing:
        asked.append((tier, session, [turn.turn.line for turn in memory.turns(session)]))
        (rule,) = memory.entries(category="rule")
        return Briefing(text=rule.summary, tokens=7, tier=tier, session=session, at="", entries=[rule.id])

    monkeypatch.setattr(Memory, "brief", brief)
    figures = tmp_path / "figures.json"
    arguments = ["--transcripts", str(transcript.parent), "--gold", str(tmp_path / "gold"), "--json", str(figures)]
    monkeypatch.setattr(sys, "argv", ["recovery.py", *arguments, "--misses"])
    assert recovery.main() == 0
    assert asked == [(0, "latest", [1, 2, 3])]
    table = json.loads(figures.read_text())["0"]
    assert {name: table["briefing"]["talk"][name] for name in ("rules", "rejected", "exclusions", "tokens")} == {
        "rules": [1, 1], "rejected": [0, 1], "exclusions": [0, 1], "tokens": [7],
    }  # fmt: skip
    assert table["last 4,000 of people"]["talk"]["rejected"] == [1, 1]
    assert table["unlimited"]["talk"]["exclusions"] == [0, 1]
    assert table["ceiling"]["talk"]["exclusions"] == [1, 1]
    assert table["host's summary"] == {}
    misses = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("talk")]
    assert ["talk", "not", "chosen", "rejected", "rejected", "3:", "Redis"] in misses
    assert ["talk", "never", "written", "exclusions", "exclusion", "2:", "retry", "loop"] in misses


def test_labels_kept_aside_show_their_misses_only_when_asked_by_name(recovery: ModuleType) -> None:
    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

    cases = [Named("one_1"), Named("two_2")]
    assert [case.name for case in recovery._chosen(cases, "", ["two"])] == ["one_1"]
    assert [case.name for case in recovery._chosen(cases, "two", ["two"])] == ["two_2"]
