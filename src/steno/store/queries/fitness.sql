-- How fit an agent is: each query gives one object of numbers, by dimension. NULL is what is not known. `sessions` are its
-- sessions, `lately` those heard of since a time, `names` what their host calls them; `projects` are where it works.

-- name: fitness_sessions
-- Sessions of named agents that were heard of since a time: what tells whose each is, and when it was heard of last.
SELECT id, session, source, project, agent, last_at FROM sessions
WHERE agent IS NOT NULL AND kind <> 'subagent' AND source NOT IN ('import', 'notes', 'git') AND last_at >= :since
ORDER BY id;

-- name: fitness_turns
-- What was said and done lately.
SELECT json_object(
  'turns', count(*),
  'words_of_people', total(role = 'user' AND kind IN ('said', 'queued', 'denied', 'command', 'answer')),
  'active_days', count(DISTINCT substr(at, 1, 10)),
  'tool_calls', total(kind = 'call'),
  'failed_calls', total(failed) / nullif(total(failed IS NOT NULL), 0),
  'refused_calls', total(kind = 'denied') / nullif(total(kind = 'call'), 0),
  'interruptions', iif(count(*), total(kind = 'interrupted'), NULL),
  'scheduled_prompts', total(kind = 'scheduled'),
  'compactions', total(kind = 'boundary'))
FROM turns WHERE session_id IN (SELECT value FROM json_each(:lately)) AND at >= :since;

-- name: fitness_capture
-- When it was heard of, how full its contexts are, and what of its sessions nobody read yet.
SELECT json_object(
  'sessions', json_array_length(:lately),
  'hours_silent', (julianday(:now) - julianday(max(last_at))) * 24,
  'context_fill', max(iif(id IN (SELECT value FROM json_each(:lately)), context_tokens * 1.0 / context_window, NULL)),
  'turns_unread', (
    SELECT iif(:lately = '[]', NULL, count(*)) FROM turns WHERE session_id IN (SELECT value FROM json_each(:lately))
    AND id > coalesce((SELECT turn_id FROM checkpoints WHERE checkpoints.session_id = turns.session_id), 0)),
  'silent_sessions', (
    SELECT iif(:lately = '[]', NULL, count(*)) FROM checkpoints WHERE session_id IN (SELECT value FROM json_each(:lately))
    AND turns >= :silent_turns AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.session_id = checkpoints.session_id)))
FROM sessions WHERE id IN (SELECT value FROM json_each(:sessions));

-- name: fitness_transcripts
-- How well its transcripts could be read.
SELECT json_object(
  'gaps', iif(count(*), total(gaps), NULL),
  'bad_lines', total(lines_bad) / nullif(total(lines_read + lines_skipped + lines_bad), 0),
  'mended_lines', total(lines_mended) / nullif(total(lines_read + lines_skipped + lines_bad), 0),
  'unreadable_transcripts', iif(count(*), total(problem IS NOT NULL), NULL))
FROM transcripts WHERE EXISTS (
  SELECT 1 FROM json_each(lines_of) AS told WHERE told.key IN (SELECT value FROM json_each(:names)));

-- name: fitness_entries
-- What was learnt of its sessions, and how sure of it anybody is.
SELECT json_object(
  'entries', total(status = 'active'),
  'entries_new', total(created_at >= :since),
  'decisions', total(status = 'active' AND category = 'decision'),
  'refusals', total(status = 'active' AND category = 'rejected'),
  'failed_approaches', total(status = 'active' AND category = 'exclusion'),
  'lessons', total(status = 'active' AND category = 'learning'),
  'facts', total(status = 'active' AND category IN ('fact', 'discovery')),
  'promises_open', iif(count(*), total(status = 'active' AND category = 'commitment'), NULL),
  'tasks_open', iif(count(*), total(status = 'active' AND category = 'task'), NULL),
  'oldest_task_days', julianday(:now) - julianday(min(iif(status = 'active' AND category = 'task', created_at, NULL))),
  'confirmed', total(status = 'active' AND certainty = 'confirmed') / nullif(total(status = 'active'), 0),
  'refuted', total(certainty = 'refuted') / nullif(count(*), 0),
  'field_known', total(status = 'active' AND domain <> 'GENERAL') / nullif(total(status = 'active'), 0),
  'said_again', iif(count(*), total(repeated_at >= :since), NULL),
  'superseded', total(status = 'superseded') / nullif(count(*), 0),
  'contradictions', (
    SELECT iif(count(*), total(answer IS NULL), NULL) FROM reviews JOIN entries AS mine ON mine.id = reviews.one
    WHERE mine.session_id IN (SELECT value FROM json_each(:sessions))))
FROM entries WHERE session_id IN (SELECT value FROM json_each(:sessions));

-- name: fitness_use
-- Whether what was learnt of it is of any use.
SELECT json_object(
  'entries_recalled', total(recalled > 0) / nullif(count(*), 0),
  'used_of_given', total(used) / nullif(total(given), 0),
  'used_badly', total(badly) / nullif(total(used), 0),
  'given_in_vain', total(given > 0 AND NOT used AND NOT recalled) / nullif(total(given > 0), 0))
FROM accesses JOIN entries ON entries.id = accesses.entry
WHERE entries.status = 'active' AND entries.session_id IN (SELECT value FROM json_each(:sessions));

-- name: fitness_rules
-- What it has to heed.
SELECT json_object(
  'rules', total(status IN ('critical', 'active')),
  'critical_rules', total(status = 'critical'),
  'dormant_rules', total(status = 'dormant'),
  'checkable_rules', total(status IN ('critical', 'active') AND matcher IS NOT NULL)
                     / nullif(total(status IN ('critical', 'active')), 0),
  'rules_ever_broken', total(status IN ('critical', 'active') AND violations > 0)
                       / nullif(total(status IN ('critical', 'active')), 0))
FROM rules
WHERE merged_into IS NULL AND (agent IS NULL OR agent = :agent)
  AND (project IS NULL OR project IN (SELECT value FROM json_each(:projects)));

-- name: fitness_outcomes
-- How what it did went, as the gate afterwards was told.
SELECT json_object(
  'outcomes', count(*),
  'outcomes_passed', total(value ->> '$.passed') / nullif(count(*), 0),
  'rules_broken', iif(count(*), total(json_array_length(value, '$.violated')), NULL),
  'rules_kept', iif(count(*), total(json_array_length(value, '$.reinforced')), NULL),
  'lessons_learnt', iif(count(*), total(value ->> '$.lesson' IS NOT NULL), NULL),
  'lessons_repeated', total(value ->> '$.repeats' IS NOT NULL) / nullif(total(value ->> '$.lesson' IS NOT NULL), 0))
FROM records
WHERE act = 'outcome' AND at >= :since AND (value ->> '$.agent' = :agent OR (
  value ->> '$.agent' IN (SELECT value FROM json_each(:hosts))
  AND value ->> '$.project' IN (SELECT value FROM json_each(:projects))));

-- name: fitness_given
-- What it was told: by the gate before an action, by briefings and boots.
SELECT json_object(
  'gate_answers', total(kind = 'gate'),
  'gate_reminders', total(verdict = 'warn') / nullif(total(kind = 'gate'), 0),
  'gate_asks', iif(total(kind = 'gate'), total(verdict = 'ask'), NULL),
  'gate_blocks', iif(total(kind = 'gate'), total(verdict = 'block'), NULL),
  'boots', total(kind = 'boot'),
  'briefings', total(kind = 'brief'),
  'briefing_tokens', avg(iif(kind IN ('brief', 'boot'), tokens, NULL)),
  'compactions_briefed', min(1.0, total(kind = 'brief' AND why = 'compaction') / nullif((
    SELECT count(*) FROM turns
    WHERE session_id IN (SELECT value FROM json_each(:lately)) AND at >= :since AND kind = 'boundary'), 0)))
FROM receipts
WHERE at >= :since AND tokens > 0
  AND (session IN (SELECT value FROM json_each(:names)) OR (session IS NULL AND agent = :agent));

-- name: fitness_ungraded
-- Actions it was told something before, and of how many it did not say how they went before its next one.
SELECT json_object('ungraded', total(NOT EXISTS (
  SELECT 1 FROM records
  WHERE act = 'outcome' AND value ->> '$.agent' = action.agent AND records.at >= action.at AND records.at < action.next))
  / nullif(count(*), 0))
FROM (
  SELECT agent, at, session, coalesce(lead(at) OVER (PARTITION BY agent, session ORDER BY id), '9999') AS next
  FROM receipts WHERE kind = 'gate' AND tokens > 0 AND agent IS NOT NULL AND at >= :since
    AND (session IN (SELECT value FROM json_each(:names)) OR (session IS NULL AND agent = :agent))
) AS action;

-- name: fitness_losses
-- What compactions took of what work depends on.
SELECT json_object('lost', total(missing) / nullif(total(critical), 0))
FROM losses WHERE session_id IN (SELECT value FROM json_each(:lately));

-- name: fitness_flows
-- How its procedures do.
SELECT json_object(
  'flows', count(*),
  'flow_success', total(value ->> '$.succeeded') / nullif(total((value ->> '$.succeeded') + (value ->> '$.failed')), 0),
  'flows_broken', iif(count(*), total(
    (value ->> '$.succeeded') + (value ->> '$.failed') >= :enough
    AND (value ->> '$.succeeded') <= :broken * ((value ->> '$.succeeded') + (value ->> '$.failed'))), NULL),
  'flows_unused', iif(count(*), total(
    (value ->> '$.succeeded') + (value ->> '$.failed') = 0 AND value ->> '$.used_at' IS NULL
    AND value ->> '$.created_at' <= :unused), NULL))
FROM flows
WHERE value ->> '$.status' = 'active' AND (value ->> '$.agent' IS NULL OR value ->> '$.agent' = :agent)
  AND (value ->> '$.project' IS NULL OR value ->> '$.project' IN (SELECT value FROM json_each(:projects)));

-- name: fitness_works
-- Its pieces of work.
SELECT json_object(
  'works_open', iif(count(*), total(status = 'active'), NULL),
  'works_finished', total(status = 'finished' AND ended_at >= :since),
  'works_dropped', iif(count(*), total(status = 'dropped' AND ended_at >= :since), NULL),
  'finished_of_ended', total(status = 'finished') / nullif(total(status <> 'active'), 0),
  'works_claimed', iif(count(*), total(status = 'active' AND claimed), NULL),
  'oldest_work_days', julianday(:now) - julianday(min(iif(status = 'active', last_at, NULL))))
FROM works WHERE session_id IN (SELECT value FROM json_each(:sessions));

-- name: fitness_model
-- What a model took for its sessions.
SELECT json_object(
  'model_calls', count(*),
  'model_failed', total(state = 'failed') / nullif(count(*), 0),
  'model_tokens', total(tokens),
  'model_dollars', total(money))
FROM calls WHERE at >= :since AND session_id IN (SELECT value FROM json_each(:sessions));

-- name: fitness_fleet
-- What it can do, and what it has to do with others.
SELECT json_object(
  'capabilities', count(*),
  'capabilities_well', total(passed) / nullif(total(passed IS NOT NULL), 0),
  'capabilities_unchecked', total(passed IS NULL) / nullif(count(*), 0),
  'messages_sent', (SELECT count(*) FROM messages WHERE sender = :agent AND at >= :since),
  'messages_answered', (
    SELECT total(EXISTS (SELECT 1 FROM messages AS reply WHERE reply.thread = mine.thread AND reply.number > mine.number
                         AND reply.sender = :agent)) / nullif(count(*), 0)
    FROM messages AS mine WHERE mine.kind = 'agent' AND mine.recipient = :agent AND mine.at >= :since),
  'messages_got', (SELECT count(*) FROM messages WHERE kind = 'agent' AND recipient = :agent),
  'flags_raised', (SELECT iif(count(*), total(settled_at IS NULL), NULL) FROM flags WHERE raised_by = :agent),
  'beat_hours', (SELECT (julianday(:now) - julianday(beat_at)) * 24 FROM agents WHERE name = :agent))
FROM capabilities
WHERE owner = :agent
   OR (owner IS NULL AND (kind = 'told' OR project IN (SELECT value FROM json_each(:projects))));

-- name: fitness_home
-- The home all agents share: how it takes care of itself, and what looks found.
SELECT json_object(
  'jobs_failing', (
    SELECT iif(count(*), total(state IN ('failed', 'skipped')), NULL) FROM runs
    WHERE id IN (SELECT max(id) FROM runs WHERE day <> '' GROUP BY job)),
  'runs_well', (
    SELECT total(state = 'ok') / nullif(count(*), 0) FROM runs WHERE began >= :since AND state <> 'running'),
  'backup_hours', (SELECT (julianday(:now) - julianday(max(ended))) * 24 FROM runs WHERE job = 'backup' AND state = 'ok'),
  'pages_owed', (SELECT iif(EXISTS (SELECT 1 FROM pages), count(*), NULL) FROM pages_due),
  'flags_standing', (SELECT iif(count(*), total(settled_at IS NULL), NULL) FROM flags),
  'infrastructure_well', (SELECT total(ok) / nullif(total(ok IS NOT NULL), 0) FROM findings WHERE job = 'infrastructure'),
  'infrastructure_unknown', (SELECT total(ok IS NULL) / nullif(count(*), 0) FROM findings WHERE job = 'infrastructure'),
  'files_changed', (SELECT iif(count(*), total(changed_at >= :since), NULL) FROM watched));

-- name: fitness_bridges
-- Bridges it stands at one end of.
SELECT json_object('bridges', count(*), 'bridges_well', total(ok) / nullif(total(ok IS NOT NULL), 0))
FROM findings WHERE job = 'bridges' AND what IN (SELECT value FROM json_each(:bridges));

-- name: put_fitness
-- How fit an agent was.
INSERT INTO fitness (agent, at, score, value) VALUES (:agent, :at, :score, :value)
ON CONFLICT (agent, at) DO UPDATE SET score = excluded.score, value = excluded.value;

-- name: thin_fitness
-- What is older than some days is one row a day, the last one; what is older than many is none.
DELETE FROM fitness
WHERE at < :oldest OR (at < :thin AND EXISTS (
  SELECT 1 FROM fitness AS later
  WHERE later.agent = fitness.agent AND later.at > fitness.at AND later.at < :thin
    AND substr(later.at, 1, 10) = substr(fitness.at, 1, 10)));

-- name: fitness
-- How fit agents were, the oldest first: one or all, since a time.
SELECT agent, at, score, value FROM fitness WHERE (:agent IS NULL OR agent = :agent) AND at >= :since ORDER BY at, agent;

-- name: day_slots
-- When each session was at work: days and tens of minutes.
SELECT DISTINCT session_id, substr(at, 1, 15) FROM turns WHERE at >= :since AND at < :now;
