"""What a briefing tells of the agent's own words: reports at the end of turns, what is open, what was found."""

from pathlib import Path
from typing import Any

import pytest

from steno.briefing.report import gist, reported, spoken, tells
from steno.testing import SteppingClock, house, write_jsonl


def claude(type_: str, number: int, content: Any) -> dict[str, Any]:
    facts = {"uuid": str(number), "sessionId": "c", "cwd": "/x", "timestamp": f"2026-03-02T09:{number:02}:00.000Z"}
    return {"type": type_, **facts, "message": {"id": f"m{number}", "content": content}}


def spoke(number: int, text: str) -> dict[str, Any]:
    return claude("assistant", number, [{"type": "text", "text": text}])


def edited(number: int, path: str, printed: str, *, failed: bool = False) -> list[dict[str, Any]]:
    given = {"file_path": path, "old_string": "a", "new_string": "b"}
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": printed, "is_error": failed}
    return [
        claude("assistant", number, [{"type": "tool_use", "id": f"c{number}", "name": "Edit", "input": given}]),
        claude("user", number + 1, [result]),
    ]


def ran(number: int, command: str, printed: str, *, failed: bool = False) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": printed, "is_error": failed}
    return [claude("assistant", number, [call]), claude("user", number + 1, [result])]


@pytest.fixture
def brief(tmp_path: Path) -> Any:
    def of(*lines: dict[str, Any]) -> list[str]:
        with house(tmp_path, clock=SteppingClock("2026-03-02T12:00:00.000Z")) as memory:
            memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
            return memory.brief().text.splitlines()

    return of


def test_the_turns_before_are_told_with_the_report_that_ended_them(brief: Any) -> None:
    lines = brief(
        claude("user", 1, "move the sessions of the shop into redis"),
        spoke(2, "The sessions live in redis now, and the cookie only holds a key."),
        claude("user", 3, "let the tokens expire after a day"),
        spoke(4, "Let me look at the clock first."),
        spoke(5, "Tokens expire after a day now. The tests of the login are still missing."),
        claude("user", 6, "write the page about signing in for our customers"),
        spoke(7, "Reading the page."),
    )
    at = lines.index("the turns before, newest first: what the human said → what the agent reported:")
    said, report = lines[at + 1].split(" → ")
    assert said == "- “let the tokens expire after a day”"
    assert report == "“Tokens expire after a day now. The tests of the login are still missing.”"


def test_a_command_begins_a_turn_and_the_report_before_it_ends_the_one_before(brief: Any) -> None:
    review = "<command-name>/check</command-name>\n<command-args>the login</command-args>"
    lines = brief(
        claude("user", 1, "build a small shop for cookies, with a basket and a page for paying"),
        spoke(2, "The shop stands."),
        claude("user", 3, "move the sessions of the shop into redis"),
        spoke(4, "The sessions live in redis now. Shall I push?"),
        claude("user", 5, review),
        spoke(6, "The review of the sessions is still running."),
    )
    told = [line for line in lines if line.startswith(("- the human's last", "- the agent's last", "- “move"))]
    assert told == [
        "- the human's last words: the command “the login”",
        "- the agent's last words: “The review of the sessions is still running.”",
        "- “move the sessions of the shop into redis” → “The sessions live in redis now.”",
    ]


def test_a_command_that_asks_is_told_by_its_name_also_without_arguments(brief: Any) -> None:
    review = "<command-message>review</command-message>\n<command-name>/review</command-name>"
    lines = brief(
        claude("user", 1, "move the sessions of the shop into redis"),
        spoke(2, "The sessions live in redis now."),
        claude("user", 3, review),
        spoke(4, "The review found a leak in the pool of connections."),
        claude("user", 5, f"{review}\n<command-args>the login</command-args>"),
    )
    told = [line for line in lines if "command" in line or "at the start" in line]
    assert told == [
        "- the human's last words: the command “/review the login”",
        "- the command “/review” → “The review found a leak in the pool of connections.”",
        "- at the start: “move the sessions of the shop into redis”",
    ]


def test_each_round_of_the_same_order_is_told_with_what_came_of_it(brief: Any) -> None:
    lines = brief(
        claude("user", 1, "go through the tests of the shop that fail, one at a time"),
        spoke(2, "The test of the basket passes now."),
        claude("user", 3, "next"),
        spoke(4, "The test of the login passes now."),
        claude("user", 5, "next"),
        spoke(6, "The test of the receipts passes now."),
        claude("user", 7, "commit the fixes of all three tests"),
    )
    assert [line for line in lines if "next" in line and "passes" in line] == [
        "- “next” → “The test of the receipts passes now.”",
        "- “next” → “The test of the login passes now.”",
    ]


def test_what_was_asked_for_between_the_start_and_the_last_turns_is_told_as_such(brief: Any) -> None:
    asked = "please write a page for our customers that explains every message the login of the shop prints"
    lines = brief(
        claude("user", 1, "move the sessions of the shop into redis"),
        spoke(2, "The sessions live in redis now."),
        claude("user", 3, asked),
        spoke(4, "The page explains all nine messages."),
        *(
            line
            for n in (5, 7, 9)
            for line in (
                claude("user", n, f"rename message {n} of the login"),
                spoke(n + 1, f"Message {n} is renamed."),
            )
        ),
        claude("user", 11, "commit the page and the messages of the login"),
    )
    at = lines.index("asked for:")
    assert lines[at + 1 : at + 3] == [
        "- at the start: “move the sessions of the shop into redis”",
        f"- then: “{asked}” → “The page explains all nine messages.”",
    ]


def test_last_words_that_tell_little_come_with_what_was_told_before_them(brief: Any) -> None:
    lines = brief(
        claude("user", 1, "find out why the export of the shop hangs"),
        spoke(2, "The export holds the lock of the orders table while it waits for the mail server."),
        *edited(3, "/x/shop/export.py", "The file /x/shop/export.py has been updated."),
        spoke(5, "Let me look at the mail server."),
    )
    assert [line for line in lines if "last words: “Let" in line] == [
        "- the agent's last words: “Let me look at the mail server.”; before that: "
        "“The export holds the lock of the orders table while it waits for the mail server.”"
    ]


def test_a_cause_that_was_stated_is_told_as_what_failed_and_no_guess_is(brief: Any) -> None:
    lines = brief(
        claude("user", 1, "mend the import of the shop"),
        spoke(2, "The root cause could be the lint of `shop.py`, which reads old code."),
        *ran(3, "make import", "error: the first line is missing", failed=True),
        spoke(5, "The root cause was the retry in `mail.py`: the server drops the first line."),
        spoke(6, "The import of the shop reads every line now."),
        claude("user", 7, "what did you try?"),
    )
    at = next(place for place, line in enumerate(lines) if line.startswith("what failed"))
    assert [line for line in lines[at + 1 :] if line.startswith("- ")] == [
        "- the agent: The root cause was the retry in `mail.py`: the server drops the first line."
    ]


def test_a_report_that_a_newer_one_repeats_is_told_once(brief: Any) -> None:
    report = "The sessions live in redis, and the cookie only holds a key."
    lines = brief(
        claude("user", 1, "write the page about the sessions of the shop"),
        spoke(2, report),
        claude("user", 3, "print the page about the sessions once more"),
        spoke(4, f"{report} Nothing else is on the page."),
        claude("user", 5, "commit the page about the sessions"),
    )
    assert [line for line in lines if report in line] == [
        f"- “print the page about the sessions once more” → “{report} Nothing else is on the page.”"
    ]


def test_what_the_human_found_not_to_work_is_told_with_what_the_agent_then_explained(brief: Any) -> None:
    lines = brief(
        claude("user", 1, "build a small shop for cookies, with a basket and a page for paying"),
        spoke(2, "The shop stands."),
        claude("user", 3, "the page for paying shows an error 500 when I open it"),
        spoke(4, "I looked at the log. The root cause is that the key of the bank was never set. It is fixed now."),
        *(
            line
            for n in (5, 7, 9, 11)
            for line in (claude("user", n, f"rename page {n} of the shop"), spoke(n + 1, f"Page {n} is renamed."))
        ),
        claude("user", 13, "push the shop"),
    )
    at = next(place for place, line in enumerate(lines) if line.startswith("what failed"))
    assert lines[at + 1] == (
        "- “the page for paying shows an error 500 when I open it”"
        " → “The root cause is that the key of the bank was never set. It is fixed now.”"
    )


def test_an_explanation_that_did_not_hold_is_not_told(brief: Any) -> None:
    lines = brief(
        claude("user", 1, "build a small shop for cookies, with a basket and a page for paying"),
        spoke(2, "The shop stands."),
        claude("user", 3, "the page for paying shows an error 500 when I open it"),
        spoke(4, "The root cause is the old key of the bank. It is fixed now."),
        claude("user", 5, "the page for paying still shows an error 500"),
        spoke(6, "The root cause is the clock of the server. It is fixed now."),
        *(
            line
            for n in (7, 9, 11, 13)
            for line in (claude("user", n, f"rename page {n} of the shop"), spoke(n + 1, f"Page {n} is renamed."))
        ),
        claude("user", 15, "push the shop"),
    )
    assert [line for line in lines if "error 500" in line or "root cause" in line] == [
        "- “the page for paying still shows an error 500”"
        " → “The root cause is the clock of the server. It is fixed now.”"
    ]


def test_what_failed_is_told_unless_the_part_of_a_report_that_tells_it_is_shown(brief: Any) -> None:
    why = "The root cause was the mail server of the shop, which drops all orders but the first."
    rest = " ".join(
        f"Part {number} of the export writes its own file of orders every single day." for number in range(9)
    )
    lines = brief(
        claude("user", 1, "show the basket on the front page of the shop"),
        spoke(2, "The basket is on the front page."),
        claude("user", 3, "mend the export of the shop"),
        spoke(4, f"{rest} {why} {rest}"),
        claude("user", 5, "push the export of the shop"),
    )
    assert [line for line in lines if why in line] == [f"- the agent: {why}"]


def test_of_a_long_report_what_is_open_is_told_first() -> None:
    said = ["The export works.", "It writes one file a day.", "The import is still pending.", "The page is short."]
    assert gist(said, 48) == "The export works. … The import is still pending. …"
    assert gist(said, 30) == "… The import is still pending. …"
    assert gist(said, 75) == "The export works. … The import is still pending. The page is short."
    assert gist(["It works.", "It is fast.", "Shall I go on?"], 30) == "It works. … Shall I go on?"


def test_of_a_long_report_what_still_fails_is_told_before_how_it_ends() -> None:
    said = ["Done.", "The export works.", "The lint still fails on old code.", "The page is short."]
    assert gist(said, 48) == "Done. … The lint still fails on old code. …"


def test_a_report_is_told_in_whole_sentences_and_what_sums_it_up_before_the_rest() -> None:
    said = ["The export reads every order of the shop by itself.", "Summary: read them together.", "It took a day."]
    assert gist(said, 60) == "… Summary: read them together. It took a day."
    assert gist(said[:1], 40) == ""
    assert gist(said[:1] * 2, 130) == f"{said[0]} {said[0]}"
    assert gist([said[0] * 9], 110).endswith("…")


def test_what_is_meant_for_the_host_and_what_announces_is_no_part_of_a_report() -> None:
    text = (
        'Here is what I did:\n\n<proposed_plan>\nThe pool holds ten.\n</proposed_plan>\n\n::git-stage{cwd="/x"}\n\n'
        "Now register all twenty tools."
    )
    assert spoken(text) == ["The pool holds ten.", "Now register all twenty tools."]
    assert reported(text) == ("The pool holds ten.",)


def test_a_point_stands_behind_what_announces_its_list_and_a_row_is_a_sentence() -> None:
    text = "Left to do:\n\n- the import\n- the page\n\n| part | state |\n|---|---|\n| export | done |\n\nSee below:\n"
    assert spoken(text) == ["Left to do: the import", "the page", "export: done"]


def test_words_that_end_with_a_dash_go_on_in_the_next_ones() -> None:
    assert spoken("That is clear —\n\nthe key was never set. It is now.") == [
        "That is clear — the key was never set.",
        "It is now.",
    ]


def test_a_report_that_ends_with_a_question_is_told_without_the_points_that_were_put_with_it() -> None:
    text = "The plan has nine parts.\n\nTwo ways:\n\n1. One part a day\n2. All at once, which is quick\n\nWhich one?"
    assert reported(text) == ("The plan has nine parts.",)
    assert reported("1. The basket is slow\n2. The page is empty\n\nShall I mend both?") == (
        "1. The basket is slow",
        "2. The page is empty",
    )


def test_code_that_is_cut_off_is_still_code() -> None:
    code = "```\n" + "const orders = await shop.orders(); // each of them\n" * 200 + "```\n"
    assert spoken(f"The export looks so:\n{code}It is quick.\n{code}It is done.") == ["It is done."]
    assert spoken(f"It is quick.\n{code}It is done.") == ["It is quick.", "It is done."]


def test_of_a_very_long_text_the_beginning_and_the_end_are_read_in_whole_lines() -> None:
    said = spoken("The first line is this.\n" + "The line between is long.\n" * 400 + "The last line is that.")
    assert (said[0], said[-1], set(said[1:-1])) == (
        "The first line is this.",
        "The last line is that.",
        {"The line between is long."},
    )


@pytest.mark.parametrize(
    "text", ["Pausing task 3 to push.", "Before committing, one look at the diff.", "It hangs, so I’m adding a lock."]
)
def test_what_comes_next_tells_nothing_of_how_things_are(text: str) -> None:
    assert not tells(text)
    assert tells("The pool holds ten.")
