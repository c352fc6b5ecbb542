-- How often entries are used, what they have to do with each other, and what upkeep has not looked at yet.

-- name: accesses_of
-- How often some entries were recalled, given and used, and when last.
SELECT entry, recalled, given, used, badly, tokens, last_at, used_at FROM accesses
WHERE entry IN (SELECT value FROM json_each(:ids));

-- name: links_seen_from
-- Every relation of an entry to others, the strongest of each kind first.
SELECT v_links.other, v_links.kind, v_links.weight, entries.category, entries.summary
FROM v_links LEFT JOIN entries ON entries.id = v_links.other
WHERE v_links.one = :id ORDER BY v_links.kind, v_links.weight DESC, v_links.other LIMIT :most;

-- name: fade_links
-- Links that did not gain since a time lose a share of their weight.
UPDATE links SET weight = weight * :left WHERE kind = 'recalled together' AND at < :since;

-- name: drop_faded
-- Those of which nothing is left.
DELETE FROM links WHERE kind = 'recalled together' AND weight < :least RETURNING one;

-- name: count_fading
-- How many did not gain since a time.
SELECT count(*) FROM links WHERE kind = 'recalled together' AND at < :since;

-- name: put_subject_link
-- Two entries are about the same.
INSERT INTO links (one, other, kind, weight, at) VALUES (?1, ?2, 'same subject', ?3, ?4)
ON CONFLICT (one, other, kind) DO UPDATE SET weight = excluded.weight, at = excluded.at;

-- name: drop_subject_links
-- Of an entry that says something else now, or holds no more.
DELETE FROM links WHERE kind = 'same subject' AND (one = :id OR other = :id);

-- name: entries_due
-- What a job has not looked at.
SELECT entry FROM entries_due WHERE job = :job ORDER BY entry LIMIT :most;

-- name: entries_looked_at
-- It has now.
DELETE FROM entries_due WHERE job = :job AND entry IN (SELECT value FROM json_each(:ids));

-- name: entries_sharing
-- Entries of the same project that hold some words, the likest first.
SELECT entries.id, entries.summary FROM entries_text JOIN entries ON entries.number = entries_text.rowid
WHERE entries_text MATCH :words AND entries.id <> :id AND entries.project IS :project
  AND entries.status IN ('active', 'done')
  AND NOT EXISTS (SELECT 1 FROM curated WHERE :id IN (entry, source) AND entries.id IN (entry, source))
ORDER BY bm25(entries_text) LIMIT :most;

-- name: scrub_accesses_with
-- A receipt may name what is no id.
DELETE FROM accesses WHERE instr(entry, :text);
