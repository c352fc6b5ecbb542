-- Why: people read and edit what is known as pages of Markdown. What was last written is kept, so that their edits can be
-- told from ours. All of it is derived: without it the next look at the files takes them as they are. A store made before
-- has no pages; the first sync writes them.

-- Which folder of the notebook a project has; `path`: where it lies outside the home.
CREATE TABLE notebooks (
  project TEXT PRIMARY KEY,                -- '' for what belongs to no project
  folder  TEXT NOT NULL UNIQUE,
  path    TEXT
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
AFTER UPDATE OF category, status, certainty, summary, detail, origin, domain, project ON entries BEGIN
  INSERT INTO pages_due (entry) VALUES (new.id) ON CONFLICT (entry) DO NOTHING;
END;

CREATE TRIGGER pages_gone_entry AFTER DELETE ON entries BEGIN
  INSERT INTO pages_due (entry) VALUES (old.id) ON CONFLICT (entry) DO NOTHING;
END;

CREATE TRIGGER pages_new_record AFTER INSERT ON records WHEN new.act IN ('rule', 'flow', 'outcome') AND new.entry <> '' BEGIN
  INSERT INTO pages_due (entry) VALUES (new.entry) ON CONFLICT (entry) DO NOTHING;
END;
