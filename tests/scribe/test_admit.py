"""Admission: what was not said, or may not be said by its speaker, or is known, does not get in."""

from typing import Any

import pytest

from steno.scribe.admit import MOST_PER_SESSION, Admitted, Refused, Repeated, owned
from steno.scribe.admit import judge as judge_among
from steno.vocabulary import Candidate, JournalTurn, Quote, Turn
from steno.vocabulary.details import Decided, Exchange, detail_of
from steno.vocabulary.entries import Compared


def turn(text: str, *, number: int = 1, role: str = "user", kind: str = "said") -> JournalTurn:
    return JournalTurn(id=number, source="jsonl", session="s", turn=Turn(role=role, kind=kind, text=text))  # type: ignore[arg-type]


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


def test_what_is_known_counts_once_more() -> None:
    assert judge(candidate(JOURNAL), SAID, [known("Let's use sqlite for the journal!")]) == Repeated("old")


@pytest.mark.parametrize("fields", [{"status": "superseded"}, {"is_near": False}, {"category": "context"}])
def test_what_holds_no_more_or_elsewhere_does_not(fields: dict[str, Any]) -> None:
    assert judge(candidate(JOURNAL), SAID, [known(JOURNAL, **fields)]) == Admitted("user", [], {})


def test_a_newer_decision_for_the_same_place_takes_the_place_of_the_older() -> None:
    assert judge(candidate(JOURNAL), SAID, [known()]) == Admitted("user", ["old"], {})


def test_an_unrelated_decision_takes_the_place_of_none() -> None:
    others = [known("use PostgreSQL for the reports"), known("use the journal for PostgreSQL"), known("use a journal")]
    assert judge(candidate(JOURNAL), SAID, others) == Admitted("user", [], {})


def test_the_same_question_answered_otherwise_takes_the_place() -> None:
    asked = [detail_of("decision", {"question": "Which store?", "stance": {"wanted": name}}) for name in ("a", "b")]
    said = {1: turn("the second one")}
    newer = candidate("the second one", detail=asked[1])
    assert judge(newer, said, [known("the first one", detail=asked[0])]) == Admitted("user", ["old"], {})


def test_an_assistant_does_not_overrule_a_person() -> None:
    said = {1: turn("I'll use SQLite for the journal", role="assistant")}
    verdict = judge(candidate("I'll use SQLite for the journal"), said, [known()])
    assert verdict == Admitted("assistant", [], {"old": f"{OPPOSITE}, and one was told, the other said"})


def test_a_persons_yes_makes_an_agents_decision_theirs() -> None:
    said = {1: turn("yes"), 2: turn("I'd use SQLite for the journal.", number=2, role="assistant")}
    yes = detail_of("decision", {"exchange": {"answered": "I'd use SQLite for the journal. Shall I?"}})
    agents = known("I'd use SQLite for the journal.", origin="assistant")
    assert judge(candidate("yes", detail=yes), said, [agents]) == Admitted("user", ["old"], {})


def test_a_decision_on_something_rejected_is_for_a_person_to_judge() -> None:
    verdict = judge(candidate(JOURNAL), SAID, [known("use SQLite for the journal", category="rejected")])
    assert verdict == Admitted("user", [], {"old": "a decision for something the human had refused"})


def test_a_rejection_ends_a_decision_for_the_same() -> None:
    said = {1: turn("no, don't use PostgreSQL for the journal")}
    no = candidate(said[1].turn.text, category="rejected")
    assert judge(no, said, [known()]) == Admitted("user", ["old"], {})


def test_what_is_sure_now_takes_the_place_of_what_was_not() -> None:
    said = {1: turn("never squash")}
    unsure = known("never squash", category="rule", certainty="hypothesis")
    assert judge(candidate("never squash", category="rule"), said, [unsure]) == Admitted("user", ["old"], {})
    again = candidate("never squash", category="rule", certainty="hypothesis")
    assert judge(again, said, [known("never squash", category="rule")]) == Refused("known, and surely")


def test_a_session_has_only_so_many_of_a_kind() -> None:
    sqlite = candidate("let's use SQLite")
    assert judge(sqlite, SAID, [], MOST_PER_SESSION) == Refused("more than 150 of this kind")
    assert judge(sqlite, SAID, [], MOST_PER_SESSION - 1) == Admitted("user", [], {})


def test_what_was_handed_over_is_worded_so_however_sure_it_was() -> None:
    text = "a customer wrote: we should use SQLite for the journal"
    quote = "we should use SQLite for the journal"
    unsure = candidate(
        quote, certainty="hypothesis", summary=f"The user seems to decide: “{quote}”",
        detail=Decided(exchange=Exchange(said=quote)),
    )  # fmt: skip
    found = owned(unsure, {1: turn(text)})
    assert (found.category, found.summary) == ("context", f"The user hands over: “{quote}”")


@pytest.mark.parametrize(
    ("words", "outcome"),
    [("why does it clear the listeners?", Admitted("user", [], {}, "hypothesis")), ("no", Repeated("old"))],
)
def test_two_objections_to_one_stopped_call_are_two_unless_they_say_nothing_else(words: str, outcome: object) -> None:
    call = "Edit src/session.ts"
    edit = detail_of("rejected", {"stance": {"refused": call}, "exchange": {"kind": "call", "answered": call}})
    said = {"category": "rejected", "certainty": "hypothesis", "detail": edit}
    older = known("no" if words == "no" else "can't we read that from the settings?", **said)
    assert judge(candidate(words, **said), {1: turn(words)}, [older]) == outcome
