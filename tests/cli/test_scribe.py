"""`steno entries`, `show`, `checkpoint`, `remember`, `revise`, `archive`."""

import json

import pytest

from steno.memory import Memory
from steno.testing import said
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


# -- looking ---------------------------------------------------------------------------------------------------------


def test_a_checkpoint_has_the_promised_fields(steno, learnt):
    [found] = lines(steno("checkpoint", "--json"))
    assert {"goal", "phase", "done", "next", "blockers", "variables", "trail"} <= set(found)
    assert list(found["trail"]) == [
        "files",
        "commands",
        "last_test",
        "results",
        "repositories",
        "requests",
        "runs",
        "todos",
        "listed",
        "plans",
        "questions",
    ]
    assert found["phase"] is None
    assert lines(steno("checkpoint", "--session", "s1", "--json")) == [found]


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
        "Take money\n    Now: be quick\n"
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


def _full(self, session=None, progress=None):
    raise StoreFull("no room left", hint="make room")


def test_a_session_the_scribe_has_not_read_has_no_checkpoint_yet(steno, transcript, monkeypatch):
    monkeypatch.setattr("steno.memory.Memory.scribe", _full)
    steno("capture", transcript(*TALK), "--source", "jsonl")
    assert steno("checkpoint").stdout == "Nothing is known of this session yet. `steno entries learn` reads it.\n"
    assert steno("checkpoint", "--session", "nix").exit_code == 1


# -- what people say ---------------------------------------------------------------------------------------------------


# -- on a terminal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["boot", "brief", "gate before main deploy", "recall redis", "entries", "rules list"]
)
def test_who_asks_before_all_is_learnt_sees_that_it_is_learnt_first(terminal, transcript, home, command):
    with Memory(home / "steno") as memory:
        memory.capture(transcript(*TALK), source="jsonl")
    drawn = [terminal(*command.split())[1] for _ in range(2)]
    assert ["Learning" in one for one in drawn] == [True, False]
