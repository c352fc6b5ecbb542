-- What a trial of a matcher reads.

-- name: acts
-- Tool calls, how they ended, and what people said or did, in one project or all; without the text of results, which
-- nobody matches.
SELECT turns.id, sessions.source, sessions.session, turns.role, turns.kind,
       CASE turns.kind WHEN 'result' THEN '' ELSE turns.text END, turns.at, turns.line,
       turns.native_id, turns.tool, turns.call, turns.failed, turns.exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.id > :after AND (:project IS NULL OR sessions.project = :project) AND sessions.source NOT IN ('import', 'notes', 'git')
  AND (turns.kind IN ('call', 'result', 'denied', 'interrupted')
       OR (turns.role = 'user' AND turns.kind IN ('said', 'queued', 'answer')))
ORDER BY turns.id LIMIT :most;
