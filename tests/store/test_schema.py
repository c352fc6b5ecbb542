"""What the store is: one file says it, migrations agree, any SQLite tool can open it."""

import re
import subprocess
from pathlib import Path

import apsw
import pytest

from steno.store import open_store
from steno.store.sqlite import migrations
from steno.testing import house, said, write_jsonl
from steno.vocabulary.errors import StoreDamaged, StoreTooNew

from ..conftest import PATIENCE, Begin

SCHEMA = Path(__file__).parents[2] / "src/steno/store/schema/schema.sql"


def shape(connection: apsw.Connection) -> list[str]:
    rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    return [re.sub(r"\s+", " ", row[0]) for row in rows]


def test_migrations_end_at_the_schema() -> None:
    by_migration, at_once = apsw.Connection(":memory:"), apsw.Connection(":memory:")
    for script in migrations():
        by_migration.execute(script)
    at_once.execute(SCHEMA.read_text("utf-8"))
    assert shape(by_migration) == shape(at_once)


def test_opening_twice_changes_nothing(tmp_path: Path) -> None:
    open_store(tmp_path, busy_seconds=1).close()
    before = (tmp_path / "steno.db").read_bytes()
    open_store(tmp_path, busy_seconds=1).close()
    assert (tmp_path / "steno.db").read_bytes() == before


def test_a_store_is_for_its_owner_only(tmp_path: Path) -> None:
    home = tmp_path / "new"
    open_store(home, busy_seconds=1).close()
    assert (home.stat().st_mode & 0o777, (home / "steno.db").stat().st_mode & 0o777) == (0o700, 0o600)


def test_every_commit_is_on_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    store = open_store(tmp_path, busy_seconds=1)
    connection = store._database._connection  # type: ignore[attr-defined]
    found = {
        name: next(connection.execute(f"PRAGMA {name}"))[0] for name in ("journal_mode", "synchronous", "secure_delete")
    }
    store.close()
    assert found == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}


def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path, busy_seconds=1).close()
    with apsw.Connection(str(tmp_path / "steno.db")) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreTooNew, match="newer Steno"):
        open_store(tmp_path, busy_seconds=1)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "steno.db").write_bytes(b"this is a letter to my aunt, not a database" * 40)
    with pytest.raises(StoreDamaged, match="is damaged"):
        open_store(tmp_path, busy_seconds=1)
    assert (tmp_path / "steno.db").read_bytes().startswith(b"this is a letter")


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    with apsw.Connection(str(tmp_path / "steno.db")) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreDamaged, match="recipes"):
        open_store(tmp_path, busy_seconds=1)


def test_any_sqlite_tool_reads_the_journal(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("we keep SQLite")), source="jsonl")
    script = (
        "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT role, text FROM turns').fetchall())"
    )
    run = subprocess.run(
        ["python3", "-c", script, str(tmp_path / "steno" / "steno.db")], capture_output=True, text=True, check=True
    )
    assert run.stdout == "[('user', 'we keep SQLite')]\n"


def test_two_processes_may_make_the_same_store_at_once(tmp_path: Path, begin: Begin) -> None:
    script = "import sys, steno; steno.open(sys.argv[1]).close()"
    import sys

    running = [begin([sys.executable, "-c", script, str(tmp_path / "home")]) for _ in range(4)]
    assert [process.wait(PATIENCE) for process in running] == [0, 0, 0, 0]
