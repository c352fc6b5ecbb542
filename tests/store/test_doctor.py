"""Doctor notices what nothing else would."""

from pathlib import Path

import apsw
import pytest

from steno.testing import house, said, write_jsonl
from steno.vocabulary import Check

SOUND = [
    Check(name="integrity", ok=True, detail="ok"),
    Check(name="references", ok=True, detail="ok"),
    Check(name="full-text index", ok=True, detail="agrees with the journal"),
    Check(name="watermarks", ok=True, detail="agree with the turns"),
    Check(name="evidence", ok=True, detail="every quote was said"),
]


def harmed(tmp_path: Path, *statements: str) -> list[str]:
    """Names of the checks that fail after somebody ran these statements on the file."""
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("one", id="1"), said("two", id="2")), source="jsonl")
        assert memory.doctor() == SOUND
    with apsw.Connection(str(tmp_path / "steno" / "steno.db")) as connection:
        for statement in statements:
            connection.execute(statement)
    with house(tmp_path) as memory:
        return [check.name for check in memory.doctor() if not check.ok]


def test_an_untouched_store_is_sound(tmp_path: Path) -> None:
    assert harmed(tmp_path) == []


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("DELETE FROM turns WHERE text = 'one'", "watermarks"),
        ("UPDATE transcripts SET turns_stored = 1", "watermarks"),
        ("DELETE FROM sessions", "references"),
        ("INSERT INTO turns_text (turns_text, rowid, text) VALUES ('delete', 1, 'one')", "full-text index"),
    ],
)
def test_a_harmed_store_is_noticed(tmp_path: Path, statement: str, check: str) -> None:
    assert check in harmed(tmp_path, statement)


def test_a_forgotten_turn_is_no_loss(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("one", id="1"), said("two", id="2")), source="jsonl")
        memory.forget(text="one")
        assert memory.doctor() == SOUND
