"""Admission: what was not said, or may not be said by its speaker, or is known, does not get in."""

from typing import Any

import pytest

from steno.scribe.admit import MOST_PER_SESSION, Admitted, Known, Refused, Repeated
from steno.scribe.admit import judge as judge_among
from steno.vocabulary import Candidate, JournalTurn, Quote, Turn


def turn(text: str, *, number: int = 1, role: str = "user", kind: str = "said") -> JournalTurn:
    return JournalTurn(id=number, source="jsonl", session="s", turn=Turn(role=role, kind=kind, text=text))  # type: ignore[arg-type]


def candidate(quote: str, **fields: Any) -> Candidate:
    values: dict[str, Any] = {
        "category": "decision",
        "summary": "The user decides to use SQLite.",
        "evidence": [Quote(1, quote)],
        "cue": "test",
    }
    return Candidate(**values | fields)


def known(**fields: Any) -> Known:
    values: dict[str, Any] = {
        "id": "old",
        "category": "decision",
        "status": "active",
        "origin": "user",
        "summary": "The user decides to use PostgreSQL.",
        "subject": frozenset({"store", "database", "journal"}),
    }
    return Known(**values | fields)


def judge(
    proposed: Candidate, turns: dict[int, JournalTurn], entries: list[Known], of_session: int = 0
) -> Admitted | Repeated | Refused:
    return judge_among(proposed, turns, entries, of_session=of_session)


SAID = {1: turn("let's use SQLite for the journal")}
SUBJECT = ["store", "database", "journal"]


def test_words_that_were_said_get_in_with_their_speaker() -> None:
    assert judge(candidate("let's use SQLite"), SAID, []) == Admitted("user", [], [])


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
    assert judge(candidate("let's use SQLite"), {1: turn(text)}, []) == Admitted("user", [], [])
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
    assert judge(short, said, []) == Admitted("user", [], [])


def test_what_is_known_counts_once_more() -> None:
    same = known(summary="the user DECIDES to use SQLite")
    assert judge(candidate("let's use SQLite"), SAID, [same]) == Repeated("old")


def test_a_newer_decision_on_the_same_subject_takes_the_place_of_the_older() -> None:
    assert judge(candidate("let's use SQLite", subject=SUBJECT), SAID, [known()]) == Admitted("user", ["old"], [])


def test_an_assistant_does_not_overrule_a_person() -> None:
    said = {1: turn("I'll use SQLite", role="assistant")}
    verdict = judge(candidate("I'll use SQLite", subject=SUBJECT), said, [known()])
    assert verdict == Admitted("assistant", [], [])


def test_a_decision_on_something_rejected_is_for_a_person_to_judge() -> None:
    verdict = judge(candidate("let's use SQLite", subject=SUBJECT), SAID, [known(category="rejected")])
    assert verdict == Admitted("user", [], ["old"])


def test_a_rejection_ends_a_decision_on_the_same_subject() -> None:
    no = candidate("let's use SQLite", category="rejected", subject=SUBJECT)
    assert judge(no, SAID, [known()]) == Admitted("user", ["old"], [])


def test_a_subject_of_few_words_supersedes_nothing() -> None:
    vague = known(subject=frozenset({"store"}))
    assert judge(candidate("let's use SQLite", subject=["store"]), SAID, [vague]) == Admitted("user", [], [])


def test_a_session_has_only_so_many_of_a_kind() -> None:
    sqlite = candidate("let's use SQLite")
    assert judge(sqlite, SAID, [], MOST_PER_SESSION) == Refused("more than 150 of this kind")
    assert judge(sqlite, SAID, [], MOST_PER_SESSION - 1) == Admitted("user", [], [])
