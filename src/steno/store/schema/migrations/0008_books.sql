-- Why: a rule that is said again counts from that day, so entries say when they were said again last; receipts say why
-- something was given, so that what was given after a compaction is found by it and not by the clock; and what a
-- compaction took is kept, so that whoever starts is warned at no cost. All of it is NULL, or not there, for old rows.

ALTER TABLE entries ADD COLUMN repeated_at TEXT;

ALTER TABLE receipts ADD COLUMN why TEXT;

CREATE TABLE losses (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id    INTEGER NOT NULL,             -- the boundary
  receipts   INTEGER NOT NULL,             -- what the session had been given when it was counted
  critical   INTEGER NOT NULL,             -- things work depends on, and how many of them are missing
  missing    INTEGER NOT NULL
) STRICT;
