-- Why: upkeep has to know which entries are used and which only lie there, what they have to do with each other, and what
-- it has looked at already. A store made before counts what it recalled and gave so far; whether that was used is not known.

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

INSERT INTO accesses (entry, recalled, last_at, used_at)
SELECT target, count(*), max(at), max(at) FROM uses WHERE kind = 'entry' GROUP BY target;

INSERT INTO accesses (entry, given, tokens, last_at)
SELECT substr(item.value, instr(item.value, ':') + 1) AS entry, count(DISTINCT receipts.id),
       sum(receipts.tokens * 1.0 / json_array_length(receipts.items)), max(receipts.at)
FROM receipts, json_each(receipts.items) AS item
WHERE substr(item.value, 1, instr(item.value, ':')) IN ('entry:', 'rule:', 'reason:', 'reminder:')
GROUP BY entry
ON CONFLICT (entry) DO UPDATE SET given = excluded.given, tokens = excluded.tokens, last_at = max(last_at, excluded.last_at);

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

-- Links may be of another kind now. What supersedes, contradicts or cites stands where it was written; see v_links.
CREATE TABLE links_of_kinds (
  one    TEXT NOT NULL,
  other  TEXT NOT NULL,
  kind   TEXT NOT NULL CHECK (kind IN ('recalled together', 'same subject')),
  weight REAL NOT NULL,
  at     TEXT NOT NULL,                    -- when it last gained
  PRIMARY KEY (one, other, kind)
) STRICT, WITHOUT ROWID;

INSERT INTO links_of_kinds SELECT * FROM links;
DROP TABLE links;
ALTER TABLE links_of_kinds RENAME TO links;
CREATE INDEX links_by_other ON links (other);

-- Entries that came or say something else since a job looked last.
CREATE TABLE entries_due (
  job   TEXT NOT NULL CHECK (job IN ('links', 'consistency')),
  entry TEXT NOT NULL,
  PRIMARY KEY (job, entry)
) STRICT, WITHOUT ROWID;

INSERT INTO entries_due (job, entry) SELECT 'links', id FROM entries UNION ALL SELECT 'consistency', id FROM entries;

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
