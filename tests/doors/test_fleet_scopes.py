"""Through no door does an agent see what another project can do, what was written to somebody else or flagged by them.

A test per door; the zebra is somebody else's."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from steno.cli.tree import program
from steno.memory import Memory
from steno.testing import said, write_jsonl
from steno.verbs.asking import Asker
from steno.vocabulary import Action

Ask = Callable[..., tuple[int, Any]]
CLERK = {"Steno-Project": "/shop", "Steno-Agent": "clerk"}


@pytest.fixture
def ids(tmp_path: Path, opened: Callable[..., Memory]) -> dict[str, str]:
    """A shop and a zoo; what the keeper wrote and told has a zebra in it."""
    with opened() as memory:
        memory.capture(write_jsonl(tmp_path / "shop.jsonl", said("good morning", project="/shop")), source="jsonl")
        fleet = memory.fleet
        fleet.agents.tell("clerk", projects=["/shop"])
        fleet.agents.tell("keeper", projects=["/zoo"], domains=["animals"])
        fleet.agents.point("keeper", "keep the zebra fed")
        fleet.capabilities.tell("feed the zebra", "bin/feed-zebra", project="/zoo", about="feeds the zebra")
        fleet.capabilities.tell(
            "groom", "bin/feed-and-groom", project="/zoo", owner="keeper", about="feed and wash the zebra"
        )
        fleet.capabilities.tell("feed the till", "bin/feed-till", project="/shop", about="feeds the till")
        fleet.capabilities.tell("letters", "bin/feed-letters", about="feed letters to the printer")
        memory.flows.add("feed-the-zebra", steps=["open the fence"], triggers=["feed"], project="/zoo")
        fact = memory.remember("the zebra bites", category="fact", project="/zoo")
        mail = fleet.relay.send("the zebra is hungry", sender="vet", to="keeper", because=fact.id)
        field = fleet.relay.send("the zebra sleeps", sender="vet", domain="animals")
        flag = fleet.raise_flag("the zebra got out", by="keeper", because=mail.id)
        ours = fleet.relay.send("mind the fence", sender="keeper", to="clerk", because=flag.id)
        return {"fact": fact.id, "mail": mail.id, "field": field.id, "flag": flag.id, "ours": ours.id}


def test_over_http(ids: dict[str, str], ask: Ask) -> None:
    def asked(path: str, body: Any = None) -> tuple[int, Any]:
        return ask("GET" if body is None else "POST", path, body, **CLERK)

    till = "/v1/agents/dispatch?request=feed%20the%20till"
    for path in ("/v1/capabilities/list", till, "/v1/relay/threads", "/v1/flags/list"):
        status, told = asked(path)
        assert (path, status, "zebra" in json.dumps(told)) == (path, 200, False)
    assert [one["name"] for one in asked("/v1/capabilities/list")[1]] == ["feed the till", "letters"]
    assert asked(till)[1]["capability"]["name"] == "feed the till"
    assert [one["id"] for one in asked("/v1/relay/threads")[1]] == [ids["ours"]]
    # Of a cascade those hops that are theirs.
    assert [hop["id"] for hop in asked(f"/v1/relay/trace?id={ids['ours']}")[1]] == [ids["ours"]]
    assert [hop["id"] for hop in ask("GET", f"/v1/relay/trace?id={ids['ours']}")[1]] == [
        ids["fact"],
        ids["mail"],
        ids["flag"],
        ids["ours"],
    ]
    for name in ("fact", "mail", "field", "flag"):
        assert asked(f"/v1/relay/trace?id={ids[name]}")[0] == 404
    for name in ("mail", "field"):
        assert asked(f"/v1/relay/show?message={ids[name]}")[0] == 404
        assert asked("/v1/relay/send", {"text": "me too", "agent": "clerk", "reply": ids[name]})[0] == 404
    assert asked("/v1/relay/send", {"text": "why", "agent": "clerk", "to": "keeper", "because": ids["flag"]})[0] == 404
    assert asked("/v1/flags/raise", {"text": "why", "agent": "clerk", "because": ids["fact"]})[0] == 404
    assert asked("/v1/entries/remember", {"summary": "it bites", "because": ids["fact"]})[0] == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/relay/threads?agent=keeper", None),
        ("/v1/flags/list?agent=keeper", None),
        ("/v1/agents/show?agent=keeper", None),
        ("/v1/agents/list", None),
        ("/v1/capabilities/list?project=/zoo", None),
        ("/v1/agents/dispatch?request=feed&project=/zoo", None),
        ("/v1/relay/send", {"text": "feed it", "agent": "keeper", "to": "vet"}),
        ("/v1/relay/read", {"agent": "keeper"}),
        ("/v1/flags/raise", {"text": "all is well", "agent": "keeper"}),
        ("/v1/agents/beat", {"agent": "keeper"}),
        ("/v1/agents/north-star", {"name": "clerk", "mission": "own the zoo"}),
        ("/v1/capabilities/check", {}),
    ],
)
def test_nobody_asks_or_speaks_for_another_over_http(
    ids: dict[str, str], ask: Ask, path: str, body: dict[str, Any] | None
) -> None:
    method = "GET" if body is None else "POST"
    assert ask(method, path, body, **CLERK)[0] == 403
    # Who works in the shop and gives no name of its own is not the keeper, either.
    assert ask(method, path, body, **{"Steno-Project": "/shop"})[0] == 403


def test_an_agent_reads_and_answers_what_is_its_own_over_http(ids: dict[str, str], ask: Ask) -> None:
    assert [one["id"] for one in ask("POST", "/v1/relay/read", {"agent": "clerk"}, **CLERK)[1]] == [ids["ours"]]
    given = {"text": "it is shut", "agent": "clerk", "reply": ids["ours"]}
    status, sent = ask("POST", "/v1/relay/send", given, **CLERK)
    assert (status, sent["recipient"]) == (200, "keeper")
    assert ask("POST", "/v1/flags/raise", {"text": "the fence is open", "agent": "clerk"}, **CLERK)[0] == 200
    assert [one["text"] for one in ask("GET", "/v1/flags/list", **CLERK)[1]] == ["the fence is open"]


@pytest.mark.parametrize("tool", [Asker(project="/shop", agent="clerk")], indirect=True)
def test_over_mcp(ids: dict[str, str], tool: Callable[..., Any]) -> None:
    able = tool("dispatch", request="feed the till")
    assert (able.meta["steno/answer"]["capability"]["name"], "zebra" in repr(able)) == ("feed the till", False)
    for given in (
        {"agent": "keeper"},
        {"agent": "keeper", "text": "feed it", "to": "vet"},
        {"agent": "clerk", "text": "me too", "reply": ids["mail"]},
        {"agent": "clerk", "text": "why", "to": "keeper", "because": ids["flag"]},
    ):
        answer = tool("relay", **given)
        assert (answer.is_error, "zebra" in repr(answer)) == (True, False)
        assert any(words in answer.content[0].text for words in ("keeper", "no message", "no entry", "no flag"))
    assert [one["id"] for one in tool("relay", agent="clerk").meta["steno/answer"]] == [ids["ours"]]


@pytest.mark.parametrize("project", ["/shop", None])
def test_at_boot(ids: dict[str, str], opened: Callable[..., Memory], project: str | None) -> None:
    with opened() as memory:
        told = memory.boot(project=project, agent="clerk").text
        assert ("zebra" in told, "bin/feed-and-groom" in told, "bin/feed-letters" in told) == (False, False, True)
        assert ("bin/feed-till" in told, "mind the fence" in told) == (project == "/shop", True)
        keeper = memory.boot(project="/zoo", agent="keeper").text
        assert all(
            words in keeper
            for words in ("bin/feed-and-groom", "bin/feed-zebra", "zebra is hungry", "keep the zebra fed")
        )


def test_at_the_gate(ids: dict[str, str], opened: Callable[..., Memory]) -> None:
    with opened() as memory:
        page = memory.before(Action(agent="clerk", text="feed and wash", directory="/shop")).page
        assert {tool.command for tool in page.tools} == {"bin/feed-letters", "bin/feed-till"}
        page = memory.before(Action(agent="keeper", text="feed and wash", directory="/zoo")).page
        assert {tool.command for tool in page.tools} == {"bin/feed-and-groom", "bin/feed-zebra", "bin/feed-letters"}


def test_on_the_command_line(ids: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENO_HOME", str(tmp_path / "steno"))
    monkeypatch.setenv("STENO_EMBEDDING", "off")

    def run(*words: str) -> str:
        done = CliRunner().invoke(program, [*words, "--json"])
        assert done.exit_code == 0
        return done.output

    assert "zebra" in run("capabilities", "--everywhere")
    for words in (
        ("capabilities", "--project", "/shop", "--agent", "clerk"),
        ("agents", "dispatch", "feed", "--project", "/shop"),
        ("relay", "threads", "--agent", "clerk"),
        ("relay", "read", "clerk"),
    ):
        assert "zebra" not in run(*words)
    assert CliRunner().invoke(program, ["relay", "show", ids["mail"], "--agent", "clerk"]).exit_code == 1
