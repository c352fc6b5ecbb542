"""Why something was told, asked or found is kept beside the answer, in our words and nobody's."""

from pathlib import Path

import apsw
from msgspec import structs

from steno.memory import Memory
from steno.pipeline.uses import placed
from steno.testing import house, said, write_jsonl
from steno.vocabulary import Briefing, Hit

BECAUSE = {"entry:1f": "in force", "turn:3": "no room: 41st of 60", "goal": "last words"}


def told(memory: Memory, because: dict[str, str] = BECAUSE) -> None:
    memory.given(
        Briefing(
            text="hello", tokens=1, tier=None, session="s1", at="", items=["entry:1f"], kind="gate", agent="blog",
            verdict="ask", because=because, tool="Bash", call="toolu_1",
        )
    )  # fmt: skip


def test_a_receipt_keeps_why_and_which_call(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        told(memory)
        (found,) = memory.receipts()
    assert (found.because, found.tool, found.call) == (BECAUSE, "Bash", "toolu_1")


def test_of_what_was_looked_at_a_receipt_keeps_the_first_two_hundred(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        told(memory, {f"turn:{number}": "no room" for number in range(300)})
        (found,) = memory.receipts()
    assert found.because == {f"turn:{number}": "no room" for number in range(200)}


def test_a_receipt_from_before_says_that_nobody_noted_why(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.given(Briefing(text="hello", tokens=1, tier=0, session="s1", at=""))
        path = memory.home.root / "steno.db"
    with apsw.Connection(str(path)) as connection:
        connection.execute("UPDATE receipts SET because = NULL, tool = NULL, call = NULL")
    with house(tmp_path) as memory:
        assert [one.because for one in memory.receipts()] == [None]


def test_a_receipt_moves_with_what_it_says_of_why(tmp_path: Path) -> None:
    with house(tmp_path / "a") as memory:
        told(memory)
        lines = list(memory.export())
        before = memory.receipts()
    with house(tmp_path / "b") as memory:
        memory.import_(lines, trust=True)
        memory.import_(lines, trust=True)
        assert memory.receipts() == [structs.replace(one, turn=None) for one in before]


def test_a_forgotten_text_leaves_why_and_the_receipt_stays(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("the “kiwi” list", session="s9")), source="jsonl")
        told(memory, {"goal": "the “kiwi” list"})
        memory.forget(text="“kiwi”")
        (found,) = memory.receipts()
    assert (found.items, found.because) == (["entry:1f"], None)


def test_a_forgotten_name_takes_its_receipt_along(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        told(memory)
        memory.forget(text="toolu_1")
        assert memory.receipts() == []


def test_a_call_that_was_let_pass_is_nothing_the_agent_was_told(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        for verdict, tokens in (("ask", 40), ("allow", 0)):
            memory.given(
                Briefing(
                    text="", tokens=tokens, tier=None, session=None, at="", kind="gate", agent="blog", verdict=verdict,
                    because=BECAUSE,
                )
            )  # fmt: skip
        last = memory.home.store.gates.last("blog", None)
        assert last is not None
        assert last.verdict == "ask"
        memory.fleet.agents.tell("blog")
        [fit] = memory.fleet.fitness.measure(["blog"])
    assert (fit.values["gate_answers"], fit.values["gate_asks"]) == (1.0, 1.0)


def hit(reason: str) -> Hit:
    return Hit(
        id=1, kind="turn", score=1.23456, reason=reason, session="s1", source="jsonl", turn=1, line=None,
        native_id=None, text="", quote="", at=None, origin="user",
    )  # fmt: skip


def test_why_a_hit_was_found_is_kept_without_the_words_of_the_question() -> None:
    assert placed(hit("decision; words: kiwi, list; meaning: 0.41; time: last week")) == (
        "words it shares with the question: 2; meaning: 0.41; in the time asked for; score 1.235"
    )
    assert placed(hit("shares no telling word; outside the time: march; in place of 1f; kiwi")) == (
        "shares no telling word; outside the time asked for; in place of 1f; score 1.235"
    )


def test_a_recall_keeps_which_place_each_hit_had(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        lines = [said(f"the kiwi list number {number}", session="s1", id=str(number)) for number in (1, 2)]
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        hits = memory.recall("kiwi list", within="turns", session="s2")
        memory.uses.write()
        path = memory.home.root / "steno.db"
    with apsw.Connection(str(path)) as connection:
        rows = list(connection.execute("SELECT target, place, reason FROM uses ORDER BY id"))
    assert rows == [(str(one.id), place, placed(one)) for place, one in enumerate(hits, 1)]
