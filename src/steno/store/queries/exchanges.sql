-- What people said and what it answered.

-- name: put_exchange
-- One utterance, found while a session is read.
INSERT INTO exchanges (turn_id, place, session_id, same, worth, call, value) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (turn_id, place) DO NOTHING;

-- name: unweighed_exchanges
-- What nobody weighed yet, the latest first.
SELECT value, turns.text FROM exchanges JOIN turns ON turns.id = exchanges.turn_id
WHERE exchanges.session_id = :session_id AND worth < 0 ORDER BY exchanges.turn_id DESC LIMIT :most;

-- name: put_weights
-- It was weighed; what came of it meanwhile stays.
UPDATE exchanges SET worth = :worth, value = json_set(:value, '$.afterwards', coalesce(value ->> 'afterwards', ''))
WHERE turn_id = :turn AND place = :place;

-- name: stopped_calls
-- Utterances of a session that stopped a call of which nothing came yet.
SELECT turn_id, place, call FROM exchanges
WHERE session_id = :session_id AND call IS NOT NULL AND coalesce(value ->> 'afterwards', '') = '';

-- name: came_of_exchange
-- What came of a call that was stopped.
UPDATE exchanges SET value = json_set(value, '$.afterwards', :afterwards) WHERE turn_id = :turn AND place = :place;

-- name: exchanges
-- The first and the last utterances of a session up to a time, oldest first; with how often the same was said.
WITH told (turn_id, place) AS (
  SELECT turn_id, place FROM (
    SELECT turn_id, place FROM exchanges WHERE session_id = :session_id ORDER BY turn_id LIMIT :first
  )
  UNION
  SELECT turn_id, place FROM (
    SELECT turn_id, place FROM exchanges WHERE session_id = :session_id
      AND (:until IS NULL OR coalesce(value ->> 'at', '9999') <= :until)
    ORDER BY turn_id DESC LIMIT :last
  )
)
SELECT value, (SELECT count(*) FROM exchanges AS other WHERE other.session_id = :session_id AND other.same = exchanges.same)
FROM told JOIN exchanges USING (turn_id, place)
WHERE :until IS NULL OR coalesce(value ->> 'at', '9999') <= :until
ORDER BY turn_id, place;

-- name: last_exchanges
-- What people said last in any session, the latest first.
SELECT value FROM exchanges ORDER BY turn_id DESC, place DESC LIMIT :most;

-- name: entries_at
-- Entries that rest on some turns: the turn, the words, and how they stand at a time. What was done before it was laid
-- aside is done.
SELECT evidence.turn_id, entries.id, entries.category,
       CASE WHEN newer.created_at > :until THEN 'active' WHEN entries.detail ->> '$.resolved' THEN 'done'
            ELSE entries.status END, evidence.quote
FROM evidence JOIN entries ON entries.id = evidence.entry
LEFT JOIN entries AS newer ON newer.id = entries.superseded_by
WHERE evidence.turn_id IN (SELECT value FROM json_each(:turns)) AND evidence.place = 0
ORDER BY entries.number;

-- name: weights_changed
-- A gate that is warm reads what was said anew.
INSERT INTO meta (name, value) VALUES ('known_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
