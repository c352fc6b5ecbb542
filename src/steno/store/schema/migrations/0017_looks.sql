-- Why: agents hand work to each other in folders, files change, machines fill up, and somebody has to notice. What is
-- looked at, what was found, and how fit each agent was. A store made before looks at nothing and has no history.

-- One agent's output folder is another one's input. Told by a person. Canonical.
CREATE TABLE bridges (
  input TEXT PRIMARY KEY,
  value TEXT NOT NULL                      -- JSON
) STRICT, WITHOUT ROWID;

-- Files and folders of which somebody wants to know when they change. Told by a person. Canonical.
CREATE TABLE watched (
  path       TEXT PRIMARY KEY,
  since      TEXT NOT NULL,
  looked_at  TEXT,
  changed_at TEXT,
  files      TEXT                          -- JSON: a mark for each file; NULL: nothing could be read
) STRICT, WITHOUT ROWID;

-- What a look found last, and the flag that was raised for it.
CREATE TABLE findings (
  job   TEXT NOT NULL,
  what  TEXT NOT NULL,
  ok    INTEGER,                           -- NULL: it could not be told
  since TEXT NOT NULL,                     -- since when it is so
  flag  TEXT,
  mend  TEXT NOT NULL,                     -- the command that would put it right; '' where none is known
  PRIMARY KEY (job, what)
) STRICT, WITHOUT ROWID;

-- How fit each agent was, when. Numbers only. Canonical: nobody can measure the past.
CREATE TABLE fitness (
  agent  TEXT NOT NULL,
  at     TEXT NOT NULL,
  score  REAL,
  value  TEXT NOT NULL,                    -- JSON: by dimension
  PRIMARY KEY (agent, at)
) STRICT, WITHOUT ROWID;
