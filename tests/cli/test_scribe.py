"""`steno scribe`, `entries`, `show`, `checkpoint`, `remember`, `revise`, `archive`, `backtest`, `rebuild`."""

import json
import re
import signal
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from steno.cli import entries as listing
from steno.memory import Memory
from steno.testing import said
from steno.vocabulary import CATEGORIES, STATUSES
from steno.vocabulary.errors import StoreFull

KEYS = [
    "id", "category", "status", "certainty", "summary", "detail", "origin", "tags", "domain", "session", "project",
    "repeated", "created_at", "superseded_by", "evidence",
]  # fmt: skip
UNUSED = {"access_count": 0, "last_accessed": None, "used": 0}
REFUSAL = "no, I don't want MongoDB, it lost our data"
RULE = "always run make lint before you commit"
TALK = [
    said("Build the order service.", id="1", at="2026-03-01T10:00:00Z", project="/shop", agent="main"),
    said("I suggest MongoDB for the orders. Shall I set it up?", role="assistant", id="2", at="2026-03-01T10:00:05Z"),
    said(REFUSAL, id="3", at="2026-03-01T10:01:00Z"),
    said("Understood, I take PostgreSQL instead.", role="assistant", id="4", at="2026-03-01T10:01:05Z"),
    said(RULE, id="5", at="2026-03-01T10:02:00Z"),
]
HOSTILE = "\x1b[2J\x1b]0;owned\x07 [bold red]markup[/bold red] \u202e"


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def learnt(steno, transcript):
    """The talk, captured: what the capture said."""
    [captured] = lines(steno("capture", transcript(*TALK), "--source", "jsonl", "--json"))
    return captured


@pytest.fixture
def refusal(steno, learnt):
    """The entry of what the human said no to."""
    rejected = lines(steno("entries", "--category", "rejected", "--json"))
    return next(entry for entry in rejected if entry["evidence"][0]["quote"] in REFUSAL)


# -- learning --------------------------------------------------------------------------------------------------------


def test_capture_runs_the_scribe_by_itself(steno, learnt):
    found = lines(steno("entries", "--json"))
    assert learnt["entries"] == len(found) >= 2
    assert {entry["category"] for entry in found} >= {"rejected", "rule"}
    [nothing_new] = lines(steno("scribe", "--json"))
    assert nothing_new == {
        "sessions": 0, "turns": 0, "entries": 0, "repeated": 0, "superseded": 0, "reviews": 0, "refused": {},
    }  # fmt: skip
    assert steno("scribe").stdout == "Nothing new to read.\n"
    assert f"\nentries   {len(found)}\n" in steno("status").stdout


def test_the_summary_of_a_capture_says_how_many_entries_are_new(steno, transcript):
    said = steno("capture", transcript(*TALK), "--source", "jsonl")
    number = len(lines(steno("entries", "--json")))
    assert f"\n  entries      {number} new\n" in said.stdout


def test_the_scribe_reads_what_an_earlier_capture_left(steno, transcript, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr("steno.memory.Memory.scribe", _full)
        steno("capture", transcript(*TALK), "--source", "jsonl")
    learnt = steno("scribe", "--session", "s1")
    assert re.match(r"Read 5 turns in 1 session: \d+ new entr(y|ies)\.\n", learnt.stdout)
    assert lines(steno("entries", "--json"))


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
        "steno: the turns are captured, but the scribe failed; `steno scribe` tries again\n"
        "steno: no room left\n  → make room\n"
    )
    assert again.stdout.startswith("Nothing new in 1 transcript.\n")
    assert steno("capture", path, "--source", "jsonl").exit_code == 0
    assert lines(steno("entries", "--json"))


def test_watch_lets_the_scribe_read_each_capture(steno, transcript, monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("steno.memory.Memory.watch", _watch_once)
    path = transcript(*TALK)
    [captured] = lines(steno("capture", "--watch", "--json", path))
    assert (captured["turns"], captured["entries"]) == (5, len(lines(steno("entries", "--json"))))
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


def _full(self, session=None, progress=None):
    raise StoreFull("no room left", hint="make room")


def _watch_once(self, path, *, source, told):
    told(self.capture(path, source="jsonl"))
    told(self.capture(path, source="jsonl"))
    raise KeyboardInterrupt


# -- looking ---------------------------------------------------------------------------------------------------------


def test_entries_have_exactly_the_promised_fields(steno, refusal):
    assert {tuple(entry) for entry in lines(steno("entries", "--json"))} == {(*KEYS, *UNUSED)}
    assert (refusal["status"], refusal["origin"], refusal["session"]) == ("active", "user", "s1")
    assert refusal["created_at"] == "2026-03-01T10:01:00.000Z"
    first = refusal["evidence"][0]
    assert list(first) == ["session", "turn", "line", "role", "quote"]
    assert (first["session"], first["turn"], first["line"], first["role"]) == ("s1", 3, 3, "user")
    assert first["quote"] in REFUSAL


def test_entries_can_be_chosen(steno, refusal):
    everything = lines(steno("entries", "--json"))
    by_category = Counter(entry["category"] for entry in everything)
    assert len(lines(steno("entries", "--category", "rule", "--json"))) == by_category["rule"] > 0
    steno("archive", refusal["id"])
    assert [e["id"] for e in lines(steno("entries", "--status", "archived", "--json"))] == [refusal["id"]]
    assert len(lines(steno("entries", "--session", "latest", "--project", "/shop", "--json"))) == len(everything)
    assert lines(steno("entries", "--project", "/other", "--json")) == []
    assert steno("entries", "--project", "/other").stdout == "No entry fits.\n"


def test_promises_can_be_asked_for_as_resolved_or_not(steno):
    for who in ("Ann", "Bob"):
        steno("remember", f"I will call {who}.", "--category", "commitment")
    steno("remember", "The door is blue.", "--category", "fact")
    kept, open_ = (entry["id"] for entry in lines(steno("entries", "--category", "commitment", "--json")))
    steno("revise", kept, "--status", "done")
    for choice, ids in (("--resolved", [kept]), ("--unresolved", [open_])):
        assert [entry["id"] for entry in lines(steno("entries", choice, "--json"))] == ids
    assert steno("entries", "--unused").stdout == "No entry fits.\n"


def test_an_empty_store_says_how_to_begin(steno):
    assert steno("entries").stdout == "No entries yet. `steno capture --all` reads the whole history.\n"
    assert lines(steno("entries", "--json")) == []


def test_entries_in_a_pipe_are_a_line_each(steno, refusal):
    heading, *rows = steno("entries").stdout.splitlines()
    assert heading.split() == ["id", "category", "status", "origin", "created_at", "project", "summary"]
    [row] = [row for row in rows if row.startswith(refusal["id"])]
    assert row.split()[:6] == [refusal["id"], "rejected", "active", "user", "2026-03-01T10:01:00.000Z", "/shop"]
    assert row.endswith(" ".join(refusal["summary"].split()))


def test_the_choices_are_those_of_the_vocabulary():
    assert (tuple(listing.CATEGORIES), tuple(listing.STATUSES)) == (CATEGORIES, STATUSES)


@pytest.mark.parametrize("command", [["entries"], ["remember", "x"], ["revise", "x"]])
def test_an_unknown_category_lists_the_known_ones(steno, command):
    missed = steno(*command, "--category", "nix")
    assert (missed.exit_code, missed.stdout) == (2, "")
    assert "'nix' is not one of 'decision', 'rejected', 'rule', " in missed.stderr


def test_show_gives_the_quotes_and_where_they_stand(steno, refusal):
    shown = steno("show", refusal["id"][:8]).stdout
    assert shown.startswith(f"rejected  {refusal['id']}  2026-03-01T10:01:00.000Z\n  ")
    assert "\nstatus      active\ncertainty   confirmed, confidence " in shown
    assert re.search(r"\nproposed by \S.*\n", shown)
    assert "\nproject     /shop\n" in shown
    quote = refusal["evidence"][0]["quote"]
    assert f"\nuser  #3  2026-03-01T10:01:00.000Z  s1  line 3\n  {quote}\n" in shown


def test_show_tells_how_sure_an_entry_is_and_why(steno, refusal, monkeypatch):
    from msgspec import structs

    from steno.memory import Memory
    from steno.vocabulary.details import Call, Exchange, Rejected, Stance, Weight

    detail = Rejected(
        stance=Stance(refused="MongoDB", wanted="PostgreSQL", why="it lost our data", until="Friday", reach="work"),
        exchange=Exchange(
            said=REFUSAL,
            kind="proposal",
            answered="Shall I set it up?",
            call=Call("Bash", "docker run mongo"),
            afterwards="redone",
        ),
        weight=Weight("reject", 0.93, 0.2, 0.7),
        about=["mongo"],
    )
    asked = Memory.entry
    unsure = {"detail": detail, "certainty": "hypothesis", "confidence": 0.62, "cue": "reject"}
    monkeypatch.setattr(Memory, "entry", lambda memory, id_: structs.replace(asked(memory, id_), **unsure))
    _, how_sure, stance, said_, *_ = steno("show", refusal["id"]).stdout.split("\n\n")
    assert how_sure.splitlines() == [
        "status      active",
        f"certainty   hypothesis, confidence 62%; binds nobody until you say so: `steno review {refusal['id']}`",
        "weighed     reject 93%, lasting 20%, importance 70%",
        "proposed by reject",
        "origin      user",
    ]
    assert stance.splitlines() == [
        "refused     MongoDB",
        "wanted      PostgreSQL",
        "why         it lost our data",
        "until       Friday",
        "reach       for the piece of work at hand",
        "about       mongo",
    ]
    assert said_.splitlines()[:2] == ["stopped     Bash docker run mongo", "proposed    Shall I set it up?"]
    assert said_.splitlines()[-2:] == [f"said        {REFUSAL}", "afterwards  redone"]


def test_a_stopped_call_is_told_once():
    from steno.cli.exchange import exchange
    from steno.testing import an_entry
    from steno.vocabulary import Evidence
    from steno.vocabulary.details import Call, Exchange, Rejected

    said = Exchange(said="stop", kind="call", answered="Read shop.py", call=Call("Read", "shop.py"))
    quotes = [
        Evidence(session="s", turn=turn, line=turn, role=role, quote=quote)
        for turn, role, quote in ((2, "user", "stop"), (1, "assistant", "shop.py"))
    ]
    entry = an_entry("rejected", "stop", Rejected(exchange=said), evidence=quotes)
    assert list(exchange(entry)) == [("stopped", "Read shop.py"), ("said", "stop")]


def test_show_calls_what_an_agent_said_and_its_name_by_two_words(steno, refusal):
    names = [line.split("  ")[0] for line in steno("show", refusal["id"]).stdout.splitlines() if "  " in line]
    assert names.count("agent") == 1
    assert "agent said" in names


@pytest.mark.parametrize(("confidence", "asked"), [(0.34, False), (0.35, True)])
def test_show_names_the_review_only_of_what_waits_there(steno, refusal, monkeypatch, confidence, asked):
    from msgspec import structs

    from steno.memory import Memory

    ask, unsure = Memory.entry, {"certainty": "hypothesis", "confidence": confidence}
    monkeypatch.setattr(Memory, "entry", lambda memory, id_: structs.replace(ask(memory, id_), **unsure))
    shown = steno("show", refusal["id"]).stdout
    assert "; binds nobody" in shown
    assert (f"`steno review {refusal['id']}`" in shown) is asked


def test_show_as_json_is_the_entry_with_how_it_came_about(steno, refusal):
    [whole] = lines(steno("show", refusal["id"], "--json"))
    more = ["confidence", "subject", "agent", "cue", "access", "freshness", "links"]
    assert sorted(whole) == sorted([*KEYS, *UNUSED, *more])
    assert {name: whole[name] for name in (*KEYS, *UNUSED)} == refusal
    assert (whole["project"], whole["agent"], whole["repeated"]) == ("/shop", "main", 0)
    assert whole["cue"]


def test_an_entry_tells_how_much_it_is_used_and_what_it_has_to_do_with_others(steno, refusal):
    assert "\naccessed    never\n" in steno("show", refusal["id"]).stdout
    found = lines(steno("recall", REFUSAL, "--within", "entries", "--json"))
    [whole] = lines(steno("show", refusal["id"], "--json"))
    [listed] = [one for one in lines(steno("entries", "--json")) if one["id"] == refusal["id"]]
    assert (whole["access"]["recalled"], whole["access_count"], listed["access_count"]) == (1, 1, 1)
    assert listed["last_accessed"] == whole["last_accessed"] is not None
    together = {link["id"] for link in whole["links"] if link["kind"] == "recalled together"}
    assert together == {hit["id"] for hit in found[:5]} - {refusal["id"]} != set()
    shown = steno("show", refusal["id"]).stdout
    assert "\naccessed    recalled once, last " in shown
    assert all(f"\nrecalled together {id_}: " in shown for id_ in together)


@pytest.mark.parametrize("command", [["show"], ["archive"], ["revise", "--status", "done"]])
def test_an_unknown_entry_is_an_error_with_a_hint(steno, learnt, command):
    missed = steno(*command, "nix", "--json")
    assert (missed.exit_code, missed.stdout) == (1, "")
    assert missed.stderr == "steno: no entry 'nix'\n  → `steno entries` lists them\n"


def test_a_checkpoint_has_exactly_the_promised_fields(steno, learnt):
    [found] = lines(steno("checkpoint", "--json"))
    assert list(found) == ["goal", "phase", "done", "next", "blockers", "variables", "trail"]
    assert list(found["trail"]) == ["files", "commands", "last_test", "results", "todos", "plans", "questions"]
    assert found["phase"] in ("planning", "executing", "debugging", "reviewing")
    assert lines(steno("checkpoint", "--session", "s1", "--json")) == [found]
    assert f"\nphase  {found['phase']}\n" in steno("checkpoint").stdout


def test_a_checkpoint_for_people_shows_the_trail(steno, learnt, monkeypatch):
    from steno.vocabulary import Checkpoint, Trail, TrailCommand, TrailFile, TrailItem, TrailTest

    trail = Trail(
        files=[TrailFile(path="src/pay.py", acts=["read", "edited"], turn=1)],
        commands=[
            TrailCommand(command="make lint", failed=True, exit_status=2, turn=1),
            *[TrailCommand(command=f"ls {number}", failed=False, turn=2) for number in range(6)],
            TrailCommand(command="rm -rf /", failed=True, refused=True, turn=3),
        ],
        last_test=TrailTest(command="pytest", passed=False, result="1 failed", turn=4),
        todos=[TrailItem(text="Add a test", state="open", turn=5), TrailItem(text="Plan", state="done", turn=5)],
        plans=[TrailItem(text="First\nthe store", state="accepted", turn=6)],
        questions=[TrailItem(text="Which one?", state="the red one", turn=7)],
    )
    known = {"goal": "Take money\n  Now: be quick", "done": ["the form"], "variables": {"branch": ["main", "pay"]}}
    monkeypatch.setattr("steno.memory.Memory.checkpoint", lambda *_: Checkpoint(turn=9, trail=trail, **known))
    assert steno("checkpoint").stdout == (
        "Take money\n    Now: be quick\nphase  planning\n"
        "\ndone\n  - the form\n"
        "\nvariables\n  branch  main, pay\n"
        "\nfiles\n  read, edited     src/pay.py\n"
        "\ncommands: 8 run, 2 failed\n  exit 2   make lint\n"
        "  ok       ls 2\n  ok       ls 3\n  ok       ls 4\n  ok       ls 5\n  refused  rm -rf /\n"
        "\nlast test\n  failed   pytest\n           1 failed\n"
        "\nto do\n  open     Add a test\n"
        "\nplans\n  accepted First the store\n"
        "\nquestions\n  Which one?  → the red one\n"
    )


def test_a_session_the_scribe_has_not_read_has_no_checkpoint_yet(steno, transcript, monkeypatch):
    monkeypatch.setattr("steno.memory.Memory.scribe", _full)
    steno("capture", transcript(*TALK), "--source", "jsonl")
    assert steno("checkpoint").stdout == "Nothing is known of this session yet. `steno scribe` reads it.\n"
    assert steno("checkpoint", "--session", "nix").exit_code == 1


# -- what people say ---------------------------------------------------------------------------------------------------


def test_what_a_person_tells_is_remembered(steno):
    told = steno("remember", "Prices", "are in cents.", "--category", "fact", "--project", "/shop", "--agent", "main")
    [entry] = lines(steno("entries", "--json"))
    assert told.stdout == f"Remembered {entry['id']}  fact  Prices are in cents.\n"
    assert entry.pop("created_at")
    assert entry == {
        "id": entry["id"], "category": "fact", "status": "active", "certainty": "confirmed",
        "summary": "Prices are in cents.", "detail": {}, "origin": "edit", "tags": ["human"], "domain": "GENERAL",
        "session": "", "project": "/shop", "repeated": 0, "superseded_by": None, "evidence": [], **UNUSED,
    }  # fmt: skip
    assert "\nproject     /shop\nagent       main\n" in steno("show", entry["id"]).stdout
    assert len(lines(steno("entries", "--project", "/shop", "--json"))) == 1


def test_a_field_of_work_is_told_by_a_person_or_by_the_words_that_were_heard(steno, transcript):
    steno("remember", "Prices are in cents.", "--category", "fact", "--domain", "shop")
    heard = (said(words, id=words, project="/p") for words in ("Always sign commits.", "Always answer in German."))
    steno("capture", transcript(*heard), "--source", "jsonl")
    found = lines(steno("entries", "--json"))
    assert {entry["summary"]: entry["domain"] for entry in found} == {
        "Prices are in cents.": "SHOP", "The user instructs: “Always sign commits.”": "REPOSITORY",
        "The user instructs: “Always answer in German.”": "GENERAL",
    }  # fmt: skip
    [shop] = lines(steno("entries", "--domain", "Shop", "--json"))
    assert shop["summary"] == "Prices are in cents."
    assert steno("entries", "--domain", "WEB").stdout == "No entry fits.\n"
    steno("notebook", "sync")
    steno("rebuild")
    assert [entry["domain"] for entry in lines(steno("entries", "--domain", "shop", "--json"))] == ["SHOP"]
    assert "one word" in steno("remember", "x", "--category", "fact", "--domain", "two words").stderr


def test_who_opens_the_file_sees_what_holds_with_its_field_and_details(steno, home):
    redis = ("remember", "No Redis.", "--category", "rejected", "--project", "/shop", "--domain", "operations")
    steno(*redis)
    steno("remember", "No Kafka.", "--category", "rejected")
    kafka = next(entry for entry in lines(steno("entries", "--json")) if "Kafka" in entry["summary"])
    steno("revise", kafka["id"], "--status", "done")
    with closing(sqlite3.connect(home / "steno" / "steno.db")) as file:
        rows = file.execute(
            "SELECT category, summary, detail ->> '$.stance.reach', domain FROM v_active_state"
        ).fetchall()
        refused = file.execute("SELECT summary, domain, project FROM v_rejected").fetchall()
    assert rows == [("rejected", "No Redis.", "standing", "OPERATIONS")]
    assert refused == [("No Redis.", "OPERATIONS", "/shop")]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["remember", "x"], "Missing option '--category'"),
        (["remember", " ", "--category", "fact"], "there is nothing to remember"),
        (["revise", "x"], "say what to change: --summary, --category or --status"),
        (["revise", "x", "--summary", " "], "the new summary is empty"),
        (["revise", "x", "--status", "forgotten"], "'forgotten' is not one of 'active', 'done', 'archived'"),
        (["backtest"], "Missing argument 'PATH...'"),
        (["backtest", ""], "a PATH is empty"),
    ],
)
def test_wrong_use_says_what_to_do(steno, args, said):
    missed = steno(*args)
    assert (missed.exit_code, missed.stdout) == (2, "")
    assert said in missed.stderr
    assert "\n  → " in missed.stderr


def test_a_revised_entry_is_the_persons(steno, refusal):
    args = ["--summary", "Never use MongoDB.", "--category", "rule", "--status", "done"]
    [revised] = lines(steno("revise", refusal["id"], *args, "--json"))
    changes = {"summary": "Never use MongoDB.", "category": "rule", "status": "done", "origin": "edit"}
    assert {**revised, "detail": refusal["detail"], **UNUSED} == {**refusal, **changes}
    assert "refused" not in revised["detail"]["stance"]
    told = steno("revise", refusal["id"], "--status", "active")
    assert told.stdout == f"Revised {refusal['id']}  rule  Never use MongoDB.\n"
    assert lines(steno("show", refusal["id"], "--json"))[0]["status"] == "active"


def test_an_archived_entry_is_laid_aside_and_can_come_back(steno, refusal):
    assert steno("archive", refusal["id"]).stdout.startswith(f"Archived {refusal['id']}  rejected  ")
    [archived] = lines(steno("archive", refusal["id"], "--json"))
    assert archived | UNUSED == {**refusal, "status": "archived"}
    steno("revise", refusal["id"], "--status", "active")
    assert lines(steno("entries", "--status", "archived", "--json")) == []


# -- again -------------------------------------------------------------------------------------------------------------


def test_a_rebuild_gives_the_same_and_keeps_what_people_said(steno, learnt, refusal):
    steno("remember", "Prices are in cents.", "--category", "fact")
    steno("revise", refusal["id"], "--summary", "Never use MongoDB.")
    steno("archive", lines(steno("entries", "--category", "rule", "--json"))[0]["id"])
    before = steno("entries", "--json").stdout
    checkpoint = steno("checkpoint", "--json").stdout
    [again] = lines(steno("rebuild", "--json"))
    assert (again["sessions"], again["turns"], again["entries"]) == (1, 5, learnt["entries"])
    assert steno("entries", "--json").stdout == before
    assert steno("checkpoint", "--json").stdout == checkpoint
    assert steno("rebuild").stdout.startswith("Read again 5 turns in 1 session: ")


def test_a_backtest_tells_what_would_be_learnt_and_keeps_nothing(steno, transcript):
    lesson = said("Lesson learned: the mock hid the bug, so we test against the real service.", role="assistant")
    path = transcript(*TALK, lesson | {"id": "6", "at": "2026-03-01T10:03:00Z"})
    [found] = lines(steno("backtest", path, "--source", "jsonl", "--json"))
    assert list(found) == ["learnt", "entries", "rules", "unsure", "waiting", "flows", "lessons"]
    by_id = {entry["id"]: entry for entry in found["entries"]}
    assert found["learnt"]["entries"] == len(by_id)
    assert {by_id[rule["id"]]["category"] for rule in found["rules"]} == {"rejected", "rule"}
    assert [by_id[id_]["category"] for id_ in found["lessons"]] == ["learning"]
    assert (found["unsure"], found["waiting"], found["flows"]) == ([], [], [])
    told = steno("backtest", path, "--source", "jsonl").stdout
    assert told.splitlines()[0].split() == ["category", "entries", "unsure"]
    critical = sum(rule["status"] == "critical" for rule in found["rules"])
    assert f"\n{len(found['rules'])} rules  {critical} critical, {len(found['rules']) - critical} active\nid " in told
    assert "\n0 to review\n0 flows\n1 lesson\nid " in told
    assert f"\nTried out 6 turns in 1 session: {len(by_id)} new entries.\n" in told
    assert "Nothing was kept; --apply does the same to the real store.\n" in told
    [status] = lines(steno("status", "--json"))
    assert (status["turns"], status["entries"]) == (0, 0)


def test_what_a_backtest_is_not_sure_of_waits_nowhere(steno, transcript):
    letter = "This is what I found when I looked at how the releases went, week after week, in some detail. " * 4
    path = transcript(said(f"{letter}\n\nalways indent with tabs.\n\n{letter}"))
    told = steno("backtest", path, "--source", "jsonl").stdout
    assert "\n1 to review  of 2 unsure; they would wait in `steno review`\n" in told
    assert ["rule", "2", "2"] in [line.split() for line in told.splitlines()]
    assert "shows them" not in told
    assert steno("review").stdout == "Nothing to review.\n"


def test_a_backtest_of_old_sessions_tells_the_rules_of_then(steno, transcript):
    path = transcript(*(line | {"at": line["at"].replace("2026", "2021")} for line in TALK))
    [then] = lines(steno("backtest", path, "--source", "jsonl", "--json"))
    [now] = lines(steno("backtest", transcript(*TALK), "--source", "jsonl", "--json"))
    assert [rule["score"] for rule in then["rules"]] == [rule["score"] for rule in now["rules"]] != []


def test_a_backtest_that_is_applied_fills_the_store(steno, transcript):
    path = transcript(*TALK)
    [found] = lines(steno("backtest", path, "--source", "jsonl", "--apply", "--json"))
    assert lines(steno("entries", "--json")) == [entry | UNUSED for entry in found["entries"]]
    assert "\nLearnt from 0 turns in 0 sessions: 0 new entries.\n" in steno("backtest", path, "--apply").stdout


def test_a_backtest_of_nothing_fails(steno, home, transcript):
    missed = steno("backtest", home / "nowhere", transcript(*TALK), "--json")
    assert (missed.exit_code, missed.stdout) == (1, "")
    assert missed.stderr.startswith(f"steno: 1 of 2 given paths could not be read: {home}/nowhere\n  → ")


def test_a_backtest_leaves_out_what_the_user_leaves_out(steno, transcript, home):
    (home / "steno").mkdir()
    (home / "steno" / "settings.toml").write_text('redact_patterns = ["MongoDB"]\n')
    found = steno("backtest", transcript(*TALK), "--source", "jsonl", "--json")
    assert lines(found)[0]["entries"]
    assert "MongoDB" not in found.stdout
    steno("exclude", "/shop")
    assert lines(steno("backtest", transcript(*TALK), "--source", "jsonl", "--json"))[0]["entries"] == []


# -- on a terminal -----------------------------------------------------------------------------------------------------


def test_the_scribe_draws_a_progress_bar_and_takes_it_away(terminal, learnt):
    code, drawn = terminal("rebuild")
    assert code == 0
    assert "Learning" in drawn
    assert "\nRead again" in drawn.rpartition("\x1b[2K")[2].replace("\x1b[32m", "\n")


@pytest.mark.parametrize(
    "command", ["boot", "brief", "gate before main deploy", "recall redis", "entries", "rules list"]
)
def test_who_asks_before_all_is_learnt_sees_that_it_is_learnt_first(terminal, transcript, home, command):
    with Memory(home / "steno") as memory:
        memory.capture(transcript(*TALK), source="jsonl")
    drawn = [terminal(*command.split())[1] for _ in range(2)]
    assert ["Learning" in one for one in drawn] == [True, False]


def test_hostile_words_do_not_drive_the_terminal(terminal, steno, transcript, without_colours):
    steno("capture", transcript(*TALK, said(f"{RULE}, {HOSTILE}", id="6", project=HOSTILE)), "--source", "jsonl")
    steno("remember", f"Look {HOSTILE}", "--category", "fact")
    ids = [entry["id"] for entry in lines(steno("entries", "--json"))][-2:]
    for command in (["entries"], ["show", ids[0]], ["show", ids[1]], ["checkpoint"]):
        rest = without_colours(terminal(*command)[1])
        assert [sign for sign in rest if ord(sign) < 32 and sign != "\n"] == [], command
        assert "\u202e" not in rest


def test_the_list_fits_eighty_columns_and_marks_what_is_done(terminal, steno, without_colours):
    for number in range(3):
        steno("remember", f"{number} " + "a long sentence " * 12, "--category", "commitment")
    ids = [entry["id"] for entry in lines(steno("entries", "--json"))]
    steno("revise", ids[0], "--status", "done")
    code, drawn = terminal("entries")
    shown = without_colours(drawn).splitlines()
    assert (code, max(map(len, shown)) <= 80) == (0, True)
    assert shown[0].split() == ["id", "status", "said", "summary"]  # the rest is the same in every row
    [row] = [line for line in shown if line.startswith(ids[0][:8])]
    assert row.split()[1:5] == ["done", "now", "✓", "0"]
