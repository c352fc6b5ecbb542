-- What a briefing is made of.

-- name: live_entries
-- What holds for a session at a time: entries of its project, whichever agent heard them, and of no project; those not
-- yet superseded then; the latest of each category.
SELECT id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject, session, project,
       agent, created_at, superseded_by, repeated, cue
FROM (
  SELECT entries.id, category,
         CASE WHEN newer.created_at > :until THEN 'active' ELSE entries.status END AS status, certainty, confidence,
         summary, detail, origin, tags, domain, subject, sessions.session, entries.project, entries.agent,
         entries.created_at, superseded_by, repeated, cue, entries.number,
         row_number() OVER (PARTITION BY category ORDER BY entries.session_id IS :session_id DESC,
                            entries.created_at DESC, entries.number DESC) AS place
  FROM entries LEFT JOIN sessions ON sessions.id = entries.session_id
       LEFT JOIN (SELECT id AS newer_id, created_at FROM entries) AS newer ON newer.newer_id = entries.superseded_by
  WHERE (
      entries.session_id = :session_id
      -- Heard in the project, by whichever agent; or recorded for it, for all agents or this one.
      OR (entries.project = :project
          AND (entries.session_id IS NOT NULL OR entries.agent IS NULL OR entries.agent = :agent))
      -- Of no project: recorded for everybody or for this agent, or heard by this agent.
      OR (entries.project IS NULL
          AND (entries.agent = :agent OR (entries.session_id IS NULL AND entries.agent IS NULL)))
    )
    AND (:until IS NULL OR coalesce(entries.created_at, '9999') <= :until)
)
WHERE status IN ('active', 'done') AND certainty <> 'refuted' AND place <= :most
ORDER BY created_at, number;

-- name: session_facts
-- What the host said of a session.
SELECT source, session, kind, project, agent, directory, branch, model, context_window, context_tokens, last_at
FROM sessions WHERE id = :session_id;

-- name: last_said
-- The last turns of a session in which a person or an agent spoke, up to a time, the latest first.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND (:until IS NULL OR coalesce(at, '9999') <= :until)
  AND role IN ('user', 'assistant') AND turns.kind NOT IN ('thinking', 'call', 'summary', 'notice')
ORDER BY turns.id DESC LIMIT :most;

-- name: last_turn_of
-- Number of a session's last turn, up to a time.
SELECT max(id) FROM turns WHERE session_id = :session_id AND (:until IS NULL OR coalesce(at, '9999') <= :until);

-- name: latest_work
-- The last session of a project in which a person worked with an agent and a goal was named, up to a time.
SELECT sessions.id FROM sessions JOIN checkpoints ON checkpoints.session_id = sessions.id
WHERE kind = 'main' AND project IS :project AND (:until IS NULL OR started_at <= :until)
  AND checkpoints.value ->> 'goal' IS NOT NULL
ORDER BY min(last_at, coalesce(:until, last_at)) DESC, sessions.id DESC LIMIT 1;

-- name: latest_session_then
-- The session last heard of before a time.
SELECT id FROM sessions WHERE started_at <= :until ORDER BY min(last_at, :until) DESC, started_at DESC, id DESC LIMIT 1;
