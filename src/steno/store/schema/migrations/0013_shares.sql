-- Why: an entry is seen where it belongs, and elsewhere only if a person shares it. Sharing is a record, so records know one
-- more act; what is one agent's has pages of its own. Old stores have shared nothing, and all their folders are for every
-- agent: what is one agent's leaves them with the next sync.

ALTER TABLE records RENAME TO records_before;

CREATE TABLE records (
  id    INTEGER PRIMARY KEY,
  at    TEXT NOT NULL,
  act   TEXT NOT NULL CHECK (act IN ('remember', 'revise', 'archive', 'review', 'rule', 'flow', 'outcome', 'work', 'share')),
  entry TEXT NOT NULL,                     -- of a flow: its name; of a piece of work: its id
  value TEXT NOT NULL                      -- JSON
) STRICT;

INSERT INTO records (id, at, act, entry, value) SELECT id, at, act, entry, value FROM records_before;

DROP TABLE records_before;

CREATE TRIGGER rules_new_record AFTER INSERT ON records WHEN new.act NOT IN ('flow', 'work', 'share') BEGIN
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO rules_due (id) SELECT new.entry WHERE new.entry <> '' ON CONFLICT (id) DO NOTHING;
  -- An outcome names rules that held and rules that were broken; an answer to a review names two entries.
  INSERT INTO rules_due (id)
  SELECT atom FROM json_tree(iif(json_valid(new.value), new.value, '{}'))
  WHERE type = 'text' AND (path IN ('$.reinforced', '$.violated') OR fullkey IN ('$.repeats', '$.other'))
  ON CONFLICT (id) DO NOTHING;
END;

CREATE TRIGGER rules_changed_record AFTER UPDATE ON records BEGIN
  DELETE FROM rules;
  DELETE FROM meta WHERE name = 'rules_folded';
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_gone_record AFTER DELETE ON records BEGIN
  DELETE FROM rules;
  DELETE FROM meta WHERE name = 'rules_folded';
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER pages_new_record AFTER INSERT ON records WHEN new.act IN ('rule', 'flow', 'outcome') AND new.entry <> '' BEGIN
  INSERT INTO pages_due (entry) VALUES (new.entry) ON CONFLICT (entry) DO NOTHING;
END;

DROP TRIGGER pages_changed_entry;

CREATE TRIGGER pages_changed_entry
AFTER UPDATE OF category, status, certainty, summary, detail, origin, domain, project, agent ON entries BEGIN
  INSERT INTO pages_due (entry) VALUES (new.id) ON CONFLICT (entry) DO NOTHING;
END;

ALTER TABLE notebooks RENAME TO notebooks_before;

CREATE TABLE notebooks (
  project TEXT NOT NULL,                   -- '' for what belongs to no project
  agent   TEXT NOT NULL,                   -- '' for what is for every agent
  folder  TEXT NOT NULL UNIQUE,
  path    TEXT,
  PRIMARY KEY (project, agent)
) STRICT, WITHOUT ROWID;

INSERT INTO notebooks (project, agent, folder, path) SELECT project, '', folder, path FROM notebooks_before;

DROP TABLE notebooks_before;

-- What is one agent's is due to leave the pages of all.
INSERT INTO pages_due (entry) SELECT id FROM entries WHERE agent IS NOT NULL AND (session_id IS NULL OR project IS NULL)
ON CONFLICT (entry) DO NOTHING;

-- Whom people shared entries and flows with: '' is every project, or every agent. Told by records.
CREATE TABLE shares (
  entry   TEXT NOT NULL,                   -- of a flow: its name
  project TEXT NOT NULL,
  agent   TEXT NOT NULL,
  at      TEXT NOT NULL,
  PRIMARY KEY (entry, project, agent)
) STRICT, WITHOUT ROWID;

CREATE INDEX shares_with ON shares (project, agent);

CREATE TRIGGER shares_gone_entry AFTER DELETE ON entries BEGIN
  DELETE FROM shares WHERE entry = old.id;
END;

-- Who may see an entry: '' is every project, or every agent. What was heard in a project is for whoever works there, what a
-- person recorded for whom they named; what was heard in no project is for the agent that heard it.
CREATE VIEW v_audience AS
SELECT id AS entry, coalesce(project, '') AS project,
       iif(session_id IS NOT NULL AND project IS NOT NULL, '', coalesce(agent, '')) AS agent
FROM entries WHERE session_id IS NULL OR project IS NOT NULL OR agent IS NOT NULL
UNION ALL
SELECT entry, project, agent FROM shares;
