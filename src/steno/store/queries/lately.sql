-- What an agent or a person needs to know first: work in hand, what is newest, what is unresolved.

-- name: work_in_hand
-- The latest session of each project that is at a piece of work which is not over, the latest first.
SELECT id, source, session, project, agent, last_at, value FROM (
  SELECT sessions.id, sessions.source, sessions.session, sessions.project, sessions.agent, sessions.last_at, checkpoints.value,
         row_number() OVER (PARTITION BY sessions.project ORDER BY sessions.last_at DESC, sessions.id DESC) AS place
  FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id
  JOIN works ON works.id = checkpoints.work AND works.status = 'active'
  WHERE sessions.kind = 'main' AND sessions.last_at >= :since AND (:project IS NULL OR sessions.project = :project)
) WHERE place = 1 ORDER BY last_at DESC LIMIT :most;

-- name: count_unended
-- Pieces of work that are not over, however old, in one project or anywhere.
SELECT count(*) FROM works WHERE status = 'active' AND (:project IS NULL OR project = :project);

-- name: last_worked
-- The last sessions, of one agent or of all, with where their work stands, the latest first.
SELECT sessions.id, sessions.source, sessions.session, sessions.project, sessions.agent, sessions.last_at,
       checkpoints.value
FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id
WHERE sessions.id IN (
  SELECT id FROM sessions AS one WHERE kind = 'main' AND (:agent IS NULL OR agent = :agent)
    AND EXISTS (SELECT 1 FROM checkpoints WHERE session_id = one.id)
  ORDER BY last_at DESC, id DESC LIMIT :most)
ORDER BY sessions.last_at DESC, sessions.id DESC;

-- name: heard_between
-- Sessions somebody was at between two moments, or one session, with where their work stands, the first one first.
SELECT sessions.id, sessions.source, sessions.session, sessions.project, sessions.agent, sessions.last_at,
       checkpoints.value
FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id
WHERE sessions.kind = 'main'
  AND (sessions.id = :session_id OR (sessions.last_at >= :since AND coalesce(sessions.started_at, sessions.last_at) < :until))
ORDER BY coalesce(sessions.started_at, sessions.last_at), sessions.id LIMIT :most;

-- name: entries_between
-- What was learnt or told between two moments, in one session or in none, that holds or is done, the oldest first.
SELECT id FROM entries
WHERE session_id IS :session_id AND created_at >= :since AND created_at < :until AND status IN ('active', 'done')
  AND origin IN ('user', 'edit', 'assistant')
ORDER BY created_at, number LIMIT :most;

-- name: newest_entries
-- The newest active entries of some categories since a time, of one agent and of nobody in particular, or of all, and of
-- one project and of none, or of all; of words that may always be loaded.
SELECT id FROM entries
WHERE status = 'active' AND origin IN ('user', 'edit') AND category IN (SELECT value FROM json_each(:categories)) AND created_at >= :since
  AND (:agent IS NULL OR agent IS NULL OR agent = :agent)
  AND (:project IS NULL OR project IS NULL OR project = :project)
ORDER BY created_at DESC, number DESC LIMIT :most;

-- name: unresolved
-- How much waits for a person, how many gaps and how much trouble there is in what was captured.
SELECT (SELECT count(*) FROM reviews
        WHERE answer IS NULL AND 2 = (SELECT count(*) FROM entries WHERE id IN (one, other) AND status IN ('active', 'done'))),
       (SELECT count(*) FROM acts WHERE state IN ('waiting', 'asked')),
       (SELECT coalesce(sum(gaps), 0) FROM transcripts),
       (SELECT count(*) FROM transcripts WHERE problem IS NOT NULL),
       (SELECT count(*) FROM held_pages);

-- name: lost_much
-- Compactions since a time after which less than a share of what work depends on was left, the latest first. What was
-- given since it was counted may have brought it back: nobody is warned until it is counted again.
SELECT sessions.session, sessions.project, losses.critical, losses.missing
FROM losses JOIN sessions ON sessions.id = losses.session_id
WHERE sessions.last_at >= :since AND losses.critical - losses.missing < :enough * losses.critical
  AND losses.receipts = (SELECT count(*) FROM receipts WHERE receipts.session = sessions.session AND receipts.kind <> 'gate')
ORDER BY sessions.last_at DESC;
