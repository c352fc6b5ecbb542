"""`steno flows`: list, find, show, add, edit, outcome, activate, retire."""

import json

import pytest

KEYS = [
    "name", "domain", "agent", "project", "triggers", "steps", "needs_approval", "status", "version", "origin",
    "created_at", "changed_at", "used_at", "succeeded", "failed", "history", "used", "effectiveness", "health", "score",
]  # fmt: skip
HOSTILE = "\x1b[2J\x1b]0;owned\x07 [bold red]markup[/bold red] \u202e"


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def deploy(home, steno):
    """A flow that went well twice and badly once."""
    options = ("--step", "build", "--step", "hand to QA", "--trigger", "deploy to production", "--domain", "web")
    assert steno("flows", "add", "deploy-blog", *options, "--everywhere").exit_code == 0
    for went in ("pass", "fail", "pass"):
        assert steno("flows", "outcome", "deploy-blog", went).exit_code == 0


def test_no_flows_are_told_as_such(home, steno):
    assert steno("flows").stdout == "No flows.\n"
    assert lines(steno("flows", "--json")) == []
    assert steno("flows", "find", "deploy").stdout == "No flow fits.\n"


def test_flows_are_listed_with_their_record(deploy, steno):
    expected = (
        "name         record         health   status  domain  triggers\n"
        "deploy-blog  66 % (2 of 3)  working  active  web     deploy to production\n"
    )
    assert steno("flows").stdout == steno("flows", "list").stdout == expected
    assert steno("flows", "list", "--status", "retired").stdout == "No flows.\n"


def test_json_holds_every_field_and_what_follows_from_them(deploy, steno):
    [flow] = lines(steno("flows", "--json"))
    assert list(flow) == KEYS
    assert flow == lines(steno("flows", "show", "deploy-blog", "--json"))[0]
    assert (flow["used"], flow["effectiveness"], flow["health"]) == (3, 2 / 3, "working")
    [found] = lines(steno("flows", "find", "deploy", "to", "production", "--json"))
    assert found == {**flow, "score": 1.0}


def test_the_best_flow_is_shown_with_its_steps(deploy, steno):
    more = ("--step", "build", "--trigger", "deploy to production", "--needs-approval", "--everywhere")
    steno("flows", "add", "deploy-shop", *more)
    assert steno("flows", "find", "deploy the blog to production").stdout == (
        "deploy-blog   66 % (2 of 3)   working   active   no approval needed\n"
        "  1  build\n"
        "  2  hand to QA\n"
        "called by: deploy to production\n"
        "also: deploy-shop\n"
    )


def test_a_new_version_keeps_the_old_record(deploy, steno):
    changed = steno("flows", "edit", "deploy-blog", "--step", "build", "--needs-approval")
    assert changed.stdout == "Changed deploy-blog, version 2, never used.\n"
    assert steno("flows", "show", "deploy-blog").stdout == (
        "deploy-blog   never used   working   active   needs approval\n"
        "  1  build\n"
        "called by: deploy to production\n"
        "version 1: 2 of 3 went well\n"
    )


def test_a_flow_is_retired_and_put_in_force_again(deploy, steno):
    assert steno("flows", "retire", "deploy-blog").stdout == "Retired deploy-blog, version 1, 66 % (2 of 3).\n"
    assert steno("flows", "find", "deploy to production").stdout == "No flow fits.\n"
    assert steno("flows", "activate", "deploy-blog").stdout == "In force: deploy-blog, version 1, 66 % (2 of 3).\n"
    assert [flow["status"] for flow in lines(steno("flows", "--json"))] == ["active"]


@pytest.mark.parametrize("verb", ["show", "retire", "activate"])
def test_an_unknown_flow_gets_the_choices(deploy, steno, verb):
    result = steno("flows", verb, "deploy-blok")
    assert result.exit_code == 1
    assert result.stderr == (
        "steno: no flow is called 'deploy-blok'\n  → near it: deploy-blog; `steno flows` lists all\n"
    )


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("add", "Deploy It", "--step", "x", "--everywhere"), "for example deploy-it"),
        (("add", "empty", "--everywhere"), "1 to 50 steps"),
        (("add", "deploy-blog", "--step", "x", "--everywhere"), "already"),
        (("add", "deploy-shop", "--step", "x"), "--project NAME or --everywhere"),
        (("edit", "deploy-blog"), "nothing is to be changed"),
        (("outcome", "deploy-blog", "maybe"), "pass"),
        (("list", "--status", "broken"), "candidate"),
        (("dance",), "dance"),
    ],
)
def test_wrong_use_is_told_with_what_to_do(deploy, steno, args, says):
    result = steno("flows", *args)
    assert result.exit_code == 2
    assert says in result.stderr


def test_no_text_can_drive_the_terminal(home, terminal, steno):
    steno("flows", "add", "x", "--step", HOSTILE, "--trigger", HOSTILE, "--agent", HOSTILE, "--everywhere")
    for args in (("flows",), ("flows", "show", "x")):
        code, drawn = terminal(*args)
        assert code == 0
        assert "\x1b[2J" not in drawn
        assert "\x1b]0" not in drawn
        assert "\u202e" not in drawn
        assert "[bold" in drawn


def test_a_flow_moves_into_the_project_of_a_folder_as_it_is_typed_here(deploy, steno, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    [moved] = lines(steno("flows", "edit", "deploy-blog", "--project", ".", "--json"))
    assert moved["project"] == str(tmp_path)
