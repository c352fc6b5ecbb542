"""Learning: the same entries however the journal was read, each with words that were said, and people's word last."""

import shutil
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steno.language.words import pairs
from steno.memory import Memory
from steno.store.sqlite import migrations
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Entry, Learnt
from steno.vocabulary.details import Stance
from steno.vocabulary.errors import UnknownEntry, WrongUse

TALK = [
    said("the checkout charges people twice, find out why and fix it", at="2026-02-01T10:00:00Z"),
    said("Two ways: a) disable the button\nb) an idempotency key\nI suggest b.", role="assistant"),
    said("b. don't disable the button, people turn javascript off", at="2026-02-01T10:01:00Z"),
    said("I'll change the payments table.", role="assistant"),
    said("no, never change the payments table by hand, it cost us a weekend", at="2026-02-01T10:02:00Z"),
    said("always run make lint before you commit", at="2026-02-01T10:03:00Z"),
]
TALK = [line | {"id": str(number)} for number, line in enumerate(TALK)]


def learnt(memory: Memory, path: Path) -> list[Entry]:
    memory.capture(path, source="jsonl")
    memory.scribe()
    return memory.entries()


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "talk.jsonl", *TALK)


def test_every_entry_rests_on_words_that_were_said(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        entries = learnt(memory, talk)
        words = {turn.id: turn.turn.text for turn in memory.turns("s1")}
        assert entries
        assert all(evidence.quote in words[evidence.turn] for entry in entries for evidence in entry.evidence)
        assert all(check.ok for check in memory.doctor())


def test_a_refusal_and_an_instruction_are_written_down(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        entries = learnt(memory, talk)
    quotes = {(entry.category, evidence.quote) for entry in entries for evidence in entry.evidence[:1]}
    assert any(kind in ("rejected", "rule") and "payments table" in quote for kind, quote in quotes)
    assert any(kind == "rule" and "make lint" in quote for kind, quote in quotes)
    assert {entry.origin for entry in entries if entry.category in ("rejected", "rule")} == {"user"}


@pytest.mark.parametrize(("fields", "domain"), [((), "GENERAL"), (("web",), "WEB"), (("web", "data"), "GENERAL")])
def test_the_domain_of_an_entry_is_the_one_set_for_its_agent(
    tmp_path: Path, fields: tuple[str, ...], domain: str
) -> None:
    with house(tmp_path) as memory:
        memory.fleet.agents.tell("ada", domains=fields)
        line = said("never deploy the docker image without the terraform plan", agent="ada", project="/shop")
        (entry,) = learnt(memory, write_jsonl(tmp_path / "talk.jsonl", line))
        assert (entry.category, entry.domain) == ("rule", domain)


def test_reading_line_by_line_gives_the_same_entries(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path / "once") as memory:
        once = learnt(memory, talk)
        checkpoint = memory.checkpoint()
    with house(tmp_path / "slowly") as memory:
        for line in TALK:
            slowly = learnt(memory, write_jsonl(tmp_path / "slow.jsonl", line))
        assert memory.checkpoint() == checkpoint
    assert slowly == once


def test_scribing_again_finds_nothing_new(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        learnt(memory, talk)
        assert memory.scribe() == Learnt()


def test_a_rebuild_gives_the_same_entries_with_the_same_ids(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        before = learnt(memory, talk)
        memory.rebuild()
        assert memory.entries() == before


def test_another_store_gives_the_same_ids(tmp_path: Path, talk: Path) -> None:
    found = []
    for name in ("a", "b"):
        with house(tmp_path / name) as memory:
            found.append([entry.id for entry in learnt(memory, talk)])
    assert found[0] == found[1] != []


def test_what_people_told_us_survives_a_rebuild(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        first, second, *_ = learnt(memory, talk)
        memory.revise(first.id, summary="The user wants this in other words.")
        memory.archive(second.id)
        told = memory.remember("Releases go out on Thursdays.", category="fact", project="/shop")
        before = sorted(memory.entries(), key=lambda entry: entry.id)
        memory.rebuild()
        assert sorted(memory.entries(), key=lambda entry: entry.id) == before
        assert memory.entry(first.id).origin == "edit"
        assert memory.entry(second.id).status == "archived"
        assert (memory.entry(told.id).summary, told.origin, told.evidence) == (
            "Releases go out on Thursdays.",
            "edit",
            [],
        )


def test_what_people_told_us_moves_with_an_export(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path / "a") as one:
        learnt(one, talk)
        one.remember("Releases go out on Thursdays.", category="fact")
        exported, entries = list(one.export()), sorted(entry.id for entry in one.entries())
    with house(tmp_path / "b") as other:
        other.import_(exported, trust=True)
        other.import_(exported, trust=True)
        assert sorted(entry.id for entry in other.entries()) == entries


def test_forgetting_a_text_takes_its_entries_along(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        learnt(memory, talk)
        memory.remember("the weekend was lost", category="context")
        memory.forget(text="weekend")
        memory.scribe()
        assert [entry for entry in memory.entries() if "weekend" in repr(entry)] == []
        assert all(check.ok for check in memory.doctor())
    leftovers = [
        file.name for file in (tmp_path / "steno").rglob("*") if file.is_file() and b"weekend" in file.read_bytes()
    ]
    assert leftovers == []


def test_forgetting_a_session_takes_its_entries_along(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        learnt(memory, talk)
        memory.forget(session="s1")
        assert (memory.entries(), memory.sessions()) == ([], [])


def test_redacting_again_reaches_entries_and_checkpoints(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        learnt(memory, talk)
    with house(tmp_path, redact_patterns="payments") as memory:
        memory.redact()
        memory.scribe()
        assert all(check.ok for check in memory.doctor())
    assert [
        file.name for file in (tmp_path / "steno").rglob("*") if file.is_file() and b"payments" in file.read_bytes()
    ] == []


def test_a_person_settles_a_contradiction(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        one, other, *_ = learnt(memory, talk)
        memory.home.store.reviews.put(one.id, other.id, "they disagree")
        [review] = memory.reviews()
        assert (review.one, review.other, review.reason) == (one, other, "they disagree")
        memory.resolve(review.id, "other")
        assert memory.reviews() == []
        settled = memory.entry(one.id)
        assert (settled.status, settled.superseded_by) == ("superseded", other.id)
        with pytest.raises(UnknownEntry, match="no open review"):
            memory.resolve(review.id, "one")


def test_a_backtest_leaves_no_trace(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        found = memory.backtest(talk, source="jsonl")
        assert found.learnt.entries == len(found.entries) > 0
        assert (memory.entries(), memory.sessions()) == ([], [])
        memory.backtest(talk, source="jsonl", apply=True)
        assert [entry.id for entry in memory.entries()]


def test_what_is_asked_wrongly_is_refused(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        with pytest.raises(WrongUse, match="no category is called 'poem'"):
            memory.remember("roses", category="poem")
        with pytest.raises(WrongUse, match="nothing to remember"):
            memory.remember("  ", category="fact")
        with pytest.raises(UnknownEntry, match="no entry 'zzz'"):
            memory.entry("zzz")


def test_a_store_from_before_entries_is_brought_up_to_date(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(talk, source="jsonl")
    old = tmp_path / "old" / "steno"
    old.mkdir(parents=True)
    with apsw.Connection(str(old / "steno.db")) as connection:
        connection.execute(migrations()[0])
        connection.execute("PRAGMA user_version = 1")
        connection.execute(f"PRAGMA application_id = {0x53544E4F}")
    with house(tmp_path / "old") as memory:
        assert learnt(memory, talk)


def test_two_scribes_at_once_write_everything_once(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as one:
        one.capture(talk, source="jsonl")
        with house(tmp_path) as other:
            other.scribe()
            before = other.entries()
            assert one.scribe() == Learnt()
            assert one.entries() == before


def test_a_subagents_words_make_no_entries(tmp_path: Path) -> None:
    line = {
        "type": "user", "uuid": "u", "sessionId": "s", "isSidechain": True, "agentId": "7",
        "message": {"role": "user", "content": "no, never touch the payments table"},
    }  # fmt: skip
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line), source="claude-code")
        memory.scribe()
        assert memory.entries() == []
    shutil.rmtree(tmp_path / "steno")


def test_a_record_with_accents_is_forgotten_for_good(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        learnt(memory, talk)
        memory.remember("Frau Müller zahlt bar 😀", category="fact")
        exported = list(memory.export())
        memory.forget(text="Müller")
        memory.rebuild()
        memory.import_(exported)
        assert [entry for entry in memory.entries() if "ller" in entry.summary] == []
    bytes_left = b"".join(file.read_bytes() for file in (tmp_path / "steno").rglob("*") if file.is_file())
    assert (b"M\\u00fcller" in bytes_left, "Müller".encode() in bytes_left) == (False, False)


def test_forgetting_one_of_two_that_said_the_same_keeps_the_other(tmp_path: Path) -> None:
    lines = [
        said("never use mocks in this project, they lied to us", session=name, id=name, project="/shop", at=at)
        for name, at in (("r1", "2026-02-01T10:00:00Z"), ("r2", "2026-02-02T10:00:00Z"))
    ]
    with house(tmp_path) as memory:
        learnt(memory, write_jsonl(tmp_path / "t.jsonl", *lines))
        memory.forget(session="r1")
        after = memory.entries()
        assert {evidence.session for entry in after for evidence in entry.evidence} == {"r2"}
        memory.rebuild()
        assert memory.entries() == after


def test_forgetting_while_a_scribe_reads_brings_nothing_back(tmp_path: Path) -> None:
    lines = [said(f"please build the zanzibar importer {n}", id=str(n)) for n in range(900)]
    path = write_jsonl(tmp_path / "t.jsonl", *lines)
    with house(tmp_path) as one:
        one.capture(path, source="jsonl")
        with house(tmp_path) as other:
            forgotten: list[int] = []

            def forget(_: int) -> None:
                if not forgotten:
                    forgotten.append(other.forget(text="zanzibar").turns)

            one.scribe(progress=forget)
        assert (forgotten, one.entries(), one.checkpoint("s1") if one.sessions() else None) == ([900], [], None)
    assert [
        file.name for file in (tmp_path / "steno").rglob("*") if file.is_file() and b"zanzibar" in file.read_bytes()
    ] == []


def test_redacting_reaches_what_people_told_us(tmp_path: Path, talk: Path) -> None:
    with house(tmp_path) as memory:
        learnt(memory, talk)
        memory.remember("the codename is BLUEBIRD", category="fact")
    with house(tmp_path, redact_patterns="BLUEBIRD") as memory:
        assert memory.redact()
        assert memory.redact() == {}
    assert [
        file.name for file in (tmp_path / "steno").rglob("*") if file.is_file() and b"BLUEBIRD" in file.read_bytes()
    ] == []


def test_entries_of_a_store_made_before_there_were_keys_are_still_found(tmp_path: Path) -> None:
    first = write_jsonl(tmp_path / "1.jsonl", said("From now on always run the linter before you commit.", session="a"))
    again = write_jsonl(tmp_path / "2.jsonl", said("From now on always run the linter before you commit.", session="b"))
    with house(tmp_path) as memory:
        memory.capture(first, source="jsonl")
        memory.scribe()
        with apsw.Connection(str(tmp_path / "steno" / "steno.db")) as connection:
            connection.execute("DELETE FROM entry_keys; INSERT INTO meta (name, value) VALUES ('without_keys', 1)")
        memory.capture(again, source="jsonl")
        memory.scribe()
        assert [(entry.category, entry.repeated) for entry in memory.entries(category="rule")] == [("rule", 1)]


@given(st.sets(st.sampled_from("abcdefghij"), min_size=3), st.sets(st.sampled_from("abcdefghij"), min_size=3))
def test_two_subjects_that_are_the_same_share_a_pair(one: set[str], other: set[str]) -> None:
    if len(one & other) / len(one | other) >= 0.6:
        assert set(pairs(one, 0.6)) & set(pairs(other, 0.6))


def test_an_order_in_a_long_text_holds_for_the_work_until_a_person_makes_it_last(tmp_path: Path) -> None:
    paragraph = "This is what I found when I looked at how the releases went, week after week, in some detail. " * 4
    letter = f"{paragraph}\n\n{paragraph}\n\nnever push to main on fridays.\n\n{paragraph}"
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said(letter, id="1")), source="jsonl")
        [entry] = [one for one in memory.entries() if one.category == "rule"]
        assert (entry.summary, entry.detail.stance) == ("never push to main on fridays.", Stance())
        assert [rule.status for rule in memory.rules.all()] == ["active"]
        revised = memory.revise(entry.id, summary="never push to main on fridays")
        assert (revised.certainty, revised.origin) == ("confirmed", "edit")
        assert [rule.status for rule in memory.rules.all()] == ["critical"]


def test_what_an_agent_remembered_does_not_swallow_what_a_person_says(tmp_path: Path) -> None:
    decision = said("let's go with sqlite for the job queue", id="1")
    with house(tmp_path / "other") as memory:
        memory.capture(write_jsonl(tmp_path / "o.jsonl", decision), source="jsonl")
        wanted = [(entry.category, entry.summary, entry.origin) for entry in memory.entries()]
    assert wanted
    with house(tmp_path) as memory:
        for category, summary, origin in wanted:
            assert (category in ("rule", "rejected"), origin) == (False, "user")
            memory.remember(summary, category=category, by_agent=True)
        memory.capture(write_jsonl(tmp_path / "t.jsonl", decision), source="jsonl")
        assert {(one.category, one.summary, one.origin) for one in memory.entries()} >= set(wanted)


def test_what_is_done_is_laid_aside_after_three_days(tmp_path):
    clock = SteppingClock("2026-03-01T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        task = memory.remember("send the numbers to Ann", category="task")
        clock.now = "2026-03-09T12:00:00.000Z"
        memory.revise(task.id, status="done")
        clock.now = "2026-03-12T11:00:00.000Z"
        memory.scribe()
        assert memory.entry(task.id).status == "done"
        clock.now = "2026-03-12T13:00:00.000Z"
        memory.scribe()
        assert memory.entry(task.id).status == "archived"
        entries = memory.entries()
        memory.rebuild()
        assert memory.entries() == entries


RULE, CAUSE = "Never push to main without a review.", "The root cause was the unescaped slash in the path."


@pytest.mark.parametrize(
    ("lines", "statuses"),
    [
        # What the agent found is not what it proposed.
        ([(CAUSE + " I will fix it and push.", "assistant"), ("please don't push yet", "user")], {CAUSE: "active"}),
        ([(CAUSE, "assistant"), ("can't be", "user"), ("Right, I was wrong.", "assistant")], {CAUSE: "archived"}),
        # What is taken back is what was said right before; "that" may be what the agent said since.
        ([(RULE, "user"), ("sorry, ignore that", "user")], {RULE: "archived"}),
        ([(RULE, "user"), ("Ok.", "assistant"), ("sorry, wrong window", "user")], {RULE: "archived"}),
        ([(RULE, "user"), ("The linter warns.", "assistant"), ("ignore that, go on", "user")], {RULE: "active"}),
        ([(RULE, "user"), ('"Ignore this message." is still in the footer', "user")], {RULE: "active"}),
    ],
)  # fmt: skip
def test_what_is_refused_or_taken_back_ends_and_nothing_else(
    tmp_path: Path, lines: list[tuple[str, str]], statuses: dict[str, str]
) -> None:
    with house(tmp_path) as memory:
        told = [said(text, role=role, id=str(place)) for place, (text, role) in enumerate(lines)]
        entries = learnt(memory, write_jsonl(tmp_path / "t.jsonl", *told))
        assert {one.summary: one.status for one in entries if one.summary in statuses} == statuses
