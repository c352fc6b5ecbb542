-- Erasing: the only statements that remove or change content of a turn.

-- name: pick_session
-- All turns of a session.
SELECT id FROM turns WHERE session_id = :session_id ORDER BY id;

-- name: pick_turn
-- One turn by its number.
SELECT id FROM turns WHERE id = :id;

-- name: pick_time
-- Turns of a stretch of time, from the first moment up to but not including the second.
SELECT id FROM turns WHERE at >= :since AND at < :until ORDER BY id;

-- name: pick_text
-- Turns that hold a text, or whose ids or session do. `escaped` is the text as it stands inside JSON.
SELECT id FROM turns
WHERE instr(text, :text) OR instr(text, :escaped) OR instr(tool, :text) OR instr(call, :in_ids)
   OR instr(native_id, :in_ids) OR session_id IN (SELECT id FROM sessions WHERE instr(session, :in_ids))
ORDER BY id;

-- name: bury
-- A tombstone keeps the key, and nothing of what was said.
INSERT INTO tombstones (key, transcript_id, forgotten_at)
SELECT key, transcript_id, :now FROM turns WHERE id = :id ON CONFLICT (key) DO NOTHING;

-- name: erase
-- The turn itself; its words leave the full-text index with it.
DELETE FROM turns WHERE id = :id;

-- name: erase_empty_sessions
-- A session of which nothing is left.
DELETE FROM sessions WHERE id NOT IN (SELECT session_id FROM turns) AND id IN (SELECT value FROM json_each(:ids))
RETURNING source, session;

-- name: scrub_session_name
-- The name of an erased session among the counts of its transcripts, and what their parsers remembered of it.
UPDATE transcripts SET
  lines_of = (SELECT json_group_object(key, value) FROM json_each(lines_of) WHERE key <> :session),
  state = '{}', position = 0, line = 0, unended = 0, tail = '', size = 0, modified_ns = -1, version = version + 1
WHERE source = :source AND EXISTS (SELECT 1 FROM json_each(lines_of) WHERE key = :session);

-- name: scrub_prompt
-- Words of a turn that its parser still remembers. Without its state it must begin again; tombstones stay.
UPDATE transcripts SET state = '{}', position = 0, line = 0, unended = 0, tail = '', size = 0, modified_ns = -1, version = version + 1
WHERE id = (SELECT transcript_id FROM turns WHERE id = :id)
  AND instr(state, json_quote((SELECT text FROM turns WHERE id = :id)));

-- name: sessions_of_turns
-- Sessions these turns belong to.
SELECT DISTINCT session_id FROM turns WHERE id IN (SELECT value FROM json_each(:ids));

-- name: sessions_called
-- Sessions whose name holds the text, also those without a turn.
SELECT id FROM sessions WHERE instr(session, :in_ids);

-- name: facts_with
-- Facts of sessions beside which the text stands.
SELECT parent, agent, directory, project, branch, model FROM sessions
WHERE instr(concat_ws(' ', parent, agent, directory, project, branch, model), :text);

-- name: bury_fact
-- A tombstone for a fact of a session.
INSERT INTO tombstones (key, forgotten_at) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING;

-- name: scrub_sessions
-- Facts of a session that hold the text.
UPDATE sessions SET
  parent = CASE WHEN instr(parent, :text) THEN NULL ELSE parent END,
  agent = CASE WHEN instr(agent, :text) THEN NULL ELSE agent END,
  directory = CASE WHEN instr(directory, :text) THEN NULL ELSE directory END,
  project = CASE WHEN instr(project, :text) THEN NULL ELSE project END,
  branch = CASE WHEN instr(branch, :text) THEN NULL ELSE branch END,
  model = CASE WHEN instr(model, :text) THEN NULL ELSE model END
WHERE instr(concat_ws(' ', parent, agent, directory, project, branch, model), :text);

-- name: scrub_transcripts
-- Prompts that still wait in a parser's state, names of sessions, messages about problems, and the path.
UPDATE transcripts SET
  lines_of = (SELECT json_group_object(key, value) FROM json_each(lines_of) WHERE NOT instr(key, :text)),
  state = '{}', position = 0, line = 0, unended = 0, tail = '', size = 0, modified_ns = -1, version = version + 1,
  problem = CASE WHEN instr(problem, :text) THEN NULL ELSE problem END,
  name = CASE WHEN instr(name, :text) THEN 'forgotten ' || id ELSE name END
WHERE instr(state, :text) OR instr(state, :escaped) OR instr(state, :ascii) OR instr(problem, :text)
   OR instr(name, :text) OR instr(lines_of, :text) OR instr(lines_of, :escaped) OR instr(lines_of, :ascii);

-- name: states
-- What parsers remember.
SELECT id, state || lines_of || coalesce(problem, '') FROM transcripts;

-- name: read_again
-- A parser that remembers something it must not begins again.
UPDATE transcripts SET state = '{}', lines_of = '{}', problem = NULL, position = 0, line = 0, unended = 0, tail = '', size = 0, modified_ns = -1, version = version + 1
WHERE id = :id;

-- name: bury_record
-- A tombstone for something a person told us.
INSERT INTO tombstones (key, forgotten_at) VALUES (?1, '') ON CONFLICT (key) DO NOTHING;

-- name: tombstones
-- Keys of everything forgotten.
SELECT key, forgotten_at FROM tombstones;

-- name: put_tombstone
-- A tombstone from another store.
INSERT INTO tombstones (key, forgotten_at) VALUES (:key, :forgotten_at) ON CONFLICT (key) DO NOTHING
RETURNING 1;

-- name: rewrite_turn
-- New patterns found a secret in text that was stored before.
UPDATE turns SET text = :text, tool = :tool, call = :call, native_id = :native_id WHERE id = :id;

-- name: rewrite_session
-- The same for the facts of a session.
UPDATE sessions SET session = :new, parent = :parent, agent = :agent, directory = :directory, project = :project,
                    branch = :branch, model = :model
WHERE source = :source AND session = :old;

-- name: transcript_names
-- Paths of transcripts.
SELECT id, name FROM transcripts;

-- name: rewrite_transcript_name
-- The same for a path; with its number, where another one is called so by now.
UPDATE transcripts SET name = :name || CASE WHEN EXISTS (
  SELECT 1 FROM transcripts AS other WHERE other.source = transcripts.source AND other.name = :name
) THEN ' ' || id ELSE '' END
WHERE id = :id;

-- name: receipt_names
-- Names in what was given to whom.
SELECT id, agent, session, items, because, tool, call FROM receipts;

-- name: rewrite_receipt
-- The same for them.
UPDATE receipts SET agent = :agent, session = :session, items = :items, because = :because, tool = :tool, call = :call
WHERE id = :id;

-- name: call_names
-- Names and words in the ledger.
SELECT id, model, agent, problem FROM calls;

-- name: rewrite_call
-- The same for them.
UPDATE calls SET model = :model, agent = :agent, problem = :problem WHERE id = :id;

-- name: use_names
-- Names in what was recalled.
SELECT id, session, target FROM uses;

-- name: rewrite_use
-- The same for them.
UPDATE uses SET session = :session, target = :target WHERE id = :id;

-- name: agent_names
-- Names of agents, and what people said about them.
SELECT name, name, value FROM agents;

-- name: rewrite_agent
-- The same for one.
UPDATE OR REPLACE agents SET name = :name, value = :value WHERE name = :id;

-- name: scrub_uses
-- Names of erased sessions among what was recalled.
DELETE FROM uses WHERE (kind = 'session' AND target = :session) OR session = :session;

-- name: scrub_uses_with
-- What was recalled, where a name holds the text.
DELETE FROM uses WHERE instr(target, :text) OR instr(session, :text);

-- name: scrub_receipts
-- What an erased session was given.
DELETE FROM receipts WHERE session = :session;

-- name: scrub_receipts_with
-- What was given, where a name holds the text.
DELETE FROM receipts
WHERE instr(concat_ws(' ', session, agent, tool, call), :text)
  OR instr(items, :text) OR instr(items, :escaped) OR instr(items, :ascii);

-- name: forget_because_with
-- Why it was given, where that holds the text: the phrases are ours, and the receipt stays.
UPDATE receipts SET because = NULL WHERE instr(because, :text) OR instr(because, :escaped) OR instr(because, :ascii);

-- name: scrub_agents_with
-- Agents whose name holds the text.
DELETE FROM agents WHERE instr(name, :text);

-- name: clear_rules
-- Derived: folded again from what is left.
DELETE FROM rules;

-- name: count_flows_version
-- Whoever keeps flows in memory reads them again.
INSERT INTO meta (name, value) VALUES ('flows_version', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;

-- name: scrub_calls_with
-- What a call says of itself, where that holds the text; what it took stays.
UPDATE calls SET
  model = CASE WHEN instr(model, :text) THEN 'forgotten' ELSE model END,
  agent = CASE WHEN instr(agent, :text) THEN NULL ELSE agent END,
  problem = CASE WHEN instr(problem, :text) THEN NULL ELSE problem END
WHERE instr(concat_ws(' ', model, agent, problem), :text);
