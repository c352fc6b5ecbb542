-- Agents whose work stands still, and how they were woken.

-- name: main_sessions_since
-- Sessions of agents that something was heard of since a time, the latest first.
SELECT id, source, session, agent, project, directory, last_at FROM sessions
WHERE kind = 'main' AND last_at >= :since AND source NOT IN ('import', 'notes', 'git')
ORDER BY last_at DESC, id DESC;

-- name: last_deed
-- The last turn of a session in which anything happened, and what the agent said since.
SELECT id, kind,
       coalesce((SELECT text FROM turns AS said WHERE said.session_id = :session_id AND said.id > turns.id
                 AND said.role = 'assistant' AND said.kind = 'said' ORDER BY said.id DESC LIMIT 1), '')
FROM turns
WHERE session_id = :session_id
  AND (kind IN ('call', 'result', 'denied', 'interrupted', 'boundary')
       OR (role = 'user' AND kind IN ('said', 'queued', 'command', 'answer')))
ORDER BY id DESC LIMIT 1;

-- name: last_human_at
-- When a person last spoke in some sessions, or in a project.
SELECT max(turns.at) FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.at >= :since AND turns.role = 'user' AND turns.kind IN ('said', 'queued', 'denied', 'command', 'answer')
  AND (sessions.id IN (SELECT value FROM json_each(:sessions)) OR sessions.project = :project)
  AND sessions.source NOT IN ('import', 'notes', 'git');

-- name: open_goal
-- What a session is at that is not over and was not called finished: a piece of work, else a task a person gave there.
SELECT coalesce(
  (SELECT goal FROM works JOIN work_sessions ON work_sessions.work = works.id
   WHERE work_sessions.session_id = :session_id AND status = 'active' AND NOT claimed
   ORDER BY last_turn DESC LIMIT 1),
  (SELECT summary FROM entries WHERE session_id = :session_id AND category = 'task' AND status = 'active'
   AND origin IN ('user', 'edit') ORDER BY number DESC LIMIT 1), '');

-- name: last_read
-- The transcript a session's last turn came from, as it was when it was read.
SELECT name, size, modified_ns, read_at FROM transcripts
WHERE id = (SELECT transcript_id FROM turns WHERE session_id = :session_id ORDER BY id DESC LIMIT 1);

-- name: put_wake
-- An agent is to be woken, unless somebody else decided the same meanwhile.
INSERT INTO wakes (agent, session_id, turn, at)
SELECT :agent, :session_id, :turn, :at
WHERE coalesce((SELECT max(id) FROM wakes WHERE agent = :agent), 0) = :last
RETURNING id;

-- name: end_wake
-- How it went.
UPDATE wakes SET ended_at = :at, passed = :passed, said = :said WHERE id = :id AND ended_at IS NULL;

-- name: wakes
-- Wake-ups of an agent, the latest first; or one of them.
SELECT wakes.id, wakes.agent, sessions.session, turn, wakes.at, ended_at, passed, said
FROM wakes JOIN sessions ON sessions.id = wakes.session_id
WHERE wakes.agent = :agent OR wakes.id = :id ORDER BY wakes.id DESC LIMIT 500;

-- name: failed_wakes
-- Agents whose last wake-up since a time failed, and what it said.
SELECT agent, at, said FROM wakes
WHERE id IN (SELECT max(id) FROM wakes GROUP BY agent) AND passed = 0 AND at >= :since ORDER BY agent;

-- name: scrub_wakes_with
-- Names and what programs said, where they hold the text.
UPDATE wakes SET agent = iif(instr(agent, :text), '', agent), said = iif(instr(said, :text), '', said)
WHERE instr(agent, :text) OR instr(said, :text);

-- name: wake_words
-- Names of agents, and what programs said.
SELECT id, agent, said FROM wakes;

-- name: rewrite_wake
-- New patterns found a secret in them.
UPDATE wakes SET agent = :agent, said = :said WHERE id = :id;
