"""The HTTP API through a real server: what is asked, what is done, what goes wrong, and the description of it all."""

import inspect
import json
import socket
import threading
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw
import jsonschema
import pytest

from steno import __version__
from steno.doors import api, workers
from steno.doors.api import ROUTES
from steno.doors.serve import CannotServe, PortTaken, Server
from steno.memory import Memory
from steno.testing import said, write_jsonl

from ..conftest import PATIENCE

Ask = Callable[..., tuple[int, Any]]
# What the front desk does and HTTP does not, with the reason.
NOT_OVER_HTTP = {
    "close": "the server's own business",
    "watch": "the daemon does it",
    "warm": "the daemon does it",
    "read_with_model": "the daemon does it",
    "keep_notebook": "the daemon does it",
    "given": "the hooks do it",
    "save": "the daemon does it",
    "remind": "the hooks do it",
    "unsaid": "names that nobody ever said, told at the terminal and to agents",
    "backtest": "a person's experiment, with files of theirs",
    "export": "a stream for a file",
    "import_": "a stream from a file",
    "recallable": "stands in the status",
    "unread": "a total for a progress bar",
    "sketch": "part of `embed`, with a progress bar of its own",
    "unembedded": "a total for a progress bar",
    "rebuild_vectors": "a change of model is a person's decision at the command line",
    "project_of": "done where a project is given",
    "home": "not a verb",
    "settings": "not a verb",
    "learn": "what is asked for first where it is wanted",
    "gate": "answers through `before` and `after`",
    "briefer": "answers through `brief` and `boot`",
    "identity": "answers through `handoff` and `capsule`",
    "rules": "has routes of its own",
    "flows": "has routes of its own",
    "fleet": "has routes of its own",
    "follow_notes": "part of syncing the notebook",
    "accesses": "the uses of an entry",
    "freshness": "the uses of an entry",
    "unused": "a person's look at the command line",
    "owning": "what is written into a host's files is a person's decision at the command line",
}
OTHER_NAMES = {"state_line": "state", "sharing": "share"}


@pytest.fixture
def described(ask: Ask) -> dict[str, Any]:
    status, document = ask("GET", "/openapi.json")
    assert status == 200
    return document


# -- looking ---------------------------------------------------------------------------------------------------------


def test_what_the_store_holds(talk: Path, ask: Ask) -> None:
    _, status = ask("GET", "/v1/status")
    assert (status["turns"], [one["session"] for one in status["sessions"]]) == (5, ["s1"])
    _, sessions = ask("GET", "/v1/sessions")
    assert [(one["session"]["session"], one["turns"]) for one in sessions] == [("s1", 5)]


def test_the_turns_of_a_session_come_in_portions(talk: Path, ask: Ask) -> None:
    _, first = ask("GET", "/v1/sessions/s1/turns?most=2")
    _, rest = ask("GET", f"/v1/sessions/s1/turns?after={first[-1]['id']}")
    assert [turn["turn"]["native_id"] for turn in first] == ["1", "2"]
    assert [turn["turn"]["native_id"] for turn in rest] == ["3", "4", "5"]


def test_entries_can_be_listed_chosen_and_looked_at(talk: Path, ask: Ask, opened: Callable[..., Memory]) -> None:
    with opened() as memory:
        expected = [entry.id for entry in memory.entries(category="rule")]
    _, found = ask("GET", "/v1/entries?category=rule&project=%2Fshop")
    assert [entry["id"] for entry in found] == expected
    _, one = ask("GET", f"/v1/entries/{expected[0][:6]}")
    assert one == found[0]
    assert one["evidence"][0]["quote"] == "no, never change the payments table by hand"


def test_an_entry_is_shown_with_its_uses_and_links(talk: Path, ask: Ask, opened: Callable[..., Memory]) -> None:
    with opened() as memory:
        one, other = [entry.id for entry in memory.entries()][:2]
        for _ in range(2):
            memory.home.store.accesses._database.many("strengthen_link", [(*sorted((one, other)), "2026-03-01")])
    _, uses = ask("GET", f"/v1/entries/{one[:8]}/uses")
    never = {"recalled": 0, "given": 0, "used": 0, "badly": 0, "tokens": 0, "last_at": None, "used_at": None}
    assert (uses["access"], 0 <= uses["freshness"] <= 1) == (never, True)
    assert (other, "recalled together", 2.0) in [(link["id"], link["kind"], link["weight"]) for link in uses["links"]]


def test_the_jobs_of_upkeep_and_their_last_night_are_shown(ask: Ask, opened: Callable[..., Memory]) -> None:
    assert ask("GET", "/v1/upkeep/night") == (200, [])
    with opened() as memory:
        memory.upkeep.run("audit")
    _, jobs = ask("GET", "/v1/upkeep")
    assert [job["name"] for job in jobs if job["last"]] == ["audit"]
    _, runs = ask("GET", "/v1/upkeep/night")
    assert [(run["job"], run["state"]) for run in runs] == [("audit", "ok")]


def test_recall_answers_with_quote_place_and_origin(talk: Path, ask: Ask) -> None:
    _, hits = ask("GET", "/v1/recall?query=payments%20table&k=1&within=turns")
    assert [(hit["quote"], hit["session"], hit["line"], hit["origin"]) for hit in hits] in (
        [("no, never change the payments table by hand", "s1", 5, "user")],
        [("Shall I add a column to the payments table?", "s1", 4, "assistant")],
    )


def test_what_is_believed_comes_with_what_it_took_the_place_of(talk: Path, ask: Ask) -> None:
    _, beliefs = ask("GET", "/v1/believes?topic=customer+orders+and+invoices")
    [orders] = [belief for belief in beliefs if belief["before"]]
    quotes = [[said["quote"] for said in held["entry"]["evidence"]] for held in (orders["last"], *orders["before"])]
    assert quotes == [
        ["Let's go with SQLite for the customer orders and invoices."],
        ["Let's go with Postgres for the customer orders and invoices."],
    ]
    assert [(held["since"], held["until"]) for held in (orders["last"], *orders["before"])] == [
        ("2026-03-03T09:00:00.000Z", None),
        ("2026-03-01T09:00:00.000Z", "2026-03-03T09:00:00.000Z"),
    ]
    assert orders["holds"] is True
    assert (orders["last"]["verified"], orders["before"][0]["ended"], orders["against"]) == ([True], "replaced", [])


def test_pages_of_the_notebook_are_listed_and_read(talk: Path, ask: Ask, tmp_path: Path) -> None:
    assert ask("GET", "/v1/pages") == (200, [])
    page = tmp_path / "steno" / "notebook" / "topics" / "people" / "sam.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Sam\n")
    assert [(one["name"], one["bytes"]) for one in ask("GET", "/v1/pages")[1]] == [("topics/people/sam.md", 6)]
    assert ask("GET", "/v1/read?name=sam") == (200, {"name": "topics/people/sam.md", "text": "# Sam\n"})
    status, problem = ask("GET", "/v1/read?name=..%2F..%2Fsteno.db")
    assert (status, problem["error"]) == (404, "no page is called '../../steno.db'")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "asked",
    ["recall?query=zebra+payments+table&k=50&", "believes?topic=zebra+payments+table&k=50&", "boot?", "entries?",
     "rules?", "flows?", "works?", "pages?"],
)  # fmt: skip
def test_nothing_of_another_project_is_seen(ask: Ask, asked: str) -> None:
    status, answer = ask("GET", f"/v1/{asked}project=%2Fshop")
    assert (status, "zebra" in json.dumps(answer)) == (200, False)


@pytest.mark.usefixtures("elsewhere")
def test_a_page_that_holds_all_projects_is_not_one_of_a_project(ask: Ask) -> None:
    assert "zebra" in ask("GET", "/v1/read?name=handoff")[1]["text"]
    assert ask("GET", "/v1/read?name=handoff&project=%2Fshop")[0] == 404


SHOP = {"Steno-Project": "/shop", "Steno-Agent": "clerk"}


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "asked",
    ["recall?query=zebra+payments+table&k=50", "believes?topic=zebra+payments+table&k=50", "boot", "rules", "flows",
     "flows/find?text=zebra", "pages", "brief?session=s1", "brief"],
)  # fmt: skip
def test_a_program_held_to_a_project_sees_nothing_of_another(ask: Ask, asked: str) -> None:
    status, answer = ask("GET", f"/v1/{asked}", **SHOP)
    assert (status, "zebra" in json.dumps(answer)) == (200, False)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "recall?query=zebra&project=%2Fzoo", None, 403),
        ("GET", "recall?query=zebra&agent=keeper", None, 403),
        ("GET", "brief?session=z", None, 404),
        ("GET", "read?name=handoff", None, 404),
        ("GET", "entries", None, 403),
        ("GET", "handoff", None, 403),
        ("GET", "sessions/z/turns", None, 403),
        ("GET", "shares", None, 403),
        ("POST", "rules", {"text": "always feed the zebra"}, 403),
        ("POST", "share", {"what": "feed-the-zebra"}, 403),
        ("POST", "gate/before", {"agent": "keeper", "text": "feed the zebra"}, 403),
        ("POST", "gate/before", {"agent": "clerk", "text": "feed the zebra", "project": "/zoo"}, 403),
    ],
)
def test_a_program_held_to_a_project_is_refused_the_rest(
    ask: Ask, method: str, path: str, body: Any, status: int
) -> None:
    assert ask(method, f"/v1/{path}", body, **SHOP)[0] == status


@pytest.mark.usefixtures("elsewhere")
def test_a_gate_held_to_a_project_knows_no_other_by_its_folder_or_session(ask: Ask) -> None:
    asked = {"agent": "clerk", "text": "put the zebra into the payments table", "directory": "/zoo", "session": "z"}
    assert "never put the zebra" in json.dumps(ask("POST", "/v1/gate/before", asked)[1])
    assert "never put the zebra" not in json.dumps(ask("POST", "/v1/gate/before", asked, **SHOP)[1])


def test_what_is_shared_is_listed_and_taken_back(talk: Path, ask: Ask) -> None:
    entry = ask("POST", "/v1/remember", {"summary": "the shop is open", "category": "fact", "project": "/shop"})[1]
    shared = {"what": entry["id"], "text": "the shop is open", "project": "/zoo", "agent": None}
    status, [made] = ask("POST", "/v1/share", {"what": entry["id"], "project": "/zoo"})
    assert (status, {**made, "since": ""}) == (200, {**shared, "since": ""})
    assert ask("GET", "/v1/shares") == (200, [made])
    assert ask("GET", "/v1/recall?query=shop+open", **{"Steno-Project": "/zoo"})[1][0]["text"] == "the shop is open"
    assert ask("POST", "/v1/share/take-back", {"what": entry["id"]}) == (200, [made])
    assert ask("GET", "/v1/recall?query=shop+open", **{"Steno-Project": "/zoo"}) == (200, [])


def test_briefings_are_given_and_leave_receipts(talk: Path, ask: Ask) -> None:
    _, brief = ask("GET", "/v1/brief?tier=0&session=s1")
    _, boot = ask("GET", "/v1/boot?project=%2Fshop&agent=blog-bot")
    assert brief["text"].startswith('<steno tier="0">')
    assert "payments table by hand" in boot["text"]
    _, receipts = ask("GET", "/v1/receipts")
    assert [(one["kind"], one["agent"]) for one in receipts] == [("brief", None), ("boot", "blog-bot")]
    assert ask("GET", "/v1/state")[1]["text"].startswith("[STATE] Task: ")


# -- acting ----------------------------------------------------------------------------------------------------------


def test_transcripts_can_be_captured_and_read(tmp_path: Path, ask: Ask) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("always run the linter before a commit", at="2026-03-02T09:00:00Z"))
    assert ask("POST", "/v1/capture", {"paths": [str(path)], "source": "jsonl"})[1]["turns"] == 1
    assert ask("POST", "/v1/scribe")[1]["turns"] == 1
    assert [entry["category"] for entry in ask("GET", "/v1/entries")[1]] == ["rule"]


def test_a_path_from_nowhere_is_refused(ask: Ask) -> None:
    status, wrong = ask("POST", "/v1/capture", {"paths": ["t.jsonl"]})
    assert status == 400
    assert wrong["hint"] == "give whole paths"


def test_a_person_remembers_corrects_and_lays_aside(ask: Ask) -> None:
    _, kept = ask("POST", "/v1/remember", {"summary": "the office is in Graz", "category": "fact"})
    assert (kept["origin"], kept["status"]) == ("edit", "active")
    _, revised = ask("POST", "/v1/revise", {"id": kept["id"], "summary": "the office is in Linz"})
    assert revised["summary"] == "the office is in Linz"
    _, archived = ask("POST", "/v1/archive", {"id": kept["id"]})
    assert archived["status"] == "archived"
    [belief] = ask("GET", "/v1/believes?topic=office")[1]
    assert (belief["holds"], [change["act"] for change in belief["last"]["changes"]]) == (False, ["revise", "archive"])
    assert belief["last"]["until"] == belief["last"]["changes"][-1]["at"]


def test_rules_are_given_raised_lowered_and_retired(ask: Ask) -> None:
    _, rule = ask("POST", "/v1/rules", {"text": "prefer short names", "preference": True})
    assert ask("GET", f"/v1/rules/{rule['id']}")[1] == rule
    scores = [ask("POST", f"/v1/rules/{rule['id']}/{act}")[1]["score"] for act in ("raise", "lower")]
    assert scores == [rule["score"] + 0.5, rule["score"]]
    assert ask("POST", f"/v1/rules/{rule['id']}/retire")[1]["status"] == "retired"
    assert ask("GET", "/v1/rules")[1] == []
    assert [one["id"] for one in ask("GET", "/v1/rules?status=retired")[1]] == [rule["id"]]


def test_flows_are_made_changed_found_graded_and_retired(ask: Ask) -> None:
    made = {"name": "ship-it", "steps": ["run the tests", "push"], "triggers": ["ship the shop"]}
    assert ask("POST", "/v1/flows", made)[1]["status"] == "active"
    assert ask("POST", "/v1/flows/ship-it/edit", {"steps": ["push"]})[1]["version"] == 2
    assert ask("POST", "/v1/flows/ship-it/outcome", {"passed": True})[1]["succeeded"] == 1
    assert [one["flow"]["name"] for one in ask("GET", "/v1/flows/find?text=ship+the+shop")[1]] == ["ship-it"]
    assert ask("POST", "/v1/flows/ship-it/retire")[1]["status"] == "retired"
    assert ask("POST", "/v1/flows/ship-it/activate")[1]["status"] == "active"


def test_a_gate_says_what_was_refused_and_learns_how_it_went(talk: Path, ask: Ask) -> None:
    action = {"agent": "coder", "text": "add a column to the payments table", "directory": "/shop", "session": "s1"}
    _, verdict = ask("POST", "/v1/gate/before", action)
    assert verdict["verdict"] in ("warn", "ask")
    assert [reason["quote"] for reason in verdict["reasons"]] == ["no, never change the payments table by hand"]
    assert "BEFORE ─ agent coder" in verdict["page"]
    outcome = {"agent": "coder", "passed": False, "summary": "stopped", "learned": "ask about tables first"}
    _, graded = ask("POST", "/v1/gate/after", outcome)
    assert (graded["passed"], graded["entry"]["origin"]) == (False, "assistant")


def test_what_is_left_out_and_when(ask: Ask) -> None:
    ask("POST", "/v1/pause")
    assert ask("GET", "/v1/status")[1]["paused"] is not None
    status, wrong = ask("POST", "/v1/capture")
    assert (status, wrong["hint"]) == (409, "`steno resume` goes on")
    ask("POST", "/v1/resume")
    assert ask("GET", "/v1/status")[1]["paused"] is None
    ask("POST", "/v1/exclude", {"pattern": "/secret"})
    assert ask("GET", "/v1/excluded")[1] == ["/secret"]
    ask("POST", "/v1/include", {"pattern": "/secret"})
    assert ask("GET", "/v1/excluded")[1] == []


def test_words_are_forgotten(talk: Path, ask: Ask) -> None:
    assert ask("POST", "/v1/forget", {"text": "payments table", "only_count": True})[1]["turns"] == 2
    assert ask("POST", "/v1/forget", {"text": "payments table"})[1]["turns"] == 2
    assert ask("GET", "/v1/entries?category=rejected")[1] == []


# -- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "/v1/recall", None, 400, "cannot take this: Object missing required field `query`"),
        ("GET", "/v1/recall?query=a&k=many", None, 400, "Expected `int`, got `str` - at `$.k`"),
        ("GET", "/v1/recall?query=a&k=-1", None, 400, "Expected `int` >= 0 - at `$.k`"),
        ("GET", "/v1/recall?query=a&colour=red", None, 400, "unknown field `colour`"),
        ("GET", "/v1/recall?query=a&query=b", None, 400, "a parameter is given twice"),
        ("GET", "/v1/recall?query=a&at=yesterday", None, 400, "'yesterday' is no time"),
        ("GET", "/v1/entries/nothing", None, 404, "no entry 'nothing'"),
        ("GET", "/v1/sessions/nobody/turns", None, 404, "no session 'nobody' in the journal"),
        ("GET", "/v1/flows/none", None, 404, "no flow is called 'none'"),
        ("GET", "/v1/brief?tier=4", None, 400, "Expected `int` <= 3 - at `$.tier`"),
        ("GET", "/v1/nothing", None, 404, "there is nothing here"),
        ("GET", "/v1/pause", None, 405, "this cannot be done here"),
        ("POST", "/v1/remember", b"{", 400, "cannot take this: Input data was truncated"),
        ("POST", "/v1/remember", b"\xff", 400, "cannot take this: "),
        ("POST", "/v1/remember", b"[" * 200_000, 400, "cannot take this: "),
        ("POST", "/v1/remember", ["x"], 400, "the body is no JSON object"),
        ("POST", "/v1/remember", {"summary": "x", "category": "colour"}, 400, "Invalid enum value 'colour'"),
        ("POST", "/v1/remember", {"summary": " ", "category": "fact"}, 400, "there is nothing to remember"),
        ("POST", "/v1/remember", {"summary": "\ud800", "category": "fact"}, 400, "cannot take this: "),
        ("POST", "/v1/rules/x/retire", {"id": "y"}, 400, "id stands in the path already"),
        ("POST", "/v1/forget", {}, 400, "say one thing to forget"),
        ("POST", "/v1/reviews/7/resolve", {"keep": "one"}, 404, "no open review '7'"),
    ],
)
def test_what_cannot_be_done_is_said_with_a_hint(
    ask: Ask, talk: Path, method: str, path: str, body: Any, status: int, error: str
) -> None:
    got, wrong = ask(method, path, body)
    assert (got, [*wrong]) == (status, ["error", "hint"])
    assert error in wrong["error"]
    assert wrong["hint"]


def test_a_store_that_is_locked_may_be_asked_again(
    tmp_path: Path, talk: Path, opened: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(lambda: opened(busy_seconds="0.05"), tmp_path / "steno", 0)
    server.start()
    holding = apsw.Connection(str(tmp_path / "steno" / "steno.db"))
    holding.execute("BEGIN IMMEDIATE")
    try:
        status, wrong = request(server, tmp_path, "POST", "/v1/pause")
        assert status == 503
        assert "locked for 0.05 seconds" in wrong["error"]
        assert request(server, tmp_path, "GET", "/v1/entries")[0] == 200
    finally:
        holding.close()
        server.stop()


def test_a_bug_is_called_one_and_ends_nothing(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Memory) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Memory, "reviews", broken)
    assert ask("GET", "/v1/reviews") == (
        500,
        {"error": "this is a bug in Steno: ZeroDivisionError", "hint": "`steno logs` shows where it happened"},
    )
    assert ask("GET", "/v1/entries") == (200, [])


def test_long_work_does_not_hold_up_answers(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def scribe(*_: Any) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(Memory, "scribe", scribe)
    answers: list[int] = []
    # One more than there are threads for answers.
    working = [threading.Thread(target=lambda: answers.append(ask("POST", "/v1/scribe")[0])) for _ in range(3)]
    for thread in working:
        thread.start()
    assert begun.wait(PATIENCE)
    assert ask("GET", "/v1/entries") == (200, [])
    assert answers == []
    go_on.set()
    for thread in working:
        thread.join(PATIENCE)
    assert answers == [200, 200, 200]


def test_an_answer_that_takes_too_long_is_given_up(
    tmp_path: Path, opened: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(api, "_SECONDS", 0.05)
    monkeypatch.setattr(Memory, "reviews", lambda _: go_on.wait(PATIENCE) and [])
    server = Server(opened, tmp_path / "steno", 0)
    server.start()
    try:
        status, wrong = request(server, tmp_path, "GET", "/v1/reviews")
        assert (status, wrong["error"]) == (503, "no answer within 0.05 seconds")
    finally:
        go_on.set()
        server.stop()


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


def test_a_port_that_is_taken_is_named(tmp_path: Path, opened: Callable[..., Memory], served: Server) -> None:
    other = Server(opened, tmp_path / "other", served.port)
    with pytest.raises(PortTaken, match=f"another program listens on port {served.port}"):
        other.start()
    other.stop()
    with pytest.raises(CannotServe, match="there is no port 70000"):
        Server(opened, tmp_path / "other", 70_000).start()


def test_a_server_lets_go_of_its_port(tmp_path: Path, opened: Callable[..., Memory]) -> None:
    server = Server(opened, tmp_path / "steno", 0)
    server.start()
    port = server.port
    assert request(server, tmp_path, "GET", "/v1/status")[0] == 200
    server.stop()
    server.stop()
    again = Server(opened, tmp_path / "steno", port)
    again.start()
    assert again.address == f"http://127.0.0.1:{port}"
    again.stop()


def test_only_this_machine_can_connect(served: Server) -> None:
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        with socket.socket() as connection:
            connection.settimeout(5)
            assert connection.connect_ex((address, served.port)) != 0


# -- the description -------------------------------------------------------------------------------------------------


def test_everything_the_front_desk_does_has_a_route() -> None:
    verbs = {name for name, _ in inspect.getmembers(Memory) if not name.startswith("_")} | {"home", "settings"}
    names = {route.name for route in ROUTES}
    assert {verb for verb in verbs - NOT_OVER_HTTP.keys() if OTHER_NAMES.get(verb, verb) not in names} == set()
    assert NOT_OVER_HTTP.keys() <= verbs


def test_the_description_holds_every_route(described: dict[str, Any], served: Server) -> None:
    assert (described["openapi"], described["info"]["version"]) == ("3.1.0", __version__)
    assert described["servers"] == [{"url": served.address}]
    operations = {(method.upper(), path) for path, item in described["paths"].items() for method in item}
    assert operations == {(route.method, route.path) for route in ROUTES}
    assert len({route.name for route in ROUTES}) == len(ROUTES)


def test_the_description_is_sound(described: dict[str, Any]) -> None:
    text = json.dumps(described)
    names = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names == described["components"]["schemas"].keys()
    for item in described["paths"].values():
        for operation in item.values():
            assert operation["summary"].endswith(".")
            for place in ("parameters", "responses"):
                assert place in operation
    for schema in described["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_what_is_given_is_described(described: dict[str, Any]) -> None:
    recall, remember = described["paths"]["/v1/recall"]["get"], described["paths"]["/v1/remember"]["post"]
    asked = {one["name"]: (one["in"], one["required"]) for one in recall["parameters"]}
    assert (asked["query"], asked["k"]) == (("query", True), ("query", False))
    body = remember["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert (body["required"], schema["required"]) == (True, ["summary", "category"])
    assert [*schema["properties"]] == ["summary", "category", "project", "agent", "domain"]
    retire = described["paths"]["/v1/rules/{id}/retire"]["post"]
    assert [(one["name"], one["in"], one["required"]) for one in retire["parameters"]] == [("id", "path", True)]
    assert retire["requestBody"]["required"] is False


def test_answers_are_as_described(talk: Path, ask: Ask, described: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "steno" / "notebook").mkdir()
    (tmp_path / "steno" / "notebook" / "rules.md").touch()
    ask("POST", "/v1/flows", {"name": "ship-it", "steps": ["push"]})
    ask("GET", "/v1/brief")
    ask("POST", "/v1/agents/bot", {"projects": ["/shop"]})
    [rule, *_] = ask("GET", "/v1/rules")[1]
    [work, *_] = ask("GET", "/v1/works")[1]
    [sent, _] = [ask("POST", "/v1/relay", {"text": "hm", "agent": "a", "to": to})[1] for to in ("b", "c")]
    parts = {
        "{message}": sent["id"],
        "{agent}": "bot",
        "{session}": "s1",
        "{id}": rule["id"],
        "{name}": "ship-it",
        "{work}": work["id"],
    }
    given = {"query": "payments", "topic": "payments", "text": "ship it", "name": "rules", "agent": "b"}
    for path, item in described["paths"].items():
        if "get" not in item:
            continue
        asked = path
        for part, value in parts.items():
            asked = asked.replace(part, value)
        required = [one["name"] for one in item["get"]["parameters"] if one["in"] == "query" and one["required"]]
        status, answer = ask("GET", f"{asked}?" + "&".join(f"{name}={quote(given[name])}" for name in required))
        # Nothing was compacted, so nothing was lost.
        wanted = "409" if path == "/v1/loss" else "200"
        assert (path, str(status)) == (path, wanted)
        schema = item["get"]["responses"][wanted]["content"]["application/json"]["schema"]
        jsonschema.validate(answer, {**schema, "components": described["components"]})


def test_a_piece_of_work_is_ended_over_http(talk: Path, ask: Ask) -> None:
    [work, *_] = ask("GET", "/v1/works")[1]
    status, ended = ask("POST", f"/v1/works/{work['id']}/end", {"status": "finished"})
    assert (status, ended["id"], ended["status"]) == (200, work["id"], "finished")
    assert ask("GET", "/v1/works/nix")[0] == 404


def request(server: Server, folder: Path, method: str, path: str) -> tuple[int, Any]:
    """A request to a server of the test's own."""
    token = (folder / "steno" / "daemon.token").read_text().strip()
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        body = b"{}" if method == "POST" else None
        connection.request(method, path, body, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()
