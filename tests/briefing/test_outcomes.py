"""What a briefing tells of what came of the human's words: done, reported on, refused, left open."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steno.briefing.report import closed
from steno.briefing.said import exchanges
from steno.briefing.shown import Against, Shown, in_turn, with_outcomes
from steno.testing import SteppingClock, house, write_jsonl
from steno.vocabulary import TrailResult
from steno.vocabulary.details import Act, Call
from steno.vocabulary.utterances import Sentence, Utterance

Brief = Callable[..., list[str]]


def claude(type_: str, number: int, **fields: Any) -> dict[str, Any]:
    at = f"2026-03-02T09:{number:02}:00.000Z"
    return {"type": type_, "uuid": str(number), "sessionId": "c", "cwd": "/x", "timestamp": at, **fields}


def asked(number: int, text: str) -> dict[str, Any]:
    return claude("user", number, message={"content": text})


def spoke(number: int, text: str) -> dict[str, Any]:
    return claude("assistant", number, message={"id": f"m{number}", "content": [{"type": "text", "text": text}]})


def called(number: int, command: str) -> dict[str, Any]:
    call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": command}}
    return claude("assistant", number, message={"id": f"m{number}", "content": [call]})


def ran(number: int, command: str, printed: str, *, failed: bool = False) -> list[dict[str, Any]]:
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": printed, "is_error": failed}
    return [called(number, command), claude("user", number + 1, message={"content": [result]})]


@pytest.fixture
def brief(tmp_path: Path) -> Brief:
    def lines(*those: dict[str, Any]) -> list[str]:
        with house(tmp_path, clock=SteppingClock("2026-03-02T12:00:00.000Z")) as memory:
            memory.capture(write_jsonl(tmp_path / "c.jsonl", *those), source="claude-code")
            return memory.brief().text.splitlines()

    return lines


def said(turn: int, text: str, *, call: Call | None = None, answered: str = "", **acts: float) -> Utterance:
    weighed: dict[Act, float] = dict(acts)  # type: ignore[arg-type]
    words = Sentence(text=text, acts=weighed, importance=0.6)
    return Utterance(turn=turn, sentences=[words], call=call, answered=answered, answers="proposal" if answered else "")


def an_order(turn: int, until: int, **facts: Any) -> Shown:
    return Shown(utterance=said(turn, "add the tax number to every invoice", ask_do=0.9), until=until, **facts)


def outcome(*shown: Shown, results: tuple[TrailResult, ...] = ()) -> str:
    return with_outcomes(shown, results)[0].outcome


# -- what was done, and what the human had against it ------------------------------------------------------------------


def test_an_order_is_told_with_what_was_achieved_before_the_human_spoke_again() -> None:
    def result(kind: Any, text: str, turn: int, *, failed: bool = False) -> TrailResult:
        return TrailResult(kind=kind, text=text, turn=turn, failed=failed)

    results = (
        result("commit", "1a2b3c4 An earlier one", 3),
        result("commit", "5d6e7f8 Print the tax number", 7),
        result("push", "main", 8),
        result("pr", "https://github.com/o/shop/pull/12", 9),
        result("publish", "npm publish", 10, failed=True),
        result("commit", "9a8b7c6 A later one", 21),
    )
    assert outcome(an_order(5, 20), results=results) == " → done: commit 5d6e7f8; pr #12"
    assert outcome(an_order(5, 20, reply="The number is printed on every page.")) == " [reported on]"
    assert outcome(an_order(5, 20)) == ""


@pytest.mark.parametrize(
    ("then", "against"),
    [
        (said(20, "no, the tax number belongs into the footer of the page"), "no"),
        (said(20, "way too big", correct=0.9), "no"),
        (said(20, "revert that and use the old template instead", ask_do=0.9), "undo"),
        (said(20, "the number still shows up twice on the second page", report=0.9), "trouble"),
        (said(20, "it doesn't work when the customer has no country", inform=0.9), "trouble"),
        (said(20, "now the same for the reminders of last month", ask_do=0.9), ""),
    ],
)
def test_what_the_humans_next_words_have_against_it_is_known(then: Utterance, against: Against) -> None:
    order = an_order(5, 20, reply="The number is printed on every page.")
    assert with_outcomes([order, Shown(utterance=then)], ())[0].against == against


def test_a_report_the_human_contradicted_is_told_as_such(brief: Brief) -> None:
    lines = brief(
        asked(1, "print the tax number of the branch on every invoice"),
        spoke(2, "Done. The tax number is printed on every invoice."),
        asked(3, "print the name of the branch on every invoice, too"),
        spoke(4, "Done. All 12 tests pass and the name is printed on every invoice."),
        asked(5, "no, the name is not printed at all on the invoices of Lisbon"),
    )
    assert [line for line in lines if "All 12 tests pass" in line] == [
        "- “print the name of the branch on every invoice, too” → “Done. All 12 tests pass and the name is printed on"
        " every invoice.”, to which the human then objected"
    ]


def test_where_an_older_report_has_no_room_that_there_was_one_is_told() -> None:
    long = Shown(utterance=said(5, "print the tax number on every invoice of the shop", ask_do=0.9), is_reported=True)
    (line,) = exchanges([long], above=(), above_text="", summary="")
    assert line.texts == ("“print the tax number on every invoice of the shop” [reported on]",)


def test_what_a_report_left_open_or_offered_is_over_once_the_human_spoke() -> None:
    report = (
        "The reader streams now.",
        "The only remaining change is the stale comment in the index, which is still open.",
        "If you want, I can remove the old reader, too.",
        "It holds one row in memory.",
    )
    assert closed(report) == ("The reader streams now.", "It holds one row in memory.")


# -- what is a report, and what is an antecedent -----------------------------------------------------------------------


def test_words_before_a_call_are_no_report_and_the_turn_is_told_without(brief: Brief) -> None:
    lines = brief(
        asked(1, "print the tax number of the branch on every invoice"),
        spoke(2, "Done. The tax number is printed on every invoice."),
        asked(3, "move the paid invoices of Lisbon into a folder of their own year"),
        spoke(4, "All five invoices share one template, which is wrong for Lisbon."),
        *ran(5, "make invoices", "done"),
        asked(7, "and sort them by the day on which they were paid"),
    )
    title = "the turns before, newest first: what the human said → what the agent reported:"
    assert lines[lines.index(title) + 1] == "- “move the paid invoices of Lisbon into a folder of their own year”"
    assert not any("→ “All five" in line for line in lines)


def test_who_speaks_again_before_the_agent_did_says_it_to_what_the_agent_does() -> None:
    words = "The button opens the dialog now."
    first = Shown(utterance=said(1, "horrible, it hangs. take the library instead", reject=0.9, answered=words))
    then = Shown(utterance=said(3, "use bun, not npm", instruct=0.9, answered=words, call=Call("Bash", "npm i shield")))
    assert [one.utterance.answered for one in in_turn([first, then])] == [words, ""]
    again = Shown(utterance=said(3, "horrible, it hangs. take the library instead!", reject=0.9, answered=words))
    assert [one.utterance.answered for one in in_turn([first, again])] == [words]


@pytest.mark.parametrize(
    ("given", "told"), [("npm test 2>&1", ""), ("git push --force", " [stopping Bash git push --force]")]
)
def test_a_look_that_words_came_in_upon_is_not_what_they_are_about(given: str, told: str) -> None:
    words = "remember the list of open points in the docs of the shop, and read it again before you start"
    one = Shown(utterance=said(1, words, call=Call("Bash", given), instruct=0.9))
    (line,) = exchanges([one], above=(), above_text="", summary="")
    assert line.texts[0] == f"“{words}”{told}"


def test_a_short_order_is_told_and_a_bare_go_on_is_not() -> None:
    def lines(text: str, **acts: float) -> list[str]:
        one = Shown(
            utterance=said(1, text, answered="The invoices of Lisbon lie in a folder.", **acts), is_reported=True
        )
        return [line.texts[0] for line in exchanges([one], above=(), above_text="", summary="")]

    assert lines("make a follow-up pr", ask_do=0.8) == [
        "“make a follow-up pr” [to “The invoices of Lisbon lie in a folder.”] [reported on]"
    ]
    assert lines("go on then", approve=0.8) == []


# -- what was run, what failed, what is at hand ------------------------------------------------------------------------


def test_a_chain_without_a_result_is_told_by_what_it_attempts(brief: Brief) -> None:
    chain = "cd /x && git add docs/a.md docs/b.md && git commit -m \"$(cat <<'EOF'\nName the branch\n\nMore.\nEOF\n)\""
    lines = brief(
        asked(1, "commit the pages about invoices and answer the review"),
        spoke(2, "Both pages are written."),
        *ran(3, "make pages", "done"),
        *ran(5, "curl -s localhost:8080/pages", "ok"),
        called(7, f"{chain} && gh pr comment 7 --body 'Done.'"),
        *ran(8, "rg -n 'pages|invoices|branches' docs", "docs/a.md"),
    )
    assert [line for line in lines if line.startswith("- run after that")] == [
        "- run after that: `curl -s localhost:8080/pages` (went through);"
        " commit Name the branch; reply on #7 (no result seen)"
    ]


def test_a_search_that_was_put_wrongly_is_no_failure(brief: Brief) -> None:
    lines = brief(
        asked(1, "find out who sends the invoices of the branch in Lisbon"),
        *ran(2, r'rg -n "send|mail\n" src', 'rg: the literal "\\n" is not allowed in a regex', failed=True),
        *ran(4, 'rg -n "send|mail" src', "src/mail.py"),
        spoke(6, "The module mail.py sends them."),
    )
    assert "what failed, and what was said of it:" not in lines


def test_a_branch_that_is_not_surely_told_above_stands_at_hand(brief: Brief) -> None:
    lines = brief(
        asked(1, "write the page about invoices on a branch of its own"),
        spoke(2, "I take a branch."),
        *ran(3, "git checkout -b docs/invoices", "Switched to a new branch 'docs/invoices'"),
    )
    assert lines[-2] == "- branch docs/invoices"


def test_a_pull_request_is_told_with_where_it_goes_and_a_run_by_its_number(brief: Brief) -> None:
    lines = brief(
        asked(1, "open a pull request for the invoices and watch its run"),
        *ran(2, "gh pr create --base release/2 --title 'Invoices' --fill", "https://github.com/o/shop/pull/7"),
        *ran(4, "gh run list --limit 1 --json url", "https://github.com/o/shop/actions/runs/12345678"),
        spoke(6, "It is open, and the run is on its way."),
    )
    assert "- done since then: pr https://github.com/o/shop/pull/7 into release/2" in lines
    assert lines[-2] == "- run 12345678"


def test_what_would_be_done_twice_is_no_command_at_hand(brief: Brief) -> None:
    lines = brief(
        asked(1, "publish the shop, please"),
        *ran(2, "make build", "ok"),
        *ran(4, "npm publish --tag next", "+ shop@1.2.0"),
        spoke(6, "Built with `make build`, published with `npm publish --tag next`."),
    )
    assert lines[-2] == "- command make build"


def test_of_commands_at_hand_a_chain_stands_for_its_links(brief: Brief) -> None:
    lines = brief(
        asked(1, "check the shop, please"),
        *ran(2, "make lint", "ok"),
        *ran(4, "make lint && make build", "ok"),
        spoke(6, "It is clean."),
    )
    assert lines[-2] == "- command make lint && make build"


def test_a_command_at_hand_is_one_that_was_run_with_what_it_needs_before_it(brief: Brief) -> None:
    lines = brief(
        asked(1, "check the shop, please"),
        *ran(2, "cd shop && source venv/bin/activate && pytest tests/test_pay.py -q 2>&1 | tail -5", "1 passed"),
        *ran(4, "cd shop && source venv/bin/activate && pytest -q 2>&1 | tail -5", "9 passed"),
        spoke(6, "It is clean. Before a release run `make everything`."),
    )
    assert lines[-2] == "- command source venv/bin/activate && pytest -q"


def test_a_command_at_hand_is_told_as_it_was_run_last(brief: Brief) -> None:
    lines = brief(
        asked(1, "start the shop, please"),
        *ran(2, "npm run serve", "listening"),
        *ran(4, "npm run serve", "listening"),
        *ran(6, "DB_HOST=10.0.0.7 npm run serve", "listening"),
        spoke(8, "It runs."),
    )
    assert lines[-2] == "- command DB_HOST=10.0.0.7 npm run serve"


def test_files_changed_earlier_say_that_no_commit_was_seen(brief: Brief) -> None:
    said = [
        asked(1, "add a door to the shop"),
        *ran(2, "sed -i s/wall/door/ shop/door.py", ""),
        *ran(4, "make build", "ok"),
        spoke(6, "It has a door."),
        asked(7, "and what does a window cost?"),
        spoke(8, "Ninety."),
    ]
    assert "- changed before that, no commit seen: shop/door.py" in brief(*said)


def test_files_changed_before_a_commit_say_only_that(brief: Brief) -> None:
    lines = brief(
        asked(1, "add a door to the shop"),
        *ran(2, "sed -i s/wall/door/ shop/door.py", ""),
        *ran(4, "git commit -m 'add a door'", "[main 1a2b3c4] add a door"),
        spoke(6, "It has a door."),
        asked(7, "and what does a window cost?"),
        spoke(8, "Ninety."),
    )
    assert "- files changed before that: shop/door.py" in lines


def test_an_end_that_says_little_is_told_with_what_stands_before_it(brief: Brief) -> None:
    filler = " ".join(f"Room number {number} was swept, aired and painted white again." for number in range(1, 9))
    offer = "The cellar still holds the old shelves, which I could carry out."
    lines = brief(asked(1, "tidy up, please"), spoke(2, f"All rooms are tidy. {filler} {offer} Shall I?"))
    [told] = [line for line in lines if line.startswith("- the agent's last words: ")]
    assert told.startswith("- the agent's last words: “All rooms are tidy. ")
    assert told.endswith(f" … {offer} Shall I?”")


# -- what comes first --------------------------------------------------------------------------------------------------


def test_the_last_words_are_whole_before_anything_else_has_its_room(brief: Brief) -> None:
    last = (
        "after you are done and committed, remove the old pages (index, list, order, right? nothing else), add a map "
        "of the shop to the guide in the root folder, and write a page for developers that the guide refers to, which "
        "describes the whole setup, where what goes, how it is run and who is to be asked about the mail server. "
        "Then tag it, send the notes to everybody who was at the meeting, leave the branch of the old shop as it is "
        "until the end of the month, because two customers in Lisbon still pay through it and cannot be moved earlier."
    )
    talk = [
        line
        for number in range(1, 49, 2)
        for line in (
            asked(
                number,
                f"no, never print the total of order {number} in the header, it belongs into the footer below"
                ", where the customer looks for it, and nobody wants to see it twice on one and the same page",
            ),
            spoke(number + 1, f"Understood. The total of order {number} is printed in the footer of the page now."),
        )
    ]
    lines = brief(*talk, asked(50, last), spoke(51, "I start with the pages."))
    assert f"- the human's last words: “{last}”" in lines


def test_an_assignment_that_was_sent_again_is_told_once(brief: Brief) -> None:
    words = "find out which of the hooks of the shop would tell us that an order was taken back"
    lines = brief(
        asked(1, words),
        spoke(2, "There is no such hook, only one for orders that were paid."),
        asked(3, words),
        spoke(4, "There is no such hook. The list of hooks stands in the guide."),
        asked(5, "write a page about the hooks of the shop and what they are good for"),
        spoke(6, "The page names every hook and who calls it."),
        asked(7, "print the page about the hooks of the shop on one sheet"),
        spoke(8, "It fits on one sheet of paper."),
        asked(9, "send the sheet about the hooks to the customers in Lisbon"),
        spoke(10, "It was sent to all four of them."),
        asked(11, "now translate the page about the hooks into Portuguese"),
    )
    assert [line for line in lines if words in line] == [f"- at the start: “{words}”"]


def test_answers_to_several_points_are_told_before_a_single_one() -> None:
    def worth(*points: str) -> float:
        picked = [
            Sentence(text=text, option=f"{text[:2]} What becomes of old orders", importance=0.6) for text in points
        ]
        one = Shown(utterance=Utterance(turn=1, sentences=picked, answers="question", answered="Which?"))
        return next(exchanges([one], above=(), above_text="", summary="")).worth

    assert worth("1. keep them", "2. yes") > worth("1. keep them")


def test_a_first_assignment_that_binds_is_told_once_as_both(brief: Brief) -> None:
    rule = "make the docs of the shop consistent. never change the payments table by hand"
    lines = brief(
        asked(1, rule),
        spoke(2, "The docs agree with each other now. Shall I commit them?"),
        asked(3, "yes please, and answer all comments of the review"),
        spoke(4, "I commit them first."),
    )
    assert [line for line in lines if rule in line] == [f"- at the start, to hold from then on: “{rule}”"]


def test_a_file_is_named_once_however_it_was_named(brief: Brief) -> None:
    call = {"type": "tool_use", "id": "c5", "name": "Edit", "input": {"file_path": "/x/shop/pay.py"}}
    result = {"type": "tool_result", "tool_use_id": "c5", "content": "updated"}
    lines = brief(
        asked(1, "let the shop charge once, please"),
        *ran(2, "sed -i s/2/1/ shop/pay.py", ""),
        claude("assistant", 5, message={"id": "m5", "content": [call]}),
        claude("user", 6, message={"content": [result]}),
        spoke(7, "It charges once."),
    )
    assert "- edited since then, no commit seen: shop/pay.py" in lines


def test_the_last_words_answer_only_what_was_said_after_those_before(brief: Brief) -> None:
    lines = brief(
        asked(1, "let a dialog open when the button of the shop is pressed"),
        spoke(2, "The button opens the dialog as soon as the script was loaded."),
        asked(3, "horrible, it hangs. take the library for shields instead"),
        *ran(4, "npm install shields", "added 3 packages"),
        asked(6, "use bun, not npm"),
    )
    assert "- the human's last words: “use bun, not npm”" in lines
    assert "- “horrible, it hangs. take the library for shields instead”" in "".join(lines)
