-- Why: a model costs money, and nobody is to be surprised by a bill: every call of one is written down before it is made. A
-- store made before has asked none.

CREATE TABLE calls (
  id              INTEGER PRIMARY KEY,
  at              TEXT NOT NULL,
  purpose         TEXT NOT NULL,
  model           TEXT NOT NULL,           -- as the user wrote it
  state           TEXT NOT NULL CHECK (state IN ('begun', 'done', 'failed')),
  tokens          INTEGER NOT NULL,        -- what counts against the day: reserved until the call is settled, then used
  money           REAL NOT NULL,           -- the same, in dollars; 0: local, or paid for otherwise
  tokens_in       INTEGER NOT NULL DEFAULT 0,
  tokens_out      INTEGER NOT NULL DEFAULT 0,
  tokens_cached   INTEGER NOT NULL DEFAULT 0,
  session_id      INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
  agent           TEXT,
  problem         TEXT
) STRICT;

CREATE INDEX calls_by_time ON calls (at);
CREATE INDEX calls_by_session ON calls (session_id);
