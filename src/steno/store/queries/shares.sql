-- Whom people shared what with.

-- name: put_share
-- A person shares an entry or a flow.
INSERT INTO shares (entry, project, agent, at) VALUES (:entry, :project, :agent, :at)
ON CONFLICT (entry, project, agent) DO NOTHING;

-- name: drop_share
-- They take it back.
DELETE FROM shares WHERE entry = :entry AND project = :project AND agent = :agent;

-- name: shares
-- Everything that is shared and still there, in order, with what it says.
SELECT shares.entry, coalesce(entries.summary, ''), nullif(shares.project, ''), nullif(shares.agent, ''), shares.at
FROM shares LEFT JOIN entries ON entries.id = shares.entry
WHERE entries.id IS NOT NULL OR shares.entry IN (SELECT name FROM flows)
ORDER BY shares.at, shares.entry, shares.project, shares.agent;

-- name: shared_with
-- What is shared with whoever works in a project, known by any of these names, as an agent.
SELECT DISTINCT entry FROM shares
WHERE agent IN ('', :agent) AND (project = '' OR project IN (SELECT value FROM json_each(:projects)));

-- name: scrub_shares_with
-- Projects, agents and flows whose name is forgotten.
DELETE FROM shares WHERE instr(project, :text) OR instr(agent, :text) OR instr(entry, :text);
