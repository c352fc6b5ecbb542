"""Whatever is said, told and found out, in whatever order: what a person said stays, and nothing else rises to it."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from steno.rules.birth import Record
from steno.rules.fold import fold
from steno.vocabulary import Entry, Rule

NOW = "2026-04-30T12:00:00.000Z"
DAYS = st.integers(0, 119).map(lambda day: f"2026-{day // 30 + 1:02}-{day % 28 + 1:02}T{day % 24:02}:00:00.000Z")
WORDS = ["Never push to main.", "never, please, push to main", "Push to main.", "Read the file before you edit it.",
         "Before you edit it, read the file!", "Keep lines under 80.", "Keep lines under 120.", "no", ""]  # fmt: skip
ENTRIES = st.builds(
    Entry,
    id=st.integers(0, 9).map(str), category=st.sampled_from(["rule", "rejected", "learning", "fact"]),
    status=st.sampled_from(["active", "active", "active", "done", "superseded", "archived"]),
    certainty=st.sampled_from(["confirmed", "confirmed", "hypothesis", "refuted"]), confidence=st.just(0.9),
    summary=st.sampled_from(WORDS), detail=st.just({}),
    origin=st.sampled_from(["user", "assistant", "edit", "tool", "file", "agent"]), tags=st.just([]),
    domain=st.just("GENERAL"), subject=st.just([]), session=st.just("s"), project=st.sampled_from([None, "/shop"]),
    agent=st.none(), created_at=st.none() | DAYS, superseded_by=st.none(), repeated=st.integers(0, 2),
    cue=st.sampled_from(["a preference", ""]), evidence=st.just([]),
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
lists_of_entries = st.lists(ENTRIES, max_size=8, unique_by=lambda entry: entry.id)


def kept(rules: dict[str, Rule], id_: str) -> Rule:
    rule = rules[id_]
    while rule.merged_into is not None:
        rule = rules[rule.merged_into]
    return rule


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
        assert rule.mode in (None, "warn")
        assert kept(rules, rule.id).merged_into is None


@settings(max_examples=200)
@given(lists_of_entries, st.lists(BY_OUTCOME, max_size=12))
def test_no_instruction_that_holds_is_lost_unless_a_person_acts(entries: list[Entry], records: list[Record]) -> None:
    rules = fold(entries, records, NOW)
    for entry in entries:
        instructs = entry.category in ("rule", "rejected") and entry.origin in ("user", "edit")
        if instructs and entry.status == "active" and entry.certainty != "refuted" and entry.cue != "a preference":
            assert kept(rules, entry.id).status == "critical"
