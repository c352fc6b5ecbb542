"""Without its encoder the scribe is deaf: it says so, nothing learnt is lost, and what it read is read again."""

import sys
from pathlib import Path

import apsw
import pytest

from steno.memory import Memory
from steno.scribe import weigh
from steno.scribe.weigh import FOLDER, Unheard
from steno.testing import house, said, write_jsonl

RULE = "From now on never push to main without asking me."
LATER = "From now on always run make lint before you commit."


def deafen(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The weights are gone."""
    monkeypatch.setattr(weigh, "FOLDER", folder / "no weights")


def hear(memory: Memory, folder: Path, text: str) -> None:
    number = len(memory.sessions()) + 1
    line = said(text, session=f"s{number}", id=f"{number}", at=f"2026-01-01T0{number}:00:00Z", project="/shop")
    memory.capture(write_jsonl(folder / f"{number}.jsonl", line), source="jsonl")


def critical(memory: Memory) -> list[str]:
    memory.learn()
    return [rule.rule for rule in memory.rules.all("critical")]


def test_a_runtime_that_does_not_load_is_told_by_status_and_boot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hearing").symlink_to(FOLDER)
    monkeypatch.setattr(weigh, "FOLDER", tmp_path / "hearing")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with house(tmp_path) as memory:
        assert memory.status().unheard.startswith("the scribe cannot weigh words: ")
        assert "the scribe cannot weigh words" in memory.boot().text


def test_a_rebuild_is_refused_while_nothing_is_heard_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, RULE)
        before = memory.entries()
        deafen(monkeypatch, tmp_path)
        with pytest.raises(Unheard, match="cannot weigh words"):
            memory.rebuild()
        assert memory.entries() == before
        assert critical(memory) == [RULE]


def test_what_was_read_while_nothing_was_heard_is_read_again_by_whoever_hears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path / "sound") as memory:
        for text in (RULE, LATER):
            hear(memory, tmp_path / "sound", text)
        sound = memory.entries()
    with house(tmp_path) as memory:
        hear(memory, tmp_path, RULE)
        assert critical(memory) == [RULE]
    with monkeypatch.context() as patch, house(tmp_path) as memory:
        deafen(patch, tmp_path)
        hear(memory, tmp_path, LATER)
        assert [entry.category for entry in memory.entries()] == ["rule", "context"]
        assert critical(memory) == [RULE]
    with house(tmp_path) as memory:
        assert memory.entries() == sound
        assert sorted(critical(memory)) == sorted([RULE, LATER])


def of_an_older_scribe(store: Path) -> None:
    """The store as it was before what an entry keeps was typed."""
    with apsw.Connection(str(store / "steno.db")) as connection:
        connection.execute("""
            UPDATE entries SET detail = '{"what": "main", "reopen": ""}';
            DROP TABLE acts; ALTER TABLE records DROP COLUMN who;
            DROP INDEX vectors_sketched; ALTER TABLE vectors DROP COLUMN sketch;
            ALTER TABLE agents DROP COLUMN value; ALTER TABLE agents DROP COLUMN beat_at;
            ALTER TABLE entries DROP COLUMN repeated_at; ALTER TABLE receipts DROP COLUMN why;
            DROP TABLE losses; DROP TABLE exchanges; DROP TABLE calls; DROP TABLE readings;
            DROP TRIGGER pages_new_entry; DROP TRIGGER pages_changed_entry; DROP TRIGGER pages_gone_entry;
            DROP TRIGGER pages_new_record; DROP TRIGGER curated_ends; DROP TRIGGER curated_reworded;
            DROP TRIGGER due_new_entry; DROP TRIGGER due_changed_entry; DROP TRIGGER accesses_recalled;
            DROP TRIGGER accesses_given; DROP TRIGGER shares_gone_entry; DROP VIEW v_links; DROP VIEW v_audience;
            DROP TABLE accesses; DROP TABLE entries_due; DROP TABLE curated; DROP TABLE integrations;
            DROP TABLE pruned; DROP TABLE runs; DROP TABLE shares; DROP INDEX entries_by_time;
            DROP TABLE message_reads; DROP TABLE messages; DROP TABLE causes; DROP TABLE flags; DROP TABLE capabilities;
            DROP TABLE bridges; DROP TABLE watched; DROP TABLE findings; DROP TABLE fitness; DROP TABLE wakes;
            DROP INDEX entries_that_rule; DROP INDEX rules_by_score; DROP INDEX links_by_time;
            DROP TABLE topics; DROP TABLE held_pages; DROP TABLE pages_due; DROP TABLE pages; DROP TABLE notebooks;
            DROP TRIGGER known_new_entry; DROP TRIGGER known_changed_entry; DROP TRIGGER known_gone_entry;
            DROP TRIGGER known_new_record; DROP TRIGGER known_gone_record; DROP INDEX sessions_by_name;
            PRAGMA user_version = 6""")


def test_what_an_older_scribe_wrote_holds_until_it_can_be_learnt_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as memory:
        hear(memory, tmp_path, RULE)
        memory.rules.add("never deploy on a Friday")
        before, rules = memory.entries(), critical(memory)
        assert len(rules) == 2
    of_an_older_scribe(tmp_path / "steno")
    with monkeypatch.context() as patch, house(tmp_path) as memory:
        deafen(patch, tmp_path)
        assert critical(memory) == rules
    with house(tmp_path) as memory:
        assert (memory.entries(), critical(memory)) == (before, rules)


def test_a_house_in_which_people_only_told_keeps_its_rules_when_it_grows_older(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.rules.add("never deploy on a Friday")
        memory.learn()
        before = memory.rules.all()
    of_an_older_scribe(tmp_path / "steno")
    with house(tmp_path) as memory:
        memory.learn()
        assert memory.rules.all() == before


def test_a_rebuild_that_was_cut_short_is_ended_by_whoever_asks_next(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.rules.add("never deploy on a Friday")
        hear(memory, tmp_path, RULE)
        before, rules = memory.entries(), critical(memory)

        def cut_short(_: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            memory.rebuild(progress=cut_short)
    with house(tmp_path) as memory:
        assert (memory.entries(), critical(memory)) == (before, rules)
