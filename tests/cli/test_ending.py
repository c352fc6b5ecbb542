"""A rule can end where one works: after a person's third yes, or when they take it back in their own words."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

import steno as library
from steno.doors.hooks import answer
from steno.testing import said

from ..doors.test_hooks import StandInDesk
from ..staged import staged

RULE = "Never push to main."
CALL = "git push origin main"
NO = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to "
    "proceed."
)
NOBODY = "Claude requested permissions to use Bash, but you haven't granted it yet."
NOW = datetime.now(UTC)


@pytest.fixture
def session(home, steno):
    """Tells what happens in one session: what is said, and calls the gate is asked about before they run."""
    lines: list[str] = []

    def tell(*more: str, mode: str = "default") -> None:
        with library.open() as memory:
            for number, line in enumerate(more, len(lines)):
                if line.startswith("! "):
                    command = line[2:].partition(" = ")[0]
                    asked = {
                        "session_id": "shop-1", "cwd": "/home/ada/shop", "permission_mode": mode, "tool_name": "Bash",
                        "tool_input": {"command": command}, "tool_use_id": f"call-{number}",
                    }  # fmt: skip
                    told = answer(StandInDesk(memory), "claude-code", "PreToolUse", json.dumps(asked).encode())
                    if told.handed is not None:
                        told.handed()
        lines.extend(more)
        path = staged(home, "shop", *lines, begun=NOW - timedelta(hours=5, minutes=30))
        written = path.read_text("utf-8")
        for text, noted in ((NO, "User rejected tool use"), (NOBODY, f"Error: {NOBODY}")):
            content = f'"content": {json.dumps(text)}'
            failed = f'{content}, "is_error": true}}]}}, "toolUseResult": {json.dumps(noted)}}}'
            written = written.replace(f"{content}}}]}}}}", failed)
        path.write_text(written, "utf-8")
        assert steno("capture", path, "--source", "claude-code").exit_code == 0

    tell(RULE)
    return tell


@pytest.fixture
def found(steno) -> Callable[[], list[dict]]:
    """What waits for a person."""
    return lambda: [json.loads(line) for line in steno("review", "--json").stdout.splitlines()]


def status_line() -> str:
    with library.open() as memory:
        asked = json.dumps({"session_id": "shop-1", "cwd": "/home/ada/shop"}).encode()
        return answer(StandInDesk(memory), "claude-code", "StatusLine", asked).text.decode().rpartition(" · ")[0]


def test_a_third_yes_to_the_same_rule_offers_to_end_it(session, steno, found):
    session(f"! {CALL} = ok", f"! {CALL} = {NO}", f"! {CALL} = {NOBODY}", f"! {CALL} --tags = ok")
    assert (found(), status_line()) == ([], "steno · 1 rule · 0 refusals")
    session(f"! {CALL} = ok")
    [waits] = found()
    assert (waits["kind"], waits["entry"]["summary"], waits["yeses"], waits["taken_back"]) == ("ending", RULE, 3, "")
    assert steno("review").stdout.splitlines() == [
        "Holds until you end it",
        "End it?",
        RULE,
        "  rule  5 h ago  shop",
        "  You allowed it 3 times, last now.",
        f"`steno review answer {waits['id']} end | keep` settles it",
        "",
    ]
    assert status_line() == "steno · 1 rule · 0 refusals · 1 rule may end: steno review"
    assert steno("status", "--project", "shop").stdout.splitlines()[:4] == [
        "holds     1 rule and 0 refusals of yours",
        f"  5 h ago     “{RULE}”",
        "              may end: You allowed it 3 times, last now.",
        "waits     1 rule that may end: `steno review`, one key each",
    ]


def test_one_key_ends_it_and_another_takes_that_back(session, steno, found, terminal, without_colours):
    session(*[f"! {CALL} = ok"] * 3)
    drawn = without_colours(terminal("review", typed="ue")[1])
    assert "[e]nd it  [k]eep it  [s]kip  [u]ndo  [q]uit  [?]" in drawn
    assert f"it holds no more  {RULE}\n1 answer, 0 left.\n" in drawn
    assert (found(), status_line()) == ([], "steno · 0 rules · 0 refusals")
    steno("store", "rebuild")
    assert found() == []
    assert steno("review", "undo").stdout == f"Taken back: {RULE}\n"
    assert [(one["kind"], one["yeses"]) for one in found()] == [("ending", 3)]


def test_what_says_the_same_ends_with_it(session, steno, found):
    steno("rules", "add", RULE, "--project", "shop")
    session(*[f"! {CALL} = ok"] * 3)
    [waits] = found()
    assert len(waits["also"]) == 1
    steno("review", "answer", waits["id"], "end")
    assert (found(), status_line()) == ([], "steno · 0 rules · 0 refusals")
    steno("review", "undo")
    assert (found(), status_line()) == ([waits], "steno · 1 rule · 0 refusals · 1 rule may end: steno review")


def test_who_keeps_it_is_asked_after_three_more(session, steno, found):
    session(*[f"! {CALL} = ok"] * 3)
    [waits] = found()
    before = waits["entry"]
    assert steno("review", "answer", waits["id"], "keep").stdout == f"It lasts: {RULE}\n"
    session(*[f"! {CALL} = ok"] * 2)
    assert found() == []
    [after] = [json.loads(line) for line in steno("entries", "show", before["id"], "--json").stdout.splitlines()]
    assert {name: after[name] for name in before} == before
    session(f"! {CALL} = ok")
    assert [one["yeses"] for one in found()] == [3]


def test_what_the_host_may_answer_for_a_person_is_no_yes_of_theirs(session, found):
    session(*[f"! {CALL} = ok"] * 4, mode="bypassPermissions")
    assert found() == []


def test_words_that_take_it_back_offer_to_end_it_and_end_nothing(session, steno, found):
    session("You may push to main again.", f"! {CALL} = ok")
    [waits] = found()
    assert (waits["kind"], waits["yeses"], waits["taken_back"]) == ("ending", 0, "You may push to main again.")
    assert steno("review").stdout.splitlines()[1:5] == [
        "End it?",
        RULE,
        "  rule  5 h ago  shop",
        "  You said 5 h ago: “You may push to main again.”",
    ]
    [entry] = [json.loads(line) for line in steno("entries", "--category", "rule", "--json").stdout.splitlines()]
    assert entry["status"] == "active"
    steno("review", "answer", waits["id"], "keep")
    assert found() == []


@pytest.fixture
def taken_back(steno, transcript):
    """What takes a rule back, of what a person said after it."""

    def found(rule: str, words: str, project: str = "/shop") -> list[str]:
        told = [(rule, "/shop"), (words, project)]
        turns = [
            said(text, id=f"{at}", session=f"{at}", project=where, at=f"2026-11-0{at}T10:00:00Z")
            for at, (text, where) in enumerate(told, 1)
        ]
        assert steno("capture", transcript(*turns), "--source", "jsonl").exit_code == 0
        with library.open() as memory:
            return [one.taken_back for one in memory.waiting.endings()]

    return found


def test_a_contradiction_that_waits_is_not_asked_about_twice(session, found):
    session("From now on always push to main.")
    assert [one["kind"] for one in found()] == ["contradiction"]


def test_a_permission_is_no_rule(session, found, steno):
    session("You may push to main from now on.")
    assert [one["kind"] for one in found()] == ["ending"]
    assert [json.loads(line)["rule"] for line in steno("rules", "--json").stdout.splitlines()] == [RULE]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("you may push to main from now on", "never push to main unless I say so"),
        ("Ok, you can push to main again.", RULE),
        ("drop the rule about pushing to main", RULE),
        ("You no longer need to run the tests before committing", "always run the tests before you commit"),
        ("you don't have to run the tests any more", "always run the tests before you commit"),
        ("the rule about deploys on fridays no longer applies", "never deploy on fridays unless it's a hotfix"),
        ("du darfst künftig auf main pushen", "nie auf main pushen"),
        ("du musst die Tests nicht mehr laufen lassen", "immer die Tests laufen lassen"),
    ],
)
def test_a_sentence_takes_a_rule_back_in_its_own_words(taken_back, words, rule):
    assert taken_back(rule, words) == [words]


@pytest.mark.parametrize(
    "words",
    [
        "you can push to main now",
        "you may push to main this time",
        "you may push to main again when the build is green",
        "from now on you can push docs to main",
        "may you push to main from now on?",
        "drop the main branch",
        "I pushed to main again",
        "forget the rule about tabs",
        "you can again",
    ],
)
def test_leave_for_once_for_something_else_or_a_question_takes_nothing_back(taken_back, words):
    assert taken_back(RULE, words) == []


def test_what_was_said_before_the_rule_or_in_another_project_takes_nothing_back(taken_back):
    assert taken_back("you may push to main again", RULE) == []
    assert taken_back(RULE, "you may push to main again", project="/zoo") == []


@pytest.mark.parametrize(
    "words", ["you can " + "push " * 5_000, "the rule " * 5_000, "ok, " * 9_000, "du musst " * 5_000]
)
def test_hostile_words_take_nothing_back(taken_back, words):
    assert taken_back(RULE, words) == []
