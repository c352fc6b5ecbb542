"""The HTTP API through a real server: who sees what, what goes wrong, what happens at once, and its description.

What each verb answers is checked for every door together, in `tests/verbs`.
"""

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import apsw
import jsonschema
import msgspec
import pytest

import steno
from steno import __version__
from steno.doors import api, workers
from steno.doors.api import SERVED
from steno.doors.openapi import method_of
from steno.doors.serve import CannotServe, PortTaken, Server
from steno.memory import Memory
from steno.verbs import VERBS
from steno.verbs.asking import Asker

from ..conftest import PATIENCE
from .conftest import asked

Ask = Callable[..., tuple[int, Any]]
Serve = Callable[..., Server]
SHOP = {"Steno-Project": "/shop", "Steno-Agent": "clerk"}


@pytest.fixture
def described(ask: Ask) -> dict[str, Any]:
    status, document = ask("GET", "/openapi.json")
    assert status == 200
    return document


# -- what is asked and done ------------------------------------------------------------------------------------------


def test_the_turns_of_a_session_come_in_portions(talk: Path, ask: Ask) -> None:
    _, first = ask("GET", "/v1/sessions/show?session=s1&most=2")
    _, rest = ask("GET", f"/v1/sessions/show?session=s1&after={first[-1]['id']}")
    assert [turn["native_id"] for turn in first] == ["1", "2"]
    assert [turn["native_id"] for turn in rest] == ["3", "4", "5"]


def test_what_reads_is_asked_with_a_query_and_what_writes_with_a_body(talk: Path, ask: Ask) -> None:
    assert ask("GET", "/v1/recall?query=payments&past=true&k=1")[0] == 200
    status, made = ask("POST", "/v1/entries/remember", {"summary": "the till is open", "project": "/shop"})
    assert (status, made["origin"], made["project"]) == (200, "agent", "/shop")
    # What reads and takes an object has a body, too.
    given = {"action": "add a column to the payments table", "input": {"command": "psql"}, "directory": "/shop"}
    assert ask("POST", "/v1/gate/before", given)[1]["verdict"] in ("warn", "ask")


@pytest.mark.parametrize("path", ["brief?session=s1&", "brief/boot?project=%2Fshop&"])
def test_a_briefing_counts_as_given_when_an_agent_asks_or_somebody_says_so(talk: Path, ask: Ask, path: str) -> None:
    for given, who, kept in (("", {}, 0), ("given=true", {}, 1), ("", SHOP, 2)):
        assert ask("GET", f"/v1/{path}{given}", **who)[0] == 200
        assert len(ask("GET", "/v1/brief/receipts")[1]) == kept


# -- who sees what ---------------------------------------------------------------------------------------------------


def test_no_page_outside_the_notebook_is_read(talk: Path, ask: Ask, tmp_path: Path) -> None:
    page = tmp_path / "steno" / "notebook" / "topics" / "people" / "sam.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Sam\n")
    assert [(one["name"], one["bytes"]) for one in ask("GET", "/v1/read")[1]] == [("topics/people/sam.md", 6)]
    assert ask("GET", "/v1/read?name=sam") == (200, {"name": "topics/people/sam.md", "text": "# Sam\n"})
    status, problem = ask("GET", "/v1/read?name=..%2F..%2Fsteno.db")
    assert (status, problem["error"]) == (404, "no page is called '../../steno.db'")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "path",
    ["recall?query=zebra+payments+table&k=50&", "entries/believes?topic=zebra+payments+table&k=50&", "brief/boot?",
     "entries/list?", "rules/list?", "flows/list?", "sessions/list?", "sessions/work/list?", "review/list?",
     "brief/handoff?", "read?"],
)  # fmt: skip
@pytest.mark.parametrize("how", ["project=%2Fshop", "project=shop", "directory=%2Fshop"])
def test_nothing_of_another_project_is_seen(ask: Ask, path: str, how: str) -> None:
    status, answer = ask("GET", f"/v1/{path}{how}")
    assert (status, "zebra" in json.dumps(answer)) == (200, False)


@pytest.mark.usefixtures("elsewhere")
def test_a_page_that_holds_all_projects_is_not_one_of_a_project(ask: Ask) -> None:
    assert "zebra" in ask("GET", "/v1/read?name=handoff")[1]["text"]
    assert ask("GET", "/v1/read?name=handoff&project=%2Fshop")[0] == 404


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "path",
    ["recall?query=zebra+payments+table&k=50", "entries/believes?topic=zebra+payments+table&k=50", "brief/boot",
     "rules/list", "flows/list", "flows/find?text=zebra", "read", "brief?session=s1", "brief",
     "recall?query=zebra&project=%2Fshop&agent=clerk"],
)  # fmt: skip
def test_a_program_held_to_a_project_sees_nothing_of_another(ask: Ask, path: str) -> None:
    status, answer = ask("GET", f"/v1/{path}", **SHOP)
    assert (status, "zebra" in json.dumps(answer)) == (200, False)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "recall?query=zebra&project=%2Fzoo", None, 403),
        ("GET", "recall?query=zebra&project=zoo", None, 403),
        ("GET", "recall?query=zebra&directory=%2Fzoo", None, 403),
        ("GET", "recall?query=zebra&everywhere=true", None, 403),
        ("GET", "recall?query=zebra&agent=keeper", None, 403),
        ("GET", "brief/boot?agent=keeper", None, 403),
        ("GET", "brief?session=z", None, 404),
        ("GET", "read?name=handoff", None, 404),
        ("POST", "gate/before", {"agent": "keeper", "action": "feed the zebra"}, 403),
        ("POST", "gate/before", {"action": "feed the zebra", "directory": "/zoo"}, 403),
        ("POST", "gate/after", {"agent": "keeper", "went": "pass", "summary": "fed the zebra"}, 403),
        ("POST", "entries/remember", {"summary": "the zebra is ours", "project": "/zoo"}, 403),
        ("POST", "entries/remember", {"summary": "the zebra is ours", "everywhere": True}, 403),
        ("POST", "entries/remember", {"summary": "the zebra is ours", "agent": "keeper"}, 403),
    ],
)
def test_a_program_held_to_a_project_is_refused_the_rest(
    ask: Ask, method: str, path: str, body: Any, status: int
) -> None:
    got, answer = ask(method, f"/v1/{path}", body, **SHOP)
    assert (got, [*answer]) == (status, ["error", "hint"])


def test_a_program_held_to_a_project_or_an_agent_may_do_nothing_only_a_person_may(talk: Path, ask: Ask) -> None:
    theirs = [verb for verb in SERVED if verb.held or verb.tool]
    assert [verb.name for verb in theirs if verb.authority] == []
    for verb in SERVED:
        if verb not in theirs:
            for who in (SHOP, {"Steno-Project": "/shop"}, {"Steno-Agent": "clerk"}):
                status, wrong = ask(method_of(verb), verb.path, **who)
                # What belongs to people is not even looked at unless it could be done.
                assert (verb.name, status) in ((verb.name, 403), (verb.name, 400 if verb.authority else 403))
                waits = "This waits for a person" in wrong["error"]
                assert status == 400 or waits or wrong["error"] == f"only a person asks for `{verb.name}`"


def test_who_asks_is_said_once(ask: Ask) -> None:
    status, wrong = ask("GET", "/v1/rules/list", **{"Steno-Project": "/shop", "steno-project": "/zoo"})
    assert (status, wrong["error"]) == (400, "steno-project is given twice")


@pytest.mark.usefixtures("elsewhere")
def test_a_gate_held_to_a_project_knows_no_other_by_its_session(ask: Ask) -> None:
    given = {"agent": "clerk", "action": "put the zebra into the payments table", "session": "z"}
    assert "never put the zebra" in json.dumps(ask("POST", "/v1/gate/before", {**given, "directory": "/zoo"})[1])
    assert "never put the zebra" not in json.dumps(ask("POST", "/v1/gate/before", given, **SHOP)[1])


def test_an_agents_word_is_kept_as_one_and_no_rule(talk: Path, ask: Ask) -> None:
    kept = ask("POST", "/v1/entries/remember", {"summary": "the office is in Graz", "category": "fact"})[1]
    assert (kept["origin"], kept["project"], kept["agent"]) == ("agent", None, None)
    kept = ask("POST", "/v1/entries/remember", {"summary": "the till is open"}, **SHOP)[1]
    assert (kept["origin"], kept["category"], kept["project"]) == ("agent", "learning", "/shop")
    for category in ("rule", "rejected"):
        given = {"summary": "always obey me", "category": category}
        status, wrong = ask("POST", "/v1/entries/remember", given, **SHOP)
        assert (status, wrong["error"]) == (400, f"only a person's words become a {category} entry")


def test_what_is_shared_is_seen_until_it_is_taken_back(talk: Path, ask: Ask, tmp_path: Path) -> None:
    told = {"summary": "the shop is open", "category": "fact", "project": "/shop"}
    entry = ask("POST", "/v1/entries/remember", told)[1]
    found = lambda: ask("GET", "/v1/recall?query=shop+open", **{"Steno-Project": "/zoo"})[1]  # noqa: E731
    assert found() == []
    assert ask("POST", "/v1/entries/share", {"what": entry["id"], "whom": "/zoo"})[0] == 403
    with steno.open(tmp_path / "steno") as memory:
        [made] = msgspec.to_builtins(memory.sharing.share(entry["id"], project="/zoo", agent=""))
    assert (made["what"], made["project"]) == (entry["id"], "/zoo")
    assert ask("GET", "/v1/entries/shared") == (200, [made])
    assert [hit["text"] for hit in found()] == ["the shop is open"]
    with steno.open(tmp_path / "steno") as memory:
        memory.sharing.take_back(entry["id"], project=None, agent=None)
    assert found() == []


# -- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "/v1/recall", None, 400, "cannot take this: missing required field `query`"),
        ("GET", "/v1/recall?query=a&k=many", None, 400, "cannot take `k`: expected `int`, got `str`"),
        ("GET", "/v1/recall?query=a&k=-1", None, 400, "cannot take `k`: expected `int` >= 1"),
        ("GET", "/v1/recall?query=a&colour=red", None, 400, "contains unknown field `colour`"),
        ("GET", "/v1/recall?query=a&query=b", None, 400, "a parameter is given twice"),
        ("GET", "/v1/recall?query=a&at=yesterday", None, 400, "'yesterday' is no time"),
        ("GET", "/v1/recall?query=a&project=nowhere", None, 404, "no project is called 'nowhere'"),
        ("GET", "/v1/recall?query=a&project=shop&everywhere=true", None, 400, "contradict each other"),
        ("GET", "/v1/entries/show?id=nothing", None, 404, "no entry 'nothing'"),
        ("GET", "/v1/sessions/show?session=nobody", None, 404, "no session 'nobody' in the journal"),
        ("GET", "/v1/flows/show?name=none", None, 404, "no flow is called 'none'"),
        ("GET", "/v1/upkeep/explain?name=none", None, 404, "no job is called 'none'"),
        ("GET", f"/v1/sessions/show?session=s1&most={10**30}", None, 400, "cannot take `most`: expected `int` <= "),
        ("GET", "/v1/sessions/work/show?id=nix", None, 404, "nix"),
        ("GET", "/v1/brief?tier=4", None, 400, "cannot take `tier`: expected `int` <= 3"),
        ("GET", "/v1/nothing", None, 404, "there is nothing here"),
        ("GET", "/v1/relay", None, 404, "there is nothing here"),
        ("GET", "/v1/pause", None, 405, "this cannot be done here"),
        ("POST", "/v1/entries/remember", b"{", 400, "cannot take this: Input data was truncated"),
        ("POST", "/v1/entries/remember", b"\xff", 400, "cannot take this: "),
        ("POST", "/v1/entries/remember", b"[" * 200_000, 400, "cannot take this: "),
        ("POST", "/v1/entries/remember", ["x"], 400, "the body is no JSON object"),
        ("POST", "/v1/entries/remember", {"summary": "x", "category": "colour"}, 400, "invalid enum value 'colour'"),
        ("POST", "/v1/entries/remember", {"summary": " ", "category": "fact"}, 400, "there is nothing to remember"),
        ("POST", "/v1/entries/remember", {"summary": "\ud800", "category": "fact"}, 400, "cannot take this: "),
        ("POST", "/v1/entries/remember", {"summary": "x" * 1_000_000, "categories": []}, 400, "unknown field"),
        ("POST", "/v1/rules/retire", {"id": 5}, 400, "cannot take `id`: expected `str`, got `int`"),
        ("POST", "/v1/forget", {"turn": 10**30}, 400, "cannot take `turn`: expected `int` <= "),
    ],
)
def test_what_cannot_be_done_is_said_with_a_hint(
    ask: Ask, talk: Path, method: str, path: str, body: Any, status: int, error: str
) -> None:
    got, wrong = ask(method, path, body)
    assert (got, [*wrong]) == (status, ["error", "hint"])
    assert error in wrong["error"]
    # Agents are told of no command that is a person's.
    assert wrong["hint"] or path in ("/v1/rules/retire", "/v1/forget")


def test_a_store_that_is_locked_may_be_asked_again(tmp_path: Path, talk: Path, serve: Serve) -> None:
    server = serve(busy_seconds="0.05")
    holding = apsw.Connection(str(tmp_path / "steno" / "steno.db"))
    holding.execute("BEGIN IMMEDIATE")
    try:
        status, wrong = asked(server, tmp_path, "POST", "/v1/entries/remember", {"summary": "the till is open"})
        assert status == 503
        assert "locked for 0.05 seconds" in wrong["error"]
        assert asked(server, tmp_path, "GET", "/v1/entries/list")[0] == 200
    finally:
        holding.close()


def test_a_bug_is_called_one_and_ends_nothing(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "excluded", lambda _: 1 / 0)
    assert ask("GET", "/v1/capture/excluded") == (
        500,
        {"error": "this is a bug in Steno: ZeroDivisionError", "hint": "`steno daemon logs` shows where it happened"},
    )
    assert ask("GET", "/v1/entries/list") == (200, [])


def test_long_work_does_not_hold_up_answers(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def scribe(*_: Any, **__: Any) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(Memory, "scribe", scribe)
    answers: list[int] = []
    # One more than there are threads for answers.
    working = [threading.Thread(target=lambda: answers.append(ask("POST", "/v1/entries/learn")[0])) for _ in range(3)]
    for thread in working:
        thread.start()
    assert begun.wait(PATIENCE)
    assert ask("GET", "/v1/entries/list") == (200, [])
    assert answers == []
    go_on.set()
    for thread in working:
        thread.join(PATIENCE)
    assert answers == [200, 200, 200]


def test_an_answer_that_takes_too_long_is_given_up(
    tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(api, "_SECONDS", 0.05)
    monkeypatch.setattr(Memory, "excluded", lambda _: go_on.wait(PATIENCE) and [])
    server = serve()
    try:
        status, wrong = asked(server, tmp_path, "GET", "/v1/capture/excluded")
        assert (status, wrong["error"]) == (503, "no answer within 0.05 seconds")
    finally:
        go_on.set()


def test_more_than_can_wait_is_turned_away(opened: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_WAITING", 2)
    begun, go_on = threading.Event(), threading.Event()
    one = workers.Workers(opened)
    first = one.submit(lambda _: (begun.set(), go_on.wait(PATIENCE)))
    assert begun.wait(PATIENCE)
    waiting = [one.submit(lambda memory: memory.excluded()) for _ in range(2)]
    with pytest.raises(workers.Overloaded, match="2 requests are waiting already"):
        one.submit(lambda memory: memory.excluded())
    go_on.set()
    assert first.result(PATIENCE) == (None, True)
    assert [future.result(PATIENCE) for future in waiting] == [[], []]
    one.close()
    with pytest.raises(workers.Overloaded, match="Steno is closing"):
        one.submit(lambda memory: memory.excluded())


# -- the server ------------------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_named(serve: Serve, served: Server) -> None:
    with pytest.raises(PortTaken, match=f"another program listens on port {served.port}"):
        serve(served.port)
    with pytest.raises(CannotServe, match="there is no port 70000"):
        serve(70_000)


def test_a_server_lets_go_of_its_port(tmp_path: Path, serve: Serve) -> None:
    server = serve()
    port = server.port
    assert asked(server, tmp_path, "GET", "/v1/capture/excluded")[0] == 200
    server.stop()
    server.stop()
    assert serve(port).address == f"http://127.0.0.1:{port}"


def test_only_this_machine_can_connect(served: Server) -> None:
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        with socket.socket() as connection:
            connection.settimeout(5)
            assert connection.connect_ex((address, served.port)) != 0


# -- the description -------------------------------------------------------------------------------------------------


def test_the_description_holds_every_verb(described: dict[str, Any], served: Server) -> None:
    assert (described["openapi"], described["info"]["version"]) == ("3.1.0", __version__)
    assert described["servers"] == [{"url": served.address}]
    every = {(method, path): one for path, item in described["paths"].items() for method, one in item.items()}
    assert every.keys() == {(method_of(verb).lower(), verb.path) for verb in VERBS.values() if "http" in verb.doors}
    for verb in SERVED:
        one = every[method_of(verb).lower(), verb.path]
        assert (one["operationId"], one["summary"]) == (verb.name.replace(" ", "_"), verb.summary)
        assert one["x-authority"] is verb.authority
        assert "$ steno" not in one.get("description", "")


def test_the_description_is_sound(described: dict[str, Any]) -> None:
    text = json.dumps(described)
    names = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names == described["components"]["schemas"].keys()
    for schema in described["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_what_is_given_is_described(described: dict[str, Any]) -> None:
    recall = described["paths"]["/v1/recall"]["get"]
    remember = described["paths"]["/v1/entries/remember"]["post"]
    taken = {one["name"]: (one["in"], one["required"]) for one in recall["parameters"]}
    assert (taken["query"], taken["k"], taken["project"]) == (("query", True), ("query", False), ("query", False))
    body = remember["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert (body["required"], schema["required"]) == (True, ["summary"])
    assert [*schema["properties"]] == [
        "summary", "category", "agent", "domain", "because", "project", "everywhere", "directory",
    ]  # fmt: skip


def test_answers_are_as_described(talk: Path, ask: Ask, described: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "steno" / "notebook").mkdir()
    (tmp_path / "steno" / "notebook" / "rules.md").touch()
    with steno.open(tmp_path / "steno") as memory:
        memory.flows.add("ship-it", ["push"], project="/shop")
        memory.fleet.agents.tell("bot", projects=["/shop"])
        memory.fleet.watches.add(str(tmp_path / "talk.jsonl"))
    ask("GET", "/v1/brief?given=true")
    ask("POST", "/v1/gate/before", {"agent": "bot", "action": "push"})
    [rule, *_] = ask("GET", "/v1/rules/list")[1]
    [work, *_] = ask("GET", "/v1/sessions/work/list")[1]
    [sent, _] = [ask("POST", "/v1/relay/send", {"text": "hm", "agent": "a", "to": to})[1] for to in ("b", "c")]
    given: dict[str, dict[str, Any]] = {
        "/v1/agents/show": {"agent": "bot"},
        "/v1/agents/dispatch": {"request": "ship it"},
        "/v1/entries/believes": {"topic": "payments"},
        "/v1/entries/show": {"id": rule["id"]},
        "/v1/flows/find": {"text": "ship it"},
        "/v1/flows/show": {"name": "ship-it"},
        "/v1/read": {"name": "rules"},
        "/v1/recall": {"query": "payments"},
        "/v1/relay/show": {"message": sent["id"]},
        "/v1/relay/trace": {"id": sent["id"]},
        "/v1/review/show": {"id": "7"},
        "/v1/rules/show": {"id": rule["id"]},
        "/v1/sessions/show": {"session": "s1"},
        "/v1/sessions/work/show": {"id": work["id"]},
        "/v1/upkeep/explain": {"name": "audit"},
        "/v1/why/hit": {"id": rule["id"]},
        "/v1/why/line": {"id": rule["id"]},
    }
    # Nothing was compacted, so nothing was lost; nothing waits for a word.
    wanted = {"/v1/sessions/loss": "409", "/v1/review/show": "404"}
    for path, item in described["paths"].items():
        if "get" in item:
            status, answer = ask("GET", f"{path}?{urlencode(given.get(path, {}))}")
            assert (path, str(status)) == (path, wanted.get(path, "200"))
            schema = item["get"]["responses"][str(status)]["content"]["application/json"]["schema"]
            jsonschema.validate(answer, {**schema, "components": described["components"]})


def test_messages_whose_answer_came_too_late_are_not_read(opened: Callable[..., Memory]) -> None:
    go_on = threading.Event()
    with opened() as memory:
        memory.fleet.relay.send("the draft is ready", sender="blog", to="qa")
        door = workers.Workers(opened)
        late = door.ask(VERBS["relay read"], {"agent": "qa"}, Asker(), lambda _: go_on.wait(PATIENCE), seconds=0.05)
        with pytest.raises(workers.TooSlow):
            asyncio.run(late)
        go_on.set()
        door.close(PATIENCE)
        assert [one.text for one in memory.fleet.relay.unread("qa")] == ["the draft is ready"]
