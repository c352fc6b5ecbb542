-- What recall needs besides words: vectors, what was recalled when, links between entries. A store from before has none
-- of these; vectors are made behind, newest first, and recall answers by words meanwhile.

-- Turns in which a person or an agent spoke: what is indexed with its neighbours, and embedded.
CREATE VIEW v_said AS
SELECT id, session_id, role, text, at FROM turns
WHERE role IN ('user', 'assistant') AND kind NOT IN ('thinking', 'call', 'summary', 'notice');

-- The meaning of a turn as numbers, one row of 8-bit numbers per piece of its text. Derived, all by one model (see meta).
CREATE TABLE vectors (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of making; never used twice
  turn_id INTEGER NOT NULL UNIQUE REFERENCES turns (id) ON DELETE CASCADE,
  pieces  BLOB NOT NULL
) STRICT;

CREATE TRIGGER vectors_outdated AFTER UPDATE OF text ON turns BEGIN
  DELETE FROM vectors WHERE turn_id = new.id;
END;

-- The same for entries.
CREATE TABLE entry_vectors (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, so that a change shows
  entry  TEXT NOT NULL UNIQUE REFERENCES entries (id) ON DELETE CASCADE,
  pieces BLOB NOT NULL
) STRICT;

CREATE TRIGGER entry_vectors_outdated AFTER UPDATE OF summary ON entries BEGIN
  DELETE FROM entry_vectors WHERE entry = new.id;
END;

-- What was recalled, when, for which session. Canonical.
CREATE TABLE uses (
  id      INTEGER PRIMARY KEY,
  at      TEXT NOT NULL,
  session TEXT,                            -- the host's id of the session that asked
  kind    TEXT NOT NULL CHECK (kind IN ('entry', 'turn', 'session')),
  target  TEXT NOT NULL
) STRICT;

CREATE INDEX uses_by_target ON uses (kind, target);

-- Relations between two entries; `one` comes first in the alphabet. They gain weight each time both are recalled together.
CREATE TABLE links (
  one    TEXT NOT NULL,
  other  TEXT NOT NULL,
  kind   TEXT NOT NULL CHECK (kind IN ('recalled together')),
  weight REAL NOT NULL,
  at     TEXT NOT NULL,                    -- when it last gained
  PRIMARY KEY (one, other, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_other ON links (other);
