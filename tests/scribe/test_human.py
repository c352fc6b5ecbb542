"""What a person's turn gives: what is noted, about what, how surely, and what must not be taken for it.

The encoder is the one that ships. The tables hold plain words of every kind, written before it was taught; how well it
hears people it never met is measured in benchmarks/hearing.py.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steno.scribe import propose, uttered, weigh
from steno.scribe.cues import likelier
from steno.scribe.hear import own_sentences
from steno.vocabulary import Candidate, JournalTurn, Turn, Window
from steno.vocabulary.details import Call, Decided, Instructed, Rejected
from steno.vocabulary.turns import Kind, Role

OFFER = (
    "I looked at the cache layer. There are two ways to go:\n\n"
    "1. Keep `RedisCache` and add a TTL of 60 seconds\n"
    "2. Replace it by an in-process `LruCache` in `src/cache.py`\n"
    "3. Drop caching for now\n\n"
    "I'd suggest the in-process one since it needs no service. Want me to proceed with that?"
)
DONE = "Done. I added a `Scheduler` class to `jobs/scheduler.py` and a retry wrapper, and wrote tests for both."
PUBLISH = {"command": "npm publish --tag next"}


def said(text: str, *, number: int = 50, role: Role = "user", kind: Kind = "said", **more: Any) -> JournalTurn:
    turn = Turn(role=role, kind=kind, text=text, **more)
    return JournalTurn(id=number, source="claude-code", session="s", turn=turn)


def hear(text: str, before: str = "", *, stopped: bool = False, kind: Kind = "said") -> list[Candidate]:
    spoken = [said(before, number=40, role="assistant")] if before else []
    call = said(json.dumps(PUBLISH), number=41, role="assistant", kind="call", tool="Bash", call="c1")
    if stopped:
        spoken.append(said("[Request interrupted by user]", number=42, kind="interrupted"))
    return propose(said(text, kind=kind, call="c1" if kind == "denied" else None), Window(tuple(spoken), (call,)))


def one(text: str, before: str = "", **how: Any) -> Candidate:
    [found] = hear(text, before, **how)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "The API runs on port 3000.", "We release on Thursdays.", "Max line length is 100.", "deadline is Friday",
        "the staging server is at 10.0.0.4", "fyi the staging server is at 10.0.0.4", "our database is called shop",
        "Our standup is at 10.", "The CI runs on GitLab.", "Die API läuft auf Port 3000.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "I fixed the typo in the header.", DONE])
def test_how_things_are_set_up_is_a_fact(text: str, before: str) -> None:
    found = one(text, before)
    assert (found.category, found.certainty, found.summary) == ("fact", "confirmed", f"The user says: “{text}”")


@pytest.mark.parametrize(
    "text", ["the server is at 100% cpu", "it fails on line 100", "run it on port 3000", "can we release on Thursday?"]
)
def test_what_happens_now_or_is_asked_for_is_no_fact(text: str) -> None:
    assert "fact" not in [found.category for found in hear(text, DONE)]


@pytest.mark.parametrize(
    "text",
    """no
    nope, leave the retry wrapper out
    STOP! you're deleting the fixtures
    please revert that
    thats wrong, the queue is fifo
    ugh this is way too complicated
    I don't want a scheduler class
    i dont like the wrapper
    we dont need this
    get rid of the retry wrapper
    this is overkill for a script
    hmm not sure about the retry wrapper
    I'd rather not have another class here
    not a fan of the name Scheduler
    why would you wrap it twice?
    do we really need the wrapper?
    isn't that what the job runner already does?
    can't we reuse the old queue?
    I thought we had agreed on plain functions
    that will break the nightly import
    let's not add retries in this PR
    lol no 😂
    eh... that seems excessive
    Nein, das will ich nicht
    不要加这个类""".split("\n    "),
)
def test_a_no_in_any_tone_is_a_rejection(text: str) -> None:
    assert [found.category for found in hear(text, DONE)] == ["rejected"]


@pytest.mark.parametrize(
    "text",
    """always run the linter before you commit
    never push to main
    make sure every endpoint has a test
    all handlers must be idempotent
    keep functions short and simple
    strip the outputs before committing, every time
    every public function needs a docstring
    treat warnings as errors
    dont ever use force push""".split("\n    "),
)
def test_what_is_to_hold_from_now_on_is_a_rule(text: str) -> None:
    assert [found.category for found in hear(text)] == ["rule"]


@pytest.mark.parametrize(
    "text", ["never push to main", "always run the linter before you commit", "treat warnings as errors"]
)
def test_plain_words_are_sure_and_standing(text: str) -> None:
    found = one(text)
    assert (found.certainty, found.detail.stance.reach) == ("confirmed", "standing")


@pytest.mark.parametrize("text", ["the panel should not show raw content", "do not add the full name to the rows"])
def test_what_is_said_of_the_thing_that_is_made_holds_for_this_work(text: str) -> None:
    assert {found.detail.stance.reach for found in hear(text, DONE)} == {"work"}


@pytest.mark.parametrize("text", ["is this really necessary?", "why did you touch the config?"])
def test_a_doubt_is_not_sure(text: str) -> None:
    assert {found.certainty for found in hear(text, DONE)} <= {"hypothesis"}


@pytest.mark.parametrize("text", ["yes", "Yes please", "sounds good to me 👍", "go for it", "ja, mach das", "passt"])
def test_a_short_yes_settles_the_offer_and_brings_its_words(text: str) -> None:
    found = one(text, OFFER)
    detail = found.detail
    assert isinstance(detail, Decided)
    assert (found.category, detail.exchange.kind, found.evidence[0].quote) == ("decision", "question", text)
    assert "in-process" in detail.stance.wanted
    assert [quote.turn for quote in found.evidence] == [50, 40, 40]


PLAN = "The plan:\n\n- Store amounts in cents.\n- Keep `legacy.py` read-only.\n- Leave the importer alone.\n"


@pytest.mark.parametrize("text", ["yes", "implement the plan"])
def test_a_yes_takes_over_the_points_it_is_a_yes_to(text: str) -> None:
    found = one(text, f"{PLAN}\nOK?" if text == "yes" else PLAN)
    assert found.category == "decision"
    points = ["- Store amounts in cents.", "- Keep `legacy.py` read-only.", "- Leave the importer alone."]
    assert [quote.quote for quote in found.evidence if quote.quote.startswith("- ")] == points


def test_a_yes_to_one_of_several_ways_takes_over_the_one_that_was_recommended() -> None:
    assert not any("RedisCache" in quote.quote for quote in one("yes", OFFER).evidence)


def test_a_yes_to_one_of_two_ways_takes_the_first() -> None:
    found = one("yes please", "The patch is ready. Want me to push the branch, or keep it local until Monday?")
    assert [quote.quote for quote in found.evidence] == ["yes please", "Want me to push the branch"]


def test_a_choice_in_own_words_rests_on_them_and_not_on_what_was_asked() -> None:
    found = one("let's go with sqlite for the queue", "Should the queue stay in redis until the release?")
    assert [quote.quote for quote in found.evidence] == ["let's go with sqlite for the queue"]
    assert found.detail.exchange.answered == "Should the queue stay in redis until the release?"


def test_a_yes_to_nothing_settles_nothing() -> None:
    assert hear("looks great, thanks!", DONE) == []


@pytest.mark.parametrize(
    "text", ["let's use sqlite for the tests", "go with the in-process cache", "call it JobQueue", "i guess sqlite"]
)
def test_a_choice_in_plain_words_is_a_decision(text: str) -> None:
    assert [found.category for found in hear(text, OFFER)] == ["decision"]


def test_an_option_taken_by_its_number_brings_its_text_and_leaves_the_others_as_options() -> None:
    found = one("2", OFFER)
    assert isinstance(found.detail, Decided)
    assert found.detail.exchange.answered == "2. Replace it by an in-process `LruCache` in `src/cache.py`"
    assert found.detail.options == ["1. Keep `RedisCache` and add a TTL of 60 seconds", "3. Drop caching for now"]
    assert found.evidence[1].quote == "2. Replace it by an in-process `LruCache` in `src/cache.py`"


def test_an_option_taken_out_by_its_number_is_refused_and_the_one_taken_is_not() -> None:
    taken, out = hear("1, not 3", OFFER)
    assert (taken.category, taken.detail.stance.refused) == ("decision", "")
    assert (out.category, out.detail.stance.refused) == ("rejected", "3. Drop caching for now")


@pytest.mark.parametrize("text", ["not 3", "skip 3", "anything but 3"])
def test_an_option_that_is_only_taken_out_is_refused_and_nothing_else_is_settled(text: str) -> None:
    found = one(text, OFFER)
    assert (found.category, found.detail.stance.refused, found.detail.stance.reach) == (
        "rejected", "3. Drop caching for now", "work",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "can you add a test for the empty list",
        "fix the flaky import test",
        "i need a script that renames the fixtures",
    ],
)
def test_a_request_is_a_task(text: str) -> None:
    assert [found.category for found in hear(text)] == ["task"]


@pytest.mark.parametrize(
    "text",
    [
        "what is Scheduler used for?",
        "where is the retry count stored?",
        "does it also work on windows?",
        "thanks!",
        "no worries, take your time",
        "> always use threads\n> never use processes",
        "```\nnever_do_this()\nalways = True\n```",
        "2026-01-03 10:00:01 ERROR never call this again\n2026-01-03 10:00:02 ERROR stop",
        "| rule | text |\n|---|---|\n| 1 | never use eval |",
        "Operation stopped by hook: you must always confirm",
    ],
)
def test_questions_pleasantries_and_pasted_text_settle_nothing(text: str) -> None:
    assert hear(text, DONE) == []


@pytest.mark.parametrize(
    "text",
    [
        "The API returns 404 instead of 401 when the token is expired",
        "the total is wrong when the cart has a coupon",
        "users can't log in since the last deploy",
    ],
)
def test_a_report_of_a_bug_refuses_nothing(text: str) -> None:
    assert [found.category for found in hear(text)] == ["discovery"]


def test_what_a_no_names_itself_is_what_it_refuses() -> None:
    found = one("no, don't use axios because it is too big, use fetch instead", "I'll add axios for the requests. OK?")
    stance = found.detail.stance
    assert (found.category, stance.refused, stance.why, stance.wanted) == (
        "rejected", "don't use axios", "because it is too big", "use fetch instead",
    )  # fmt: skip


def test_a_bare_no_refuses_the_stopped_call_first() -> None:
    found = one("no", OFFER, stopped=True)
    assert isinstance(found.detail, Rejected)
    assert (found.detail.exchange.kind, found.detail.exchange.call) == ("call", Call("Bash", PUBLISH["command"]))
    assert found.detail.what == "Bash npm publish --tag next"


def test_stopping_the_agent_to_ask_for_something_else_refuses_nothing() -> None:
    assert [found.category for found in hear("format the code", stopped=True)] == ["task"]


@pytest.mark.parametrize(
    "text",
    ["how about you read the changelog, then write a new one?", "wtf, just call the script that is there and tell me"],
)
def test_who_stops_a_call_and_says_no_to_nothing_refuses_the_call_and_not_what_they_want(text: str) -> None:
    found = one(text, stopped=True)
    assert (found.category, found.detail.stance.refused) == ("rejected", "Bash npm publish --tag next")


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("no", True),
        ("stop, don't publish this", True),
        ("lol I guess this is how npm does it then", False),
    ],
)
def test_words_to_a_stopped_call_refuse_it_surely_only_with_a_no(text: str, *, sure: bool) -> None:
    found = one(text, stopped=True)
    assert (found.category, found.certainty) == ("rejected", "confirmed" if sure else "hypothesis")


def test_words_given_with_a_refused_call_stand_beside_it() -> None:
    found = one("not with that tag", kind="denied")
    assert (found.category, found.detail.exchange.call) == ("rejected", Call("Bash", PUBLISH["command"]))


def test_a_refusal_for_one_piece_of_work_reaches_no_further() -> None:
    assert one("let's not add retries in this PR", DONE).detail.stance.reach == "work"


def test_a_preference_is_a_rule_that_says_so() -> None:
    found = one("I'd always prefer small functions over long ones")
    assert isinstance(found.detail, Instructed)
    assert found.detail.preference


def test_a_decision_keeps_what_to_do_if_it_proves_wrong() -> None:
    found = one("let's go with the in-process one, if it breaks we go back to redis", OFFER)
    assert isinstance(found.detail, Decided)
    assert (found.category, found.detail.if_wrong) == ("decision", "if it breaks we go back to redis")


def test_a_yes_takes_over_what_the_agent_said_may_go_wrong_and_how_it_is_undone() -> None:
    put = (
        "I would move the sessions to redis because the table locks. This may lose sessions while it runs. It can be "
        "reverted by one setting. Shall I move the sessions to redis?"
    )
    found = one("yes, go ahead", put)
    assert isinstance(found.detail, Decided)
    assert (found.detail.stance.why, found.detail.risks, found.detail.if_wrong) == (
        "because the table locks.", "This may lose sessions while it runs.", "It can be reverted by one setting.",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "I'm a web developer and know little about databases",
        "you don't have access to the production cluster from here",
    ],
)
def test_who_somebody_is_and_what_they_may_do_is_tagged(text: str) -> None:
    assert "identity" in one(text, DONE).tags


def test_one_utterance_makes_one_entry() -> None:
    found = hear("no. I don't want a class. that is too much.", DONE)
    assert [(one.category, one.evidence[0].quote) for one in found] == [
        ("rejected", "no. I don't want a class. that is too much.")
    ]


def test_an_answer_given_through_a_tool_is_a_decision_with_its_question() -> None:
    options = [{"label": "SQLite"}, {"label": "Postgres"}]
    asked = json.dumps({"questions": [{"question": "Which store?", "options": options}]})
    call = said(asked, number=41, role="assistant", kind="call", tool="AskUserQuestion", call="q")
    [found] = propose(said("SQLite", kind="answer", call="q"), Window((), (call,)))
    assert isinstance(found.detail, Decided)
    assert (found.category, found.detail.question, found.detail.options, [q.turn for q in found.evidence]) == (
        "decision", "Which store?", ["Postgres"], [50, 41],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "refused"), [("SQLite", ["Postgres (Recommended)"]), ("Postgres (Recommended)", [])]
)
def test_taking_another_option_than_the_recommended_one_refuses_that(answer: str, refused: list[str]) -> None:
    put = ["Postgres (Recommended)", "SQLite", "Files"]
    asked = json.dumps({"questions": [{"question": "Which database?", "options": [{"label": one} for one in put]}]})
    call = said(asked, number=41, role="assistant", kind="call", tool="AskUserQuestion", call="q")
    chosen, *others = propose(said(answer, kind="answer", call="q"), Window((), (call,)))
    assert isinstance(chosen.detail, Decided)
    assert (chosen.category, chosen.detail.options) == ("decision", [one for one in put if one != answer])
    found = [(one.category, one.detail.stance.refused, one.detail.stance.wanted, one.summary) for one in others]
    assert found == [
        ("rejected", one, answer, f"The user seems to reject: “{one}” (by saying “{answer}”)") for one in refused
    ]


@pytest.mark.parametrize("text", ["n", "N", "naw", "nah", "no thanks", "❌", "👎"])
def test_nothing_but_a_no_refuses_what_was_asked(text: str) -> None:
    found = one(text, "Push to main now? (y/n)")
    assert (found.category, found.certainty, found.detail.stance.refused, found.detail.stance.wanted) == (
        "rejected", "confirmed", "Push to main now?", "",
    )  # fmt: skip


@pytest.mark.parametrize("text", ["y", "yep", "👍", "✅"])
def test_nothing_but_a_yes_takes_what_was_asked(text: str) -> None:
    found = one(text, "Push to main now? (y/n)")
    assert (found.category, found.certainty, found.detail.stance.wanted) == (
        "decision", "confirmed", f"Push to main now? / {text}",
    )  # fmt: skip


@pytest.mark.parametrize("text", ["b", "b but with a weekly cleanup", "the second one", "the latter", "let's do b"])
def test_an_option_is_found_by_its_letter_or_its_place_and_an_article_is_none(text: str) -> None:
    found = one(text, "Where do sessions live?\n\nA) Redis, with a TTL\nB) a table\nC) cookies\n\nWhich one?")
    assert isinstance(found.detail, Decided)
    assert (found.detail.stance.wanted, found.detail.options) == (
        f"B) a table / {text}", ["A) Redis, with a TTL", "C) cookies"],
    )  # fmt: skip


def test_a_yes_takes_what_was_proposed_and_not_the_alternatives() -> None:
    proposal = "I propose dual-write because it is safe. If it goes wrong we switch the flag off."
    asked = "Shall I go ahead with dual-write?"
    found = one("go ahead", f"{proposal} The alternatives are a big bang at night or replication. {asked}")
    assert isinstance(found.detail, Decided)
    stance = found.detail.stance
    assert (stance.wanted, stance.why, found.detail.if_wrong) == (
        f"I propose dual-write because it is safe. / {asked} / go ahead",
        "because it is safe.",
        "If it goes wrong we switch the flag off.",
    )


@pytest.mark.parametrize("text", ["Make sure every page has a test.", "dont forget to branch off main"])
def test_words_that_say_how_are_an_instruction_and_not_only_a_task(text: str) -> None:
    assert [one.category for one in hear(text, DONE)] == ["rule"]


@pytest.mark.parametrize("text", ["what if the scheduler ran every hour?", "which of the two is older?"])
def test_an_idea_put_as_a_question_refuses_nothing(text: str) -> None:
    assert [one.category for one in hear(text, OFFER) if one.category in ("rejected", "rule")] == []


def test_a_long_prompt_sent_once_more_is_not_noted_twice() -> None:
    prompt = "always run the linter before you commit. " + "and look at the parser, it is slow. " * 20
    before = Window((said(prompt, number=40),), ())
    assert (propose(said(prompt), before), propose(said(prompt), Window()) != []) == ([], True)


@pytest.mark.parametrize("text", ["/compact", "ls -la", "  "])
def test_a_command_line_says_nothing(text: str) -> None:
    assert hear(text, kind="command") == []


def test_without_its_weights_the_scribe_keeps_exchanges_and_binds_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(weigh, "FOLDER", tmp_path)
    found = one("never push to main", DONE)
    assert (found.category, found.certainty, found.detail.exchange.said) == (
        "context",
        "confirmed",
        "never push to main",
    )


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=400), st.text(max_size=400))
def test_quotes_are_verbatim_and_the_same_turn_gives_the_same_candidates(text: str, before: str) -> None:
    turn = said(text)
    window = Window((said(before, number=40, role="assistant"),), ())
    found = propose(turn, window)
    assert found == propose(turn, window)
    assert all(quote.quote in (text if quote.turn == 50 else before) for one in found for quote in one.evidence)


@pytest.mark.parametrize(
    "text", ["word " * 5000, "🙂" * 3000, "never. " * 4000, "def f(): pass\n" * 999, "絶対" * 4000]
)
def test_a_turn_of_any_size_gives_a_few_candidates(text: str) -> None:
    assert len(hear(text, OFFER)) <= 12


LISTED = "Two things could be done:\n\n1. Add caching\n2. Drop the audit log\n\nWhich one?"
REPORT = "Here is what I did:\n\n1. Added the parser\n2. Removed the cache layer\n3. Renamed the module"
QUESTIONS = "1. Should I add tests?\n2. Which database?\n3. Do we need docs?"


@pytest.mark.parametrize(
    ("text", "before", "decided"),
    [
        ("2 please", LISTED, ["2. Drop the audit log / 2 please"]),
        ("I don't like 2 at all", LISTED, []),
        ("what does 2 do?", LISTED, []),
        ("give me 2 minutes", REPORT, []),
        ("nein, bitte nicht", "Should I remove the logging?", []),
        ("pnpm", "I'll use yarn to install it.", ["pnpm"]),
    ],
)
def test_a_number_settles_what_it_names_only_where_it_is_the_answer(text: str, before: str, decided: list[str]) -> None:
    assert [found.detail.stance.wanted for found in hear(text, before) if found.category == "decision"] == decided


def test_an_option_that_is_disliked_is_refused() -> None:
    found = one("I don't like 2 at all", LISTED)
    assert (found.category, found.detail.stance.refused) == ("rejected", "2. Drop the audit log")


def test_each_answer_to_a_list_of_questions_belongs_to_its_question() -> None:
    found = hear("1. yes\n2. postgres, sqlite is too slow\n3. no, never write docs", QUESTIONS)
    assert [(one.category, one.detail.exchange.answered) for one in found] == [
        ("decision", "1. Should I add tests?"),
        ("decision", "2. Which database?"),
        ("rule", "3. Do we need docs?"),
    ]
    assert [one.detail.options for one in found if isinstance(one.detail, Decided)] == [[], []]


def test_a_refused_call_is_what_the_words_beside_it_answer() -> None:
    found = one("not like that, explain it first", DONE, kind="denied")
    assert (found.detail.exchange.kind, found.detail.exchange.call) == ("call", Call("Bash", PUBLISH["command"]))


def test_a_no_that_says_what_is_wanted_refuses_the_call_and_not_the_wish() -> None:
    stance = one("no, use the value from the environment", DONE, kind="denied").detail.stance
    assert (stance.refused, stance.wanted) == ("Bash npm publish --tag next", "use the value from the environment")


def test_never_that_is_a_rule_about_the_call() -> None:
    found = one("never do that!", DONE, kind="denied")
    assert (found.category, found.certainty, found.detail.what) == ("rule", "confirmed", "Bash npm publish --tag next")


def test_never_that_is_not_sure_where_nothing_says_what() -> None:
    found = one("never run that")
    assert (found.category, found.certainty) == ("rule", "hypothesis")


def test_words_said_after_a_stop_that_ask_for_something_else_refuse_nothing() -> None:
    assert [found.category for found in hear("format the code", "I'll run the tests first.", stopped=True)] == ["task"]


def test_nothing_is_refused_by_the_first_words_of_a_session() -> None:
    assert "rejected" not in [found.category for found in hear("Tidy up the imports of the parser")]


def test_what_something_was_chosen_over_is_an_option_that_was_not_taken() -> None:
    found = one("We chose 16:9 over 9:16 because the studio only has wide screens.", "Which format is it?")
    assert isinstance(found.detail, Decided)
    assert (found.detail.stance.wanted, found.detail.options) == ("We chose 16:9", ["9:16"])


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        ("never push until all tests pass", "standing"),
        ("Always run make lint first, until now you forgot it every time", "standing"),
        ("no deploys until the audit is over", "work"),
    ],
)
def test_until_is_a_condition_of_what_holds_always_and_the_end_of_all_else(text: str, reach: str) -> None:
    assert {found.detail.stance.reach for found in hear(text, DONE)} == {reach}


def test_a_no_behind_its_reason_is_told_in_its_own_words() -> None:
    said = "hmm, given how slow it is here, I think it is better not to load any fonts from a server"
    found = one(said, "I will load the fonts from a server, which is simple and safe. Shall I?")
    assert (found.category, found.detail.stance.refused) == (
        "rejected", "I think it is better not to load any fonts from a server",
    )  # fmt: skip


def test_a_bare_no_is_not_what_is_wanted_instead() -> None:
    found = one("No, not Redis: one more service to run.", "Shall I add Redis?")
    assert (found.detail.stance.refused, found.detail.stance.wanted) == ("not Redis", "")


@pytest.mark.parametrize(
    ("text", "refused", "wanted", "why"),
    [
        ("Don't use Redis", "Don't use Redis", "", ""),
        ("please don't add comments", "please don't add comments", "", ""),
        ("no need to add comments", "no need to add comments", "", ""),
        ("no Redis, use memcached", "no Redis", "use memcached", ""),
        ("I'd rather not use yaml", "I'd rather not use yaml", "", ""),
        ("don't use regex here, it is unreadable", "don't use regex here", "", "it is unreadable"),
        ("no, use memcached", "I will add Redis.", "use memcached", ""),
        ("no just use memcached", "I will add Redis.", "just use memcached", ""),
    ],
)
def test_what_a_no_is_about_is_never_what_is_wanted(text: str, refused: str, wanted: str, why: str) -> None:
    stance = one(text, "I will add Redis.").detail.stance
    assert (stance.refused, stance.wanted, stance.why) == (refused, wanted, why)


def test_what_is_to_last_is_not_joined_to_the_decision_behind_it() -> None:
    found = hear("always use vitest. we decided on zustand.", DONE)
    assert [(one.category, one.evidence[0].quote) for one in found] == [
        ("rule", "always use vitest."), ("decision", "we decided on zustand."),
    ]  # fmt: skip


def test_an_answer_through_a_tool_is_shown_with_its_question_and_not_with_the_next_one() -> None:
    asked = json.dumps({"questions": [{"question": "Drop the bucket?"}, {"question": "Write tests?"}]})
    call = said(asked, number=41, role="assistant", kind="call", tool="AskUserQuestion", call="c1")
    answer = said("> Write tests?\nyes, for the parser", kind="answer", call="c1")
    found = uttered(answer, Window((), (call,)))
    assert [(one.said, one.answered) for one in found] == [("yes, for the parser", "Write tests?")]
    [noted] = propose(answer, Window((), (call,)))
    assert (noted.detail.exchange.answered, noted.detail.stance.reach) == ("Write tests?", "work")


@pytest.mark.parametrize(
    ("answer", "passed_over"),
    [("Redis", ["Files", "A table"]), ("Redis, A table", ["Files"]), ("none of these, keep it in memory", [])],
)
def test_an_answer_through_a_tool_keeps_what_was_offered_and_not_taken(answer: str, passed_over: list[str]) -> None:
    options = [{"label": label} for label in ("Redis", "Files", "A table")]
    asked = json.dumps({"questions": [{"question": "Where do sessions live?", "options": options}]})
    call = said(asked, number=41, role="assistant", kind="call", tool="AskUserQuestion", call="c1")
    [found] = uttered(said(f"> Where do sessions live?\n{answer}", kind="answer", call="c1"), Window((), (call,)))
    assert found.passed_over == passed_over


ASKED = "I would move the importer to asyncio. Shall I go ahead?"
ANSWERED = [
    ("Any objections to dropping the old runtime?", "no", ["decision"]),
    ("Would it bother you if I rename the module?", "nope", ["decision"]),
    ("Hast du was dagegen, wenn ich Pandas rauswerfe?", "nö", ["decision"]),
    ("Do you have a staging environment?", "no", []),
    ("Is anything missing?", "no", []),
    ("Is the staging database reachable from your machine?", "no", []),
    ("Is it ok to drop the staging database?", "no", ["rejected"]),
    ("Delete the old rows?", "no", ["rejected"]),
    (ASKED, "thx but no thx", ["rejected"]),
    (ASKED, "lets park it", ["rejected"]),
    (ASKED, "lass mal", ["rejected"]),
    (ASKED, "knock yourself out", ["decision"]),
    (ASKED, "i don't mind", ["decision"]),
    (ASKED, "no objections from my side", ["decision"]),
]


@pytest.mark.parametrize(("asked", "said", "told"), ANSWERED)
def test_a_no_refuses_only_what_was_offered(asked: str, said: str, told: list[str]) -> None:
    assert [one.category for one in hear(said, asked)] == told


def test_what_is_wanted_instead_is_not_refused() -> None:
    found = hear("instead make the font bigger", "I dropped the dark theme.")
    assert [one.category for one in found] == ["decision"]


def test_who_asks_for_another_way_objects() -> None:
    found = one("how about you kill that whole file and start from an empty one?", DONE)
    assert (found.category, found.certainty) == ("rejected", "hypothesis")


def test_a_question_before_anything_was_said_refuses_nothing() -> None:
    assert hear("don't we already have a retry helper somewhere?") == []


REASONS = [
    ("revert that, we can't refresh views", "I added a materialized view.", "we can't refresh views"),
    ("stop adding changelogs, release-please does that", "I added a changelog.", "release-please does that"),
    ("go with the stdlib logging, loguru breaks our sentry hook", "I'll add loguru.", "loguru breaks our sentry hook"),
    ("nah, orjson has no wheels for alpine", "I can swap in orjson if you want.", "orjson has no wheels for alpine"),
    ("a, redis ist uns zu teuer", "a) one table\nb) redis\n\nWhich one?", "redis ist uns zu teuer"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "before", "why"), REASONS)
def test_how_things_are_said_behind_a_no_or_a_choice_is_its_reason(text: str, before: str, why: str) -> None:
    assert one(text, before).detail.stance.why == why


def test_who_takes_back_that_refuses_what_was_said_and_not_the_reason() -> None:
    stance = one(*REASONS[0][:2]).detail.stance
    assert stance.refused == "I added a materialized view."


def test_a_no_and_what_is_wanted_in_its_place_are_one_entry() -> None:
    found = one("not the release branches! only feature/*", DONE, kind="denied")
    stance = found.detail.stance
    assert (found.category, stance.refused, stance.wanted) == ("rejected", "not the release branches", "only feature/*")


@pytest.mark.parametrize(
    "text",
    [
        "sorry, hit esc by accident.", "one sec, docker isn't running on this box yet",
        "Moment, ich muss erst das Backup ziehen",
    ],
)  # fmt: skip
def test_a_pause_binds_nobody(text: str) -> None:
    found = {one.category for one in hear(text, DONE, stopped=True)}
    assert found & {"rejected", "rule", "decision"} == set()


def test_asking_what_a_stopped_call_does_is_less_of_an_objection_than_asking_why() -> None:
    asked, objected = (likelier(text, stopped=True)["reject"] for text in ("what does it do?", "seriously?"))
    assert asked < objected


def test_an_order_for_good_in_passing_is_a_rule_of_its_own() -> None:
    found = hear("rename get_user to fetch_user in api.py, and btw always run mypy before you say you're done", DONE)
    [rule] = [one for one in found if one.category == "rule" and one.certainty == "confirmed"]
    assert rule.detail.stance.reach == "standing"
    assert rule.evidence[0].quote == "always run mypy before you say you're done"


def test_an_order_that_points_at_what_stands_before_it_stays_with_it() -> None:
    assert own_sentences("take the pool of connections and always close it")[0].text.endswith("always close it")


@pytest.mark.parametrize(
    "text",
    ["i prefer small functions and early exits, keep that in mind", "when you touch the schema, bump its version too"],
)  # fmt: skip
def test_what_is_to_be_kept_in_mind_is_a_standing_rule(text: str) -> None:
    found = one(text, DONE)
    assert (found.category, found.detail.stance.reach) == ("rule", "standing")


def test_what_is_not_there_is_told_and_not_refused() -> None:
    found = hear("I'm the only dev here, there is no staging, prod runs on one box")
    assert "rejected" not in [one.category for one in found]
