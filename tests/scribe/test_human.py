"""What a person's turn gives: every way of saying no, yes, always and please, and what must not be taken for it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.scribe.human import from_human
from steno.vocabulary import Candidate, JournalTurn, Turn, Window
from steno.vocabulary.turns import Kind, Role

OFFER = (
    "I looked at the cache layer. There are two ways to go:\n\n"
    "1. Keep `RedisCache` and add a TTL of 60 seconds\n"
    "2. Replace it by an in-process `LruCache` in `src/cache.py`\n"
    "3. Drop caching for now\n\n"
    "I'd suggest the in-process one since it needs no service. Want me to proceed with that?"
)
LETTERS = (
    "Two designs are possible:\n\na) one table per tenant\nb) a `tenant_id` column on every table\n\n"
    "Which one do you prefer?"
)
DONE = "Done. I added a `Scheduler` class to `jobs/scheduler.py` and a retry wrapper, and wrote tests for both."
CLAIM = "The failing login test is a pre-existing issue, it has nothing to do with this branch."


def said(
    text: str, *, number: int = 50, role: Role = "user", kind: Kind = "said", tool: str | None = None
) -> JournalTurn:
    return JournalTurn(
        id=number, source="claude-code", session="s", turn=Turn(role=role, kind=kind, text=text, tool=tool)
    )


def hear(text: str, before: str = "", *, stopped: bool = False, kind: Kind = "said") -> list[Candidate]:
    spoken = [said(before, number=40, role="assistant")] if before else []
    call = said(json.dumps({"file_path": "src/api/routes.py"}), number=41, role="assistant", kind="call", tool="Edit")
    if stopped:
        spoken.append(said("[Request interrupted by user]", number=42, kind="interrupted"))
    return from_human(said(text, kind=kind), Window(tuple(spoken), (call,)))


def categories(found: list[Candidate]) -> set[str]:
    return {one.category for one in found}


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "nope, leave the retry wrapper out",
        "No. Don't add a class for this.",
        "stop",
        "STOP! you're deleting the fixtures",
        "please revert that",
        "undo the last change pls",
        "that's awful",
        "thats wrong, the queue is fifo",
        "ugh this is way too complicated",
        "I don't want a scheduler class",
        "i dont like the wrapper",
        "we dont need this",
        "never mind the tests",
        "get rid of the retry wrapper",
        "this is overkill for a script",
        "hmm not sure about the retry wrapper",
        "I'd rather not have another class here",
        "I would rather keep it in one function",
        "not a fan of the name Scheduler",
        "why do we need a class at all?",
        "why would you wrap it twice?",
        "why did you touch the config?",
        "why not just use cron?",
        "do we really need the wrapper?",
        "what's the point of the scheduler?",
        "is this really necessary?",
        "isn't that what the job runner already does?",
        "shouldn't the retry live in the client?",
        "can't we reuse the old queue?",
        "couldn't you just call the client directly?",
        "can we not do this in the constructor?",
        "I thought we had agreed on plain functions",
        "technically the second parameter is the timeout",
        "Scheduler is a misnomer, it only queues",
        "you haven't read jobs/queue.py at all have you",
        "you forgot the docs",
        "are you sure about that?",
        "that will break the nightly import",
        "this feels hacky",
        "i only want unit tests for the parser, everything else is useless",
        "the class should have been in utils.py",
        "use a plain function, not a class",
        "a function instead of a class please",
        "don't worry about retries, I'll handle the scheduler myself later",
        "let's not add retries in this PR",
        "lol no 😂",
        "eh... that seems excessive",
        "wtf is this",
        "Nein, das will ich nicht",
        "bitte keine neue Klasse",
        "warum brauchen wir das überhaupt?",
        "不要加这个类",
        "我不想用缓存",
    ],
)
def test_a_no_in_any_tone_is_a_rejection(text: str) -> None:
    assert categories(hear(text, DONE)) & {"rejected"}, text


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes please",
        "yep do it",
        "y",
        "ok",
        "sure, go ahead",
        "sounds good",
        "sounds good to me 👍",
        "lgtm",
        "perfect, continue",
        "yeah that works for me",
        "makes sense, let's do that",
        "go for it",
        "i like it",
        "ok cool, ship it",
        "looks great, thanks!",
        "ja, mach das",
        "passt",
        "好的",
        "👍",
    ],
)
def test_a_short_yes_settles_the_offer_and_brings_its_words(text: str) -> None:
    (decision,) = [one for one in hear(text, OFFER) if one.category == "decision"]
    assert decision.evidence[0].turn == 50
    assert {quote.turn for quote in decision.evidence[1:]} == {40}
    assert "in-process" in decision.summary
    assert all(quote.quote in OFFER for quote in decision.evidence[1:])


@pytest.mark.parametrize(
    ("text", "before", "meant"),
    [
        ("2", OFFER, "LruCache"),
        ("option 1", OFFER, "RedisCache"),
        ("go with 2", OFFER, "LruCache"),
        ("the third one", OFFER, "Drop caching"),
        ("let's do 1 please", OFFER, "RedisCache"),
        ("b", LETTERS, "tenant_id"),
        ("B!", LETTERS, "tenant_id"),
        ("a)", LETTERS, "one table per tenant"),
        ("i'd go with b", LETTERS, "tenant_id"),
    ],
)
def test_a_letter_or_number_means_the_option_it_stands_for(text: str, before: str, meant: str) -> None:
    (decision,) = [one for one in hear(text, before) if one.category == "decision"]
    assert meant in decision.evidence[1].quote
    assert meant in decision.summary
    assert len(decision.detail["options"]) >= 2


def test_two_numbers_settle_two_options() -> None:
    (decision,) = [one for one in hear("yeah let's do 1 and 3", OFFER) if one.category == "decision"]
    assert [quote.quote[:2] for quote in decision.evidence[1:]] == ["1.", "3."]


@pytest.mark.parametrize(
    "text",
    [
        "let's use sqlite for the tests",
        "ok, create a branch cache-rework",
        "put the parser into core/parse.py",
        "parser, lexer -> core\nprinter -> utils",
        "go with the in-process cache",
        "I want the flag to be off by default",
        "call it JobQueue",
        "it should be a plain dict",
        "we should keep the old endpoint until march",
        "just do the first part for now",
        "let's try the other approach",
        "how about we split the file in two?",
        "could we show the date instead?",
        "the handler needs to be in its own module",
        "nehmen wir sqlite",
        "我们用 sqlite 吧",
    ],
)
def test_a_choice_in_plain_words_is_a_decision(text: str) -> None:
    assert "decision" in categories(hear(text, DONE)), text


@pytest.mark.parametrize(
    "text",
    [
        "always run the linter before you commit",
        "never push to main",
        "from now on write commit messages in English",
        "make sure every endpoint has a test",
        "remember to update the changelog",
        "don't touch the vendor folder",
        "dont ever use force push",
        "you must read the whole file first",
        "I prefer small commits",
        "we use tabs here",
        "all handlers must be idempotent",
        "ask me before deleting anything",
        "keep functions short and simple",
        "no emojis in the docs please",
        "immer zuerst die Tests laufen lassen",
        "以后都用英文写注释",
    ],
)
def test_a_standing_instruction_is_a_rule(text: str) -> None:
    assert "rule" in categories(hear(text, DONE)), text


@pytest.mark.parametrize(
    "text",
    [
        "can you add a test for the empty list",
        "fix the flaky import test",
        "please find out why the build is slow",
        "help me write the migration",
        "add tests",
        "src/app.py add logging to the startup",
        "any other places with that bug?",
        "i need a script that renames the fixtures",
        "let's write the docs next",
        "kannst du die Tests reparieren",
        "帮我修复这个错误",
    ],
)
def test_a_request_is_a_task(text: str) -> None:
    assert "task" in categories(hear(text)), text


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I'll test it on staging tomorrow", "commitment"),
        ("we have a release on Friday", "context"),
        ("got conflicts with the main branch", "context"),
        ("so, testing this on my laptop now", "context"),
        ("turns out the webhook was called twice", "discovery"),
        ("I think it's coming from the old worker", "discovery"),
        ("still doesn't work, same error", "exclusion"),
    ],
)
def test_reports_and_promises_are_kept_as_what_they_are(text: str, category: str) -> None:
    assert category in categories(hear(text, DONE)), text


@pytest.mark.parametrize(
    "text",
    [
        "what is Scheduler used for?",
        "where is the retry count stored?",
        "how do I run the tests?",
        "which file holds the settings?",
        "does it also work on windows?",
        "when was this added?",
        "will this also run at night?",
        "thanks!",
        "hello there",
        "ok, i hope the coffee helped",
        "no problem",
        "no worries, take your time",
        "if the second is true then the cache needs to be cleared i think",
        "you said: we should never use threads",
        "> always use threads\n> never use processes",
        "```\nnever_do_this()\nalways = True\n```",
        "2026-01-03 10:00:01 ERROR never call this again\n2026-01-03 10:00:02 WARN always revert",
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    raise ValueError('do not use this')\n"
        "ValueError: do not use this",
        "| rule | text |\n|---|---|\n| 1 | never use eval |",
        "$ git revert HEAD\n$ npm install",
        "Operation stopped by hook: you must always confirm",
    ],
)
def test_questions_pleasantries_and_pasted_text_settle_nothing(text: str) -> None:
    assert not categories(hear(text, DONE)) & {"rejected", "decision", "rule"}, text


@pytest.mark.parametrize(
    "text", ["the other module needs that field too", "can you look at the schema first", "hmm 500 lines?"]
)
def test_words_after_an_interruption_are_a_rejection_of_what_was_being_done(text: str) -> None:
    (rejected,) = [one for one in hear(text, DONE, stopped=True) if one.category == "rejected"]
    assert "src/api/routes.py" in json.dumps(rejected.detail)


def test_words_given_with_a_refused_call_are_a_rejection() -> None:
    assert "rejected" in categories(hear("the staging database first", DONE, kind="denied"))


def test_going_on_after_an_interruption_is_no_rejection() -> None:
    assert "rejected" not in categories(hear("continue", DONE, stopped=True))


def test_a_rejection_names_the_thing_the_reason_and_the_alternative() -> None:
    (rejected,) = [
        one
        for one in hear("no, that's ugly because nobody can read it. use a function instead", OFFER)
        if one.category == "rejected"
    ]
    assert "because nobody can read it" in rejected.detail["why"]
    assert "LruCache" in rejected.detail["about"]
    assert "use a function" in json.dumps(rejected.detail)


def test_a_refusal_meant_for_one_piece_of_work_says_so() -> None:
    (rejected,) = [one for one in hear("not in this PR please", OFFER) if one.category == "rejected"]
    assert rejected.detail["scope"] == "in this PR"


def test_a_rejection_with_another_wish_is_also_a_decision() -> None:
    assert {"rejected", "decision"} <= categories(hear("revert that, i want to keep the files in lib/", DONE))


def test_a_statement_with_a_tag_question_pushes_back_on_what_the_agent_claimed() -> None:
    assert "rejected" in categories(hear("we wrote that login test on this branch, right?", CLAIM))


def test_an_order_inside_a_paste_is_left_out_and_the_words_around_it_are_kept() -> None:
    log = "\n".join(f"2026-02-0{day} 10:00:00 INFO never delete job={day} state=ok" for day in range(1, 8))
    found = hear(f"here is the log, please find the cause\n{log}\nand don't restart the server", DONE)
    quotes = [quote.quote for one in found for quote in one.evidence]
    assert any("find the cause" in quote for quote in quotes)
    assert any("don't restart the server" in quote for quote in quotes)
    assert not any("never delete" in quote for quote in quotes)


def test_a_written_plan_gives_a_few_decisions_of_lower_confidence() -> None:
    steps = "\n".join(f"- Move module number {n} into the folder core/part{n}" for n in range(30))
    found = hear(f"Implement this plan:\n\n# Plan: tidy the house\n\n## Steps\n{steps}\n\n## Checks\nDone.")
    decisions = [one for one in found if one.category == "decision"]
    assert 1 <= len(decisions) <= 6
    assert all(one.confidence <= 0.6 for one in decisions)


def test_an_answer_given_through_a_tool_is_a_decision_with_its_question() -> None:
    asked = json.dumps(
        {
            "questions": [
                {"question": "Which store shall we use?", "options": [{"label": "SQLite"}, {"label": "Postgres"}]}
            ]
        }
    )
    call = said(asked, number=41, role="assistant", kind="call", tool="AskUserQuestion")
    found = from_human(said("SQLite", kind="answer"), Window((), (call,)))
    (decision,) = [one for one in found if one.category == "decision"]
    assert [(quote.turn, quote.quote) for quote in decision.evidence] == [
        (50, "SQLite"),
        (41, "Which store shall we use?"),
    ]
    assert decision.detail["options"] == ["SQLite", "Postgres"]


def test_a_long_prompt_sent_once_more_is_not_noted_twice() -> None:
    text = "never push to main. " * 40
    again = Window((said(text, number=30),), ())
    assert from_human(said(text), Window()) != []
    assert from_human(said(text), again) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "🎉🎉",
        "。。。",
        "x" * 300_000,
        "no " * 100_000,
        "(" * 50_000,
        "`" * 9_999,
        "- \n" * 20_000,
        "a/" * 60_000,
        "不" * 50_000,
    ],
)
def test_odd_text_does_not_break_it(text: str) -> None:
    for one in hear(text, text or DONE):
        assert one.evidence[0].quote in text


_WORDS = st.sampled_from(
    [
        "no",
        "don't",
        "yes",
        "let's",
        "use",
        "`a.py`",
        "why",
        "always",
        "\n",
        "- ",
        "1. ",
        "?",
        ". ",
        "->",
        "我不想",
        "```\n",
        "é",
        "🙂",
    ]
)
_TEXTS = st.one_of(st.text(max_size=400), st.lists(_WORDS, max_size=60).map(" ".join))


@given(
    text=_TEXTS,
    before=_TEXTS,
    stopped=st.booleans(),
    kind=st.sampled_from(["said", "queued", "denied", "command", "answer"]),
)
def test_quotes_are_verbatim_and_the_same_turn_gives_the_same_candidates(
    text: str, before: str, stopped: bool, kind: Kind
) -> None:
    found = hear(text, before, stopped=stopped, kind=kind)
    assert found == hear(text, before, stopped=stopped, kind=kind)
    for one in found:
        assert one.evidence[0].turn == 50
        assert one.evidence[0].quote
        for quote in one.evidence:
            assert quote.quote in {50: text, 40: before}.get(quote.turn, "")
        assert one.summary
        assert 0 < one.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "The API returns 404 instead of 401 when the token is expired",
        "the total is wrong when the cart has a coupon",
        "it shows the old value rather than the new one after saving",
        "this test is failing because the fixture is outdated",
        "users can't log in since the last deploy",
    ],
)
def test_a_report_of_a_bug_at_the_start_is_no_rejection(text: str) -> None:
    assert "rejected" not in categories(hear(text)), text


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("drop it", "The `balance` column is redundant. I could drop it. What do you think?"),
        ("ledger only then", "Shall we keep both tables, or go with the ledger alone?"),
        ("review first", "Pagination is next. Should I go ahead, or do you want to review first?"),
        ("can you create the index", "The query is slow. Want me to create an index on `email`?"),
    ],
)
def test_a_few_words_that_take_up_the_question_settle_it(text: str, before: str) -> None:
    found = hear(text, before)
    assert "decision" in categories(found)
    assert "rejected" not in categories(found)
    (decision,) = [one for one in found if one.category == "decision"]
    assert decision.evidence[-1].turn == 40


def test_a_yes_to_a_question_for_information_settles_nothing() -> None:
    assert "decision" not in categories(hear("yes", "Did the server start after that?"))


def test_what_was_stopped_is_told_after_the_words() -> None:
    (rejected,) = [one for one in hear("the tests first", DONE, stopped=True) if one.category == "rejected"]
    assert rejected.summary.startswith("The user stops the agent and says: “the tests first”")
    assert "Edit src/api/routes.py" in rejected.summary
    assert rejected.cue == "words right after stopping the agent"


def test_a_promise_says_who_and_when() -> None:
    (promise,) = [one for one in hear("I'll merge it tomorrow", DONE) if one.category == "commitment"]
    assert (promise.detail["owner"], promise.detail["due"]) == ("user", "tomorrow")


def test_a_file_named_before_the_request_does_not_hide_it() -> None:
    assert "task" in categories(hear("@docs/setup.md rewrite the install section"))


def test_a_command_line_says_nothing() -> None:
    assert hear("git pull --rebase", DONE, kind="command") == []


INLINE = (
    "The form is sent twice. We can a) disable the button in JavaScript after the first click, or "
    "b) put an idempotency key on the server. I'd suggest b."
)
LISTED = "Two ways:\n\na) disable the button in JavaScript\nb) an idempotency key per form\n\nI'd suggest b. Which one?"
QUESTIONS = (
    "Before I start:\n1. Should I keep Python 3.8 support?\n2. Black or ruff format?\n"
    "3. Do you want type hints everywhere?"
)
STEPS = "The plan:\n1. Extract `AuthService`\n2. Migrate the controllers\n3. Delete `LegacyAuth`\n\nShall I proceed?"
BULLETS = (
    "I see these ways:\n- cache it in memory\n- store it in SQLite\n- precompute it nightly\n\nWhat do you prefer?"
)
FACADE = "I'll move the parser into its own package and add a facade class so that callers don't change."
HTTPX = "Done. I added a `Retry` decorator in `net/retry.py`, switched to httpx and updated 14 call sites."
ADDITION = "Should I also add a Dockerfile and a docker-compose file?"


@pytest.mark.parametrize("offer", [INLINE, LISTED])
def test_one_option_is_taken_and_the_other_refused_with_its_reason(offer: str) -> None:
    found = hear("b. not a, people turn javascript off and we had that bug before", offer)
    (decision,) = [one for one in found if one.category == "decision"]
    (rejected,) = [one for one in found if one.category == "rejected"]
    assert "idempotency key" in decision.evidence[1].quote
    assert len(decision.detail["options"]) == 2
    assert "disable the button" in rejected.detail["what"]
    assert rejected.detail["why"].startswith("people turn javascript off")


@pytest.mark.parametrize(
    ("text", "taken", "refused"),
    [
        ("1. no\n2. ruff\n3. yes", {"2. ruff", "3. yes"}, {"1. no"}),
        ("1 no 2 ruff 3 later", {"2 ruff"}, {"1 no", "3 later"}),
        ("1: nope, 2: black, 3: sure", {"2: black", "3: sure"}, {"1: nope"}),
    ],
)
def test_numbered_questions_are_answered_one_by_one(text: str, taken: set[str], refused: set[str]) -> None:
    found = hear(text, QUESTIONS)
    assert {one.evidence[0].quote for one in found if one.category == "decision"} == taken
    assert {one.evidence[0].quote for one in found if one.category == "rejected"} == refused


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("go ahead, except 3", STEPS),
        ("Approved, apart from deleting LegacyAuth.", STEPS),
        ("1 and 2 are fine. 3 not before the audit", STEPS),
        ("dockerfile yes, compose no", ADDITION),
        ("sounds fine, minus the facade", FACADE),
        ("package yes, but skip the facade", FACADE),
        ("b please, a is too fragile", LISTED),
    ],
)
def test_agreement_in_part_decides_and_rejects(text: str, offer: str) -> None:
    assert categories(hear(text, offer)) >= {"decision", "rejected"}, text


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("the second one", BULLETS),
        ("i guess sqlite", BULLETS),
        ("sqlite, we know it well", BULLETS),
        ("you choose", BULLETS),
        ("1️⃣ 💯", OFFER),
        ("k", FACADE),
        ("👍", FACADE),
        ("ok ship it 🚀", HTTPX),
        ("yes with two stages", ADDITION),
        ("helpers go into net/util.py", HTTPX),
        ("we deploy thursdays then", HTTPX),
        ("the name stays Retry", HTTPX),
        ("3 retries are enough", HTTPX),
        ("changed my mind, keep the decorator", HTTPX),
        ("I'd use tenacity", HTTPX),
    ],
)
def test_choices_without_ceremony_are_decisions(text: str, offer: str) -> None:
    assert "decision" in categories(hear(text, offer)), text


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("meh", ADDITION),
        ("maybe some day", ADDITION),
        ("not this week", ADDITION),
        ("separate PR please", ADDITION),
        ("that's for another day", ADDITION),
        ("nobody on the team uses docker", ADDITION),
        ("a facade? for one caller?", FACADE),
        ("erm, the facade hides the errors", FACADE),
        ("I'd leave the parser where it is", FACADE),
        ("lovely, though no new package please", FACADE),
        ("wrong file, the client lives in core/http.py", HTTPX),
        ("that's a lot of changes for one fix", HTTPX),
        ("the old client was fine", HTTPX),
        ("you could have just used tenacity", HTTPX),
        ("why 14?", HTTPX),
        ("the decorator 🤢", HTTPX),
        ("requests not httpx", HTTPX),
    ],
)
def test_objections_without_a_no_are_rejections(text: str, offer: str) -> None:
    assert "rejected" in categories(hear(text, offer)), text


@pytest.mark.parametrize(
    "text",
    [
        "if you touch billing code you write a test first",
        "strip the outputs before committing, every time",
        "every public function needs a docstring",
        "nothing about customers in commit messages",
        "one assertion per test please",
    ],
)
def test_habits_are_rules(text: str) -> None:
    assert "rule" in categories(hear(text, HTTPX)), text


def test_what_is_put_off_is_a_task_for_later() -> None:
    found = hear("the domain once we have the certificate", "Header or separate domain?")
    assert "task" in categories(found)


@pytest.mark.parametrize("text", ["👍", "nice work", "good catch", "so it retries three times?", "ok good."])
def test_a_pleasant_noise_after_a_report_settles_nothing(text: str) -> None:
    assert not categories(hear(text, HTTPX)) & {"decision", "rejected", "rule"}, text


def test_words_after_an_ok_are_not_taken_for_output() -> None:
    assert "rejected" in categories(hear("ok good. you can leave the old numbers alone", HTTPX))


def test_a_statement_that_tells_nothing_lasting_is_no_context() -> None:
    assert "context" not in categories(hear("the button turns blue under the cursor", HTTPX))
    assert "context" in categories(hear("the board meeting starts at 11am", HTTPX))


@pytest.mark.parametrize(
    "text",
    [
        "no merge without a review",
        "the generated client is off limits",
        "nobody pushes to main directly",
        "anything under migrations/ goes through Sven first",
        "let me know before you delete anything",
        "keep PRs small",
        "use pnpm not npm for installing",
        "I hate abbreviations in variable names",
        "my colleague doesn't like it when somebody edits his files",
        "would you mind not adding emojis?",
        "restarts only in the maintenance window",
        "the wire format is frozen",
        "if in doubt, ask",
        "unless I say otherwise, assume Postgres 15",
        "for future reference: fixtures are shared with the mobile team",
        "after changing the proto, rerun buf generate",
        "house rule: no jQuery",
        "we squash on merge",
        "treat warnings as errors",
        "comments should explain why, not what",
    ],
)
def test_what_always_holds_is_a_rule_without_the_word_always(text: str) -> None:
    assert "rule" in categories(hear(text, DONE)), text


@pytest.mark.parametrize(
    "text",
    [
        "can we use dataclasses there?",
        "remember the bug from yesterday?",
        "the ui is frozen when i click save",
        "nobody changed that file since may",
        "it only happens on fridays",
        "no deploys so far",
        "tests should pass now",
        "one row per workspace per day",
        "after changing the proto, it broke",
    ],
)
def test_questions_reports_and_numbers_are_no_rules(text: str) -> None:
    assert "rule" not in categories(hear(text, DONE)), text


ZIP = "The archive is built by hand. I could bring in `libzip`, it would remove 200 lines."


@pytest.mark.parametrize(
    "text",
    [
        "no runtime deps is the whole point of this tool",
        "that one is 3.11+. we support 3.9 until summer",
        "I'd much rather we didn't",
        "that's Ana's module, please leave it to her",
        "libzip no, it needs a compiler",
        "that hides the error. use a result type",
    ],
)
def test_a_fact_set_against_a_proposal_is_a_rejection(text: str) -> None:
    assert "rejected" in categories(hear(text, ZIP)), text


@pytest.mark.parametrize(
    "text",
    [
        "so a longer timeout changes nothing. fix the loop",
        "I'm ok with libzip for that",
        "on compression: deflate, as the spec says",
        "then we're dropping tar",
        "a plain folder is all it takes",
    ],
)
def test_a_choice_stated_in_answer_is_a_decision(text: str) -> None:
    assert "decision" in categories(hear(text, ZIP)), text
