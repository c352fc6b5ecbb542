-- What a gate reads, and the agents it meets.

-- name: put_agent
-- A named worker, at its first use.
INSERT INTO agents (name, since) VALUES (:name, :since) ON CONFLICT (name) DO NOTHING;

-- name: has_agent
-- Whether it was met before.
SELECT 1 FROM agents WHERE name = :name;

-- name: store_stamp
-- Changes with every write, by this process or another.
SELECT data_version, total_changes() FROM pragma_data_version;

-- name: gate_state
-- Changes whenever an entry, a rule or a flow may have; not moved by turns and receipts.
SELECT total(value) FILTER (WHERE name IN ('known_changes', 'flows_version')),
       total(value) FILTER (WHERE name IN ('erasures', 'rebuilds'))
FROM meta WHERE name IN ('known_changes', 'flows_version', 'erasures', 'rebuilds');

-- name: gate_session
-- Where a session runs, and how far it is known; by its id, or the beginning of it.
SELECT sessions.project, sessions.started_at, (SELECT max(id) FROM turns WHERE session_id = sessions.id),
       sessions.session
FROM sessions
WHERE source NOT IN ('import', 'notes', 'git')
  AND (sessions.session = :session OR (source = :source AND sessions.session = :of_source)
       OR (length(:session) >= 4 AND sessions.session >= :session AND sessions.session < :until))
ORDER BY sessions.session = :session DESC, sessions.last_at DESC LIMIT 1;

-- name: last_gate
-- What an agent was told last before an action.
SELECT at, items, verdict FROM receipts
WHERE kind = 'gate' AND tokens > 0 AND agent = :agent AND (:session IS NULL OR session IS NULL OR session = :session)
ORDER BY id DESC LIMIT 1;

-- name: lessons_in_words
-- Lessons of outcomes that changed nothing but words, the oldest first: until an outcome teaches them again and something
-- changed, or a person gives the rule a matcher or retires it.
SELECT entries.id, entries.summary, entries.project, min(told.at) AS since
FROM (SELECT at, value ->> '$.lesson' AS lesson, value ->> '$.permanent' AS permanent
      FROM records WHERE act = 'outcome' AND value ->> '$.lesson' IS NOT NULL) AS told
JOIN entries ON entries.id = told.lesson
WHERE status = 'active'
  AND entries.id NOT IN (SELECT entry FROM records WHERE act = 'rule' AND value ->> '$.do' IN ('matcher', 'retire'))
GROUP BY entries.id HAVING NOT max(told.permanent) ORDER BY since, entries.id;

-- name: ungraded
-- Actions of a stretch of time whose agent was told something first and did not say how it went before its next one.
SELECT count(*) FROM (
  SELECT agent, at, coalesce(lead(at) OVER (PARTITION BY agent, session ORDER BY id), '9999') AS next
  FROM receipts WHERE kind = 'gate' AND tokens > 0 AND agent IS NOT NULL AND at >= :since
) AS action
WHERE at < :until AND NOT EXISTS (
  SELECT 1 FROM records
  WHERE act = 'outcome' AND value ->> '$.agent' = action.agent AND records.at >= action.at AND records.at < action.next);

-- name: gate_refused_calls
-- The input of the call each refusal was said to: the one it denies, else the last one of that tool before it.
SELECT entries.id, (
  SELECT made.text FROM turns AS made
  WHERE made.session_id = said.session_id AND made.id < said.id AND made.kind = 'call'
    AND made.tool = detail ->> '$.exchange.call.tool' AND (said.call IS NULL OR made.call = said.call)
  ORDER BY made.id DESC LIMIT 1)
FROM entries
JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0
JOIN turns AS said ON said.id = evidence.turn_id
WHERE entries.category IN ('rejected', 'rule') AND entries.status = 'active' AND detail ->> '$.exchange.call.tool' IS NOT NULL;

-- name: gate_exchanges
-- What people said in the latest sessions of each project, and where; not where something that was noted of it is over.
SELECT exchanges.value, latest.session, latest.project, latest.agent
FROM (
  SELECT id, session, project, agent, row_number() OVER (PARTITION BY project ORDER BY last_at DESC) AS back
  FROM sessions WHERE source NOT IN ('import', 'notes', 'git')
) AS latest
JOIN exchanges ON exchanges.session_id = latest.id
WHERE latest.back <= :sessions AND NOT EXISTS (
  SELECT 1 FROM evidence JOIN entries ON entries.id = evidence.entry
  WHERE evidence.turn_id = exchanges.turn_id AND entries.status <> 'active')
ORDER BY exchanges.turn_id, exchanges.place;
