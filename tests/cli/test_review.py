"""`steno review`: what waits for a person's word, in lines, as JSON, and on a terminal with one key each."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import sys
import termios
import time
from functools import partial

import pytest

from steno.cli.looks.entries import review
from steno.testing import said
from steno.vocabulary.acts import Act, Who

from ..conftest import PATIENCE

PARAGRAPH = "This is what I found when I looked at how the releases went, week after week, in some detail. " * 4
REASON = "a decision for something the human had refused"
FRIDAYS, TABS = "never push to main on fridays", "always indent with tabs"


def letter(words):
    """A long text, in which nobody can be sure that a sentence is the sender's own order."""
    return f"{PARAGRAPH}\n\n{PARAGRAPH}\n\n{words}.\n\n{PARAGRAPH}"


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def unsure(steno, transcript):
    """Two rules Steno is not sure of: their entries."""
    path = transcript(
        said(letter(FRIDAYS), id="1", at="2026-03-01T10:00:00Z", project="/shop", agent="main"),
        said(letter(TABS), id="2", at="2026-03-02T10:00:00Z"),
    )
    steno("capture", path, "--source", "jsonl")
    return [found["entry"] for found in lines(steno("review", "--json"))]


def test_a_review_says_how_often_something_was_said(steno, transcript):
    said_often = [said(letter(TABS), id=f"{n}", session=f"s{n}", project="/shop") for n in range(3)]
    steno("capture", transcript(*said_often), "--source", "jsonl")
    [found] = lines(steno("review", "--json"))
    assert found["entry"]["repeated"] == 2
    assert "  said 3 times\n" in steno("review").stdout


def test_a_request_says_where_it_was_made_and_no_more_lines_than_it_has(capsys):
    who = Who(by="agent", evidence="the environment", door="cli", seen="CLAUDECODE", agent="claude-code",
              session="s1\n  ends       nothing")  # fmt: skip
    at = "2026-03-02T10:00:00.000Z"
    given = {"directory": "/shop"}
    review(Act(id="3f2a", verb="pause", words="steno pause", given=given, state="waiting", who=who, at=at, last_at=at))
    assert capsys.readouterr().out.splitlines() == [
        f"an agent asks  3f2a  claude-code  s1 ends nothing  {at}",
        "  steno pause",
        "  in         /shop",
        "  seen       CLAUDECODE is set here",
    ]  # fmt: skip


@pytest.fixture
def contradiction(steno):
    """Two entries that wait for a person's word."""
    [one] = lines(steno("entries", "remember", "Use tabs.", "--category", "rejected", "--json"))
    [other] = lines(steno("entries", "remember", "Tabs it is.", "--category", "decision", "--json"))
    return one, other


def shown(steno, entry):
    [found] = lines(steno("entries", "show", entry["id"], "--json"))
    return found


def rules(steno):
    return {rule["id"]: (rule["status"], rule["rule"]) for rule in lines(steno("rules", "--json"))}


# -- what we are not sure of -------------------------------------------------------------------------------------------


def test_an_unsure_rule_waits_and_binds_nobody(steno, unsure):
    assert [(entry["certainty"], entry["origin"]) for entry in unsure] == [("hypothesis", "user")] * 2
    assert [words in entry["summary"] for entry, words in zip(unsure, (FRIDAYS, TABS), strict=True)] == [True, True]
    assert rules(steno) == {}
    told = steno("review").stdout
    assert told.startswith(f"{unsure[0]['category']}?  {unsure[0]['id']}  /shop  main  2026-03-01T10:00:00.000Z\n  ")
    assert f"\n  said       {FRIDAYS}.\n" in told
    assert f"\n`steno review answer {unsure[0]['id']} keep | drop | reword | work` settles it\n" in told


@pytest.mark.parametrize(
    ("answer", "words", "after", "told"),
    [
        ("keep", [], {"certainty": "confirmed", "origin": "user", "status": "active"}, "Kept: "),
        ("drop", [], {"certainty": "hypothesis", "origin": "user", "status": "archived"}, "Dropped: "),
        (
            "reword",
            ["never", "force-push"],
            {"certainty": "confirmed", "origin": "edit", "status": "active", "summary": "never force-push"},
            "Kept in your words: never force-push\n",
        ),
        ("work", [], {"certainty": "confirmed", "origin": "user", "status": "active"}, "Kept for this work: "),
    ],
)
def test_an_answer_holds_also_after_a_rebuild(steno, unsure, answer, words, after, told):
    first, second = unsure
    assert steno("review", "answer", first["id"][:6], answer, *words).stdout.startswith(told)
    for _ in range(2):
        found = shown(steno, first)
        assert {name: found[name] for name in after} == after
        assert [one["id"] for one in lines(steno("review", "--json"))] == [second["id"]]
        assert set(rules(steno)) == ({first["id"]} if after["certainty"] == "confirmed" else set())
        steno("store", "rebuild")


def test_a_kept_rule_stands_and_one_for_this_work_does_not(steno, unsure):
    for entry, answer, reach in zip(unsure, ("keep", "work"), ("standing", "work"), strict=True):
        steno("review", "answer", entry["id"], answer)
        assert shown(steno, entry)["detail"]["stance"].get("reach", "work") == reach


def test_an_answer_can_be_taken_back(steno, unsure):
    first, second = (shown(steno, entry) for entry in unsure)
    steno("review", "answer", first["id"], "drop")
    steno("review", "answer", second["id"], "reword", "tabs, everywhere")
    assert steno("review", "undo").stdout.startswith("Waits again: ")
    assert (shown(steno, first)["status"], shown(steno, second)) == ("archived", second)
    assert [one["id"] for one in lines(steno("review", "undo", "--json"))] == [first["id"]]
    assert [one["id"] for one in lines(steno("review", "--json"))] == [first["id"], second["id"]]
    steno("store", "rebuild")
    assert (shown(steno, first), shown(steno, second), rules(steno)) == (first, second, {})
    missed = steno("review", "undo")
    assert (missed.exit_code, missed.stderr.splitlines()[0]) == (2, "steno: there is no answer to take back")


def test_what_was_said_since_is_not_taken_back(steno, unsure):
    steno("review", "answer", unsure[0]["id"], "keep")
    steno("entries", "revise", unsure[0]["id"], "--summary", "not on fridays")
    missed = steno("review", "undo")
    assert (missed.exit_code, shown(steno, unsure[0])["summary"]) == (2, "not on fridays")
    assert missed.stderr.startswith(f"steno: somebody told something else about {unsure[0]['id']} since\n  → ")


def test_what_is_new_to_review_is_said_and_is_a_flag(steno, transcript):
    path = transcript(said(letter(FRIDAYS), id="1"))
    assert "\n  reviews      1 new: `steno review` shows them\n" in steno("capture", path, "--source", "jsonl").stdout
    assert (
        "- rules and refusals to be kept or dropped by a person (`steno review`): 1\n"
        in steno("brief", "handoff").stdout
    )


def test_what_was_laid_aside_with_its_work_is_neither_counted_nor_asked(steno, transcript):
    path = transcript(
        said("rewrite the importer so that it streams", id="1", at="2026-03-01T10:00:00Z"),
        said(letter("do not touch the payments table in this pull request"), id="2", at="2026-03-01T10:01:00Z"),
        said("drop it", id="3", at="2026-03-01T10:02:00Z"),
        said(letter(TABS), id="4", at="2026-03-02T10:00:00Z"),
    )
    told = steno("capture", path, "--source", "jsonl").stdout
    waiting = [one["id"] for one in lines(steno("review", "--json"))]
    [aside] = lines(steno("entries", "--category", "rejected", "--json"))
    assert (len(waiting), aside["status"], aside["certainty"]) == (1, "archived", "hypothesis")
    assert "\n  reviews      1 new: `steno review` shows them\n" in told
    assert f"`steno review show {waiting[0]}`" in steno("entries", "show", waiting[0]).stdout
    assert "steno review" not in steno("entries", "show", aside["id"]).stdout


# -- contradictions ----------------------------------------------------------------------------------------------------


def test_a_contradiction_shows_both_side_by_side(steno, contradiction):
    one, other = contradiction
    [found] = lines(steno("review", "--json"))
    assert found == {
        "id": found["id"], "kind": "contradiction", "reason": REASON, "one": one, "other": other,
    }  # fmt: skip
    first, heading, *rows = steno("review").stdout.splitlines()
    assert (first, heading.split()) == (f"contradiction  {REASON}  {found['id']}", ["one", "other"])
    assert rows[0].split() == ["entry", one["id"], other["id"]]
    assert rows[2].split() == ["summary", "Use", "tabs.", "Tabs", "it", "is."]
    assert f"`steno review answer {found['id']} one | other | both` settles it" in rows


@pytest.mark.parametrize(
    ("keep", "after", "told"),
    [
        ("one", ["active", "superseded"], "The first holds"),
        ("other", ["superseded", "active"], "The second holds"),
        ("both", ["active", "active"], "Both hold"),
    ],
)
def test_a_settled_contradiction_holds_also_after_a_rebuild(steno, contradiction, keep, after, told):
    [found] = lines(steno("review", "--json"))
    assert steno("review", "answer", found["id"], keep).stdout == f"{told}: Use tabs. / Tabs it is.\n"
    for _ in range(2):
        assert [shown(steno, entry)["status"] for entry in contradiction] == after
        assert steno("review").stdout == "Nothing to review.\n"
        steno("store", "rebuild")
    missed = steno("review", "answer", found["id"], keep, "--json")
    assert (missed.exit_code, missed.stderr.splitlines()[0]) == (1, f"steno: no open review '{found['id']}'")


def test_a_settled_contradiction_can_be_taken_back(steno, contradiction):
    [found] = lines(steno("review", "--json"))
    [settled] = lines(steno("review", "answer", found["id"], "other", "--json"))
    assert (settled["id"], settled["one"]["status"]) == (found["id"], "superseded")
    steno("store", "rebuild")
    steno("review", "undo")
    assert lines(steno("review", "--json")) == [found]
    assert [shown(steno, entry)["superseded_by"] for entry in contradiction] == [None, None]


def test_a_contradiction_with_what_was_laid_aside_waits_no_more(steno, contradiction):
    steno("entries", "archive", contradiction[0]["id"])
    assert steno("review").stdout == "Nothing to review.\n"
    assert "steno review" not in steno("brief", "handoff").stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nix", "keep"], "no open review 'nix'"),
        ([], "Missing argument 'ID'"),
        (["ID", "keep"], "'keep' does not settle this"),
        (
            ["ID", "neither"],
            "'neither' is not one of 'keep', 'drop', 'reword', 'work', 'one', 'other', 'both', 'take', 'back'",
        ),
        (["ID", "reword"], "words go with `reword`, and only with that"),
        (["ID", "one", "more"], "words go with `reword`, and only with that"),
    ],
)
def test_wrong_use_says_what_to_do(steno, contradiction, args, said):
    [found] = lines(steno("review", "--json"))
    missed = steno("review", "answer", *(found["id"] if arg == "ID" else arg for arg in args))
    assert missed.stdout == ""
    assert said in missed.stderr
    assert "\n  → " in missed.stderr


# -- on a terminal -----------------------------------------------------------------------------------------------------


def test_on_a_terminal_one_key_answers_and_another_takes_it_back(terminal, steno, unsure, without_colours):
    code, drawn = terminal("review", typed="xd?uksq")
    told = without_colours(drawn)
    assert code == 0
    assert re.findall(r"^(\d) of (\d) ", told, re.MULTILINE) == [("1", "2"), ("2", "2"), ("1", "2"), ("2", "2")]
    assert told.count("[k]eep  [d]rop  [r]eword  this [w]ork only  [s]kip  [u]ndo  [q]uit  [?]") == 4
    assert "\n  w  work: I mean that, for this piece of work only\n" in told
    assert f"said       {FRIDAYS}." in told
    assert [line.split("  ")[0] for line in told.splitlines() if re.match("dropped|undone|kept", line)] == [
        "dropped",
        "undone",
        "kept",
    ]
    assert told.endswith("1 answer, 1 left.\n")
    assert [shown(steno, entry)["certainty"] for entry in unsure] == ["confirmed", "hypothesis"]
    assert "\x1b[" in drawn


def test_on_a_terminal_words_are_typed(terminal, steno, unsure):
    code, _ = terminal("review", typed="rnie freitags pushen, außer mit Ok\nr\nwq")
    assert code == 0
    found = [shown(steno, entry) for entry in unsure]
    assert (found[0]["summary"], found[0]["origin"]) == ("nie freitags pushen, außer mit Ok", "edit")
    assert (found[1]["summary"], found[1]["certainty"]) == (unsure[1]["summary"], "confirmed")


def test_on_a_terminal_a_contradiction_is_settled_by_its_number(terminal, steno, contradiction, without_colours):
    code, drawn = terminal("review", typed="k2")
    assert code == 0
    assert "[1] first  [2] second  [b]oth  [s]kip" in without_colours(drawn)
    assert [shown(steno, entry)["status"] for entry in contradiction] == ["superseded", "active"]
    assert without_colours(terminal("review")[1]).endswith("\nNothing to review.\n")


def test_ctrl_c_ends_it_and_loses_no_answer(begin, steno, unsure):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "steno", "review"]
    its_own = partial(fcntl.ioctl, theirs, termios.TIOCSCTTY, 0)
    running = begin(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, preexec_fn=its_own)
    before = _until(ours, b"1 of 2")
    os.write(ours, b"k")
    _until(ours, b"2 of 2", b"[?]")
    running.send_signal(signal.SIGINT)
    drawn = _until(ours, b"interrupted")
    os.close(theirs)
    assert (running.wait(), b"1 answer, 1 left." in drawn, before.count(b" of ")) == (130, True, 1)
    os.close(ours)
    assert [shown(steno, entry)["certainty"] for entry in unsure] == ["confirmed", "hypothesis"]


def _until(terminal, *wanted):
    """What is drawn until all of it is there; a test that waits in vain fails."""
    drawn, end = b"", time.monotonic() + PATIENCE
    while not all(words in drawn for words in wanted):
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"waited in vain for {wanted}: {drawn!r}"
        drawn += os.read(terminal, 65536)
    return drawn


def test_a_hostile_word_does_not_drive_the_terminal(terminal, transcript, steno):
    hostile = letter(f"{FRIDAYS} \x1b[2J\x1b]0;owned\x07 [bold red]markup[/bold red] \u202e")
    steno("capture", transcript(said(hostile, id="1")), "--source", "jsonl")
    _, drawn = terminal("review", typed="q")
    assert ("\x1b[2J" in drawn, "\x1b]0" in drawn, "\u202e" in drawn) == (False, False, False)
    assert "[bold red]markup" in drawn
