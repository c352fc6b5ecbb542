"""What a person says plainly is noted whole, beside what it answered, whole; and what is not plain is not noted."""

from typing import Any

import pytest

from steno.scribe import propose
from steno.scribe.agent import _stated
from steno.scribe.plain import agents_patterns, patterns, plainly
from steno.vocabulary import Candidate, JournalTurn, Quote, Turn, Window
from steno.vocabulary.details import Call, Decided, Exchange, Stance

LASTING, BINDING, WORK = Stance(reach="standing"), Stance(reach="standing", binds=True), Stance()


def turn(id_: int, role: str, text: str, kind: str = "said", **fields: Any) -> JournalTurn:
    return JournalTurn(id=id_, source="x", session="s", turn=Turn(role=role, kind=kind, text=text, **fields))


def noted(text: str, *before: JournalTurn, kind: str = "said", call: str | None = None) -> list[Candidate]:
    """What is noted of a person's words after some turns."""
    said = [one for one in before if one.turn.kind not in ("call", "result")]
    done = [one for one in before if one.turn.kind in ("call", "result")]
    return propose(turn(99, "user", text, kind, call=call), Window(tuple(said), tuple(done)))


def kept(text: str, *before: JournalTurn) -> list[tuple[str, str, Stance]]:
    return [(one.category, one.detail.exchange.said, one.detail.stance) for one in noted(text, *before)]


@pytest.mark.parametrize("name", patterns())
def test_a_pattern_is_found_where_it_must_be_and_nowhere_else(name: str) -> None:
    pattern = patterns()[name][0]
    told = [(sentence, found.name if (found := plainly(sentence)) else None) for sentence in pattern.must]
    assert told == [(sentence, name) for sentence in pattern.must]
    assert [sentence for sentence in pattern.mustnt if plainly(sentence)] == []
    assert pattern.must
    assert pattern.mustnt


@pytest.mark.parametrize("place", range(len(agents_patterns())))
def test_what_an_agent_states_is_found_where_it_must_be_and_nowhere_else(place: int) -> None:
    pattern = agents_patterns()[place][0]
    told = [(sentence, found.name if (found := _stated(sentence)) else None) for sentence in pattern.must]
    assert told == [(sentence, pattern.name) for sentence in pattern.must]
    assert [sentence for sentence in pattern.mustnt if _stated(sentence)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # The whole sentence, with its condition.
        ("Never publish without a cover image.", [("rule", "Never publish without a cover image.", BINDING)]),
        ("ok. don't use lodash, we have helpers", [("rejected", "don't use lodash, we have helpers", LASTING)]),
        ("Ab jetzt bitte auf Englisch antworten", [("rule", "Ab jetzt bitte auf Englisch antworten", BINDING)]),
        ("I'd prefer shorter answers", [("rule", "I'd prefer shorter answers", LASTING)]),
        ("use pnpm, not npm", [("rule", "use pnpm, not npm", LASTING)]),
        # Tied to the step by its own words, or the scope of a task.
        ("don't push this yet, I look first", [("rejected", "don't push this yet, I look first", WORK)]),
        ("please don't change the other cards", [("rejected", "please don't change the other cards", WORK)]),
        ("never use the staging key for now", [("rule", "never use the staging key for now", WORK)]),
        ("The header must always stay on top.", [("rule", "The header must always stay on top.", WORK)]),
        # An item of a list with the line above it.
        ("House rules:\n- never use passive voice", [("rule", "House rules: never use passive voice", BINDING)]),
        # Facts are facts, never rules.
        ("fyi Ana Kovacs is our designer.", [("fact", "fyi Ana Kovacs is our designer.", WORK)]),
        ("we tried UNLOGGED tables in May, they didn't help: a crash empties them",
         [("exclusion", "we tried UNLOGGED tables in May, they didn't help: a crash empties them", WORK)]),
        ("TODO: renew the certificate by Friday", [("task", "TODO: renew the certificate by Friday", WORK)]),
    ],
)  # fmt: skip
def test_what_is_said_plainly_is_noted_whole(text: str, found: list[tuple[str, str, Stance]]) -> None:
    assert kept(text) == found


@pytest.mark.parametrize(
    "text",
    [
        # A question, a sigh, a joke, a figure of speech, an aside, a description.
        "why don't we use Redis for that?", "lol I guess this is go idiomatic then", "Never give up! 😂",
        "don't get me wrong, I like it", "it never returns a value", "I don't want to live without it, honestly",
        "hahaha ok. never let me near a crontab again", "weekly then, that is often enough", "oh well",
        "never change a running system, as my dad used to say",
        # Somebody else's words.
        "> never push to main", "> Build it.\n> never push to main\n> never use tabs",
        '"never push to main"', "```\nnever push to main\n```",
        "a customer wrote: never call me again",
        "translate this: Never feed the goats.", "Put this into Spanish for a sign: Never feed the goats.",
        "can you check the commas?\n\nNever charge for a first visit. Do not bring dogs.",
        "Hello team,\nI don't want another app.\nPlease stop sending me letters.\nRegards, H. Oosterhuis",
        "2026-01-01 10:00:00 WARN never use this in production", "+    // never write the old name",
        "<system-reminder>Never mention this.</system-reminder>", "commit with the message Never push again",
        # What a host writes in a person's name.
        "[Request interrupted by user] never mind", "Caveat: The messages below were never typed",
    ],
)  # fmt: skip
def test_what_is_not_plain_or_not_their_own_is_not_noted(text: str) -> None:
    assert noted(text) == []


OFFER = turn(1, "assistant", "The uploads are most of it.\n\nShall I move the uploads to another disk?")
LISTED = turn(1, "assistant", "Two ways:\n\nA) drop the table\nB) keep it and add an index\n\nWhich one?")
AGAIN = "and please don't suggest it again"
PUSH = turn(2, "assistant", '{"command": "git push --force"}', "call", tool="Bash", call="c1")


def test_a_yes_to_the_one_offer_is_a_decision_with_the_offer_beside_it() -> None:
    [found] = noted("yes please", OFFER)
    said = "The uploads are most of it. Shall I move the uploads to another disk?"
    assert found.detail == Decided(
        exchange=Exchange(said="yes please", kind="proposal", answered=said), weight=found.detail.weight
    )
    assert found.evidence == [Quote(99, "yes please"), Quote(1, "Shall I move the uploads to another disk?")]


@pytest.mark.parametrize(
    ("text", "before", "found"),
    [
        ("no", OFFER, [("rejected", "no", LASTING)]),
        ("not now", OFFER, [("rejected", "not now", WORK)]),
        (f"no, {AGAIN}", OFFER, [("rejected", f"no, {AGAIN}", BINDING)]),
        # A bare no to several ways, to "any objections?", to nothing; a yes to the next step as usual.
        ("no", LISTED, []),
        ("no", turn(1, "assistant", "I will rename it. Any objections?"), []),
        ("no", turn(1, "assistant", "The tests pass."), []),
        ("yes", turn(1, "assistant", "Shall I commit this?"), []),
        ("thanks", OFFER, []),
        # An option by its letter.
        ("b", LISTED, [("decision", "b", WORK)]),
        ("b?", LISTED, []),
        ("c", LISTED, []),
    ],
)  # fmt: skip
def test_a_short_answer_means_what_it_answers(text: str, before: JournalTurn, found: list[Any]) -> None:
    assert kept(text, before) == found


def test_an_option_is_kept_with_its_line_and_those_not_taken() -> None:
    [found] = noted("b", LISTED)
    assert found.detail.exchange == Exchange(said="b", kind="option", answered="B) keep it and add an index")
    assert isinstance(found.detail, Decided)
    assert found.detail.options == ["A) drop the table"]
    assert found.evidence == [Quote(99, "b"), Quote(1, "B) keep it and add an index")]
    assert found.summary == "b (to: “B) keep it and add an index”)"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("no, use the helper instead", [("rejected", "no, use the helper instead", WORK)]),
        ("no", [("rejected", "no", LASTING)]),
        ("never force push to main", [("rule", "never force push to main", BINDING)]),
        ("stop. never do that again", [("rejected", "stop. never do that again", BINDING)]),
        # A question, a pause, going on, a slip of the finger, a report.
        ("why do you want to push?", []), ("wait, not before the dump has finished", []),
        ("continue, the network should be better now", []), ("oh no, wrong key, I wanted to say yes", []),
        ("ok let's do your form and then the other one", []), ("…", []), ("!", []),
    ],
)  # fmt: skip
def test_words_given_with_a_refused_call_refuse_it_only_if_they_say_so(words: str, found: list[Any]) -> None:
    told = noted(words, PUSH, kind="denied", call="c1")
    assert [(one.category, one.detail.exchange.said, one.detail.stance) for one in told] == found
    called = Call("Bash", "git push --force")
    assert [one.detail.exchange.call for one in told] == [called] * len(found)


def test_what_is_said_plainly_beside_a_choice_is_noted_too() -> None:
    found = [(one.category, one.summary, one.evidence[0].quote) for one in noted("b. and never log the key", LISTED)]
    said = "b. and never log the key"
    assert found == [
        ("decision", f"{said} (to: “B) keep it and add an index”)", said),
        ("rule", "and never log the key", said),
    ]


def test_an_answer_in_a_dialog_is_a_decision_with_its_question() -> None:
    asked = '{"questions": [{"question": "Which store?", "options": [{"label": "Postgres"}, {"label": "Influx"}]}]}'
    dialog = turn(1, "assistant", asked, "call", tool="AskUserQuestion", call="c1")
    [found] = noted("> Which store?\nPostgres", dialog, kind="answer", call="c1")
    exchange = Exchange(said="Postgres", kind="option", answered="Which store?")
    assert found.detail == Decided(
        exchange=exchange, question="Which store?", options=["Influx"], weight=found.detail.weight
    )


def test_the_agents_own_words_sent_back_are_nobodys() -> None:
    said = turn(1, "assistant", "My rules are these: never publish the drafts of other people.")
    assert noted("never publish the drafts of other people.", said) == []


@pytest.mark.parametrize(
    "text",
    [
        "never " * 100_000, "x" * 5_000_000, "don't use it. " * 20_000, "\ud800 \x00 never \ufffd", "\n" * 100_000,
        "“" * 50_000,
    ],
    ids=["one word", "5 MB", "many sentences", "not encodable", "lines", "marks"],
)  # fmt: skip
def test_whatever_is_sent_little_is_noted_and_soon(text: str) -> None:
    assert len(noted(text)) <= 150 * 10


def test_what_an_agent_states_is_the_agents() -> None:
    said = "I looked at it.\n\n**Root cause**: the pool is never closed after a timeout.\n\nThe tests pass."
    [found] = propose(turn(5, "assistant", said), Window())
    assert (found.category, found.summary, found.evidence) == (
        "exclusion",
        "**Root cause**: the pool is never closed after a timeout.",
        [Quote(5, "**Root cause**: the pool is never closed after a timeout.")],
    )


def test_a_cause_and_giving_up_are_one() -> None:
    said = "Push fails because shared calendars refuse it (403). I'm dropping that approach. Next, polling."
    [found] = propose(turn(5, "assistant", said), Window())
    assert found.summary == "Push fails because shared calendars refuse it (403). I'm dropping that approach."


def test_an_agent_that_shows_only_code_states_nothing() -> None:
    assert propose(turn(5, "assistant", "```\n# root cause: the pool\n```"), Window()) == []


MINE = turn(3, "user", "yes please")
STOPPED = turn(4, "system", "[Request interrupted by user]", "interrupted")


@pytest.mark.parametrize("before", [(OFFER, MINE, STOPPED), (OFFER, MINE)])
def test_who_stops_what_they_said_and_says_it_otherwise_answers_nothing(before: tuple[JournalTurn, ...]) -> None:
    assert noted("yes please", *before) == []


def test_a_command_for_the_shell_or_the_host_comes_between_an_offer_and_its_answer() -> None:
    assert [one.category for one in noted("yes please", OFFER, turn(3, "user", "ls", "command"))] == ["decision"]
    assert noted("yes please", OFFER, turn(3, "user", "/fix the gate", "command")) == []


def test_an_answer_to_a_question_that_was_not_asked_is_none() -> None:
    asked = '{"questions": [{"question": "Which gate?", "options": [{"label": "north"}, {"label": "south"}]}]}'
    call = turn(2, "assistant", asked, "call", tool="AskUserQuestion", call="c1")
    found = noted("> Which gate?\nnorth\n> May I sell it?\nyes", call, kind="answer", call="c1")
    assert [(one.detail.exchange.answered, one.detail.exchange.said) for one in found] == [("Which gate?", "north")]
