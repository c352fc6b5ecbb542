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
from datetime import datetime, timedelta
from functools import partial

import pytest

from steno.cli.looks.reviews import review
from steno.clock import as_text
from steno.testing import said
from steno.vocabulary.acts import Act, Who

from ..conftest import PATIENCE

REASON = "a decision for something the human had refused"
MAIN, SCHEMA = "ask me before you push to main", "check with me before touching the schema"
OFFER = "Shall I move the orders to a new table?"
# What holds for a piece of work ends after quiet days, by the clock of this machine.
NOW = datetime.now().astimezone()


def ago(hours):
    return as_text(NOW - timedelta(hours=hours))


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def offered(steno, transcript):
    """Two instructions that hold for their pieces of work: their entries, the newest first."""
    path = transcript(
        said(MAIN, id="1", at=ago(30), project="/shop", agent="main"),
        said(OFFER, id="2", at=ago(5), role="assistant"),
        said(SCHEMA, id="3", at=ago(4)),
    )
    steno("capture", path, "--source", "jsonl")
    return [found["entry"] for found in lines(steno("review", "--json"))]


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


# -- what may be made to last ------------------------------------------------------------------------------------------


def test_an_instruction_for_its_piece_of_work_may_be_made_to_last(steno, offered):
    assert [(entry["category"], entry["summary"], entry["status"]) for entry in offered] == [
        ("rule", SCHEMA, "active"),
        ("rule", MAIN, "active"),
    ]
    assert steno("review").stdout.splitlines() == [
        "Ends with its piece of work if you say nothing",
        "Make it last?",
        SCHEMA,
        f"  to: {OFFER}",
        "  rule  4 h ago  shop",
        f"`steno review answer {offered[0]['id']} keep | drop | reword | work` settles it",
        "",
        "Make it last?",
        MAIN,
        "  rule  30 h ago  shop",
        f"`steno review answer {offered[1]['id']} keep | drop | reword | work` settles it",
        "",
    ]


def test_what_lasts_by_its_words_or_was_refused_is_not_offered(steno, transcript):
    words = (
        "never push to main",
        "use pnpm, not npm",
        "I'd prefer shorter answers",
        "don't touch the schema in this PR",
    )
    steno("capture", transcript(*(said(text, id=text) for text in words)), "--source", "jsonl")
    assert len(lines(steno("entries", "--json"))) == len(words)
    assert steno("review").stdout == "Nothing to review.\n"


def test_at_most_five_are_offered_the_last_ones_first_of_each_project(steno, transcript):
    names = ["cart", "ledger", "mailer", "search", "gateway", "report", "login"]
    path = transcript(
        *(
            said(f"ask me before you touch the {name}", id=name, session=name, at=ago(10 - number),
                 project="/blog" if name == "cart" else "/shop")
            for number, name in enumerate(names)
        )
    )  # fmt: skip
    steno("capture", path, "--source", "jsonl")

    def found(*args):
        return [one["entry"]["summary"].rpartition(" ")[2] for one in lines(steno("review", "--json", *args))]

    assert found() == ["login", "report", "gateway", "search", "mailer"]
    assert found("--project", "/blog") == ["cart"]
    assert "waits     5 instructions you may make last: `steno review`, one key each\n" in steno("status").stdout
    [last] = lines(steno("review", "--json", "--project", "/blog"))
    steno("review", "answer", last["id"], "keep")
    assert (found(), found("--project", "/blog")) == (["login", "report", "gateway", "search", "mailer"], [])


def test_an_offer_nobody_takes_up_ends_with_its_piece_of_work(steno, offered):
    [work, *_] = lines(steno("sessions", "work", "--json"))
    steno("sessions", "work", "end", work["id"])
    assert steno("review").stdout == "Nothing to review.\n"
    assert {shown(steno, entry)["status"] for entry in offered} == {"archived"}


@pytest.mark.parametrize(
    ("answer", "words", "after", "reach", "told"),
    [
        ("keep", [], {"origin": "user", "status": "active", "summary": SCHEMA}, "standing", "It lasts: "),
        ("drop", [], {"origin": "user", "status": "archived", "summary": SCHEMA}, "work", "Dropped: "),
        (
            "reword",
            ["never", "touch", "the", "schema"],
            {"origin": "edit", "status": "active", "summary": "never touch the schema"},
            "standing",
            "It lasts, in your words: never touch the schema\n",
        ),
        ("work", [], {"origin": "user", "status": "active", "summary": SCHEMA}, "work", "For this work only: "),
    ],
)
def test_an_answer_holds_also_after_a_rebuild(steno, offered, answer, words, after, reach, told):
    first, second = offered
    assert steno("review", "answer", first["id"][:6], answer, *words).stdout.startswith(told)
    for _ in range(2):
        found = shown(steno, first)
        assert {name: found[name] for name in after} == after
        assert found["detail"].get("stance", {}).get("reach", "work") == reach
        assert [one["id"] for one in lines(steno("review", "--json"))] == [second["id"]]
        assert (first["id"] in rules(steno)) == (after["status"] == "active")
        steno("store", "rebuild")


@pytest.mark.parametrize(("answer", "after"), [("keep", "active"), ("work", "archived")])
def test_only_what_was_kept_outlives_its_piece_of_work(steno, offered, answer, after):
    steno("review", "answer", offered[0]["id"], answer)
    [work, *_] = lines(steno("sessions", "work", "--json"))
    steno("sessions", "work", "end", work["id"])
    for _ in range(2):
        assert shown(steno, offered[0])["status"] == after
        steno("store", "rebuild")


def test_an_answer_can_be_taken_back(steno, offered):
    first, second = (shown(steno, entry) for entry in offered)
    before = rules(steno)
    steno("review", "answer", first["id"], "drop")
    steno("review", "answer", second["id"], "reword", "no pushes to main")
    assert steno("review", "undo").stdout == f"Taken back: {MAIN}\n"
    assert (shown(steno, first)["status"], shown(steno, second)) == ("archived", second)
    assert [one["id"] for one in lines(steno("review", "undo", "--json"))] == [first["id"]]
    assert [one["id"] for one in lines(steno("review", "--json"))] == [first["id"], second["id"]]
    steno("store", "rebuild")
    assert (shown(steno, first), shown(steno, second), rules(steno)) == (first, second, before)
    missed = steno("review", "undo")
    assert (missed.exit_code, missed.stderr.splitlines()[0]) == (2, "steno: there is no answer to take back")


def test_what_was_said_since_is_not_taken_back(steno, offered):
    steno("review", "answer", offered[0]["id"], "keep")
    steno("entries", "revise", offered[0]["id"], "--summary", "not the schema")
    missed = steno("review", "undo")
    assert (missed.exit_code, shown(steno, offered[0])["summary"]) == (2, "not the schema")
    assert missed.stderr.startswith(f"steno: somebody told something else about {offered[0]['id']} since\n  → ")


def test_an_offer_is_a_flag_and_nothing_new_to_review(steno, transcript):
    told = steno("capture", transcript(said(MAIN, id="1")), "--source", "jsonl").stdout
    assert ("1 new\n" in told, "steno review" in told) == (True, False)
    assert "- instructions a person may make last (`steno review`): 1\n" in steno("brief", "handoff").stdout


def test_an_offer_says_how_often_it_was_said_and_what_was_said_again_comes_first(steno, transcript):
    often = [said(MAIN, id=f"{n}", session=f"s{n}", project="/shop", at=ago(60 - 20 * n)) for n in range(3)]
    often.append(said(SCHEMA, id="later", session="s4", project="/shop", at=ago(1)))
    steno("capture", transcript(*often), "--source", "jsonl")
    assert f"\nMake it last?\n{MAIN}\n  rule  said 3 times  20 h ago  shop\n" in steno("review").stdout
    assert [one["entry"]["summary"] for one in lines(steno("review", "--json"))] == [MAIN, SCHEMA]


# -- contradictions ----------------------------------------------------------------------------------------------------


def test_a_contradiction_shows_both_whole(steno, contradiction):
    one, other = contradiction
    [found] = lines(steno("review", "--json"))
    assert found == {
        "id": found["id"], "kind": "contradiction", "reason": REASON, "one": one, "other": other,
    }  # fmt: skip
    assert steno("review").stdout.splitlines() == [
        "Waits until you answer",
        f"They cannot both hold: {REASON}",
        "1  Use tabs.",
        f"  rejected  {one['id']}  now",
        "2  Tabs it is.",
        f"  decision  {other['id']}  now",
        f"`steno review answer {found['id']} one | other | both` settles it",
        "",
    ]


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
            "'neither' is not one of 'keep', 'drop', 'reword', 'work', 'end', 'one', 'other', 'both', 'take', 'back'",
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


def test_on_a_terminal_one_key_answers_and_another_takes_it_back(terminal, steno, offered, without_colours):
    code, drawn = terminal("review", typed="xd?uksq")
    told = without_colours(drawn)
    assert code == 0
    assert re.findall(r"^(\d) of (\d)  Make it last\?", told, re.MULTILINE) == [
        ("1", "2"), ("2", "2"), ("1", "2"), ("2", "2"),
    ]  # fmt: skip
    assert told.count("[k]eep  [d]rop  [r]eword  this [w]ork only  [s]kip  [u]ndo  [q]uit  [?]") == 4
    assert "\n  w  work: it ends with its piece of work; do not offer it again\n" in told
    assert [line.split("  ")[0] for line in told.splitlines() if re.match("dropped|undone|it lasts", line)] == [
        "dropped",
        "undone",
        "it lasts",
    ]
    assert told.endswith("1 answer, 1 left.\n")
    assert [shown(steno, entry)["detail"]["stance"]["reach"] for entry in offered[:1]] == ["standing"]
    assert shown(steno, offered[1]) == {**shown(steno, offered[1]), **offered[1]}
    assert "\x1b[" in drawn


def test_on_a_terminal_words_are_typed(terminal, steno, offered):
    code, _ = terminal("review", typed="rnie auf main pushen, außer mit Ok\nr\nwq")
    assert code == 0
    found = [shown(steno, entry) for entry in offered]
    assert (found[0]["summary"], found[0]["origin"]) == ("nie auf main pushen, außer mit Ok", "edit")
    assert (found[1]["summary"], found[1]["origin"]) == (MAIN, "user")
    assert lines(steno("review", "--json")) == []


def test_on_a_terminal_a_contradiction_is_settled_by_its_number(terminal, steno, contradiction, without_colours):
    code, drawn = terminal("review", typed="k2")
    assert code == 0
    assert "[1] first  [2] second  [b]oth  [s]kip" in without_colours(drawn)
    assert [shown(steno, entry)["status"] for entry in contradiction] == ["superseded", "active"]
    assert without_colours(terminal("review")[1]).endswith("\nNothing to review.\n")


def test_ctrl_c_ends_it_and_loses_no_answer(begin, steno, offered):
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
    assert [one["id"] for one in lines(steno("review", "--json"))] == [offered[1]["id"]]


def _until(terminal, *wanted):
    """What is drawn until all of it is there; a test that waits in vain fails."""
    drawn, end = b"", time.monotonic() + PATIENCE
    while not all(words in drawn for words in wanted):
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"waited in vain for {wanted}: {drawn!r}"
        drawn += os.read(terminal, 65536)
    return drawn


def test_a_hostile_word_does_not_drive_the_terminal(terminal, transcript, steno):
    hostile = f"{MAIN} \x1b[2J\x1b]0;owned\x07 [bold red]markup[/bold red] \u202e"
    steno("capture", transcript(said(hostile, id="1")), "--source", "jsonl")
    _, drawn = terminal("review", typed="q")
    assert ("\x1b[2J" in drawn, "\x1b]0" in drawn, "\u202e" in drawn) == (False, False, False)
    assert "[bold red]markup" in " ".join(drawn.split())
