-- How full contexts are, where they were compacted, and what is alive.

-- name: alive_sessions
-- Sessions heard of since a time whose model's context has a known size.
SELECT id, source, session, context_window FROM sessions
WHERE last_at >= :since AND context_window > 0 AND source NOT IN ('import', 'notes', 'git') ORDER BY last_at, id;

-- name: window_of_session
-- The size of a session's context, in tokens.
SELECT context_window FROM sessions WHERE id = :session_id AND context_window > 0;

-- name: boundaries
-- Where a session's context was compacted, the first one first.
SELECT id, at FROM turns WHERE session_id = :session_id AND kind = 'boundary' ORDER BY id;

-- name: last_told_fill
-- The last turn from a boundary on that says how many tokens are in use.
SELECT id, context_tokens FROM turns
WHERE session_id = :session_id AND id >= :boundary AND context_tokens IS NOT NULL ORDER BY id DESC LIMIT 1;

-- name: get_fill
-- The level last acted on, and the turn it was reached at.
SELECT level, turn_id FROM fills WHERE session_id = :session_id;

-- name: put_fill
-- A level was acted on.
INSERT INTO fills (session_id, level, turn_id) VALUES (:session_id, :level, :turn_id)
ON CONFLICT (session_id) DO UPDATE SET level = excluded.level, turn_id = excluded.turn_id;

-- name: loss_due
-- The last boundary of a session in which somebody spoke after it, and how many briefings it was given; nothing where
-- what was lost is counted already, or the session was not heard of since a time.
SELECT boundary, briefings FROM (
  SELECT (SELECT max(id) FROM turns WHERE session_id = :session_id AND kind = 'boundary') AS boundary,
         (SELECT count(*) FROM receipts JOIN sessions ON sessions.session = receipts.session
          WHERE sessions.id = :session_id AND receipts.kind <> 'gate') AS briefings)
WHERE boundary IS NOT NULL
  AND EXISTS (SELECT 1 FROM sessions WHERE id = :session_id AND kind = 'main' AND last_at >= :since)
  AND EXISTS (SELECT 1 FROM turns WHERE session_id = :session_id AND id > boundary
              AND role IN ('user', 'assistant') AND kind NOT IN ('summary', 'notice'))
  AND NOT EXISTS (SELECT 1 FROM losses WHERE session_id = :session_id AND turn_id = boundary AND receipts = briefings);

-- name: put_loss
-- What the last compaction of a session took.
INSERT INTO losses (session_id, turn_id, receipts, critical, missing)
VALUES (:session_id, :turn_id, :receipts, :critical, :missing)
ON CONFLICT (session_id) DO UPDATE
SET turn_id = excluded.turn_id, receipts = excluded.receipts, critical = excluded.critical, missing = excluded.missing;
