-- Named workers.

-- name: agents
-- All that were met or told of.
SELECT name, since, value, beat_at FROM agents ORDER BY name;

-- name: tell_agent
-- What a person says about an agent.
INSERT INTO agents (name, since, value) VALUES (:name, :since, :value)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: beat_agent
-- An agent says that it is alive.
INSERT INTO agents (name, since, beat_at) VALUES (:name, :at, :at)
ON CONFLICT (name) DO UPDATE SET beat_at = excluded.beat_at;

-- name: seen_agents
-- Agents of captured sessions, by host and project. What a subagent is called is not a worker's name.
SELECT agent, source, project, count(*), min(started_at), max(last_at) FROM sessions
WHERE agent IS NOT NULL AND kind <> 'subagent' AND source NOT IN ('import', 'notes', 'git')
GROUP BY agent, source, project ORDER BY agent, source, project;

-- name: last_of_projects
-- When something was last captured in some projects; without any, anywhere.
SELECT max(last_at) FROM sessions
WHERE (:projects = '[]' OR project IN (SELECT value FROM json_each(:projects)))
  AND source NOT IN ('import', 'notes', 'git');

-- name: scrub_agent_facts_with
-- What people said about an agent, where it holds the text.
UPDATE agents SET value = NULL WHERE instr(value, :text) OR instr(value, :escaped) OR instr(value, :ascii);
