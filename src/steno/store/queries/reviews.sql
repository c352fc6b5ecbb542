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
-- What people instructed for a piece of work and may make last, of a project or of all, what was said again first, then the
-- newest: nobody answered about it yet.
SELECT entries.id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject,
       sessions.session, entries.project, entries.agent, created_at, superseded_by, repeated, repeated_at, cue
FROM entries LEFT JOIN sessions ON sessions.id = entries.session_id
WHERE category = 'rule' AND origin = 'user' AND status = 'active' AND coalesce(detail ->> '$.stance.reach', 'work') = 'work'
  AND (:project IS NULL OR coalesce(entries.project, :project) = :project)
  AND entries.id NOT IN (SELECT entry FROM v_answered)
ORDER BY repeated > 0 DESC, max(coalesce(created_at, ''), coalesce(repeated_at, '')) DESC, number DESC;

-- name: yeses
-- How often people allowed a call that was put before them for an entry, since they last said anything of that. A call that
-- was denied has no result; one that failed may never have been allowed.
SELECT entry, count(DISTINCT call), max(at) FROM (
  SELECT substr(reason.value, 8) AS entry, receipts.call AS call, receipts.at AS at
  FROM receipts
  JOIN json_each(items) AS reason ON reason.value LIKE 'reason:%'
  JOIN sessions ON sessions.session = receipts.session
  WHERE verdict = 'ask' AND because ->> '$.call' = 'put before a person' AND 'result' = (
    SELECT iif(turns.failed, 'failed', turns.kind) FROM turns
    WHERE turns.session_id = sessions.id AND turns.id > coalesce(receipts.turn, 0)
      AND turns.call = receipts.call AND turns.kind <> 'call'
    ORDER BY turns.id LIMIT 1)) AS asked
WHERE at > coalesce(
  (SELECT max(records.at) FROM v_answered JOIN records ON records.id = record WHERE v_answered.entry = asked.entry), '')
GROUP BY entry;

-- name: answered_at
-- When people last said something of some entries.
SELECT v_answered.entry, max(records.at) FROM v_answered JOIN records ON records.id = record
WHERE v_answered.entry IN (SELECT value FROM json_each(:ids)) GROUP BY v_answered.entry;

-- name: said_last
-- What people said last in any session, the latest first, and in which project.
SELECT value, project FROM exchanges JOIN sessions ON sessions.id = exchanges.session_id
ORDER BY turn_id DESC, place DESC LIMIT :most;

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
