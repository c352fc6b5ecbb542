"""What the scribe does by the command line: `capture`, `entries learn`, `entries backtest`, `store rebuild`."""

import json
import re
import signal

import pytest

import steno as library
from steno.testing import said
from steno.vocabulary.errors import StoreFull

TALK = [
    said("Build the order service.", id="1", at="2026-03-01T10:00:00Z", project="/shop", agent="main"),
    said("I suggest MongoDB for the orders. Shall I set it up?", role="assistant", id="2", at="2026-03-01T10:00:05Z"),
    said("no, I don't want MongoDB, it lost our data", id="3", at="2026-03-01T10:01:00Z"),
    said("Understood, I take PostgreSQL instead.", role="assistant", id="4", at="2026-03-01T10:01:05Z"),
    said("always run make lint before you commit", id="5", at="2026-03-01T10:02:00Z"),
]


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def entries():
    with library.open() as memory:
        return memory.entries()


@pytest.fixture
def learnt(steno, transcript):
    """The talk, captured: what the capture said."""
    [captured] = lines(steno("capture", transcript(*TALK), "--source", "jsonl", "--json"))
    return captured


def _full(self, session=None, progress=None):
    raise StoreFull("no room left", hint="make room")


def _watch_once(self, path, *, source, told):
    told(self.capture(path, source="jsonl"))
    told(self.capture(path, source="jsonl"))
    raise KeyboardInterrupt


# -- learning --------------------------------------------------------------------------------------------------------


def test_capture_runs_the_scribe_by_itself(steno, learnt):
    found = entries()
    assert learnt["entries"] == len(found) >= 2
    assert {entry.category for entry in found} >= {"rejected", "rule"}
    for command in (["scribe"], ["entries", "learn"]):
        [nothing_new] = lines(steno(*command, "--json"))
        assert nothing_new == {
            "sessions": 0, "turns": 0, "entries": 0, "repeated": 0, "superseded": 0, "reviews": 0, "refused": {},
        }  # fmt: skip
    assert steno("entries", "learn").stdout == "Nothing new to read.\n"
    assert f"\nentries   {len(found)}\n" in steno("status", "--health").stdout


def test_the_summary_of_a_capture_says_how_many_entries_are_new(steno, transcript):
    captured = steno("capture", transcript(*TALK), "--source", "jsonl")
    assert f"\n  entries      {len(entries())} new\n" in captured.stdout


def test_the_scribe_reads_what_an_earlier_capture_left(steno, transcript, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr("steno.memory.Memory.scribe", _full)
        steno("capture", transcript(*TALK), "--source", "jsonl")
    learnt = steno("entries", "learn", "--session", "s1")
    assert re.match(r"Read 5 turns in 1 session: \d+ new entr(y|ies)\.\n", learnt.stdout)
    assert entries()


def test_a_scribe_that_fails_does_not_undo_the_capture(steno, transcript, monkeypatch):
    path = transcript(*TALK)
    with monkeypatch.context() as without:
        without.setattr("steno.memory.Memory.scribe", _full)
        captured = steno("capture", path, "--source", "jsonl", "--json")
        again = steno("capture", path, "--source", "jsonl")
    assert (captured.exit_code, again.exit_code) == (1, 1)
    found = json.loads(captured.stdout)
    assert (found["turns"], found["entries"]) == (5, None)
    assert captured.stderr == (
        "steno: the turns are captured, but the scribe failed; `steno entries learn` tries again: no room left\n"
        "  → make room\n"
    )
    assert again.stdout.startswith("Nothing new in 1 transcript.\n")
    assert steno("capture", path, "--source", "jsonl").exit_code == 0
    assert entries()


def test_watch_lets_the_scribe_read_each_capture(steno, transcript, monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("steno.memory.Memory.watch", _watch_once)
    path = transcript(*TALK)
    [captured] = lines(steno("capture", "--watch", "--json", path))
    assert (captured["turns"], captured["entries"]) == (5, len(entries()))
    with path.open("a") as file:
        file.write(json.dumps(said("never push to main without asking me first", id="6")) + "\n")
    told = steno("capture", "--watch", path)
    assert re.search(r"  \+1 turn \+\d+ entr(y|ies)  s1 \(jsonl\)\n", told.stdout)


def test_watch_goes_on_when_the_scribe_fails_and_leaves_with_1(steno, transcript, monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("steno.memory.Memory.watch", _watch_once)
    monkeypatch.setattr("steno.memory.Memory.scribe", _full)
    watched = steno("capture", "--watch", "--json", transcript(*TALK))
    found = json.loads(watched.stdout)
    assert (watched.exit_code, found["turns"], found["entries"]) == (1, 5, None)
    assert watched.stderr == "steno: the turns are captured, but the scribe failed: no room left\n"


# -- again -----------------------------------------------------------------------------------------------------------


def test_a_rebuild_gives_the_same_and_keeps_what_people_said(steno, learnt):
    with library.open() as memory:
        memory.remember("Prices are in cents.", category="fact")
        refusal = next(entry for entry in memory.entries() if entry.category == "rejected")
        memory.revise(refusal.id, summary="Never use MongoDB.")
        memory.archive(next(entry for entry in memory.entries() if entry.category == "rule").id)
        before, checkpoint = memory.entries(), memory.checkpoint()
    again = lines(steno("store", "rebuild", "--json"))[0]["learnt"]
    assert (again["sessions"], again["turns"], again["entries"]) == (1, 5, learnt["entries"])
    with library.open() as memory:
        assert (memory.entries(), memory.checkpoint()) == (before, checkpoint)
    assert steno("store", "rebuild").stdout.startswith("Read again 5 turns in 1 session: ")


def test_the_scribe_draws_a_progress_bar_and_takes_it_away(terminal, learnt):
    code, drawn = terminal("store", "rebuild")
    assert code == 0
    assert "Learning" in drawn
    assert "\nRead again" in drawn.rpartition("\x1b[2K")[2].replace("\x1b[32m", "\n")


# -- a backtest ------------------------------------------------------------------------------------------------------


def test_a_backtest_tells_what_would_be_learnt_and_keeps_nothing(steno, transcript):
    lesson = said("Lesson learned: the mock hid the bug, so we test against the real service.", role="assistant")
    path = transcript(*TALK, lesson | {"id": "6", "at": "2026-03-01T10:03:00Z"})
    [found] = lines(steno("entries", "backtest", path, "--source", "jsonl", "--json"))
    assert list(found) == ["learnt", "entries", "rules", "flows", "reviews"]
    by_id = {entry["id"]: entry for entry in found["entries"]}
    assert found["learnt"]["entries"] == len(by_id)
    assert {by_id[rule["id"]]["category"] for rule in found["rules"]} == {"rejected", "rule"}
    assert (found["flows"], found["reviews"]) == ([], [])
    told = steno("entries", "backtest", path, "--source", "jsonl").stdout
    assert told.splitlines()[0].split() == ["category", "entries"]
    critical = sum(rule["status"] == "critical" for rule in found["rules"])
    rules = f"{len(found['rules'])} rules  {critical} critical, {len(found['rules']) - critical} active"
    assert f"\n{rules}\nstatus " in told
    assert "\n0 offers\n0 flows\n1 lesson\ncategory " in told
    assert f"\nTried out 6 turns in 1 session: {len(by_id)} new entries.\n" in told
    assert "Nothing was kept; --apply does the same to the real store.\n" in told
    [status] = lines(steno("status", "--json"))
    assert (status["turns"], status["entries"]) == (0, 0)


def test_a_backtest_tells_what_would_be_offered(steno, transcript):
    path = transcript(said("ask me before you push to main"))
    told = steno("entries", "backtest", path, "--source", "jsonl").stdout
    assert "\n1 offer  `steno review` would offer to make them last\n" in told
    with library.open() as memory:
        assert memory.reviews() == []


def test_a_backtest_of_old_sessions_tells_the_rules_of_then(steno, transcript):
    path = transcript(*(line | {"at": line["at"].replace("2026", "2021")} for line in TALK))
    [then] = lines(steno("entries", "backtest", path, "--source", "jsonl", "--json"))
    [now] = lines(steno("entries", "backtest", transcript(*TALK), "--source", "jsonl", "--json"))
    assert [rule["score"] for rule in then["rules"]] == [rule["score"] for rule in now["rules"]] != []


def test_a_backtest_that_is_applied_fills_the_store(steno, transcript):
    path = transcript(*TALK)
    [found] = lines(steno("entries", "backtest", path, "--source", "jsonl", "--apply", "--json"))
    assert [entry.id for entry in entries()] == [entry["id"] for entry in found["entries"]] != []
    again = steno("entries", "backtest", path, "--apply").stdout
    assert "\nLearnt from 0 turns in 0 sessions: 0 new entries.\n" in again


def test_a_backtest_of_nothing_fails(steno, home, transcript):
    missed = steno("entries", "backtest", home / "nowhere", transcript(*TALK), "--json")
    assert (missed.exit_code, missed.stdout) == (1, "")
    assert missed.stderr.startswith(f"steno: 1 of 2 given paths could not be read: {home}/nowhere\n  → ")


def test_a_backtest_leaves_out_what_the_user_leaves_out(steno, transcript, home):
    (home / "steno").mkdir()
    (home / "steno" / "settings.toml").write_text('redact_patterns = ["MongoDB"]\n')
    found = steno("entries", "backtest", transcript(*TALK), "--source", "jsonl", "--json")
    assert lines(found)[0]["entries"]
    assert "MongoDB" not in found.stdout
    steno("capture", "exclude", "/shop")
    assert lines(steno("entries", "backtest", transcript(*TALK), "--source", "jsonl", "--json"))[0]["entries"] == []
