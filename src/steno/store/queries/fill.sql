-- How full contexts are, where they were compacted, and what is alive.

-- name: alive_sessions
-- Sessions heard of since a time whose model's context has a known size.
SELECT id, source, session, context_window FROM sessions
WHERE last_at >= :since AND context_window > 0 AND source <> 'import' ORDER BY last_at, id;

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
