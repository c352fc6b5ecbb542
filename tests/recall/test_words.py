"""Words: a turn is found by what was said around it, and no order of events makes the index lie."""

import os
import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.memory import Memory
from steno.pipeline.index import index_words
from steno.recall.fit import passage
from steno.recall.pieces import pieces
from steno.recall.question import ask, expression
from steno.recall.where import Where
from steno.recall.words import Document, WordIndex
from steno.testing import house, said, write_jsonl
from steno.vocabulary.errors import Overtaken

NOW = "2026-06-15T12:00:00.000Z"
ASKED = ("oranges", "lemon juice", "the apples of the market", "harvest", "nothing of that kind")


def found(memory: Memory, question: str, **options: object) -> list[str | None]:
    return [hit.native_id for hit in memory.recall(question, within="turns", k=100, **options)]  # type: ignore[arg-type]


def take(memory: Memory, path: Path, source: str = "jsonl") -> None:
    """Capture, and do at once what would be done behind."""
    memory.capture(path, source=source)
    memory.embed()


def dialogue(turns: int, sessions: int = 3) -> list[dict[str, object]]:
    """Talk about fruit, in several sessions at once, with tools in between. Always the same."""
    words = "apples oranges lemon juice market harvest price basket tree farmer rain the of and week".split()
    dice = random.Random(7)
    lines = []
    for number in range(1, turns + 1):
        role = dice.choice(["user", "assistant", "assistant", "tool"])
        text = " ".join(dice.choices(words, k=dice.randint(3, 60)))
        session = f"s{dice.randint(1, sessions)}"
        lines.append(said(f"{text} {number}", role=role, session=session, id=str(number)))
    return lines


def hits_of(folder: Path, portions: Iterable[list[dict[str, object]]]) -> list[list[tuple[str | None, str]]]:
    """What is found after these lines were captured, portion by portion."""
    for lines in portions:
        with house(folder) as memory:
            take(memory, write_jsonl(folder / "t.jsonl", *lines))
    with house(folder) as memory:
        answers = [memory.recall(question, within="turns", k=200) for question in ASKED]
    return [sorted((hit.native_id, hit.text) for hit in answer) for answer in answers]


def test_a_turn_is_found_by_words_of_its_neighbours(tmp_path: Path) -> None:
    lines = [
        said("which colour shall the logo of the bakery have?", role="assistant", id="question"),
        said("green, please", id="answer"),
        said("what about the weather in Lisbon?", id="other", session="s2"),
    ]
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", *lines))
        assert sorted(found(memory, "bakery logo"), key=str) == ["answer", "question"]


def test_an_answer_that_came_later_makes_the_question_found_by_it(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("which colour?", role="assistant", id="question"))
    with house(tmp_path) as memory:
        memory.capture(path, source="jsonl")
        assert found(memory, "turquoise") == []
        take(memory, write_jsonl(path, said("turquoise", id="answer")))
        assert sorted(found(memory, "turquoise"), key=str) == ["answer", "question"]


@pytest.mark.parametrize("portion", [1, 7, 24])
def test_an_index_brought_up_to_date_finds_what_one_made_in_one_go_finds(tmp_path: Path, portion: int) -> None:
    lines = dialogue(28 if portion == 1 else 60, sessions=1 if portion == 1 else 3)
    portions = [lines[start : start + portion] for start in range(0, len(lines), portion)]
    at_once = hits_of(tmp_path / "once", [lines])
    assert hits_of(tmp_path / "often", portions) == at_once
    assert all(at_once[:4])


def test_a_word_that_every_turn_holds_is_found_though_turns_were_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with house(tmp_path) as memory:
        for number in range(1, 7):
            take(memory, write_jsonl(path, said("apples", id=str(number))))
        index = memory.derived.words
        assert index.mark(memory.home.store.searched.erasures()) == 6
        assert sorted(one.id for one in index.turns({"apples": 1.0}, Where(), most=10)) == [1, 2, 3, 4, 5, 6]


def test_words_that_are_nowhere_do_not_keep_the_others_from_being_found(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", said("the lemon fell", id="1")))
        index = memory.derived.words
        index.mark(memory.home.store.searched.erasures())
        words = {f"unknown{number}": 1.0 for number in range(60)} | {"lemon": 1.0}
        assert [one.id for one in index.turns(words, Where(), most=10)] == [1]


def test_a_kill_between_commit_and_mark_doubles_nothing(tmp_path: Path) -> None:
    index = WordIndex(tmp_path)
    with index.writing(0) as writer:
        writer.put(Document(1, 1, 1, 1, "apple", "apple"))
        writer.commit(1)
    with index.writing(0) as writer:
        writer.put(Document(2, 1, 1, 1, "apple pie", "apple pie"))
        writer._stretches.commit()
        writer._turns.commit()  # and no mark: killed here
    with index.writing(0) as writer:
        assert writer.mark == 1
        writer.put(Document(2, 1, 1, 1, "apple pie", "apple pie"))
        writer.commit(2)
    assert index.mark(0) == 2
    assert sorted(one.id for one in index.turns({"apple": 1.0}, Where(), most=10)) == [1, 2]


def test_what_was_not_committed_is_not_there(tmp_path: Path) -> None:
    index = WordIndex(tmp_path)
    with index.writing(0) as writer:
        writer.put(Document(1, 1, 1, 1, "apple", "apple"))
    assert index.mark(0) is None
    with pytest.raises(Overtaken):
        index.turns({"apple": 1.0}, Where(), most=10)


def test_a_second_writer_at_once_is_harmless(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", said("apple", id="1")))
        take(memory, write_jsonl(tmp_path / "u.jsonl", said("apple pie", id="2", session="u")))
        memory.derived.words.drop()
        erasures = memory.home.store.searched.erasures()
        with WordIndex(tmp_path / "steno" / "derived" / "words").writing(erasures) as other:
            assert index_words(memory.home.store, memory.derived.words) == 0
            assert sorted(found(memory, "apple"), key=str) == ["1", "2"]
            other.commit(0)
        assert index_words(memory.home.store, memory.derived.words) == 2
        assert index_words(memory.home.store, memory.derived.words) == 0
        assert sorted(found(memory, "apple"), key=str) == ["1", "2"]


def test_a_reader_sees_what_another_process_indexed(tmp_path: Path) -> None:
    with house(tmp_path) as reader, house(tmp_path) as writer:
        take(writer, write_jsonl(tmp_path / "t.jsonl", said("apple", id="1")))
        assert found(reader, "apple") == ["1"]
        take(writer, write_jsonl(tmp_path / "u.jsonl", said("an apple again", id="2", session="u")))
        assert sorted(found(reader, "apple"), key=str) == ["1", "2"]
        writer.forget(turn=1)
        assert found(reader, "apple") == ["2"]


def test_turns_that_are_not_indexed_yet_are_found_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", said("apple tree", id="1")))
        monkeypatch.setattr(memory.derived, "index", lambda *_: 0)
        take(memory, write_jsonl(tmp_path / "u.jsonl", said("apple pie", id="2", session="u")))
        assert memory.derived.words.mark(memory.home.store.searched.erasures()) == 1
        assert sorted(found(memory, "apple"), key=str) == ["1", "2"]
        memory.derived.words.drop()
        assert sorted(found(memory, "apple"), key=str) == ["1", "2"]


def test_turns_nobody_can_ask_for_do_not_keep_the_index_from_being_up_to_date(tmp_path: Path) -> None:
    thinking = {
        "type": "assistant",
        "uuid": "u",
        "sessionId": "s",
        "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "apples, perhaps"}]},
    }
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", thinking), "claude-code")
        assert memory.status().turns == 1
        assert memory.derived.words.mark(memory.home.store.searched.erasures()) == 1
        assert found(memory, "apples") == []


# -- damage ----------------------------------------------------------------------------------------------------------


def harmed(file: Path, content: bytes) -> None:
    """Another file takes its place: a thread of an index that was just closed may still have the old one mapped, and
    would be killed if that shrank."""
    beside = file.with_name(f"{file.name}.harmed")
    beside.write_bytes(content)
    os.replace(beside, file)


def cut_off(file: Path) -> None:
    harmed(file, file.read_bytes()[: file.stat().st_size // 2])


def garbage(file: Path) -> None:
    harmed(file, b"\xff{garbage" * 200)


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def kind_of(file: Path) -> tuple[str, str, bool]:
    return file.parent.name, file.suffix, file.name.startswith(".")


HARM = {"removed": Path.unlink, "cut off": cut_off, "garbage": garbage}


@pytest.mark.parametrize("harm", HARM)
def test_a_damaged_index_answers_and_is_made_anew(tmp_path: Path, harm: str) -> None:
    path, words = tmp_path / "t.jsonl", tmp_path / "steno" / "derived" / "words"
    with house(tmp_path) as memory:
        take(memory, write_jsonl(path, said("apple 0", id="0"), said("never mind", id="x", session="x")))
    kinds = sorted(set(map(kind_of, files(words))))
    assert len(kinds) > 10
    for number, kind in enumerate(kinds[list(HARM).index(harm) :: 2], 1):
        for file in [file for file in files(words) if kind_of(file) == kind]:
            HARM[harm](file)
        with house(tmp_path) as memory:
            before = [str(before) for before in range(number)]
            assert sorted(found(memory, "apple"), key=str)[:number] == sorted(before), kind
            take(memory, write_jsonl(path, said(f"apple {number}", id=str(number))))
            assert memory.derived.words.mark(memory.home.store.searched.erasures()) == number + 2
            assert set(before) | {str(number)} <= set(found(memory, "apple")), kind


def test_an_index_whose_folder_is_a_file_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "steno" / "derived").mkdir(parents=True)
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", said("apple", id="1")))
        words = tmp_path / "steno" / "derived" / "words"
        memory.derived.words.drop()
        words.rmdir()
        words.write_text("this is no folder")
        assert found(memory, "apple") == ["1"]
        memory.embed()
        assert memory.derived.words.mark(memory.home.store.searched.erasures()) == 1


def test_who_still_writes_words_that_were_forgotten_meanwhile_leaves_none(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", said("canaryword", id="1"), said("apple", id="2")))
        erasures = memory.home.store.searched.erasures()
        memory.derived.words.drop()
        with memory.derived.words.writing(erasures) as slow:
            slow.put(Document(1, 1, 1, 1, "canaryword", "canaryword"))
            memory.forget(turn=1)
            with pytest.raises(Overtaken):
                slow.commit(1)
        assert found(memory, "canaryword") == []
        assert found(memory, "apple") == ["2"]
        erasures = memory.home.store.searched.erasures()
    assert [place.name for place in (tmp_path / "steno" / "derived" / "words").iterdir()] == [f"1.{erasures}"]


def test_an_index_made_while_something_was_forgotten_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as memory, house(tmp_path) as other:
        take(memory, write_jsonl(tmp_path / "t.jsonl", said("canaryword", id="1"), said("apple", id="2")))
        memory.derived.words.drop()
        forget = lambda _: other.home.store.searched.erasures() or other.home.store.eraser.forget([1], now=NOW)  # noqa: E731
        index_words(memory.home.store, memory.derived.words, told=forget)
        assert found(memory, "canaryword") == []
        assert memory.derived.words.mark(memory.home.store.searched.erasures()) == 2
        erasures = memory.home.store.searched.erasures()
    assert [place.name for place in (tmp_path / "steno" / "derived" / "words").iterdir()] == [f"1.{erasures}"]


# -- what is asked ---------------------------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Iterable[Memory]:
    lines = [
        said("customers are charged twice", id="1", at="2026-02-01T10:00:00Z", project="shop"),
        said("I'll add an idempotency key to the checkout", role="assistant", id="2", project="shop"),
        said("charged the batteries", role="tool", id="3", session="s2", project="robots", agent="ada"),
    ]
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", *lines))
        yield memory


def test_other_forms_of_a_word_are_found(shop: Memory) -> None:
    assert set(found(shop, "customer charging")) >= {"1", "3"}


def test_the_scope_is_part_of_the_question(shop: Memory) -> None:
    assert found(shop, "charged", project="robots") == ["3"]
    assert found(shop, "charged", agent="ada") == ["3"]
    assert "3" not in found(shop, "charged", project="shop")
    assert found(shop, "charged", project="shop", agent="ada") == []
    assert found(shop, "charged", project="elsewhere") == []


def test_the_scope_holds_for_turns_that_are_not_indexed_yet(shop: Memory) -> None:
    shop.derived.words.drop()
    assert found(shop, "charged", project="robots") == ["3"]
    assert found(shop, "charged", agent="ada") == ["3"]
    assert found(shop, "charged", project="elsewhere") == []


def test_common_words_alone_still_find_something(shop: Memory) -> None:
    assert {"2", "3"} <= set(found(shop, "to the"))


def test_scripts_without_spaces_are_found_by_a_part_of_a_sentence(tmp_path: Path) -> None:
    lines = [
        said("決済テーブルを手で変更しないでください", id="ja"),
        said("请不要手动修改付款表", id="zh", session="zh"),
        said("ห้ามแก้ตารางการชำระเงินด้วยมือ", id="th", session="th"),
        said("결제테이블을손으로바꾸지마세요", id="ko", session="ko"),
        said("something else", id="en", session="en"),
    ]
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", *lines))
        asked = {"テーブル": "ja", "付款表": "zh", "ตาราง": "th", "테이블": "ko"}
        assert {found(memory, question)[0] for question in asked} == set(asked.values())
        assert {question: found(memory, question)[0] for question in asked} == asked


def test_a_question_as_of_a_time_finds_only_what_was_said_before(tmp_path: Path) -> None:
    lines = [said(f"apple {month}", id=f"{month}", at=f"2026-0{month}-10T10:00:00Z") for month in (1, 2, 3)]
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", *lines, said("apple, some time", id="?")))
        assert set(found(memory, "apple", at="2026-03-01T00:00:00.000Z")) == {"1", "2"}
        memory.derived.words.drop()
        assert set(found(memory, "apple", at="2026-03-01T00:00:00.000Z")) == {"1", "2"}
        assert set(found(memory, "apple")) == {"1", "2", "3", "?"}


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("what about the budget in March?", "march"),
        ("what about the budget last week?", "last week"),
        ("what about the budget yesterday?", "yesterday"),
    ],
)
def test_time_words_bring_up_what_was_said_then(tmp_path: Path, question: str, best: str) -> None:
    days = {"march": "2026-03-12", "last week": "2026-06-10", "yesterday": "2026-06-14", "january": "2026-01-05"}
    lines = [
        said(f"the budget is {number} now", id=name, session=name, at=f"{day}T09:00:00Z")
        for number, (name, day) in enumerate(days.items())
    ]
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", *lines))
        [first, *_] = memory.recall(question, now=NOW, within="turns")
        assert (first.native_id, "time: " in first.reason) == (best, True)


def test_what_was_said_at_another_time_is_not_called_a_match_of_the_time(tmp_path: Path) -> None:
    lines = [
        said("the budget is 4 now", id="1", session="1", at="2026-03-12T09:00:00Z"),
        said("we talked about something else", id="2", session="2", at="2026-06-10T09:00:00Z"),
    ]
    with house(tmp_path) as memory:
        take(memory, write_jsonl(tmp_path / "t.jsonl", *lines))
        reasons = {hit.native_id: hit.reason for hit in memory.recall("budget last week", now=NOW, within="turns")}
        assert reasons["1"] == "words: budget; outside the time: last week"
        assert reasons.get("2") in (None, "time: last week")


def test_a_time_word_narrows_even_if_thousands_fit_better(tmp_path: Path) -> None:
    """The candidates by words are limited; those of the time in question must be among them."""
    many = [
        said("budget budget budget", id=f"m{number}", session=f"m{number}", at="2026-06-01T09:00:00Z")
        for number in range(700)
    ]
    long = "so much else was said that day about everything and nothing and the budget among it"
    with house(tmp_path) as memory:
        lines = [*many, said(long, id="march", session="march", at="2026-03-12T09:00:00Z")]
        take(memory, write_jsonl(tmp_path / "t.jsonl", *lines))
        assert "march" in [hit.native_id for hit in memory.recall("budget in March", now=NOW, within="turns")]


@given(st.text())
def test_an_expression_is_only_quoted_words(question: str) -> None:
    whole = expression(ask(question, NOW).words, 32)
    for part in whole.split(" OR ") if whole else []:
        assert part.startswith('"')
        assert part.endswith('"')
        assert '"' not in part[1:-1]


@given(st.text(min_size=1), st.lists(st.text(min_size=1), max_size=3))
def test_a_quote_is_verbatim(text: str, words: list[str]) -> None:
    assert passage(text, words) in text


@given(st.text(), st.text())
def test_pieces_are_few_short_and_made_of_the_words_there_are(text: str, before: str) -> None:
    made = pieces(text, before)
    assert len(made) <= 7
    assert bool(made) == bool(text.split())
    assert {word for piece in made for word in piece.split()} <= {*text.split(), *before.split()}
    assert all(0 < len(piece.split()) <= 70 for piece in made)


def test_a_long_text_is_told_by_its_beginning_and_its_end() -> None:
    sentences = [f"Sentence {number} has quite a few words of its own, so that it fills a piece by itself, all of it."
                 for number in range(100)]  # fmt: skip
    made = pieces(" ".join(sentences))
    assert made == [*sentences[:4], *sentences[-2:]]
