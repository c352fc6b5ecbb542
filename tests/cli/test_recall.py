"""`steno recall`, `steno store embed` and `rebuild --vectors`, and what a capture and the status say about vectors."""

import json
import re

import pytest
from msgspec import structs

from steno.testing import said
from steno.vocabulary import Hit, Neighbour, Recallable
from steno.vocabulary.errors import NoEmbedding, StoreFull

REFUSAL = "no, never use MongoDB here, it lost our data"
TALK = [
    said("Build the order service.", id="1", at="2026-03-01T10:00:00Z", project="/shop", agent="main"),
    said("I suggest MongoDB for the orders. Shall I set it up?", role="assistant", id="2", at="2026-03-01T10:00:05Z"),
    said(REFUSAL, id="3", at="2026-03-01T10:01:00Z"),
    said("Understood, I take PostgreSQL instead.", role="assistant", id="4", at="2026-03-01T10:01:05Z"),
    said("Customers are charged twice when they press back.", id="5", at="2026-03-03T10:00:00Z"),
]
HIT_KEYS = [
    "id", "kind", "score", "reason", "session", "source", "turn", "line", "native_id", "text", "quote", "at", "origin",
    "category", "status", "folded", "context", "earlier", "later", "likely",
]  # fmt: skip
HIT = Hit(
    id="ab12", kind="entry", score=1.5, reason="rule; words: lint", session="s1", source="jsonl", turn=7, line=9,
    native_id="n", text="Run lint\nfirst.", quote="always run lint", at="2026-03-01T10:00:00.000Z", origin="user",
    category="rule", status="superseded", folded=2,
    context=(Neighbour(6, "assistant", "Shall I\ncommit?"), Neighbour(8, "assistant", "word " * 100)),
)  # fmt: skip
NEAREST = "`--nearest` shows what comes closest."
MISSING = NoEmbedding("vectors need the package numpy", hint="pip install 'steno-memory[embedding]'")


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def captured(steno, transcript):
    """The talk, captured: what the capture said."""
    return steno("capture", transcript(*TALK), "--source", "jsonl", "--json")


def _answer(monkeypatch, *hits, note=""):
    now = Recallable(vectors=3, waiting=0, model="some", note=note)
    monkeypatch.setattr("steno.memory.Memory.recallable", lambda self: now)
    monkeypatch.setattr("steno.memory.Memory.recall", lambda self, query, **more: list(hits))


# -- recall by words ---------------------------------------------------------------------------------------------------


def test_recall_gives_the_fields_of_a_hit(steno, talk):
    [hit] = lines(steno("recall", "SQLite", "-k", "1", "--within", "turns", "--json"))
    assert list(hit) == HIT_KEYS
    assert isinstance(hit.pop("score"), float)
    assert 0.0 < hit.pop("likely") < 1.0
    assert isinstance(hit.pop("reason"), str)
    assert hit == {
        "id": 1, "kind": "turn", "session": "talk-1", "source": "jsonl", "turn": 1, "line": 1, "native_id": "a",
        "text": "Why SQLite?", "quote": "Why SQLite?", "at": "2026-03-01T10:00:00.000Z", "origin": "user",
        "category": None, "status": None, "folded": 0,
        "context": [{"turn": 2, "role": "assistant", "text": "No service to run."}], "earlier": None,
        "later": None,
    }  # fmt: skip


def test_recall_looks_through_entries_and_turns_unless_told_otherwise(steno, captured):
    kinds = {
        within: {hit["kind"] for hit in lines(steno("recall", "MongoDB", "order", "--within", within, "--json"))}
        for within in ("entries", "turns", "sessions", "all")
    }
    assert kinds == {"entries": {"entry"}, "turns": {"turn"}, "sessions": {"session"}, "all": {"entry", "turn"}}
    both = [steno("recall", "MongoDB", "order", *more, "--json").stdout for more in ([], ["--within", "all"])]
    assert [json.loads(line)["id"] for line in both[0].splitlines()] == [
        json.loads(line)["id"] for line in both[1].splitlines()
    ]


def test_an_entry_is_found_with_its_quote_and_where_that_stands(steno, captured):
    [hit, *_] = lines(steno("recall", "never use MongoDB", "--within", "entries", "--json"))
    assert hit["category"] in ("rejected", "rule")
    assert (hit["status"], hit["origin"], hit["turn"], hit["line"]) == ("active", "user", 3, 3)
    assert hit["quote"] in REFUSAL


def test_recall_keeps_to_a_project_an_agent_and_a_time(steno, captured, home):
    def found(*more):
        return {hit["turn"] for hit in lines(steno("recall", "charged MongoDB", "--within", "turns", *more, "--json"))}

    (home / "other").mkdir()
    assert found("--project", "./other") == found("--agent", "other") == set()
    assert found("--project", "/shop", "--agent", "main") >= {2, 3, 5}
    assert found("--at", "2026-03-02") >= {2, 3}
    assert 5 not in found("--at", "2026-03-02")
    assert found("--at", "2026-02-01") == set()


def test_what_was_laid_aside_comes_up_only_with_past(steno, captured):
    [hit, *_] = lines(steno("recall", "never use MongoDB", "--within", "entries", "--json"))
    steno("entries", "archive", hit["id"])

    def ids(*more):
        return [
            hit["id"] for hit in lines(steno("recall", "never use MongoDB", "--within", "entries", "--json", *more))
        ]

    assert hit["id"] not in ids()
    assert hit["id"] in ids("--past")
    assert f"{hit['category']}  archived  user  {hit['id']}" in steno("recall", "never use MongoDB", "--past").stdout


def test_a_budget_makes_the_answer_smaller(steno, transcript):
    turns = [said(f"The {word} of MongoDB: " + "and so on " * 200, id=word) for word in ("cost", "speed", "licence")]
    steno("capture", transcript(*turns), "--source", "jsonl")
    whole, small = (steno("recall", "MongoDB", *more, "--json").stdout for more in ([], ["--budget", "150"]))
    assert 0 < len(small) < len(whole) / 3
    assert lines(steno("recall", "MongoDB", "--budget", "1", "--json")) == []


@pytest.mark.parametrize(
    "args",
    [["--budget", "0"], ["--at", "yesterday"], ["--within", "files"], ["-k", "0"]],
    ids=lambda args: args[0],
)
def test_wrong_use_says_what_to_do(steno, args):
    missed = steno("recall", "x", *args)
    assert (missed.exit_code, missed.stdout) == (2, "")
    assert "\n  → see `steno recall --help`" in missed.stderr


def test_recall_that_finds_nothing_says_so(steno, talk):
    found = steno("recall", "xyzzy")
    assert (found.exit_code, found.stdout, found.stderr) == (0, "", f"Nothing fits 'xyzzy'. {NEAREST}\n")


def test_recall_that_finds_nothing_says_which_name_nobody_ever_said(steno, talk):
    found = steno("recall", "which opera came with the Zauberkiste yesteryear?")
    assert found.stderr.endswith(f"yesteryear?'. Nobody ever said Zauberkiste in what was searched. {NEAREST}\n")


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_not_answered_but_said_to_be_empty(steno, talk, question):
    found = steno("recall", question)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("steno: the question is empty\n  → ")


def test_of_a_question_of_five_thousand_words_only_the_beginning_is_repeated(steno, talk):
    found = steno("recall", "xyzzy " * 5_000)
    assert (found.exit_code, found.stdout) == (0, "")
    assert found.stderr.startswith("Nothing fits 'xyzzy xyzzy")
    assert found.stderr.endswith(f"…'. {NEAREST}\n")
    assert len(found.stderr) < 200


def test_what_fits_the_question_and_not_the_budget_is_not_said_to_be_nothing(steno, captured):
    found = steno("recall", "MongoDB", "--budget", "1")
    assert (found.exit_code, found.stdout, found.stderr) == (0, "", "Nothing fits 'MongoDB' within 1 token.\n")


def test_exactly_what_was_typed_and_the_nearest_are_found_on_request(steno, captured):
    assert [
        hit["turn"] for hit in lines(steno("recall", "--exact", "never use MongoDB", "--within", "turns", "--json"))
    ] == [3]
    assert lines(steno("recall", "--exact", "always use MongoDB", "--json")) == []
    unheard = "which opera did the emperor's gardener hum while pruning the roses for customers in Versailles?"
    assert steno("recall", unheard).stdout == ""
    shown = steno("recall", "--nearest", unheard).stdout
    assert "Customers are charged twice" in shown
    assert "The answer is probably not among these: it is with a likelihood of " in shown


def test_the_quote_of_an_exact_answer_is_the_place_where_the_words_stand(steno, transcript):
    long = "It alters tables when the tables alter, and so on. " * 12
    call = '{"file_path":"/home/sam/cookie-shop/shop/checkout.py","old":"%s","new":"zebra_total(order)"}' % ("x" * 300)
    steno("capture", transcript(said(f"{long}Run ALTER  TABLE orders now. {long}"), said(call)), "--source", "jsonl")
    [ours] = lines(steno("recall", "--exact", "alter table", "--within", "turns", "--json"))
    assert "Run ALTER  TABLE orders now." in ours["quote"]
    [path] = lines(steno("recall", "--exact", "shop/shop/checkout.py", "--within", "turns", "--json"))
    assert path["quote"].startswith(('{"file_path":"/home/sam/cookie-shop/shop', "/home/sam"))


# -- the page for people -----------------------------------------------------------------------------------------------


def test_a_page_shows_the_quote_where_it_stands_why_and_what_was_said_around_it(steno, monkeypatch):
    _answer(monkeypatch, HIT)
    around = ("word " * 100)[: 119 - len("after  assistant: ")]
    assert steno("recall", "lint").stdout == (
        "rule  superseded  user  ab12  2026-03-01T10:00:00.000Z\n"
        "  Run lint\n  first.\n"
        "  always run lint\n"
        "  jsonl s1 line 9  #7\n"
        "  rule; words: lint  score 1.5\n"
        "  before assistant: Shall I commit?\n"
        f"  after  assistant: {around}…\n"
        "  and 2 more like it\n\n"
    )


def test_a_page_shows_what_a_hit_is_newer_than_and_what_may_have_changed_it_since(steno, monkeypatch):
    earlier, later = Neighbour(3, "assistant", "no\nlint"), Neighbour(15, "user", "lint\nlast, please")
    _answer(monkeypatch, structs.replace(HIT, context=(), folded=0, earlier=earlier, later=later))
    assert steno("recall", "lint").stdout.endswith(
        "  rule; words: lint  score 1.5\n"
        "  perhaps changes #3 assistant: no lint\n"
        "  perhaps changed since, #15 user: lint last, please\n\n"
    )


def test_a_neighbour_who_said_nothing_takes_no_line(steno, monkeypatch):
    _answer(monkeypatch, structs.replace(HIT, context=(Neighbour(6, "assistant", " "), Neighbour(8, "user", "ok"))))
    page = steno("recall", "lint").stdout
    assert ("before" in page, "  after  user: ok\n" in page) == (False, True)


def test_what_nobody_ever_said_is_told_beside_what_was_found(steno, talk, monkeypatch):
    _answer(monkeypatch, structs.replace(HIT, likely=0.4))
    told = "likelihood of 40%. Nobody ever said Zauberkiste in what was searched.\n"
    assert steno("recall", "which opera came with the Zauberkiste yesteryear?").stdout.endswith(told)


def test_of_ten_that_were_meant_only_the_first_is_shown(steno, monkeypatch):
    _answer(monkeypatch, structs.replace(HIT, likely=0.81))
    told = "The answer is among the first ten, with a likelihood of 81%.\n"
    assert steno("recall", "-k", "1", "lint").stdout.endswith(told)


@pytest.mark.parametrize(
    ("likely", "told"),
    [
        (0.14, "The answer is probably not among these: it is with a likelihood of 14%.\n"),
        (0.4, "The answer may be among these, with a likelihood of 40%.\n"),
        (0.81, "The answer is among these, with a likelihood of 81%.\n"),
    ],
)
def test_what_is_probably_not_the_answer_is_said_to_be_that(steno, monkeypatch, likely, told):
    _answer(monkeypatch, structs.replace(HIT, likely=likely))
    assert steno("recall", "lint").stdout.endswith(told)


def test_on_a_terminal_the_command_that_shows_the_first_answer_whole_is_named(terminal, talk, without_colours, steno):
    _, drawn = terminal("recall", "SQLite", "--within", "turns", "-k", "1")
    command = "steno sessions show talk-1 --around 1"
    assert without_colours(drawn).endswith(f"whole, with what was said around it:\n  {command}\n")
    assert "--around" not in steno("recall", "SQLite").stdout


def test_a_turn_and_what_a_person_told_have_their_own_heads(steno, talk):
    assert steno("recall", "SQLite", "-k", "1", "--within", "turns").stdout.startswith(
        "turn  user  #1  2026-03-01T10:00:00.000Z\n  Why SQLite?\n  jsonl talk-1 line 1\n  words: sqlite  score "
    )
    [entry] = lines(steno("entries", "remember", "Prices are in cents.", "--category", "fact", "--json"))
    page = steno("recall", "prices", "cents").stdout
    assert page.startswith(f"fact  edit  {entry['id']}  ")
    assert "\n  Prices are in cents.\n  told by a person\n" in page


def test_on_a_terminal_the_page_fits_its_width_and_hostile_words_do_not_drive_it(
    terminal, steno, transcript, without_colours
):
    hostile = "\x1b[2J\x1b]0;owned\x07 \u202e "
    steno(
        "capture", transcript(*[said(f"{n} MongoDB {hostile}" + "very " * 60) for n in range(3)]), "--source", "jsonl"
    )
    code, drawn = terminal("recall", "MongoDB")
    shown = without_colours(drawn)
    assert code == 0
    assert max(map(len, shown.splitlines())) <= 80
    assert [sign for sign in shown if ord(sign) < 32 and sign != "\n"] == []
    assert "\u202e" not in shown


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_an_answer_lacks_is_said_beside_it(steno, monkeypatch, more):
    _answer(monkeypatch, HIT, note="found by words only: no vectors yet; `steno store embed` makes them")
    found = steno("recall", "lint", *more)
    assert (found.exit_code, bool(found.stdout)) == (0, True)
    assert found.stderr == "steno: found by words only: no vectors yet; `steno store embed` makes them\n"


# -- vectors, without a model ------------------------------------------------------------------------------------------


def test_a_capture_without_a_model_says_so_in_one_line_and_succeeds(steno, transcript, monkeypatch):
    monkeypatch.setenv("STENO_EMBEDDING", "nonsense")
    path = transcript(*TALK)
    captured = steno("capture", path, "--source", "jsonl", "--json")
    assert (captured.exit_code, json.loads(captured.stdout)["vectors"]) == (0, 0)
    assert re.fullmatch(r"steno: recall finds by words only: no model is called 'nonsense'; .*\n", captured.stderr)
    again = steno("capture", path, "--source", "jsonl")
    assert (again.exit_code, again.stderr) == (0, "")


@pytest.mark.parametrize("command", [["store", "embed"], ["store", "rebuild", "--vectors"]])
def test_vectors_without_a_model_are_an_error_with_a_hint(steno, captured, monkeypatch, command):
    def load(*_):
        raise MISSING

    monkeypatch.delenv("STENO_EMBEDDING")
    monkeypatch.setattr("steno.pipeline.derived.load", load)
    for more in ([], ["--json"]):
        missed = steno(*command, *more)
        assert (missed.exit_code, missed.stdout) == (1, "")
        assert missed.stderr == "steno: vectors need the package numpy\n  → pip install 'steno-memory[embedding]'\n"


def test_a_capture_brings_the_index_of_words_up_to_date_also_without_vectors(steno, captured, home):
    assert captured.exit_code == 0
    assert list((home / "steno" / "derived" / "words").rglob("mark.json"))


def test_switched_off_there_is_nothing_to_embed(steno, captured):
    assert steno("store", "embed").stdout == "There is nothing to embed.\n"
    assert lines(steno("store", "embed", "--json")) == [
        {"made": 0, "vectors": 0, "waiting": 0, "sketched": 0, "model": None, "note": ""}
    ]


def _making(monkeypatch, embed, after):
    """A capture after which something is missing, and what tries to make it."""
    states = [Recallable(vectors=1000, waiting=500, model="m", note="500 wait")]

    def make(self, progress, seconds):
        states.append(after)
        return embed(self, progress, seconds)

    monkeypatch.setattr("steno.memory.Memory.recallable", lambda self: states[-1])
    monkeypatch.setattr("steno.memory.Memory.embed", make)


def test_a_capture_makes_vectors_for_a_while_and_says_what_waits(steno, transcript, monkeypatch):
    given = []
    after = Recallable(vectors=1200, waiting=300, model="m", note="300 wait")
    _making(monkeypatch, lambda self, progress, seconds: given.append(seconds) or 200, after)
    captured = steno("capture", transcript(*TALK), "--source", "jsonl")
    assert (captured.exit_code, captured.stderr, given) == (0, "", [60])
    assert captured.stdout.endswith("\n  vectors      1,200 turns, about 300 wait\n")


@pytest.mark.parametrize(
    ("error", "said_on_the_way"),
    [(KeyboardInterrupt(), ""), (StoreFull("full", hint="make room"), "steno: vectors wait: full; make room\n")],
    ids=["ctrl-c", "disk full"],
)
def test_whatever_ends_the_making_of_vectors_the_capture_counts(steno, transcript, monkeypatch, error, said_on_the_way):
    def embed(self, progress, seconds):
        raise error

    _making(monkeypatch, embed, Recallable(vectors=1064, waiting=436, model="m", note="436 wait"))
    captured = steno("capture", transcript(*TALK), "--source", "jsonl", "--json")
    assert (captured.exit_code, captured.stderr) == (0, said_on_the_way)
    found = json.loads(captured.stdout)
    assert (found["turns"], found["vectors"]) == (5, 64)


def test_status_says_what_recall_lacks(steno, captured, monkeypatch):
    now = Recallable(vectors=1, waiting=4, model="m", note="about 4 turns wait")
    monkeypatch.setattr("steno.memory.Memory.recallable", lambda self: now)
    monkeypatch.setattr("steno.pipeline.derived.Derived.recallable", lambda self: now)
    assert "\nrecall    1 turn with vectors; about 4 turns wait\n" in steno("status", "--health").stdout
    [status] = lines(steno("status", "--json"))
    assert status["recall"] == {"vectors": 1, "waiting": 4, "sketched": 0, "model": "m", "note": "about 4 turns wait"}


# -- with the real model -----------------------------------------------------------------------------------------------


def test_by_meaning_other_words_find_it(with_meaning, steno, captured):
    assert json.loads(captured.stdout)["vectors"] == 5
    assert (captured.exit_code, captured.stderr) == (0, "")
    [first, *_] = lines(steno("recall", "people pay two times after going back a page", "-k", "3", "--json"))
    assert first["turn"] == 5
    assert "meaning: " in first["reason"]
    [status] = lines(steno("status", "--json"))
    assert status["recall"] == {"vectors": 5, "waiting": 0, "sketched": 0, "model": "minilm-l6-v2-int8", "note": ""}
    assert "\nrecall    5 turns with vectors; minilm-l6-v2-int8\n" in steno("status", "--health").stdout


def test_embed_makes_what_is_missing_and_rebuild_makes_it_anew(with_meaning, steno, transcript, monkeypatch):
    with monkeypatch.context() as off:
        off.setenv("STENO_EMBEDDING", "off")
        steno("capture", transcript(*TALK), "--source", "jsonl")
    before = steno("status", "--health").stdout
    assert "\nrecall    0 turns with vectors; found by words only: no vectors yet; " in before
    told = steno("store", "embed")
    assert re.match(
        r"Made vectors of \d+ turns and entries\.\n  vectors      5 turns  minilm-l6-v2-int8\n$", told.stdout
    )
    assert steno("store", "embed").stdout == "Nothing to do.\n  vectors      5 turns  minilm-l6-v2-int8\n"
    again = lines(steno("store", "rebuild", "--vectors", "--json"))[0]["embedded"]
    assert again.pop("made") >= 5
    assert again == {"vectors": 5, "waiting": 0, "sketched": 0, "model": "minilm-l6-v2-int8", "note": ""}
    assert steno("store", "rebuild", "--vectors").stdout == told.stdout


def test_embed_draws_a_counter_and_takes_it_away(with_meaning, terminal, captured):
    code, drawn = terminal("store", "rebuild", "--vectors")
    assert (code, "Making vectors" in drawn) == (0, True)
    assert "Made vectors" in drawn.rpartition("\x1b[2K")[2]


def test_who_asks_what_happened_is_pointed_at_the_page_of_the_day(steno, home, transcript):
    steno("capture", transcript({"session": "s", "role": "user", "text": "hello there", "at": "2026-03-03T09:00:00Z"}))
    days = home / "steno" / "notebook" / "days"
    days.mkdir(parents=True, exist_ok=True)
    (days / "2026-03-03.md").write_text("# 3 March\n")
    asked = steno("recall", "what happened on 3 March 2026").stdout
    assert asked.splitlines()[-1] == "The whole day: steno read days/2026-03-03.md"
    # Of a project nobody is shown what happened in all of them.
    assert "days/" not in steno("recall", "what happened on 3 March 2026", "--project", "/shop").stdout
