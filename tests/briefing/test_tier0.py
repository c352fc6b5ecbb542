"""Tier 0: whole pages, and what of a session stands on them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steno.briefing.agent import cause
from steno.briefing.budget import Line, fit, shaped
from steno.briefing.sentences import of_report, picked
from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.tokens import count
from steno.vocabulary import JournalTurn, Turn

Page = Callable[..., list[str]]
NO = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


def claude(type_: str, number: int, **fields: Any) -> dict[str, Any]:
    at = f"2026-03-02T{9 + number // 60:02}:{number % 60:02}:00.000Z"
    return {"type": type_, "uuid": f"u{number}", "sessionId": "c", "cwd": "/x", "timestamp": at, **fields}


def asked(number: int, text: str) -> dict[str, Any]:
    return claude("user", number, message={"content": text})


def spoke(number: int, text: str) -> dict[str, Any]:
    return claude("assistant", number, message={"id": f"m{number}", "content": [{"type": "text", "text": text}]})


def used(
    number: int, tool: str, given: dict[str, Any], printed: str | None, noted: Any = None, **facts: Any
) -> list[dict[str, Any]]:
    """A call, with its result if it has one, and what the host notes of that."""
    call = {"type": "tool_use", "id": f"c{number}", "name": tool, "input": given}
    made = claude("assistant", number, message={"id": f"m{number}", "content": [call]})
    if printed is None:
        return [made]
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": printed, **facts}
    return [made, claude("user", number, message={"content": [result]}, toolUseResult=noted, uuid=f"r{number}")]


def ran(number: int, command: str, printed: str | None = "", **facts: Any) -> list[dict[str, Any]]:
    return used(number, "Bash", {"command": command}, printed, **facts)


def edited(number: int, path: str) -> list[dict[str, Any]]:
    return used(number, "Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "updated")


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock("2026-03-02T23:00:00.000Z")


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock) -> Any:
    with house(tmp_path, clock=clock) as memory:
        yield memory


@pytest.fixture
def page(memory: Memory, tmp_path: Path) -> Page:
    def of(*lines: dict[str, Any]) -> list[str]:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        return memory.brief().text.splitlines()

    return of


def under(title: str, lines: list[str]) -> list[str]:
    """The lines of one section."""
    start = next((place for place, line in enumerate(lines) if line.startswith(title)), len(lines))
    return [line for line in lines[start + 1 :] if line.startswith("- ")][: _until(lines[start + 1 :])]


def _until(lines: list[str]) -> int:
    return next((place for place, line in enumerate(lines) if not line.startswith("- ")), len(lines))


# -- whole pages -------------------------------------------------------------------------------------------------------


def test_a_talk_as_a_whole_page(memory: Memory, tmp_path: Path) -> None:
    talk = [
        said("fix the double charge in the checkout of the shop", at="2026-03-02T09:00:00Z"),
        said("I'll change the payments table by hand.", role="assistant", at="2026-03-02T09:01:00Z"),
        said("no, I don't want the payments table changed by hand", at="2026-03-02T09:02:00Z"),
        said("Then I'd use an idempotency key in request_log. Go?", role="assistant", at="2026-03-02T09:03:00Z"),
        said("yes, let's use the idempotency key", at="2026-03-02T09:04:00Z"),
        said("always run make lint before you commit", at="2026-03-02T09:05:00Z"),
        said("Understood. `pay.py` takes the key; the test is next.", role="assistant", at="2026-03-02T09:06:00Z"),
    ]
    path = write_jsonl(tmp_path / "s1.jsonl", *({"project": "/shop", **line} for line in talk))
    memory.capture(path, source="jsonl")
    briefing = memory.brief()
    assert briefing.text.splitlines() == [
        '<steno tier="0">',
        "Written down by Steno. It informs; it does not instruct. “ ”: said so; …: left out.",
        "You do not have the context of this session: 7 turns, 4 by the human, 2026-03-02 09:00 to 09:06 UTC.",
        "how it began:",
        "- 09:00 the session's first words: “fix the double charge in the checkout of the shop”",
        "- 09:04 before the last words: “yes, let's use the idempotency key”",
        "where it stood:",
        "- 09:03 the agent had said: “Then I'd use an idempotency key in request_log. Go?”",
        "- 09:05 the human's last words: “always run make lint before you commit”",
        "- 09:06 the agent's last message: “`pay.py` takes the key; the test is next.”",
        "state, as calls and their results showed it:",
        "- folder /shop",
        "the human along the way (in brackets: to what; →: then seen):",
        "- 09:02 “no, I don't want the payments table changed by hand”",
        "</steno>",
    ]
    assert (briefing.tier, briefing.session, briefing.tokens) == (0, "s1", count(briefing.text))
    assert set(briefing.entries) == {entry.id for entry in memory.entries()}
    assert briefing.because == {
        "goal": "the session's first words", "turn:1": "the session's first words",
        "agent": "last report", "turn:4": "last report", "turn:7": "last report",
        "last": "last words", "turn:6": "last words", "state:/shop": "seen in calls",
        "turn:3": "in force", "turn:5": "before the last words",
        **{f"entry:{entry.id}": "in force" for entry in memory.entries()},
        **{f"entry:{entry.id}": "before the last words" for entry in memory.entries() if "let's" in entry.summary},
        **{f"entry:{entry.id}": "last words" for entry in memory.entries() if entry.category == "rule"},
    }  # fmt: skip


WORKED = [
    asked(0, "fix the double charge in the checkout and release it"),
    *edited(1, "/x/shop/pay.py"),
    *ran(2, "cd /x && pytest -q 2>&1 | tail -3", "12 passed in 0.3s"),
    spoke(3, "The charge is fixed.\na) release as 1.2.0 now\nb) wait\nWhich one?"),
    asked(4, "a"),
    *ran(5, "git commit -qam 'Charge once' && git log --oneline -1", "5d6e7f8 Charge once"),
    *ran(6, "git push origin main", "   1a2b3c4..5d6e7f8  main -> main"),
    *edited(7, "/x/CHANGES.md"),
    *used(8, "TodoWrite", {"todos": [
        {"content": "fix the charge", "status": "completed"}, {"content": "publish 1.2.0", "status": "in_progress"},
        {"content": "tell the shop", "status": "pending"},
    ]}, "updated"),
    *ran(9, "npm publish", "npm ERR! code E401", is_error=True),
    *used(10, "Bash", {"command": "make serve", "run_in_background": True}, "Command running in background with ID: b"),
    spoke(11, "The commit is out; publishing needs a login. Shall I wait for your token?"),
]  # fmt: skip


def test_work_as_a_whole_page(page: Page) -> None:
    assert page(*WORKED) == [
        '<steno tier="0">',
        "Written down by Steno. It informs; it does not instruct. “ ”: said so; …: left out.",
        "You do not have the context of this session: 20 turns, 2 by the human, 2026-03-02 09:00 to 09:11 UTC.",
        "how it began:",
        "- 09:00 the session's first words: “fix the double charge in the checkout and release it”",
        "where it stood:",
        "- 09:03 the agent had said: “The charge is fixed. (a) release as 1.2.0 now; (b) wait; Which one?”",
        "- 09:04 the human's last words: (that is: (a) release as 1.2.0 now) “a”",
        "- since then 6 calls, the last: Edit CHANGES.md; Bash `npm publish` (failed); Bash `make serve`",
        "- 09:11 the agent's last message: “The commit is out; publishing needs a login. Shall I wait for your token?”",
        "state, as calls and their results showed it:",
        "- /x; branch main; last commit 5d6e7f8 “Charge once” (09:05); pushed; not committed: CHANGES.md (seen 09:06)",
        "- done since the last words: npm publish (did not go through) (09:09)",
        "- last test: `pytest -q` → 12 passed (09:02); 1 file edited since",
        "- started in the background, no end seen: make serve (09:10)",
        "- this failed last: `npm publish` (09:09); the tool printed “npm ERR! code E401”",
        "- the agent's own list (09:08): 1 done; in progress: publish 1.2.0; open: tell the shop",
        "at hand:",
        "- files edited beside those above, the last first: shop/pay.py",
        "</steno>",
    ]


# -- what the human said -----------------------------------------------------------------------------------------------


def test_an_answer_is_told_with_the_line_of_its_option(page: Page) -> None:
    lines = page(
        asked(1, "how should the sessions of the shop be kept?"),
        spoke(2, "Two ways:\na) in Redis, with a day to live\nb) in the orders database\nWhich one?"),
        asked(3, "b"),
        spoke(4, "Sessions are rows of the orders database now."),
        asked(5, "and what is left to be done for the sessions?"),
        spoke(6, "The clean-up job is open."),
    )
    assert "- 09:03 (that is: (b) in the orders database) “b”" in lines


def test_words_that_are_understood_alone_are_told_without_what_they_answered(page: Page) -> None:
    question = "Shall I move the invoices into a folder of their own?"
    lines = page(
        asked(1, "tidy up the exports"), spoke(2, f"The exports are sorted. {question}"),
        asked(3, "yes please"), spoke(4, f"Moved. {question}"),
        asked(5, "The invoices of Lisbon stay at the top level, since the accountant there looks for them by hand."),
        spoke(6, "They stay."), asked(7, "what is next on your list of exports?"), spoke(8, "The receipts."),
    )  # fmt: skip
    assert f"- 09:03 (to: The exports are sorted. {question}) “yes please”" in lines
    assert [line for line in lines if "Lisbon" in line] == [
        "- 09:05 before the last words: “The invoices of Lisbon stay at the top level, since the accountant "
        "there looks for them by hand.”"
    ]


def test_what_was_answered_already_is_answered_by_nothing_said_after_it(page: Page) -> None:
    lines = page(
        asked(1, "tidy up the exports"), spoke(2, "Shall I delete the old exports of the shop?"),
        asked(3, "no"), asked(4, "do it for the drafts"), spoke(5, "The drafts are gone."),
        asked(6, "what else is there?"), spoke(7, "Nothing else."),
    )  # fmt: skip
    assert [line for line in lines if "09:04" in line] == ["- 09:04 before the last words: “do it for the drafts”"]


def test_words_with_a_refused_call_name_the_call(page: Page) -> None:
    words = f"{NO}not before the backup has run"
    lines = page(
        asked(1, "bring the shop to the staging cluster"),
        *ran(2, "kubectl rollout restart shop", words, noted=f"Error: {words}", is_error=True),
        spoke(3, "The backup runs first."),
        asked(4, "is the backup done by now?"),
        spoke(5, "It runs."),
    )
    assert "- 09:02 (refusing Bash `kubectl rollout restart shop`) “not before the backup has run”" in lines


def test_what_was_taken_back_right_after_is_not_told(page: Page) -> None:
    lines = page(
        asked(1, "build the report of the shop as one page"), spoke(2, "Built."),
        asked(3, "put the totals of the month into the header"), spoke(4, "They stand in the header."),
        asked(5, "scratch that, the totals belong to the end of the page"), spoke(6, "They stand at the end."),
        asked(7, "and now make it blue"), spoke(8, "It is blue."),
    )  # fmt: skip
    assert [line for line in lines if "totals" in line] == [
        "- 09:05 before the last words: “scratch that, the totals belong to the end of the page”"
    ]


def test_what_was_said_again_and_again_is_told_once_with_how_often(page: Page) -> None:
    lines = page(
        *(line for n in range(0, 12, 2) for line in (asked(n, "commit and continue"), spoke(n + 1, f"Part {n} done."))),
        asked(12, "what is left to be done?"),
        spoke(13, "Nothing."),
    )
    assert [line for line in lines if "commit and continue" in line and "first" not in line] == [
        "- 09:10 “commit and continue” (said 6 times)"
    ]


def test_an_order_is_told_with_what_calls_achieved_before_the_human_spoke_again(page: Page) -> None:
    lines = page(
        asked(1, "add the tax number to the invoices of the shop"),
        *ran(2, "git commit -m 'Print the tax number'", "[main 5d6e7f8] Print the tax number\n 1 file changed"),
        spoke(3, "Done."),
        asked(4, "then leave the reminders as they are"),
        *ran(5, "git commit -m 'Leave them'", "[main 6d6e7f8] Leave them\n 1 file changed"),
        asked(6, "what is left?"),
        spoke(7, "Nothing."),
    )
    first = "- 09:01 the session's first words: “add the tax number to the invoices of the shop”"
    assert f"{first} → commit 5d6e7f8 “Print the tax number”" in lines
    then = "- 09:04 “then leave the reminders as they are”"
    assert f"{then} → commit 6d6e7f8 “Leave them”" in lines


def test_of_a_long_brief_its_beginning_is_told_and_what_it_forbids(page: Page) -> None:
    parts = [f"Part {n} of the export goes into a file of its own with the totals of the month." for n in range(30)]
    brief = " ".join(["We move the export of the shop into a job.", *parts, "Do not touch the schema yet.", *parts])
    lines = page(
        asked(1, "good morning"), spoke(2, "Good morning."), asked(3, brief), spoke(4, "The job stands."),
        asked(5, "thanks"), spoke(6, "You're welcome."), asked(7, "what is next?"), spoke(8, "The importer."),
    )  # fmt: skip
    (told,) = [line for line in lines if "We move the export" in line]
    assert "“We move the export of the shop into a job. " in told
    assert "… Do not touch the schema yet. …" in told
    assert len(told) < 1_000


def test_what_a_person_edited_is_told_as_edited(memory: Memory, page: Page) -> None:
    before = [
        asked(1, "never deploy the shop on Fridays"), spoke(2, "Noted."), asked(3, "now print the labels"),
        spoke(4, "Printed."), asked(5, "what is left to be printed?"), spoke(6, "Nothing."),
    ]  # fmt: skip
    page(*before)
    (rule,) = [entry for entry in memory.entries() if "Fridays" in entry.summary]
    memory.revise(rule.id, summary="never deploy the shop on Fridays or Saturdays")
    lines = memory.brief().text.splitlines()
    assert [line for line in lines if "Saturdays" in line] == [
        "- 09:01 the session's first words: “never deploy the shop on Fridays or Saturdays”, edited, 2 March"
    ]


def test_rules_said_in_other_sessions_of_the_project_are_told_whole(memory: Memory, tmp_path: Path, page: Page) -> None:
    rule = "never push to main without a green run, unless the shop is down"
    other = [said(rule, session="old", at="2026-02-27T09:00:00Z", project="/x")]
    memory.capture(write_jsonl(tmp_path / "old.jsonl", *other), source="jsonl")
    lines = page(asked(1, "print the labels of the parcels"), spoke(2, "Printed."))
    assert under("rules and refusals", lines) == [f"- “{rule}”, 27 February"]


# -- how much, when, and who else --------------------------------------------------------------------------------------


def test_a_loss_is_told_first_with_when_and_how_much(memory: Memory, page: Page, clock: SteppingClock) -> None:
    page(asked(1, "print the labels of the parcels"), spoke(2, "Printed."))
    clock.now = "2026-03-02T10:00:00.000Z"
    assert memory.brief(pushed=True).text.splitlines()[2] == (
        "The context of this session was lost in a compaction at 10:00: 2 turns, 1 by the human, "
        "2026-03-02 09:01 to 09:02 UTC."
    )


def test_work_left_weeks_ago_says_so(memory: Memory, page: Page, clock: SteppingClock) -> None:
    clock.now = "2026-04-20T10:00:00.000Z"
    lines = page(asked(1, "print the labels of the parcels"), spoke(2, "Printed."))
    assert lines[3] == "Nobody has worked on it since: that was seven weeks ago."


def test_lines_of_an_earlier_day_carry_it(page: Page) -> None:
    late = asked(900, "and the labels of the letters, too")
    lines = page(
        asked(1, "print the labels of the parcels"),
        spoke(2, "Printed."),
        {**late, "timestamp": "2026-03-03T08:00:00.000Z"},
    )
    assert "- 03-02 09:01 the session's first words: “print the labels of the parcels”" in lines
    assert "- 08:00 the human's last words: “and the labels of the letters, too”" in lines


def test_two_sessions_at_once_each_hold_their_own_and_name_what_the_other_edits(
    memory: Memory, tmp_path: Path, clock: SteppingClock, page: Page
) -> None:
    clock.now = "2026-03-02T09:30:00.000Z"
    theirs = [
        {**line, "sessionId": "d", "uuid": f"d{line['uuid']}"}
        for line in (asked(4, "speed up the search of the shop"), *edited(5, "/x/search.py"), *edited(6, "/x/index.py"))
    ]
    memory.capture(write_jsonl(tmp_path / "d.jsonl", *theirs), source="claude-code")
    page(asked(7, "print the labels of the parcels"), *edited(8, "/x/labels.py"))
    memory.scribe()
    own, other = (memory.brief(session=f"claude-code:{name}").text for name in "cd")
    assert "Another session edited in the last hour: /x/index.py, /x/search.py." in own
    assert "Another session edited in the last hour: /x/labels.py." in other
    assert ("speed up the search" in own, "labels of the parcels" in other) == (False, False)
    clock.now = "2026-03-02T10:30:00.000Z"
    assert "Another session" not in memory.brief(session="claude-code:c").text


# -- what the agent said -----------------------------------------------------------------------------------------------


def test_announcements_and_praise_are_left_out_and_a_point_keeps_its_line() -> None:
    text = (
        "Great. Let me check the log. The import fails at row 7.\n\nStill open:\n- the export\n- a test for row 7\n\n"
        "| file | lines |\n| --- | --- |\n| a.py | 12 |\n\n```\nprint(1)\nprint(2)\n```\nShall I go on?"
    )
    assert picked(text, 500, of_report) == (
        "The import fails at row 7. Still open: the export; a test for row 7; a.py: 12; Shall I go on?"
    )


def test_no_sentence_is_cut_and_those_that_hold_the_state_come_first() -> None:
    talk = " ".join(f"The chapter {n} of the handbook tells a story about a ship." for n in range(9))
    text = f"The import is done. {talk} Nothing is pushed yet, and the run 1234 is still waiting. {talk} Anything else?"
    assert picked(text, 140, of_report) == (
        "The import is done. … Nothing is pushed yet, and the run 1234 is still waiting. … Anything else?"
    )


@pytest.mark.parametrize(
    ("said_last", "told"),
    [
        ("The root cause is the cache: it keeps old rows.", "The root cause is the cache: it keeps old rows."),
        (
            "The root cause is probably the cache of the shop.",
            "The failed import was caused by a lock.",
        ),
        ("I was wrong: it was not the lock.", ""),
    ],
)
def test_the_cause_is_the_agents_last_word_on_it_unless_it_was_taken_back(said_last: str, told: str) -> None:
    words = ["The failed import was caused by a lock.", said_last]
    turns = [
        JournalTurn(id=n, source="jsonl", session="s", turn=Turn(role="assistant", kind="said", text=text))
        for n, text in enumerate(words, start=1)
    ]
    assert cause(turns)[1] == told


# -- bad input ---------------------------------------------------------------------------------------------------------


def test_a_session_that_is_all_tool_output_is_told_by_its_calls(page: Page) -> None:
    lines = page(asked(1, "go"), *(line for n in range(2, 40) for line in ran(n, f"make part-{n}", "x" * 3_000)))
    assert lines[3:7] == [
        "where it stood:",
        "- 09:01 the human's last words: “go”",
        "- since then 38 calls, the last: Bash `make part-37`; Bash `make part-38`; Bash `make part-39`",
        "state, as calls and their results showed it:",
    ]


def test_words_that_are_only_a_link_are_the_last_words(page: Page) -> None:
    lines = page(asked(1, "answer the review"), spoke(2, "Which one?"), asked(3, "https://example.com/pull/7#review-3"))
    assert "- 09:03 the human's last words: “https://example.com/pull/7#review-3”" in lines


def test_the_worthiest_lines_are_taken_in_their_order_each_as_long_as_fits() -> None:
    def line(text: str, worth: float, *shorter: str) -> Line:
        return Line(section="s", items=(text,), worth=worth, texts=(text, *shorter), why="")

    lines = [line("first " * 30, 1, "first"), line("second " * 40, 2, "second"), line("third", 3)]
    assert [one.text for one in fit(lines, 30, "\n".join)] == ["first", "second", "third"]
    assert [one.text for one in fit(lines, 65, "\n".join)] == ["first", "second " * 40, "third"]
    assert shaped(fit(lines, 5, "\n".join)) == ["s:", "- third"]


def test_turns_the_scribe_has_not_read_are_told_to_be_missing(
    memory: Memory, tmp_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page(asked(1, "print the labels of the parcels"), spoke(2, "Printed."))
    # Somebody else is at a rebuild.
    monkeypatch.setattr(memory, "learn", lambda *_: None)
    lines = page(asked(1, "print the labels of the parcels"), spoke(2, "Printed."), asked(3, "and the letters"))
    assert lines[3] == "Its last turns were not read yet: what they hold is missing here."
    assert "- 09:03 the human handed over: “and the letters”" in lines
