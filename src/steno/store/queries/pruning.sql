-- What nights lay aside, and the way back.

-- name: prunable
-- What may be laid aside, the oldest first: none of what is for people to end, carries a rule that is in force, waits for
-- a person's word or was told about by one, belongs to work at hand, or was recalled, told or wanted back.
SELECT id, coalesce(project, ''), category, twin, tags <> '[]', origin IN (SELECT value FROM json_each(:people)), at
FROM (
  SELECT number, id, project, category, tags, origin, work, max(coalesce(created_at, ''), coalesce(repeated_at, '')) AS at,
         row_number() OVER (PARTITION BY category, project, lower(summary)
                            ORDER BY origin IN (SELECT value FROM json_each(:people)) DESC, tags = '[]', number) AS twin
  FROM entries WHERE status = 'active' AND category NOT IN (SELECT value FROM json_each(:never))
) AS entry
WHERE at <> '' AND at < :fresh
  AND NOT EXISTS (SELECT 1 FROM rules WHERE rules.id = entry.id AND rules.status IN ('critical', 'active'))
  AND NOT EXISTS (SELECT 1 FROM reviews WHERE answer IS NULL AND entry.id IN (one, other))
  AND NOT EXISTS (SELECT 1 FROM records WHERE records.entry = entry.id)
  AND NOT EXISTS (SELECT 1 FROM works WHERE works.id = entry.work AND works.status = 'active' AND works.last_at >= :needed)
  AND NOT EXISTS (SELECT 1 FROM uses WHERE kind = 'entry' AND target = entry.id AND uses.at >= :needed)
  AND id NOT IN (SELECT substr(given.value, 7) FROM receipts, json_each(receipts.items) AS given
                 WHERE receipts.at >= :needed AND given.value LIKE 'entry:%')
  AND NOT EXISTS (SELECT 1 FROM pruned WHERE pruned.entry = entry.id AND undone)
ORDER BY at, number;

-- name: unspoken
-- Open tasks and promises nobody spoke of since a time, the oldest first: none that waits for a person's word, was told
-- about by one, or was wanted back.
SELECT id FROM entries
WHERE status = 'active' AND category IN ('task', 'commitment')
  AND max(coalesce(created_at, ''), coalesce(repeated_at, '')) BETWEEN '0' AND :since
  AND NOT EXISTS (SELECT 1 FROM reviews WHERE answer IS NULL AND entries.id IN (one, other))
  AND NOT EXISTS (SELECT 1 FROM records WHERE records.entry = entries.id)
  AND NOT EXISTS (SELECT 1 FROM pruned WHERE pruned.entry = entries.id AND undone)
ORDER BY max(coalesce(created_at, ''), coalesce(repeated_at, '')), number;

-- name: observed
-- How many observations each project has that may be trimmed: what has a tag stays, and what a person said.
SELECT coalesce(project, ''), count(*) FROM entries
WHERE status = 'active' AND category IN ('discovery', 'context') AND tags = '[]'
  AND origin NOT IN (SELECT value FROM json_each(:people)) GROUP BY project;

-- name: holding
-- How many entries hold.
SELECT count(*) FROM entries WHERE status = 'active';

-- name: put_pruned
-- An entry was laid aside by a run.
INSERT INTO pruned (run, entry, at, reason) VALUES (:run, :entry, :at, :reason);

-- name: lay_aside
-- A night lays an entry aside, if nobody changed it since it was looked at.
UPDATE entries SET status = 'archived' WHERE id = :id AND status = 'active' RETURNING id;

-- name: pruned_by
-- What a run laid aside and nobody took back.
SELECT entry FROM pruned WHERE run = :run AND NOT undone ORDER BY entry;

-- name: bring_back
-- It holds again, unless a person laid it aside since.
UPDATE entries SET status = 'active' WHERE id = :id AND status = 'archived'
  AND NOT EXISTS (SELECT 1 FROM records, pruned WHERE records.entry = entries.id AND pruned.entry = entries.id
                  AND pruned.run = :run AND records.act IN ('archive', 'review') AND records.at > pruned.at)
RETURNING id;

-- name: undo_pruned
-- What a run laid aside is taken back.
UPDATE pruned SET undone = 1 WHERE run = :run;

-- name: prune_again
-- After a rebuild: what nights laid aside, unless it was said or told about since.
UPDATE entries SET status = 'archived'
WHERE status = 'active' AND EXISTS (
  SELECT 1 FROM pruned WHERE pruned.entry = entries.id AND NOT undone AND at >= coalesce(entries.repeated_at, '')
  AND at >= coalesce((SELECT max(records.at) FROM records WHERE records.entry = entries.id), ''));
