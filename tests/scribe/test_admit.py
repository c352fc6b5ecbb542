"""Admission: what was not said, or may not be said by its speaker, or is known, does not get in."""

from typing import Any

import pytest

from steno.scribe.admit import MOST_PER_SESSION, Admitted, Refused, Repeated, owned
from steno.scribe.admit import judge as judge_among
from steno.vocabulary import Candidate, JournalTurn, Quote, Turn
from steno.vocabulary.details import detail_of
from steno.vocabulary.entries import Compared


def turn(text: str, *, number: int = 1, role: str = "user", kind: str = "said", at: str | None = None) -> JournalTurn:
    return JournalTurn(id=number, source="jsonl", session="s", turn=Turn(role=role, kind=kind, text=text, at=at))  # type: ignore[arg-type]


def candidate(quote: str, **fields: Any) -> Candidate:
    values: dict[str, Any] = {
        "category": "decision",
        "summary": "The user decides to use SQLite.",
        "evidence": [Quote(1, quote)],
        "cue": "test",
    }
    values |= fields
    return Candidate(**{"detail": detail_of(values["category"], {}), **values})


def known(words: str = "use PostgreSQL for the journal", **fields: Any) -> Compared:
    values: dict[str, Any] = {
        "id": "old",
        "category": "decision",
        "status": "active",
        "certainty": "confirmed",
        "origin": "user",
        "at": None,
        "words": words,
    }
    values |= fields
    return Compared(**{"detail": detail_of(values["category"], {}), **values})


def judge(
    proposed: Candidate, turns: dict[int, JournalTurn], entries: list[Compared], of_session: int = 0
) -> Admitted | Repeated | Refused:
    return judge_among(proposed, turns, lambda _: entries, of_session=of_session)


SAID = {1: turn("let's use SQLite for the journal")}


def test_words_that_were_said_get_in_with_their_speaker() -> None:
    assert judge(candidate("let's use SQLite"), SAID, []) == Admitted("user", [], {})


@pytest.mark.parametrize("quote", ["let's use sqlite", "let's  use SQLite", "", "we use SQLite"])
def test_words_that_were_not_said_exactly_so_do_not(quote: str) -> None:
    assert judge(candidate(quote), SAID, []) == Refused("a quote that was not said")


def test_a_turn_that_is_not_there_proves_nothing() -> None:
    assert judge(candidate("let's", evidence=[Quote(7, "let's")]), SAID, []) == Refused("a quote that was not said")


def test_nothing_gets_in_without_evidence() -> None:
    assert judge(candidate("", evidence=[]), SAID, []) == Refused("no evidence")


def test_our_own_words_are_not_learnt() -> None:
    text = "<steno-briefing>let's use SQLite</steno-briefing>"
    assert judge(candidate("let's use SQLite"), {1: turn(text)}, []) == Refused("our own words")


def test_words_beside_a_briefing_pasted_back_are_learnt() -> None:
    text = "it told you <steno-briefing>never use SQLite</steno-briefing> but let's use SQLite"
    assert judge(candidate("let's use SQLite"), {1: turn(text)}, []) == Admitted("user", [], {})
    assert judge(candidate("never use SQLite"), {1: turn(text)}, []) == Refused("our own words")


@pytest.mark.parametrize("category", ["rejected", "rule"])
def test_only_a_person_rejects_and_rules(category: str) -> None:
    said = {1: turn("never do that", role="assistant")}
    verdict = judge(candidate("never do that", category=category), said, [])
    assert verdict == Refused(f"a {category} cannot come from assistant")


@pytest.mark.parametrize(("role", "kind", "origin"), [("tool", "result", "tool"), ("user", "delegated", "agent")])
def test_tools_and_other_agents_decide_nothing(role: str, kind: str, origin: str) -> None:
    said = {1: turn("let's use SQLite", role=role, kind=kind)}
    assert judge(candidate("let's use SQLite"), said, []) == Refused(f"a decision cannot come from {origin}")


def test_the_origin_is_that_of_the_first_quote() -> None:
    said = {1: turn("yes"), 2: turn("Shall I use SQLite?", number=2, role="assistant")}
    short = candidate("yes", evidence=[Quote(1, "yes"), Quote(2, "Shall I use SQLite?")])
    assert judge(short, said, []) == Admitted("user", [], {})


JOURNAL = "let's use SQLite for the journal"
OPPOSITE = "they say the opposite"
NO_PERSONS = "one is no person's word"


def test_what_is_known_counts_once_more() -> None:
    assert judge(candidate(JOURNAL), SAID, [known("Let's use sqlite for the journal!")]) == Repeated("old")


@pytest.mark.parametrize("fields", [{"status": "superseded"}, {"is_near": False}, {"category": "context"}])
def test_what_holds_no_more_or_elsewhere_does_not(fields: dict[str, Any]) -> None:
    assert judge(candidate(JOURNAL), SAID, [known(JOURNAL, **fields)]) == Admitted("user", [], {})


def test_the_same_question_answered_otherwise_takes_the_place() -> None:
    asked = [detail_of("decision", {"question": "Which store?", "stance": {"wanted": name}}) for name in ("a", "b")]
    said = {1: turn("the second one")}
    newer = candidate("the second one", detail=asked[1])
    assert judge(newer, said, [known("the first one", detail=asked[0])]) == Admitted("user", ["old"], {})


DESIGNER = "Ana is our designer."


@pytest.mark.parametrize("category", ["fact", "decision"])
def test_the_newer_of_two_on_one_thing_takes_the_place_in_whatever_order_they_are_read(category: str) -> None:
    said = {1: turn("Ana left, Ben is our designer now.", at="2026-02-02")}
    newer = candidate(said[1].turn.text, category=category)
    older = {"category": category, "at": "2026-02-01"}
    assert judge(newer, said, [known(DESIGNER, **older)]) == Admitted("user", ["old"], {})
    later = known(DESIGNER, **(older | {"at": "2026-02-03"}))
    assert judge(newer, said, [later]) == Admitted("user", [], {}, ["old"])
    others = [known(DESIGNER, **(older | {"is_near": False})), known("Ana is our accountant.", **older)]
    assert judge(newer, said, others) == Admitted("user", [], {})


@pytest.mark.parametrize(
    ("origin", "reason"),
    [
        ("edit", "one was told, the other said"),
        ("assistant", NO_PERSONS),
        ("file", NO_PERSONS),
    ],
)
def test_a_fact_of_another_origin_waits_for_a_person_unless_it_says_the_same(origin: str, reason: str) -> None:
    said = {1: turn("Ben is our designer")}
    newer = candidate(said[1].turn.text, category="fact")
    other = known(DESIGNER, category="fact", origin=origin)
    assert judge(newer, said, [other]) == Admitted("user", [], {"old": f"{OPPOSITE}, and {reason}"})
    agrees = known("Our designer is Ben.", category="fact", origin=origin)
    assert judge(newer, said, [agrees]) == Admitted("user", [], {})


def test_a_persons_yes_makes_an_agents_decision_theirs() -> None:
    offer = "I'd use SQLite for the journal. Shall I?"
    said = {1: turn("yes"), 2: turn(offer, number=2, role="assistant")}
    yes = detail_of("decision", {"exchange": {"kind": "proposal", "answered": offer}})
    agents = known("I'd use SQLite for the journal.", origin="assistant")
    assert judge(candidate("yes", detail=yes), said, [agents]) == Admitted("user", ["old"], {})


@pytest.mark.parametrize(
    ("new", "older"),
    [
        (("rule", "never squash commits"), ("rule", "always squash commits")),
        (("rejected", "don't squash commits"), ("rule", "always squash commits")),
        (("rule", "always squash commits"), ("rejected", "squash commits")),
        (("rejected", "no more than 2 retries"), ("rejected", "no more than 5 retries")),
    ],
)
def test_two_of_a_persons_rules_and_refusals_that_cannot_both_hold_wait_for_them(
    new: tuple[str, str], older: tuple[str, str]
) -> None:
    said = {1: turn(new[1])}
    newer, other = candidate(new[1], category=new[0]), known(older[1], category=older[0])
    assert judge(newer, said, [other]) == Admitted("user", [], {"old": OPPOSITE})
    elsewhere = other._replace(is_near=False)
    assert judge(newer, said, [elsewhere]) == Admitted("user", [], {"old": f"{OPPOSITE}, one of them everywhere"})


def test_an_agents_decision_against_a_persons_rule_waits_and_a_refusal_ends_it() -> None:
    plan = "I'll squash the commits"
    said = {1: turn(plan, role="assistant"), 2: turn("never squash commits", number=2)}
    rule = known("never squash the commits", category="rule")
    assert judge(candidate(plan), said, [rule]) == Admitted("assistant", [], {"old": f"{OPPOSITE}, and {NO_PERSONS}"})
    no = candidate("", category="rejected", evidence=[Quote(2, "never squash commits")])
    assert judge(no, said, [known(plan, origin="assistant")]) == Admitted("user", ["old"], {})


def test_a_decision_on_something_rejected_is_for_a_person_to_judge() -> None:
    verdict = judge(candidate(JOURNAL), SAID, [known("use SQLite for the journal", category="rejected")])
    assert verdict == Admitted("user", [], {"old": "a decision for something the human had refused"})


def test_a_rejection_ends_a_decision_for_the_same() -> None:
    said = {1: turn("no, don't use PostgreSQL for the journal")}
    no = candidate(said[1].turn.text, category="rejected")
    assert judge(no, said, [known()]) == Admitted("user", ["old"], {})


def test_a_persons_word_stands_for_an_agents_that_says_the_same_whichever_was_first() -> None:
    said = {1: turn(DESIGNER, at="2026-02-01")}
    agents = known(DESIGNER, category="fact", origin="assistant", at="2026-02-02")
    assert judge(candidate(DESIGNER, category="fact"), said, [agents]) == Admitted("user", ["old"], {})


def test_a_session_has_only_so_many_of_a_kind() -> None:
    sqlite = candidate("let's use SQLite")
    assert judge(sqlite, SAID, [], MOST_PER_SESSION) == Refused("more than 150 of this kind")
    assert judge(sqlite, SAID, [], MOST_PER_SESSION - 1) == Admitted("user", [], {})


def test_a_decision_in_a_text_that_was_handed_over_is_only_context() -> None:
    quote = "we should use SQLite for the journal"
    found = owned(candidate(quote), {1: turn(f"> {quote}\n\nthoughts?")})
    assert (found.category, found.summary, found.tags) == ("context", quote, [])


@pytest.mark.parametrize(
    ("answered", "outcome"), [("git push", Repeated("old")), ("rm -rf build", Admitted("user", [], {}))]
)
def test_a_bare_no_is_said_again_only_to_the_same_call(answered: str, outcome: object) -> None:
    no, again = (
        detail_of("rejected", {"exchange": {"kind": "call", "answered": call}}) for call in ("git push", answered)
    )
    older = known("no", category="rejected", detail=no)
    assert judge(candidate("No!", category="rejected", detail=again), {1: turn("No!")}, [older]) == outcome


def test_lessons_of_agents_that_come_to_the_same_are_one_and_a_persons_are_two() -> None:
    lesson, again = (
        "the broker needs the vhost header or it drops every call",
        "the broker needs a vhost header or it drops every call silently",
    )
    said = {1: turn(again, role="assistant"), 2: turn(again, number=2)}
    by_agent = candidate(again, category="learning")
    assert judge(by_agent, said, [known(lesson, category="learning", origin="assistant")]) == Repeated("old")
    by_person = candidate("", category="learning", evidence=[Quote(2, again)])
    assert judge(by_person, said, [known(lesson, category="learning")]) == Admitted("user", [], {})
    own_words = candidate("", category="learning", evidence=[Quote(1, again)])
    verdict = judge(own_words, said, [known(again, category="learning")])
    assert verdict == Refused("an agent says what a person said")
