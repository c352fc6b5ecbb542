"""Export and import: a memory moves whole, and twice is once."""

import json
from pathlib import Path

import pytest

from steno.testing import SteppingClock, all_turns, house, said, texts, write_jsonl
from steno.vocabulary.errors import StenoError, WrongUse


def test_an_export_brings_everything_to_another_home(tmp_path: Path) -> None:
    lines = [said("one", id="1", at="2026-02-01T10:00:00Z", agent="ada"), said("two"), said("gone", id="3")]
    path = write_jsonl(tmp_path / "t.jsonl", *lines)
    with house(tmp_path / "old") as old:
        old.capture(path)
        old.forget(text="gone")
        old.exclude("/private")
        exported = list(old.export())
        sessions, turns = old.sessions(), [(found.session, found.turn) for found in all_turns(old)]
    with house(tmp_path / "new") as new:
        assert (new.import_(exported), new.import_(exported)) == (2, 0)
        assert (new.sessions(), new.excluded()) == (sessions, ["/private"])
        assert [(found.session, found.turn) for found in all_turns(new)] == turns
        assert new.capture(path).turns == 0, "the transcript is known, also what was forgotten of it"
        assert all(check.ok for check in new.doctor())


def test_two_stores_that_read_the_same_transcript_merge_without_doubles(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", said("with id", id="1"), said("without"))
    with house(tmp_path / "a") as one, house(tmp_path / "b") as other:
        one.capture(path)
        other.capture(path)
        assert other.import_(one.export()) == 0
        assert texts(other) == ["with id", "without"]


def test_a_secret_known_only_here_is_taken_out_of_an_import(tmp_path: Path) -> None:
    with house(tmp_path / "a") as one:
        one.capture(write_jsonl(tmp_path / "t.jsonl", said("the word is swordfish")))
        exported = list(one.export())
    with house(tmp_path / "b", redact_patterns="swordfish") as other:
        other.import_(exported)
        assert "swordfish" not in texts(other)[0]


def test_a_file_that_is_no_export_is_refused(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        with pytest.raises(StenoError):
            memory.import_([json.dumps(said("hi")).encode()])
        with pytest.raises(WrongUse, match="no export of Steno"):
            memory.import_([b'{"type":"excluded","pattern":"/x","since":"2026"}'])


def test_a_damaged_line_of_an_export_keeps_what_stands_before_it(tmp_path: Path) -> None:
    with house(tmp_path / "a") as one:
        one.capture(write_jsonl(tmp_path / "t.jsonl", said("one"), said("two")))
        exported = list(one.export())
    with house(tmp_path / "b") as other:
        with pytest.raises(StenoError, match="line 4 of the export"):
            other.import_([*exported[:3], b"{broken", *exported[3:]])
        assert texts(other) == ["one"]
        assert other.import_(exported) == 1


def test_a_time_off_the_record_moves_along(tmp_path: Path) -> None:
    clock = SteppingClock("2026-01-01T12:00:00.000Z")
    path = write_jsonl(tmp_path / "t.jsonl", said("hush", at="2026-01-01T12:30:00Z"), said("hello"))
    with house(tmp_path / "a", clock=clock) as one:
        one.pause()
        clock.now = "2026-01-01T13:00:00.000Z"
        one.resume()
        exported = list(one.export())
    with house(tmp_path / "b") as other:
        other.import_(exported)
        other.capture(path)
        assert texts(other) == ["hello"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"header","steno":1,"secret":"AAAA"}',
        b'{"type":"record","at":"2026","act":"remember","entry":"e","value":"notjson"}',
        b'{"type":"record","at":"2026","act":"remember","entry":"e","value":"{}"}',
        b'{"type":"record","at":"2026","act":"revise","entry":"e","value":"{\\"status\\":\\"bogus\\"}"}',
        b'{"type":"record","at":"2026","act":"dance","entry":"e","value":"{}"}',
    ],
)
def test_a_hostile_export_does_no_lasting_harm(tmp_path: Path, line: bytes) -> None:
    with house(tmp_path) as memory:
        header = next(iter(memory.export()))
        with pytest.raises(StenoError):
            memory.import_([header, line])
        memory.rebuild()
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("hello")))
        assert texts(memory) == ["hello"]
        with pytest.raises(WrongUse, match="nothing in it"):
            memory.import_([b"\n"])
