-- Why: the memory takes care of itself. What was done when, and what came of it, is kept, so that what was missed is
-- caught up once, and a failed night is seen. A store made before has no runs: its first night is still to come.

CREATE TABLE runs (
  id      INTEGER PRIMARY KEY,
  job     TEXT NOT NULL,
  day     TEXT NOT NULL,                   -- the local day its night closed; '' where the clock was set back behind it
  due     TEXT NOT NULL,
  began   TEXT NOT NULL,
  ended   TEXT,
  state   TEXT NOT NULL CHECK (state IN ('running', 'ok', 'failed', 'skipped', 'stopped')),
  changed INTEGER NOT NULL DEFAULT 0,
  lines   TEXT NOT NULL DEFAULT '[]',      -- JSON: what was done, for people
  flags   TEXT NOT NULL DEFAULT '[]',      -- JSON: what somebody has to look at
  error   TEXT NOT NULL DEFAULT '',
  undo    TEXT NOT NULL DEFAULT '' CHECK (undo IN ('', 'possible', 'done'))
) STRICT;

CREATE INDEX runs_by_job ON runs (job, id);

CREATE INDEX runs_by_day ON runs (day);

-- What a night laid aside. Canonical: no journal tells it. A rebuild applies it again, an undo takes it back.
CREATE TABLE pruned (
  run    INTEGER NOT NULL REFERENCES runs (id),
  entry  TEXT NOT NULL,
  at     TEXT NOT NULL,
  reason TEXT NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, entry)
) STRICT, WITHOUT ROWID;

CREATE INDEX pruned_by_entry ON pruned (entry);
