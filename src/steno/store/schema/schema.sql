-- What a Steno store is, in one place. A new store is made by running the migrations; a test says both agree.

-- One row per fact about the store itself: its secret key.
CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value ANY
) STRICT, WITHOUT ROWID;

-- One run of an agent, as its host names it.
CREATE TABLE sessions (
  id             INTEGER PRIMARY KEY,
  source         TEXT NOT NULL,
  session        TEXT NOT NULL,          -- the host's own id
  kind           TEXT NOT NULL CHECK (kind IN ('main', 'subagent', 'scheduled')),
  parent         TEXT,                   -- the session that started this one
  agent          TEXT,
  directory      TEXT,                   -- working directory the host recorded first
  project        TEXT,                   -- root of the git repository around it
  branch         TEXT,
  model          TEXT,
  context_window INTEGER,                -- size of the model's context, in tokens
  context_tokens INTEGER,                -- tokens in use at the last turn that says so
  started_at     TEXT,
  last_at        TEXT,
  UNIQUE (source, session)
) STRICT;

CREATE INDEX sessions_by_project ON sessions (project);

CREATE INDEX sessions_by_name ON sessions (session);

-- How far each transcript has been read: the watermark, and what was met on the way.
CREATE TABLE transcripts (
  id            INTEGER PRIMARY KEY,
  source        TEXT NOT NULL,
  name          TEXT NOT NULL,           -- the path; with #session where one database holds many
  version       INTEGER NOT NULL,        -- goes up with every move, so that two readers notice each other
  position      INTEGER NOT NULL,
  line          INTEGER NOT NULL,
  unended       INTEGER NOT NULL,
  device        INTEGER NOT NULL,
  inode         INTEGER NOT NULL,
  size          INTEGER NOT NULL,
  modified_ns   INTEGER NOT NULL,
  tail          TEXT NOT NULL,
  lines_read    INTEGER NOT NULL,
  lines_skipped INTEGER NOT NULL,
  lines_bad     INTEGER NOT NULL,
  lines_mended  INTEGER NOT NULL,
  gaps          INTEGER NOT NULL,
  lines_of      TEXT NOT NULL,           -- JSON: lines read, by session
  state         TEXT NOT NULL,           -- JSON: what the parser needs to go on
  turns_stored  INTEGER NOT NULL,        -- turns this transcript brought into the journal, ever
  problem       TEXT,                    -- why it cannot be read now
  read_at       TEXT NOT NULL,
  UNIQUE (source, name)
) STRICT;

CREATE INDEX transcripts_by_inode ON transcripts (inode, device);

CREATE INDEX transcripts_begun ON transcripts (id) WHERE position < size AND problem IS NULL;

-- The journal: our append-only copy of what was said and done.
CREATE TABLE turns (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of arrival; never used twice
  key            BLOB NOT NULL UNIQUE,               -- what makes it the same turn when it is read again
  session_id     INTEGER NOT NULL REFERENCES sessions (id),
  transcript_id  INTEGER REFERENCES transcripts (id),
  role           TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool', 'system')),
  kind           TEXT NOT NULL,
  text           TEXT NOT NULL,
  at             TEXT,                               -- ISO 8601, UTC, milliseconds
  line           INTEGER,
  native_id      TEXT,                               -- the host's own id
  tool           TEXT,
  call           TEXT,                               -- joins a tool call to its result
  failed         INTEGER,
  exit_status    INTEGER,
  context_tokens INTEGER
) STRICT;

CREATE INDEX turns_by_session ON turns (session_id);

CREATE INDEX turns_by_time ON turns (at);

-- What is left of a forgotten turn, so that reading its transcript again does not bring it back.
CREATE TABLE tombstones (
  key           BLOB PRIMARY KEY,
  transcript_id INTEGER,
  forgotten_at  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Times the user kept off the record: what was said in them is never captured.
CREATE TABLE pauses (
  since TEXT PRIMARY KEY,
  until TEXT                             -- NULL: it is going on
) STRICT, WITHOUT ROWID;

-- Paths and projects the user left out of capture.
CREATE TABLE excluded (
  pattern TEXT PRIMARY KEY,
  since   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How many pieces of which kind were taken out before writing.
CREATE TABLE redactions (
  kind   TEXT PRIMARY KEY,
  pieces INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Full-text index over the journal. It holds no copy of the text, and forgets without leaving bytes behind.
CREATE VIRTUAL TABLE turns_text USING fts5 (
  text,
  content = 'turns',
  content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

INSERT INTO turns_text (turns_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER turns_text_insert AFTER INSERT ON turns BEGIN
  INSERT INTO turns_text (rowid, text) VALUES (new.id, new.text);
END;

CREATE TRIGGER turns_text_delete AFTER DELETE ON turns BEGIN
  INSERT INTO turns_text (turns_text, rowid, text) VALUES ('delete', old.id, old.text);
END;

CREATE TRIGGER turns_text_update AFTER UPDATE OF text ON turns BEGIN
  INSERT INTO turns_text (turns_text, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO turns_text (rowid, text) VALUES (new.id, new.text);
END;

-- One remembered thing: derived from the journal, or told by a person. `work`: the piece of work it was made in.
-- `repeated_at`: when it was said again last.
CREATE TABLE entries (
  number        INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,      -- made from the category and the first quote
  session_id    INTEGER REFERENCES sessions (id),   -- NULL: told by a person
  category      TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('active', 'done', 'superseded', 'archived', 'forgotten')),
  certainty     TEXT NOT NULL CHECK (certainty IN ('hypothesis', 'confirmed', 'refuted')),
  confidence    REAL NOT NULL,
  summary       TEXT NOT NULL,
  detail        TEXT NOT NULL,             -- JSON
  origin        TEXT NOT NULL CHECK (origin IN ('user', 'assistant', 'tool', 'file', 'agent', 'edit')),
  tags          TEXT NOT NULL,             -- JSON
  domain        TEXT NOT NULL,
  subject       TEXT NOT NULL,             -- JSON: words that say what it is about
  project       TEXT,
  agent         TEXT,
  created_at    TEXT,                      -- time of the turn it rests on
  superseded_by TEXT,
  repeated      INTEGER NOT NULL DEFAULT 0,
  cue           TEXT NOT NULL              -- what proposed it
, work TEXT, repeated_at TEXT) STRICT;

CREATE INDEX entries_by_session ON entries (session_id);

CREATE INDEX entries_by_category ON entries (category, project);

CREATE INDEX entries_by_work ON entries (work);

-- What people said that holds for all work: every recall looks at the newest of it.
CREATE INDEX entries_that_rule ON entries (number)
WHERE category IN ('rule', 'rejected') AND status = 'active' AND origin = 'user';

-- Numbers by which entries that say the same, or are about the same, are found.
CREATE TABLE entry_keys (
  key    INTEGER NOT NULL,
  number INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE,
  PRIMARY KEY (key, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_keys_by_number ON entry_keys (number);

-- The words an entry rests on, in order; the first says whose it is.
CREATE TABLE evidence (
  entry   TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  place   INTEGER NOT NULL,
  turn_id INTEGER NOT NULL REFERENCES turns (id),
  quote   TEXT NOT NULL,
  PRIMARY KEY (entry, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_by_turn ON evidence (turn_id);

-- A piece of work: a goal of a person, until it is finished or dropped. Derived.
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

-- Sessions somebody was at a piece of work in.
CREATE TABLE work_sessions (
  work       TEXT NOT NULL REFERENCES works (id) ON DELETE CASCADE,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  PRIMARY KEY (work, session_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX work_sessions_by_session ON work_sessions (session_id);

-- Where each session's work stands; `turn_id` is the scribe's watermark.
CREATE TABLE checkpoints (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id    INTEGER NOT NULL,
  work       TEXT,                         -- the piece of work at hand; NULL: none
  turns      INTEGER NOT NULL,             -- read so far, and how many of them are a person's
  spoken     INTEGER NOT NULL,
  value      TEXT NOT NULL                 -- JSON
) STRICT;

CREATE INDEX checkpoints_by_work ON checkpoints (work);

-- What a person said in one go, with what it answered and how it was weighed: what briefings show. Derived.
CREATE TABLE exchanges (
  turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  place      INTEGER NOT NULL,             -- of several answers in one turn
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  same       INTEGER NOT NULL,             -- a number that utterances of the same words share
  worth      REAL NOT NULL,                -- how much it would be missed
  call       TEXT,                         -- JSON: the call that was stopped or refused
  value      TEXT NOT NULL,                -- JSON
  PRIMARY KEY (turn_id, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX exchanges_by_worth ON exchanges (session_id, worth);

CREATE INDEX exchanges_alike ON exchanges (session_id, same);

-- The scribe begins again with a session: it has not read everything up to where it was.
CREATE TRIGGER unread_again AFTER DELETE ON checkpoints BEGIN
  DELETE FROM exchanges WHERE session_id = old.session_id;
  DELETE FROM meta WHERE name = 'read_up_to';
  INSERT INTO meta (name, value) VALUES ('begun_again', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

-- Contradictions that time and origin do not settle, for a person to decide.
CREATE TABLE reviews (
  id     INTEGER PRIMARY KEY,
  one    TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  other  TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  answer TEXT,                             -- NULL: open
  UNIQUE (one, other)
) STRICT;

-- What people told us. Canonical: applied again, in order, after a rebuild.
CREATE TABLE records (
  id    INTEGER PRIMARY KEY,
  at    TEXT NOT NULL,
  act   TEXT NOT NULL CHECK (act IN ('remember', 'revise', 'archive', 'review', 'rule', 'flow', 'outcome', 'work', 'share')),
  entry TEXT NOT NULL,                     -- of a flow: its name; of a piece of work: its id
  value TEXT NOT NULL                      -- JSON
, who TEXT) STRICT;

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

CREATE VIRTUAL TABLE entries_text USING fts5 (
  summary,
  content = 'entries',
  content_rowid = 'number',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

INSERT INTO entries_text (entries_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER entries_text_insert AFTER INSERT ON entries BEGIN
  INSERT INTO entries_text (rowid, summary) VALUES (new.number, new.summary);
END;

CREATE TRIGGER entries_text_delete AFTER DELETE ON entries BEGIN
  INSERT INTO entries_text (entries_text, rowid, summary) VALUES ('delete', old.number, old.summary);
END;

CREATE TRIGGER entries_text_update AFTER UPDATE OF summary ON entries BEGIN
  INSERT INTO entries_text (entries_text, rowid, summary) VALUES ('delete', old.number, old.summary);
  INSERT INTO entries_text (rowid, summary) VALUES (new.number, new.summary);
END;

-- Turns in which a person or an agent spoke: what is indexed with its neighbours, and embedded.
CREATE VIEW v_said AS
SELECT id, session_id, role, text, at FROM turns
WHERE role IN ('user', 'assistant') AND kind NOT IN ('thinking', 'call', 'summary', 'notice');

-- The meaning of a turn as numbers, one row of 8-bit numbers per piece of its text. Derived, all by one model (see meta);
-- a sketch (1) is guessed from the turn's words until the model has read it.
CREATE TABLE vectors (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of making; never used twice
  turn_id INTEGER NOT NULL UNIQUE REFERENCES turns (id) ON DELETE CASCADE,
  pieces  BLOB NOT NULL
, sketch INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX vectors_sketched ON vectors (turn_id) WHERE sketch = 1;

CREATE TRIGGER vectors_outdated AFTER UPDATE OF text ON turns BEGIN
  DELETE FROM vectors WHERE turn_id = new.id;
END;

-- The same for entries.
CREATE TABLE entry_vectors (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, so that a change shows
  entry  TEXT NOT NULL UNIQUE REFERENCES entries (id) ON DELETE CASCADE,
  pieces BLOB NOT NULL
) STRICT;

CREATE TRIGGER entry_vectors_outdated AFTER UPDATE OF summary ON entries BEGIN
  DELETE FROM entry_vectors WHERE entry = new.id;
END;

-- What was recalled, when, for which session. Canonical.
CREATE TABLE uses (
  id      INTEGER PRIMARY KEY,
  at      TEXT NOT NULL,
  session TEXT,                            -- the host's id of the session that asked
  kind    TEXT NOT NULL CHECK (kind IN ('entry', 'turn', 'session')),
  target  TEXT NOT NULL
, place INTEGER, reason TEXT) STRICT;

CREATE INDEX uses_by_target ON uses (kind, target);

-- Relations between two entries; `one` comes first in the alphabet. They gain weight each time both are recalled together,
-- and fade. What supersedes, contradicts or cites stands where it was written; see v_links.
CREATE TABLE "links" (
  one    TEXT NOT NULL,
  other  TEXT NOT NULL,
  kind   TEXT NOT NULL CHECK (kind IN ('recalled together', 'same subject')),
  weight REAL NOT NULL,
  at     TEXT NOT NULL,                    -- when it last gained
  PRIMARY KEY (one, other, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_other ON links (other);

CREATE INDEX links_by_time ON links (kind, at);

-- How to behave. Derived: folded from entries, records and outcomes; `checked_at` is when time took
-- something from it last.
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

-- What fades, and what is in a list, is found without looking at all there were.
CREATE INDEX rules_by_score ON rules (score) WHERE merged_into IS NULL;

-- Numbers by which rules that may say the same are found.
CREATE TABLE rule_keys (
  key  INTEGER NOT NULL,
  rule TEXT NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
  PRIMARY KEY (key, rule)
) STRICT, WITHOUT ROWID;

CREATE INDEX rule_keys_by_rule ON rule_keys (rule);

-- Entries that changed, or that something was told about, since rules were folded last; they may be no rules.
CREATE TABLE rules_due (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Rules follow entries and records. Counting every change tells whoever keeps rules that they are to be folded again;
-- where words may have left, the folded rules go with them, in the same transaction, and all are folded anew.
CREATE TRIGGER rules_new_entry AFTER INSERT ON entries WHEN new.category IN ('rule', 'rejected', 'learning') BEGIN
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO rules_due (id) VALUES (new.id) ON CONFLICT (id) DO NOTHING;
END;

CREATE TRIGGER rules_changed_entry AFTER UPDATE ON entries
WHEN old.category IN ('rule', 'rejected', 'learning') OR new.category IN ('rule', 'rejected', 'learning') BEGIN
  DELETE FROM rules
  WHERE (old.summary, old.project, old.agent, old.domain) IS NOT (new.summary, new.project, new.agent, new.domain);
  DELETE FROM meta WHERE name = 'rules_folded'
  AND (old.summary, old.project, old.agent, old.domain) IS NOT (new.summary, new.project, new.agent, new.domain);
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO rules_due (id) VALUES (new.id) ON CONFLICT (id) DO NOTHING;
END;

CREATE TRIGGER rules_gone_entry AFTER DELETE ON entries WHEN old.category IN ('rule', 'rejected', 'learning') BEGIN
  DELETE FROM rules;
  DELETE FROM meta WHERE name = 'rules_folded';
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

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

-- Counting every change of what holds and of what people told tells whoever keeps it that it is to be read again.
CREATE TRIGGER known_new_entry AFTER INSERT ON entries BEGIN
  INSERT INTO meta (name, value) VALUES ('known_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER known_changed_entry AFTER UPDATE OF status, repeated ON entries
WHEN (old.status, old.repeated) IS NOT (new.status, new.repeated) BEGIN
  INSERT INTO meta (name, value) VALUES ('known_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER known_gone_entry AFTER DELETE ON entries BEGIN
  INSERT INTO meta (name, value) VALUES ('known_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER known_new_record AFTER INSERT ON records BEGIN
  INSERT INTO meta (name, value) VALUES ('known_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER known_gone_record AFTER DELETE ON records BEGIN
  INSERT INTO meta (name, value) VALUES ('known_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

-- How to do it. Derived: folded from records, outcomes and what was learnt from the journal.
CREATE TABLE flows (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL                      -- JSON
) STRICT, WITHOUT ROWID;

-- Named workers, registered at their first use. `value`: what people said about one, as JSON. `beat_at`: when it last
-- said that it is alive.
CREATE TABLE agents (
  name  TEXT PRIMARY KEY,
  since TEXT NOT NULL
, value TEXT, beat_at TEXT) STRICT, WITHOUT ROWID;

-- What was given to which session, when and why: names of what was in it, none of the words. `because`: names of what was
-- told or left out, each with a fixed phrase. Canonical.
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
, why TEXT, because TEXT, tool TEXT, call TEXT) STRICT;

CREATE INDEX receipts_by_session ON receipts (session);

-- What a model was asked, and what that took: written down before it is asked, settled afterwards. Canonical.
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

-- What the last compaction of a session took. Derived.
CREATE TABLE losses (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id    INTEGER NOT NULL,             -- the boundary
  receipts   INTEGER NOT NULL,             -- what the session had been given when it was counted
  critical   INTEGER NOT NULL,             -- things work depends on, and how many of them are missing
  missing    INTEGER NOT NULL
) STRICT;

-- How full a session's context was when we last acted on it. Derived.
CREATE TABLE fills (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  level      INTEGER NOT NULL,             -- 0, 60, 75 or 80 percent
  turn_id    INTEGER NOT NULL
) STRICT;

-- Which folder of the notebook a project has, and an agent in it. `path` is no longer used.
CREATE TABLE notebooks (
  project TEXT NOT NULL,                   -- '' for what belongs to no project
  agent   TEXT NOT NULL,                   -- '' for what is for every agent
  folder  TEXT NOT NULL UNIQUE,
  path    TEXT,
  PRIMARY KEY (project, agent)
) STRICT, WITHOUT ROWID;

-- Pages as they were last written.
CREATE TABLE pages (
  folder TEXT NOT NULL,
  name   TEXT NOT NULL,
  hash   BLOB NOT NULL,
  lines  INTEGER NOT NULL,                 -- of entries on it
  text   TEXT NOT NULL,
  PRIMARY KEY (folder, name)
) STRICT;

-- Pages somebody changed of which nothing is taken in until a person says so. Not derived, and not exported: see migration 0027.
CREATE TABLE held_pages (
  id      TEXT PRIMARY KEY,                -- made from folder, name and hash
  folder  TEXT NOT NULL,
  name    TEXT NOT NULL,
  project TEXT NOT NULL,                   -- '': of none
  hash    BLOB NOT NULL,                   -- of the file as it was found
  found   TEXT NOT NULL,                   -- the same, without secrets
  ours    TEXT,                            -- what we wrote last; NULL: nothing
  diff    TEXT NOT NULL,                   -- between them, for people
  reason  TEXT NOT NULL,
  at      TEXT NOT NULL,                   -- when the file was changed
  source  TEXT,                            -- the host of the agent that changed it; NULL: none did, and so all below
  session TEXT,                            -- the host's own id
  agent   TEXT,
  tool    TEXT,
  call    TEXT,                            -- what the tool was given, in one line
  began   TEXT,                            -- when it was called
  theirs  TEXT,                            -- the file as the agent left it, without secrets
  UNIQUE (folder, name)
) STRICT, WITHOUT ROWID;

-- The topic a person moved an entry to; all others have that of their field of work. Told by records.
CREATE TABLE topics (
  entry TEXT PRIMARY KEY REFERENCES entries (id) ON DELETE CASCADE,
  topic TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX topics_by_topic ON topics (topic);

-- Entries that changed since pages were written last; they may stand on none.
CREATE TABLE pages_due (
  entry TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pages_new_entry AFTER INSERT ON entries BEGIN
  INSERT INTO pages_due (entry) VALUES (new.id) ON CONFLICT (entry) DO NOTHING;
END;

CREATE TRIGGER pages_changed_entry
AFTER UPDATE OF category, status, certainty, summary, detail, origin, domain, project, agent ON entries BEGIN
  INSERT INTO pages_due (entry) VALUES (new.id) ON CONFLICT (entry) DO NOTHING;
END;

CREATE TRIGGER pages_gone_entry AFTER DELETE ON entries BEGIN
  INSERT INTO pages_due (entry) VALUES (old.id) ON CONFLICT (entry) DO NOTHING;
END;

CREATE TRIGGER pages_new_record AFTER INSERT ON records WHEN new.act IN ('rule', 'flow', 'outcome') AND new.entry <> '' BEGIN
  INSERT INTO pages_due (entry) VALUES (new.entry) ON CONFLICT (entry) DO NOTHING;
END;

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

-- For people who open the file with any SQLite tool.
CREATE VIEW v_active_state AS
SELECT id, category, summary, detail, origin, certainty, domain, project, created_at
FROM entries WHERE status = 'active' ORDER BY created_at DESC, number DESC LIMIT 50;

CREATE VIEW v_rejected AS
SELECT id, summary, detail ->> '$.stance.why' AS why, detail ->> '$.stance.until' AS reopen, domain, project, created_at
FROM entries WHERE category = 'rejected' AND status = 'active' AND certainty = 'confirmed'
ORDER BY created_at DESC, number DESC;

CREATE VIEW v_boot_rules AS
SELECT id, rule, score, status, origin, domain, project, agent
FROM rules WHERE score >= 7 AND source <> 'rejected' AND status IN ('critical', 'active') AND merged_into IS NULL
ORDER BY status = 'critical' DESC, score DESC, reinforced_at DESC LIMIT 20;

-- What a model made of sessions. See migration 0011.

CREATE TABLE readings (
  id         INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  work       TEXT,                         -- the piece of work at hand then
  first_turn INTEGER NOT NULL,             -- the turns it is about
  last_turn  INTEGER NOT NULL,
  mark       INTEGER NOT NULL,             -- how far the scribe had read when it was applied
  at         TEXT NOT NULL,
  model      TEXT NOT NULL,
  answer     TEXT NOT NULL,                -- JSON, as it was answered
  note       TEXT NOT NULL,                -- JSON, as it was kept
  UNIQUE (session_id, first_turn)          -- nothing is paid for twice
) STRICT;

-- What upkeep did. See migration 0014.

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

CREATE INDEX runs_by_time ON runs (began);

CREATE INDEX runs_under_way ON runs (id) WHERE state = 'running';

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

-- What upkeep knows. See migration 0015.

-- How often each entry was recalled, given unasked, and used; the counts follow uses and receipts. Canonical.
CREATE TABLE accesses (
  entry    TEXT PRIMARY KEY,
  recalled INTEGER NOT NULL DEFAULT 0,
  given    INTEGER NOT NULL DEFAULT 0,
  used     INTEGER NOT NULL DEFAULT 0,     -- it turned up in what the agent did next
  badly    INTEGER NOT NULL DEFAULT 0,     -- of these, how often that failed or the person set it right
  tokens   REAL NOT NULL DEFAULT 0,        -- its share of what was given
  last_at  TEXT,                           -- recalled or given last
  used_at  TEXT                            -- recalled or used last: from then on its age counts
) STRICT, WITHOUT ROWID;

CREATE TRIGGER accesses_recalled AFTER INSERT ON uses WHEN new.kind = 'entry' BEGIN
  INSERT INTO accesses (entry, recalled, last_at, used_at) VALUES (new.target, 1, new.at, new.at)
  ON CONFLICT (entry) DO UPDATE SET recalled = recalled + 1, last_at = max(coalesce(last_at, ''), excluded.last_at),
                                    used_at = max(coalesce(used_at, ''), excluded.used_at);
END;

CREATE TRIGGER accesses_given AFTER INSERT ON receipts BEGIN
  INSERT INTO accesses (entry, given, tokens, last_at)
  SELECT substr(item.value, instr(item.value, ':') + 1) AS named, 1,
         sum(new.tokens * 1.0 / json_array_length(new.items)), new.at
  FROM json_each(new.items) AS item
  WHERE substr(item.value, 1, instr(item.value, ':')) IN ('entry:', 'rule:', 'reason:', 'reminder:')
  GROUP BY named
  ON CONFLICT (entry) DO UPDATE SET given = given + 1, tokens = tokens + excluded.tokens,
                                    last_at = max(coalesce(last_at, ''), excluded.last_at);
END;

-- Entries that came or say something else since a job looked last.
CREATE TABLE entries_due (
  job   TEXT NOT NULL CHECK (job IN ('links', 'consistency')),
  entry TEXT NOT NULL,
  PRIMARY KEY (job, entry)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER due_new_entry AFTER INSERT ON entries BEGIN
  INSERT INTO entries_due (job, entry) VALUES ('links', new.id), ('consistency', new.id) ON CONFLICT (job, entry) DO NOTHING;
END;

CREATE TRIGGER due_changed_entry AFTER UPDATE OF summary, category, status, certainty ON entries BEGIN
  INSERT INTO entries_due (job, entry) VALUES ('links', new.id), ('consistency', new.id) ON CONFLICT (job, entry) DO NOTHING;
END;

-- What was found worth keeping for good: the entry it was said in, the entry that tells it as it stands, and of which day
-- it is. No words. Canonical: what was chosen depends on what was known and used then.
CREATE TABLE curated (
  source TEXT PRIMARY KEY,
  entry  TEXT NOT NULL UNIQUE,
  day    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX curated_by_day ON curated (day);

-- It holds as long as what it was made from does: newer words, or a person's, end both.
CREATE TRIGGER curated_ends AFTER UPDATE OF status ON entries
WHEN new.status = 'superseded' OR (new.status = 'archived' AND EXISTS (SELECT 1 FROM records WHERE entry = new.id)) BEGIN
  UPDATE entries SET status = new.status, superseded_by = new.superseded_by
  WHERE id = (SELECT entry FROM curated WHERE source = new.id) AND status = 'active' AND origin <> 'edit';
END;

CREATE TRIGGER curated_reworded AFTER UPDATE OF summary ON entries WHEN new.summary <> old.summary BEGIN
  UPDATE entries SET status = 'superseded', superseded_by = new.id
  WHERE id = (SELECT entry FROM curated WHERE source = new.id) AND status = 'active' AND origin <> 'edit';
END;

-- Integration notes: entries that belong together. A note names its members and holds none of their words. Canonical.
CREATE TABLE integrations (
  id      TEXT PRIMARY KEY,
  at      TEXT NOT NULL,
  project TEXT,
  members TEXT NOT NULL                    -- JSON
) STRICT, WITHOUT ROWID;

CREATE INDEX integrations_by_time ON integrations (at);

-- Every relation between two entries, seen from the first.
CREATE VIEW v_links AS
SELECT one, other, kind, weight, at FROM links
UNION ALL SELECT other, one, kind, weight, at FROM links
UNION ALL SELECT superseded_by, id, 'supersedes', 1.0, NULL FROM entries WHERE superseded_by IS NOT NULL
UNION ALL SELECT id, superseded_by, 'superseded by', 1.0, NULL FROM entries WHERE superseded_by IS NOT NULL
UNION ALL SELECT one, other, 'contradicts', 1.0, NULL FROM reviews
UNION ALL SELECT other, one, 'contradicts', 1.0, NULL FROM reviews
UNION ALL SELECT entry, source, 'cites', 1.0, day FROM curated
UNION ALL SELECT source, entry, 'cited by', 1.0, day FROM curated
UNION ALL SELECT member.value, integrations.id, 'cited by', 1.0, at FROM integrations, json_each(members) AS member;

-- What a day brought is found without looking at all there is.
CREATE INDEX entries_by_time ON entries (created_at);

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

-- What is looked at. See migration 0017.

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
