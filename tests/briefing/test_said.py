"""What a briefing tells of the human's words and of the agent's: agreed, answered, open or over, failed."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from steno.briefing.budget import Line, fit
from steno.briefing.exchange import WHOLE, telling
from steno.briefing.said import exchanges
from steno.briefing.shown import DECIDED, RULED, SAID, Shown, each_once, in_turn
from steno.testing import SteppingClock, house, write_jsonl
from steno.vocabulary.details import Answered, Call
from steno.vocabulary.turns import Kind
from steno.vocabulary.utterances import Sentence, Utterance


def sentence(text: str, **acts: float) -> Sentence:
    lasting = acts.pop("lasting", 0.0)
    return Sentence(text=text, acts=dict(acts), lasting=lasting, importance=0.6)  # type: ignore[arg-type]


def shown(turn: int, *said: Sentence, answered: str = "", kind: Kind = "said", **facts: Any) -> Shown:
    answers: Answered = "proposal" if answered else ""
    call = facts.pop("call", None)
    words = Utterance(turn=turn, kind=kind, sentences=list(said), answers=answers, answered=answered, call=call)
    return Shown(utterance=words, **facts)


def told(*those: Shown, summary: str = "") -> list[tuple[str, str]]:
    return [
        (line.section, line.texts[0])
        for line in exchanges(each_once(in_turn(those)), above=(), above_text="", summary=summary)
    ]


def test_a_short_yes_is_told_with_what_it_agrees_to() -> None:
    plan = "Sessions live in Redis. Tokens expire after a day. OK so far?"
    yes = shown(1, sentence("yes", approve=1.0), answered="OK so far?", agreed=plan)
    assert told(yes) == [(DECIDED, "“yes” [to “Sessions live in Redis. Tokens expire after a day. OK so far?”]")]


def test_what_was_asked_is_told_whole_and_if_it_says_little_with_what_stands_around_it() -> None:
    before = "Sessions live in Redis, tokens expire after a day and nobody stays signed in on two machines."
    other = "The page about signing in has a chapter for each browser, an index and a list of all its pictures."
    asks = "Shall I write the page about tokens, sessions, browsers and pictures of the shop now?"

    def yes(question: str) -> list[tuple[str, str]]:
        plan = f"{before} {question} {other}"
        return told(shown(1, sentence("yes", approve=1.0), answered=plan, agreed=plan))

    assert yes("OK so far?") == [(DECIDED, f"“yes” [to “{before} OK so far? {other}”]")]
    assert yes(asks) == [(DECIDED, f"“yes” [to “… {asks}”]")]


def test_a_yes_to_what_says_nothing_is_not_told() -> None:
    assert told(shown(1, sentence("yes", approve=1.0), answered="OK so far?", agreed="OK so far?")) == []


def test_an_answer_is_told_with_what_was_not_taken() -> None:
    answer = shown(1, sentence("In the basket", choose=0.95), answered="Where should it stand?", kind="answer")
    utterance = structs.replace(answer.utterance, answers="question", passed_over=["On top", "On a page of its own"])
    assert told(structs.replace(answer, utterance=utterance)) == [
        (
            DECIDED,
            "“In the basket” [to “Where should it stand?”; not taken: “On top”, “On a page of its own”]",
        )
    ]


def test_a_second_yes_agrees_to_something_else() -> None:
    first = shown(
        1, sentence("yes", approve=1.0), answered="Tabs?", agreed="Three tabs above each page. Tabs?", times=2
    )
    then = shown(3, sentence("yes", approve=1.0), answered="Dark?", agreed="Dark pages by default. Dark?", times=2)
    assert [text for _, text in told(first, then)] == [
        "“yes” [to “Three tabs above each page. Tabs?”]",
        "“yes” [to “Dark pages by default. Dark?”]",
    ]


def test_points_of_a_list_of_ones_own_are_no_answers() -> None:
    own = "the session file equals what the last shadow commit of that branch holds, so old work goes on"
    theirs = Sentence(text=f"1. {own}", option="1. No dismissals", importance=0.6)
    assert told(shown(1, theirs)) == [(SAID, f"“1. {own}”")]
    short = Sentence(text="1. keep it", option="1. Old sessions of the shop", importance=0.6)
    assert told(shown(1, short)) == [(DECIDED, "“1. keep it” [that is “1. Old sessions of the shop”]")]


def test_what_was_asked_for_once_is_told_with_what_came_of_it() -> None:
    ask = shown(
        1, sentence("please add a page about the export", ask_do=0.9), reply="Done. The page is docs/export.md."
    )
    assert told(ask) == [
        (SAID, "“please add a page about the export” → “Done. The page is docs/export.md.”"),
    ]


def test_what_came_of_it_is_left_to_the_next_words_if_they_agree_to_it() -> None:
    ask = shown(1, sentence("please propose a page about the export", ask_do=0.9), reply="I'd write docs/export.md.")
    plan = "I'd write docs/export.md by hand, with pictures."
    yes = shown(3, sentence("yes", approve=1.0), answered="OK?", agreed=f"{plan} OK?")
    assert told(ask, yes) == [
        (DECIDED, f"“yes” [to “{plan} OK?”]"),
        (SAID, "“please propose a page about the export”"),
    ]


def test_how_a_correction_was_taken_is_told_unless_the_agent_says_nothing() -> None:
    stop = Call("Write", "/x/src/app.ts")
    why = sentence("why TypeScript?", reject=0.8, ask_know=0.5)
    took = "You're right. The rules ask for Python, so app.py it is. Let me read the guide."
    assert told(shown(1, why, call=stop, answer=took)) == [
        (SAID, "“why TypeScript?” [stopping Write …/app.ts] → “The rules ask for Python, so app.py it is.”")
    ]
    assert told(shown(1, why, call=stop, answer="You're right. Let me look.")) == [
        (SAID, "“why TypeScript?” [stopping Write …/app.ts]")
    ]


def test_messages_that_answer_the_same_words_are_told_as_one() -> None:
    words = "Docker is starting."
    first = shown(1, sentence("there is no docker on this machine", correct=0.9), answered=words)
    then = shown(2, sentence("it runs on the host", correct=0.9), answered=words, kind="queued")
    assert told(first, then) == [(SAID, f"“there is no docker on this machine it runs on the host” [to “{words}”]")]


def test_standing_instructions_within_a_long_message_are_told_as_such() -> None:
    rule = "Every commit must carry the number of its ticket."
    talk = [sentence(f"The export of the shop has part {n}, which was never finished.", inform=0.9) for n in range(12)]
    long = shown(1, *talk, sentence(rule, instruct=0.9, lasting=0.9), *talk)
    assert len(long.utterance.said) > 2 * WHOLE
    assert [(section, rule in text) for section, text in told(long)] == [(RULED, True), (SAID, False)]


def test_standing_instructions_within_a_message_told_above_are_told_unless_they_are_shown_there() -> None:
    rule = "Every commit must carry the number of its ticket."
    talk = [sentence(f"The export of the shop has part {n}, which was never finished.", inform=0.9) for n in range(12)]
    long = shown(1, *talk, sentence(rule, instruct=0.9, lasting=0.9), *talk)

    def ruled(shown_there: str) -> list[tuple[str, tuple[str, ...]]]:
        lines = exchanges([long], above={1}, above_text=shown_there, summary="")
        return [(line.section, line.texts) for line in lines]

    assert ruled("The export of the shop has part 1.") == [(RULED, (f"“{rule}”",))]
    assert ruled(f"… {rule} …") == []


def test_plain_words_make_a_sentence_within_a_long_message_stand() -> None:
    talk = [sentence(f"The export of the shop has part {n}, which was never finished.", inform=0.9) for n in range(12)]
    always = sentence("From now on, ask before you push.", instruct=0.3, lasting=0.3)
    once = sentence("Ask before you push the export.", instruct=0.3, lasting=0.3)
    assert told(shown(1, *talk, always))[0] == (RULED, f"“{always.text}”")
    assert [section for section, _ in told(shown(1, *talk, once))] == [SAID]


def test_an_answer_in_words_of_its_own_holds_and_a_request_is_over_by_then() -> None:
    asked = "Shall I merge the export of the shop and go on?"
    answer = shown(1, sentence("no need, I merge by hand", approve=0.3), answered=asked)
    request = shown(
        3, sentence("please print the list of the parts once more", ask_do=0.9), answered=asked, reply="Done."
    )

    def lines(one: Shown) -> list[bool]:
        said = structs.replace(one, utterance=structs.replace(one.utterance, answers="question"))
        return [line.spare for line in exchanges([said], above=(), above_text="", summary="")]

    assert (lines(answer), lines(request)) == ([False], [])


def test_what_was_done_another_way_since_is_worth_less_than_what_holds() -> None:
    def worth(**facts: Any) -> float:
        one = shown(1, sentence("not with a list of files", reject=0.9), call=Call("Edit", "/x/a.go"))
        said = structs.replace(one, utterance=structs.replace(one.utterance, **facts))
        return next(exchanges([said], above=(), above_text="", summary="")).worth

    assert worth(afterwards="redone") < worth()


def test_who_repeats_the_agents_words_says_what_they_think_of_them_last() -> None:
    theirs = "The export of the shop writes one file for each order."
    own = sentence("this is not true for refunds", correct=0.6)
    assert told(shown(1, sentence(theirs), own, answered=theirs)) == [
        (SAID, f"“this is not true for refunds” [to “{theirs}”]")
    ]


def test_of_a_long_message_what_it_forbids_is_told() -> None:
    words = [sentence(f"Write the page about part {n} of the export.", ask_do=0.9) for n in range(20)]
    asked = shown(1, *words, sentence("Do not touch the schema yet.", ask_do=0.1), *words)
    assert ["Do not touch the schema yet." in text for _, text in told(asked)] == [True]


def test_short_words_are_never_cut_and_of_longer_ones_the_first_sentence_is_kept() -> None:
    short = "Move the export of the shop into a job of its own. " * 3
    first, most = sentence("The export hangs since Monday."), sentence("Do not touch the schema yet.", reject=0.9)
    rest = [sentence(f"Part {n} of the export was finished by somebody else.") for n in range(9)]
    assert telling([sentence(short)], 60) == short
    assert telling([first, *rest, most], 80) == f"{first.text} … {most.text}"


def test_the_sentence_that_matters_most_is_not_cut_for_the_sake_of_the_first() -> None:
    praise = sentence("I like how you put the whole idea of the export into words that everybody in the shop reads.")
    asks = sentence(
        "Write it into the plan, and leave the part about the mail server out of it for now, please.", ask_do=1
    )
    rest = [sentence(f"Part {n} of the export was finished by somebody else.") for n in range(9)]
    assert telling([praise, *rest, asks], 100) == f"… {asks.text}"


def test_a_question_is_told_only_with_room_to_spare() -> None:
    ask = shown(1, sentence("which tables does the export read?", ask_know=0.9), reply="It reads orders and refunds.")
    (line,) = exchanges([ask], above=(), above_text="", summary="")
    assert (line.spare, line.texts[0]) == (
        True,
        "“which tables does the export read?” → “It reads orders and refunds.”",
    )


def test_a_question_without_its_answer_is_not_told() -> None:
    assert told(shown(1, sentence("which tables does the export read?", ask_know=0.9), reply="Let me look.")) == []


def test_an_answer_that_asks_back_is_told_with_what_the_agent_made_of_it() -> None:
    first = Sentence(text="1. I don't know, what would you do?", option="1. Old sessions", acts={"ask_know": 0.9})
    then = Sentence(text="2. yes", option="2. Export", acts={"approve": 0.9})
    (line,) = told(shown(1, first, then, reply="Recommendation: old sessions stay as they are."))
    assert line == (
        DECIDED,
        "“1. I don't know, what would you do?” [that is “1. Old sessions”]; “2. yes” [that is “2. Export”]"
        " → “Recommendation: old sessions stay as they are.”",
    )


def test_lines_told_with_room_to_spare_come_after_longer_forms_of_the_others() -> None:
    def shape(those: Any) -> str:
        return "\n".join(one.text for one in those)

    worthy = Line(section="s", items=("a",), worth=1, texts=("a long form of it " * 8, "short"))
    spare = Line(section="s", items=("b",), worth=9, texts=("b",), spare=True)
    lines, _ = fit([spare, worthy], 60, shape)
    assert [one.text for one in lines] == ["b", "a long form of it " * 8]
    lines, _ = fit([spare, worthy], 45, shape)
    assert [one.text for one in lines] == ["a long form of it " * 8]


# -- at the door -------------------------------------------------------------------------------------------------------


def claude(type_: str, number: int, **fields: Any) -> dict[str, Any]:
    at = f"2026-03-02T09:{number:02}:00.000Z"
    return {"type": type_, "uuid": str(number), "sessionId": "c", "cwd": "/x", "timestamp": at, **fields}


def spoke(number: int, text: str) -> dict[str, Any]:
    return claude("assistant", number, message={"id": f"m{number}", "content": [{"type": "text", "text": text}]})


def ran(number: int, command: str, printed: str, *, failed: bool = False) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": printed, "is_error": failed}
    return [
        claude("assistant", number, message={"id": f"m{number}", "content": [call]}),
        claude("user", number + 1, message={"content": [result]}),
    ]


@pytest.fixture
def brief(tmp_path: Path) -> Any:
    def of(*lines: dict[str, Any]) -> str:
        with house(tmp_path, clock=SteppingClock("2026-03-02T12:00:00.000Z")) as memory:
            memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
            return memory.brief().text

    return of


def test_messages_sent_while_the_agent_was_busy_are_the_last_words_together(brief: Any) -> None:
    queue = {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and leave the index alone"}}
    text = brief(
        claude("user", 1, message={"content": "rename the column of the orders table"}),
        spoke(2, "Shall I rename it in the views as well?"),
        claude("user", 3, message={"content": "yes, rename it in the views of the shop as well"}),
        *ran(4, "make views", "done"),
        claude("attachment", 6, **{name: value for name, value in queue.items() if name != "type"}),
        *ran(7, "make check-views", "done"),
    )
    assert (
        "- the human's last words: “yes, rename it in the views of the shop as well” "
        "[to “Shall I rename it in the views as well?”]; “and leave the index alone”" in text.splitlines()
    )
