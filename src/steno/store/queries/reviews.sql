-- What waits for a person's word, and their answers.

-- name: put_review
-- Two entries that cannot both hold, unless they wait already, in whatever order.
INSERT INTO reviews (one, other, reason)
SELECT :one, :other, :reason WHERE NOT EXISTS (SELECT 1 FROM reviews WHERE one = :other AND other = :one)
ON CONFLICT (one, other) DO NOTHING RETURNING id;

-- name: open_reviews
-- Pairs that nobody settled, as long as both hold.
SELECT one, other, reason FROM reviews
WHERE answer IS NULL AND 2 = (SELECT count(*) FROM entries WHERE id IN (one, other) AND status IN ('active', 'done'))
ORDER BY id;

-- name: offers
-- What people instructed for a piece of work and may make last, of a project or of all, the newest first: nobody answered
-- about it yet.
SELECT entries.id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject,
       sessions.session, entries.project, entries.agent, created_at, superseded_by, repeated, repeated_at, cue
FROM entries LEFT JOIN sessions ON sessions.id = entries.session_id
WHERE category = 'rule' AND origin = 'user' AND status = 'active' AND coalesce(detail ->> '$.stance.reach', 'work') = 'work'
  AND (:project IS NULL OR coalesce(entries.project, :project) = :project)
  AND entries.id NOT IN (SELECT entry FROM v_answered)
ORDER BY max(coalesce(created_at, ''), coalesce(repeated_at, '')) DESC, number DESC LIMIT :most;

-- name: archive_unsure
-- Older versions kept rules and refusals they were not sure of: what no person said they mean binds nobody.
UPDATE entries SET status = 'archived'
WHERE category IN ('rule', 'rejected') AND certainty = 'hypothesis' AND status = 'active' AND origin = 'user';

-- name: answer_review
-- A person's word on a pair, also on one that a rebuild has not found again yet.
INSERT INTO reviews (one, other, reason, answer)
SELECT :one, :other, :reason, :answer WHERE 2 = (SELECT count(*) FROM entries WHERE id IN (:one, :other))
ON CONFLICT (one, other) DO UPDATE SET answer = excluded.answer;

-- name: reopen_review
-- They took it back.
UPDATE reviews SET answer = NULL WHERE one = :one AND other = :other;

-- name: states_of_entries
-- What an answer may change.
SELECT id, summary, category, status, origin, certainty, detail, superseded_by FROM entries
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: restore_entry
-- As it was before an answer that was taken back.
UPDATE entries SET summary = :summary, category = :category, status = :status, origin = :origin,
                   certainty = :certainty, detail = :detail, superseded_by = :superseded_by
WHERE id = :id;

-- name: last_answer
-- The last answer that says how it was before.
SELECT id, entry, value FROM records WHERE act = 'review' AND value -> '$.was' IS NOT NULL ORDER BY id DESC LIMIT 1;

-- name: told_since
-- Whether people said something about entries after a record.
SELECT 1 FROM records WHERE id > :id
AND (entry IN (SELECT value FROM json_each(:ids)) OR value ->> '$.other' IN (SELECT value FROM json_each(:ids))) LIMIT 1;

-- name: take_back
-- An answer a person takes back was never given.
DELETE FROM records WHERE id = :id;

-- name: clear_reviews
-- Derived: found again by a rebuild.
DELETE FROM reviews;
