"""`steno entries`: list, show, remember, revise, archive."""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from steno.cli.words import ago as age
from steno.testing import said

KEYS = {
    "id", "category", "status", "certainty", "summary", "detail", "origin", "tags", "domain", "session", "project",
    "repeated", "created_at", "superseded_by", "evidence", "confidence", "subject", "agent", "cue", "repeated_at",
}  # fmt: skip
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


def ids_of(steno):
    """The beginning of each entry's id, by its words."""
    return {entry["summary"].strip(): entry["id"][:8] for entry in lines(steno("entries", "--json"))}


@pytest.fixture
def learnt(steno, transcript):
    """The talk, captured and read by the scribe."""
    assert steno("capture", transcript(*TALK), "--source", "jsonl").exit_code == 0


@pytest.fixture
def refusal(steno, learnt):
    """The entry of what the human said no to."""
    rejected = lines(steno("entries", "--category", "rejected", "--json"))
    return next(entry for entry in rejected if entry["evidence"][0]["quote"] in REFUSAL)


# -- looking ---------------------------------------------------------------------------------------------------------


def test_entries_have_exactly_the_promised_fields(steno, refusal):
    assert all(set(entry) == {*KEYS, *UNUSED} for entry in lines(steno("entries", "--json")))
    assert (refusal["status"], refusal["origin"], refusal["session"]) == ("active", "user", "s1")
    assert refusal["created_at"] == "2026-03-01T10:01:00.000Z"
    first = refusal["evidence"][0]
    assert list(first) == ["session", "turn", "line", "role", "quote", "at"]
    assert (first["session"], first["turn"], first["line"], first["role"]) == ("s1", 3, 3, "user")
    assert first["quote"] in REFUSAL


def test_entries_can_be_chosen(steno, refusal):
    everything = lines(steno("entries", "--json"))
    by_category = Counter(entry["category"] for entry in everything)
    assert len(lines(steno("entries", "--category", "rule", "--json"))) == by_category["rule"] > 0
    steno("entries", "archive", refusal["id"])
    assert [e["id"] for e in lines(steno("entries", "--status", "archived", "--json"))] == [refusal["id"]]
    assert len(lines(steno("entries", "--session", "latest", "--project", "/shop", "--json"))) == len(everything)
    assert steno("entries", "--domain", "NONE").stdout == "No entry fits.\n"


def test_in_a_project_its_own_entries_are_listed_what_holds_everywhere_and_what_is_shared(steno, home, monkeypatch):
    for project in ("shop", "zoo"):
        (home / project / ".git").mkdir(parents=True)
    (home / "shop" / "src").mkdir()
    monkeypatch.chdir(home / "shop" / "src")
    steno("entries", "remember", "the till is red", "--category", "fact")
    steno("entries", "remember", "prices are in cents", "--category", "fact", "--everywhere")
    monkeypatch.chdir(home / "zoo")
    [zebra] = lines(steno("entries", "remember", "the zebra bites", "--category", "fact", "--json"))

    def listed(*where):
        return [entry["summary"] for entry in lines(steno("entries", "--json", *where))]

    assert listed() == ["prices are in cents", "the zebra bites"]
    assert listed("--project", "../shop") == ["the till is red", "prices are in cents"]
    assert listed("--everywhere") == ["the till is red", "prices are in cents", "the zebra bites"]
    steno("entries", "share", zebra["id"], "--with", "../shop")
    assert listed("--project", f"{home}/shop") == listed("--everywhere")


def test_promises_can_be_asked_for_as_resolved_or_not(steno):
    for who in ("Ann", "Bob"):
        steno("entries", "remember", f"I will call {who}.", "--category", "commitment")
    steno("entries", "remember", "The door is blue.", "--category", "fact")
    kept, open_ = (entry["id"] for entry in lines(steno("entries", "--category", "commitment", "--json")))
    steno("entries", "revise", kept, "--status", "done")
    for choice, ids in (("--resolved", [kept]), ("--unresolved", [open_])):
        assert [entry["id"] for entry in lines(steno("entries", choice, "--json"))] == ids
    assert steno("entries", "--unused").stdout == "No entry fits.\n"


def test_an_empty_store_says_how_to_begin(steno):
    hint = "`--everywhere` lists all; `steno capture --all` reads the whole history."
    assert steno("entries").stdout == f"No entries here. {hint}\n"
    assert lines(steno("entries", "--json")) == []


def test_the_list_is_what_people_said_the_newest_first_with_what_it_answered(steno, refusal):
    assert steno("entries").stdout.splitlines() == [
        RULE,
        "  to: Understood, I take PostgreSQL instead.",
        f"  rule  {ids_of(steno)[RULE]}  {age('2026-03-01T10:02:00Z')}  shop",
        REFUSAL,
        "  to: I suggest MongoDB for the orders. Shall I set it up?",
        f"  rejected  {refusal['id'][:8]}  {age('2026-03-01T10:01:00Z')}  shop",
    ]


def test_twenty_are_listed_and_how_many_more_there_are(steno, transcript):
    steno("capture", transcript(*TALK), "--source", "jsonl")
    for number in range(30):
        steno("entries", "remember", f"door {number} is blue", "--category", "fact", "--everywhere")
    steno("entries", "archive", ids_of(steno)["door 29 is blue"])
    *listed, more = steno("entries").stdout.splitlines()
    assert listed[::2] == [f"door {number} is blue" for number in range(28, 8, -1)]
    assert more == "12 more, also what agents said and what is over: `steno entries --all`"
    *every, last = steno("entries", "--all").stdout.splitlines()
    assert every[0:2] == ["door 29 is blue", f"  fact  {ids_of(steno)['door 29 is blue']}  now  archived"]
    assert (len([line for line in every if line[0] != " "]), last[:12]) == (32, "  rejected  ")
    *facts, more = steno("entries", "--category", "fact").stdout.splitlines()
    assert (len(facts), more) == (40, "10 more: `steno entries --all`")


def test_the_same_words_are_listed_once_where_they_were_said_last(steno, home):
    for place, words in (("shop", "the door is red"), ("zoo", "the door is blue"), ("zoo", "the door is red")):
        (home / place).mkdir(exist_ok=True)
        steno("entries", "remember", words, "--category", "fact", "--project", f"./{place}")
    listed = steno("entries").stdout.splitlines()
    assert (listed[0], listed[2], len(listed)) == ("the door is red", "the door is blue", 4)
    assert listed[1].endswith("  zoo")


def test_no_words_stand_twice_in_a_list_or_a_page(steno, transcript):
    offer = "I could put the orders into a table of their own. Shall I move the orders to a new table?"
    path = transcript(
        said(offer, role="assistant", id="1"),
        said("no, never move the orders", id="2"),
        said("Understood.", role="assistant", id="3"),
        said("no, never move the orders", id="4", session="s2"),
        said("always ask before you move the orders", id="5", session="s2"),
    )
    steno("capture", path, "--source", "jsonl")
    pages = [steno("entries").stdout, steno("status").stdout, steno("review").stdout]
    pages += [steno("entries", "show", id_).stdout for id_ in ids_of(steno).values()]
    for words in (offer, "no, never move the orders", "always ask before you move the orders"):
        assert [page.count(words) for page in pages if words in page]
        assert all(page.count(words) <= 1 for page in pages)


@pytest.mark.parametrize("command", [["entries"], ["entries", "remember", "x"], ["entries", "revise", "x"]])
def test_an_unknown_category_lists_the_known_ones(steno, command):
    missed = steno(*command, "--category", "nix")
    assert (missed.exit_code, missed.stdout) == (2, "")
    assert "'nix' is not one of 'decision', 'rejected', 'rule', " in missed.stderr


def test_show_gives_the_quotes_and_where_they_stand(steno, refusal):
    shown = steno("entries", "show", refusal["id"][:8]).stdout
    assert shown.startswith(f"rejected  {refusal['id']}  2026-03-01T10:01:00.000Z\n  ")
    assert "refused  " not in shown
    assert "\nstatus      active\ncertainty   confirmed, confidence " in shown
    assert re.search(r"\nproposed by \S.*\n", shown)
    assert "\nproject     /shop\n" in shown
    assert shown.splitlines()[1:4] == [
        f"  {REFUSAL}",
        "  to: I suggest MongoDB for the orders. Shall I set it up?",
        "user  #3  2026-03-01T10:01:00.000Z  s1  line 3",
    ]


def test_show_tells_what_a_model_or_a_person_added(steno, refusal, monkeypatch):
    from msgspec import structs

    from steno.memory import Memory
    from steno.vocabulary.details import Call, Exchange, Rejected, Stance, Weight

    detail = Rejected(
        stance=Stance(refused="MongoDB", wanted="PostgreSQL", why="it lost our data", until="Friday", reach="work"),
        exchange=Exchange(
            said=REFUSAL,
            kind="proposal",
            answered="Shall I set it up?",
            call=Call("Bash", "docker run mongo"),
            afterwards="redone",
        ),
        weight=Weight("reject", 0.93, 0.2, 0.7),
        about=["mongo"],
    )
    asked = Memory.entry
    other = {"detail": detail, "summary": "MongoDB is out.", "confidence": 0.62, "cue": "reject"}
    monkeypatch.setattr(Memory, "entry", lambda memory, id_: structs.replace(asked(memory, id_), **other))
    shown = steno("entries", "show", refusal["id"]).stdout.splitlines()
    assert shown[6:] == [
        "status      active",
        "certainty   confirmed, confidence 62%",
        "proposed by reject",
        "origin      user",
        "reach       for the piece of work at hand",
        "refused     MongoDB",
        "wanted      PostgreSQL",
        "why         it lost our data",
        "until       Friday",
        "about       mongo",
        "subject     mongodb; lost; data",
        "domain      GENERAL",
        "project     /shop",
        "agent       main",
        "accessed    never",
    ]
    assert shown[1:6] == [
        f"  {REFUSAL}",
        "  stopped: Bash docker run mongo",
        "  to: Shall I set it up?",
        "  afterwards: redone",
        "user  #3  2026-03-01T10:01:00.000Z  s1  line 3",
    ]


def test_a_stopped_call_is_told_once():
    from steno.cli.looks.entries import exchange
    from steno.testing import an_entry
    from steno.vocabulary import Evidence
    from steno.vocabulary.details import Call, Exchange, Rejected

    said = Exchange(said="stop", kind="call", answered="Read shop.py", call=Call("Read", "shop.py"))
    quotes = [
        Evidence(session="s", turn=turn, line=turn, role=role, quote=quote)
        for turn, role, quote in ((2, "user", "stop"), (1, "assistant", "shop.py"))
    ]
    entry = an_entry("rejected", "stop", Rejected(exchange=said), evidence=quotes)
    assert list(exchange(entry)) == [("stopped", "Read shop.py")]


def test_show_says_who_told_what_nobody_said_in_a_session(steno):
    [told] = lines(steno("entries", "remember", "prices are in cents", "--category", "fact", "--json"))
    shown = steno("entries", "show", told["id"]).stdout.splitlines()
    assert shown[:3] == [f"fact  {told['id']}  {told['created_at']}", "  prices are in cents", "told by     a person"]


def test_show_as_json_is_the_entry_with_how_it_came_about(steno, refusal):
    [whole] = lines(steno("entries", "show", refusal["id"], "--json"))
    assert set(whole) == {*KEYS, *UNUSED, "access", "freshness", "links"}
    assert {name: whole[name] for name in (*KEYS, *UNUSED)} == refusal
    assert (whole["project"], whole["agent"], whole["repeated"]) == ("/shop", "main", 0)
    assert whole["cue"]


def test_an_entry_tells_how_much_it_is_used_and_what_it_has_to_do_with_others(steno, refusal):
    assert "\naccessed    never\n" in steno("entries", "show", refusal["id"]).stdout
    found = lines(steno("recall", REFUSAL, "--within", "entries", "--json"))
    [whole] = lines(steno("entries", "show", refusal["id"], "--json"))
    [listed] = [one for one in lines(steno("entries", "--json")) if one["id"] == refusal["id"]]
    assert (whole["access"]["recalled"], whole["access_count"], listed["access_count"]) == (1, 1, 1)
    assert listed["last_accessed"] == whole["last_accessed"] is not None
    together = {link["id"] for link in whole["links"] if link["kind"] == "recalled together"}
    assert together == {hit["id"] for hit in found[:5]} - {refusal["id"]} != set()
    shown = steno("entries", "show", refusal["id"]).stdout
    assert "\naccessed    recalled once, last " in shown
    assert all(f"\nrecalled together {id_}: " in shown for id_ in together)


@pytest.mark.parametrize("command", ["show", "archive", "revise --status done"])
def test_an_unknown_entry_is_an_error_with_a_hint(steno, learnt, command):
    missed = steno("entries", *command.split(), "nix", "--json")
    assert (missed.exit_code, missed.stdout) == (1, "")
    assert missed.stderr == "steno: no entry 'nix'\n  → `steno entries` lists them\n"


# -- what people say ---------------------------------------------------------------------------------------------------


def test_what_a_person_tells_is_remembered(steno, learnt):
    about = ("--category", "fact", "--project", "shop", "--agent", "main")
    told = steno("entries", "remember", "Prices", "are in cents.", *about)
    [entry] = lines(steno("entries", "--category", "fact", "--json"))
    assert told.stdout == f"Remembered {entry['id']}  fact  Prices are in cents.\n"
    assert entry.pop("created_at")
    assert entry == {
        "id": entry["id"], "category": "fact", "status": "active", "certainty": "confirmed",
        "summary": "Prices are in cents.", "detail": {"keeps": "known"}, "origin": "edit", "tags": ["human"],
        "domain": "GENERAL", "session": "", "project": "/shop", "repeated": 0, "superseded_by": None, "evidence": [],
        "agent": "main", "subject": [], "confidence": 1.0, "cue": "a person told us", "repeated_at": None, **UNUSED,
    }  # fmt: skip
    assert "\nproject     /shop\nagent       main\n" in steno("entries", "show", entry["id"]).stdout


def test_a_field_of_work_is_told_by_a_person_or_is_the_only_one_of_the_agent(steno, transcript):
    steno("agents", "set", "smith", "--domain", "repository")
    steno("agents", "set", "jack", "--domain", "repository", "--domain", "web")
    steno("entries", "remember", "Prices are in cents.", "--category", "fact", "--domain", "shop")
    heard = {"smith": "Always sign commits.", "jack": "Always answer in German.", "nobody": "Always sign the tags."}
    turns = (said(words, id=words, session=agent, agent=agent, project="/p") for agent, words in heard.items())
    steno("capture", transcript(*turns), "--source", "jsonl")
    found = lines(steno("entries", "--json"))
    assert {entry["summary"]: entry["domain"] for entry in found} == {
        "Prices are in cents.": "SHOP", heard["smith"]: "REPOSITORY",
        heard["jack"]: "GENERAL", heard["nobody"]: "GENERAL",
    }  # fmt: skip
    [shop] = lines(steno("entries", "--domain", "Shop", "--json"))
    assert shop["summary"] == "Prices are in cents."
    assert steno("entries", "--domain", "WEB").stdout == "No entry fits.\n"
    steno("notebook", "sync")
    steno("store", "rebuild")
    assert [entry["domain"] for entry in lines(steno("entries", "--domain", "shop", "--json"))] == ["SHOP"]
    assert "one word" in steno("entries", "remember", "x", "--category", "fact", "--domain", "two words").stderr


def test_who_opens_the_file_sees_what_holds_with_its_field_and_details(steno, home):
    (home / "shop").mkdir()
    place = ("--project", "./shop", "--domain", "operations")
    steno("entries", "remember", "No Redis.", "--category", "rejected", *place)
    steno("entries", "remember", "No Kafka.", "--category", "rejected")
    kafka = next(entry for entry in lines(steno("entries", "--json")) if "Kafka" in entry["summary"])
    steno("entries", "revise", kafka["id"], "--status", "done")
    with closing(sqlite3.connect(home / "steno" / "steno.db")) as file:
        rows = file.execute(
            "SELECT category, summary, detail ->> '$.stance.reach', domain FROM v_active_state"
        ).fetchall()
        refused = file.execute("SELECT summary, domain, project FROM v_rejected").fetchall()
    assert rows == [("rejected", "No Redis.", "standing", "OPERATIONS")]
    assert refused == [("No Redis.", "OPERATIONS", f"{home}/shop")]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["remember", "x"], "say what kind of thing it is"),
        (["remember", " ", "--category", "fact"], "there is nothing to remember"),
        (["revise", "x"], "say what to change"),
        (["revise", "x", "--summary", " "], "the new summary is empty"),
        (["revise", "x", "--status", "forgotten"], "'forgotten' is not one of 'active', 'done', 'archived'"),
    ],
)
def test_wrong_use_says_what_to_do(steno, args, said):
    missed = steno("entries", *args)
    assert (missed.exit_code, missed.stdout) == (2, "")
    assert said in missed.stderr
    assert "\n  → " in missed.stderr


def test_a_revised_entry_is_the_persons(steno, refusal):
    args = ["--summary", "Never use MongoDB.", "--category", "rule", "--status", "done"]
    [revised] = lines(steno("entries", "revise", refusal["id"], *args, "--json"))
    changes = {"summary": "Never use MongoDB.", "category": "rule", "status": "done", "origin": "edit"}
    assert {**revised, "detail": refusal["detail"], **UNUSED} == {**refusal, **changes}
    assert "refused" not in revised["detail"]["stance"]
    told = steno("entries", "revise", refusal["id"], "--status", "active")
    assert told.stdout == f"Revised {refusal['id']}  rule  Never use MongoDB.\n"
    assert lines(steno("entries", "show", refusal["id"], "--json"))[0]["status"] == "active"


def test_an_archived_entry_is_laid_aside_and_can_come_back(steno, refusal):
    assert steno("entries", "archive", refusal["id"]).stdout.startswith(f"Archived {refusal['id']}  rejected  ")
    [archived] = lines(steno("entries", "archive", refusal["id"], "--json"))
    assert archived | UNUSED == {**refusal, "status": "archived"}
    steno("entries", "revise", refusal["id"], "--status", "active")
    assert lines(steno("entries", "--status", "archived", "--json")) == []


# -- on a terminal -----------------------------------------------------------------------------------------------------


def test_hostile_words_do_not_drive_the_terminal(terminal, steno, transcript, without_colours):
    steno("capture", transcript(*TALK, said(f"{RULE}, {HOSTILE}", id="6", project=HOSTILE)), "--source", "jsonl")
    steno("entries", "remember", f"Look {HOSTILE}", "--category", "fact")
    ids = [entry["id"] for entry in lines(steno("entries", "--json"))][-2:]
    for command in ([], ["show", ids[0]], ["show", ids[1]]):
        rest = without_colours(terminal("entries", *command)[1])
        assert [sign for sign in rest if ord(sign) < 32 and sign != "\n"] == [], command
        assert "\u202e" not in rest


def test_the_list_fits_eighty_columns_and_says_what_is_done(terminal, steno, without_colours):
    long = "a long sentence " * 40
    for number in range(3):
        steno("entries", "remember", f"{number} {long}", "--category", "commitment", "--everywhere")
    ids = ids_of(steno)
    first = ids[f"0 {long}".strip()]
    steno("entries", "revise", first, "--status", "done")
    code, drawn = terminal("entries", "--all")
    where, *shown = without_colours(drawn).splitlines()
    assert (code, where, max(map(len, shown)) <= 80) == (0, "in all projects: this folder belongs to none", True)
    assert shown[-2].endswith("…")
    assert shown[-7:-6] == ["0 a long sentence a long sentence a long sentence a long sentence a long"]
    assert shown[-1] == f"  commitment  {first}  now  done"
    assert len(shown) == 21
