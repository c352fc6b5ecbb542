"""Finding a flow: a small evaluation, which asks as much for silence as for answers."""

from collections.abc import Sequence

import pytest

from steno.flows.find import ENOUGH, find
from steno.vocabulary import Flow

SINCE = "2026-01-01T00:00:00.000Z"


def flow(name: str, triggers: list[str], steps: list[str]) -> Flow:
    return Flow(
        name=name, domain="GENERAL", agent=None, project=None, triggers=triggers, steps=steps, created_at=SINCE,
        changed_at=SINCE,
    )  # fmt: skip


FLOWS = [
    flow("deploy-to-production", ["deploy to production", "ship the blog"],
         ["back up the target", "read what is there", "build", "commit", "hand to QA"]),
    flow("cut-a-release", ["cut a release", "publish a new version"],
         ["raise the version", "write the changelog", "tag the commit", "upload to the package index"]),
    flow("rotate-credentials", ["rotate the API keys", "rotate credentials"],
         ["make a new key", "put it into the vault", "restart the services", "revoke the old key"]),
    flow("restore-the-database", ["restore the database", "roll back the database"],
         ["stop the writers", "fetch last night's backup", "load it into a new instance", "compare the row counts"]),
    flow("review-a-pull-request", ["review a pull request", "review PR"],
         ["check out the branch", "run the tests", "read the diff", "leave comments"]),
    flow("run-the-nightly-import", ["run the nightly import", "import the supplier feed"],
         ["download the feed", "validate the CSV", "load into staging", "compare totals"]),
    flow("fix-a-flaky-test", ["flaky test"], ["run it a hundred times", "find the race", "make the clock explicit"]),
    flow("onboard-a-customer", ["onboard a customer", "new customer account"],
         ["create the tenant", "send the welcome mail", "book the call"]),
]  # fmt: skip

CALLED_FOR = [
    ("deploy the blog to production", "deploy-to-production"),
    ("please deploy this to production now", "deploy-to-production"),
    ("let's ship the blog post", "deploy-to-production"),
    ("production deployment", "deploy-to-production"),
    ("deploy", "deploy-to-production"),
    ("cut a release", "cut-a-release"),
    ("time to publish the new version 2.3", "cut-a-release"),
    ("releasing: tag it and upload to the package index", "cut-a-release"),
    ("rotate the API keys of the payment service", "rotate-credentials"),
    ("the credentials must be rotated", "rotate-credentials"),
    ("revoke the old key in the vault", "rotate-credentials"),
    ("restore the database from last night's backup", "restore-the-database"),
    ("roll the database back", "restore-the-database"),
    ("review pull request 118", "review-a-pull-request"),
    ("can you review PR #90 for me", "review-a-pull-request"),
    ("run the nightly import again", "run-the-nightly-import"),
    ("the supplier feed needs importing", "run-the-nightly-import"),
    ("there is a flaky test in checkout", "fix-a-flaky-test"),
    ("onboard the customer Acme", "onboard-a-customer"),
    ("create a tenant and send the welcome mail", "onboard-a-customer"),
]
CALLED_FOR_BY_NOTHING = [
    "what time is it in Tokyo?",
    "fix the typo in the README",
    "run the tests",
    "why did the deployment to staging fail?",
    "which database do we use?",
    "import the logging module",
    "the customer wants a dark mode",
    "review the design of the cache",
    "commit and push",
    "the build is red, look at the log",
    # Not looked at while the threshold was chosen:
    "upgrade to Python 3.13",
    "delete the old backups",
    "send a mail to Bob",
    "create a new database table",
    "test the new version locally",
    "check the customer's invoice",
    "read the release notes of numpy",
    "the import is unused",
    "pull the latest changes",
    "production is down",
]
SAID_OTHERWISE = [
    ("put the blog online", "deploy-to-production"),
    ("look over my merge request", "review-a-pull-request"),
]


@pytest.mark.parametrize(("text", "name"), CALLED_FOR)
def test_what_calls_for_a_flow_finds_it_first(text: str, name: str) -> None:
    assert [found.name for found, _ in find(FLOWS, text)][:1] == [name]


@pytest.mark.parametrize("text", CALLED_FOR_BY_NOTHING)
def test_what_calls_for_none_finds_none(text: str) -> None:
    assert find(FLOWS, text) == []


@pytest.mark.parametrize("text", ["", "   ", "the and of", "\x00", "ß" * 100_000])
def test_a_text_that_says_nothing_finds_nothing(text: str) -> None:
    assert find(FLOWS, text, lambda _, texts: [0.0] * len(texts)) == []


def test_a_name_of_everyday_words_calls_for_nothing_and_a_trigger_of_such_words_does() -> None:
    by_name, by_trigger = flow("test-commit", [], ["pytest"]), flow("shipshape", ["run the tests"], ["pytest"])
    assert find([by_name, by_trigger], "test the parser, then commit it") == []
    assert [found.name for found, _ in find([by_name, by_trigger], "test commit")] == ["test-commit"]
    assert [found.name for found, _ in find([by_name, by_trigger], "please run the tests again")] == ["shipshape"]


def test_the_better_fit_comes_first() -> None:
    found = find(FLOWS, "review the PR, back up the target, deploy to production, hand to QA")
    assert [flow.name for flow, _ in found] == ["deploy-to-production", "review-a-pull-request"]
    assert 1 >= found[0][1] > found[1][1] >= ENOUGH


@pytest.mark.parametrize(("text", "name"), SAID_OTHERWISE)
def test_other_words_for_the_same_are_found_by_meaning_only(text: str, name: str) -> None:
    def near(_: str, texts: Sequence[str]) -> list[float]:
        return [0.7 if text in {*wanted.triggers, wanted.name.replace("-", " ")} else 0.61 for text in texts]

    wanted = next(flow for flow in FLOWS if flow.name == name)
    assert find(FLOWS, text) == []
    assert find(FLOWS, text, near) == [(wanted, 0.7)]
