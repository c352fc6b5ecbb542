"""Whatever is said, told and found out, in whatever order: what a person said stays, and nothing else rises to it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from steno.rules.birth import Record, as_of
from steno.rules.fold import fold
from steno.testing import an_entry
from steno.vocabulary import Category, Entry, Rule
from steno.vocabulary.details import DETAILS, Call, Exchange, Instructed, Reach, Rejected, Stance

NOW = "2026-04-30T12:00:00.000Z"
DAYS = st.integers(0, 119).map(lambda day: f"2026-{day // 30 + 1:02}-{day % 28 + 1:02}T{day % 24:02}:00:00.000Z")
WORDS = ["Never push to main.", "never, please, push to main", "Push to main.", "Read the file before you edit it.",
         "Before you edit it, read the file!", "Keep lines under 80.", "Keep lines under 120.", "no", ""]  # fmt: skip


def made(category: Category, words: str, reach: Reach, **fields: Any) -> Entry:
    kind = {"preference": fields.pop("preference")} if category == "rule" else {}
    fields.pop("preference", None)
    return an_entry(category, words, DETAILS[category](stance=Stance(reach=reach), **kind), **fields)


ENTRIES = st.builds(
    made,
    id=st.integers(0, 9).map(str), category=st.sampled_from(["rule", "rejected", "learning", "fact"]),
    words=st.sampled_from(WORDS), reach=st.sampled_from(["standing", "work"]), preference=st.booleans(),
    status=st.sampled_from(["active", "active", "active", "done", "superseded", "archived"]),
    certainty=st.sampled_from(["confirmed", "confirmed", "hypothesis", "refuted"]),
    origin=st.sampled_from(["user", "assistant", "edit", "tool", "file", "agent"]),
    project=st.sampled_from([None, "/shop"]), created_at=st.none() | DAYS, repeated=st.integers(0, 2),
)  # fmt: skip
IDS = st.integers(0, 11).map(str)
OUTCOMES = st.fixed_dictionaries({}, optional={"reinforced": st.lists(IDS), "violated": st.lists(IDS), "repeats": IDS})
ACTS = st.sampled_from(["reinforce", "violate", "matcher", "mode", "trial", "nonsense"]).map(lambda do: {"do": do})
BY_OUTCOME: st.SearchStrategy[Record] = st.one_of(
    st.tuples(DAYS, st.just("outcome"), st.just(""), OUTCOMES.map(json.dumps)),
    st.tuples(DAYS, st.just("rule"), IDS, ACTS.map(json.dumps)),
)
BY_PERSON: st.SearchStrategy[Record] = st.tuples(
    DAYS,
    st.just("rule"),
    IDS,
    st.sampled_from(["raise", "lower", "retire", "revive"]).map(lambda do: f'{{"do":"{do}"}}'),
)
DAY_ONE = "2026-04-01T12:00:00.000Z"
lists_of_entries = st.lists(ENTRIES, max_size=8, unique_by=lambda entry: entry.id)


def kept(rules: dict[str, Rule], id_: str) -> Rule:
    rule = rules[id_]
    while rule.merged_into is not None:
        rule = rules[rule.merged_into]
    return rule


def is_critical(entry: Entry) -> bool:
    """An instruction or a refusal of a person that is meant to last."""
    instructs = entry.category in ("rule", "rejected") and entry.origin in ("user", "edit")
    lasts = entry.origin == "edit" or entry.detail.stance.reach == "standing"
    return instructs and lasts and not getattr(entry.detail, "preference", False)


@settings(max_examples=200)
@given(lists_of_entries, st.lists(st.one_of(BY_OUTCOME, BY_PERSON), max_size=12))
def test_only_a_persons_words_are_ever_critical_and_every_rule_is_in_bounds(
    entries: list[Entry], records: list[Record]
) -> None:
    rules = fold(entries, records, NOW)
    assert rules == fold(entries, records, NOW)
    for rule in rules.values():
        assert 0.5 <= rule.score <= (10 if rule.origin in ("user", "edit") else 8.5)
        assert rule.status != "critical" or rule.origin in ("user", "edit")
        assert rule.origin not in ("tool", "file", "agent")
        assert rule.mode in (None, "warn") or (rule.mode == "ask" and rule.origin in ("user", "edit"))
        assert kept(rules, rule.id).merged_into is None


@settings(max_examples=200)
@given(lists_of_entries, st.lists(BY_OUTCOME, max_size=12))
def test_no_machine_retires_what_a_person_said_for_good(entries: list[Entry], records: list[Record]) -> None:
    rules = fold(entries, records, NOW)
    for entry in entries:
        # Also where something but a person set the entry aside.
        if is_critical(entry) and entry.id in rules:
            assert kept(rules, entry.id).status == "critical"
        if is_critical(entry) and entry.status == "active" and entry.certainty == "confirmed":
            assert entry.id in rules


def test_an_instruction_for_one_piece_of_work_is_never_critical_and_fades() -> None:
    entry = made("rule", "only the parser in this PR", "work", preference=False, created_at=DAY_ONE)
    statuses = {day: fold([entry], [], f"2026-{day}T12:00:00.000Z")["e1"].status for day in ("04-01", "04-08", "04-20")}
    assert statuses == {"04-01": "active", "04-08": "active", "04-20": "retired"}


@pytest.mark.parametrize("reach", ["standing", "work"])
def test_a_refusal_is_critical_while_it_is_in_force_however_far_it_reaches(reach: Reach) -> None:
    entry = made("rejected", "no mocks in this PR", reach, created_at=DAY_ONE)
    rule = fold([entry], [], NOW)["e1"]
    assert (rule.rule, rule.score, rule.status) == ("refused: no mocks in this PR", 9.0, "critical")


@pytest.mark.parametrize(("reach", "status"), [("standing", "critical"), ("work", "retired")])
def test_only_a_refusal_for_one_piece_of_work_ends_without_a_persons_word(reach: Reach, status: str) -> None:
    entry = made("rejected", "no mocks in this PR", reach, created_at=DAY_ONE, status="archived")
    assert fold([entry], [], NOW)["e1"].status == status
    archived: Record = ("2026-04-02T12:00:00.000Z", "archive", "e1", "{}")
    assert fold([entry], [archived], NOW)["e1"].status == "retired"


@pytest.mark.parametrize(("origin", "status"), [("user", "retired"), ("assistant", "critical")])
def test_a_critical_rule_ends_where_a_person_said_something_else(origin: str, status: str) -> None:
    standing = Instructed(stance=Stance(reach="standing"))
    old = an_entry("rule", "always squash", standing, status="superseded", superseded_by="e2", created_at=DAY_ONE)
    new = an_entry("decision", "never squash", id="e2", origin=origin, created_at="2026-04-02T12:00:00.000Z")
    assert fold([old, new], [], NOW)["e1"].status == status


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (made("rule", "always run  make lint", "standing", preference=False), "always run make lint"),
        (an_entry("rejected", "no kafka", Rejected(exchange=Exchange(answered="Add Kafka?"))), "refused: no kafka"),
        (
            an_entry("rejected", "no, not that", Rejected(exchange=Exchange(answered="Add Kafka?"))),
            "refused: no, not that (to: Add Kafka?)",
        ),
        (
            an_entry(
                "rejected", "never do that", Rejected(exchange=Exchange(kind="call", call=Call("Bash", "dropdb shop")))
            ),
            "refused: never do that (to: Bash dropdb shop)",
        ),
        (an_entry("rejected", "no", origin="edit", summary="uploads to production"), "refused: uploads to production"),
    ],
)
def test_a_rule_says_what_the_person_said_and_what_they_only_pointed_at(entry: Entry, rule: str) -> None:
    assert fold([entry], [], NOW)["e1"].rule == rule


def test_a_preference_said_again_counts_from_that_day_also_when_it_had_retired() -> None:
    detail = Instructed(preference=True, stance=Stance(reach="standing"))
    once = an_entry("rule", "I prefer short names.", detail, created_at="2025-09-01T12:00:00.000Z")
    assert fold([once], [], NOW)["e1"].status == "retired"
    again = structs.replace(once, repeated=1, repeated_at="2026-04-30T09:00:00.000Z")
    rule = fold([again], [], NOW)["e1"]
    assert (rule.status, rule.score, rule.reinforced_at) == ("active", 7.5, again.repeated_at)
    assert fold(*as_of([again], [], "2026-04-29T12:00:00.000Z"), "2026-04-29T12:00:00.000Z")["e1"].status == "retired"


def test_an_agent_that_repeats_itself_does_not_bring_back_what_a_person_retired() -> None:
    lesson = an_entry(
        "learning", "Back up the index first.", origin="assistant", created_at="2026-04-01T12:00:00.000Z", repeated=1,
        repeated_at="2026-04-30T09:00:00.000Z",
    )  # fmt: skip
    retired: Record = ("2026-04-10T12:00:00.000Z", "rule", "e1", '{"do":"retire"}')
    assert fold([lesson], [], NOW)["e1"].reinforced_at == lesson.repeated_at
    assert fold([lesson], [retired], NOW)["e1"].status == "retired"
