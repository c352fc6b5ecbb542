"""Whatever is said, told and found out, in whatever order: what a person said stays, and nothing else rises to it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steno.rules.birth import Record, is_for_one_piece_of_work
from steno.rules.fold import fold
from steno.vocabulary import Category, Entry, Evidence, Rule

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


def an_entry(category: Category, quote: str) -> Entry:
    """What a person said a year ago."""
    evidence = [Evidence(session="s", turn=1, line=1, role="user", quote=quote)]
    return Entry(
        id="a", category=category, status="active", certainty="confirmed", confidence=0.9, summary=quote, detail={},
        origin="user", tags=[], domain="GENERAL", subject=[], session="s", project=None, agent=None,
        created_at="2025-01-01T12:00:00.000Z", superseded_by=None, repeated=0, cue="", evidence=evidence,
    )  # fmt: skip


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
        lasts = entry.cue != "a preference" and not is_for_one_piece_of_work(entry)
        if instructs and entry.status == "active" and entry.certainty == "confirmed" and lasts:
            assert kept(rules, entry.id).status == "critical"
        if instructs and entry.certainty == "hypothesis":
            assert entry.id not in rules


@pytest.mark.parametrize(
    ("quote", "lasts"),
    [
        ("never push to main", True),
        ("don't touch the vpn, ask me first for anything outside the repo", True),
        ("only deploy on thursdays", True),
        ("don't commit yet", False),
        ("not now", False),
        ("stop", False),
        ("why does this exist at all?", False),
    ],
)
def test_words_for_the_moment_do_not_stay_critical_and_standing_ones_do(quote: str, lasts: bool) -> None:
    assert (kept(fold([an_entry("rule", quote)], [], NOW), "a").status == "critical") == lasts
    assert (kept(fold([an_entry("rejected", quote)], [], NOW), "a").status == "critical") == lasts


def test_a_request_that_was_taken_for_an_instruction_fades() -> None:
    assert is_for_one_piece_of_work(an_entry("rule", "read the file in full please"))
    assert not is_for_one_piece_of_work(an_entry("rule", "read the file in full before you edit it, always"))
