-- What the user told us about capture, and what the store knows of itself.

-- name: get_meta
-- One fact about the store.
SELECT value FROM meta WHERE name = :name;

-- name: scrub_followed_with
-- Memory files whose path is forgotten are followed no more.
UPDATE meta SET value = (SELECT json_group_array(one.value) FROM json_each(meta.value) AS one WHERE NOT instr(one.value, :text))
WHERE name = 'followed';

-- name: set_meta
-- Replaces a fact about the store.
INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: keep_meta
-- Sets a fact that must never change once it is there.
INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING;

-- name: drop_meta
-- Removes a fact.
DELETE FROM meta WHERE name = :name;

-- name: pauses
-- Times off the record.
SELECT since, until FROM pauses ORDER BY since;

-- name: pause
-- Go off the record, unless we are.
INSERT INTO pauses (since) SELECT :now WHERE NOT EXISTS (SELECT 1 FROM pauses WHERE until IS NULL) RETURNING 1;

-- name: put_pause
-- A time off the record, from an export.
INSERT INTO pauses (since, until) VALUES (:since, :until) ON CONFLICT (since) DO NOTHING RETURNING 1;

-- name: resume
-- Go on record again. A clock that was set back meanwhile must not make the pause end before it began.
UPDATE pauses SET until = max(:now, since) WHERE until IS NULL;

-- name: excluded
-- What the user left out.
SELECT pattern, since FROM excluded ORDER BY pattern;

-- name: exclude
-- Leave a path or project out.
INSERT INTO excluded (pattern, since) VALUES (:pattern, :since) ON CONFLICT (pattern) DO NOTHING RETURNING 1;

-- name: include
-- Take it in again.
DELETE FROM excluded WHERE pattern = :pattern;
