"""What a person's words answer: the stopped call, the question, the option a letter stands for."""

import json
from typing import Any

import pytest

from steno.scribe.scene import Picked, answered, answers, call_of, picked, questions, scene
from steno.vocabulary import JournalTurn, Turn, Window
from steno.vocabulary.details import Call

OFFER = (
    "I looked at the cache layer. There are two ways to go:\n\n"
    "1. Keep `RedisCache` and add a TTL of 60 seconds\n"
    "2. Replace it by an in-process `LruCache` in `src/cache.py`\n"
    "3. Drop caching for now\n\n"
    "I'd suggest the in-process one since it needs no service. Want me to proceed with that?"
)
LETTERS = "Two designs:\n\na) one table per tenant\nb) a `tenant_id` column on every table\n\nWhich one do you prefer?"
BRACKETS = "(a) the same container\n(b) a container of its own\n\nYour call."
INLINE = "We could a) retry in the client, b) queue the request or c) give up."
TABLE = "| # | plan |\n|---|---|\n| 1 | rewrite the parser |\n| 2 | patch the lexer |\n\nWhich one?"
HEADINGS = "### Option A: keep the monolith\nLess work.\n\n### Option B: split billing out\nMore work.\n\nYour call."
BOLD = "Where do the sessions live?\n\n- **A. Redis** — quick\n- **B. Postgres** — one table for all\n\nWhich one?"


def turn(text: str, number: int, **fields: Any) -> JournalTurn:
    values: dict[str, Any] = {"role": "user", "kind": "said"}
    return JournalTurn(id=number, source="claude-code", session="s", turn=Turn(text=text, **values | fields))


def agent(text: str, number: int = 40) -> JournalTurn:
    return turn(text, number, role="assistant")


def call(tool: str, number: int, id_: str = "c1", **given: Any) -> JournalTurn:
    return turn(json.dumps(given), number, role="assistant", kind="call", tool=tool, call=id_)


def texts(found: Picked) -> tuple[list[str], list[str]]:
    return [one.text for one in found.taken], [one.text for one in found.out]


@pytest.mark.parametrize(
    ("before", "words", "taken", "out"),
    [
        (OFFER, "2", ["2. Replace it by an in-process `LruCache` in `src/cache.py`"], []),
        (OFFER, "option 1 please", ["1. Keep `RedisCache` and add a TTL of 60 seconds"], []),
        (OFFER, "1, not 3", ["1. Keep `RedisCache` and add a TTL of 60 seconds"], ["3. Drop caching for now"]),
        (
            OFFER,
            "1 and 2, leave 3 out, we have users",
            [
                "1. Keep `RedisCache` and add a TTL of 60 seconds",
                "2. Replace it by an in-process `LruCache` in `src/cache.py`",
            ],
            ["3. Drop caching for now"],
        ),
        (LETTERS, "b", ["b) a `tenant_id` column on every table"], []),
        (LETTERS, "B, because we have one schema", ["b) a `tenant_id` column on every table"], []),
        (INLINE, "c", ["c) give up"], []),
        (BRACKETS, "b - the web app is killed already", ["(b) a container of its own"], []),
        (TABLE, "2", ["| 2 | patch the lexer |"], []),
        (HEADINGS, "A", ["### Option A: keep the monolith"], []),
        ("Done:\n\n- the export\n- the import\n\nLeft: #1 and #2. Which one next?", "2", [], []),
        (BOLD, "B", ["- **B. Postgres** — one table for all"], []),
        (OFFER, "add a test for the 2 cases", [], []),
        (
            OFFER,
            "1 does seem like the better way, though we might want to look at it again in spring",
            ["1. Keep `RedisCache` and add a TTL of 60 seconds"],
            [],
        ),
        (HEADINGS, "A 画像は別の場所に置きたい", ["### Option A: keep the monolith"], []),
        ("**案 A: Git に置く**\n\n**案 B: 別に作る**\n\nどちらにしますか？", "A", ["**案 A: Git に置く**"], []),
        (OFFER, "1 minute please", [], []),
        (OFFER, "2 tests fail now, look at them first", [], []),
        (LETTERS, "a user sent me this screenshot of it", [], []),
        (OFFER, "why 60 seconds?", [], []),
        ("I fixed it.", "2", [], []),
    ],
)
def test_a_letter_or_number_means_the_option_it_stands_for(
    before: str, words: str, taken: list[str], out: list[str]
) -> None:
    place = scene(turn(words, 50), Window((agent(before),), ()))
    assert texts(picked(place, words)) == (taken, out)


def test_words_that_only_point_answer_the_stopped_call_first() -> None:
    stopped = call("Bash", 41, command="npm publish --tag next")
    window = Window((agent(OFFER), turn("[Request interrupted by user]", 42, kind="interrupted")), (stopped,))
    place = scene(turn("no", 50), window)
    assert (place.stopped, answered(place, "no").kind) == ("Bash npm publish --tag next", "call")


def test_a_refused_call_is_the_one_it_was_refused_for() -> None:
    first, second = call("Edit", 41, "a", file_path="src/api.py"), call("Bash", 43, "b", command="make")
    denied = turn("not this file", 50, kind="denied", call="a")
    assert call_of(scene(denied, Window((), (first, second))).call) == Call("Edit", "src/api.py")


def test_a_call_before_the_persons_last_words_was_not_stopped_by_them() -> None:
    said = (turn("go on", 42), turn("[Request interrupted by user]", 43, kind="interrupted"))
    window = Window(said, (call("Bash", 41, command="ls"),))
    assert scene(turn("format the code", 50), window).call is None


def test_without_an_interruption_nothing_was_stopped() -> None:
    place = scene(turn("no", 50), Window((agent(OFFER),), (call("Bash", 39, command="ls"),)))
    found = answered(place, "no")
    assert (place.stopped, found.kind, found.text) == (
        "", "question", "I'd suggest the in-process one since it needs no service. / Want me to proceed with that?",
    )  # fmt: skip


def test_a_question_that_says_nothing_brings_the_sentence_before_it() -> None:
    place = scene(turn("yes", 50), Window((agent("I'd put the limiter into `gateway.go`. Shall I?"),), ()))
    assert answered(place, "yes").text == "I'd put the limiter into `gateway.go`. / Shall I?"


def test_words_that_name_a_sentence_answer_that_sentence() -> None:
    before = agent("I renamed the invoice table. I also bumped the parser. All green?")
    place = scene(turn("x", 50), Window((before,), ()))
    found = answered(place, "the invoice table keeps its name")
    assert (found.kind, found.text) == ("words", "I renamed the invoice table.")


def test_an_option_goes_on_behind_its_dash() -> None:
    put = (
        "Two ways:\n\n1. **By hand** — I write each page. It is slow.\n2. **By a tool** — It writes all.\n\nWhich one?"
    )
    place = scene(turn("1", 50), Window((agent(put),), ()))
    assert [one.text for one in picked(place, "1").taken] == ["1. **By hand** — I write each page."]


def test_a_question_asked_through_a_tool_comes_with_what_it_offered() -> None:
    options = [{"label": "SQLite"}, {"label": "Postgres"}]
    asked = call("AskUserQuestion", 41, questions=[{"question": "Which store?", "options": options}])
    [(question, offered)] = questions(turn("SQLite", 50, kind="answer", call="c1"), Window((), (asked,)))
    assert (question.kind, question.text, [one.text for one in offered]) == (
        "question", "Which store?", ["SQLite", "Postgres"],
    )  # fmt: skip


def test_a_question_may_stand_by_itself_in_the_call() -> None:
    asked = call("ask_user_question", 41, question="Which store?", options=[{"label": "SQLite"}])
    [(question, offered)] = questions(turn("SQLite", 50, kind="answer", call="c1"), Window((), (asked,)))
    assert (question.text, [one.text for one in offered]) == ("Which store?", ["SQLite"])


def test_an_answer_below_a_question_that_is_out_of_sight_answers_that_question() -> None:
    said = turn("> Which store?\nSQLite\n> Which host?\nThe old one", 50, kind="answer", call="c9")
    other = call("AskUserQuestion", 41, questions=[{"question": "Which day?", "options": []}])
    for window in (Window((), ()), Window((), (other,))):
        found = [(put[0].text, [one.text for one in words]) for put, words in answers(said, window)]
        assert found == [("Which store?", ["SQLite"]), ("Which host?", ["The old one"])]


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "not json", '{"questions": 3}', "null", "{" * 5000, '{"command":' + "[" * 5000]
)
def test_a_call_nobody_can_read_is_no_question(text: str) -> None:
    broken = turn(text + '"question', 41, role="assistant", kind="call", tool="Ask")
    assert questions(turn("x", 50, kind="answer"), Window((), (broken,))) == []
    assert call_of(broken) is not None


OFFERED = "Findings:\n\n1. The install section names pip.\n2. The badge is dead.\n\n"


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        (f"{OFFERED}If you want, I can apply these changes.", "If you want, I can apply these changes."),
        ("I can drop the docs target if you like.", "I can drop the docs target if you like."),
        ("Shall I drop the docs target? Let me know.", "Shall I drop the docs target?"),
        ("The docs target is gone. Let me know if you have questions.", None),
    ],
)  # fmt: skip
def test_an_offer_at_the_end_is_what_is_answered_without_a_question_mark(before: str, asked: str | None) -> None:
    found = scene(turn("do it now.", 50), Window((agent(before),), ())).question
    assert (found.text if found else None) == asked
