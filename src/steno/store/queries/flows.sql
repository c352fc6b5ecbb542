-- Flows: derived, folded from records, outcomes and what was learnt from the journal.

-- name: flows
-- All of them.
SELECT value FROM flows ORDER BY name;

-- name: put_flow
-- One flow as it stands.
INSERT INTO flows (name, value) VALUES (?1, ?2);

-- name: clear_flows
-- Derived: folded again at once.
DELETE FROM flows;

-- name: flow_records
-- What we were told about flows and how they went, in order.
SELECT at, act, entry, value FROM records
WHERE act = 'flow' OR (act = 'outcome' AND instr(value, '"flow"')) ORDER BY id;

-- name: learnt_up_to
-- The state of the journal: its last turn, how often words left it, how often it was learnt anew.
SELECT coalesce((SELECT max(id) FROM turns), 0),
       coalesce((SELECT value FROM meta WHERE name = 'erasures'), 0),
       coalesce((SELECT value FROM meta WHERE name = 'rebuilds'), 0);

-- name: sessions_done
-- Sessions in which an agent did something, by project.
SELECT id, source || ':' || session, project FROM sessions
WHERE kind <> 'subagent' AND source NOT IN ('import', 'notes', 'git')
  AND EXISTS (SELECT 1 FROM turns WHERE session_id = sessions.id AND turns.kind = 'call')
ORDER BY project, started_at, id;

-- name: turns_done
-- What was asked and done in a session. Of a long result its beginning and its end say how it went.
SELECT turns.id, sessions.source, sessions.session, turns.role, turns.kind,
       CASE WHEN turns.role = 'tool' AND length(text) > 8000 THEN substr(text, 1, 2000) || char(10) || substr(text, -6000)
            ELSE text END,
       turns.at, turns.line, turns.native_id, turns.tool, turns.call, turns.failed, turns.exit_status,
       turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND turns.id > :after
  AND (turns.role IN ('user', 'tool') OR turns.kind IN ('call', 'interrupted', 'notice'))
ORDER BY turns.id LIMIT :most;
