-- Why: a newer scribe may not make an entry again that a person kept, dropped, reworded or ticked, and their answer would be
-- about nothing. While everything is learnt anew, such entries wait here. Nothing is NULL for old rows; all is learnt anew.

-- Which records of people are about which entries. An answer to a review names others in its words.
CREATE VIEW v_answered AS
WITH told AS (
  SELECT id, act, entry, value FROM records
  WHERE act IN ('revise', 'archive', 'review', 'rule', 'share') AND coalesce(who ->> '$.by', '') <> 'agent')
SELECT id AS record, entry FROM told
UNION ALL SELECT id, value ->> '$.other' FROM told WHERE act = 'review' AND value ->> '$.other' IS NOT NULL
UNION ALL SELECT told.id, also.value FROM told, json_each(told.value, '$.also') AS also WHERE act = 'review';

-- Entries people answered about, set aside while everything is learnt anew. Empty at all other times.
CREATE TABLE answered_entries (
  id            TEXT PRIMARY KEY,
  session_id    INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  category      TEXT NOT NULL,
  status        TEXT NOT NULL,
  certainty     TEXT NOT NULL,
  confidence    REAL NOT NULL,
  summary       TEXT NOT NULL,
  detail        TEXT NOT NULL,             -- JSON
  origin        TEXT NOT NULL,
  tags          TEXT NOT NULL,             -- JSON
  domain        TEXT NOT NULL,
  subject       TEXT NOT NULL,             -- JSON
  created_at    TEXT,
  superseded_by TEXT,
  repeated      INTEGER NOT NULL,
  repeated_at   TEXT,
  cue           TEXT NOT NULL,
  work          TEXT,
  record        INTEGER NOT NULL           -- the last that was applied to it; 0: none was yet
) STRICT, WITHOUT ROWID;

-- The words they rest on.
CREATE TABLE answered_evidence (
  entry   TEXT NOT NULL REFERENCES answered_entries (id) ON DELETE CASCADE,
  place   INTEGER NOT NULL,
  turn_id INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  quote   TEXT NOT NULL,
  PRIMARY KEY (entry, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX answered_evidence_by_turn ON answered_evidence (turn_id);

-- What older versions were not sure of and nobody answered about binds nobody, also until it is learnt anew.
UPDATE entries SET status = 'archived'
WHERE category IN ('rule', 'rejected') AND certainty = 'hypothesis' AND status = 'active' AND origin = 'user'
  AND id NOT IN (SELECT entry FROM v_answered);

INSERT INTO meta (name, value) SELECT 'outdated', 1 WHERE EXISTS (SELECT 1 FROM checkpoints) OR EXISTS (SELECT 1 FROM entries)
ON CONFLICT (name) DO UPDATE SET value = 1;

-- Entries and rules that may be the same, or cannot both hold, are found by their words now, under other keys than
-- before. Entries get theirs when the scribe next works or a person next tells us something; rules are folded anew.
-- Nothing is NULL for old rows; ids, reviews and answers stay.

DELETE FROM entry_keys;
INSERT INTO meta (name, value) SELECT 'without_keys', 1 WHERE EXISTS (SELECT 1 FROM entries)
ON CONFLICT (name) DO UPDATE SET value = 1;
DELETE FROM meta WHERE name = 'rules_folded';

-- Refusals are a list of their own. They took the place of rules among the twenty of the start, and one that was never
-- sure stood beside those in force. Nothing is NULL for old rows.

DROP VIEW v_rejected;
DROP VIEW v_boot_rules;

CREATE VIEW v_rejected AS
SELECT id, summary, detail ->> '$.stance.why' AS why, detail ->> '$.stance.until' AS reopen, domain, project, created_at
FROM entries WHERE category = 'rejected' AND status = 'active' AND certainty = 'confirmed'
ORDER BY created_at DESC, number DESC;

CREATE VIEW v_boot_rules AS
SELECT id, rule, score, status, origin, domain, project, agent
FROM rules WHERE score >= 7 AND source <> 'rejected' AND status IN ('critical', 'active') AND merged_into IS NULL
ORDER BY status = 'critical' DESC, score DESC, reinforced_at DESC LIMIT 20;
