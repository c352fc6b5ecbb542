-- A page of the notebook that an agent changed, or that lost what a person has to be asked about first, waits. What was
-- found and what we wrote last are kept beside it: the file stays as it is, and whoever shows it needs no file.
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
