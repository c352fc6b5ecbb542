-- Rules, flows, agents, receipts and fills. A store from before has none; rules are folded from its entries at the next
-- scribe. What people tell us about rules and flows goes into the records, so their table takes three more acts.

ALTER TABLE records RENAME TO records_before;

-- What people told us. Canonical: applied again, in order, after a rebuild.
CREATE TABLE records (
  id    INTEGER PRIMARY KEY,
  at    TEXT NOT NULL,
  act   TEXT NOT NULL CHECK (act IN ('remember', 'revise', 'archive', 'review', 'rule', 'flow', 'outcome')),
  entry TEXT NOT NULL,                     -- of a flow: its name
  value TEXT NOT NULL                      -- JSON
) STRICT;

INSERT INTO records (id, at, act, entry, value) SELECT id, at, act, entry, value FROM records_before;

DROP TABLE records_before;

-- How to behave. Derived: folded from entries, records and outcomes; holds the state as of `checked_at`.
CREATE TABLE rules (
  id             TEXT PRIMARY KEY,         -- the entry it points at
  rule           TEXT NOT NULL,
  domain         TEXT NOT NULL,
  agent          TEXT,
  project        TEXT,
  source         TEXT NOT NULL,            -- category of the entry
  origin         TEXT NOT NULL,
  score          REAL NOT NULL,
  status         TEXT NOT NULL CHECK (status IN ('critical', 'active', 'dormant', 'retired')),
  violations     INTEGER NOT NULL,
  reinforcements INTEGER NOT NULL,
  born_at        TEXT NOT NULL,
  reinforced_at  TEXT NOT NULL,
  checked_at     TEXT NOT NULL,
  matcher        TEXT,                     -- JSON
  mode           TEXT CHECK (mode IN ('warn', 'ask', 'block')),
  trial          TEXT,                     -- JSON
  merged_into    TEXT,
  CHECK (status <> 'critical' OR origin IN ('user', 'edit'))
) STRICT, WITHOUT ROWID;

-- Rules follow entries and records. Counting every change tells whoever keeps rules that they are to be folded again;
-- where words may have left, the folded rules go with them, in the same transaction.
CREATE TRIGGER rules_new_entry AFTER INSERT ON entries WHEN new.category IN ('rule', 'rejected', 'learning') BEGIN
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_changed_entry AFTER UPDATE ON entries
WHEN old.category IN ('rule', 'rejected', 'learning') OR new.category IN ('rule', 'rejected', 'learning') BEGIN
  DELETE FROM rules
  WHERE (old.summary, old.project, old.agent, old.domain) IS NOT (new.summary, new.project, new.agent, new.domain);
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_gone_entry AFTER DELETE ON entries WHEN old.category IN ('rule', 'rejected', 'learning') BEGIN
  DELETE FROM rules;
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_new_record AFTER INSERT ON records WHEN new.act <> 'flow' BEGIN
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_changed_record AFTER UPDATE ON records BEGIN
  DELETE FROM rules;
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_gone_record AFTER DELETE ON records BEGIN
  DELETE FROM rules;
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

-- How to do it. Derived: folded from records, outcomes and what was learnt from the journal.
CREATE TABLE flows (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL                      -- JSON
) STRICT, WITHOUT ROWID;

-- Named workers, registered at their first use.
CREATE TABLE agents (
  name  TEXT PRIMARY KEY,
  since TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What was given to which session, and when: names of what was in it, none of the words. Canonical.
CREATE TABLE receipts (
  id      INTEGER PRIMARY KEY,
  at      TEXT NOT NULL,
  kind    TEXT NOT NULL CHECK (kind IN ('brief', 'boot', 'gate')),
  agent   TEXT,
  session TEXT,                            -- the host's id
  turn    INTEGER,                         -- the session's last turn when it was given
  tier    INTEGER,
  tokens  INTEGER NOT NULL,
  items   TEXT NOT NULL,                   -- JSON
  verdict TEXT
) STRICT;

CREATE INDEX receipts_by_session ON receipts (session);

-- How full a session's context was when we last acted on it. Derived.
CREATE TABLE fills (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  level      INTEGER NOT NULL,             -- 0, 60, 75 or 80 percent
  turn_id    INTEGER NOT NULL
) STRICT;

CREATE VIEW v_boot_rules AS
SELECT id, rule, score, status, origin, domain, project, agent
FROM rules WHERE score >= 7 AND status IN ('critical', 'active') AND merged_into IS NULL
ORDER BY status = 'critical' DESC, score DESC, reinforced_at DESC LIMIT 20;
