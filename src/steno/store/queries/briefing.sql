-- What a briefing is made of.

-- name: live_entries
-- What holds for a session at a time, of words that may be told unasked: entries of its project, whichever agent heard
-- them, and of no project; those not yet superseded then; the latest of each category.
WITH kinds (kind) AS (SELECT value FROM json_each(:categories)),
near (number) AS (
  SELECT number FROM entries WHERE session_id = :session_id AND category IN (SELECT kind FROM kinds)
  UNION
  -- Heard in the project, by whichever agent; or recorded for it, for all agents or this one.
  SELECT number FROM entries
  WHERE category IN (SELECT kind FROM kinds) AND project = :project
    AND (session_id IS NOT NULL OR agent IS NULL OR agent = :agent)
  UNION
  -- Of no project: recorded for everybody or for this agent, or heard by this agent.
  SELECT number FROM entries
  WHERE category IN (SELECT kind FROM kinds) AND project IS NULL
    AND (agent = :agent OR (session_id IS NULL AND agent IS NULL))
  UNION
  -- Shared by a person.
  SELECT number FROM shares JOIN entries ON entries.id = shares.entry
  WHERE category IN (SELECT kind FROM kinds) AND shares.project IN ('', :project) AND shares.agent IN ('', :agent)
),
placed (number, standing, place) AS (
  SELECT entries.number, CASE WHEN newer.created_at > :until THEN 'active' ELSE entries.status END AS standing,
         row_number() OVER (PARTITION BY entries.category ORDER BY entries.session_id IS :session_id DESC,
                            entries.created_at DESC, entries.number DESC)
  FROM near JOIN entries ON entries.number = near.number LEFT JOIN entries AS newer ON newer.id = entries.superseded_by
  WHERE (entries.status IN ('active', 'done') OR newer.created_at > :until) AND entries.certainty <> 'refuted'
    AND entries.origin IN (SELECT value FROM json_each(:origins))
    AND (:until IS NULL OR coalesce(entries.created_at, '9999') <= :until)
)
SELECT entries.id, category, standing, certainty, confidence, summary, detail, origin, tags, domain, subject,
       sessions.session, entries.project, entries.agent, created_at, superseded_by, repeated, repeated_at, cue
FROM placed JOIN entries ON entries.number = placed.number LEFT JOIN sessions ON sessions.id = entries.session_id
WHERE place <= :most
ORDER BY created_at, entries.number;

-- name: session_facts
-- What the host said of a session.
SELECT source, session, kind, project, agent, directory, branch, model, context_window, context_tokens, last_at
FROM sessions WHERE id = :session_id;

-- name: last_said
-- The last turns of a session in which a person or an agent spoke, or also called a tool, up to a time, the latest first.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND (:until IS NULL OR coalesce(at, '9999') <= :until)
  AND role IN ('user', 'assistant') AND turns.kind NOT IN ('thinking', 'summary', 'notice') AND (:calls OR turns.kind <> 'call')
ORDER BY turns.id DESC LIMIT :most;

-- name: last_turn_of
-- Number of a session's last turn, up to a time.
SELECT max(id) FROM turns WHERE session_id = :session_id AND (:until IS NULL OR coalesce(at, '9999') <= :until);

-- name: latest_work
-- The last session of a project in which a person worked with an agent towards a goal, up to a time; now: one that is
-- at a piece of work which is not over.
SELECT sessions.id FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id
WHERE kind = 'main' AND project IS :project AND (:until IS NULL OR started_at <= :until)
  AND checkpoints.value ->> 'goal' IS NOT NULL
  AND (:until IS NOT NULL OR EXISTS (SELECT 1 FROM works WHERE works.id = checkpoints.work AND status = 'active'))
ORDER BY min(last_at, coalesce(:until, last_at)) DESC, sessions.id DESC LIMIT 1;

-- name: latest_session_then
-- The session last heard of before a time, of one project (empty: of none) or of all.
SELECT id FROM sessions WHERE started_at <= :until AND source NOT IN ('import', 'notes', 'git')
  AND (:project IS NULL OR coalesce(project, '') = :project)
ORDER BY min(last_at, :until) DESC, started_at DESC, id DESC LIMIT 1;

-- name: last_spoken
-- The last turns of a session before a turn in which a person or an agent said something, up to a time, the latest first.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND turns.id < :before AND turns.id > :after AND (:until IS NULL OR coalesce(at, '9999') <= :until)
  AND role = :role AND turns.kind IN ('said', 'queued', 'denied', 'command', 'answer') AND trim(text, char(9, 10, 13, 32)) <> ''
ORDER BY turns.id DESC LIMIT :most;

-- name: printed
-- The end of what a call gave back.
SELECT substr(result.text, -:most) FROM turns AS made JOIN turns AS result
  ON result.session_id = made.session_id AND result.call = made.call AND result.kind = 'result' AND result.id > made.id
WHERE made.id = :turn ORDER BY result.id LIMIT 1;

-- name: closings
-- After each of some turns of a person: the turn in which they began the next one (what they typed meanwhile, and what they
-- answered in a dialog, belongs to the turn at hand), and the agent's last words before it. Words before a call only led to it.
WITH asked (turn, until_turn) AS (
  SELECT DISTINCT told.value,
         coalesce((SELECT id FROM turns WHERE session_id = :session_id AND id > told.value AND role = 'user'
                   AND kind IN ('said', 'denied', 'command') ORDER BY id LIMIT 1), :end)
  FROM json_each(:turns) AS told
)
SELECT turn, until_turn,
       (SELECT CASE kind WHEN 'call' THEN '' ELSE substr(text, 1, 4000) END FROM turns
        WHERE session_id = :session_id AND id > turn AND id < until_turn AND role = 'assistant' AND kind IN ('said', 'call')
          AND (kind = 'call' OR trim(text, char(9, 10, 13, 32)) <> '')
          AND (:until IS NULL OR coalesce(at, '9999') <= :until) ORDER BY id DESC LIMIT 1)
FROM asked;

-- name: count_calls_since
-- How many tools an agent called after a turn, up to a time.
SELECT count(*) FROM turns WHERE session_id = :session_id AND id > :turn AND kind = 'call'
  AND (:until IS NULL OR coalesce(at, '9999') <= :until);

-- name: calls_since_turn
-- The last calls after a turn, up to a time, the latest first; with whether they failed, if a result was seen.
SELECT made.id, sessions.source, sessions.session, made.role, made.kind, made.text, made.at, made.line, made.native_id,
       made.tool, made.call, made.failed, made.exit_status, made.context_tokens,
       (SELECT coalesce(result.failed, 0) FROM turns AS result
        WHERE result.session_id = :session_id AND result.id > made.id AND result.call = made.call
          AND result.kind IN ('result', 'denied', 'answer') AND (:until IS NULL OR coalesce(result.at, '9999') <= :until)
        ORDER BY result.id LIMIT 1)
FROM turns AS made JOIN sessions ON sessions.id = made.session_id
WHERE made.session_id = :session_id AND made.id > :turn AND made.kind = 'call'
  AND (:until IS NULL OR coalesce(made.at, '9999') <= :until)
ORDER BY made.id DESC LIMIT :most;

-- name: named_causes
-- The latest words of an agent with one of some cues, among the last turns of a session, up to a time.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, turns.text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns_text JOIN turns ON turns.id = turns_text.rowid JOIN sessions ON sessions.id = turns.session_id
WHERE turns_text MATCH :cues AND turns_text.rowid >= coalesce(
    (SELECT id FROM turns WHERE session_id = :session_id ORDER BY id DESC LIMIT 1 OFFSET :within),
    (SELECT min(id) FROM turns WHERE session_id = :session_id), 0)
  AND turns.session_id = :session_id AND role = 'assistant' AND turns.kind = 'said'
  AND (:until IS NULL OR coalesce(at, '9999') <= :until)
ORDER BY turns_text.rowid DESC LIMIT :most;

-- name: time_of
-- When a turn was.
SELECT at FROM turns WHERE id = :turn;

-- name: edited_beside
-- Files that other sessions of a project changed since a time, by their own tools, the latest first.
SELECT name FROM (
  SELECT file.value ->> 'path' AS name, max(turns.at) AS latest
  FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id
  JOIN json_each(checkpoints.value, '$.trail.files') AS file
  JOIN turns ON turns.id = file.value ->> 'changed'
  WHERE sessions.project = :project AND sessions.id <> :session_id AND sessions.kind = 'main' AND sessions.last_at >= :since
    AND turns.at >= :since
  GROUP BY name
) ORDER BY latest DESC LIMIT :most;

-- name: how_much
-- How much the scribe read of a session, how much of it is a person's, and from when to when it went.
SELECT checkpoints.turns, checkpoints.spoken, started_at, last_at
FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id WHERE sessions.id = :session_id;
