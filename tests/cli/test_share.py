"""`steno entries share`: nothing is seen where it does not belong, unless a person says so."""

import json

import pytest


@pytest.fixture
def fact(steno, home):
    for project in ("shop", "zoo", "farm"):
        (home / project).mkdir()
    told = steno("entries", "remember", "the till opens at nine", "--category", "fact", "--project", "./shop", "--json")
    return json.loads(told.stdout)["id"]


def seen(steno, *who):
    return "till" in steno("recall", "till", "--json", *who).stdout


def test_an_entry_is_shared_listed_and_taken_back(steno, fact, home):
    zoo, what = f"{home}/zoo", f"{fact}  the till opens at nine\n"
    assert not seen(steno, "--project", zoo)
    assert steno("entries", "share", fact, "--with", "./zoo").stdout == f"Shared with {zoo}: {what}"
    assert (seen(steno, "--project", zoo), seen(steno, "--project", f"{home}/farm")) == (True, False)
    [listed] = map(json.loads, steno("entries", "shared", "--json").stdout.splitlines())
    assert {**listed, "since": ""} == {
        "what": fact, "text": "the till opens at nine", "project": zoo, "agent": None, "since": "",
    }  # fmt: skip
    assert steno("entries", "unshare", fact, "--with", zoo).stdout == f"No longer shared with {zoo}: {what}"
    assert not seen(steno, "--project", zoo)
    assert steno("entries", "shared").stdout.startswith("Nothing is shared")
    again = steno("entries", "unshare", fact).stdout
    assert again == "It was not shared with them. `steno entries shared` lists what is.\n"


@pytest.mark.parametrize(("whom", "who"), [("keeper", ("--agent", "keeper")), ("all", ("--project", "./zoo"))])
def test_an_agent_and_everybody_can_be_named(steno, fact, whom, who):
    assert not seen(steno, *who)
    steno("entries", "share", fact, "--with", whom)
    assert seen(steno, *who)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nothing-is-called-this", "--with", "all"), "no entry 'nothing-is-called-this'"),
        (("shop/nowhere.md", "--with", "all"), "no pages yet"),
        (("abc",), "Missing option '--with'"),
        (("--with", "all"), "Missing argument 'WHAT'"),
    ],
)
def test_what_cannot_be_shared_is_named(steno, fact, args, words):
    failed = steno("entries", "share", *args)
    assert (failed.exit_code != 0, words in failed.stderr) == (True, True)
