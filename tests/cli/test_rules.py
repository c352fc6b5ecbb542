"""`steno rules`: list, show, add, raise, lower, retire, trial."""

import json
import re

import pytest

import steno as library
from steno.testing import said

KEYS = [
    "id", "rule", "domain", "agent", "project", "source", "origin", "score", "status", "violations", "reinforcements",
    "born_at", "reinforced_at", "checked_at", "matcher", "mode", "trial", "merged_into",
]  # fmt: skip
HOSTILE = "\x1b[2J\x1b]0;owned\x07 [bold red]markup[/bold red] \u202e"


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def rule(steno):
    """A rule a person gave."""
    [made] = lines(steno("rules", "add", "Never", "push", "to", "main", "--domain", "web", "--everywhere", "--json"))
    return made


def test_a_rule_has_these_fields(steno, rule):
    assert list(rule) == KEYS
    assert (rule["rule"], rule["score"], rule["status"]) == ("Never push to main", 9.5, "critical")
    assert (rule["origin"], rule["domain"], rule["source"]) == ("edit", "web", "rule")
    assert lines(steno("rules", "--json")) == lines(steno("rules", "list", "--json")) == [rule]


def test_without_a_rule_in_force_it_says_what_was_heard_and_what_to_do(steno):
    [no] = lines(steno("entries", "remember", "No MongoDB.", "--category", "rejected", "--json"))
    steno("rules", "retire", no["id"])
    assert steno("rules").stdout.splitlines() == [
        "No rule is in force.",
        "  heard    0 instructions and 1 refusal: `steno entries --category rule`, `--category rejected`",
        "  no more  1, faded since nobody spoke of them again, or retired",
        '  to do    what must hold, say yourself: `steno rules add "…"`',
    ]


def test_what_a_person_said_in_a_session_is_among_the_rules_with_its_quote(steno, transcript):
    words = "always run make lint before you commit"
    steno("capture", transcript(said(words, id="1", at="2026-03-01T10:00:00Z", project="/shop")), "--source", "jsonl")
    [found] = lines(steno("rules", "--json"))
    assert (found["rule"], found["score"], found["origin"], found["project"]) == (words, 9.5, "user", "/shop")
    [shown] = lines(steno("rules", "show", found["id"][:6], "--json"))
    [said_there] = shown.pop("evidence")
    assert shown == found
    told = {"session": "s1", "turn": 1, "line": 1, "role": "user", "quote": words}
    assert {name: said_there[name] for name in told} == told
    assert steno("rules", "show", found["id"]).stdout.endswith(f"\nuser  #1  s1\n  {words}\n")
    [entry] = lines(steno("entries", "--category", "rule", "--json"))
    assert entry["id"] == found["id"]


def test_the_list_is_a_table(steno, rule, tmp_path):
    shop, blog = tmp_path / "shop", tmp_path / "blog"
    for folder in (shop, blog):
        folder.mkdir()
    steno("rules", "add", "Short answers", "--preference", "--project", str(shop))
    head, first, second = steno("rules").stdout.splitlines()
    assert head.split() == ["id", "score", "status", "mode", "origin", "domain", "project", "rule"]
    assert re.split(r"  +", first) == [rule["id"], "9.5", "critical", "warn", "edit", "web", "-", "Never push to main"]
    assert re.split(r"  +", second)[1:] == ["7.0", "active", "-", "edit", "GENERAL", str(shop), "Short answers"]
    in_blog = lines(steno("rules", "list", "--project", str(blog), "--json"))
    assert [found["rule"] for found in in_blog] == [rule["rule"]]
    assert [found["rule"] for found in lines(steno("rules", "list", "--status", "active", "--json"))] == [
        "Short answers"
    ]


def test_an_empty_list_says_what_to_do(steno):
    assert steno("rules").stdout == 'No rule fits. `steno rules add "…"` gives one.\n'
    assert lines(steno("rules", "--json")) == []


def test_a_dormant_rule_is_counted_and_found_by_its_status(steno, rule):
    for _ in range(10):
        steno("rules", "lower", rule["id"])
    assert steno("rules").stdout.splitlines()[-1] == "1 more rule dormant: `steno rules list --status dormant`"
    [found] = lines(steno("rules", "list", "--status", "dormant", "--json"))
    assert (found["id"], found["score"]) == (rule["id"], 4.5)


def test_a_person_raises_lowers_and_retires(steno, rule):
    id_ = rule["id"]
    assert steno("rules", "raise", id_).stdout == f"Raised {id_}  10 critical, mode warn  Never push to main\n"
    assert steno("rules", "lower", id_).stdout == f"Lowered {id_}  9.5 critical, mode warn  Never push to main\n"
    assert steno("rules", "retire", id_[:5]).stdout == f"Retired {id_}  1 retired, mode warn  Never push to main\n"
    assert lines(steno("rules", "--json")) == []
    [back] = lines(steno("rules", "raise", id_, "--json"))
    assert (back["score"], back["status"]) == (5.0, "active")


def test_a_matcher_is_shown_and_raised_only_after_a_trial(steno, rule):
    id_ = rule["id"]
    with library.open() as memory:
        memory.rules.tell(id_, {"do": "matcher", "matcher": {"command": "git push"}})
    refused = steno("rules", "raise", id_, "--to", "ask")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"steno: the matcher of {id_} has not been tried\n  → steno rules trial {id_}\n" == refused.stderr
    shown = steno("rules", "show", id_).stdout
    assert "\nmatcher     command git push\nmode        warn\ntrial       none yet: " in shown
    trial = {"at": "2026-03-01T10:00:00.000Z", "matcher": {"command": "git push"}, "fired": 7, "right": 6, "wrong": 1}
    with library.open() as memory:
        memory.rules.tell(id_, {"do": "trial", "trial": trial})
    assert "would have fired 7 times, 6 rightly, 1 wrongly\n" in steno("rules", "show", id_).stdout
    assert steno("rules", "raise", id_, "--to", "ask").stdout.startswith(f"Raised {id_}  9.5 critical, mode ask  ")
    assert steno("rules", "lower", id_, "--to", "warn").stdout.startswith(f"Lowered {id_}  9.5 critical, mode warn  ")


def test_an_unknown_rule_gets_the_choices(steno, rule):
    for verb in ("show", "raise", "lower", "retire"):
        wrong = steno("rules", verb, "nope")
        assert (wrong.exit_code, wrong.stdout) == (1, "")
        assert wrong.stderr == f"steno: no rule 'nope'\n  → `steno rules` lists them: {rule['id']}\n"
    assert steno("rules", "list", "--status", "loud").exit_code == 2
    assert steno("rules", "raise", rule["id"], "--to", "warn").exit_code == 2
    assert steno("rules", "add", " ", "--everywhere").exit_code == 2


def test_no_words_of_a_rule_drive_the_terminal(steno, terminal):
    [made] = lines(steno("rules", "add", f"Never {HOSTILE}", "--domain", HOSTILE, "--everywhere", "--json"))
    for args in (["rules"], ["rules", "show", made["id"]], ["rules", "raise", made["id"]]):
        code, drawn = terminal(*args)
        assert code == 0
        assert not any(bad in drawn for bad in ("\x1b[2J", "\x1b]0;", "\x07", "\u202e"))
        assert "markup" in drawn.lower()
