-- Entries with their evidence, checkpoints, the review queue, and what people told us. A store from before has none of
-- these; the next `scribe` reads its whole journal.

-- One remembered thing: derived from the journal, or told by a person.
CREATE TABLE entries (
  number        INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,      -- made from the category and the first quote
  session_id    INTEGER REFERENCES sessions (id),   -- NULL: told by a person
  category      TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('active', 'done', 'superseded', 'archived', 'forgotten')),
  certainty     TEXT NOT NULL CHECK (certainty IN ('hypothesis', 'confirmed', 'refuted')),
  confidence    REAL NOT NULL,
  summary       TEXT NOT NULL,
  detail        TEXT NOT NULL,             -- JSON
  origin        TEXT NOT NULL CHECK (origin IN ('user', 'assistant', 'tool', 'file', 'agent', 'edit')),
  tags          TEXT NOT NULL,             -- JSON
  domain        TEXT NOT NULL,
  subject       TEXT NOT NULL,             -- JSON: words that say what it is about
  project       TEXT,
  agent         TEXT,
  created_at    TEXT,                      -- time of the turn it rests on
  superseded_by TEXT,
  repeated      INTEGER NOT NULL DEFAULT 0,
  cue           TEXT NOT NULL              -- what proposed it
) STRICT;

CREATE INDEX entries_by_session ON entries (session_id);

CREATE INDEX entries_by_category ON entries (category, project);

-- The words an entry rests on, in order; the first says whose it is.
CREATE TABLE evidence (
  entry   TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  place   INTEGER NOT NULL,
  turn_id INTEGER NOT NULL REFERENCES turns (id),
  quote   TEXT NOT NULL,
  PRIMARY KEY (entry, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_by_turn ON evidence (turn_id);

-- Where each session's work stands; `turn_id` is the scribe's watermark.
CREATE TABLE checkpoints (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id    INTEGER NOT NULL,
  value      TEXT NOT NULL                 -- JSON
) STRICT;

-- Contradictions that time and origin do not settle, for a person to decide.
CREATE TABLE reviews (
  id     INTEGER PRIMARY KEY,
  one    TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  other  TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  answer TEXT,                             -- NULL: open
  UNIQUE (one, other)
) STRICT;

-- What people told us. Canonical: applied again, in order, after a rebuild.
CREATE TABLE records (
  id    INTEGER PRIMARY KEY,
  at    TEXT NOT NULL,
  act   TEXT NOT NULL CHECK (act IN ('remember', 'revise', 'archive', 'review')),
  entry TEXT NOT NULL,
  value TEXT NOT NULL                      -- JSON
) STRICT;

CREATE VIRTUAL TABLE entries_text USING fts5 (
  summary,
  content = 'entries',
  content_rowid = 'number',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

INSERT INTO entries_text (entries_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER entries_text_insert AFTER INSERT ON entries BEGIN
  INSERT INTO entries_text (rowid, summary) VALUES (new.number, new.summary);
END;

CREATE TRIGGER entries_text_delete AFTER DELETE ON entries BEGIN
  INSERT INTO entries_text (entries_text, rowid, summary) VALUES ('delete', old.number, old.summary);
END;

CREATE TRIGGER entries_text_update AFTER UPDATE OF summary ON entries BEGIN
  INSERT INTO entries_text (entries_text, rowid, summary) VALUES ('delete', old.number, old.summary);
  INSERT INTO entries_text (rowid, summary) VALUES (new.number, new.summary);
END;

-- For people who open the file with any SQLite tool.
CREATE VIEW v_active_state AS
SELECT id, category, summary, origin, certainty, project, created_at
FROM entries WHERE status = 'active' ORDER BY created_at DESC, number DESC LIMIT 50;

CREATE VIEW v_rejected AS
SELECT id, summary, detail ->> 'why' AS why, detail ->> 'reopen' AS reopen, project, created_at, status
FROM entries WHERE category = 'rejected' AND status IN ('active', 'done') ORDER BY created_at DESC, number DESC;
