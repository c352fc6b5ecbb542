"""`steno entries believes` through its real door."""

import json
import sqlite3
from itertools import pairwise

import pytest

from steno.testing import said

FIRST, THEN = (f"Let's go with {what} for the customer orders and invoices." for what in ("Postgres", "SQLite"))


@pytest.fixture(autouse=True)
def heard(transcript, steno):
    path = transcript(
        said(FIRST, id="1", at="2026-03-01T09:00:00Z", project="/shop"),
        said("Fine, I set it up.", role="assistant", id="2", at="2026-03-01T09:00:05Z"),
        said(THEN, id="3", at="2026-03-03T09:00:00Z"),
        said("Never write customer names into a log.", id="4", at="2026-03-03T10:00:00Z"),
    )
    assert steno("capture", path, "--source", "jsonl").exit_code == 0
    assert steno("scribe").exit_code == 0


def beliefs(steno, *args):
    return [json.loads(line) for line in steno("believes", *args, "--json").stdout.splitlines()]


def decision(found):
    [one] = [belief for belief in found if belief["last"]["entry"]["category"] == "decision"]
    return one


def test_the_last_word_comes_with_what_it_took_the_place_of(steno):
    one = decision(beliefs(steno, "customer", "orders"))
    told = [
        (
            held["since"],
            held["until"],
            [(said["session"], said["line"], said["quote"]) for said in held["entry"]["evidence"]],
        )
        for held in (one["last"], *one["before"])
    ]
    assert one["holds"] is True
    assert told == [
        ("2026-03-03T09:00:00.000Z", None, [("s1", 3, THEN)]),
        ("2026-03-01T09:00:00.000Z", "2026-03-03T09:00:00.000Z", [("s1", 1, FIRST)]),
    ]


def test_a_line_of_succession_is_told_once_whichever_end_is_found(steno):
    ids = [belief["last"]["entry"]["id"] for belief in beliefs(steno, "Postgres or SQLite for orders")]
    assert len(ids) == len({*ids})
    one, other = decision(beliefs(steno, "Postgres")), decision(beliefs(steno, "SQLite"))
    recalled = [held.pop("access")["recalled"] for found in (one, other) for held in (found["last"], *found["before"])]
    assert (one, recalled) == (other, [1, 1, 2, 2])


def test_what_was_laid_aside_comes_last_with_its_end(steno):
    id_ = decision(beliefs(steno, "orders"))["last"]["entry"]["id"]
    steno("entries", "revise", id_, "--summary", "orders are kept in DuckDB")
    steno("entries", "archive", id_)
    found = beliefs(steno, "customer orders")
    assert [belief["holds"] for belief in found] == sorted((belief["holds"] for belief in found), reverse=True)
    laid = decision(found)
    assert (laid["holds"], found[-1]) == (False, laid)
    changes = laid["last"]["changes"]
    assert [(change["act"], change["summary"]) for change in changes] == [
        ("revise", "orders are kept in DuckDB"),
        ("archive", None),
    ]
    assert laid["last"]["until"] == changes[-1]["at"]


def test_a_guess_is_called_one_with_how_sure_it_is(steno):
    import steno as library

    with library.open() as memory:
        id_ = memory.remember("The proxy drops the header.", category="discovery", by_agent=True).id
        memory.home.store.entries._database._connection.execute(
            "UPDATE entries SET certainty = 'hypothesis', confidence = 0.4 WHERE id = ?", (id_,)
        )
    [guess] = [one for one in beliefs(steno, "proxy header") if one["guess"]]
    entry = guess["last"]["entry"]
    assert (guess["holds"], entry["category"], entry["certainty"]) == (False, "discovery", "hypothesis")
    head = f"a guess, 40% sure  discovery  {id_}  since {entry['created_at']}"
    assert head in steno("believes", "proxy header").stdout.splitlines()


def test_a_contradiction_a_person_settled_has_its_end_there(steno):
    ids = [
        json.loads(steno("entries", "remember", words, "--category", "rule", "--json").stdout)["id"]
        for words in ("always feed the zebra", "never feed the zebra")
    ]
    import steno as library

    with library.open() as memory:
        with memory.home.store.entries.write():
            memory.home.store.reviews.put(*ids, "they cannot both be true")
        [review] = memory.reviews()
        memory.resolve(review.id, "other")
    [belief] = beliefs(steno, "zebra")
    assert (belief["last"]["entry"]["id"], [held["entry"]["id"] for held in belief["before"]]) == (ids[1], [ids[0]])
    assert belief["before"][0]["until"] == belief["before"][0]["changes"][0]["at"]


def test_a_project_of_its_own_knows_nothing_of_the_others(steno, home):
    (home / "blog").mkdir()
    assert beliefs(steno, "orders", "--project", "blog/") == []
    assert steno("believes", "orders", "--project", "./blog").stdout.startswith("Nothing is known about this. ")
    assert decision(beliefs(steno, "orders", "--project", "shop"))["holds"]


def test_what_is_only_nearest_to_a_topic_is_not_said_to_hold_on_it(with_meaning, steno):
    steno("store", "embed")
    assert "Never write customer names" in steno("recall", "customer satisfaction survey").stdout
    assert beliefs(steno, "customer satisfaction survey") == []
    told = "Nothing is known about this. `steno recall` looks through everything that was said.\n"
    assert steno("believes", "customer satisfaction survey").stdout == told
    assert decision(beliefs(steno, "customer orders"))["holds"]


def test_as_lines_for_people(steno):
    lines = steno("believes", "customer orders").stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("holds  decision"))
    head, summary, where, before, was, there, why = lines[place : place + 7]
    assert head.endswith("since 2026-03-03T09:00:00.000Z")
    assert (summary, where) == (f"  {THEN}", "    ✓ user, s1 line 3, turn 3")
    assert before.startswith("  before  ")
    assert before.endswith(" until 2026-03-03T09:00:00.000Z")
    assert (was, there) == (f"    {FIRST}", "    ✓ user, s1 line 1, turn 1")
    assert why == "    newer words took its place"
    assert lines[-1] == "✓ All 3 quotes were found in the journal just now, word for word."


def test_a_quote_that_is_not_in_the_journal_any_more_is_marked(steno, home):
    database = sqlite3.connect(home / "steno" / "steno.db")
    with database:
        database.execute("UPDATE turns SET text = 'somebody else was here' WHERE text = ?", (THEN,))
    database.close()
    one = decision(beliefs(steno, "customer orders"))
    assert (one["last"]["verified"], one["before"][0]["verified"]) == ([False], [True])
    told = steno("believes", "customer orders").stdout.splitlines()
    assert "    ✗ not in the journal: user, s1 line 3, turn 3" in told
    assert told[-1] == "✗ 1 of 3 quotes not found in the journal: `steno store doctor`"


def test_what_was_corrected_is_told_with_the_words_from_before(steno):
    entry = decision(beliefs(steno, "orders"))["last"]["entry"]
    steno("entries", "revise", entry["id"], "--summary", "orders are kept in DuckDB")
    steno("entries", "revise", entry["id"], "--summary", "orders are kept in Parquet")
    changes = decision(beliefs(steno, "orders"))["last"]["changes"]
    assert [(change["was"], change["summary"]) for change in changes] == [
        (entry["summary"], "orders are kept in DuckDB"),
        ("orders are kept in DuckDB", "orders are kept in Parquet"),
    ]
    told = steno("believes", "orders").stdout
    assert f"    user: “{THEN}”\n" in told
    assert f"was “{entry['summary']}”, then “orders are kept in DuckDB”\n" in told
    assert "was “orders are kept in DuckDB”\n" in told


def test_who_was_told_is_named_the_latest_first(steno):
    steno("brief", "--session", "s1", "--given")
    for _ in range(4):
        steno("gate", "before", "shop-bot", "write customer names into a log", "--session", "s1")
    [rule] = [one for one in beliefs(steno, "customer names") if one["last"]["entry"]["category"] == "rule"]
    given = [(one["kind"], one["why"], one["session"], one["agent"]) for one in rule["last"]["given"]]
    assert (rule["last"]["times_given"], given) == (
        5,
        [("gate", "action", "s1", "shop-bot")] * 4 + [("brief", "asked", "s1", None)],
    )
    told = [line for line in steno("believes", "customer names").stdout.splitlines() if line.startswith("    given")]
    assert told[0].endswith(" to shop-bot (gate, action), session s1")
    assert told[3] == "    given 2 times before"


def test_what_cannot_hold_beside_it_is_told(steno):
    ids = [
        json.loads(steno("entries", "remember", words, "--category", "rule", "--json").stdout)["id"]
        for words in ("always feed the zebra", "never feed the zebra")
    ]
    found = {one["last"]["entry"]["id"]: one["against"] for one in beliefs(steno, "zebra")}
    told = {"category": "rule", "reason": "they say the opposite", "answer": None}
    assert found == {
        ids[0]: [{"id": ids[1], "summary": "never feed the zebra", **told}],
        ids[1]: [{"id": ids[0], "summary": "always feed the zebra", **told}],
    }
    assert f"  against {ids[1]}  rule, not settled, `steno review` asks" in steno("believes", "zebra").stdout


def test_on_a_terminal_what_holds_stands_out(terminal, without_colours):
    code, drawn = terminal("believes", "customer orders")
    assert code == 0
    assert "\x1b[32mholds" in drawn
    assert "since 2026-03-03" in without_colours(drawn)


def test_what_an_agent_proposes_is_its_word_and_a_refusal_ends_it(steno, transcript):
    offer = "I decided to keep the login token in localStorage, because it is the simplest."
    talk = [
        said("where does the token live?", id="1", session="s2", at="2026-03-04T09:00:00Z"),
        said(offer, role="assistant", id="2", session="s2", at="2026-03-04T09:01:00Z"),
    ]
    assert steno("capture", transcript(*talk, name="s2"), "--source", "jsonl").exit_code == 0
    assert "the agent said  decision" in steno("believes", "token in localStorage").stdout
    refused = said("no, I don't want a login token in localStorage", id="3", session="s2", at="2026-03-04T09:02:00Z")
    assert steno("capture", transcript(refused, name="s3"), "--source", "jsonl").exit_code == 0
    lines = steno("believes", "token in localStorage").stdout.splitlines()
    stands = {line.strip(): head.split("  ")[0] for head, line in pairwise(lines)}
    assert (stands["no, I don't want a login token in localStorage"], stands[offer]) == ("holds", "laid aside")
