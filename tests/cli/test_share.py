"""`steno share`: nothing is seen where it does not belong, unless a person says so."""

import json

import pytest


@pytest.fixture
def fact(steno):
    told = steno("remember", "the till opens at nine", "--category", "fact", "--project", "/shop", "--json").stdout
    return json.loads(told)["id"]


def seen(steno, *who):
    return "till" in steno("recall", "till", "--json", *who).stdout


def test_an_entry_is_shared_listed_and_taken_back(steno, fact):
    assert not seen(steno, "--project", "/zoo")
    assert steno("share", fact, "--with", "/zoo").stdout == f"Shared with /zoo: {fact}  the till opens at nine\n"
    assert (seen(steno, "--project", "/zoo"), seen(steno, "--project", "/farm")) == (True, False)
    [listed] = map(json.loads, steno("share", "--json").stdout.splitlines())
    assert {**listed, "since": ""} == {
        "what": fact, "text": "the till opens at nine", "project": "/zoo", "agent": None, "since": "",
    }  # fmt: skip
    gone = steno("share", fact, "--take-back", "--with", "/zoo")
    assert gone.stdout == f"No longer shared with /zoo: {fact}  the till opens at nine\n"
    assert not seen(steno, "--project", "/zoo")
    assert steno("share").stdout.startswith("Nothing is shared")


@pytest.mark.parametrize(("whom", "who"), [("keeper", ("--agent", "keeper")), ("all", ("--project", "/zoo"))])
def test_an_agent_and_everybody_can_be_named(steno, fact, whom, who):
    assert not seen(steno, *who)
    steno("share", fact, "--with", whom)
    assert seen(steno, *who)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nothing-is-called-this", "--with", "all"), "no entry 'nothing-is-called-this'"),
        (("shop/nowhere.md", "--with", "all"), "no pages yet"),
        (("abc",), "say with whom"),
        (("--with", "all"), "say what to share"),
    ],
)
def test_what_cannot_be_shared_is_named(steno, fact, args, words):
    failed = steno("share", *args)
    assert (failed.exit_code != 0, words in failed.stderr) == (True, True)
