-- Why: what a model answered was paid for and cannot be made again, so it is kept as it was answered, with the rolling note
-- as code let it stand. Canonical: entries that rest on it are made again from it. A store made before has none.

CREATE TABLE readings (
  id         INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  work       TEXT,                         -- the piece of work at hand then
  first_turn INTEGER NOT NULL,             -- the turns it is about
  last_turn  INTEGER NOT NULL,
  mark       INTEGER NOT NULL,             -- how far the scribe had read when it was applied
  at         TEXT NOT NULL,
  model      TEXT NOT NULL,
  answer     TEXT NOT NULL,                -- JSON, as it was answered
  note       TEXT NOT NULL,                -- JSON, as it was kept
  UNIQUE (session_id, first_turn)          -- nothing is paid for twice
) STRICT;
