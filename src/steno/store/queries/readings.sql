-- What a model made of sessions.

-- name: put_reading
-- An answered question. Nothing if somebody else read these turns meanwhile.
INSERT INTO readings (session_id, work, first_turn, last_turn, mark, at, model, answer, note)
SELECT :session_id, :work, :first, :last, :mark, :at, :model, :answer, :note
WHERE NOT EXISTS (SELECT 1 FROM readings WHERE session_id = :session_id AND last_turn >= :first)
ON CONFLICT (session_id, first_turn) DO NOTHING
RETURNING id;

-- name: readings_since
-- Readings of a session that were applied after the scribe stood at a turn, in order.
SELECT session_id, work, first_turn, last_turn, mark, at, model, answer, note
FROM readings WHERE session_id = :session_id AND mark > :mark ORDER BY last_turn;

-- name: last_reading
-- The latest reading of a session, now or then.
SELECT session_id, work, first_turn, last_turn, mark, at, model, answer, note
FROM readings WHERE session_id = :session_id AND (:until IS NULL OR at <= :until) ORDER BY last_turn DESC LIMIT 1;

-- name: scribe_stands
-- How far the scribe has read a session, and the piece of work at hand there.
SELECT turn_id, work FROM checkpoints WHERE session_id = :session_id;

-- name: sessions_to_read
-- Main sessions with turns no model has read but the scribe has, heard of since a time, the latest first: their number,
-- project, agent, how far a model has read, how far the scribe, and when they were heard of last.
SELECT sessions.id, sessions.project, sessions.agent, coalesce(max(readings.last_turn), 0) AS done, checkpoints.turn_id,
       sessions.last_at
FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id LEFT JOIN readings ON readings.session_id = sessions.id
WHERE sessions.kind = 'main' AND sessions.source <> 'import' AND (:session_id IS NULL OR sessions.id = :session_id)
  AND (:since IS NULL OR sessions.last_at >= :since)
GROUP BY sessions.id HAVING checkpoints.turn_id > done
ORDER BY sessions.last_at DESC, sessions.id DESC LIMIT :most;

-- name: turns_cited
-- Some turns of a session.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND turns.id IN (SELECT value FROM json_each(:ids)) ORDER BY turns.id;

-- name: erase_readings_from
-- What a model made of turns that are forgotten, and of all that came after them: it may tell of them.
DELETE FROM readings WHERE last_turn >= (
  SELECT min(turns.id) FROM turns
  WHERE turns.session_id = readings.session_id AND turns.id IN (SELECT value FROM json_each(:ids)));

-- name: erase_readings_with
-- The same where a text that is forgotten stands in an answer.
DELETE FROM readings WHERE last_turn >= (
  SELECT min(told.last_turn) FROM readings AS told WHERE told.session_id = readings.session_id
  AND (instr(told.answer || told.note, :text) OR instr(told.answer || told.note, :escaped) OR instr(told.answer || told.note, :ascii)));

-- name: reading_words
-- What was answered and noted.
SELECT id, answer, note FROM readings;

-- name: rewrite_reading
-- New patterns found a secret in it.
UPDATE readings SET answer = :answer, note = :note WHERE id = :id;

-- name: set_detail
-- What a model knows of an entry beside it.
UPDATE entries SET detail = :detail WHERE id = :id;
