-- What only people may do: done, or asked for by agents.

-- name: put_act
-- One more.
INSERT INTO acts (key, at, verb, words, given, ends, state, who, session, call, turn, times, last_at)
VALUES (:key, :at, :verb, :words, :given, :ends, :state, :who, :session, :call,
        (SELECT coalesce(max(id), 0) FROM turns), 1, :at)
RETURNING id;

-- name: act_again
-- The same session asks for the same again: one line.
UPDATE acts SET times = times + 1, last_at = :at, call = coalesce(:call, call), state = :state
WHERE key = :key AND state IN ('waiting', 'asked') RETURNING id;

-- name: asking
-- How many requests of a session, or of an agent that names none, wait.
SELECT count(*) FROM acts WHERE state IN ('waiting', 'asked') AND coalesce(session, who ->> '$.agent', '') = :asker;

-- name: act_is_moot
-- A person did what others waited for.
UPDATE acts SET state = 'done', answered_at = :at, answered_by = :by
WHERE verb = :verb AND words = :words AND state IN ('waiting', 'asked');

-- name: act_state
-- A person answered, or it was done. What is allowed may be done by any call, the first that makes it.
UPDATE acts SET state = :state, call = iif(:state = 'allowed', NULL, call), answered_at = coalesce(:at, answered_at),
  answered_by = coalesce(:by, answered_by)
WHERE id = :id;

-- name: acts_in
-- Those in some states, of a call or of any, the oldest first; with the agent's last words before, and where it works.
SELECT id, verb, words, given, ends, state, who, at, times, last_at, answered_at, answered_by, call,
  (SELECT turns.text FROM turns JOIN sessions ON sessions.id = turns.session_id
   WHERE sessions.session = acts.session AND turns.role = 'assistant' AND turns.kind = 'said' AND turns.id <= acts.turn
   ORDER BY turns.id DESC LIMIT 1),
  (SELECT project FROM sessions WHERE sessions.session = acts.session LIMIT 1)
FROM acts WHERE state IN (SELECT value FROM json_each(:states)) AND (:call IS NULL OR call = :call) ORDER BY number;

-- name: act_call
-- What was allowed is done by a call.
UPDATE acts SET call = :call WHERE id = :id;

-- name: end_of_call
-- How a call ended.
SELECT turns.kind FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE sessions.session = :session AND turns.call = :call AND turns.kind <> 'call' ORDER BY turns.id DESC LIMIT 1;

-- name: erase_acts_with
-- Acts whose words hold a text.
DELETE FROM acts WHERE instr(words, :text) OR instr(ends, :text) OR instr(coalesce(given, ''), :text)
  OR instr(coalesce(given, ''), :escaped) OR instr(coalesce(given, ''), :ascii) OR instr(who, :text) OR instr(who, :escaped);

-- name: erase_asked_in
-- What an erased session asked for.
DELETE FROM acts WHERE session = :session AND state NOT IN ('carried out', 'done');

-- name: scrub_done_in
-- What was done stays done, without the words of an erased session.
UPDATE acts SET words = 'steno ' || verb, given = NULL, session = NULL, call = NULL,
  who = json_remove(who, '$.session', '$.seen'), answered_by = json_remove(answered_by, '$.session', '$.seen')
WHERE session = :session;

-- name: act_words
-- Words of acts, with their numbers.
SELECT number, words, given, ends, who FROM acts;

-- name: rewrite_act
-- New patterns found a secret in them.
UPDATE acts SET words = :words, given = :given, ends = :ends, who = :who WHERE number = :id;
