-- Why: several agents work on one machine. They write to each other, something follows from something else, each has a
-- mission and things it can do. Of agents met before, `value` and `beat_at` are NULL: nobody said anything about them.

-- What agents wrote to each other. Canonical.
CREATE TABLE messages (
  number     INTEGER PRIMARY KEY AUTOINCREMENT,   -- the order they were sent in; never used twice
  id         TEXT NOT NULL UNIQUE,                -- made from the sender and a key: sent twice, it is there once
  at         TEXT NOT NULL,
  sender     TEXT NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('agent', 'domain', 'all')),
  recipient  TEXT NOT NULL,                       -- an agent or a domain; '' for all
  text       TEXT NOT NULL,
  thread     TEXT NOT NULL,                       -- the id of its first message
  expires_at TEXT
) STRICT;

CREATE INDEX messages_by_recipient ON messages (kind, recipient);

CREATE INDEX messages_by_thread ON messages (thread);

-- Who was handed which message.
CREATE TABLE message_reads (
  message TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  agent   TEXT NOT NULL,
  at      TEXT NOT NULL,
  PRIMARY KEY (message, agent)
) STRICT, WITHOUT ROWID;

-- What came from what: ids of messages, entries and raised flags. Canonical.
CREATE TABLE causes (
  effect TEXT NOT NULL,
  cause  TEXT NOT NULL,
  at     TEXT NOT NULL,
  PRIMARY KEY (effect, cause)
) STRICT, WITHOUT ROWID;

CREATE INDEX causes_by_cause ON causes (cause);

-- Warnings somebody raised by hand. Canonical.
CREATE TABLE flags (
  id         TEXT PRIMARY KEY,
  at         TEXT NOT NULL,
  raised_by  TEXT NOT NULL,
  text       TEXT NOT NULL,
  settled_at TEXT
) STRICT, WITHOUT ROWID;

-- What people said about an agent, as JSON; and when it last said that it is alive.
ALTER TABLE agents ADD COLUMN value TEXT;
ALTER TABLE agents ADD COLUMN beat_at TEXT;

-- What agents can do: found by a scan, or told by a person (`kind` is `told`, canonical); and how the last check went.
CREATE TABLE capabilities (
  name       TEXT PRIMARY KEY,
  command    TEXT NOT NULL,
  kind       TEXT NOT NULL,
  about      TEXT NOT NULL,
  owner      TEXT,                         -- an agent
  project    TEXT,                         -- where it is run
  health     TEXT,                         -- a command that says whether it works; NULL: whether it is still there
  checked_at TEXT,
  passed     INTEGER,
  said       TEXT NOT NULL DEFAULT ''      -- the end of what a failed check printed
) STRICT, WITHOUT ROWID;
