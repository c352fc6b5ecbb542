-- Why: an agent whose open work stands still is woken, once for each silence. It is written down before it is done, so
-- that nobody does it twice, whoever is killed in between.

-- Wake-ups of agents. Canonical.
CREATE TABLE wakes (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  agent      TEXT NOT NULL,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  turn       INTEGER NOT NULL,            -- the turn after which nothing had happened: what a silence is known by
  at         TEXT NOT NULL,
  ended_at   TEXT,                        -- NULL: under way, or nobody was there to see the end
  passed     INTEGER,
  said       TEXT NOT NULL DEFAULT ''     -- the end of what a failed try said
) STRICT;

CREATE INDEX wakes_by_agent ON wakes (agent);

CREATE INDEX wakes_by_session ON wakes (session_id);
