-- Why: a checkpoint stood for a session, but work goes on across sessions, and one session may hold several pieces of it.
-- Pieces of work have a table now, entries say in which one they were made, and people may say that one is over. The
-- scribe reads an older store again to find its pieces; its entries keep their ids.

CREATE TABLE works (
  id         TEXT PRIMARY KEY,             -- made from the turn that began it
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,  -- it began in
  project    TEXT,
  agent      TEXT,
  begun_turn INTEGER NOT NULL,
  last_turn  INTEGER NOT NULL,
  goal       TEXT NOT NULL,
  phase      TEXT NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('active', 'finished', 'dropped')),
  claimed    INTEGER NOT NULL,             -- whether the agent says that it is finished
  begun_at   TEXT,
  last_at    TEXT,
  ended_at   TEXT,
  value      TEXT                          -- JSON: its checkpoint when it was left; NULL: that of the session at it
) STRICT, WITHOUT ROWID;

CREATE INDEX works_by_session ON works (session_id);

CREATE INDEX works_at_hand ON works (project, agent, begun_at) WHERE status = 'active';

CREATE INDEX works_claimed ON works (project, agent) WHERE status = 'active' AND claimed;

CREATE TABLE work_sessions (
  work       TEXT NOT NULL REFERENCES works (id) ON DELETE CASCADE,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  PRIMARY KEY (work, session_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX work_sessions_by_session ON work_sessions (session_id);

ALTER TABLE entries ADD COLUMN work TEXT;

CREATE INDEX entries_by_work ON entries (work);

DELETE FROM checkpoints;
DROP TABLE checkpoints;

CREATE TABLE checkpoints (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id    INTEGER NOT NULL,
  work       TEXT,                         -- the piece of work at hand; NULL: none
  turns      INTEGER NOT NULL,             -- read so far, and how many of them are a person's
  spoken     INTEGER NOT NULL,
  value      TEXT NOT NULL                 -- JSON
) STRICT;

CREATE INDEX checkpoints_by_work ON checkpoints (work);

CREATE TRIGGER unread_again AFTER DELETE ON checkpoints BEGIN
  DELETE FROM meta WHERE name = 'read_up_to';
  INSERT INTO meta (name, value) VALUES ('begun_again', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

ALTER TABLE records RENAME TO records_before;

CREATE TABLE records (
  id    INTEGER PRIMARY KEY,
  at    TEXT NOT NULL,
  act   TEXT NOT NULL CHECK (act IN ('remember', 'revise', 'archive', 'review', 'rule', 'flow', 'outcome', 'work')),
  entry TEXT NOT NULL,                     -- of a flow: its name; of a piece of work: its id
  value TEXT NOT NULL                      -- JSON
) STRICT;

INSERT INTO records (id, at, act, entry, value) SELECT id, at, act, entry, value FROM records_before;

DROP TABLE records_before;

CREATE TRIGGER rules_new_record AFTER INSERT ON records WHEN new.act NOT IN ('flow', 'work') BEGIN
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
