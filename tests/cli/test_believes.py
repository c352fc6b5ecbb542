"""`steno believes` through its real door."""

import json

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
    assert decision(beliefs(steno, "Postgres")) == decision(beliefs(steno, "SQLite"))


def test_what_was_laid_aside_comes_last_with_its_end(steno):
    id_ = decision(beliefs(steno, "orders"))["last"]["entry"]["id"]
    steno("revise", id_, "--summary", "orders are kept in DuckDB")
    steno("archive", id_)
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


def test_a_guess_is_called_one_with_how_sure_it_is(steno, transcript):
    letter = "The releases of the last weeks went out on Mondays, and on Tuesdays the numbers came in. " * 4
    path = transcript(said(f"{letter}\n\nalways indent with tabs.\n\n{letter}", session="s2"), name="letter.jsonl")
    steno("capture", path, "--source", "jsonl")
    [guess] = [one for one in beliefs(steno, "indent with tabs") if one["guess"]]
    entry = guess["last"]["entry"]
    assert (guess["holds"], entry["category"], entry["certainty"]) == (False, "rule", "hypothesis")
    head = f"a guess, {entry['confidence']:.0%} sure  rule  {entry['id']}  since some day"
    assert head in steno("believes", "indent with tabs").stdout.splitlines()


def test_a_contradiction_a_person_settled_has_its_end_there(steno):
    ids = [
        json.loads(steno("remember", words, "--category", "fact", "--json").stdout)["id"]
        for words in ("the zebra lives in Graz", "the zebra lives in Linz")
    ]
    import steno as library

    with library.open() as memory:
        with memory._store.entries.write():
            memory._store.reviews.put(*ids, "they cannot both be true")
        [review] = memory.reviews()
        memory.resolve(review.id, "other")
    [belief] = beliefs(steno, "zebra")
    assert (belief["last"]["entry"]["id"], [held["entry"]["id"] for held in belief["before"]]) == (ids[1], [ids[0]])
    assert belief["before"][0]["until"] == belief["before"][0]["changes"][0]["at"]


def test_a_project_of_its_own_knows_nothing_of_the_others(steno):
    assert beliefs(steno, "orders", "--project", "/blog") == []
    assert steno("believes", "orders", "--project", "/blog").stdout == "Nothing is known about this.\n"


def test_as_lines_for_people(steno):
    lines = steno("believes", "customer orders").stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("holds  decision"))
    head, summary, quote, where, before, was, old, there = lines[place : place + 8]
    assert head.endswith("since 2026-03-03T09:00:00.000Z")
    assert summary == f"  The user decides: “{THEN}”"
    assert (quote, where) == (f"    user: “{THEN}”", "    s1 line 3  #3")
    assert before.startswith("  before  ")
    assert before.endswith(" until 2026-03-03T09:00:00.000Z")
    assert was == f"    The user decides: “{FIRST}”"
    assert (old, there) == (f"    user: “{FIRST}”", "    s1 line 1  #1")


def test_on_a_terminal_what_holds_stands_out(terminal, without_colours):
    code, drawn = terminal("believes", "customer orders")
    assert code == 0
    assert "\x1b[32mholds" in drawn
    assert "since 2026-03-03" in without_colours(drawn)
