-- Why: who did what only people may do was kept nowhere, so that an agent could do it unseen. `who` is JSON; of records
-- that are older it says that nobody knows, and NULL: it was not written by us.

ALTER TABLE records ADD COLUMN who TEXT;

UPDATE records SET who = '"not recorded"';

-- What only people may do: done, or asked for by an agent. Canonical.
CREATE TABLE acts (
  number      INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(6)))),
  key         TEXT NOT NULL,               -- what makes it the same request: verb, what was given, session
  at          TEXT NOT NULL,
  verb        TEXT NOT NULL,
  words       TEXT NOT NULL,               -- as it would be typed, or the call
  given       TEXT,                        -- JSON; NULL: not known
  ends        TEXT NOT NULL,               -- what it ends, quoted in full
  state       TEXT NOT NULL CHECK (state IN ('waiting', 'asked', 'allowed', 'carried out', 'refused', 'done')),
  who         TEXT NOT NULL,               -- JSON
  session     TEXT,                        -- the host's id of the session that asked
  call        TEXT,                        -- the host's id of the call
  turn        INTEGER NOT NULL,            -- the newest turn of the journal then
  times       INTEGER NOT NULL,
  last_at     TEXT NOT NULL,
  answered_at TEXT,
  answered_by TEXT                         -- JSON
) STRICT;

CREATE INDEX acts_by_key ON acts (key);

CREATE INDEX acts_waiting ON acts (number) WHERE state IN ('waiting', 'asked', 'allowed');
