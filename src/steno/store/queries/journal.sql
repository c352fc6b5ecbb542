-- Every statement the journal makes. `-- name:` starts one; the comment under it says what it is for.

-- name: find_transcript
-- The watermark of one transcript.
SELECT id, version, position, line, unended, device, inode, size, modified_ns, tail,
       lines_read, lines_skipped, lines_bad, lines_mended, gaps, state, lines_of, problem
FROM transcripts WHERE source = :source AND name = :name;

-- name: transcripts_by_inode
-- Transcripts that were this very file under whatever name: one of them may have been renamed.
SELECT id, name FROM transcripts WHERE source = :source AND device = :device AND inode = :inode;

-- name: rename_transcript
-- A file that was renamed keeps its watermark.
UPDATE transcripts SET name = :name WHERE id = :id;

-- name: new_transcript
-- A transcript met for the first time.
INSERT INTO transcripts (source, name, version, position, line, unended, device, inode, size, modified_ns, tail,
                         lines_read, lines_skipped, lines_bad, lines_mended, gaps, lines_of, state, turns_stored, read_at)
VALUES (:source, :name, 0, 0, 0, 0, 0, 0, 0, 0, '', 0, 0, 0, 0, 0, '{}', '{}', 0, :now)
ON CONFLICT (source, name) DO NOTHING;

-- name: move_watermark
-- In the same transaction as the turns it vouches for. Changes nothing if another reader moved it meanwhile.
UPDATE transcripts
SET version = version + 1, position = :position, line = :line, unended = :unended, device = :device, inode = :inode,
    size = :size, modified_ns = :modified_ns, tail = :tail, lines_read = :lines_read, lines_skipped = :lines_skipped,
    lines_bad = :lines_bad, lines_mended = :lines_mended, gaps = :gaps, lines_of = :lines_of, state = :state,
    problem = NULL, read_at = :now
WHERE id = :id AND version = :version
RETURNING id;

-- name: add_stored
-- How many turns of this transcript really were new.
UPDATE transcripts SET turns_stored = turns_stored + :turns WHERE id = :id;

-- name: note_problem
-- A transcript that cannot be read now says why, until it can.
UPDATE transcripts SET problem = :problem, gaps = gaps + :gaps
WHERE name = :name AND (:source IS NULL OR source = :source)
RETURNING id;

-- name: drop_unknown
-- A file that could never be read can be, now.
DELETE FROM transcripts WHERE source = :source AND name = :name;

-- name: all_transcripts
-- Everything `status` and `doctor` need to know of the transcripts.
SELECT id, source, name, position, size, lines_read, lines_skipped, lines_bad, lines_mended, gaps, lines_of,
       turns_stored, problem, read_at
FROM transcripts ORDER BY id;

-- name: begun_transcripts
-- Transcripts whose end was not read when they were last looked at.
SELECT source, name FROM transcripts WHERE position < size AND problem IS NULL ORDER BY id;

-- name: put_session
-- Facts of a session. The first directory stays (it says which project this is); the last branch and model count.
INSERT INTO sessions (source, session, kind, parent, agent, directory, project, branch, model, context_window)
VALUES (:source, :session, :kind, :parent, :agent, :directory, :project, :branch, :model, :context_window)
ON CONFLICT (source, session) DO UPDATE SET
  kind = CASE excluded.kind WHEN 'main' THEN sessions.kind ELSE excluded.kind END,
  parent = coalesce(sessions.parent, excluded.parent),
  agent = coalesce(sessions.agent, excluded.agent),
  directory = coalesce(sessions.directory, excluded.directory),
  project = coalesce(sessions.project, excluded.project),
  branch = coalesce(excluded.branch, sessions.branch),
  model = coalesce(excluded.model, sessions.model),
  context_window = coalesce(excluded.context_window, sessions.context_window)
RETURNING id;

-- name: is_forgotten
-- Whether there is a tombstone.
SELECT 1 FROM tombstones WHERE key = :key;

-- name: any_forgotten
-- Whether anything was ever forgotten.
SELECT 1 FROM tombstones LIMIT 1;

-- name: known_sessions
-- Which of these sessions are in the journal.
SELECT session FROM sessions WHERE session IN (SELECT value FROM json_each(:names));

-- name: drop_silent_session
-- A session of which nothing is kept (all of it was forgotten, or is another session's) is not listed.
DELETE FROM sessions WHERE id = :id AND NOT EXISTS (SELECT 1 FROM turns WHERE session_id = :id);

-- name: touch_session
-- When a session began and was last heard of, and how full its context is.
UPDATE sessions
SET started_at = CASE WHEN :first < started_at OR started_at IS NULL THEN coalesce(:first, started_at) ELSE started_at END,
    last_at = CASE WHEN :last > last_at OR last_at IS NULL THEN coalesce(:last, last_at) ELSE last_at END,
    context_tokens = coalesce(:context_tokens, context_tokens)
WHERE id = :id;

-- name: put_turn
-- Appending twice is harmless, and what was forgotten stays forgotten.
INSERT INTO turns (key, session_id, transcript_id, role, kind, text, at, line, native_id, tool, call, failed,
                   exit_status, context_tokens)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE key = ?1)
ON CONFLICT (key) DO NOTHING
RETURNING session_id;

-- name: same_turn
-- A turn without an id of its host, brought by import from a store with another key.
SELECT 1 FROM turns
WHERE session_id = (SELECT id FROM sessions WHERE source = :source AND session = :session)
  AND line IS :line AND role = :role AND kind = :kind AND text = :text LIMIT 1;

-- name: has_turn
-- Whether the journal knows a turn, or it was forgotten.
SELECT 1 FROM turns WHERE key = :key UNION ALL SELECT 1 FROM tombstones WHERE key = :key LIMIT 1;

-- name: any_hearsay
-- Whether anything came with an export this home did not write.
SELECT 1 FROM sessions WHERE source = 'import' LIMIT 1;

-- name: drop_hearsay
-- The same turn came in here, with all it may say.
DELETE FROM turns WHERE key = ?1 RETURNING session_id;

-- name: add_redaction
-- Counts what was taken out.
INSERT INTO redactions (kind, pieces) VALUES (:kind, :pieces)
ON CONFLICT (kind) DO UPDATE SET pieces = pieces + excluded.pieces;

-- name: redactions
-- What was taken out since the store began.
SELECT kind, pieces FROM redactions ORDER BY kind;

-- name: count_unread
-- How many turns the scribe has not read; it never reads hearsay.
SELECT count(*) FROM turns JOIN sessions ON sessions.id = turns.session_id AND sessions.source NOT IN ('import', 'notes', 'git')
LEFT JOIN checkpoints ON checkpoints.session_id = turns.session_id
WHERE turns.id > coalesce(checkpoints.turn_id, 0) AND (:session_id IS NULL OR turns.session_id = :session_id);

-- name: count_turns
-- Size of the journal.
SELECT count(*) FROM turns;

-- name: turns_by_session
-- Turns of each session.
SELECT session_id, count(*) FROM turns GROUP BY session_id;

-- name: sessions
-- Every session, the latest first.
SELECT id, source, session, kind, parent, agent, directory, project, branch, model, context_window,
       context_tokens, started_at, last_at
FROM sessions ORDER BY last_at DESC, id DESC;

-- name: find_session
-- A session by its id, or by the beginning of it; `source:` before either tells two hosts apart that use the same id.
SELECT id, source, session FROM sessions
WHERE (session >= :session AND session < :until)
   OR (source = :source AND session >= :of_source AND session < :of_source_until)
ORDER BY source IN ('import', 'notes', 'git'), session = :session OR source || ':' || session = :session DESC, last_at DESC LIMIT 3;

-- name: latest_session
-- The session last heard of here: an import may be dated as it likes.
SELECT id, source, session FROM sessions ORDER BY source IN ('import', 'notes', 'git'), last_at DESC, id DESC LIMIT 1;

-- name: latest_session_in
-- The same of a project.
SELECT id FROM sessions WHERE project IS :project AND source NOT IN ('import', 'notes', 'git')
ORDER BY last_at DESC, id DESC LIMIT 1;

-- name: projects
-- Projects of all sessions, the one last heard of first.
SELECT project FROM sessions WHERE project IS NOT NULL AND project <> '' GROUP BY project ORDER BY max(last_at) DESC;

-- name: turns_of_session
-- A session in the order it was read.
SELECT turns.id, sessions.source, sessions.session, turns.role, turns.kind, turns.text, turns.at, turns.line,
       turns.native_id, turns.tool, turns.call, turns.failed, turns.exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.session_id = :session_id AND turns.id > :after ORDER BY turns.id LIMIT :most;

-- name: all_turns
-- The whole journal, in portions.
SELECT turns.id, turns.key, sessions.source, sessions.session, turns.role, turns.kind, turns.text, turns.at,
       turns.line, turns.native_id, turns.tool, turns.call, turns.failed, turns.exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.id > :after ORDER BY turns.id LIMIT :most;

-- name: calls_between
-- What tools were called with in a stretch of time, in order of arrival: where, by whom, and the host's name of the call.
SELECT sessions.id, sessions.source, sessions.session, sessions.agent, sessions.directory, turns.id, call, tool, text, at
FROM turns JOIN sessions ON sessions.id = session_id
WHERE turns.kind = 'call' AND at BETWEEN :since AND :until ORDER BY turns.id;

-- name: results_since
-- When calls came to an end, and how what came of them begins.
SELECT session_id, call, at, kind = 'denied', substr(text, 1, 600) FROM turns WHERE at >= :since AND kind <> 'call' AND call IS NOT NULL;

-- name: call_text
-- What a tool was called with.
SELECT text FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE sessions.session = :session AND turns.call = :call AND turns.kind = 'call' LIMIT 1;

-- name: next_word
-- When a person was heard in a session after a turn, other than while it was busy.
SELECT at FROM turns WHERE session_id = :session_id AND id > :turn AND at IS NOT NULL AND role = 'user'
AND kind IN ('said', 'interrupted') ORDER BY id LIMIT 1;

-- name: ends_since
-- What may say that a command in the background ended: the beginning of what tools and the host told a session after a
-- turn, with what the tool was given.
SELECT at, exit_status, substr(text, 1, 2000), coalesce((
  SELECT asked.text FROM turns AS asked
  WHERE asked.session_id = turns.session_id AND asked.kind = 'call' AND asked.call = turns.call), '')
FROM turns WHERE session_id = :session_id AND id > :turn AND at IS NOT NULL AND kind IN ('result', 'notice') ORDER BY id;
