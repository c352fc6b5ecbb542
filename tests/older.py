"""A home as an older version left it."""

from pathlib import Path

import apsw


def before_notes_were_quotes(home: Path, *, keys: bool = True) -> None:
    """Take back what the migrations from the 28th on made; without `keys`, entries are found under other ones."""
    with apsw.Connection(str(home / "steno.db")) as connection:
        connection.execute("""
            DROP VIEW v_answered; DROP TABLE answered_evidence; DROP TABLE answered_entries;
            ALTER TABLE receipts DROP COLUMN because; ALTER TABLE receipts DROP COLUMN tool;
            ALTER TABLE receipts DROP COLUMN call;
            ALTER TABLE uses DROP COLUMN place; ALTER TABLE uses DROP COLUMN reason;
            PRAGMA user_version = 27""")
        if not keys:
            connection.execute("UPDATE entry_keys SET key = key + 1")
