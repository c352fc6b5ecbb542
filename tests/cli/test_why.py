"""`steno why gate`, `why line` and `why hit`: what was noted when the answer was given, on one screen."""

import json
import re

import pytest
from msgspec import structs

from steno.memory import Memory
from steno.testing import said
from steno.vocabulary import Briefing

RULE = "never run rm -rf on the build folder, use make clean instead"
TALK = [
    said(RULE, id="1", at="2026-03-02T09:00:00Z", project="/shop"),
    said("Understood.", role="assistant", id="2", at="2026-03-02T09:01:00Z", project="/shop"),
    said("the invoices go out on mondays", id="3", at="2026-03-02T09:02:00Z", project="/shop"),
]


@pytest.fixture(autouse=True)
def heard(transcript, steno):
    assert steno("capture", transcript(*TALK), "--source", "jsonl").exit_code == 0
    assert steno("entries", "learn").exit_code == 0


@pytest.fixture
def entry(steno):
    [found] = [json.loads(line) for line in steno("entries", "--category", "rule", "--json").stdout.splitlines()]
    return found["id"]


@pytest.fixture
def screen(steno, monkeypatch):
    """What a person sees in 80 columns, without days and ages."""
    monkeypatch.setenv("COLUMNS", "80")

    def show(*words):
        told = steno("why", *words)
        assert (told.exit_code, told.stderr) == (0, "")
        lines = told.stdout.splitlines()
        assert all(len(line) <= 80 for line in lines)
        return [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "WHEN", line).rstrip() for line in lines]

    return show


def test_why_a_call_was_asked_about(steno, entry, screen):
    steno("gate", "before", "bot", "rm -rf build", "--tool", "Bash", "--directory", "/shop")
    noted = json.loads(steno("brief", "receipts", "--json").stdout)
    [because] = noted["because"].values()
    shown = screen("gate")
    assert shown == screen("gate", "1") == screen("gate", "latest")
    assert shown[:5] == [f"gate 1  {noted['verdict']}  WHEN", "agent    bot", "tool     Bash", "", "what decided"]
    assert (shown[5].partition("  ")[2], shown[6:]) == (because, [f"  {RULE}  (user,", "  2026-03-02)"])


def test_why_a_call_was_let_pass(steno, entry, screen, home):
    with Memory(home / "steno") as memory:
        memory.given(
            Briefing(
                text="", tokens=0, tier=None, session="s1", at="", kind="gate", agent="bot", verdict="allow",
                because={f"entry:{entry}": "it does not concern this call"}, tool="Bash", call="toolu_7",
            )
        )  # fmt: skip
    assert screen("gate", "toolu_7") == [
        "gate 1  allow  WHEN",
        "agent    bot",
        "session  s1, after turn #3",
        "tool     Bash",
        "call     toolu_7",
        "",
        "looked at, and did not count",
        f"entry:{entry}  it does not concern this call",
        "  never run rm -rf on the build folder, use make clean inst…  (user, 2026-03-02)",
    ]


def test_the_words_are_read_from_the_entry_as_a_person_left_it(steno, entry, screen):
    steno("gate", "before", "bot", "rm -rf build", "--tool", "Bash", "--directory", "/shop")
    steno("entries", "revise", entry, "--summary", "never delete the build folder")
    assert screen("gate")[6].startswith("  never delete the build folder  (a person wrote,")


def test_where_nothing_concerned_a_call_that_is_said(steno, screen):
    steno("gate", "before", "bot", "write a haiku about ferns")
    assert screen("gate")[-1] == "Nothing that was known concerned this call."


def test_why_a_line_was_told_and_why_it_was_left_out(steno, entry, screen, home):
    with Memory(home / "steno") as memory:
        told = {"text": "", "tokens": 9, "session": "s1", "at": ""}
        memory.given(Briefing(**told, tier=0, items=["turn:1"], because={"turn:1": "said in this work"}))
        left = {"turn:3": "no room: 41st of 60", "turn:1": "last words"}
        memory.given(Briefing(**told, tier=None, kind="boot", items=["turn:1"], because=left))
    assert screen("line", "#3") == [
        "turn:3",
        "  the invoices go out on mondays  (user, 2026-03-02)",
        "",
        "receipt  when  kind  part      why                  session",
        "      2  now   boot  left out  no room: 41st of 60  s1",
    ]
    assert screen("line", "turn:1")[-2:] == [
        "      2  now   boot     told  last words         s1",
        "      1  now   brief 0  told  said in this work  s1",
    ]
    # An entry stands for the words it rests on.
    assert screen("line", entry)[-2:] == screen("line", "turn:1")[-2:]
    assert screen("line", "2")[-1] == "No briefing, boot or gate told it, or noted that it left it out."


def test_a_turn_stands_for_the_entry_that_rests_on_it(entry, screen, home):
    with Memory(home / "steno") as memory:
        given = Briefing(text="", tokens=9, tier=None, session="s1", at="", kind="boot", items=[f"rule:{entry}"])
        memory.given(structs.replace(given, because={f"rule:{entry}": "in force"}))
    assert screen("line", "1")[-1] == "      1  now   boot  told  in force  s1"


def test_what_has_no_id_is_known_by_its_whole_name(screen, home):
    with Memory(home / "steno") as memory:
        told = {"text": "", "tokens": 9, "session": "s1", "at": "", "tier": 0}
        memory.given(Briefing(**told, items=["state:branch"], because={"state:branch": "as of the end"}))
        memory.given(Briefing(**told, items=["variable:branch"]))
    assert screen("line", "state:branch")[2:] == [
        "receipt  when  kind     part  why            session",
        "      1  now   brief 0  told  as of the end  s1",
    ]


def test_why_something_was_found(steno, screen):
    steno("recall", "when do the invoices go out", "-k", "1", "--within", "turns")
    shown = screen("hit", "3")
    assert shown[:4] == ["turn:3", "  the invoices go out on mondays  (user, 2026-03-02)", "", "when  place  why"]
    assert re.fullmatch(r"now       1  words it shares with the question: \d; score [\d.]+", shown[4])
    found = json.loads(steno("why", "hit", "#3", "--json").stdout)
    assert (found["thing"]["name"], [one["place"] for one in found["recalls"]]) == ("turn:3", [1])


def test_a_session_can_be_asked_about_too(steno, screen):
    steno("recall", "invoices", "--within", "sessions")
    assert screen("hit", "s1")[0] == "session:s1"


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("gate", "the gate has answered nothing yet", "steno brief receipts"),
        ("gate 99", "the gate has no answer '99'", "steno brief receipts"),
        ("gate 99999999999999999999999", "the gate has no answer '99999999999999999999999'", "steno brief receipts"),
        ("line nope", "nothing that is known is called 'nope'", "steno entries"),
        ("line #99", "nothing that is known is called '#99'", "steno entries"),
        ("hit nope", "nothing that is known is called 'nope'", "steno entries"),
    ],
)
def test_an_unknown_id_says_what_to_do(steno, words, message, hint):
    told = steno("why", *words.split())
    assert (told.exit_code, told.stdout) == (1, "")
    assert message in told.stderr
    assert hint in told.stderr


def test_the_ids_stand_in_the_list_of_receipts(steno, entry):
    steno("gate", "before", "bot", "rm -rf build", "--tool", "Bash", "--directory", "/shop")
    head, row = steno("brief", "receipts").stdout.splitlines()
    assert (head.split()[0], row.split()[0]) == ("id", "1")
